// The rest of the language that the compiler emits: constant tables, records, arrays by value, helpers, switches, and names that the
// host's own libraries use.

// run tables grid 1 1 1 block 4 1 1
// buffer f32 0*4 -> 1.5 2.25 0x7fc00000 -0
// pass thread_position_in_grid

// A table that holds addresses of another one.
// run addresses grid 1 1 1 block 2 1 1
// buffer u32 0*2 -> 0x3fc00000 0x40100000
// pass thread_position_in_grid

// run records grid 1 1 1 block 2 1 1
// buffer u8 1 0*3 2 0*7 3 0*7 1 0*7 4 0*3 5 0*7 6 0*7 0 0*7 -> 1 0*3 2 0*7 6 0*7 0 0*7 4 0*3 5 0*7 15 0*7 1 0*7
// pass thread_position_in_grid

// run arrays grid 1 1 1 block 4 1 1
// buffer u32 0*4 -> 6 7 9 12
// pass thread_position_in_grid

// run branches grid 1 1 1 block 6 1 1
// buffer u32 0*6 -> 10 21 21 33 40 40
// pass thread_position_in_grid

// run exp grid 1 1 1 block 2 1 1
// buffer u32 0 0 -> 0 3
// pass thread_position_in_grid

// run bytes grid 1 1 1 block 1 1 1
// buffer u32 0*3 -> 0x04030201 0x3f800000 0x0001fffe
// pass thread_position_in_grid

#include <metal_stdlib>
using namespace metal;

constant float table[4] = {1.5f, 0x1.2p1f, NAN, -0.0f};

kernel void tables(device float *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    constant float *entry = &table[position.x];
    out[position.x] = position.x == 2 ? as_type<float>(as_type<uint>(*entry) & 0x7fffffffu) : *entry;
}

constant struct alignas(8) {
    uchar bytes_0[8];
    constant uchar *address_8;
    constant uchar *address_16;
} addresses_of = {{1, 2, 3, 4, 5, 6, 7, 8}, (constant uchar *)&table, (constant uchar *)&table + 4};

kernel void addresses(device uint *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    constant uchar *bytes = position.x == 0 ? addresses_of.address_8 : addresses_of.address_16;
    out[position.x] = addresses_of.bytes_0[7] == 8 ? as_type<uint>(*(constant uchar4 *)bytes) : 0;
}

struct Inner {
    uchar tag;
    uint value;
};

struct Outer {
    Inner inner;
    ulong sum;
    bool flag;
};
static_assert(sizeof(Outer) == 24, "the layout of C");

static thread Outer &grow(thread Outer &outer)
{
    outer.sum *= outer.inner.value + outer.inner.tag > 4 ? 1 : 1;
    outer.sum += outer.flag ? outer.inner.tag + outer.inner.value : 9;
    outer.flag = !outer.flag;
    return outer;
}

kernel void records(device uchar *bytes [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    device uchar *at = bytes + position.x * 28;
    Outer outer = {{at[0], at[4]}, at[12], at[20] != 0};
    grow(outer);
    at[12] = uchar(outer.sum);
    at[20] = outer.flag ? 1 : 0;
}

static array<uint, 4> sums(array<uint, 4> values)
{
    for (uint i = 1; i < 4; ++i) {
        values[i] += values[i - 1];
    }
    return values;
}

kernel void arrays(device uint *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    array<uint, 4> values = {6, 1, 2, 3};
    const array<uint, 4> result = sums(values);
    out[position.x] = result[position.x] + values[0] - 6;
}

kernel void branches(device uint *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    uint result = 0;
    switch (position.x) {
    case 0: result = 10; break;
    case 1:
    case 2: result = 20; [[fallthrough]];
    case 7: result += 1; break;
    case 3: {
        do {
            if (result == 33) {
                break;
            }
            ++result;
        } while (true);
        break;
    }
    default: result = 40;
    }
    out[position.x] = result;
}

// Names of functions and macros of the host's C library, and of operating systems.
static uint read(uint write) { return write; }
static uint log(uint linux, uint unix) { return linux + unix; }

kernel void exp(device uint *stdout [[buffer(0)]], uint3 errno [[thread_position_in_grid]])
{
    uint signal = read(errno.x);
    stdout[signal] = log(signal, 2 * signal);
}

kernel void bytes(device uint *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    out[0] = as_type<uint>(uchar4(1, 2, 3, 4));
    out[1] = as_type<uint>(1.0f);
    ushort wrapped = ushort(65535 * 2u);
    out[2] = uint(wrapped) + as_type<uint>(ushort2(0, 1));
}
