use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

type B<'a> = ReadBuffer<'a, u32>;

#[metal_oxide::kernel]
fn kernel(
    a: B,
    b: B,
    c: B,
    d: B,
    e: B,
    f: B,
    g: B,
    h: B,
    i: B,
    j: B,
    k: B,
    l: B,
    m: B,
    n: B,
    o: B,
    p: B,
    q: B,
    r: B,
    s: B,
    t: B,
    u: B,
    v: B,
    w: B,
    x: B,
    y: B,
    z: B,
    a1: B,
    b1: B,
    c1: B,
    d1: B,
    e1: B,
    f1: B,
    mut out: DisjointBuffer<u32>,
) {
    if let Some(out) = out.get_mut(&thread_index()) {
        *out = 1;
    }
}
