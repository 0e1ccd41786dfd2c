// What has no meaning in Metal is reported with its place when asked for, and the process survives it.

// run overflow grid 1 1 1 block 4 1 1 undefined
// buffer i32 1 2 0x7fffffff 3
// buffer i32 0*4
// pass thread_position_in_grid
// error kernel `overflow` did something that is undefined in Metal, a signed addition that overflows, at /
// error kernel.metal:49:

// run division grid 1 1 1 block 4 1 1 undefined
// buffer i32 1 0 2 3
// buffer i32 0*4
// pass thread_position_in_grid
// error a division by zero or of the smallest integer by -1, at /
// error kernel.metal:54:

// run shift grid 1 1 1 block 4 1 1 undefined
// buffer i32 1 2 32 3
// buffer i32 0*4
// pass thread_position_in_grid
// error a shift by a negative count, by as many bits as the type has, or of a negative value, at /
// error kernel.metal:59:

// run conversion grid 1 1 1 block 4 1 1 undefined
// buffer f32 1 2 3e9 4
// buffer i32 0*4
// pass thread_position_in_grid
// error a conversion of a number that the integer type cannot hold, at /
// error kernel.metal:64:

// run index grid 1 1 1 block 4 1 1 undefined
// buffer i32 0 1 4 2
// buffer i32 0*4
// pass thread_position_in_grid
// error an index outside its array, at /
// error kernel.metal:70:

// Nothing is reported where nothing is wrong; of the unsigned types everything is defined.
// run defined grid 1 1 1 block 4 1 1 undefined
// buffer i32 1 -1 0x7fffffff 0x80000000
// buffer i32 0*4 -> 2 -2 -2 0
// pass thread_position_in_grid

#include <metal_stdlib>
using namespace metal;

kernel void overflow(device const int *in [[buffer(0)]], device int *out [[buffer(1)]], uint3 position [[thread_position_in_grid]])
{
    out[position.x] = in[position.x] + 1;
}

kernel void division(device const int *in [[buffer(0)]], device int *out [[buffer(1)]], uint3 position [[thread_position_in_grid]])
{
    out[position.x] = 10 / in[position.x];
}

kernel void shift(device const int *in [[buffer(0)]], device int *out [[buffer(1)]], uint3 position [[thread_position_in_grid]])
{
    out[position.x] = 1 << in[position.x];
}

kernel void conversion(device const float *in [[buffer(0)]], device int *out [[buffer(1)]], uint3 position [[thread_position_in_grid]])
{
    out[position.x] = int(in[position.x]);
}

kernel void index(device const int *in [[buffer(0)]], device int *out [[buffer(1)]], uint3 position [[thread_position_in_grid]])
{
    int values[4] = {1, 2, 3, 4};
    out[position.x] = values[in[position.x]];
}

kernel void defined(device const int *in [[buffer(0)]], device int *out [[buffer(1)]], uint3 position [[thread_position_in_grid]])
{
    out[position.x] = as_type<int>(as_type<uint>(in[position.x]) * 2u);
}
