//! What the tests share: the compilers of this machine, and kernels described by hand instead of by a manifest.
//! Every test runs with each compiler that is installed, since users may have either.

#![allow(dead_code, reason = "each test file uses its own part")]

pub mod case;

use std::env;
use std::ffi::OsString;
use std::path::Path;

use metal_oxide_artifact::{Argument, Builtin, KernelAbi, KernelEntry, Layout, Parameter};
use metal_oxide_exec::{Compiler, Library, Options};

/// The compilers of this machine; at least one.
pub fn compilers() -> Vec<Compiler> {
    let named = |name: &'static str| {
        Compiler::find(|variable| if variable == "CXX" { Some(OsString::from(name)) } else { env::var_os(variable) }).ok()
    };
    let found: Vec<_> = ["g++", "clang++"].into_iter().filter_map(named).collect();
    assert!(!found.is_empty(), "the tests need g++ or clang++");
    found
}

/// Any compiler.
pub fn compiler() -> Compiler {
    compilers().swap_remove(0)
}

/// A folder that tests of one run of Cargo share, so that equal texts are compiled once.
pub fn cache() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Compiles a text in the shared folder.
pub fn compile(compiler: &Compiler, msl: &str, kernels: &[KernelEntry], options: &Options) -> Library {
    Library::compile(compiler, cache(), msl, kernels, options).unwrap_or_else(|error| panic!("{error}"))
}

/// A kernel with buffers in the first slots, its arguments and failure record in the next ones.
pub fn entry(name: &str, buffers: u32, args_size: u32, failure: bool, builtins: &[Builtin]) -> KernelEntry {
    let element = Layout { name: "u8".to_owned(), size: 1, align: 1 };
    let parameter = |slot| Parameter {
        name: format!("b{slot}"),
        argument: Argument::Buffer { slot, writable: true, element: element.clone(), length_offset: None },
    };
    KernelEntry {
        name: name.to_owned(),
        entry: name.to_owned(),
        abi: KernelAbi {
            parameters: (0..buffers).map(parameter).collect(),
            args_slot: (args_size > 0).then_some(buffers),
            args_size,
            failure_slot: failure.then_some(buffers + u32::from(args_size > 0)),
            builtins: builtins.to_vec(),
            linear: false,
            cooperative: false,
        },
        requires: Vec::new(),
        sites: Vec::new(),
        features: Vec::new(),
    }
}

/// Bytes at an address that suits every buffer and argument block.
pub struct Memory {
    words: Vec<u128>,
    length: usize,
}

impl Memory {
    /// A copy of some bytes.
    pub fn new(bytes: &[u8]) -> Self {
        let mut memory = Self { words: vec![0; bytes.len().div_ceil(16)], length: bytes.len() };
        memory.bytes_mut().copy_from_slice(bytes);
        memory
    }

    /// Some zeros.
    pub fn zeroed(length: usize) -> Self {
        Self { words: vec![0; length.div_ceil(16)], length }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the words hold at least `length` bytes, and bytes may be any.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.length) }
    }

    /// The bytes, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above; any bytes make words.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.length) }
    }

    /// Where the bytes are.
    pub fn pointer(&mut self) -> *mut u8 {
        self.words.as_mut_ptr().cast()
    }
}
