//! Finding a C++ compiler, and the options it is given.
//! Finding starts no process: a compiler is identified by the program files that its command names.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

use metal_oxide_artifact::MathMode;

use crate::{ExecError, Options};

/// A C++ compiler.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The program and the arguments that `CXX` gives it.
    words: Vec<OsString>,
    program: PathBuf,
    identity: String,
}

impl Compiler {
    /// Finds the compiler that `CXX` names, else `clang++`, else `g++`.
    ///
    /// `variable` looks up an environment variable, as `std::env::var_os` does; `CXX` and `PATH` are read.
    pub fn find(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, ExecError> {
        let search_path = variable("PATH").unwrap_or_default();
        if let Some(asked) = variable("CXX").filter(|value| !value.is_empty()) {
            return Self::from_words(split_words(&asked), &search_path)
                .ok_or_else(|| ExecError::NoCompiler { asked: Some(asked.to_string_lossy().into_owned()) });
        }
        ["clang++", "g++"]
            .iter()
            .find_map(|name| Self::from_words(vec![OsString::from(name)], &search_path))
            .ok_or(ExecError::NoCompiler { asked: None })
    }

    /// The command, for messages.
    #[must_use]
    pub fn command(&self) -> String {
        self.words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    /// The program file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.program
    }

    /// The first line that the compiler prints about its version. This starts it.
    #[must_use]
    pub fn version(&self) -> Option<String> {
        let output = self.start().arg("--version").output().ok().filter(|output| output.status.success())?;
        String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
    }

    /// Changes when the compiler does.
    pub(crate) fn identity(&self) -> &str {
        &self.identity
    }

    /// Runs the compiler in a folder. What it prints comes back as an error if it fails.
    pub(crate) fn run(&self, folder: &Path, arguments: &[&OsStr]) -> Result<Result<(), String>, ExecError> {
        let output = self
            .start()
            .current_dir(folder)
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .map_err(|source| ExecError::Start { command: self.command(), source })?;
        if output.status.success() {
            return Ok(Ok(()));
        }
        let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stdout));
        if text.trim().is_empty() {
            text = format!("nothing, but it ended with {}", output.status);
        }
        Ok(Err(text))
    }

    fn start(&self) -> Command {
        let mut command = Command::new(&self.program);
        // Messages are part of reports, so they are wanted in one language.
        command.args(&self.words[1..]).env("LC_ALL", "C");
        command
    }

    fn from_words(words: Vec<OsString>, search_path: &OsStr) -> Option<Self> {
        let program = find_program(words.first()?, search_path)?;
        // `CXX` may name a launcher such as ccache first; then the compiler is a later word.
        let mut identity = String::new();
        for word in &words {
            let _ = match find_program(word, search_path).and_then(|path| fs::canonicalize(path).ok()) {
                Some(path) => write!(identity, "{}{};", path.display(), file_state(&path)),
                None => write!(identity, "{};", word.display()),
            };
        }
        Some(Self { words, program, identity })
    }
}

/// The options that decide what the compiled library does.
pub(crate) fn flags(options: &Options) -> Vec<&'static str> {
    let mut flags = vec![
        // Metal is C++14; the GNU dialect adds hexadecimal floating-point literals, which Metal has too.
        "-std=gnu++14",
        "-O2",
        "-fPIC",
        "-w",
        // Names that the GNU dialect defines, and that a kernel may use.
        "-Ulinux",
        "-Uunix",
        "-nostdinc",
        "-nostdinc++",
        "-fvisibility=hidden",
        "-fno-exceptions",
        "-fno-rtti",
        "-fno-threadsafe-statics",
        "-fsigned-char",
        // Neither exists on a GPU. The results of operations do not depend on either.
        "-fno-math-errno",
        "-fno-trapping-math",
        // A loop without an end stays one. Metal's compiler may assume otherwise, but a test should hang rather than pass by luck.
        "-fno-finite-loops",
        // Type-based alias analysis stays on, and signed overflow stays undefined: Metal's compiler relies on both too.
    ];
    match options.math {
        MathMode::Precise => flags.push("-ffp-contract=off"),
        // What `-ffast-math` means, but for that option's start-up code, which changes how the whole process rounds.
        MathMode::Fast => flags.extend([
            "-DMETAL_OXIDE_FAST_MATH",
            "-ffp-contract=fast",
            "-fassociative-math",
            "-freciprocal-math",
            "-fno-signed-zeros",
            "-ffinite-math-only",
        ]),
    }
    if options.find_undefined {
        flags.extend([
            "-DMETAL_OXIDE_FIND_UNDEFINED",
            "-Werror=return-type",
            "-fsanitize=shift,integer-divide-by-zero,signed-integer-overflow,float-cast-overflow,bounds,alignment,null,bool,enum,pointer-overflow",
        ]);
    }
    flags.extend(processor_flags());
    flags
}

