//! The device that runs Metal Shading Language, shown with texts written by hand as the kernel compiler would write them.
#![cfg(feature = "msl")]

use metal_oxide::__private::{Arguments, Binder, Block, Kernel, Unit};
use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};
use metal_oxide::{Buffer, Device, Error, FailureKind, IntoLaunchConfig, Launch, LaunchConfig, Operation, Result};
use metal_oxide_artifact::{
    Argument, Builtin, Inputs, KernelAbi, KernelEntry, Layout, MANIFEST_SCHEMA, Manifest, MathMode, Parameter, Site,
};

const MSL: &str = r"#include <metal_stdlib>
using namespace metal;

struct Failure {
    atomic_uint state;
    uint site;
    uint thread_in_block[3];
    uint block_in_grid[3];
};

struct gather_args {
    ulong values_length;
    ulong out_length;
    uint bias;
};

kernel void gather(device const uint *indices [[buffer(0)]], device const uint *values [[buffer(1)]], device uint *out [[buffer(2)]],
                   constant gather_args &args [[buffer(3)]], device Failure *failure [[buffer(4)]],
                   uint3 position [[thread_position_in_grid]], uint3 thread_position [[thread_position_in_threadgroup]],
                   uint3 block [[threadgroup_position_in_grid]]) {
    if (position.x >= args.out_length) {
        return;
    }
    uint index = indices[position.x];
    if (index >= args.values_length) {
        uint expected = 0;
        if (atomic_compare_exchange_weak_explicit(&failure->state, &expected, 1u, memory_order_relaxed, memory_order_relaxed)) {
            failure->site = 0;
            for (uint axis = 0; axis < 3; axis++) {
                failure->thread_in_block[axis] = thread_position[axis];
                failure->block_in_grid[axis] = block[axis];
            }
        }
        return;
    }
    out[position.x] = values[index] + args.bias;
}

struct pair {
    bool flag;
    uint count;
};

kernel void toggle(device pair *out [[buffer(0)]], uint3 position [[thread_position_in_grid]]) {
    out[position.x].flag = !out[position.x].flag;
    out[position.x].count += 1;
}
";

fn buffer(name: &str, slot: u32, writable: bool, layout: (&str, u32, u32), length_offset: Option<u32>) -> Parameter {
    let (element, size, align) = layout;
    let element = Layout { name: element.into(), size, align };
    Parameter { name: name.into(), argument: Argument::Buffer { slot, writable, element, length_offset } }
}

fn manifest() -> Manifest {
    let u32 = ("u32", 4, 4);
    let bias = Argument::Value { offset: Some(16), layout: Layout { name: "u32".into(), size: 4, align: 4 } };
    let gather = KernelEntry {
        name: "gather".into(),
        entry: "gather".into(),
        abi: KernelAbi {
            parameters: vec![
                buffer("indices", 0, false, u32, None),
                buffer("values", 1, false, u32, Some(0)),
                Parameter { name: "bias".into(), argument: bias },
                buffer("out", 2, true, u32, Some(8)),
            ],
            args_slot: Some(3),
            args_size: 24,
            failure_slot: Some(4),
            builtins: vec![Builtin::ThreadPositionInGrid, Builtin::ThreadPositionInThreadgroup, Builtin::ThreadgroupPositionInGrid],
            linear: true,
            cooperative: false,
        },
        requires: Vec::new(),
        sites: vec![Site { file: "tests/msl.rs".into(), line: 7, column: 9, kind: FailureKind::Bounds, message: String::new() }],
        features: Vec::new(),
    };
    let toggle = KernelEntry {
        name: "toggle".into(),
        entry: "toggle".into(),
        abi: KernelAbi {
            parameters: vec![buffer("out", 0, true, ("(bool, u32)", 8, 4), None)],
            builtins: vec![Builtin::ThreadPositionInGrid],
            linear: true,
            ..KernelAbi::default()
        },
        requires: Vec::new(),
        sites: Vec::new(),
        features: Vec::new(),
    };
    Manifest {
        schema: MANIFEST_SCHEMA,
        file: "tests/msl.rs".into(),
        item: "kernels".into(),
        math: MathMode::Precise,
        inputs: Inputs::default(),
        files: Default::default(),
        kernels: vec![gather, toggle],
    }
}

fn unit() -> &'static Unit {
    static UNIT: std::sync::OnceLock<Unit> = std::sync::OnceLock::new();
    UNIT.get_or_init(|| {
        let manifest = serde_json::to_string(&manifest()).expect("a manifest is JSON");
        Unit::new(manifest.leak(), MSL, None, "crates/metal-oxide/tests/msl.rs")
    })
}

fn gather<Out: metal_oxide::ArgumentFor<fn(DisjointBuffer<u32>)>>(
    device: &Device,
    config: impl IntoLaunchConfig,
    indices: &Buffer<u32>,
    values: &Buffer<u32>,
    bias: u32,
    out: Out,
) -> Launch<Out> {
    fn body(indices: ReadBuffer<u32>, values: ReadBuffer<u32>, bias: u32, mut out: DisjointBuffer<u32>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = values.as_slice()[indices.as_slice()[index.get()] as usize] + bias;
        }
    }
    unsafe fn run_block(arguments: Arguments<'_>, block: &mut Block<'_>) {
        // SAFETY: the arguments are those bound below.
        block.for_each_thread(|| unsafe { body(arguments.get(0), arguments.get(1), arguments.get(2), arguments.get(3)) });
    }
    static KERNEL: std::sync::LazyLock<Kernel> =
        // SAFETY: `run_block` takes the arguments as they are bound below.
        std::sync::LazyLock::new(|| unsafe { Kernel::new(unit(), "gather", run_block) });
    let mut binder = Binder::new(device, config, &KERNEL);
    binder.bind::<fn(ReadBuffer<u32>), _>(&indices);
    binder.bind::<fn(ReadBuffer<u32>), _>(&values);
    binder.bind::<fn(u32), _>(&bias);
    binder.bind::<fn(DisjointBuffer<u32>), _>(&out);
    binder.finish(out)
}

