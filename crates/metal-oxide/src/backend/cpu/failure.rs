//! Panics in kernels as failures of a launch: the first one wins, and nothing is printed.
//! A panic hook notes the place and the message of a panic in a kernel; panics elsewhere go to the hook that was there before.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::{Once, OnceLock};
use std::{mem, thread};

use metal_oxide_artifact::{FailureKind, KernelEntry};
use metal_oxide_device::host;

use crate::Error;
use crate::device::Dim3;

/// The failures of one launch, of which only the first is kept.
#[derive(Default)]
pub(crate) struct Failures {
    first: OnceLock<Failure>,
}

struct Failure {
    message: String,
    /// Unknown if the program has replaced the panic hook.
    place: Option<Place>,
    thread: Dim3,
    block: Dim3,
}

struct Place {
    file: String,
    line: u32,
    column: u32,
}

thread_local! {
    /// Where the last panic in a kernel on this host thread happened.
    static LAST_PLACE: RefCell<Option<Place>> = const { RefCell::new(None) };
}

impl Failures {
    /// Notes that a thread panicked.
    pub(super) fn record(&self, payload: Box<dyn Any + Send>, thread: Dim3, block: Dim3) {
        let place = LAST_PLACE.take();
        self.first.get_or_init(|| Failure { message: message_of(&*payload), place, thread, block });
        // A payload can be any value, and dropping it can panic again; then it is leaked.
        if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            mem::forget(second);
            LAST_PLACE.take();
        }
    }

    /// The first failure as an error of the kernel `name`, whose source file is `file`.
    pub(super) fn to_error(&self, name: &str, file: &str, entry: &KernelEntry) -> Option<Error> {
        let Failure { message, place, thread, block } = self.first.get()?;
        let unknown = Place { file: file.into(), line: 0, column: 0 };
        let Place { file, line, column } = place.as_ref().unwrap_or(&unknown);
        // The compiler knows more about the place than the message tells: `expect` panics with nothing but the program's own words.
        let site = entry.sites.iter().find(|site| (site.line, site.column) == (*line, *column));
        Some(Error::KernelFailed {
            kernel: name.into(),
            file: file.clone(),
            line: *line,
            column: *column,
            kind: site.map_or_else(|| kind_of(message), |site| site.kind),
            message: message.clone(),
            thread: (*thread).into(),
            block: (*block).into(),
        })
    }
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "it panicked with a value that is no message".to_owned()
    }
}

/// The kind of failure that one of the standard library's messages tells of.
fn kind_of(message: &str) -> FailureKind {
    let starts_with = |beginnings: &[&str]| beginnings.iter().any(|beginning| message.starts_with(beginning));
    if starts_with(&["index out of bounds", "range start index", "range end index", "slice index starts at", "mid > len"]) {
        FailureKind::Bounds
    } else if starts_with(&["attempt to divide by zero", "attempt to calculate the remainder with a divisor of zero"]) {
        FailureKind::DivisionByZero
    } else if message.starts_with("attempt to ") && message.ends_with("overflow") {
        FailureKind::Overflow
    } else if starts_with(&["called `Option::unwrap", "called `Result::unwrap"]) {
        FailureKind::Unwrap
    } else {
        FailureKind::Panic
    }
}

/// Makes panics in kernels silent, once for the whole process.
pub(super) fn install_panic_hook() {
    static INSTALLED: Once = Once::new();
    // The hook cannot be changed while this thread panics; the next launch will do it.
    if INSTALLED.is_completed() || thread::panicking() {
        return;
    }
    INSTALLED.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // A program that aborts on panics has to say why while it can.
            if cfg!(panic = "abort") || !note_panic_in_kernel(info) {
                previous(info);
            }
        }));
    });
}

/// Notes the place of a panic, if it happens in a kernel.
fn note_panic_in_kernel(info: &PanicHookInfo<'_>) -> bool {
    if !host::is_running() {
        return false;
    }
    let place = info.location().map(|place| Place { file: place.file().to_owned(), line: place.line(), column: place.column() });
    LAST_PLACE.try_with(|last| *last.borrow_mut() = place).is_ok()
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn the_messages_of_the_standard_library_tell_the_kind() {
        /// The kind of the panic that `cause` makes.
        fn kind<R>(cause: impl FnOnce() -> R) -> FailureKind {
            let payload = catch_unwind(AssertUnwindSafe(cause)).map(|_| ()).expect_err("it panics");
            kind_of(&message_of(&*payload))
        }

        let (zero, none, elements) = (black_box(0_usize), black_box(0_i32), black_box(vec![1, 2, 3]));
        let slice = &elements[..];
        assert_eq!(kind(|| slice[3 + zero]), FailureKind::Bounds);
        assert_eq!(kind(|| slice[2..4 + zero].len()), FailureKind::Bounds);
        assert_eq!(kind(|| slice[4 + zero..].len()), FailureKind::Bounds);
        assert_eq!(kind(|| slice[2 + zero..1].len()), FailureKind::Bounds);
        assert_eq!(kind(|| slice.split_at(4 + zero)), FailureKind::Bounds);
        assert_eq!(kind(|| 1 / none), FailureKind::DivisionByZero);
        assert_eq!(kind(|| 1 % none), FailureKind::DivisionByZero);
        assert_eq!(kind(|| (i32::MIN + none) / (none - 1)), FailureKind::Overflow);
        assert_eq!(kind(|| zero.checked_sub(1).unwrap()), FailureKind::Unwrap);
        assert_eq!(kind(|| "x".parse::<i32>().unwrap()), FailureKind::Unwrap);
        assert_eq!(kind(|| assert_eq!(zero, 1)), FailureKind::Panic);
        assert_eq!(kind(|| std::panic::panic_any(1)), FailureKind::Panic);
    }
}
