//! The text form of modules.
