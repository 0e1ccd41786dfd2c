//! The attribute macros of metal-oxide.
