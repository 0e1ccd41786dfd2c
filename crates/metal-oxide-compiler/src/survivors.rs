//! What is left of an optimised module that the device cannot express, as diagnostics with the way from the kernel to the place.

use std::collections::{BTreeMap, HashMap, HashSet};

use metal_oxide_artifact::{Diagnostic, DiagnosticNote};
use metal_oxide_ir::analysis::call_graph;
use metal_oxide_ir::passes::infer_spaces::SpaceConflict;
use metal_oxide_ir::passes::soften::can_soften;
use metal_oxide_ir::passes::split_wide::can_split;
use metal_oxide_ir::{FunctionId, LocationId, Module, Operation, Terminator, Type, UnsupportedId};

use crate::import::{Frame, Origins, advice};

/// How many bytes the variables of one thread may take. Metal names no limit, but memory for all threads that run at once is set aside.
const MAX_THREAD_MEMORY: u64 = 256 << 10;

/// The problems of an optimised module, in the order of the source.
///
/// `names` holds the names that functions had when they were imported: optimisation renumbers functions. What `software` there is
/// decides which types are replaced later on.
pub fn find(module: &Module, origins: &Origins, names: &HashMap<String, FunctionId>, software: Software) -> Vec<Diagnostic> {
    let search = Search { module, origins, names, software };
    let mut problems = search.unsupported();
    problems.extend(search.recursion());
    problems.extend(search.types());
    problems.extend(search.buffers());
    problems.extend(search.memory());
    sort(&mut problems);
    problems
}

/// Pointers that would have to point into two address spaces.
pub fn describe_conflicts(conflicts: &[SpaceConflict], origins: &Origins) -> Vec<Diagnostic> {
    let mut problems: Vec<Diagnostic> = conflicts
        .iter()
        .map(|conflict| {
            let (first, second) = (&conflict.first, &conflict.second);
            let message = format!("one pointer would point to {} and to {}", first.what, second.what);
            let path = conflict.location.map(|id| origins.path_of_location(id)).unwrap_or_default();
            let mut problem = located("MO0013", message, "the two meet here", &path);
            for origin in [first, second] {
                let place = origin.location.and_then(|id| origins.path_of_location(id).into_iter().find(|frame| frame.own));
                let message = format!("{} is {} memory", origin.what, origin.space);
                problem.notes.push(DiagnosticNote { level: "note".to_owned(), message, position: place.and_then(|frame| frame.position) });
            }
            let help = "choose between values instead of references: read both, then pick one";
            problem.notes.push(DiagnosticNote { level: "help".to_owned(), message: help.to_owned(), position: None });
            problem
        })
        .collect();
    sort(&mut problems);
    problems
}

/// The types that the device does not have and for which there are functions.
#[derive(Clone, Copy)]
pub struct Software {
    /// `f64`, where it is not the user's own idea.
    pub doubles: bool,
    /// Integers of 128 bits.
    pub wide_integers: bool,
}

struct Search<'a> {
    module: &'a Module,
    origins: &'a Origins,
    names: &'a HashMap<String, FunctionId>,
    software: Software,
}

