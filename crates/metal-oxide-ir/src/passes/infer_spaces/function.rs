//! Solves one function: which pointers share a region, and which pointers the memory of a region holds.

use std::collections::HashMap;

use super::Origin;
use super::regions::{Pattern, Pointer, Regions, joined};
use crate::analysis::ControlFlow;
use crate::{
    BinaryOperator, CastOperator, Constant, Function, FunctionId, FunctionKind, GlobalId, InstructionId, KernelParameter,
    KernelParameterKind, LocationId, MemoryKind, Module, Operation, Space, Terminator, Type, TypeId, ValueId,
};

/// What is known of a function's pointers.
pub(super) struct Solved {
    pub(super) regions: Regions,
    /// The pointers among the values, by value.
    pub(super) pointers: Vec<Option<Pointer>>,
    /// What the function returns, if that is a pointer.
    pub(super) result: Option<Pointer>,
    /// Roots behind parameters and the result whose space the caller decides, in a fixed order.
    pub(super) open: Vec<usize>,
    /// For each call, the region of this function that each of the callee's open roots has become.
    pub(super) calls: HashMap<InstructionId, HashMap<usize, usize>>,
}

pub(super) fn solve(module: &Module, id: FunctionId, solved: &[Option<Solved>]) -> Solved {
    let function = module.function(id);
    let flow = ControlFlow::new(function);
    let mut solver = Solver {
        module,
        function,
        solved,
        regions: Regions::default(),
        pointers: vec![None; function.value_count()],
        globals: HashMap::new(),
        result: None,
        calls: HashMap::new(),
    };
    solver.add_values(&flow);
    solver.add_origins(&flow);
    // Every round only merges regions, widens patterns or adds cells, of which there are finitely many.
    loop {
        let version = solver.regions.version;
        for &block in flow.reverse_postorder() {
            for &instruction in &function.block(block).instructions {
                solver.instruction(instruction);
            }
            solver.terminator(&function.block(block).terminator, function.block(block).location);
        }
        solver.constant_contents();
        if solver.regions.version == version {
            break;
        }
    }
    let open = solver.open();
    let Solver { regions, pointers, result, calls, .. } = solver;
    let calls = calls.into_iter().map(|(instruction, call)| (instruction, call.regions)).collect();
    Solved { regions, pointers, result, open, calls }
}

struct Solver<'a> {
    module: &'a Module,
    function: &'a Function,
    solved: &'a [Option<Solved>],
    regions: Regions,
    pointers: Vec<Option<Pointer>>,
    globals: HashMap<GlobalId, usize>,
    result: Option<Pointer>,
    calls: HashMap<InstructionId, Call>,
}

/// How a callee's regions look to this function.
#[derive(Default)]
struct Call {
    /// The region that each of the callee's roots has become.
    regions: HashMap<usize, usize>,
    /// Where the start of each of the callee's roots lies in that region.
    shifts: HashMap<usize, Option<Pattern>>,
}

