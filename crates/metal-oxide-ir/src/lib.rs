//! The intermediate representation of kernels: text form, validator, analyses and passes.
//!
//! # What the IR is
//!
//! A [`Module`] holds functions, constant tables, failure sites and a table of memory types. A [`Function`] is a control-flow graph of
//! basic blocks in SSA form; blocks take parameters instead of having phi instructions. The first block is the entry, and its
//! parameters are the function's parameters.
//!
//! **Values are scalars**: booleans, integers without a sign, floats and pointers ([`Type`]). Aggregates exist in memory only, as bytes
//! with the layout that rustc gave them; passes split and promote them.
//!
//! **Pointers carry an address space** ([`Space`]). Import yields `generic` pointers; the pass `infer_spaces` settles each of them, and
//! afterwards none is generic. `null` and other integers cast to pointers belong to every space and must not be dereferenced.
//!
//! **Memory is bytes.** A `slot` is fresh, uninitialised thread memory. It lives as long as the function's activation: a slot instruction in
//! a loop yields the same memory each time, with unspecified contents. `load` and `store` access a value of their type at its natural alignment;
//! reading uninitialised bytes yields `undef`, which may be a different value at each use. `copy` moves bytes between places that do not overlap.
//! Accesses out of bounds, through dangling pointers or misaligned are undefined: importers guard them with checks that end in `fail`.
//!
//! **Addresses.** `element` and `field` stay inside the object of their base: `index * size` does not wrap, and elements of one base are equal
//! if their indices are. What is computed from the address of a field that is an array, or from the constant `offset` at which one starts,
//! stays inside that array. `offset` by a value that is not constant may go anywhere and come back. A kernel's buffers are not null, and
//! different buffer parameters never overlap if one of them is written.
//!
//! **Integers wrap.** `add`, `sub` and `mul` are modulo 2ⁿ. Shift counts must be below the width, divisors must not be zero, and
//! signed division must not overflow; importers mask or check. `bool` is 0 or 1 and takes part in `and`, `or`, `xor`, `eq`, `ne` and `select`.
//!
//! **Floats are IEEE 754**, rounding to nearest even, without contraction or reassociation. NaN payloads are unspecified. Float to
//! integer casts saturate and send NaN to zero. `fmin` and `fmax` follow Rust: if one operand is NaN, the result is the other one.
//!
//! **Failure.** `fail` ends the thread's work: nothing after it is executed by that thread, in any calling function.
//! `unsupported` marks code that the device cannot express; it is an error if it survives optimisation. `unreachable` is never executed.
//! Loops may run forever: a loop without side effects must not be assumed to end.
//!
//! [`text`] prints and parses modules.

pub mod analysis;
mod constant;
mod entity;
mod function;
mod instruction;
pub mod interpret;
mod module;
pub mod passes;
pub mod text;
mod types;
pub mod validate;

pub use constant::Constant;
pub use entity::{BlockId, FunctionId, GlobalId, InstructionId, LocationId, SiteId, TypeId, UnsupportedId, ValueId};
pub use function::{Block, Function, FunctionKind, Instruction, KernelParameter, KernelParameterKind, Target, Terminator, ValueDefinition};
pub use instruction::{Axis, BinaryOperator, CastOperator, CompareOperator, Coordinate, MathFunction, Operation, UnaryOperator};
pub use module::{FailureKind, Global, Location, Module, Relocation, Site, Unsupported};
pub use types::{Field, MemoryKind, MemoryType, Space, Type};
