//! Turns a function that calls itself into a chain of functions, of a fixed length: the device has no stack to return along.
//! Where a call would leave the chain, the thread fails.

use crate::{Function, FunctionId, Module, Operation, SiteId, Terminator};

/// Lets a function call itself no deeper than `depth` times. A thread that would fails at `site`.
pub fn expand_recursion(module: &mut Module, id: FunctionId, depth: usize, site: SiteId) {
    let original = module.function(id).clone();
    for level in 0..=depth {
        let mut function = original.clone();
        let own = if level == 0 { id } else { FunctionId::new(module.functions.len()) };
        if level < depth {
            // The next level is added in the next round.
            let next = FunctionId::new(module.functions.len() + usize::from(level > 0));
            redirect(&mut function, id, next);
        } else {
            end(&mut function, id, site);
        }
        if level == 0 {
            module.functions[own.index()] = function;
        } else {
            function.name = unique_name(&original.name, module);
            module.add_function(function);
        }
    }
}

/// Whether a function calls itself directly.
pub fn calls_itself(module: &Module, id: FunctionId) -> bool {
    let function = module.function(id);
    function.blocks.iter().flat_map(|block| &block.instructions).any(|&call| is_call(function, call, id))
}

fn is_call(function: &Function, instruction: crate::InstructionId, callee: FunctionId) -> bool {
    matches!(function.instruction(instruction).operation, Operation::Call(called, _) if called == callee)
}

fn redirect(function: &mut Function, from: FunctionId, to: FunctionId) {
    for instruction in &mut function.instructions {
        if let Operation::Call(callee, _) = &mut instruction.operation
            && *callee == from
        {
            *callee = to;
        }
    }
}

/// Lets blocks end where they would call.
fn end(function: &mut Function, callee: FunctionId, site: SiteId) {
    for block in function.block_ids() {
        let instructions = &function.block(block).instructions;
        let Some(position) = instructions.iter().position(|&id| is_call(function, id, callee)) else { continue };
        let location = function.instruction(instructions[position]).location;
        function.block_mut(block).instructions.truncate(position);
        function.terminate(block, Terminator::Fail(site), location);
    }
}

fn unique_name(name: &str, module: &Module) -> String {
    let is_free = |name: &str| module.functions.iter().all(|function| function.name != name);
    (2..).map(|number| format!("{name}_{number}")).find(|name| is_free(name)).expect("there are enough numbers")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::{Launch, Limits, run};
    use crate::text::parse;
    use crate::validate::{Stage, validate};

    const COUNTING: &str = "
site site0 = panic \"src/lib.rs\" 1 1 \"too deep\"
type type0 = \"u32\" size 4 align 4 scalar i32

kernel @k(out: buffer mut type0, n: scalar type0) {
block0(%0: ptr<device>, %1: i64, %2: i32):
    %3 = call i32 @sum(%2)
    store i32 %3, %0
    return
}

function @sum -> i32 {
block0(%0: i32):
    %1 = eq i32 %0, 0
    cond_br %1, block1, block2
block1:
    return 0:i32
block2:
    %2 = sub i32 %0, 1
    %3 = call i32 @sum(%2)
    %4 = add i32 %3, %0
    return %4
}
";

    /// The sum up to a number, or `None` if the recursion is too deep for three calls.
    fn sum(number: u32) -> Option<u32> {
        let mut module = parse(COUNTING).unwrap();
        let id = FunctionId::new(1);
        assert!(calls_itself(&module, id) && !calls_itself(&module, FunctionId::new(0)));
        expand_recursion(&mut module, id, 3, SiteId::new(0));
        validate(&module, Stage::Optimized).unwrap();
        let names: Vec<_> = module.functions.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(names, ["k", "sum", "sum_2", "sum_3", "sum_4"]);
        let mut buffers = vec![vec![0; 4]];
        let limits = Limits { steps: 1000, depth: 10 };
        let outcome = run(&module, "k", &mut buffers, &[number.to_le_bytes().to_vec()], Launch::linear(1, 1), limits).unwrap();
        outcome.failures.is_empty().then(|| u32::from_le_bytes(buffers[0][..].try_into().unwrap()))
    }

    #[test]
    fn shallow_recursion_computes_and_deep_recursion_fails() {
        assert_eq!((0..6).map(sum).collect::<Vec<_>>(), [Some(0), Some(1), Some(3), Some(6), None, None]);
    }
}
