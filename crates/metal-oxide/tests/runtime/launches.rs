//! Launches that work, and those that are refused before anything runs.

use std::sync::Arc;

use metal_oxide::device::{DisjointBuffer, ReadBuffer, block_dim, block_idx, grid_dim, thread_idx, thread_index, thread_position};
use metal_oxide::{Buffer, Device, DynamicLaunchConfig, Error, LaunchConfig, Operation, Result};
use metal_oxide_artifact::{Quantity, Relation, RelationOperator};

use crate::kernel;

kernel! {
    fn add(a as A: ReadBuffer<f32>, b as B: ReadBuffer<f32>, out as Out: DisjointBuffer<f32>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = a.as_slice()[index.get()] + b.as_slice()[index.get()];
        }
    }
}

kernel! {
    fn scale(factor as Factor: u32, out as Out: DisjointBuffer<u32>) {
        if let Some(out) = out.get_mut(&thread_index()) {
            *out *= factor;
        }
    }
}

kernel! {
    fn nothing() {}
}

/// A kernel that notes each thread's coordinates, in a grid of any shape.
mod shape {
    use super::*;

    pub type Record = ([u32; 3], [u32; 3], [u32; 3]);

    kernel! {
        fn note(extent as Extent: [u32; 3], out as Out: DisjointBuffer<Record>) {
            let (thread, block, position) = (thread_idx(), block_idx(), thread_position());
            let index = position.x + extent[0] * (position.y + extent[1] * position.z);
            let (block_dim, grid_dim) = (block_dim(), grid_dim());
            assert_eq!([block_dim.x * grid_dim.x, block_dim.y * grid_dim.y, block_dim.z * grid_dim.z], extent);
            // SAFETY: each position occurs once, and the buffer has an element for each.
            unsafe { out.store_unchecked(index as usize, (thread.into(), block.into(), position.into())) }
        }
    }

    pub fn check(block: [u32; 3], grid: [u32; 3]) {
        let device = Device::cpu();
        let extent: [u32; 3] = std::array::from_fn(|axis| block[axis] * grid[axis]);
        let mut out = device.buffer_zeroed::<Record>(extent.iter().product::<u32>() as usize).unwrap();
        let config = DynamicLaunchConfig::new(block, grid).unwrap();
        note(&device, config, extent, &mut out).wait().unwrap();
        let mut records = out.read().wait().to_vec().into_iter();
        for z in 0..extent[2] {
            for y in 0..extent[1] {
                for x in 0..extent[0] {
                    let position = [x, y, z];
                    let thread = std::array::from_fn(|axis| position[axis] % block[axis]);
                    let block = std::array::from_fn(|axis| position[axis] / block[axis]);
                    assert_eq!(records.next(), Some((thread, block, position)));
                }
            }
        }
    }
}

#[test]
fn every_thread_of_a_grid_runs_with_its_coordinates() {
    shape::check([1, 1, 1], [1, 1, 1]);
    shape::check([4, 1, 1], [100, 1, 1]);
    shape::check([4, 2, 1], [3, 5, 1]);
    shape::check([3, 2, 4], [5, 3, 2]);
    shape::check([1, 1, 8], [2, 1, 3]);
}

#[test]
fn the_first_example_of_the_book() -> Result<()> {
    let device = Device::cpu();
    let a = device.buffer_from_slice(&[1.0_f32, 2.0, 3.0])?;
    let b = device.buffer_from_slice(&[10.0_f32, 20.0, 30.0])?;
    let mut out = device.buffer_zeroed::<f32>(3)?;
    let config = LaunchConfig::<256>::for_elements(3)?;

    add(&device, config, &a, &b, &mut out).wait()?;

    assert_eq!(out.read().wait(), &[11.0, 22.0, 33.0]);
    Ok(())
}

#[test]
fn arguments_come_back_in_the_form_in_which_they_were_passed() -> Result<()> {
    let device = Device::cpu();
    let config = LaunchConfig::<32>::for_elements(2)?;
    let shared = Arc::new(device.buffer_from_slice(&[1.0_f32, 2.0])?);
    let owned = device.buffer_from_slice(&[3.0_f32, 4.0])?;
    let out = device.buffer_zeroed::<f32>(2)?;
    let (shared, owned, mut out): (Arc<Buffer<f32>>, Buffer<f32>, Buffer<f32>) = add(&device, config, shared, owned, out).wait()?;
    assert_eq!(out.read().wait(), [4.0, 6.0]);
    let (_, _, out): (&Buffer<f32>, Arc<Buffer<f32>>, &mut Buffer<f32>) = add(&device, config, &owned, shared, &mut out).wait()?;
    out.write().wait()[0] += 1.0;
    assert_eq!(out.read().wait(), vec![5.0, 6.0]);
    Ok(())
}

