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
        names: &["Vec", "vec", "Box", "String", "ToString", "format", "Rc", "Arc", "VecDeque", "HashMap", "BTreeMap", "HashSet", "BTreeSet", "alloc"],
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

/// Says what an error of rustc's means for a kernel, if it means something special.
pub fn interpret(diagnostic: Diagnostic) -> Diagnostic {
    if diagnostic.code == "E0658" && diagnostic.message.starts_with("inline assembly") {
        return replaced(diagnostic, "MO0023", "inline assembly cannot be compiled for the GPU".to_owned(), "write it in Rust");
    }
    let Some(name) = quoted(&diagnostic.message) else { return diagnostic };
    let is_unknown = diagnostic.message.starts_with("cannot find") || diagnostic.message.contains("undeclared") || diagnostic.message.starts_with("unresolved import");
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

fn note(help: &str) -> DiagnosticNote {
    DiagnosticNote { level: "help".to_owned(), message: help.to_owned(), position: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interpreted(code: &str, message: &str) -> Diagnostic {
        interpret(Diagnostic { code: code.to_owned(), message: message.to_owned(), position: None, label: String::new(), notes: Vec::new() })
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
