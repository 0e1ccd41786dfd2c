// SIMD-groups of 32: reductions, scans, shuffles and votes, with a partial last group and lanes that have ended.

// run sums grid 1 1 1 block 34 1 1
// buffer u32 1*34
// buffer u32 0*34 -> 32*32 2*2
// buffer u32 0*34 -> 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 1 2
// buffer u32 0*34 -> 0..32 0 1
// pass thread_position_in_threadgroup

// run places grid 1 1 1 block 3 4 3
// buffer u32 0*36 -> 0..32 100 101 102 103
// pass thread_position_in_threadgroup threads_per_threadgroup thread_index_in_simdgroup simdgroup_index_in_threadgroup

// run shuffles grid 1 1 1 block 32 1 1
// buffer u32 0*32 -> 31*32
// buffer u32 0*32 -> 0 1 0..30
// buffer u32 0*32 -> 3..32 29 30 31
// buffer u32 0*32 -> 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 17 16 19 18 21 20 23 22 25 24 27 26 29 28 31 30
// buffer u32 0*32 -> 31 0..31
// buffer u32 0*32 -> 1..32 0
// pass thread_position_in_threadgroup

// run votes grid 1 1 1 block 32 1 1
// buffer u64 0 0 0 -> 0x80000008 0xfffffff8 1
// buffer u32 0*32 -> 0*3 1 0*28
// pass thread_position_in_threadgroup

// run quads grid 1 1 1 block 8 1 1
// buffer f32 1 2 3 4 0.5 0.25 8 16
// buffer f32 0*8 -> 10*4 24.75*4
// buffer f32 0*8 -> 4*4 16*4
// buffer f32 0*8 -> 2 1 4 3 0.25 0.5 16 8
// pass thread_position_in_threadgroup

// run floats grid 1 1 1 block 32 1 1
// buffer f32 16777216 1*31
// buffer f32 0*32 -> 16777216*32
// pass thread_position_in_threadgroup

#include <metal_stdlib>
using namespace metal;

kernel void sums(
    device const uint *in [[buffer(0)]],
    device uint *sum [[buffer(1)]],
    device uint *inclusive [[buffer(2)]],
    device uint *exclusive [[buffer(3)]],
    uint3 local [[thread_position_in_threadgroup]])
{
    uint value = in[local.x];
    sum[local.x] = simd_sum(value);
    inclusive[local.x] = simd_prefix_inclusive_sum(value);
    exclusive[local.x] = simd_prefix_exclusive_sum(value);
}

kernel void places(
    device uint *out [[buffer(0)]],
    uint3 local [[thread_position_in_threadgroup]],
    uint3 block_size [[threads_per_threadgroup]],
    uint lane [[thread_index_in_simdgroup]],
    uint simdgroup [[simdgroup_index_in_threadgroup]])
{
    out[(local.z * block_size.y + local.y) * block_size.x + local.x] = 100 * simdgroup + lane;
}

kernel void shuffles(
    device uint *broadcast [[buffer(0)]],
    device uint *up [[buffer(1)]],
    device uint *down [[buffer(2)]],
    device uint *across [[buffer(3)]],
    device uint *rotate_up [[buffer(4)]],
    device uint *rotate_down [[buffer(5)]],
    uint3 local [[thread_position_in_threadgroup]])
{
    uint value = local.x;
    broadcast[local.x] = simd_broadcast(value, 31);
    up[local.x] = simd_shuffle_up(value, 2);
    down[local.x] = simd_shuffle_down(value, 3);
    across[local.x] = simd_shuffle_xor(value, 1);
    rotate_up[local.x] = simd_shuffle_rotate_up(value, 1);
    rotate_down[local.x] = simd_shuffle_rotate_down(value, 1);
}

kernel void votes(device ulong *out [[buffer(0)]], device uint *first [[buffer(1)]], uint3 local [[thread_position_in_threadgroup]])
{
    ulong ballot = simd_vote::vote_t(simd_ballot(local.x == 3 || local.x == 31));
    if (local.x < 3) {
        return;
    }
    ulong active = simd_vote::vote_t(simd_active_threads_mask());
    first[local.x] = simd_is_first() ? 1 : 0;
    if (local.x == 3) {
        out[0] = ballot;
        out[1] = active;
    }
    bool all = simd_all(local.x >= 3) && !simd_all(local.x > 3) && simd_any(local.x == 9) && !simd_any(local.x < 3);
    if (local.x == 3) {
        out[2] = all ? 1 : 0;
    }
}

kernel void quads(
    device const float *in [[buffer(0)]],
    device float *sum [[buffer(1)]],
    device float *largest [[buffer(2)]],
    device float *across [[buffer(3)]],
    uint3 local [[thread_position_in_threadgroup]])
{
    float value = in[local.x];
    sum[local.x] = quad_sum(value);
    largest[local.x] = quad_max(value);
    across[local.x] = quad_shuffle_xor(value, 1);
}

kernel void floats(device const float *in [[buffer(0)]], device float *out [[buffer(1)]], uint3 local [[thread_position_in_threadgroup]])
{
    out[local.x] = simd_sum(in[local.x]);
}
