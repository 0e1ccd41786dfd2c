//! Compiling and caching: what is reused, what is made again, what two processes do at once, and what each failure says.
//! A shell script that counts its calls stands between the engine and the real compiler.
#![cfg(unix)]

mod support;

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use metal_oxide_artifact::{Builtin, KernelEntry};
use metal_oxide_exec::{Binding, Compiler, ExecError, Kernel, Library, Options};
use support::Memory;

const DOUBLE: &str = "#include <metal_stdlib>
using namespace metal;
kernel void twice(device uint *out [[buffer(0)]], uint3 position [[thread_position_in_grid]])
{
    out[position.x] *= 2;
}
";

fn twice() -> KernelEntry {
    support::entry("twice", 1, 0, false, &[Builtin::ThreadPositionInGrid])
}

/// A folder for one test, with a script named `counted` that notes each call and then starts a real compiler.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        place.script(
            "counted",
            &format!("echo call >> {}\nexec {} \"$@\"\n", place.calls().display(), support::compiler().path().display()),
        );
        place
    }

    fn script(&self, name: &str, body: &str) {
        let path = self.folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{body}")).expect("the script can be written");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions can be set");
    }

    fn calls(&self) -> PathBuf {
        self.folder.path().join("calls")
    }

    fn count(&self) -> usize {
        fs::read_to_string(self.calls()).map_or(0, |text| text.lines().count())
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn compiler(&self, script: &str) -> Compiler {
        let path = self.folder.path().join(script);
        Compiler::find(|name| (name == "CXX").then(|| OsString::from(&path))).expect("the script is there")
    }

    fn compile(&self, msl: &str, kernels: &[KernelEntry]) -> Result<Library, ExecError> {
        Library::compile(&self.compiler("counted"), &self.cache(), msl, kernels, &Options::default())
    }
}

fn run_twice(library: &Library) {
    let kernel = library.kernel("twice").expect("the kernel is there");
    let mut memory = Memory::new(&21u32.to_ne_bytes());
    run(&kernel, &[memory.pointer()], [1, 1, 1], [1, 1, 1]).expect("the launch succeeds");
    assert_eq!(memory.bytes(), 42u32.to_ne_bytes());
}

fn run(kernel: &Kernel, buffers: &[*mut u8], grid: [u32; 3], block: [u32; 3]) -> Result<(), ExecError> {
    let binding = Binding { buffers, args: &[], failure: std::ptr::null_mut() };
    // SAFETY: the callers give buffers that are large enough.
    unsafe { kernel.run(&binding, grid, block) }
}

#[test]
fn a_text_is_compiled_once() {
    let place = Place::new();
    for _ in 0..3 {
        run_twice(&place.compile(DOUBLE, &[twice()]).expect("it compiles"));
    }
    assert_eq!(place.count(), 1);
    // Another text, and the same text with other options, are other libraries.
    place.compile(&DOUBLE.replace("*= 2", "*= 2u"), &[twice()]).expect("it compiles");
    let fast = Options { math: metal_oxide_artifact::MathMode::Fast, ..Options::default() };
    Library::compile(&place.compiler("counted"), &place.cache(), DOUBLE, &[twice()], &fast).expect("it compiles");
    assert_eq!(place.count(), 3);
}

#[test]
fn a_damaged_library_is_made_again() {
    let place = Place::new();
    drop(place.compile(DOUBLE, &[twice()]).expect("it compiles"));
    for damage in ["", "no library"] {
        let folder = fs::read_dir(place.cache().join("libraries")).expect("it is there").next().expect("one library").expect("it is read");
        let path = folder.path().join("kernels.so");
        fs::remove_file(&path).expect("it can be removed");
        if !damage.is_empty() {
            fs::write(&path, damage).expect("it can be written");
        }
        run_twice(&place.compile(DOUBLE, &[twice()]).expect("it compiles again"));
    }
    assert_eq!(place.count(), 3);
}

#[test]
fn threads_that_want_the_same_library_compile_it_once() {
    let place = Place::new();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| run_twice(&place.compile(DOUBLE, &[twice()]).expect("it compiles")));
        }
    });
    assert_eq!(place.count(), 1);
}

