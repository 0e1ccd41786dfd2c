//! The device target `metal64-unknown-none`.
//! It is a rustc target specification of its own, so that layouts and `cfg`s are the device's on every host.

/// The target's name, which is also the stem of its specification file.
pub const TARGET_NAME: &str = "metal64-unknown-none";

/// The specification file's text.
///
/// The architecture is one that rustc has a calling convention for: constant evaluation inside `core` asks for it. `bpf` is the one that
/// asks for the least in return (no LLVM features, no linker, no GPU restrictions); no kernel sees it.
pub const TARGET_SPECIFICATION: &str = r#"{
  "arch": "bpf",
  "atomic-cas": true,
  "crt-objects-fallback": "false",
  "data-layout": "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128",
  "disable-redzone": true,
  "env": "metal",
  "executables": false,
  "linker-flavor": "bpf",
  "llvm-target": "bpfel",
  "max-atomic-width": 64,
  "no-default-libraries": true,
  "os": "none",
  "panic-strategy": "abort",
  "singlethread": false,
  "target-pointer-width": 64,
  "vendor": "unknown"
}
"#;
