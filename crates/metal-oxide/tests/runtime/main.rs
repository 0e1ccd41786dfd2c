//! What the runtime does with kernels, shown with kernels made by hand as the macros would make them.

mod asynchronous;
mod buffers;
mod failures;
mod launches;
mod ordering;
mod support;
mod threads;
