//! `cargo metal`.
fn main() {}
