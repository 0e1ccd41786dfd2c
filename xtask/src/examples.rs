//! Runs every example on the devices that every machine has, and compares the files they write byte for byte.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::project::Project;
use crate::report::Report;

/// The devices that need no GPU.
const DEVICES: [&str; 2] = ["cpu", "msl"];

/// The example that draws a picture out of nothing.
const MANDELBROT: &str = "mandelbrot";

/// Builds the examples, runs each on each device, and compares.
pub fn run(project: &Project, report: &mut Report) {
    let mut examples = project.examples();
    // The others may use its picture.
    examples.sort_by_key(|name| name != MANDELBROT);
    let mut build = project.cargo();
    build.arg("build");
    for example in &examples {
        build.args(["--package", example]);
    }
    if !report.run("build of the examples", &mut build) {
        return;
    }
    let out = |device: &str| project.target().join("example-output").join(device);
    for device in DEVICES {
        let _ = fs::remove_dir_all(out(device));
        if let Err(error) = fs::create_dir_all(out(device)) {
            report.step("output of the examples", || Err(format!("cannot create {}: {error}", out(device).display())));
            return;
        }
    }
    for example in &examples {
        let mut good = true;
        for device in DEVICES {
            let mut command = project.host.command(&project.target().join("debug").join(example));
            command.args(arguments(example, &out(DEVICES[0]))).env("METAL_OXIDE_DEVICE", device).current_dir(out(device));
            good &= report.run(&format!("{example} on {device}"), &mut command);
        }
        let files: Vec<PathBuf> = files_of(&out(DEVICES[0]), example);
        if good && !files.is_empty() {
            report.step(&format!("{example}: same files"), || compare(&files, &out(DEVICES[1])));
        }
    }
}

/// Small inputs, so that a debug build is done in a moment.
fn arguments(example: &str, pictures: &Path) -> Vec<OsString> {
    match example {
        MANDELBROT => vec!["320".into(), "240".into(), "mandelbrot.png".into()],
        "blur" => vec![pictures.join("mandelbrot.png").into(), "3".into(), "blur.png".into()],
        _ => Vec::new(),
    }
}

/// The files that an example wrote: they are named after it.
fn files_of(folder: &Path, example: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.file_stem().is_some_and(|stem| stem == example)).collect()
}

fn compare(files: &[PathBuf], other: &Path) -> Result<String, String> {
    for file in files {
        let twin = other.join(file.file_name().expect("it was listed by name"));
        let read = |path: &Path| fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()));
        if read(file)? != read(&twin)? {
            return Err(format!("{} and {} differ", file.display(), twin.display()));
        }
    }
    Ok(String::new())
}