fn toggle<'buffer>(
    device: &Device,
    config: impl IntoLaunchConfig,
    out: &'buffer mut Buffer<(bool, u32)>,
) -> Launch<&'buffer mut Buffer<(bool, u32)>> {
    fn body(mut out: DisjointBuffer<(bool, u32)>) {
        if let Some((flag, count)) = out.get_mut(&thread_index()) {
            *flag = !*flag;
            *count += 1;
        }
    }
    unsafe fn run_block(arguments: Arguments<'_>, block: &mut Block<'_>) {
        // SAFETY: the argument is the one bound below.
        block.for_each_thread(|| unsafe { body(arguments.get(0)) });
    }
    static KERNEL: std::sync::LazyLock<Kernel> =
        // SAFETY: `run_block` takes the argument as it is bound below.
        std::sync::LazyLock::new(|| unsafe { Kernel::new(unit(), "toggle", run_block) });
    let mut binder = Binder::new(device, config, &KERNEL);
    binder.bind::<fn(DisjointBuffer<(bool, u32)>), _>(&out);
    binder.finish(out)
}

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::msl().expect("the machine has a C++ compiler")]
}

#[test]
fn both_devices_give_the_same() -> Result<()> {
    for device in devices() {
        let indices = device.buffer_from_slice(&[2_u32, 0, 1, 2, 2])?;
        let values = device.buffer_from_slice(&[10_u32, 20, 30])?;
        let mut out = device.buffer_zeroed::<u32>(5)?;
        gather(&device, LaunchConfig::<2>::for_elements(5)?, &indices, &values, 7, &mut out).wait()?;
        assert_eq!(out.read().wait(), [37, 17, 27, 37, 37], "{device:?}");
    }
    Ok(())
}

#[test]
fn both_devices_tell_the_same_failure() -> Result<()> {
    for device in devices() {
        let indices = device.buffer_from_slice(&[2_u32, 0, 1, 9, 2])?;
        let values = device.buffer_from_slice(&[10_u32, 20, 30])?;
        let mut out = device.buffer_zeroed::<u32>(5)?;
        for _ in 0..2 {
            match gather(&device, LaunchConfig::<2>::for_elements(5)?, &indices, &values, 7, &mut out).wait() {
                Err(Error::KernelFailed { kernel, file, kind, thread, block, message, .. }) => {
                    assert_eq!((kernel.as_str(), kind, thread, block), ("gather", FailureKind::Bounds, [1, 0, 0], [1, 0, 0]));
                    assert!(file.ends_with("crates/metal-oxide/tests/msl.rs"), "{file}");
                    assert!(message.starts_with("index out of bounds"), "{message}");
                }
                other => panic!("no failure: {other:?}"),
            }
        }
        assert_eq!(out.read().wait(), [37, 17, 27, 0, 37], "the others went on");
    }
    Ok(())
}

#[test]
fn values_of_another_layout_are_decoded_and_encoded() -> Result<()> {
    for device in devices() {
        let mut out = device.buffer_from_slice(&[(true, 1), (false, 2), (true, 3)])?;
        toggle(&device, LaunchConfig::<3>::grid(1)?, &mut out).wait()?;
        assert_eq!(out.read().wait(), [(false, 2), (true, 3), (false, 4)]);
        out.write().wait()[1] = (false, 9);
        toggle(&device, LaunchConfig::<3>::grid(1)?, &mut out).wait()?;
        assert_eq!(out.read().wait(), [(true, 3), (true, 10), (true, 5)]);
    }
    Ok(())
}

#[test]
fn launches_are_awaited() -> Result<()> {
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Poll, Wake, Waker};
    use std::thread::{self, Thread};

    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let device = Device::msl()?;
    let (indices, values) = (device.buffer_from_slice(&[0_u32; 3])?, device.buffer_from_slice(&[5_u32])?);
    let launch = gather(&device, LaunchConfig::<4>::for_elements(3)?, &indices, &values, 1, device.buffer_zeroed::<u32>(3)?);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut launch = pin!(launch.into_future());
    let out = loop {
        match launch.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(out) => break out?,
            Poll::Pending => thread::park(),
        }
    };
    assert_eq!(out.read().wait(), [6; 3]);
    Ok(())
}

#[test]
fn buffers_stay_on_their_device() -> Result<()> {
    let [cpu, msl] = devices();
    let (indices, values) = (cpu.buffer_from_slice(&[0_u32])?, msl.buffer_from_slice(&[1_u32])?);
    let error = gather(&msl, LaunchConfig::<1>::grid(1)?, &indices, &values, 0, msl.buffer_zeroed::<u32>(1)?)
        .wait()
        .expect_err("the indices are on another device");
    assert!(matches!(error, Error::InvalidBuffer { .. }));
    assert!(error.to_string().starts_with("invalid buffer: argument 0 of kernel `gather` belongs to the device `CPU`"), "{error}");
    Ok(())
}

#[test]
fn empty_buffers_and_grids_work() -> Result<()> {
    let device = Device::msl()?;
    let empty = device.buffer_from_slice::<u32>(&[])?;
    for config in [LaunchConfig::<4>::grid(1)?, LaunchConfig::<4>::grid(0)?] {
        let out = gather(&device, config, &empty, &empty, 0, device.buffer_zeroed::<u32>(0)?).wait()?;
        assert!(out.read().wait().is_empty());
    }
    Ok(())
}
