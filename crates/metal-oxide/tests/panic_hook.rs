//! Panics in kernels are silent, and all others go to the hook that the program had. Alone in its process, which has one hook.

use std::panic::{self, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use metal_oxide::__private::{Arguments, Binder, Block, Kernel, Unit};
use metal_oxide::{Device, Error, LaunchConfig, Operation, Result};

const MANIFEST: &str = r#"{
    "schema": 1, "file": "src/lib.rs", "item": "fail", "math": "precise", "files": {},
    "inputs": {"request": "", "compiler": "", "profile": {"overflow_checks": false, "debug_assertions": false}},
    "kernels": [{
        "name": "fail", "entry": "fail", "requires": [], "sites": [], "features": [],
        "abi": {
            "parameters": [], "args_slot": null, "args_size": 0, "failure_slot": null, "builtins": [], "linear": false,
            "cooperative": false
        }
    }]
}"#;

unsafe fn run_block(_: Arguments<'_>, block: &mut Block<'_>) {
    block.for_each_thread(|| panic!("in a kernel"));
}

static UNIT: Unit = Unit::new(MANIFEST, "", None, file!());
// SAFETY: the kernel has no arguments.
static KERNEL: Kernel = unsafe { Kernel::new(&UNIT, "fail", run_block) };

#[test]
fn only_panics_outside_kernels_reach_the_programs_hook() -> Result<()> {
    static REACHED: AtomicUsize = AtomicUsize::new(0);
    panic::set_hook(Box::new(|_| {
        REACHED.fetch_add(1, Ordering::Relaxed);
    }));
    let device = Device::cpu();
    let launch = || Binder::new(&device, LaunchConfig::<32>::grid(100)?, &KERNEL).finish(()).wait();
    assert!(matches!(launch(), Err(Error::KernelFailed { line: 22, column: 30, .. })));
    assert_eq!(REACHED.load(Ordering::Relaxed), 0);
    assert!(catch_unwind(|| panic!("outside")).is_err());
    assert_eq!(REACHED.load(Ordering::Relaxed), 1);

    // A program that replaces the hook later loses silence and places, not failures.
    panic::set_hook(Box::new(|_| {
        REACHED.fetch_add(1, Ordering::Relaxed);
    }));
    match launch() {
        Err(Error::KernelFailed { line, message, .. }) => assert_eq!((line, message.as_str()), (0, "in a kernel")),
        other => panic!("no failure: {other:?}"),
    }
    assert_eq!(REACHED.load(Ordering::Relaxed), 1 + 3200);
    Ok(())
}
