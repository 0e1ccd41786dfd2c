//! Where the project is and how its Cargo is started, the same way for every chore, so that they share what they build.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metal::Host;

/// The checkout that this program was built in.
pub struct Project {
    /// The folder of the workspace.
    pub root: PathBuf,
    /// The machine.
    pub host: Host,
}

impl Project {
    /// This checkout, on this machine.
    pub fn here() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace").to_path_buf();
        Self { root, host: Host::current() }
    }

    /// The Cargo that started this program.
    pub fn cargo(&self) -> Command {
        let program = self.host.variable("CARGO").map_or_else(|| "cargo".into(), PathBuf::from);
        let mut command = self.host.command(&program);
        command.current_dir(&self.root);
        command
    }

    /// The folder of the kernel compiler, which is a workspace of its own.
    pub fn compiler(&self) -> PathBuf {
        self.root.join("crates/metal-oxide-compiler")
    }

    /// Where Cargo puts what it builds.
    pub fn target(&self) -> PathBuf {
        self.host.variable("CARGO_TARGET_DIR").map_or_else(|| self.root.join("target"), |folder| self.root.join(folder))
    }

    /// The names of the examples, in order.
    pub fn examples(&self) -> Vec<String> {
        let entries = self.root.join("examples").read_dir().into_iter().flatten().flatten();
        let packages = entries.filter(|entry| entry.path().join("Cargo.toml").exists());
        let mut names: Vec<String> = packages.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}
