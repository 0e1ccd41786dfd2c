//! Apple's side of a Mac: Xcode and its Metal Toolchain, which turn MSL into a `.metallib`.
//! Neither is needed to build or run kernels: without them the Metal framework compiles the MSL when a program starts.

use std::path::Path;

use crate::host::{self, Host};
use crate::progress::Progress;

/// What a Mac has of Apple's compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppleCompiler {
    /// It works; this is its version.
    Works(String),
    /// No developer folder is selected.
    NoDeveloperFolder,
    /// Only the command line tools are selected, and they have no Metal compiler.
    CommandLineToolsOnly(String),
    /// Xcode is selected, but the Metal Toolchain is not installed.
    NoMetalToolchain(String),
}

impl AppleCompiler {
    /// Asks the machine.
    #[must_use]
    pub fn find(host: &Host) -> Self {
        let Some(folder) = host.ask("xcode-select", &["-p"]).filter(|folder| Path::new(folder).exists()) else {
            return Self::NoDeveloperFolder;
        };
        if let Some(version) = host.ask("xcrun", &["--sdk", "macosx", "metal", "--version"]) {
            return Self::Works(version.lines().next().unwrap_or_default().to_owned());
        }
        if folder.contains("CommandLineTools") { Self::CommandLineToolsOnly(folder) } else { Self::NoMetalToolchain(folder) }
    }

    /// What is wrong and the command that helps, unless it works.
    #[must_use]
    pub fn problem(&self) -> Option<(String, &'static str)> {
        match self {
            Self::Works(_) => None,
            Self::NoDeveloperFolder => {
                Some(("no developer folder is selected".into(), "install Xcode, then `sudo xcode-select -s /Applications/Xcode.app`"))
            }
            Self::CommandLineToolsOnly(folder) => Some((
                format!("only the command line tools are selected ({folder}), and they have no Metal compiler"),
                "install Xcode, then `sudo xcode-select -s /Applications/Xcode.app`",
            )),
            Self::NoMetalToolchain(folder) => Some((
                format!("Xcode is selected ({folder}), but its Metal Toolchain is not installed"),
                "`xcodebuild -downloadComponent MetalToolchain`",
            )),
        }
    }
}

/// On a Mac with Xcode, downloads the Metal Toolchain if it is missing. Kernels work without it, so a failure is only told.
pub fn install_metal_toolchain(host: &Host, progress: &Progress) {
    if !host.macos {
        return;
    }
    let mut found = AppleCompiler::find(host);
    if let (AppleCompiler::NoMetalToolchain(_), Some(xcodebuild)) = (&found, host.find("xcodebuild")) {
        let step = progress.step("downloading the Metal Toolchain");
        if host::run(host.command(&xcodebuild).args(["-downloadComponent", "MetalToolchain"])).is_ok() {
            step.done();
            found = AppleCompiler::find(host);
        }
    }
    if let Some((problem, fix)) = found.problem() {
        progress.say(&format!("note: {problem}; kernels are compiled when a program starts instead\n  help: {fix}"));
    }
}
