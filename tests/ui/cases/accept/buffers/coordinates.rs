use metal_oxide::device::{DisjointBuffer, block_dim, block_idx, grid_dim, thread_idx, thread_index};

#[metal_oxide::kernel]
fn kernel(mut out: DisjointBuffer<[u32; 4]>) {
    let (thread, block, size, count) = (thread_idx(), block_idx(), block_dim(), grid_dim());
    let linear = block.x * size.x + thread.x;
    if let Some(out) = out.get_mut(&thread_index()) {
        *out = [thread.x, block.x + block.y, size.x * size.y * size.z, count.x];
        out[0] += linear;
    }
}
