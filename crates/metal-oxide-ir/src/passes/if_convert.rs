//! Turns branches around little code into selections, and branches that lead to the same place into one on a joint condition.
//! Only code that cannot fail, trap or touch memory is executed in vain.

use crate::analysis::ControlFlow;
use crate::passes::Pass;
use crate::passes::builder::Sequence;
use crate::passes::speculation::can_speculate;
use crate::{BinaryOperator, BlockId, Function, InstructionId, Module, Operation, Target, Terminator, Type, UnaryOperator, ValueId};

/// The pass.
pub struct IfConvert {
    /// Also let checks that follow one another and fail at one place be one check; each alone is easier to prove.
    pub join_checks: bool,
}

/// How many instructions may be executed in vain.
const MAX_SPECULATED: usize = 3;
/// How many values may be selected.
const MAX_SELECTED: usize = 2;

impl Pass for IfConvert {
    fn name(&self) -> &'static str {
        "if_convert"
    }

    fn run(&self, function: &mut Function, _module: &mut Module) -> bool {
        let mut changed = false;
        // Inner branches first: what they become can be part of an outer one. Each conversion removes a branch.
        loop {
            let flow = ControlFlow::new(function);
            let mut converted = vec![false; function.blocks.len()];
            let mut any = false;
            for &block in flow.reverse_postorder().iter().rev() {
                let Some(branch) = Branch::of(function, block) else { continue };
                let near = [block, branch.then.block, branch.otherwise.block];
                if near.iter().any(|block| converted[block.index()]) {
                    continue;
                }
                if to_selection(function, &flow, block, &branch) || to_joint_condition(function, &flow, block, &branch, self.join_checks) {
                    near.iter().for_each(|block| converted[block.index()] = true);
                    any = true;
                }
            }
            if !any {
                return changed;
            }
            changed = true;
        }
    }
}

/// A block's conditional branch.
struct Branch {
    condition: ValueId,
    then: Target,
    otherwise: Target,
}

impl Branch {
    fn of(function: &Function, block: BlockId) -> Option<Self> {
        match &function.block(block).terminator {
            Terminator::CondBranch { condition, then, otherwise } => {
                Some(Branch { condition: *condition, then: then.clone(), otherwise: otherwise.clone() })
            }
            _ => None,
        }
    }
}

/// A side of a branch: the code that it executes, and where it goes then.
struct Side {
    speculated: Vec<InstructionId>,
    target: Target,
}

/// What a side does if it is skipped as far as possible: through a block that only this branch enters, if that is cheap.
fn side(function: &Function, flow: &ControlFlow, target: &Target) -> Option<Side> {
    let body = function.block(target.block);
    let entered_once = flow.edges(target.block).len() == 1;
    match &body.terminator {
        Terminator::Branch(next) if entered_once && body.parameters.is_empty() && next.block != target.block => {
            let cheap = body.instructions.iter().all(|&id| is_cheap(function, id));
            cheap.then(|| Side { speculated: body.instructions.clone(), target: next.clone() })
        }
        _ => None,
    }
}

/// Whether an instruction may be executed where its result is not needed, and takes little time.
fn is_cheap(function: &Function, id: InstructionId) -> bool {
    let operation = &function.instruction(id).operation;
    let slow = match *operation {
        Operation::Binary(operator, ..) => {
            use BinaryOperator::{DivSigned, DivUnsigned, FloatDiv, FloatRem, RemSigned, RemUnsigned};
            matches!(operator, DivUnsigned | DivSigned | RemUnsigned | RemSigned | FloatDiv | FloatRem)
        }
        Operation::Unary(operator, _) => operator == UnaryOperator::Sqrt,
        // Addresses are for the accesses that use them.
        Operation::Math(..) | Operation::Element { .. } | Operation::Field { .. } | Operation::Offset { .. } => true,
        _ => false,
    };
    !slow && can_speculate(function, operation)
}

