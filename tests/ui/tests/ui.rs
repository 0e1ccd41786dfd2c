//! Compiles every case. Those in `accept` must compile; those in `reject` must be rejected with the text in the `.stderr` file beside them.
//! `METAL_OXIDE_BLESS=1` writes those files anew.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use libtest_mimic::{Arguments, Failed, Trial};
use metal_oxide_artifact::UnitResponse;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut trials = Vec::new();
    for (folder, check) in [("accept", accept as fn(&Path, &Path) -> _), ("reject", reject)] {
        for path in ui_tests::cases(&root.join(folder)).expect("the folders of cases can be read") {
            let file: PathBuf = path.strip_prefix(&root).expect("the case lies below its root").into();
            let name = file.with_extension("").display().to_string();
            trials.push(Trial::test(name, move || check(&path, &file)));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn accept(path: &Path, file: &Path) -> Result<(), Failed> {
    let source = fs::read_to_string(path)?;
    match ui_tests::compile(file, &source)? {
        UnitResponse::Compiled(_) => Ok(()),
        UnitResponse::Rejected(diagnostics) => Err(format!("rejected:\n{}", ui_tests::render(&diagnostics, file, &source)).into()),
    }
}

fn reject(path: &Path, file: &Path) -> Result<(), Failed> {
    let source = fs::read_to_string(path)?;
    let UnitResponse::Rejected(diagnostics) = ui_tests::compile(file, &source)? else {
        return Err("the compiler accepts this program".into());
    };
    let actual = ui_tests::render(&diagnostics, file, &source);
    let expected_path = path.with_extension("stderr");
    if env::var_os("METAL_OXIDE_BLESS").is_some() {
        return Ok(fs::write(expected_path, actual)?);
    }
    let expected = fs::read_to_string(&expected_path).unwrap_or_default();
    if actual == expected { Ok(()) } else { Err(format!("expected:\n{expected}\nactual:\n{actual}").into()) }
}
