//! What Cargo takes for rustc while it builds a crate of kernels.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

use metal_oxide_artifact::{COMPILER_IDENTITY, PackageContents, ToolchainPin};
use rustc_driver::{Callbacks, run_compiler};
use rustc_interface::interface::Config;
use rustc_session::config::Options;

use crate::driver::{self, TARGET_NAME};

/// The variable that makes this program act as rustc. It names the device library.
pub const AS_RUSTC: &str = "METAL_OXIDE_AS_RUSTC";
/// The variable that names the rustc for programs of the host.
pub const HOST_RUSTC: &str = "METAL_OXIDE_HOST_RUSTC";

/// The crate that the device library holds already.
const DEVICE_CRATE: &str = "metal_oxide_device";

/// The settings of code generation that mean something for device crates. The others speak of machine code.
const KEPT_CODEGEN: [&str; 4] = ["metadata", "extra-filename", "overflow-checks", "debug-assertions"];

/// Acts as rustc with these arguments.
pub fn act(arguments: &[OsString], library: &Path) -> ExitCode {
    let texts: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
    if let Some(is_verbose) = asks_for_version(&texts) {
        print!("{}", version(is_verbose));
        return ExitCode::SUCCESS;
    }
    if texts.len() < arguments.len() || value_of(&texts, "--target").as_deref() != Some(TARGET_NAME) {
        return on_host(arguments);
    }
    if value_of(&texts, "--crate-name").as_deref() == Some(DEVICE_CRATE) {
        return match provide_device_crate(&texts, library) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: the device crate cannot be copied from `{}`: {error}", library.display());
                ExitCode::FAILURE
            }
        };
    }
    if let Err(error) = note_search_folders(&texts) {
        eprintln!("error: cannot note where the dependencies stand: {error}");
        return ExitCode::FAILURE;
    }
    // SAFETY: no other thread exists yet, so none reads the environment meanwhile.
    unsafe { env::set_var("RUSTC_BOOTSTRAP", "1") };
    let mut arguments = device_arguments(&texts, library);
    // The device crate's attribute is a macro of a kind that is not stable, and is so where it is used.
    let has_attribute = texts.iter().any(|argument| argument.starts_with(&format!("{DEVICE_CRATE}=")));
    if has_attribute {
        arguments.extend(["-Zcrate-attr=feature(macro_attr)".to_owned(), "-Zallow-features=macro_attr".to_owned()]);
    }
    rustc_driver::catch_with_exit_code(|| run_compiler(&arguments, &mut Stable { has_attribute }))
}

/// A stable compiler: this program needs unstable options, but no crate is to find unstable features, or a `cfg` that only nightlies have.
struct Stable {
    /// The crate uses the device crate's attribute. Then it is those features that it is allowed which keep it stable.
    has_attribute: bool,
}

impl Callbacks for Stable {
    fn config(&mut self, config: &mut Config) {
        if !self.has_attribute {
            // No options at all are those of a stable compiler.
            config.opts.unstable_features = Options::default().unstable_features;
        }
    }
}

/// Whether the command line asks for rustc's version, and if so whether for all of it.
fn asks_for_version(arguments: &[&str]) -> Option<bool> {
    let has = |names: &[&str]| arguments.iter().any(|argument| names.contains(argument));
    has(&["-V", "-vV", "-Vv", "--version"]).then(|| has(&["-v", "-vV", "-Vv", "--verbose"]))
}

/// The pinned release, whatever the host's programs are compiled with: device code is what build scripts and `rust-version` ask about.
/// Cargo builds everything again when this text changes, so it names the state of this compiler too.
fn version(is_verbose: bool) -> String {
    let pin = ToolchainPin::current();
    let line = pin.version_line();
    if !is_verbose {
        return format!("rustc {line}\n");
    }
    let (commit, date, release) = (&pin.commit, &pin.date, &pin.release);
    let host = rustc_session::config::host_tuple();
    format!(
        "rustc {line}\nbinary: rustc\ncommit-hash: {commit}\ncommit-date: {date}\nhost: {host}\nrelease: {release}\nmetal-oxide: {COMPILER_IDENTITY}\n"
    )
}

