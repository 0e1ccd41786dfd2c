// Prepares Clang's C++ for OpenCL to read Metal, in order to check address spaces. Nothing is run in this mode.
// OpenCL has words and types of its own that are ordinary names in Metal; they get other names.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION __cl_clang_non_portable_kernel_param_types : enable

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef half metal_oxide_literal_half;

#define local metal_oxide_local
#define global metal_oxide_global
#define generic metal_oxide_generic
#define pipe metal_oxide_pipe
#define half metal_oxide_half
#define memory_order metal_oxide_memory_order
#define atomic_bool metal_oxide_atomic_bool
#define atomic_float metal_oxide_atomic_float
#define atomic_int metal_oxide_atomic_int
#define atomic_uint metal_oxide_atomic_uint
#define atomic_ulong metal_oxide_atomic_ulong