/// Not a test by itself: the other process of the next test.
#[test]
fn other_process() {
    let (Some(compiler), Some(cache)) = (std::env::var_os("EXEC_TEST_COMPILER"), std::env::var_os("EXEC_TEST_CACHE")) else { return };
    let compiler = Compiler::find(|name| (name == "CXX").then(|| compiler.clone())).expect("the script is there");
    run_twice(&Library::compile(&compiler, Path::new(&cache), DOUBLE, &[twice()], &Options::default()).expect("it compiles"));
}

#[test]
fn processes_that_want_the_same_library_compile_it_once() {
    let place = Place::new();
    let start = || {
        Command::new(std::env::current_exe().expect("the test knows its program"))
            .args(["--exact", "other_process", "--nocapture"])
            .env("EXEC_TEST_COMPILER", place.folder.path().join("counted"))
            .env("EXEC_TEST_CACHE", place.cache())
            .spawn()
            .expect("the process starts")
    };
    let mut processes: Vec<_> = (0..3).map(|_| start()).collect();
    for process in &mut processes {
        assert!(process.wait().expect("the process ends").success());
    }
    assert_eq!(place.count(), 1);
}

#[test]
fn a_text_that_is_not_valid_is_our_bug_and_is_kept() {
    let place = Place::new();
    let error = place.compile(&DOUBLE.replace("uint *out", "nothing *out"), &[twice()]).expect_err("there is no such type");
    let message = error.to_string();
    assert!(
        message.starts_with("this is a bug in metal-oxide: the Metal text it made does not compile as C++. Please report"),
        "{message}"
    );
    let ExecError::Rejected { text, output, .. } = error else { panic!("{message}") };
    assert!(fs::read_to_string(&text).expect("it is kept").contains("nothing *out"));
    assert!(message.contains(text.to_str().expect("the path is text")) && output.contains("nothing"), "{message}");
    // Nothing of it is taken for a library, and the next attempt fails in the same way.
    assert!(matches!(place.compile(&DOUBLE.replace("uint *out", "nothing *out"), &[twice()]), Err(ExecError::Rejected { .. })));
}

#[test]
fn a_kernel_that_differs_from_its_manifest_is_our_bug() {
    let place = Place::new();
    let mut entry = twice();
    entry.abi.builtins.clear();
    let message = place.compile(DOUBLE, &[entry]).expect_err("the kernel takes a coordinate").to_string();
    assert!(message.contains("the kernel's parameters must be those of its manifest"), "{message}");
    let message = place.compile(DOUBLE, &[support::entry("thrice", 1, 0, false, &[])]).expect_err("there is none").to_string();
    assert!(message.contains("thrice"), "{message}");
}

#[test]
fn a_compiler_that_cannot_compile_anything_is_named() {
    let place = Place::new();
    place.script("old", "echo 'unknown option' >&2\nexit 1\n");
    let error = Library::compile(&place.compiler("old"), &place.cache(), DOUBLE, &[twice()], &Options::default()).expect_err("it fails");
    let ExecError::Unsuitable { output, .. } = &error else { panic!("{error}") };
    assert_eq!(output.trim(), "unknown option");
    assert!(error.to_string().contains("set CXX to choose one"), "{error}");
    place.script("silent", "exit 3\n");
    let error = Library::compile(&place.compiler("silent"), &place.cache(), DOUBLE, &[twice()], &Options::default()).expect_err("it fails");
    assert!(error.to_string().contains("nothing, but it ended with exit status: 3"), "{error}");
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let place = Place::new();
    fs::write(place.cache(), "a file where the folder should be").expect("it can be written");
    let message = place.compile(DOUBLE, &[twice()]).expect_err("there is no folder").to_string();
    assert!(message.starts_with("cannot create /") && message.contains("METAL_OXIDE_CACHE"), "{message}");
}

#[test]
fn a_kernel_that_is_not_there_is_named_with_those_that_are() {
    let place = Place::new();
    let library = place.compile(DOUBLE, &[twice()]).expect("it compiles");
    let message = library.kernel("thrice").expect_err("there is none").to_string();
    assert_eq!(message, "there is no kernel `thrice` in the compiled library; it has `twice`");
}