/// The instructions that this processor has. Without them a fused multiply-add or a rounding is a call.
fn processor_flags() -> &'static [&'static str] {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        return &["-mavx2", "-mfma", "-mbmi", "-mbmi2", "-mf16c", "-mlzcnt", "-mpopcnt"];
    }
    &[]
}

fn split_words(command: &OsStr) -> Vec<OsString> {
    match command.to_str() {
        Some(text) => text.split_whitespace().map(OsString::from).collect(),
        None => vec![command.to_owned()],
    }
}

fn find_program(name: &OsStr, search_path: &OsStr) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.components().count() > 1 {
        return is_program(path).then(|| path.to_owned());
    }
    let with_suffix = format!("{}{}", name.to_str()?, env::consts::EXE_SUFFIX);
    env::split_paths(search_path).map(|folder| folder.join(&with_suffix)).find(|path| is_program(path))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Size and time of the last change: an update of the compiler changes them.
fn file_state(path: &Path) -> String {
    let Ok(metadata) = fs::metadata(path) else { return String::new() };
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    format!(" {} {}", metadata.len(), changed.as_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(cxx: Option<&str>, path: &str) -> Result<Compiler, ExecError> {
        Compiler::find(|name| match name {
            "CXX" => cxx.map(OsString::from),
            "PATH" => Some(OsString::from(path)),
            _ => None,
        })
    }

    #[cfg(unix)]
    fn folder_with(programs: &[&str]) -> tempfile::TempDir {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a temporary folder");
        for program in programs {
            let path = folder.path().join(program);
            fs::write(&path, "#!/bin/sh\nexit 1\n").expect("the file can be written");
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions can be set");
        }
        folder
    }

    #[cfg(unix)]
    #[test]
    fn the_variable_wins_then_clang_then_gcc() {
        let both = folder_with(&["clang++", "g++", "mine"]);
        let path = both.path().to_str().expect("the path is text");
        assert_eq!(find(Some("mine -x"), path).expect("it is there").command(), "mine -x");
        assert_eq!(find(None, path).expect("it is there").command(), "clang++");
        assert_eq!(find(Some(""), path).expect("an empty variable is no variable").command(), "clang++");
        let one = folder_with(&["g++"]);
        assert_eq!(find(None, one.path().to_str().expect("the path is text")).expect("it is there").command(), "g++");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_not_executable_is_no_compiler() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("g++"), "").expect("the file can be written");
        assert!(find(None, folder.path().to_str().expect("the path is text")).is_err());
    }

    #[test]
    fn without_a_compiler_the_message_says_how_to_install_one() {
        let message = find(None, "/nowhere").expect_err("there is none").to_string();
        assert!(message.contains("apt-get install g++") && message.contains("CXX is not set"), "{message}");
    }

    #[test]
    fn a_variable_that_names_nothing_is_named_in_the_message() {
        let message = find(Some("no-such-compiler"), "/nowhere").expect_err("there is none").to_string();
        assert!(message.starts_with("CXX asks for the C++ compiler `no-such-compiler`"), "{message}");
    }

    #[cfg(unix)]
    #[test]
    fn another_compiler_behind_the_same_name_has_another_identity() {
        let folder = folder_with(&["ccache", "g++"]);
        let path = folder.path().to_str().expect("the path is text");
        let before = find(Some("ccache g++"), path).expect("it is there");
        fs::write(folder.path().join("g++"), "#!/bin/sh\nexit 2 # newer\n").expect("the file can be written");
        assert_ne!(before.identity(), find(Some("ccache g++"), path).expect("it is there").identity());
    }
}
