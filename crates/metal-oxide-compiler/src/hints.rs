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
            "Cow", "alloc",
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
        names: &["Mutex", "RwLock", "Condvar", "LazyLock", "OnceLock", "thread", "thread_local", "Instant", "SystemTime", "Duration"],
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

/// Modules of `std` that `core` does not have, and the family that speaks for each.
const STD_MODULES: [(&str, usize); 10] =
    [("boxed", 0), ("collections", 0), ("rc", 0), ("string", 0), ("vec", 0), ("fs", 1), ("io", 1), ("env", 2), ("os", 2), ("process", 2)];

/// Methods that slices and text have only with a heap.
const HEAP_METHODS: [&str; 8] = ["to_vec", "to_owned", "concat", "join", "repeat", "to_lowercase", "to_uppercase", "sort_by_cached_key"];

/// Sorting that keeps equal elements in their order, for which slices need a heap.
const STABLE_SORTS: [&str; 3] = ["sort", "sort_by", "sort_by_key"];

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
    if diagnostic.code == "E0658" {
        return unstable(diagnostic);
    }
    if diagnostic.code == "E0608" {
        return indexed_buffer(diagnostic);
    }
    let Some(name) = quoted(&diagnostic.message) else { return diagnostic };
    let is_unknown = diagnostic.message.starts_with("cannot find")
        || diagnostic.message.contains("undeclared")
        || diagnostic.message.starts_with("can't find crate")
        || diagnostic.message.starts_with("unresolved import");
    if is_unknown {
        let first = name.split("::").next().unwrap_or(&name).to_owned();
        if first == "std"
            && let Some((name, family)) = line_of(&diagnostic, text).and_then(named_in_std)
        {
            let message = format!("`{name}` {}", family.reason);
            return replaced(diagnostic, family.code, message, family.help);
        }
        if let Some(family) = FAMILIES.iter().find(|family| family.names.contains(&first.as_str())) {
            let message = format!("`{first}` {}", family.reason);
            return replaced(diagnostic, family.code, message, family.help);
        }
        return diagnostic;
    }
    if diagnostic.code == "E0599" { missing_method(diagnostic, &name) } else { diagnostic }
}

/// A method that the standard library has and kernels have not.
fn missing_method(mut diagnostic: Diagnostic, name: &str) -> Diagnostic {
    let receiver = diagnostic.message.split('`').nth(3).unwrap_or_default();
    let receiver = receiver.trim_start_matches(['&', ' ']).trim_start_matches("'static ").trim_start_matches("mut ");
    let is_sequence = receiver.starts_with('[') || receiver == "str";
    if receiver == "f64" {
        let help = "use `f32`; literals such as `1.0` become `f32` where one is expected";
        return replaced(diagnostic, "MO0011", "the GPU has no `f64`".to_owned(), help);
    }
    if name == "to_string" || is_sequence && HEAP_METHODS.contains(&name) {
        let family = &FAMILIES[0];
        return replaced(diagnostic, family.code, format!("`{name}` {}", family.reason), family.help);
    }
    if is_sequence && STABLE_SORTS.contains(&name) {
        let message = format!("`{name}` {}", FAMILIES[0].reason);
        let help = format!("`{}` sorts in place", name.replacen("sort", "sort_unstable", 1));
        return replaced(diagnostic, FAMILIES[0].code, message, &help);
    }
    if FLOAT_METHODS.contains(&name) {
        let help = "kernels have `core`'s methods and those that Metal's standard library has; the crate `libm` has the others";
        diagnostic.notes.push(note(help));
    }
    diagnostic
}

/// What rustc advises for unstable features, an attribute of the crate, does not help a kernel.
fn unstable(diagnostic: Diagnostic) -> Diagnostic {
    let is_float = ["f16", "f128"].iter().any(|name| quoted(&diagnostic.message).as_deref() == Some(name));
    let help = if is_float { "compute in `f32`" } else { "kernels are written in stable Rust" };
    Diagnostic { notes: vec![note(help)], ..diagnostic }
}

/// A buffer is not a slice, but it has one.
fn indexed_buffer(mut diagnostic: Diagnostic) -> Diagnostic {
    if diagnostic.message.contains("::ReadBuffer<") {
        diagnostic.notes.push(note("index its slice: `.as_slice()[i]`"));
    } else if diagnostic.message.contains("::DisjointBuffer<") {
        diagnostic.notes.push(note("`.get_mut(&thread_index())` gives a thread its own element, and no other thread can reach it"));
    }
    diagnostic
}

/// The first name behind `std::` in a line that belongs to a family. Items say more than modules do.
fn named_in_std(line: &str) -> Option<(&str, &'static Family)> {
    let (_, path) = line.split_once("std::")?;
    // `core` has this one too.
    let names = || path.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| *name != "Duration");
    let item = names().find_map(|name| Some((name, FAMILIES[..3].iter().find(|family| family.names.contains(&name))?)));
    let module = || names().find_map(|name| Some((name, &FAMILIES[STD_MODULES.iter().find(|(module, _)| *module == name)?.1])));
    item.or_else(module)
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
    use metal_oxide_artifact::Position;

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
    fn paths_into_std_are_explained_by_what_they_name() {
        let position = Position { file: "k.rs".into(), line: 1, column: 1, end_line: 1, end_column: 2 };
        let message = |text: &str| {
            let message = "cannot find module or crate `std` in this scope".to_owned();
            let position = Some(position.clone());
            interpret(Diagnostic { code: "E0433".to_owned(), message, position, label: String::new(), notes: Vec::new() }, text).message
        };
        assert_eq!(message("std::fs::read(x)"), "`fs` needs input or output, which kernels do not have");
        assert_eq!(message("use std::{mem, rc::Rc};"), "`Rc` needs a heap, which the GPU does not have");
        assert_eq!(message("std::mem::swap(a, b)"), "`std` needs an operating system, which kernels do not have");
    }

    #[test]
    fn methods_that_need_a_heap_are_explained() {
        let sort = interpreted("E0599", "no method named `sort` found for array `[u32; 4]` in the current scope");
        assert_eq!((sort.code.as_str(), sort.notes[0].message.as_str()), ("MO0015", "`sort_unstable` sorts in place"));
        let own = interpreted("E0599", "no method named `join` found for struct `Sets` in the current scope");
        assert_eq!(own.code, "E0599");
        assert_eq!(interpreted("E0599", "no method named `sqrt` found for type `f64` in the current scope").code, "MO0011");
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
