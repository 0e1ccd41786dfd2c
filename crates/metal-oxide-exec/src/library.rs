//! Compiling a Metal text into a shared library, keeping it in the cache, and loading it.
//! A library's folder is named after everything that decides its content, so it is never stale.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use metal_oxide_artifact::{KernelAbi, KernelEntry, MathMode, sha256};

use crate::cache::{Lock, write_folder};
use crate::compiler::flags;
use crate::group::{ENGINE, Engine};
use crate::launch::Code;
use crate::text::Facts;
use crate::undefined::Finding;
use crate::{Compiler, ExecError, headers, launcher};

/// How to compile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How floating point may be optimised.
    pub math: MathMode,
    /// Check while running that the text does nothing that is undefined in Metal: signed overflow, bad shifts and divisions, conversions
    /// of numbers that do not fit, misaligned access. A finding makes the launch fail. It also makes weak exchanges fail now and then,
    /// as they may. Kernels run several times slower.
    pub find_undefined: bool,
}

/// The compiled kernels of a Metal text. Clones share them.
#[derive(Clone)]
pub struct Library {
    kernels: Arc<[Kernel]>,
}

/// A compiled kernel. It keeps its library loaded.
#[derive(Clone)]
pub struct Kernel {
    pub(crate) entry: Arc<str>,
    pub(crate) abi: Arc<KernelAbi>,
    pub(crate) code: Code,
    /// The folder that the text and the library are in.
    pub(crate) folder: Arc<Path>,
    /// Where the library keeps what it found; null if it does not look.
    pub(crate) finding: *const Finding,
    /// Held so that `code` and `finding` stay valid.
    _library: Arc<libloading::Library>,
}

// SAFETY: the code may run on any thread and on several at once, and the loader's handle may be dropped on any. What `finding` points to is
// guarded by the atomic state that it begins with.
unsafe impl Send for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}

impl Library {
    /// Compiles a Metal text with its kernels, or takes the result of an earlier time from the cache folder, where no compiler is started.
    ///
    /// The folder is created if needed. Other threads and processes may use it at the same time.
    pub fn compile(compiler: &Compiler, cache: &Path, msl: &str, kernels: &[KernelEntry], options: &Options) -> Result<Self, ExecError> {
        // The compiler runs in a folder of its own, where a relative path would lead elsewhere.
        let cache = &std::path::absolute(cache).map_err(ExecError::cache("find", cache))?;
        let facts = Facts::of(msl);
        let source = Source { compiler, cache, msl, launcher: launcher::generate(&facts, kernels), options };
        let key = source.key();
        let folder = cache.join("libraries").join(&key);
        if let Ok(library) = load(&folder, kernels, &facts, options) {
            return Ok(library);
        }
        let _lock = Lock::acquire(&cache.join("locks").join(&key))?;
        if folder.is_dir() {
            // Either another process has just made it, or it is damaged.
            if let Ok(library) = load(&folder, kernels, &facts, options) {
                return Ok(library);
            }
            fs::remove_dir_all(&folder).map_err(ExecError::cache("remove", &folder))?;
        }
        write_folder(&folder, |temporary| source.compile(temporary, &key))?;
        load(&folder, kernels, &facts, options)
    }

    /// The kernel whose function in the Metal text has this name.
    pub fn kernel(&self, entry: &str) -> Result<Kernel, ExecError> {
        self.kernels.iter().find(|kernel| &*kernel.entry == entry).cloned().ok_or_else(|| {
            let names: Vec<_> = self.kernels.iter().map(|kernel| format!("`{}`", kernel.entry)).collect();
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            ExecError::UnknownKernel { entry: entry.to_owned(), known }
        })
    }
}

/// Everything that decides what a library does.
struct Source<'a> {
    compiler: &'a Compiler,
    cache: &'a Path,
    msl: &'a str,
    launcher: String,
    options: &'a Options,
}

/// Names of files in a library's folder. `LAUNCHER` includes the text by its name.
const LAUNCHER: &str = "launcher.cpp";
const OBJECT: &str = "launcher.o";
const UNDEFINED_OBJECT: &str = "undefined.o";
const LIBRARY: &str = "kernels.so";

