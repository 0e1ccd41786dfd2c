//! Loops without an end: C++ lets a compiler assume that there are none, Rust does not, and what comes after one must not happen.
//! Each runs in a process of its own, which is ended when it has not ended by itself for a while.

mod support;

use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use metal_oxide_artifact::Builtin;
use metal_oxide_exec::{Binding, Options};
use support::Memory;

/// For 27 this loop has an end that no compiler finds; for 0 it has none.
const TEXT: &str = "#include <metal_stdlib>
using namespace metal;
kernel void collatz(device uint *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    uint number = out[0];
    while (number != 1) {
        number = number % 2 == 0 ? number / 2 : 3 * number + 1;
    }
    out[1] = 1;
}
";

/// Not a test by itself: the process that runs the kernel, once for each compiler.
#[test]
fn other_process() {
    let Ok(start) = std::env::var("EXEC_TEST_START") else { return };
    let compiler = &support::compilers()[std::env::var("EXEC_TEST_COMPILER").map_or(0, |index| index.parse().expect("a number"))];
    let entry = support::entry("collatz", 1, 0, false, &[Builtin::ThreadPositionInGrid]);
    let library = support::compile(compiler, TEXT, &[entry], &Options::default());
    let start: u32 = start.parse().expect("the start is a number");
    let mut memory = Memory::new(&[start.to_ne_bytes(), [0; 4]].concat());
    let buffers = [memory.pointer()];
    let binding = Binding { buffers: &buffers, args: &[], failure: std::ptr::null_mut() };
    // SAFETY: the kernel accesses two elements, and there are two.
    unsafe { library.kernel("collatz").expect("it is there").run(&binding, [1, 1, 1], [1, 1, 1]) }.expect("the launch succeeds");
}

fn start(number: u32, compiler: usize) -> Child {
    Command::new(std::env::current_exe().expect("the test knows its program"))
        .args(["--exact", "other_process"])
        .env("EXEC_TEST_START", number.to_string())
        .env("EXEC_TEST_COMPILER", compiler.to_string())
        .spawn()
        .expect("the process starts")
}

#[test]
fn what_comes_after_an_endless_loop_does_not_happen() {
    for compiler in 0..support::compilers().len() {
        // The first run compiles, so the second has nothing to do but to run.
        assert!(start(27, compiler).wait().expect("the process ends").success());
        let mut endless = start(0, compiler);
        let begin = Instant::now();
        let mut ended = None;
        while ended.is_none() && begin.elapsed() < Duration::from_secs(1) {
            thread::sleep(Duration::from_millis(20));
            ended = endless.try_wait().expect("the process can be asked");
        }
        let _ = endless.kill();
        let _ = endless.wait();
        assert!(ended.is_none(), "the launch came to an end: {ended:?}");
    }
}
