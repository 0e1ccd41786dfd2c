//! Facts about functions that passes and back ends need.
//! Each analysis is computed from scratch in near-linear time and describes the function as it was then.

pub mod call_graph;
mod control_flow;
mod dominators;
mod loops;
pub mod ranges;
pub mod relations;

pub use control_flow::{ControlFlow, Edge};
pub use dominators::Dominators;
pub use loops::{Loop, Loops};
