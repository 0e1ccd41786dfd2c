//! The kernel compiler: rustc's front end and MIR, imported into the intermediate representation of kernels.
//!
//! This crate is the only one that touches rustc's own crates.
#![feature(rustc_private)]

extern crate rustc_abi;
extern crate rustc_const_eval;
extern crate rustc_data_structures;
extern crate rustc_driver;
extern crate rustc_errors;
extern crate rustc_hir;
extern crate rustc_index;
extern crate rustc_interface;
extern crate rustc_middle;
extern crate rustc_session;
extern crate rustc_span;

pub mod compile;
pub mod driver;
mod hints;
pub mod import;
pub mod kernel_crate;
pub mod kernels;
pub mod library;
mod survivors;
pub mod unit;
