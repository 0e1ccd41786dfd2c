#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)

// The first check that fails. The host clears it before each launch.
struct Failure {
    atomic_uint state;
    uint site;
    uint thread_position[3];
    uint block_position[3];
};

inline void report_failure(device Failure *failure, uint site, uint3 thread_position, uint3 block_position) {
    if (atomic_exchange_explicit(&failure->state, 1u, memory_order_relaxed) == 0) {
        failure->site = site;
        failure->thread_position[0] = thread_position.x;
        failure->thread_position[1] = thread_position.y;
        failure->thread_position[2] = thread_position.z;
        failure->block_position[0] = block_position.x;
        failure->block_position[1] = block_position.y;
        failure->block_position[2] = block_position.z;
    }
}

// What a function needs to report a failure, and whether one was reported.
struct FailureState {
    device Failure *record;
    uint3 thread_position;
    uint3 block_position;
    bool failed;
};

inline void report_failure(thread FailureState &state, uint site) {
    report_failure(state.record, site, state.thread_position, state.block_position);
    state.failed = true;
}

static float at(device const float *slice, ulong length, ulong index, thread FailureState &failure_state) {
    if (index >= length) {
        report_failure(failure_state, 0);
        return 0.0f;
    }
    return slice[index];
}

static void note(device float *place, uint3 block_position) {
    *place = float(block_position.y);
}

struct gather_args {
    ulong table_length;
    ulong out_length;
};

kernel void gather(
    device const float *table [[buffer(0)]],
    device float *out [[buffer(1)]],
    constant gather_args &args [[buffer(2)]],
    device Failure *failure [[buffer(3)]],
    uint3 thread_position [[thread_position_in_grid]],
    uint3 position_in_block [[thread_position_in_threadgroup]],
    uint3 block_position [[threadgroup_position_in_grid]]
) {
    FailureState failure_state = {failure, position_in_block, block_position, false};
    uint i = thread_position.x;
    float at_result = at(table, args.table_length, i, failure_state);
    if (failure_state.failed) {
        return;
    }
    float at_result_2 = at(table, args.table_length, i * 2ul, failure_state);
    if (failure_state.failed) {
        return;
    }
    if (i >= args.out_length) {
        report_failure(failure_state, 1);
        return;
    }
    out[i] = at_result + at_result_2;
    note(out, block_position);
}