impl Search<'_> {
    fn unsupported(&self) -> Vec<Diagnostic> {
        let mut found: Vec<UnsupportedId> = Vec::new();
        for function in &self.module.functions {
            found.extend(function.blocks.iter().filter_map(|block| match block.terminator {
                Terminator::Unsupported(id) => Some(id),
                _ => None,
            }));
        }
        found.sort_unstable();
        found.dedup();
        let mut problems: Vec<Diagnostic> = Vec::new();
        for id in found {
            let reason = &self.module.unsupported[id.index()];
            let mut problem = located(&reason.code, reason.message.clone(), "", &self.origins.path_of_unsupported(id));
            if let Some(help) = advice(&reason.code) {
                problem.notes.push(DiagnosticNote { level: "help".to_owned(), message: help.to_owned(), position: None });
            }
            if !problems.iter().any(|known| known.position == problem.position && known.message == problem.message) {
                problems.push(problem);
            }
        }
        problems
    }

    /// One diagnostic for each cycle of calls.
    fn recursion(&self) -> Vec<Diagnostic> {
        let recursive = call_graph::recursive_functions(self.module);
        let imported = |id: &FunctionId| self.names.get(&self.module.function(*id).name).copied();
        let members: HashSet<FunctionId> = recursive.iter().filter_map(imported).collect();
        let mut reported = HashSet::new();
        let mut problems = Vec::new();
        let mut ordered: Vec<FunctionId> = members.iter().copied().collect();
        ordered.sort_unstable();
        for id in ordered {
            if !reported.insert(id) {
                continue;
            }
            let cycle = self.origins.cycle(id, &members);
            reported.extend(cycle.iter().map(|edge| edge.caller));
            let name = self.origins.name(id);
            let message = match cycle.len() {
                0 | 1 => format!("{name} calls itself, but the GPU has no stack to return along"),
                _ => format!("{name} calls itself through other functions, but the GPU has no stack to return along"),
            };
            let path: Vec<Frame> = cycle.iter().flat_map(|edge| edge.frames.iter().cloned()).collect();
            let mut problem = located("MO0010", message, "the call that closes the circle", &path);
            let help = "write it as a loop; an array can hold what is still to do";
            problem.notes.push(DiagnosticNote { level: "help".to_owned(), message: help.to_owned(), position: None });
            problems.push(problem);
        }
        problems
    }

    /// One diagnostic for each place and type that MSL does not have.
    fn types(&self) -> Vec<Diagnostic> {
        let mut places: BTreeMap<(bool, Option<LocationId>), ()> = BTreeMap::new();
        for function in &self.module.functions {
            for block in &function.blocks {
                for &id in &block.instructions {
                    let instruction = function.instruction(id);
                    let mut types: Vec<Type> = instruction.result.map(|value| function.ty(value)).into_iter().collect();
                    instruction.operation.operands(|value| types.push(function.ty(value)));
                    if matches!(instruction.operation, Operation::Assume(_)) {
                        continue;
                    }
                    let result = instruction.result.map(|value| function.ty(value));
                    let is_softened = self.software.doubles
                        && can_soften(function, &instruction.operation, result)
                        && instruction.location.is_none_or(|id| !self.origins.has_own_double(id));
                    let is_split = self.software.wide_integers && can_split(function, &instruction.operation, result);
                    for ty in types {
                        if (ty == Type::I128 && !is_split) || (ty == Type::F64 && !is_softened) {
                            places.insert((ty == Type::F64, instruction.location), ());
                        }
                    }
                }
            }
        }
        let mut problems: Vec<Diagnostic> = Vec::new();
        for (is_double, location) in places.into_keys() {
            let (code, message, help) = if is_double {
                ("MO0011", "the GPU has no `f64`", "use `f32`; literals such as `1.0` become `f32` where one is expected")
            } else {
                ("MO0012", "the GPU has no 128-bit integers", "use `u64`, or keep the halves in two variables")
            };
            let path = location.map(|id| self.origins.path_of_location(id)).unwrap_or_default();
            let mut problem = located(code, message.to_owned(), "", &path);
            problem.notes.push(DiagnosticNote { level: "help".to_owned(), message: help.to_owned(), position: None });
            // One place of a kind says it all, the others follow from it.
            if !problems.iter().any(|known| known.code == problem.code && same_line(known, &problem)) {
                problems.push(problem);
            }
        }
        problems
    }

    /// Functions whose variables would take more memory than a thread can have.
    fn memory(&self) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        for function in &self.module.functions {
            let placed = function.blocks.iter().flat_map(|block| &block.instructions).map(|&id| function.instruction(id));
            let slots = placed.filter_map(|instruction| match instruction.operation {
                Operation::Slot(ty) => Some((self.module.ty(ty).size, self.module.ty(ty), instruction.location)),
                _ => None,
            });
            let slots: Vec<_> = slots.collect();
            let total: u64 = slots.iter().map(|(size, ..)| size).fold(0, |sum, size| sum.saturating_add(*size));
            let Some((_, largest, location)) = slots.into_iter().max_by_key(|(size, ..)| *size) else { continue };
            if total <= MAX_THREAD_MEMORY {
                continue;
            }
            let message = format!("the variables of one thread take {total} bytes, more than the {MAX_THREAD_MEMORY} that it can have");
            let path = location.map(|id| self.origins.path_of_location(id)).unwrap_or_default();
            let mut problem = located("MO0019", message, "", &path);
            let help = format!("the largest is a `{}`; large arrays belong in buffers", largest.name);
            problem.notes.push(DiagnosticNote { level: "help".to_owned(), message: help, position: None });
            problems.push(problem);
        }
        problems
    }

    fn buffers(&self) -> Vec<Diagnostic> {
        let too_many =
            self.module.kernels().filter(|(_, kernel)| metal_oxide_msl::buffer_slots(kernel) > metal_oxide_msl::MAX_BUFFER_SLOTS);
        too_many
            .map(|(_, kernel)| {
                let message = format!("the kernel `{}` takes more than {} buffers", kernel.name, metal_oxide_msl::MAX_BUFFER_SLOTS);
                let position = self.names.get(&kernel.name).and_then(|&id| self.origins.place_of(id));
                Diagnostic { code: "MO0014".to_owned(), message, position, label: String::new(), notes: Vec::new() }
            })
            .collect()
    }
}

fn same_line(a: &Diagnostic, b: &Diagnostic) -> bool {
    let line = |diagnostic: &Diagnostic| diagnostic.position.as_ref().map(|position| (position.file.clone(), position.line));
    line(a) == line(b)
}

/// A diagnostic at the innermost place of a path that the user wrote, with the calls that lead there.
fn located(code: &str, message: String, label: &str, path: &[Frame]) -> Diagnostic {
    let own = path.iter().position(|frame| frame.own);
    let mut notes = Vec::new();
    if let Some(first) = own {
        let inner = path[..first].first();
        if let Some(frame) = inner {
            let message = format!("inside {}, which is called here", frame.function);
            notes.push(DiagnosticNote { level: "note".to_owned(), message, position: None });
        }
        let mut function = &path[first].function;
        for frame in path[first + 1..].iter().filter(|frame| frame.own) {
            if frame.position.is_some() {
                let message = format!("{function} is called in {}", frame.function);
                notes.push(DiagnosticNote { level: "note".to_owned(), message, position: frame.position.clone() });
            }
            function = &frame.function;
        }
    }
    let position = own.and_then(|index| path[index].position.clone());
    Diagnostic { code: code.to_owned(), message, position, label: label.to_owned(), notes }
}

fn sort(problems: &mut [Diagnostic]) {
    problems.sort_by_key(|problem| problem.position.as_ref().map(|position| (position.file.clone(), position.line, position.column)));
}