#[test]
fn values_are_passed_by_value() -> Result<()> {
    let device = Device::cpu();
    let out = device.buffer_from_slice(&[1_u32, 2, 3])?;
    let (factor, out) = scale(&device, LaunchConfig::<2>::for_elements(3)?, 7, out).wait()?;
    assert_eq!((factor, out.read().wait().to_vec()), (7, vec![7, 14, 21]));
    Ok(())
}

#[test]
fn a_launch_that_nobody_waits_for_does_nothing() -> Result<()> {
    let device = Device::cpu();
    let mut out = device.buffer_from_slice(&[1_u32])?;
    drop(scale(&device, LaunchConfig::<1>::for_elements(1)?, 7, &mut out));
    assert_eq!(out.read().wait(), [1]);
    Ok(())
}

#[test]
fn empty_grids_and_empty_buffers_work() -> Result<()> {
    let device = Device::system_default()?;
    let config = LaunchConfig::<256>::for_elements(0)?;
    let mut empty = device.buffer_from_slice::<u32>(&[])?;
    scale(&device, config, 2, &mut empty).wait()?;
    assert!(empty.is_empty() && empty.read().wait().is_empty());
    // More threads than elements: those without one have nothing to do.
    scale(&device, LaunchConfig::<64>::grid(3)?, 2, &mut empty).wait()?;
    let mut full = device.buffer_from_slice(&[5_u32])?;
    scale(&device, config, 2, &mut full).wait()?;
    scale(&device, LaunchConfig::<8, 8>::grid((4, 0))?, 2, &mut full).wait()?;
    assert_eq!(full.read().wait(), [5]);
    nothing(&device, LaunchConfig::<1>::grid(1)?).wait()?;
    Ok(())
}

/// `requires(a.len() == out.len(), a.len() * scale <= 100)`
fn requirements(entry: &mut metal_oxide_artifact::KernelEntry) {
    let product = Quantity::Multiply(Quantity::Length(0).into(), Quantity::Value(1).into());
    entry.requires = vec![
        Relation {
            text: "a.len() == out.len()".into(),
            operator: RelationOperator::Equal,
            left: Quantity::Length(0),
            right: Quantity::Length(2),
        },
        Relation {
            text: "a.len() * factor <= 100".into(),
            operator: RelationOperator::LessEqual,
            left: product,
            right: Quantity::Constant(100),
        },
    ];
}

kernel! {
    #[entry(requirements)]
    fn required(a as A: ReadBuffer<u64>, factor as Factor: i64, out as Out: DisjointBuffer<u64>) {
        let index = thread_index();
        if let Some(out) = out.get_mut(&index) {
            *out = a.as_slice()[index.get()].wrapping_mul(factor as u64);
        }
    }
}

#[test]
fn requirements_are_checked_before_anything_runs() -> Result<()> {
    let device = Device::cpu();
    let config = LaunchConfig::<4>::for_elements(4)?;
    let a = device.buffer_from_slice(&[1_u64, 2, 3, 4])?;
    let mut out = device.buffer_zeroed::<u64>(4)?;
    required(&device, config, &a, 25, &mut out).wait()?;
    // Arithmetic is exact: it neither wraps nor takes a negative number for a large one.
    required(&device, config, &a, i64::MIN, &mut out).wait()?;
    let error = required(&device, config, &a, i64::MAX, &mut out).wait().expect_err("4 * i64::MAX is more than 100");
    assert_eq!(
        error.to_string(),
        "kernel `required` requires `a.len() * factor <= 100`, but the left side is 36893488147419103228 and the right side is 100: \
         pass arguments for which it holds"
    );
    let mut short = device.buffer_from_slice(&[9_u64, 9, 9])?;
    match required(&device, config, &a, 1, &mut short).wait() {
        Err(Error::RequirementNotMet { kernel, relation, left, right }) => {
            assert_eq!([kernel, relation, left, right], ["required", "a.len() == out.len()", "4", "3"]);
        }
        other => panic!("the requirement holds: {other:?}"),
    }
    assert_eq!(short.read().wait(), [9, 9, 9], "nothing ran");
    Ok(())
}

kernel! {
    #[entry(|entry| entry.abi.linear = true)]
    fn linear(out as Out: DisjointBuffer<u32>) {
        if let Some(out) = out.get_mut(&thread_index()) {
            *out += 1;
        }
    }
}

