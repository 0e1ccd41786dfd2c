//! Straightens control flow: branches that always go one way, blocks that can be joined or skipped, paths that are never taken.
//! Runs its parts until none of them finds anything.

mod branches;
mod merge;

use crate::passes::Pass;
use crate::{Function, Module};

/// The pass.
pub struct SimplifyCfg;

/// A bound for the number of rounds; each one that changes something makes the graph smaller.
const MAX_ROUNDS: usize = 64;

impl Pass for SimplifyCfg {
    fn name(&self) -> &'static str {
        "simplify_cfg"
    }

    fn run(&self, function: &mut Function, _module: &mut Module) -> bool {
        let mut changed = false;
        for _ in 0..MAX_ROUNDS {
            let mut round = branches::simplify(function);
            round |= merge::skip_empty(function);
            round |= merge::join_chains(function);
            round |= merge::share_failures(function);
            if !round {
                break;
            }
            changed = true;
        }
        changed
    }
}