/// Runs the host's rustc.
fn on_host(arguments: &[OsString]) -> ExitCode {
    let rustc = env::var_os(HOST_RUSTC).unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(&rustc);
    command.args(arguments);
    let failed = |error: io::Error| {
        eprintln!("error: cannot start `{}`: {error}", Path::new(&rustc).display());
        ExitCode::FAILURE
    };
    #[cfg(unix)]
    return failed(std::os::unix::process::CommandExt::exec(&mut command));
    #[cfg(not(unix))]
    match command.status() {
        Ok(status) => ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1)),
        Err(error) => failed(error),
    }
}

/// The value of an option in either of its forms.
fn value_of(arguments: &[&str], option: &str) -> Option<String> {
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if *argument == option {
            return arguments.next().map(|value| (*value).to_owned());
        }
        if let Some(value) = argument.strip_prefix(option).and_then(|rest| rest.strip_prefix('=')) {
            return Some(value.to_owned());
        }
    }
    None
}

/// The values of a repeated `-C` setting, in the form that Cargo uses.
fn codegen_value(arguments: &[&str], name: &str) -> Option<String> {
    arguments.windows(2).filter(|pair| pair[0] == "-C").find_map(|pair| {
        let (key, value) = pair[1].split_once('=')?;
        (key == name).then(|| value.to_owned())
    })
}

/// Cargo's arguments, as they are right for the device.
fn device_arguments(arguments: &[&str], library: &Path) -> Vec<String> {
    if arguments.iter().any(|argument| argument.starts_with("--print")) {
        return question(arguments, library);
    }
    let mut changed = vec!["rustc".to_owned()];
    let mut rest = arguments.iter();
    while let Some(&argument) = rest.next() {
        let (name, mut value) = match argument.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value)),
            _ => (argument, None),
        };
        let mut take = || value.take().or_else(|| rest.next().copied()).unwrap_or_default();
        match name {
            // Whatever else the package offers to hosts, kernels use it as a library.
            "--target" | "--cap-lints" | "--crate-type" => drop(take()),
            "--emit" => {
                let kinds = take();
                let emitted: Vec<&str> = kinds.split(',').filter(|kind| kind.starts_with("dep-info")).chain(["metadata"]).collect();
                changed.push(format!("--emit={}", emitted.join(",")));
            }
            "-C" => {
                let setting = take();
                if KEPT_CODEGEN.contains(&setting.split('=').next().unwrap_or_default()) {
                    changed.push(format!("-C{setting}"));
                }
            }
            _ => changed.push(argument.to_owned()),
        }
    }
    changed.push("--crate-type=lib".to_owned());
    changed.extend(driver::dependency(library));
    changed.extend(remapping());
    changed
}

/// The arguments of a question about the target, which is answered as it stands.
fn question(arguments: &[&str], library: &Path) -> Vec<String> {
    let kept = arguments
        .iter()
        .map(|&argument| argument.strip_prefix("--target=").unwrap_or(argument))
        .filter(|argument| ![TARGET_NAME, "--target"].contains(argument));
    ["rustc"].into_iter().chain(kept).map(str::to_owned).chain(driver::target(library)).collect()
}

/// Lets a package's files be known by the package's name and version: where they stand is different on every machine.
fn remapping() -> Vec<String> {
    let variable = |name: &str| env::var(name).ok();
    let arguments = || {
        let folder = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
        let shown = PackageContents::shown_as(&variable("CARGO_PKG_NAME")?, &variable("CARGO_PKG_VERSION")?);
        // Files of the workspace are named from its folder on, in which rustc runs then.
        let relative = folder.strip_prefix(env::current_dir().ok()?).ok();
        let folders = relative.into_iter().chain([folder.as_path()]);
        Some(folders.map(|folder| format!("--remap-path-prefix={}={shown}", folder.display())).collect())
    };
    arguments().unwrap_or_default()
}

