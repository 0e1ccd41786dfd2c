#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)

inline uint load_uint_from_device(device const uchar *bytes) {
    return as_type<uint>(*(device const uchar4 *)bytes);
}

inline uint load_uint_from_constant(constant uchar *bytes) {
    return as_type<uint>(*(constant uchar4 *)bytes);
}

inline ulong load_ulong_from_device(device const uchar *bytes) {
    return load_uint_from_device(bytes) | (ulong(load_uint_from_device(bytes + 4)) << 32);
}

inline ulong load_ulong_from_constant(constant uchar *bytes) {
    return load_uint_from_constant(bytes) | (ulong(load_uint_from_constant(bytes + 4)) << 32);
}

inline void store_uint_to_device(device uchar *bytes, uint value) {
    *(device uchar4 *)bytes = as_type<uchar4>(value);
}

inline void store_ulong_to_device(device uchar *bytes, ulong value) {
    store_uint_to_device(bytes, uint(value));
    store_uint_to_device(bytes + 4, uint(value >> 32));
}

inline void copy_bytes_from_device_to_thread(thread uchar *to, device const uchar *from, uint count) {
    for (uint i = 0; i < count; ++i) {
        to[i] = from[i];
    }
}

struct alignas(16) Particle {
    uchar kind;
    uchar padding_1_[7];
    float mass;
    float axes[2][3];
    uchar padding_2_[4];
    uchar kernel_2;
};
static_assert(sizeof(Particle) == 48, "Rust's layout");

struct alignas(8) Shape_f32 {
    uchar bytes[16];
};

struct alignas(1) Packed {
    uchar bytes[5];
};

constant float WEIGHTS[3] = {1.0f, 2.0f, 3.0f};

constant struct alignas(8) {
    constant uchar *address_0;
    uchar bytes_8[8];
} NAMES = {(constant uchar *)&WEIGHTS, {3, 0, 0, 0, 0, 0, 0, 0}};

struct memory_args {
    Particle setup;
    bool on;
};

kernel void memory(
    device Particle *particles [[buffer(0)]],
    device Shape_f32 *shapes [[buffer(1)]],
    device const float *rows [[buffer(2)]],
    device const Packed *bytes [[buffer(3)]],
    constant memory_args &args [[buffer(4)]],
    uint3 thread_position [[thread_position_in_grid]]
) {
    uint i = thread_position.x;
    float product = particles[i].mass * args.setup.mass;
    particles[i].mass = product;
    particles[i].axes[1][i] = product;
    particles[i].kind = particles[i].kernel_2;
    if (load_uint_from_device(shapes[i].bytes) == 1) {
        store_uint_to_device(shapes[i].bytes + 4, load_uint_from_device(shapes[i].bytes + 8));
        store_ulong_to_device(shapes[i].bytes, load_ulong_from_device(shapes[i].bytes + 8));
    }
    ulong bits = ulong(i) & 3;
    int local[4];
    local[bits] = as_type<uint>(rows[ulong(i) * 3 + 2]);
    float local_2;
    copy_bytes_from_device_to_thread((thread uchar *)&local_2, bytes[i].bytes + 1, 4);
    particles[i].mass = args.on ? as_type<float>(local[bits]) + local_2
            - (as_type<float>(load_uint_from_constant((constant uchar *)load_ulong_from_constant((constant uchar *)&NAMES) + 4))
            + WEIGHTS[bits]) : 0.0f;
    particles[0] = particles[i];
    particles[i].axes[0][0] = rows[ulong(i) * 3];
    particles[i].axes[0][1] = rows[ulong(i) * 3 + 1];
    particles[i].axes[0][2] = rows[ulong(i) * 3 + 2];
}
