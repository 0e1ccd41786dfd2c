//! The device side of metal-oxide: what kernels see of buffers, threads and blocks.