/// Leaves beside a crate's metadata where Cargo says that its dependencies stand: how Cargo arranges its folders is Cargo's business.
fn note_search_folders(arguments: &[&str]) -> io::Result<()> {
    let (Some(folder), Some(name)) = (value_of(arguments, "--out-dir"), value_of(arguments, "--crate-name")) else { return Ok(()) };
    let name = format!("lib{name}{}", codegen_value(arguments, "extra-filename").unwrap_or_default());
    let folders = arguments.windows(2).filter(|pair| pair[0] == "-L").map(|pair| pair[1]);
    fs::write(search_file(&PathBuf::from(folder).join(name)), folders.collect::<Vec<_>>().join("\n"))
}

/// The `-L` arguments of the crate with this metadata.
pub fn search_folders(metadata: &Path) -> Vec<String> {
    let noted = fs::read_to_string(search_file(metadata)).unwrap_or_default();
    let own = metadata.parent().map(|folder| format!("dependency={}", folder.display()));
    noted.lines().map(str::to_owned).chain(own).collect()
}

fn search_file(metadata: &Path) -> PathBuf {
    metadata.with_extension("search")
}

/// Puts the device library's own device crate where Cargo expects the one that it wants built.
fn provide_device_crate(arguments: &[&str], library: &Path) -> io::Result<()> {
    let missing = || io::Error::new(io::ErrorKind::InvalidInput, "Cargo does not say where it goes");
    let folder = PathBuf::from(value_of(arguments, "--out-dir").ok_or_else(missing)?);
    let name = format!("{DEVICE_CRATE}{}", codegen_value(arguments, "extra-filename").unwrap_or_default());
    let metadata = folder.join(format!("lib{name}.rmeta"));
    let source = library.join(format!("lib{DEVICE_CRATE}.rmeta"));
    fs::copy(&source, &metadata)?;
    let dependencies = folder.join(format!("{name}.d"));
    let escape = |path: &Path| path.display().to_string().replace(' ', "\\ ");
    fs::write(&dependencies, format!("{}: {}\n", escape(&metadata), escape(&source)))?;
    if value_of(arguments, "--error-format").as_deref() == Some("json") {
        let note = serde_json::json!({ "$message_type": "artifact", "artifact": metadata, "emit": "metadata" });
        eprintln!("{note}");
    }
    Ok(())
}

/// The environment in which a program is started that is to take this one for rustc.
pub fn environment(library: &Path, rustc: &Path) -> io::Result<[(&'static str, OsString); 3]> {
    let own = env::current_exe()?;
    Ok([("RUSTC", own.into_os_string()), (AS_RUSTC, library.into()), (HOST_RUSTC, host_rustc(rustc))])
}

/// The rustc for programs of the host. Procedural macros are loaded into this compiler, which takes only those of its own release.
fn host_rustc(around: &Path) -> OsString {
    let is_pinned = |rustc: &Path| {
        let output = Command::new(rustc).arg("-V").env_remove(AS_RUSTC).output().ok();
        output.is_some_and(|output| {
            String::from_utf8_lossy(&output.stdout).trim_end() == format!("rustc {}", ToolchainPin::current().version_line())
        })
    };
    let installed = || {
        let home = env::var_os("RUSTUP_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".rustup")))?;
        let release = &ToolchainPin::current().release;
        let host = rustc_session::config::host_tuple();
        Some(home.join("toolchains").join(format!("{release}-{host}")).join("bin").join(format!("rustc{}", env::consts::EXE_SUFFIX)))
    };
    [Some(around.to_path_buf()), installed()]
        .into_iter()
        .flatten()
        .find(|rustc| is_pinned(rustc))
        .map_or_else(|| around.as_os_str().to_owned(), OsString::from)
}
