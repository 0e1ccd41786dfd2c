//! What rustc's errors mean for a kernel: names that `std` has and kernels have not get an error of their own.
//! rustc only says that it does not know them, and suggests imports that would not help.

use metal_oxide_artifact::{Diagnostic, DiagnosticNote};

/// A family of names that newcomers try.
struct Family {
    code: &'static str,
    names: &'static [&'static str],
    reason: &'static str,
    help: &'static str,
}

const FAMILIES: [Family; 4] = [
    Family {
        code: "MO0015",
        names: &[
            "Vec", "vec", "Box", "String", "ToString", "format", "Rc", "Arc", "VecDeque", "HashMap", "BTreeMap", "HashSet", "BTreeSet",
            "alloc",
        ],
        reason: "needs a heap, which the GPU does not have",
        help: "an array such as `[f32; 16]` is kept in the thread's own memory; results go to buffers that the host has made",
    },
    Family {
        code: "MO0016",
        names: &["println", "print", "eprintln", "eprint", "dbg", "File", "stdin", "stdout"],
        reason: "needs input or output, which kernels do not have",
        help: "write values to a buffer and print them on the host; kernels also run as ordinary functions on the CPU device",
    },
    Family {
        code: "MO0016",
        names: &["Mutex", "RwLock", "Condvar", "thread", "Instant", "SystemTime", "Duration"],
        reason: "needs an operating system, which kernels do not have",
        help: "a kernel is one thread of many; what threads share is in buffers",
    },
    Family {
        code: "MO0016",
        names: &["std"],
        reason: "needs an operating system, which kernels do not have",
        help: "most of what does not need one is in `core` under the same path",
    },
];

/// Methods that the standard library adds to floats and kernels do not have.
const FLOAT_METHODS: [&str; 9] = ["cbrt", "hypot", "exp_m1", "ln_1p", "asinh", "acosh", "atanh", "gamma", "ln_gamma"];

/// Says what an error of rustc's in a unit's text means for a kernel, if it means something special.
pub fn interpret(diagnostic: Diagnostic, text: &str) -> Diagnostic {
    if diagnostic.code == "E0658" && diagnostic.message.starts_with("inline assembly") {
        return replaced(diagnostic, "MO0023", "inline assembly cannot be compiled for the GPU".to_owned(), "write it in Rust");
    }
    if diagnostic.code == "E0726" && line_of(&diagnostic, text).is_some_and(|line| line.contains("async fn")) {
        // The lifetime of a buffer parameter may be left out, except in an `async` function, which a kernel cannot be anyway.
        let help = "the launch function that the attribute makes can be awaited; the kernel itself runs to its end";
        return replaced(diagnostic, "MO0003", "a kernel cannot be `async`".to_owned(), help);
    }
    if diagnostic.code == "E0072" {
        let help = "kernels have no heap to put the inner value on: keep the values in an array and refer to them by index";
        return replaced_help(diagnostic, help);
    }
    let Some(name) = quoted(&diagnostic.message) else { return diagnostic };
    let is_unknown = diagnostic.message.starts_with("cannot find")
        || diagnostic.message.contains("undeclared")
        || diagnostic.message.starts_with("unresolved import");
    if is_unknown {
        let first = name.split("::").next().unwrap_or(&name).to_owned();
        if let Some(family) = FAMILIES.iter().find(|family| family.names.contains(&first.as_str())) {
            let message = format!("`{first}` {}", family.reason);
            return replaced(diagnostic, family.code, message, family.help);
        }
        return diagnostic;
    }
    if diagnostic.code == "E0599" && FLOAT_METHODS.contains(&name.as_str()) {
        let help = "kernels have `core`'s methods and those that Metal's standard library has; the crate `libm` has the others";
        let mut diagnostic = diagnostic;
        diagnostic.notes.push(note(help));
        return diagnostic;
    }
    diagnostic
}

/// The first name in backticks.
fn quoted(message: &str) -> Option<String> {
    let (_, rest) = message.split_once('`')?;
    let (name, _) = rest.split_once('`')?;
    Some(name.to_owned())
}

fn replaced(diagnostic: Diagnostic, code: &str, message: String, help: &str) -> Diagnostic {
    Diagnostic { code: code.to_owned(), message, label: String::new(), notes: vec![note(help)], ..diagnostic }
}

/// The diagnostic with another remedy than rustc's.
fn replaced_help(diagnostic: Diagnostic, help: &str) -> Diagnostic {
    let notes = diagnostic.notes.into_iter().filter(|note| note.level != "help").chain([note(help)]).collect();
    Diagnostic { notes, ..diagnostic }
}

/// The line of the unit that a diagnostic is about.
fn line_of<'a>(diagnostic: &Diagnostic, text: &'a str) -> Option<&'a str> {
    let line = diagnostic.position.as_ref()?.line;
    text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)
}

fn note(help: &str) -> DiagnosticNote {
    DiagnosticNote { level: "help".to_owned(), message: help.to_owned(), position: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interpreted(code: &str, message: &str) -> Diagnostic {
        let (code, message) = (code.to_owned(), message.to_owned());
        interpret(Diagnostic { code, message, position: None, label: String::new(), notes: Vec::new() }, "")
    }

    #[test]
    fn names_of_std_are_explained() {
        assert_eq!(interpreted("E0433", "cannot find type `Vec` in this scope").message, "`Vec` needs a heap, which the GPU does not have");
        assert_eq!(interpreted("", "cannot find macro `println` in this scope").code, "MO0016");
        assert_eq!(interpreted("E0432", "unresolved import `std::time`").code, "MO0016");
        assert_eq!(interpreted("E0433", "cannot find module or crate `std` in this scope").code, "MO0016");
    }

    #[test]
    fn other_errors_stay_as_they_are() {
        assert_eq!(interpreted("E0425", "cannot find function `helper` in this scope").code, "E0425");
        assert_eq!(interpreted("E0308", "mismatched types").message, "mismatched types");
    }

    #[test]
    fn missing_float_methods_get_a_hint() {
        let diagnostic = interpreted("E0599", "no method named `cbrt` found for type `f32` in the current scope");
        assert_eq!(diagnostic.code, "E0599");
        assert_eq!(diagnostic.notes.len(), 1);
    }
}
