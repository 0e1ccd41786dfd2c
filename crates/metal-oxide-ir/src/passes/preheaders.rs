//! Gives each loop that is entered in several ways one block through which all of them lead.
//! What the ways bring along is joined there, and not once more each time around.

use crate::analysis::{ControlFlow, Dominators, Edge, Loops};
use crate::passes::{Pass, rewrite};
use crate::{BlockId, Function, Module, Target, Terminator};

/// The pass.
pub struct Preheaders;

impl Pass for Preheaders {
    fn name(&self) -> &'static str {
        "preheaders"
    }

    fn run(&self, function: &mut Function, _module: &mut Module) -> bool {
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(function, &flow);
        let loops = Loops::new(function, &flow, &dominators);
        let mut changed = false;
        for (index, body) in loops.all().iter().enumerate() {
            let header = body.header;
            let entries: Vec<Edge> = flow.edges(header).iter().copied().filter(|edge| !loops.contains(index, edge.from)).collect();
            if entries.len() > 1 {
                insert(function, header, &entries);
                changed = true;
            }
        }
        changed
    }
}

/// Leads the edges through a new block.
fn insert(function: &mut Function, header: BlockId, entries: &[Edge]) {
    let block = function.add_block();
    let mut arguments = Vec::new();
    for (index, parameter) in function.block(header).parameters.clone().into_iter().enumerate() {
        let same = entries.iter().map(|edge| rewrite::target(function, edge.from, edge.index).arguments[index]);
        let mut same = same.collect::<Vec<_>>();
        same.dedup();
        // A constant needs no parameter.
        if let [only] = same[..]
            && function.constant(only).is_some()
        {
            arguments.push(only);
            continue;
        }
        let joined = function.add_parameter(block, function.ty(parameter));
        arguments.push(joined);
        for edge in entries {
            let argument = rewrite::target(function, edge.from, edge.index).arguments[index];
            // Marked by going beyond the header's own arguments until all are there.
            rewrite::target_mut(function, edge.from, edge.index).arguments.push(argument);
        }
    }
    let count = function.block(header).parameters.len();
    for edge in entries {
        let target = rewrite::target_mut(function, edge.from, edge.index);
        target.block = block;
        target.arguments.drain(..count);
    }
    let location = function.block(header).location;
    function.terminate(block, Terminator::Branch(Target::new(header, arguments)), location);
}
