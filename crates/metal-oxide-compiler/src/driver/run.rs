//! One run of rustc inside this process.
//! Errors in the code come back as diagnostics, and whatever else goes wrong, panics included, as an internal error.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use metal_oxide_artifact::Diagnostic;
use rustc_driver::{Callbacks, Compilation, run_compiler};
use rustc_interface::interface::{Compiler, Config};
use rustc_middle::ty::TyCtxt;

use super::{Collected, UnitLoader};

/// What to compile and what to do with it.
pub struct Session<F> {
    /// rustc's arguments, without the program's name.
    pub arguments: Vec<String>,
    /// The text to compile in place of the input file; without one, files are read from disk.
    pub loader: Option<UnitLoader>,
    /// Called once the crate is known to be correct.
    pub analysed: Option<F>,
}

/// Why a run failed.
#[derive(Debug)]
pub enum Failure {
    /// The code is wrong.
    Rejected(Vec<Diagnostic>),
    /// This compiler, its installation or rustc is wrong.
    Internal(String),
}

/// Runs rustc and gives back what `analysed` returned.
///
/// With an `analysed` function the run ends there; without one, rustc writes the outputs that its arguments ask for.
pub fn run<T: Send, F: FnOnce(TyCtxt<'_>) -> T + Send>(session: Session<F>) -> Result<Option<T>, Failure> {
    let collected = Collected::default();
    let mut arguments = vec!["metal-oxide-compiler".to_owned()];
    arguments.extend(session.arguments);
    let mut callbacks = Hooks { collected: collected.clone(), loader: session.loader, analysed: session.analysed, result: None };
    let panicked = capture_panic(|| rustc_driver::catch_fatal_errors(|| run_compiler(&arguments, &mut callbacks)).is_err());
    let errors = collected.take_errors();
    if !errors.is_empty() {
        return Err(Failure::Rejected(errors));
    }
    let mut problems = collected.take_bugs();
    match panicked {
        Ok(false) if problems.is_empty() => return Ok(callbacks.result),
        Ok(_) => {}
        Err(message) => problems.push(message),
    }
    if problems.is_empty() {
        problems.push("rustc stopped without a message".to_owned());
    }
    Err(Failure::Internal(problems.join("\n")))
}

struct Hooks<T, F> {
    collected: Collected,
    loader: Option<UnitLoader>,
    analysed: Option<F>,
    result: Option<T>,
}

impl<T, F: FnOnce(TyCtxt<'_>) -> T> Callbacks for Hooks<T, F> {
    fn config(&mut self, config: &mut Config) {
        if let Some(loader) = self.loader.take() {
            config.file_loader = Some(Box::new(loader));
        }
        let collected = self.collected.clone();
        config.psess_created = Some(Box::new(move |session| {
            let sources = session.clone_source_map();
            session.dcx().set_emitter(collected.emitter(sources));
        }));
    }

    fn after_analysis<'tcx>(&mut self, _compiler: &Compiler, tcx: TyCtxt<'tcx>) -> Compilation {
        match self.analysed.take() {
            Some(analysed) => {
                self.result = Some(analysed(tcx));
                Compilation::Stop
            }
            None => Compilation::Continue,
        }
    }
}

/// Runs `body` and gives back the message of its panic, if it panics, instead of having it printed: the user sees one clean message.
///
/// # Errors
/// The panic's message.
pub fn capture_panic<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    let message = Arc::new(Mutex::new(None));
    let sink = Arc::clone(&message);
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let mut sink = sink.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // The first panic is the cause; later ones come from unwinding through rustc.
        sink.get_or_insert_with(|| {
            let backtrace = std::backtrace::Backtrace::capture();
            let frames = match backtrace.status() {
                std::backtrace::BacktraceStatus::Captured => format!("\n{backtrace}"),
                _ => String::new(),
            };
            format!("{info}{frames}")
        });
    }));
    let result = catch_unwind(AssertUnwindSafe(body));
    std::panic::set_hook(previous);
    result.map_err(|_| {
        let message = message.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        message.unwrap_or_else(|| "rustc stopped without a message".to_owned())
    })
}