/// Replaces a branch whose sides meet again by selections of what they give. Returns whether it did.
fn to_selection(function: &mut Function, flow: &ControlFlow, block: BlockId, branch: &Branch) -> bool {
    let direct = |target: &Target| Side { speculated: Vec::new(), target: target.clone() };
    let candidates = [
        (side(function, flow, &branch.then), side(function, flow, &branch.otherwise)),
        (side(function, flow, &branch.then), Some(direct(&branch.otherwise))),
        (Some(direct(&branch.then)), side(function, flow, &branch.otherwise)),
        (Some(direct(&branch.then)), Some(direct(&branch.otherwise))),
    ];
    let meeting = candidates.into_iter().find_map(|sides| match sides {
        (Some(then), Some(otherwise)) if then.target.block == otherwise.target.block => Some((then, otherwise)),
        _ => None,
    });
    let Some((then, otherwise)) = meeting else { return false };
    let differing = then.target.arguments.iter().zip(&otherwise.target.arguments).filter(|(a, b)| a != b).count();
    if then.speculated.len() + otherwise.speculated.len() > MAX_SPECULATED || differing > MAX_SELECTED {
        return false;
    }

    let mut sequence = Sequence { location: function.block(block).location, ..Sequence::default() };
    sequence.instructions.extend(then.speculated.iter().chain(&otherwise.speculated));
    let arguments = then.target.arguments.iter().zip(&otherwise.target.arguments).map(|(&a, &b)| match a == b {
        true => a,
        false => sequence.select(function, branch.condition, a, b),
    });
    let joined = Target::new(then.target.block, arguments.collect());
    for target in [&branch.then, &branch.otherwise] {
        if target.block != joined.block {
            // The code of the side has moved; the side itself is no longer reached.
            function.block_mut(target.block).instructions.clear();
            function.block_mut(target.block).terminator = Terminator::Unreachable;
        }
    }
    let body = function.block_mut(block);
    body.instructions.append(&mut sequence.instructions);
    body.terminator = Terminator::Branch(joined);
    true
}

/// Joins a branch with one that follows on one side and has a target in common with it. Returns whether it did.
fn to_joint_condition(function: &mut Function, flow: &ControlFlow, block: BlockId, branch: &Branch, join_checks: bool) -> bool {
    for (inner_block, other, on_then) in [(branch.then.block, &branch.otherwise, true), (branch.otherwise.block, &branch.then, false)] {
        let Some(inner) = Branch::of(function, inner_block) else { continue };
        let body = function.block(inner_block);
        let movable = flow.edges(inner_block).len() == 1
            && inner_block != block
            && body.parameters.is_empty()
            && body.instructions.len() <= MAX_SPECULATED
            && body.instructions.iter().all(|&id| is_cheap(function, id));
        let check = matches!(function.block(other.block).terminator, Terminator::Fail(_) | Terminator::Unsupported(_));
        if !movable || check && !join_checks {
            continue;
        }
        // The ways that do not leave for the common target must both be taken.
        let (common_on_then, rest) = match () {
            () if inner.otherwise == *other => (false, inner.then.clone()),
            () if inner.then == *other => (true, inner.otherwise.clone()),
            () => continue,
        };
        let mut sequence = Sequence { location: function.block(inner_block).location, ..Sequence::default() };
        sequence.instructions.extend(std::mem::take(&mut function.block_mut(inner_block).instructions));
        function.block_mut(inner_block).terminator = Terminator::Unreachable;
        let flip = |function: &mut Function, sequence: &mut Sequence, value: ValueId, flip: bool| match flip {
            true => sequence.value(function, Operation::Unary(UnaryOperator::Not, value), Type::Bool),
            false => value,
        };
        // Each condition as "goes on", that is, not to the common target.
        let first = flip(function, &mut sequence, branch.condition, !on_then);
        let second = flip(function, &mut sequence, inner.condition, common_on_then);
        let condition = sequence.binary(function, BinaryOperator::And, first, second);
        let body = function.block_mut(block);
        body.instructions.append(&mut sequence.instructions);
        body.terminator = Terminator::CondBranch { condition, then: rest, otherwise: other.clone() };
        return true;
    }
    false
}