#[test]
fn a_linear_kernel_is_launched_in_one_dimension() -> Result<()> {
    let device = Device::cpu();
    let mut out = device.buffer_zeroed::<u32>(4)?;
    linear(&device, LaunchConfig::<4>::grid(1)?, &mut out).wait()?;
    for config in [DynamicLaunchConfig::new((2, 2), 1)?, DynamicLaunchConfig::new(2, (1, 2))?, DynamicLaunchConfig::new(2, (1, 1, 2))?] {
        let error = linear(&device, config, &mut out).wait().expect_err("two threads would share an index");
        assert!(matches!(&error, Error::InvalidLaunch { kernel, .. } if kernel == "linear"));
        assert!(error.to_string().contains("launch with extents of one in Y and Z"), "{error}");
    }
    assert_eq!(out.read().wait(), [1; 4]);
    Ok(())
}

#[test]
fn a_launch_can_be_shown() -> Result<()> {
    let device = Device::cpu();
    let launch = nothing(&device, LaunchConfig::<8>::grid(2)?);
    let shown = format!("{launch:?}");
    assert!(shown.contains("nothing") && shown.contains("Cpu"), "{shown}");
    Ok(())
}

/// Artifacts that do not fit the launch function.
mod damaged {
    use super::*;
    use crate::support;

    kernel! {
        #[entry(|entry| { entry.abi.parameters.pop(); })]
        fn lacking(out as Out: DisjointBuffer<u32>) { let _ = out.len(); }
    }
    kernel! {
        #[entry(|entry| entry.name = "other".into())]
        fn renamed() {}
    }
    kernel! {
        #[entry(|entry| entry.abi.parameters[0] = support::parameter::<DisjointBuffer<u64>>("out"))]
        fn wider(out as Out: DisjointBuffer<u32>) { let _ = out.len(); }
    }
    kernel! {
        #[entry(|entry| entry.abi.parameters[0] = support::parameter::<DisjointBuffer<u32>>("a"))]
        fn writing(a as A: ReadBuffer<u32>) { let _ = a; }
    }
    kernel! {
        #[entry(|entry| entry.abi.parameters[0] = support::parameter::<u32>("a"))]
        fn of_another_kind(a as A: ReadBuffer<u32>) { let _ = a; }
    }

    fn reason<T>(result: Result<T>) -> String {
        match result {
            Err(Error::Artifact { reason, .. }) => reason,
            Err(other) => panic!("another error: {other}"),
            Ok(_) => panic!("the artifact is accepted"),
        }
    }

    #[test]
    fn artifacts_that_do_not_fit_are_refused() -> Result<()> {
        let device = Device::cpu();
        let config = LaunchConfig::<1>::grid(1)?;
        let mut buffer = device.buffer_zeroed::<u32>(1)?;
        for (reason, expected) in [
            (reason(lacking(&device, config, &mut buffer).wait()), "it has 0 parameters, the launch function 1"),
            (reason(renamed(&device, config).wait()), "its manifest does not list it"),
            (reason(wider(&device, config, &mut buffer).wait()), "`u64` of the parameter `out` has 8 bytes there and 4 here"),
            (reason(writing(&device, config, &buffer).wait()), "it writes the parameter `a`, which the launch function only reads"),
            (reason(of_another_kind(&device, config, &buffer).wait()), "the parameter `a` is of another kind"),
        ] {
            assert!(reason.starts_with(expected), "{reason}");
            assert!(reason.contains("METAL_OXIDE_ARTIFACTS=rebuild"), "{reason}");
        }
        Ok(())
    }

    #[test]
    fn manifests_that_cannot_be_read_are_refused() -> Result<()> {
        use metal_oxide::__private::{Arguments, Binder, Block, Kernel, Unit};

        unsafe fn run_block(_: Arguments<'_>, block: &mut Block<'_>) {
            block.for_each_thread(|| {});
        }

        let future_form = support::manifest(support::entry("kernel", Vec::new())).replace("\"schema\":1", "\"schema\":99");
        for (unit, expected) in [
            (Unit::missing(), "the kernel was not compiled"),
            (Unit::new("{", "", None, file!()), "its manifest is damaged"),
            (Unit::new(future_form.leak(), "", None, file!()), "its manifest has form 99"),
        ] {
            // SAFETY: the kernel has no arguments.
            let kernel = Box::leak(Box::new(unsafe { Kernel::new(Box::leak(Box::new(unit)), "kernel", run_block) }));
            let device = Device::cpu();
            let reason = reason(Binder::new(&device, LaunchConfig::<1>::grid(1)?, kernel).finish(()).wait());
            assert!(reason.starts_with(expected), "{reason}");
        }
        Ok(())
    }
}
