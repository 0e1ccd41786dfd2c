//! Text of modules in, text of MSL out: each `snapshots/*.ir` has its expected output beside it.
//! `METAL_OXIDE_BLESS=1` writes the outputs; read them before they are committed. A first line `// math: fast` asks for that mode.

use std::path::{Path, PathBuf};
use std::{env, fs};

use metal_oxide_artifact::MathMode;
use metal_oxide_exec::{Compiler, ExecError, Library, Options, check_address_spaces};
use metal_oxide_ir::Module;
use metal_oxide_ir::validate::{Stage, validate};
use metal_oxide_msl::{EmitOptions, emit};

#[test]
fn emitted_text_is_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let bless = env::var_os("METAL_OXIDE_BLESS").is_some_and(|value| value == "1");
    let mut failures = Vec::new();
    let modules = modules();
    assert!(!modules.is_empty());
    for (name, module, math) in modules {
        let emitted = emit(&module, &EmitOptions { math });
        let expected = folder.join(&name).with_extension("metal");
        if bless {
            fs::write(&expected, &emitted.msl).expect("it can be written");
        } else if fs::read_to_string(&expected).unwrap_or_default() != emitted.msl {
            failures.push(format!("{name}:\n{}", emitted.msl));
        }
    }
    assert!(failures.is_empty(), "run with METAL_OXIDE_BLESS=1 and read what changes\n\n{}", failures.join("\n\n"));
}

/// The texts are compiled: as they are run on a CPU, and with address spaces as part of types where the compiler knows them.
#[test]
fn emitted_text_compiles() {
    let Ok(compiler) = Compiler::find(|name| env::var_os(name)) else {
        eprintln!("there is no C++ compiler to check the texts with");
        return;
    };
    let cache = tempfile::tempdir().expect("a folder can be made");
    for (name, module, math) in modules() {
        let emitted = emit(&module, &EmitOptions { math });
        let options = Options { math, find_undefined: true };
        if let Err(error) = Library::compile(&compiler, cache.path(), &emitted.msl, &emitted.kernels, &options) {
            panic!("{name}: {error}");
        }
        match check_address_spaces(&compiler, cache.path(), &emitted.msl) {
            Ok(()) | Err(ExecError::Unsuitable { .. }) => {}
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

/// The modules of the folder, with their names and math modes.
fn modules() -> Vec<(String, Module, MathMode)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let mut paths: Vec<_> =
        fs::read_dir(&folder).expect("the folder is there").map(|entry| entry.expect("it can be listed").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ir"));
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(path).expect("it is text");
        let module = metal_oxide_ir::text::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        validate(&module, Stage::Optimized).unwrap_or_else(|problems| panic!("{name}: {}", problems[0]));
        let math = if text.starts_with("// math: fast") { MathMode::Fast } else { MathMode::Precise };
        (name, module, math)
    };
    paths.iter().map(read).collect()
}
