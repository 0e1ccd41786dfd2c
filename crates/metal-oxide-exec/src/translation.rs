//! Giving a Metal text to a C++ compiler: to make a library of it, or to check its address spaces.
//! If the compiler refuses, this finds out whether the text or the compiler is to blame.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

use metal_oxide_artifact::sha256;

use crate::compiler::flags;
use crate::text::Facts;
use crate::{Compiler, ExecError, Options, headers, launcher};

/// Everything that decides what a compiler makes of a text.
pub(crate) struct Translation<'a> {
    pub(crate) compiler: &'a Compiler,
    pub(crate) cache: &'a Path,
    pub(crate) msl: &'a str,
    pub(crate) facts: &'a Facts,
    /// The generated file. It includes the text.
    pub(crate) launcher: String,
    pub(crate) goal: Goal,
}

/// What the compiler is run for.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// The file [`LIBRARY`].
    Library(Options),
    /// Only its judgement of the text, as a dialect of C++ that has address spaces.
    AddressSpaces,
}

/// The library's file in its folder.
pub(crate) const LIBRARY: &str = "kernels.so";
const LAUNCHER: &str = "launcher.cpp";
const OBJECT: &str = "launcher.o";
const UNDEFINED_OBJECT: &str = "undefined.o";

/// C++ for OpenCL has Metal's address spaces, by other names. Its own library would be in the way of Metal's.
const ADDRESS_SPACE_FLAGS: &[&str] = &["-x", "clcpp", "-cl-std=clc++2021", "-cl-no-stdinc", "-w", "-DMETAL_OXIDE_ADDRESS_SPACES"];

impl Translation<'_> {
    /// A name for the outcome.
    pub(crate) fn key(&self) -> String {
        let flags = match &self.goal {
            Goal::Library(options) => flags(options),
            Goal::AddressSpaces => ADDRESS_SPACE_FLAGS.to_vec(),
        };
        let parts = [self.msl, &self.launcher, self.compiler.identity(), &flags.join(" "), &headers::identity()];
        sha256(parts.join("\0").as_bytes())[..32].to_owned()
    }

    /// Puts the files into a folder and runs the compiler there.
    pub(crate) fn run(&self, folder: &Path, key: &str) -> Result<(), ExecError> {
        write_files(folder, &[(launcher::TEXT_FILE, self.msl), (LAUNCHER, &self.launcher)])?;
        match self.run_compiler(folder)? {
            Ok(()) => Ok(()),
            Err(output) => Err(self.explain_failure(folder, key, output)?),
        }
    }

    fn run_compiler(&self, folder: &Path) -> Result<Result<(), String>, ExecError> {
        let headers = headers::install(self.cache)?;
        let run = |flags: &[&str], more: &[&OsStr]| {
            let mut arguments: Vec<&OsStr> = flags.iter().map(OsStr::new).collect();
            arguments.extend([OsStr::new("-isystem"), headers.as_os_str()]);
            arguments.extend(more);
            self.compiler.run(folder, &arguments)
        };
        let os = OsStr::new;
        let options = match &self.goal {
            Goal::Library(options) => options,
            Goal::AddressSpaces => return run(ADDRESS_SPACE_FLAGS, &[os("-fsyntax-only"), os(LAUNCHER)]),
        };
        let flags = flags(options);
        if !options.find_undefined {
            return run(&flags, &[os("-shared"), os(LAUNCHER), os("-o"), os(LIBRARY)]);
        }
        // Linking is a step of its own, without the sanitizer's option, which would add the sanitizer's own library.
        let handlers: OsString = headers.join("metal_oxide/undefined.cpp").into();
        let steps: [(&[&str], &[&OsStr]); 3] = [
            (&flags, &[os("-c"), os(LAUNCHER), os("-o"), os(OBJECT)]),
            (&["-O1", "-fPIC", "-w"], &[os("-c"), &handlers, os("-o"), os(UNDEFINED_OBJECT)]),
            (&["-shared"], &[os(OBJECT), os(UNDEFINED_OBJECT), os("-o"), os(LIBRARY)]),
        ];
        for (flags, more) in steps {
            if let Err(output) = run(flags, more)? {
                return Ok(Err(output));
            }
        }
        Ok(Ok(()))
    }

    /// Whose fault it is that a text does not compile: the compiler's, if it fails on the headers alone too, else ours.
    fn explain_failure(&self, folder: &Path, key: &str, output: String) -> Result<ExecError, ExecError> {
        let headers_alone = launcher::generate(self.facts, &[]);
        let empty = "#include <metal_stdlib>\nusing namespace metal;\n";
        write_files(folder, &[(launcher::TEXT_FILE, empty), (LAUNCHER, &headers_alone)])?;
        let command = self.compiler.command();
        if let Err(output) = self.run_compiler(folder)? {
            return Ok(ExecError::Unsuitable { command, output });
        }
        let kept = self.cache.join("rejected").join(key);
        fs::create_dir_all(&kept).map_err(ExecError::cache("create", &kept))?;
        write_files(&kept, &[(launcher::TEXT_FILE, self.msl), (LAUNCHER, &self.launcher), ("messages.txt", &output)])?;
        Ok(ExecError::Rejected { text: kept.join(launcher::TEXT_FILE), command, output })
    }
}

fn write_files(folder: &Path, files: &[(&str, &str)]) -> Result<(), ExecError> {
    for (name, content) in files {
        let path = folder.join(name);
        fs::write(&path, content).map_err(ExecError::cache("write", path))?;
    }
    Ok(())
}
