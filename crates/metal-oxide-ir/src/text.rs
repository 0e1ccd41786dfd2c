//! The text form of modules: what tests read and write, and what `inspect --emit ir` shows.
//!
//! ```text
//! location loc0 = "src/main.rs" 8 16
//! site site0 = bounds "src/main.rs" 8 16 ""
//! type type0 = "f32" size 4 align 4 scalar f32
//!
//! kernel @double(data: buffer mut type0) {
//! block0(%0.data: ptr<device>, %1: i64):
//!     %2 = coordinate thread_in_grid.x
//!     %3 = zext i32 %2 to i64
//!     %4 = ult i64 %3, %1
//!     cond_br %4, block1, block2
//! block1:
//!     %5 = element ptr<device> type0, %0, %3 !loc0
//!     %6 = load f32 %5
//!     %7 = fmul f32 %6, 2.0
//!     store f32 %7, %5
//!     return
//! block2:
//!     fail site0
//! }
//! ```
//!
//! Operands are values or constants. A constant takes the type that its operation names; where the operation names none it carries one: `0:i64`.
//! Comments start with `//`. Printing numbers values and blocks anew, so that equal functions print alike.

mod lexer;
mod parse;
mod print;

pub use parse::{ParseError, parse};
pub use print::{print, print_function};

#[cfg(test)]
mod tests;
