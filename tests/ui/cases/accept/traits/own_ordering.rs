use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

use core::cmp::{Ordering, Reverse};

#[derive(Clone, Copy, PartialEq, Eq)]
struct Task {
    urgency: u32,
    id: u32,
}

impl PartialOrd for Task {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Task {
    fn cmp(&self, other: &Self) -> Ordering {
        self.urgency.cmp(&other.urgency).reverse().then_with(|| self.id.cmp(&other.id))
    }
}

#[metal_oxide::kernel]
fn kernel(input: ReadBuffer<[u32; 4]>, mut out: DisjointBuffer<u32>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        let x = input.as_slice()[index.get()];
        let mut tasks: [Task; 4] = core::array::from_fn(|i| Task { urgency: x[i] % 3, id: i as u32 });
        tasks.sort_unstable();
        let mut ids = tasks.map(|task| task.id);
        ids[1..].sort_unstable_by_key(|id| Reverse(*id));
        *out = ids.iter().fold(0, |code, id| code * 10 + id);
    }
}
