//! What the device cannot express: the reasons, their codes, and how a use of one is left in the imported code.
//! Most such uses are dead and vanish; those that survive optimisation become diagnostics.

use metal_oxide_ir::{Terminator, Unsupported};

use super::body::FunctionImporter;

/// Why code cannot be compiled. The codes are explained in `metal-oxide-artifact/explanations`.
#[derive(Clone, Copy, Debug)]
pub enum Reason<'a> {
    /// A call through a function pointer, or another use of what it points to.
    FunctionPointer(&'a str),
    /// A method call on a trait object, or another use of its table.
    TraitObject(&'a str),
    /// A call of a function that no Rust code defines.
    Foreign(&'a str),
    /// Inline assembly.
    Assembly,
    /// A `static` of another language.
    ForeignStatic(&'a str),
    /// A `static` that can change.
    MutableStatic(&'a str),
    /// A thread-local variable.
    ThreadLocal,
    /// A function of rustc's that has no form on the device.
    Intrinsic(&'a str),
    /// Arithmetic on `f128`.
    Float128,
    /// A coroutine.
    Coroutine,
    /// An atomic operation.
    Atomic(&'a str),
}

impl Reason<'_> {
    /// The code and the message.
    fn describe(self) -> (&'static str, String) {
        match self {
            Reason::FunctionPointer(what) => ("MO0020", format!("{what} is not possible in a kernel: the GPU has no function pointers")),
            Reason::TraitObject(what) => {
                ("MO0021", format!("{what} is not possible in a kernel: the GPU cannot call through a trait object"))
            }
            Reason::Foreign(name) => ("MO0022", format!("the foreign function `{name}` cannot be called in a kernel")),
            Reason::Assembly => ("MO0023", "inline assembly cannot be compiled for the GPU".to_owned()),
            Reason::MutableStatic(name) => ("MO0024", format!("the static `{name}` can change, so kernels cannot use it")),
            Reason::ForeignStatic(name) => ("MO0024", format!("the foreign static `{name}` cannot be used in a kernel")),
            Reason::ThreadLocal => ("MO0024", "thread-local variables cannot be used in a kernel".to_owned()),
            Reason::Intrinsic(name) => ("MO0025", format!("the compiler intrinsic `{name}` has no form on the GPU")),
            Reason::Float128 => ("MO0026", "arithmetic on `f128` is not possible on the GPU".to_owned()),
            Reason::Coroutine => ("MO0027", "coroutines and `async` code cannot be compiled for the GPU".to_owned()),
            Reason::Atomic(name) => ("MO0028", format!("the atomic operation `{name}` is not supported in kernels yet")),
        }
    }
}

/// What to write instead, by code.
pub fn advice(code: &str) -> Option<&'static str> {
    Some(match code {
        "MO0020" => "take the function as a generic parameter, `f: impl Fn(f32) -> f32`, or choose with `match` and call each by its name",
        "MO0021" => "take the value as a generic parameter, `shape: &impl Shape`, or make an enum of the types and `match` on it",
        "MO0022" => "write it in Rust, or use a `no_std` crate that does",
        "MO0023" => "write it in Rust",
        "MO0024" => "threads share what is in buffers; a `const` or a `static` without `mut` can hold a table",
        "MO0027" => "a kernel runs to its end: write a loop, or launch a second kernel",
        _ => return None,
    })
}

impl FunctionImporter<'_, '_> {
    /// Ends the current block: what comes here cannot be compiled. What follows is never executed.
    pub fn unsupported(&mut self, reason: Reason<'_>) {
        let (code, message) = reason.describe();
        let id = self.cx.module.add_unsupported(Unsupported { code: code.to_owned(), message });
        let frames = self.frames(self.source);
        self.cx.origins.add_unsupported(id, self.id, frames);
        self.terminate(Terminator::Unsupported(id));
        self.go_on_unreached();
    }
}
