// The functions that code compiled with -fsanitize=undefined calls when it is about to do something undefined. They take the place of
// the sanitizer's own library: they keep the first finding for the engine and end the thread of the kernel, since where a division by zero
// ends the process it must not come to it.

typedef unsigned int uint;

namespace {
// How every description that the compiler passes begins.
struct location {
    const char *file;
    uint line;
    uint column;
};
} // namespace

// The layout is known to the engine's Rust side.
struct finding {
    uint state; // 0 empty, 1 being written, 2 written
    const char *what;
    const char *file;
    uint line;
    uint column;
};

extern "C" {
__attribute__((visibility("default"))) finding metal_oxide_finding;
// In the kernel's own translation unit, which knows where its thread started.
void metal_oxide_end_thread();
}

static void found(const char *what, const void *description)
{
    uint empty = 0;
    if (__atomic_compare_exchange_n(&metal_oxide_finding.state, &empty, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        const location *at = static_cast<const location *>(description);
        metal_oxide_finding.what = what;
        metal_oxide_finding.file = at->file;
        metal_oxide_finding.line = at->line;
        metal_oxide_finding.column = at->column;
        __atomic_store_n(&metal_oxide_finding.state, 2, __ATOMIC_RELEASE);
    }
    metal_oxide_end_thread();
}

#define HANDLER(name, what, ...)                                                                                                           \
    extern "C" void __ubsan_handle_##name(void *description, ##__VA_ARGS__) { found(what, description); }
HANDLER(add_overflow, "a signed addition that overflows", void *, void *)
HANDLER(sub_overflow, "a signed subtraction that overflows", void *, void *)
HANDLER(mul_overflow, "a signed multiplication that overflows", void *, void *)
HANDLER(negate_overflow, "a negation that overflows", void *)
HANDLER(divrem_overflow, "a division by zero or of the smallest integer by -1", void *, void *)
HANDLER(shift_out_of_bounds, "a shift by a negative count, by as many bits as the type has, or of a negative value", void *, void *)
HANDLER(out_of_bounds, "an index outside its array", void *)
HANDLER(float_cast_overflow, "a conversion of a number that the integer type cannot hold", void *)
HANDLER(load_invalid_value, "a load of a value that its type does not have", void *)
HANDLER(type_mismatch_v1, "an access through a null or misaligned pointer", void *)
HANDLER(pointer_overflow, "pointer arithmetic that overflows", void *, void *)
