//! Write compute kernels in Rust and run them on Apple GPUs: devices, buffers and launches.
