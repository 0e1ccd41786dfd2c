//! The CPU device's threads end with the device. Alone in its process, whose threads it counts.
#![cfg(target_os = "linux")]

use std::fs;
use std::time::{Duration, Instant};

use metal_oxide::__private::{Arguments, Binder, Block, Kernel, Unit};
use metal_oxide::{Device, LaunchConfig, Operation, Result};

const MANIFEST: &str = r#"{
    "schema": 1, "file": "src/lib.rs", "item": "pass", "math": "precise", "files": {},
    "inputs": {"request": "", "compiler": "", "profile": {"overflow_checks": false, "debug_assertions": false}},
    "kernels": [{
        "name": "pass", "entry": "pass", "requires": [], "sites": [], "features": [],
        "abi": {
            "parameters": [], "args_slot": null, "args_size": 0, "failure_slot": null, "builtins": [], "linear": false,
            "cooperative": false
        }
    }]
}"#;

unsafe fn run_block(_: Arguments<'_>, block: &mut Block<'_>) {
    block.for_each_thread(std::hint::spin_loop);
}

static UNIT: Unit = Unit::new(MANIFEST, "", None, file!());
// SAFETY: the kernel has no arguments.
static KERNEL: Kernel = unsafe { Kernel::new(&UNIT, "pass", run_block) };

fn threads_of_the_device() -> usize {
    let tasks = fs::read_dir("/proc/self/task").expect("Linux lists the threads");
    tasks.flatten().filter(|task| fs::read_to_string(task.path().join("comm")).is_ok_and(|name| name.trim() == "metal-oxide-cpu")).count()
}

#[test]
fn threads_start_with_the_first_launch_and_end_with_the_device() -> Result<()> {
    for _ in 0..20 {
        let device = Device::cpu();
        assert_eq!(threads_of_the_device(), 0, "a device without work needs no threads");
        Binder::new(&device, LaunchConfig::<1024>::grid(1000)?, &KERNEL).finish(()).wait()?;
        let other = Device::cpu();
        drop(device);
        Binder::new(&other, LaunchConfig::<1024>::grid(1000)?, &KERNEL).finish(()).wait()?;
        assert!(threads_of_the_device() <= std::thread::available_parallelism().map_or(1, usize::from));
        drop(other);
        let patience = Instant::now() + Duration::from_secs(20);
        while threads_of_the_device() > 0 {
            assert!(Instant::now() < patience, "the threads do not end");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    Ok(())
}
