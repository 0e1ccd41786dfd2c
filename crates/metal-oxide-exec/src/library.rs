//! Compiling a Metal text into a shared library, keeping it in the cache, and loading it.
//! A library's folder is named after everything that decides its content, so it is never stale.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use metal_oxide_artifact::{KernelAbi, KernelEntry, MathMode};

use crate::cache::{Lock, write_folder};
use crate::group::{ENGINE, Engine};
use crate::launch::Code;
use crate::text::Facts;
use crate::translation::{Goal, LIBRARY, Translation};
use crate::undefined::Finding;
use crate::{Compiler, ExecError, launcher};

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
        let facts = &Facts::of(msl);
        let launcher = launcher::generate(facts, kernels);
        let translation = Translation { compiler, cache, msl, facts, launcher, goal: Goal::Library(*options) };
        let key = translation.key();
        let folder = cache.join("libraries").join(&key);
        if let Ok(library) = load(&folder, kernels, facts, options) {
            return Ok(library);
        }
        let _lock = Lock::acquire(&cache.join("locks").join(&key))?;
        if folder.is_dir() {
            // Either another process has just made it, or it is damaged.
            if let Ok(library) = load(&folder, kernels, facts, options) {
                return Ok(library);
            }
            fs::remove_dir_all(&folder).map_err(ExecError::cache("remove", &folder))?;
        }
        write_folder(&folder, |temporary| translation.run(temporary, &key))?;
        load(&folder, kernels, facts, options)
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
