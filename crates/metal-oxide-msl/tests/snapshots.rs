//! Text of modules in, text of MSL out: each `snapshots/*.ir` has its expected output beside it.
//! `METAL_OXIDE_BLESS=1` writes the outputs; read them before they are committed. A first line `// math: fast` asks for that mode.

use std::path::Path;
use std::{env, fs};

use metal_oxide_artifact::MathMode;
use metal_oxide_ir::validate::{Stage, validate};
use metal_oxide_msl::{EmitOptions, emit};

#[test]
fn emitted_text_is_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let bless = env::var_os("METAL_OXIDE_BLESS").is_some_and(|value| value == "1");
    let mut failures = Vec::new();
    let mut paths: Vec<_> =
        fs::read_dir(&folder).expect("the folder is there").map(|entry| entry.expect("it can be listed").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ir"));
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("it is text");
        let module = metal_oxide_ir::text::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        validate(&module, Stage::Optimized).unwrap_or_else(|problems| panic!("{name}: {}", problems[0]));
        let math = if text.starts_with("// math: fast") { MathMode::Fast } else { MathMode::Precise };
        let emitted = emit(&module, &EmitOptions { math });
        let expected = path.with_extension("metal");
        if bless {
            fs::write(&expected, &emitted.msl).expect("it can be written");
        } else if fs::read_to_string(&expected).unwrap_or_default() != emitted.msl {
            failures.push(format!("{name}:\n{}", emitted.msl));
        }
    }
    assert!(failures.is_empty(), "run with METAL_OXIDE_BLESS=1 and read what changes\n\n{}", failures.join("\n\n"));
}
