//! Where imported things come from: who calls whom and where, and the place of everything that cannot be compiled.
//! Inlining forgets this, so diagnostics about what survives optimisation look here.

use std::collections::{HashMap, HashSet, VecDeque};

use metal_oxide_artifact::Position;
use metal_oxide_ir::{FunctionId, LocationId, UnsupportedId};

/// A call of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEdge {
    /// The function that calls.
    pub caller: FunctionId,
    /// The places of the call: the call itself, then the calls of the functions that MIR inlining put around it.
    pub frames: Vec<Frame>,
}

/// A place in a function, possibly one that was inlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function, as the user knows it.
    pub function: String,
    /// The place.
    pub position: Option<Position>,
    /// Whether the place is in the unit's own text.
    pub own: bool,
}

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    names: HashMap<FunctionId, String>,
    places: HashMap<FunctionId, Position>,
    callers: HashMap<FunctionId, Vec<CallEdge>>,
    unsupported: HashMap<UnsupportedId, (FunctionId, Vec<Frame>)>,
    locations: HashMap<LocationId, (FunctionId, Vec<Frame>)>,
    own_doubles: HashSet<LocationId>,
    own_functions: HashSet<FunctionId>,
}

impl Origins {
    /// Records the name of a function as the user knows it.
    pub fn add_function(&mut self, function: FunctionId, name: String) {
        self.names.insert(function, name);
    }

    /// Records a call.
    pub fn add_call(&mut self, callee: FunctionId, edge: CallEdge) {
        let edges = self.callers.entry(callee).or_default();
        if !edges.contains(&edge) {
            edges.push(edge);
        }
    }

    /// Records the place of something that cannot be compiled.
    pub fn add_unsupported(&mut self, id: UnsupportedId, function: FunctionId, frames: Vec<Frame>) {
        self.unsupported.insert(id, (function, frames));
    }

    /// Records the first use of a location.
    pub fn add_location(&mut self, id: LocationId, function: FunctionId, frames: Vec<Frame>) {
        self.locations.entry(id).or_insert((function, frames));
    }

    /// Records that a function stands in the user's own text.
    pub fn add_own_function(&mut self, id: FunctionId) {
        self.own_functions.insert(id);
    }

    /// Whether a function stands in the user's own text.
    pub fn is_own_function(&self, id: FunctionId) -> bool {
        self.own_functions.contains(&id)
    }

    /// Records that the user's own text computes in `f64` at a location.
    pub fn add_own_double(&mut self, id: LocationId) {
        self.own_doubles.insert(id);
    }

    /// Whether the user's own text computes in `f64` at a location.
    pub fn has_own_double(&self, id: LocationId) -> bool {
        self.own_doubles.contains(&id)
    }

    /// Whether a use of a location is recorded.
    pub fn knows_location(&self, id: LocationId) -> bool {
        self.locations.contains_key(&id)
    }

    /// The functions from which one of these is reached, these included.
    pub fn callers_of(&self, functions: &HashSet<FunctionId>) -> HashSet<FunctionId> {
        let mut reached = functions.clone();
        let mut queue: Vec<_> = functions.iter().copied().collect();
        while let Some(function) = queue.pop() {
            for edge in self.callers.get(&function).map(Vec::as_slice).unwrap_or_default() {
                if reached.insert(edge.caller) {
                    queue.push(edge.caller);
                }
            }
        }
        reached
    }

    /// The calls, innermost first, by which a function among `members` reaches itself.
    pub fn cycle(&self, function: FunctionId, members: &HashSet<FunctionId>) -> Vec<CallEdge> {
        let mut seen = HashSet::new();
        let mut queue = VecDeque::from([(function, Vec::new())]);
        while let Some((current, calls)) = queue.pop_front() {
            for edge in self.callers.get(&current).map(Vec::as_slice).unwrap_or_default() {
                let mut extended: Vec<CallEdge> = calls.clone();
                extended.push(edge.clone());
                if edge.caller == function {
                    return extended;
                }
                if members.contains(&edge.caller) && seen.insert(edge.caller) {
                    queue.push_back((edge.caller, extended));
                }
            }
        }
        Vec::new()
    }

    /// Where the function that a kernel runs is defined.
    pub fn place_of(&self, kernel: FunctionId) -> Option<Position> {
        self.places.get(&kernel).cloned()
    }

    /// Records where the function that a kernel runs is defined.
    pub fn add_place(&mut self, kernel: FunctionId, place: Option<Position>) {
        self.places.extend(place.map(|place| (kernel, place)));
    }

    /// The name of a function as the user knows it.
    pub fn name(&self, function: FunctionId) -> &str {
        self.names.get(&function).map_or("", String::as_str)
    }

    /// The places from something that cannot be compiled out to a kernel, innermost first.
    pub fn path_of_unsupported(&self, id: UnsupportedId) -> Vec<Frame> {
        self.unsupported.get(&id).map(|(function, frames)| self.path(*function, frames)).unwrap_or_default()
    }

    /// The places from a location's first use out to a kernel, innermost first.
    pub fn path_of_location(&self, id: LocationId) -> Vec<Frame> {
        self.locations.get(&id).map(|(function, frames)| self.path(*function, frames)).unwrap_or_default()
    }

    /// The places from a function's callers out to a kernel, innermost first.
    pub fn path_of_function(&self, id: FunctionId) -> Vec<Frame> {
        self.path(id, &[])
    }

    /// Extends a place in a function by the shortest way out to a function that nobody calls.
    fn path(&self, function: FunctionId, frames: &[Frame]) -> Vec<Frame> {
        let mut seen = HashSet::from([function]);
        let mut queue = VecDeque::from([(function, frames.to_vec())]);
        let mut longest = frames.to_vec();
        while let Some((function, path)) = queue.pop_front() {
            let callers = self.callers.get(&function).map(Vec::as_slice).unwrap_or_default();
            if callers.is_empty() {
                return path;
            }
            for edge in callers {
                if seen.insert(edge.caller) {
                    let extended: Vec<Frame> = path.iter().chain(&edge.frames).cloned().collect();
                    longest.clone_from(&extended);
                    queue.push_back((edge.caller, extended));
                }
            }
        }
        longest
    }
}