impl Source<'_> {
    fn key(&self) -> String {
        let parts = [self.msl, &self.launcher, self.compiler.identity(), &flags(self.options).join(" "), &headers::identity()];
        sha256(parts.join("\0").as_bytes())[..32].to_owned()
    }

    fn compile(&self, folder: &Path, key: &str) -> Result<(), ExecError> {
        let text = folder.join(launcher::TEXT_FILE);
        fs::write(&text, self.msl).map_err(ExecError::cache("write", text))?;
        let launcher = folder.join(LAUNCHER);
        fs::write(&launcher, &self.launcher).map_err(ExecError::cache("write", launcher))?;
        match self.run_compiler(folder)? {
            Ok(()) => Ok(()),
            Err(output) => Err(self.explain_failure(folder, key, output)?),
        }
    }

    fn run_compiler(&self, folder: &Path) -> Result<Result<(), String>, ExecError> {
        let headers = headers::install(self.cache)?;
        let mut arguments: Vec<OsString> = flags(self.options).into_iter().map(OsString::from).collect();
        arguments.extend(["-isystem".into(), headers.clone().into_os_string()]);
        let run = |arguments: &[OsString], more: &[&OsStr]| {
            let all: Vec<&OsStr> = arguments.iter().map(OsString::as_os_str).chain(more.iter().copied()).collect();
            self.compiler.run(folder, &all)
        };
        let os = OsStr::new;
        if !self.options.find_undefined {
            return run(&arguments, &[os("-shared"), os(LAUNCHER), os("-o"), os(LIBRARY)]);
        }
        // Linking is a step of its own, without the sanitizer's option, which would add the sanitizer's own library.
        let handlers = headers.join("metal_oxide/undefined.cpp");
        let steps: [(&[OsString], &[&OsStr]); 3] = [
            (&arguments, &[os("-c"), os(LAUNCHER), os("-o"), os(OBJECT)]),
            (&[], &[os("-O1"), os("-fPIC"), os("-w"), os("-c"), handlers.as_os_str(), os("-o"), os(UNDEFINED_OBJECT)]),
            (&[], &[os("-shared"), os(OBJECT), os(UNDEFINED_OBJECT), os("-o"), os(LIBRARY)]),
        ];
        for (arguments, more) in steps {
            if let Err(output) = run(arguments, more)? {
                return Ok(Err(output));
            }
        }
        Ok(Ok(()))
    }

    /// Whose fault it is that a text does not compile: the compiler's, if it fails on an empty text too, else ours.
    fn explain_failure(&self, folder: &Path, key: &str, output: String) -> Result<ExecError, ExecError> {
        let empty = "#include <metal_stdlib>\nusing namespace metal;\n";
        let text = folder.join(launcher::TEXT_FILE);
        fs::write(&text, empty).map_err(ExecError::cache("write", text))?;
        let launcher = folder.join(LAUNCHER);
        fs::write(&launcher, launcher::generate(&Facts::default(), &[])).map_err(ExecError::cache("write", launcher))?;
        let command = self.compiler.command();
        if let Err(output) = self.run_compiler(folder)? {
            return Ok(ExecError::Unsuitable { command, output });
        }
        let kept = self.cache.join("rejected").join(key);
        fs::create_dir_all(&kept).map_err(ExecError::cache("create", &kept))?;
        let text = kept.join(launcher::TEXT_FILE);
        for (name, content) in [(launcher::TEXT_FILE, self.msl), (LAUNCHER, &self.launcher), ("messages.txt", &output)] {
            let path = kept.join(name);
            fs::write(&path, content).map_err(ExecError::cache("write", path))?;
        }
        Ok(ExecError::Rejected { text, command, output })
    }
}

fn load(folder: &Path, kernels: &[KernelEntry], facts: &Facts, options: &Options) -> Result<Library, ExecError> {
    let path: PathBuf = folder.join(LIBRARY);
    let failed = |source| ExecError::Load { path: path.clone(), source };
    // SAFETY: the library was made by `compile` from our headers and emitted text, neither of which has anything that runs when it is
    // loaded but the initialisation of constants.
    let library = Arc::new(unsafe { libloading::Library::new(&path) }.map_err(failed)?);
    {
        // A library that is loaded a second time is the same library, and its kernels may be running; then the engine is there already.
        static LOADING: Mutex<()> = Mutex::new(());
        let _one_at_a_time = LOADING.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the headers define this symbol, zero at first, as an `Engine`. It is only written here, before any kernel can run.
        unsafe {
            let engine = *library.get::<*mut Engine>(b"metal_oxide_engine\0").map_err(failed)?;
            if (*engine).threadgroup_barrier.is_none() {
                engine.write(ENGINE);
            }
        }
    }
    let finding = if options.find_undefined {
        // SAFETY: `undefined.cpp` defines this symbol as a `Finding`.
        unsafe { *library.get::<*const Finding>(b"metal_oxide_finding\0").map_err(failed)? }
    } else {
        std::ptr::null()
    };
    let folder: Arc<Path> = folder.into();
    let kernels: Result<Arc<[Kernel]>, _> = kernels
        .iter()
        .enumerate()
        .map(|(index, kernel)| {
            let symbol = launcher::symbol(index);
            // SAFETY: `launcher` generates a function of this name with the signature that goes with `cooperative`.
            let code = unsafe {
                if launcher::is_cooperative(facts, &kernel.abi) {
                    Code::Thread(*library.get(symbol.as_bytes()).map_err(failed)?)
                } else {
                    Code::Groups(*library.get(symbol.as_bytes()).map_err(failed)?)
                }
            };
            let (entry, abi) = (kernel.entry.as_str().into(), Arc::new(kernel.abi.clone()));
            Ok(Kernel { entry, abi, code, folder: Arc::clone(&folder), finding, _library: Arc::clone(&library) })
        })
        .collect();
    Ok(Library { kernels: kernels? })
}
