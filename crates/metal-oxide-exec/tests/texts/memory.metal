// Values seen through other types: vectors of bytes alias everything, and `as_type` reinterprets.

// run aliases grid 1 1 1 block 2 1 1
// buffer f32 7 7 -> 2 2
// buffer u64 0 0 -> 0x1122334455667788 0x1122334455667788
// buffer u32 0x01020304 0 -> 0x05060708 0
// pass thread_position_in_grid

// run copies grid 1 1 1 block 1 1 1
// buffer u8 1 2 3 4 5 6 7 8 9 10 11 12 -> 9 10 11 12 5 6 7 8 1 2 3 4
// pass thread_position_in_grid

#include <metal_stdlib>
using namespace metal;

inline uint load_uint(device const uchar *bytes)
{
    return as_type<uint>(*(device const uchar4 *)bytes);
}

inline void store_uint(device uchar *bytes, uint value)
{
    *(device uchar4 *)bytes = as_type<uchar4>(value);
}

inline void store_ulong(device uchar *bytes, ulong value)
{
    store_uint(bytes, uint(value));
    store_uint(bytes + 4, uint(value >> 32));
}

kernel void aliases(
    device float *floats [[buffer(0)]],
    device ulong *longs [[buffer(1)]],
    device uint *words [[buffer(2)]],
    uint3 position [[thread_position_in_grid]])
{
    device float *f = &floats[position.x];
    *f = 1.0f;
    store_uint((device uchar *)f, 0x40000000u);
    *f = *f + 0.0f;
    device ulong *l = &longs[position.x];
    store_ulong((device uchar *)l, 0x8877665544332211ul);
    ulong value = *l;
    store_ulong((device uchar *)l, 0);
    value = *l == 0 ? value : 1;
    *l = value ^ 0x8877665500000000ul;
    *l = load_uint((device uchar *)l) == 0 ? 1 : 0x1122334455667788ul;
    if (position.x == 0) {
        words[0] = 0;
        device uchar4 *bytes = (device uchar4 *)words;
        *bytes = uchar4(8, 7, 6, 5);
        words[1] = words[0] - load_uint((device uchar *)words);
    }
}

kernel void copies(device uchar *bytes [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    alignas(4) uchar local[12];
    for (uint i = 0; i < 3; ++i) {
        ((thread uchar4 *)local)[i] = ((device uchar4 *)bytes)[2 - i];
    }
    for (uint i = 0; i < 12; ++i) {
        bytes[i] = local[i];
    }
}