#[test]
fn a_relative_cache_folder_works() {
    let place = Place::new();
    let here = std::env::current_dir().expect("there is one");
    let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
    let cache = up.join(place.cache().strip_prefix("/").expect("it is absolute"));
    run_twice(&Library::compile(&place.compiler("counted"), &cache, DOUBLE, &[twice()], &Options::default()).expect("it compiles"));
}

#[test]
fn launches_that_do_not_fit_are_refused() {
    let library = support::compile(&support::compiler(), DOUBLE, &[twice()], &Options::default());
    let kernel = library.kernel("twice").expect("the kernel is there");
    let mut memory = Memory::zeroed(4);
    let buffers = [memory.pointer()];
    let problem = |buffers: &[*mut u8], grid, block| run(&kernel, buffers, grid, block).expect_err("it is refused").to_string();
    assert_eq!(
        problem(&buffers, [1, 1, 1], [1024, 2, 1]),
        "kernel `twice` cannot be launched: its blocks have 2048 threads, and the most that a threadgroup can have is 1024"
    );
    assert_eq!(
        problem(&buffers, [1, u32::MAX, 1], [1, 2, 1]),
        "kernel `twice` cannot be launched: its grid has 8589934590 threads along Y, and a position is a 32-bit number"
    );
    assert_eq!(problem(&[], [1, 1, 1], [1, 1, 1]), "kernel `twice` cannot be launched: there is no buffer for slot 0");
    let binding = Binding { buffers: &buffers, args: &[0; 8], failure: std::ptr::null_mut() };
    // SAFETY: the launch is refused before anything is accessed.
    let error = unsafe { kernel.run(&binding, [1, 1, 1], [1, 1, 1]) }.expect_err("it is refused");
    assert_eq!(error.to_string(), "kernel `twice` cannot be launched: its argument block has 8 bytes and must have 0");
    run(&kernel, &buffers, [1, 0, 1], [1, 1, 1]).expect("an empty grid runs nothing");
    run(&kernel, &buffers, [u32::MAX, 0, u32::MAX], [1, 1, 1]).expect("an empty grid runs nothing");
}

#[test]
fn many_blocks_run_once_each_on_all_threads() {
    let text = "#include <metal_stdlib>
using namespace metal;
kernel void count(device uint *out [[buffer(0)]], uint3 position [[thread_position_in_grid]], uint3 block [[threadgroup_position_in_grid]])
{
    out[(position.z * 10 + position.y) * 200000 + position.x] += block.x + block.y + block.z + 1;
}
";
    let builtins = [Builtin::ThreadPositionInGrid, Builtin::ThreadgroupPositionInGrid];
    for compiler in support::compilers() {
        let library = support::compile(&compiler, text, &[support::entry("count", 1, 0, false, &builtins)], &Options::default());
        let kernel = library.kernel("count").expect("the kernel is there");
        let mut memory = Memory::zeroed(4 * 200_000 * 10 * 2);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
        let pointer = [memory.pointer()];
        let buffers = Buffers(&pointer);
        // The buffers' pointers go to the pool's thread with the call, and nobody uses them elsewhere meanwhile.
        pool.install(|| run(&kernel, buffers.get(), [100_000, 5, 2], [2, 2, 1])).expect("the launch succeeds");
        for (index, value) in memory.bytes().chunks(4).enumerate() {
            let (x, y, z) = (index % 200_000 / 2, index / 200_000 % 10 / 2, index / 2_000_000);
            assert_eq!(value, ((x + y + z + 1) as u32).to_ne_bytes(), "thread {index}");
        }
    }
}

struct Buffers<'a>(&'a [*mut u8]);

// SAFETY: pointers are only addresses; the test uses the memory from one place at a time.
unsafe impl Sync for Buffers<'_> {}

impl<'a> Buffers<'a> {
    fn get(&self) -> &'a [*mut u8] {
        self.0
    }
}

#[test]
fn the_compilers_version_is_found() {
    let version = support::compiler().version().expect("the compiler says it");
    assert!(version.contains(char::is_numeric), "{version}");
}
