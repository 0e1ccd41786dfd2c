//! Who calls whom: an order in which callees come before their callers, and the functions that call themselves.
//! Finds strongly connected components as Tarjan does, without recursion.

use crate::{Function, FunctionId, Module, Operation};

/// The functions in an order in which each stands after those it calls, except in a cycle.
pub fn bottom_up(module: &Module) -> Vec<FunctionId> {
    components(module).into_iter().flatten().collect()
}

/// The functions that call themselves, directly or through others.
pub fn recursive_functions(module: &Module) -> Vec<FunctionId> {
    let mut recursive: Vec<FunctionId> = components(module)
        .into_iter()
        .filter(|component| match component[..] {
            [only] => callees(module.function(only)).contains(&only),
            _ => true,
        })
        .flatten()
        .collect();
    recursive.sort_unstable();
    recursive
}

/// The functions that a function calls, once for each call.
pub fn callees(function: &Function) -> Vec<FunctionId> {
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    instructions
        .filter_map(|&id| match &function.instruction(id).operation {
            Operation::Call(callee, _) => Some(*callee),
            _ => None,
        })
        .collect()
}

struct Frame {
    function: usize,
    callees: Vec<FunctionId>,
}

/// Strongly connected components, callees first.
fn components(module: &Module) -> Vec<Vec<FunctionId>> {
    const UNSEEN: usize = usize::MAX;
    const DONE: usize = usize::MAX - 1;
    let mut lowest = vec![UNSEEN; module.functions.len()];
    let mut entered = vec![UNSEEN; module.functions.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut components = Vec::new();
    let mut clock = 0;

    for root in 0..module.functions.len() {
        if lowest[root] != UNSEEN {
            continue;
        }
        let mut frames = vec![enter(module, root, &mut lowest, &mut entered, &mut open, &mut clock)];
        while let Some(frame) = frames.last_mut() {
            let function = frame.function;
            if let Some(callee) = frame.callees.pop() {
                let callee = callee.index();
                match lowest[callee] {
                    UNSEEN => frames.push(enter(module, callee, &mut lowest, &mut entered, &mut open, &mut clock)),
                    DONE => {}
                    _ => lowest[function] = lowest[function].min(entered[callee]),
                }
                continue;
            }
            frames.pop();
            if lowest[function] == entered[function] {
                let start = open.iter().rposition(|&member| member == function).unwrap_or(0);
                let component: Vec<usize> = open.drain(start..).collect();
                component.iter().for_each(|&member| lowest[member] = DONE);
                components.push(component.into_iter().map(FunctionId::new).collect());
            } else if let Some(caller) = frames.last() {
                lowest[caller.function] = lowest[caller.function].min(lowest[function]);
            }
        }
    }
    components
}

fn enter(module: &Module, function: usize, lowest: &mut [usize], entered: &mut [usize], open: &mut Vec<usize>, clock: &mut usize) -> Frame {
    lowest[function] = *clock;
    entered[function] = *clock;
    *clock += 1;
    open.push(function);
    let mut callees = callees(&module.functions[function]);
    callees.reverse();
    Frame { function, callees }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callees_come_first_and_cycles_are_found() {
        let module = crate::text::parse(
            "function @a {
             block0:
                 call @b()
                 call @c()
                 return
             }
             function @b {
             block0:
                 call @c()
                 call @b()
                 return
             }
             function @c {
             block0:
                 return
             }
             function @d {
             block0:
                 call @e()
                 return
             }
             function @e {
             block0:
                 call @d()
                 return
             }",
        )
        .expect("the text is well formed");
        let function = FunctionId::new;
        assert_eq!(bottom_up(&module)[..3], [function(2), function(1), function(0)]);
        assert_eq!(recursive_functions(&module), [function(1), function(3), function(4)]);
    }
}
