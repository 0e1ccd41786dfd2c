//! Runs emitted Metal Shading Language on the CPU through a C++ compiler.