impl Solver<'_> {
    /// Gives every pointer a region of its own.
    fn add_values(&mut self, flow: &ControlFlow) {
        for &block in flow.reverse_postorder() {
            for &parameter in &self.function.block(block).parameters {
                let at_start = block == self.function.entry();
                self.add_value(parameter, at_start);
            }
            for &instruction in &self.function.block(block).instructions {
                let instruction = self.function.instruction(instruction);
                if let Some(result) = instruction.result {
                    let at_start = matches!(instruction.operation, Operation::Slot(_) | Operation::Cast(CastOperator::IntegerToPointer, _));
                    self.add_value(result, at_start);
                }
            }
        }
        if self.function.result.is_some_and(Type::is_pointer) {
            self.result = Some(Pointer { region: self.regions.add(), pattern: None });
        }
    }

    fn add_value(&mut self, value: ValueId, at_start: bool) {
        let Type::Pointer(space) = self.function.ty(value) else { return };
        let region = self.regions.add();
        self.pointers[value.index()] = Some(Pointer { region, pattern: at_start.then_some(Pattern::START) });
        if space != Space::Generic && !self.function.parameters().contains(&value) {
            self.regions.set_origin(region, Origin { space, what: format!("{space} memory"), location: None }, None);
        }
    }

    /// Notes where memory comes from: parameters and slots. Constant tables follow where they are used.
    fn add_origins(&mut self, flow: &ControlFlow) {
        if let FunctionKind::Kernel { parameters } = &self.function.kind {
            let arrivals = parameters.iter().flat_map(|parameter| match parameter.kind {
                KernelParameterKind::Buffer { .. } => vec![Some(parameter), None],
                _ => vec![Some(parameter)],
            });
            for (&value, parameter) in self.function.parameters().iter().zip(arrivals) {
                if let (Some(pointer), Some(parameter)) = (self.pointers[value.index()], parameter) {
                    self.regions.set_origin(pointer.region, parameter_origin(parameter), None);
                }
            }
        } else {
            for &value in self.function.parameters() {
                if let (Type::Pointer(space), Some(pointer)) = (self.function.ty(value), self.pointers[value.index()])
                    && space != Space::Generic
                {
                    self.regions.set_origin(pointer.region, Origin { space, what: format!("{space} memory"), location: None }, None);
                }
            }
        }
        for &block in flow.reverse_postorder() {
            for &instruction in &self.function.block(block).instructions {
                let instruction = self.function.instruction(instruction);
                if let (Operation::Slot(_), Some(result)) = (&instruction.operation, instruction.result)
                    && let Some(pointer) = self.pointers[result.index()]
                {
                    let what = self.function.name(result).map_or("a local variable".into(), |name| format!("the variable `{name}`"));
                    let origin = Origin { space: Space::Thread, what, location: instruction.location };
                    self.regions.set_origin(pointer.region, origin, instruction.location);
                }
            }
        }
    }

    /// The pointer that a value is. Integers as addresses, and undefined ones, fit every space and are none.
    fn pointer(&mut self, value: ValueId) -> Option<Pointer> {
        match self.function.constant(value) {
            Some(Constant::Global(global)) => {
                if let Some(&region) = self.globals.get(&global) {
                    return Some(Pointer { region, pattern: Some(Pattern::START) });
                }
                let pointer = self.regions.start();
                self.globals.insert(global, pointer.region);
                let what = format!("the constant `{}`", self.module.globals[global.index()].name);
                self.regions.set_origin(pointer.region, Origin { space: Space::Constant, what, location: None }, None);
                Some(pointer)
            }
            Some(_) => None,
            None => self.pointers[value.index()],
        }
    }

    /// Makes `to` a pointer that may be `from` moved by `by`.
    fn flow(&mut self, from: ValueId, to: ValueId, by: Pattern, location: Option<LocationId>) {
        let (Some(from), Some(to_pointer)) = (self.pointer(from), self.pointer(to)) else { return };
        self.regions.union(from.region, to_pointer.region, location);
        self.widen(to, from.pattern.map(|pattern| pattern.plus(by)));
    }

    fn widen(&mut self, value: ValueId, pattern: Option<Pattern>) {
        if let Some(pointer) = &mut self.pointers[value.index()] {
            let joined = joined(pointer.pattern, pattern);
            if joined != pointer.pattern {
                pointer.pattern = joined;
                self.regions.version += 1;
            }
        }
    }

    fn instruction(&mut self, id: InstructionId) {
        let instruction = self.function.instruction(id);
        let location = instruction.location;
        match (&instruction.operation, instruction.result) {
            (Operation::Select(_, a, b), Some(result)) => {
                self.flow(*a, result, Pattern::START, location);
                self.flow(*b, result, Pattern::START, location);
            }
            (Operation::Cast(CastOperator::Space, a), Some(result)) => self.flow(*a, result, Pattern::START, location),
            (Operation::Cast(CastOperator::IntegerToPointer, a), Some(result)) => {
                if let Some(source) = self.pointer_behind(*a, 8) {
                    self.flow(source, result, Pattern::every(1), location);
                }
            }
            (Operation::Element { base, index, ty }, Some(result)) => {
                let by = self.distance(*index, self.module.ty(*ty).size);
                self.flow(*base, result, by, location);
            }
            (Operation::Offset { base, bytes }, Some(result)) => {
                let by = self.distance(*bytes, 1);
                self.flow(*base, result, by, location);
            }
            (Operation::Field { base, ty, field }, Some(result)) => {
                let offset = match &self.module.ty(*ty).kind {
                    MemoryKind::Struct { fields } => fields[*field as usize].offset,
                    _ => 0,
                };
                self.flow(*base, result, Pattern::exactly(offset as i64), location);
            }
            (Operation::Load(from), Some(result)) => self.load(*from, result, location),
            (Operation::Store { pointer, value }, _) => self.store(*pointer, *value, location),
            (Operation::Copy { to, from, bytes, .. }, _) => self.copy(*to, *from, *bytes, location),
            (Operation::Call(callee, arguments), result) => self.call(id, *callee, arguments, result, location),
            _ => {}
        }
    }

    fn terminator(&mut self, terminator: &Terminator, location: Option<LocationId>) {
        if let (Terminator::Return(Some(value)), Some(result)) = (terminator, self.result)
            && let Some(pointer) = self.pointer(*value)
        {
            self.regions.union(pointer.region, result.region, location);
            let widened = joined(result.pattern, pointer.pattern);
            if widened != result.pattern {
                self.result = Some(Pointer { region: result.region, pattern: widened });
                self.regions.version += 1;
            }
        }
        for target in terminator.targets() {
            let parameters = self.function.block(target.block).parameters.iter();
            for (&parameter, &argument) in parameters.zip(&target.arguments) {
                self.flow(argument, parameter, Pattern::START, location);
            }
        }
    }

    /// How far `index` elements of a size reach.
    fn distance(&self, index: ValueId, size: u64) -> Pattern {
        match self.function.constant(index).and_then(Constant::as_signed) {
            Some(index) => Pattern::exactly((index as i64).wrapping_mul(size as i64)),
            None => Pattern::every(size),
        }
    }

    /// The pointer from whose address an integer is computed, if there is only one.
    fn pointer_behind(&self, value: ValueId, depth: usize) -> Option<ValueId> {
        use BinaryOperator::{Add, And, Or, Sub, Xor};
        if depth == 0 {
            return None;
        }
        match self.function.defining_operation(value)? {
            Operation::Cast(CastOperator::PointerToInteger, pointer) => Some(*pointer),
            Operation::Binary(Add | Sub | And | Or | Xor, a, b) => {
                match (self.pointer_behind(*a, depth - 1), self.pointer_behind(*b, depth - 1)) {
                    (Some(pointer), None) | (None, Some(pointer)) => Some(pointer),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn load(&mut self, from: ValueId, result: ValueId, location: Option<LocationId>) {
        let Some(pointer) = self.pointers[result.index()] else { return };
        let Some((region, place)) = self.place(from) else { return };
        let content = self.regions.content(region, place, location);
        self.regions.union(content.region, pointer.region, location);
        self.widen(result, content.pattern);
    }

    fn store(&mut self, to: ValueId, value: ValueId, location: Option<LocationId>) {
        if !self.function.ty(value).is_pointer() {
            return;
        }
        let Some((region, place)) = self.place(to) else { return };
        let content = self.regions.content(region, place, location);
        if let Some(pointer) = self.pointer(value) {
            self.regions.union(content.region, pointer.region, location);
            self.regions.widen_content(region, place, pointer.pattern);
        }
    }

    /// The place that a value points to, once that is known.
    fn place(&mut self, value: ValueId) -> Option<(usize, Pattern)> {
        let pointer = self.pointer(value)?;
        Some((pointer.region, pointer.pattern?))
    }

    /// Lets the pointers in the copied bytes flow.
    fn copy(&mut self, to: ValueId, from: ValueId, bytes: u64, location: Option<LocationId>) {
        let (Some((from, start)), Some((to, target))) = (self.place(from), self.place(to)) else { return };
        if bytes < 8 {
            return;
        }
        for cell in self.regions.cells(from).to_vec() {
            let distance = cell.place.minus(start);
            if distance.stays_outside(bytes - 7) {
                continue;
            }
            let place = target.plus(distance);
            let content = self.regions.content(to, place, location);
            self.regions.union(content.region, cell.content.region, location);
            self.regions.widen_content(to, place, cell.content.pattern);
        }
    }

    fn call(
        &mut self,
        id: InstructionId,
        callee: FunctionId,
        arguments: &[ValueId],
        result: Option<ValueId>,
        location: Option<LocationId>,
    ) {
        // Recursive functions are refused elsewhere.
        let Some(solved) = &self.solved[callee.index()] else { return };
        let mut call = self.calls.remove(&id).unwrap_or_default();
        let mut pending: Vec<usize> = Vec::new();
        let callee = self.module.function(callee);
        for (&argument, &parameter) in arguments.iter().zip(callee.parameters()) {
            let Some(inner) = solved.pointers[parameter.index()] else { continue };
            let root = solved.regions.find(inner.region);
            let region = self.outer(&mut call, solved, root, location);
            if let Some(outer) = self.pointer(argument) {
                self.regions.union(outer.region, region, location);
                self.shift(&mut call, root, outer.pattern);
            } else {
                // An integer as an address starts a region of its own.
                self.shift(&mut call, root, Some(Pattern::START));
            }
            pending.push(root);
        }
        if let Some(inner) = solved.result {
            let root = solved.regions.find(inner.region);
            self.outer(&mut call, solved, root, location);
            pending.push(root);
        }
        self.match_cells(&mut call, solved, pending, location);
        if let (Some(inner), Some(result)) = (solved.result, result)
            && let Some(outer) = self.pointers[result.index()]
        {
            let root = solved.regions.find(inner.region);
            self.regions.union(outer.region, call.regions[&root], location);
            let start = call.shifts.get(&root).copied().flatten().or_else(|| solved.regions.space(root).map(|_| Pattern::START));
            self.widen(result, start.and_then(|start| Some(start.plus(inner.pattern?))));
        }
        self.calls.insert(id, call);
    }

    /// This function's region for one of the callee's roots.
    fn outer(&mut self, call: &mut Call, solved: &Solved, root: usize, location: Option<LocationId>) -> usize {
        if let Some(&region) = call.regions.get(&root) {
            return region;
        }
        let region = self.regions.add();
        call.regions.insert(root, region);
        if let Some(origin) = solved.regions.origin(root) {
            self.regions.set_origin(region, origin.clone(), location);
        }
        self.regions.version += 1;
        region
    }

    fn shift(&mut self, call: &mut Call, root: usize, pattern: Option<Pattern>) {
        let shift = call.shifts.entry(root).or_default();
        let widened = joined(*shift, pattern);
        if widened != *shift {
            *shift = widened;
            self.regions.version += 1;
        }
    }

    /// Makes the pointers stored in the callee's regions those stored in this function's.
    fn match_cells(&mut self, call: &mut Call, solved: &Solved, mut pending: Vec<usize>, location: Option<LocationId>) {
        let mut done = Vec::new();
        while let Some(root) = pending.pop() {
            if done.contains(&root) {
                continue;
            }
            done.push(root);
            for cell in solved.regions.cells(root) {
                let inner = solved.regions.find(cell.content.region);
                let outer = self.outer(call, solved, inner, location);
                pending.push(inner);
                let Some(start) = call.shifts.get(&root).copied().flatten() else { continue };
                let (region, place) = (call.regions[&root], start.plus(cell.place));
                let content = self.regions.content(region, place, location);
                self.regions.union(content.region, outer, location);
                let Some(within) = cell.content.pattern else { continue };
                match call.shifts.get(&inner).copied().flatten() {
                    Some(start) => self.regions.widen_content(region, place, Some(start.plus(within))),
                    None => self.shift(call, inner, content.pattern.map(|pattern| pattern.minus(within))),
                }
            }
        }
    }

    /// Constant tables hold addresses of constant tables.
    fn constant_contents(&mut self) {
        let pointers: Vec<_> = self.pointers.iter().flatten().map(|pointer| pointer.region).chain(self.globals.values().copied()).collect();
        for region in pointers {
            if self.regions.space(region) != Some(Space::Constant) {
                continue;
            }
            let Some(origin) = self.regions.origin(region).cloned() else { continue };
            for cell in self.regions.cells(region).to_vec() {
                self.regions.set_origin(cell.content.region, origin.clone(), None);
                self.regions.widen_content(region, cell.place, Some(Pattern::every(1)));
            }
        }
    }

    /// The roots whose space the caller decides.
    fn open(&mut self) -> Vec<usize> {
        let parameters = self.function.parameters().iter().filter_map(|value| self.pointers[value.index()]);
        let mut pending: Vec<usize> = parameters.chain(self.result).map(|pointer| pointer.region).collect();
        pending.reverse();
        let (mut seen, mut open) = (Vec::new(), Vec::new());
        while let Some(region) = pending.pop() {
            let root = self.regions.find(region);
            if seen.contains(&root) {
                continue;
            }
            seen.push(root);
            if self.regions.space(root).is_none() {
                open.push(root);
            }
            pending.extend(self.regions.cells(root).iter().map(|cell| cell.content.region));
        }
        open
    }
}

fn parameter_origin(parameter: &KernelParameter) -> Origin {
    let (space, what) = match parameter.kind {
        KernelParameterKind::Buffer { .. } => (Space::Device, format!("the buffer `{}`", parameter.name)),
        _ => (Space::Constant, format!("the argument `{}`", parameter.name)),
    };
    Origin { space, what, location: None }
}

/// Where pointers stand in a memory type.
pub(super) fn pointer_offsets(module: &Module, ty: TypeId) -> Vec<u64> {
    let ty = module.ty(ty);
    match &ty.kind {
        MemoryKind::Scalar { ty, .. } => {
            if ty.is_pointer() {
                vec![0]
            } else {
                Vec::new()
            }
        }
        MemoryKind::Array { element, count } => match pointer_offsets(module, *element) {
            // One element stands for all.
            offsets if *count > 0 => offsets,
            _ => Vec::new(),
        },
        MemoryKind::Struct { fields } => {
            fields.iter().flat_map(|field| pointer_offsets(module, field.ty).into_iter().map(|offset| offset + field.offset)).collect()
        }
        MemoryKind::Opaque => Vec::new(),
    }
}
