//! The CPU device: the kernel's Rust function, compiled by the host's compiler, run over the grid by a pool of host threads.
//! It needs no artifact to run, only the manifest to check the launch.

mod block;
mod failure;
mod job;
mod pool;

use std::sync::{Arc, Mutex, PoisonError, Weak};

pub use block::{Block, RawArgument};

use self::job::Job;
use self::pool::Pool;
use super::{Backend, Work};
use crate::operation::Completion;
use crate::{DeviceKind, Error, Result};

pub(crate) struct CpuDevice {
    pool: Pool,
}

impl CpuDevice {
    /// The process's CPU device. It lives as long as somebody uses it.
    pub(crate) fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<CpuDevice>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let device = Arc::new(Self { pool: Pool::new() });
            *shared = Arc::downgrade(&device);
            device
        })
    }

    fn job(&self, work: Work, completion: Completion) -> Arc<Job> {
        failure::install_panic_hook();
        Arc::new(Job::new(work, completion, self.pool.size()))
    }
}

impl Backend for CpuDevice {
    fn kind(&self) -> DeviceKind {
        DeviceKind::Cpu
    }

    fn name(&self) -> &str {
        "CPU"
    }

    fn run(&self, work: Work) -> Result<()> {
        let completion = Completion::new();
        self.pool.run(self.job(work, completion.clone()));
        completion.take_outcome()
    }

    fn start(&self, work: Work, completion: Completion) {
        let kernel = work.prepared.kernel.name();
        let job = self.job(work, completion.clone());
        if let Err(error) = self.pool.start(&job) {
            let error = Error::DeviceFailed { device: self.name().into(), kernel: kernel.into(), source: Box::new(error) };
            completion.complete(Err(error));
        }
    }
}
