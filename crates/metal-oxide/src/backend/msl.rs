//! The device that runs emitted Metal Shading Language on the CPU, through the system's C++ compiler.
//! It shows what a kernel's compiled form does on a machine without an Apple GPU. Like a GPU's queue it does one launch after another.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::ptr;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;

use metal_oxide_artifact::Cache;
use metal_oxide_exec::{Binding, Compiler, ExecError, Kernel, Library, Options};

use super::binding::{ArgumentBlock, FailureRecord, buffer_slots};
use super::{Backend, Work};
use crate::launch::Unit;
use crate::operation::Completion;
use crate::{DeviceKind, Error, Result};

pub(crate) struct MslDevice {
    engine: Arc<Engine>,
    /// The way to the thread that does work which nobody blocks for. The first such work starts the thread; it ends with the device.
    queue: Mutex<Option<Sender<(Work, Completion)>>>,
}

struct Engine {
    name: String,
    compiler: Compiler,
    cache: PathBuf,
    /// The compiled units, by the address of their static.
    libraries: Mutex<HashMap<usize, Library>>,
}

impl MslDevice {
    /// The process's device of this kind. It lives as long as somebody uses it.
    pub(crate) fn shared() -> Result<Arc<Self>> {
        static SHARED: Mutex<Weak<MslDevice>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(device) = shared.upgrade() {
            return Ok(device);
        }
        let device = Arc::new(Self { engine: Arc::new(Engine::new()?), queue: Mutex::new(None) });
        *shared = Arc::downgrade(&device);
        Ok(device)
    }

    fn enqueue(&self, work: Work, completion: Completion) -> std::io::Result<()> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = match &*queue {
            Some(sender) => sender,
            None => {
                let (sender, receiver) = channel::<(Work, Completion)>();
                let engine = Arc::clone(&self.engine);
                thread::Builder::new().name("metal-oxide-msl".into()).spawn(move || {
                    for (work, completion) in receiver {
                        completion.complete(engine.run(work));
                    }
                })?;
                queue.insert(sender)
            }
        };
        sender.send((work, completion)).expect("the thread receives as long as there is a sender");
        Ok(())
    }
}

impl Backend for MslDevice {
    fn kind(&self) -> DeviceKind {
        DeviceKind::Msl
    }

    fn name(&self) -> &str {
        &self.engine.name
    }

    fn run(&self, work: Work) -> Result<()> {
        self.engine.run(work)
    }

    fn start(&self, work: Work, completion: Completion) {
        let kernel = work.prepared.kernel.name();
        if let Err(error) = self.enqueue(work, completion.clone()) {
            completion.complete(Err(self.engine.failed(kernel, error)));
        }
    }
}

impl Engine {
    fn new() -> Result<Self> {
        let no_device = |reason: String| Error::NoDevice { reason };
        let compiler = Compiler::find(|name| std::env::var_os(name)).map_err(|error| no_device(error.to_string()))?;
        let cache = Cache::from_environment(|name| std::env::var_os(name)).ok_or_else(|| {
            no_device("the MSL engine keeps compiled kernels, and there is no home directory: set METAL_OXIDE_CACHE to a folder".into())
        })?;
        let name = format!("MSL on the CPU ({})", compiler.command());
        Ok(Self { name, compiler, cache: cache.root().join("exec"), libraries: Mutex::default() })
    }

    /// Does the work. It returns whatever happens, because others wait for the work to end.
    fn run(&self, work: Work) -> Result<()> {
        let kernel = work.prepared.kernel.name();
        catch_unwind(AssertUnwindSafe(|| self.execute(work))).unwrap_or_else(|_| Err(self.failed(kernel, "the engine panicked")))
    }

    fn execute(&self, work: Work) -> Result<()> {
        let name = work.prepared.kernel.name();
        let kernel = self.kernel(&work)?;
        let (block, buffers, mut record) = (ArgumentBlock::new(&work)?, buffer_slots(&work), FailureRecord::default());
        let binding = Binding { buffers: &buffers, args: block.bytes(), failure: ptr::from_mut(&mut record).cast() };
        let (grid, threads) = (work.prepared.config.grid_dim().into(), work.prepared.config.block_dim().into());
        // SAFETY: the storage of all buffers is alive as long as `work`, and conflicting accesses wait until it is done. The buffers'
        // lengths are in the argument block, which the kernel checks its indices against. The record has 32 bytes. What the kernel requires
        // was checked, and whoever launched an unsafe kernel vouched for its contract.
        unsafe { kernel.run(&binding, grid, threads) }.map_err(|error| self.failed(name, error))?;
        record.outcome(&work)
    }

    /// The compiled kernel. The first launch of a unit compiles it, unless an earlier process did.
    fn kernel(&self, work: &Work) -> Result<Kernel> {
        let kernel = work.prepared.kernel;
        let unit = kernel.unit();
        let failed = |error: ExecError| self.failed(kernel.name(), error);
        let mut libraries = self.libraries.lock().unwrap_or_else(PoisonError::into_inner);
        let library = match libraries.get(&ptr::from_ref::<Unit>(unit).addr()) {
            Some(library) => library.clone(),
            None => {
                let manifest = unit.manifest().map_err(|reason| kernel.artifact_error(reason))?;
                let options = Options { math: manifest.math, ..Options::default() };
                let library = Library::compile(&self.compiler, &self.cache, unit.msl(), &manifest.kernels, &options).map_err(failed)?;
                libraries.insert(ptr::from_ref::<Unit>(unit).addr(), library.clone());
                library
            }
        };
        drop(libraries);
        library.kernel(&work.entry.entry).map_err(failed)
    }

    fn failed(&self, kernel: &str, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        Error::DeviceFailed { device: self.name.clone(), kernel: kernel.into(), source: source.into() }
    }
}
