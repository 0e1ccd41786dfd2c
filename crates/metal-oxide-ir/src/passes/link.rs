//! Copies functions of a library into a module, with everything that they need.

use std::collections::HashMap;

use crate::{Function, FunctionId, FunctionKind, MemoryKind, Module, Operation, Terminator, TypeId};

/// Copies functions on demand, each once.
pub struct Linker<'a> {
    library: &'a Module,
    names: HashMap<&'a str, FunctionId>,
    linked: HashMap<FunctionId, FunctionId>,
}

impl<'a> Linker<'a> {
    pub fn new(library: &'a Module) -> Self {
        let names = library.functions.iter().enumerate().map(|(index, function)| (function.name.as_str(), FunctionId::new(index)));
        Self { library, names: names.collect(), linked: HashMap::new() }
    }

    /// The module's copy of the library's function with this name.
    pub fn function(&mut self, name: &str, module: &mut Module) -> FunctionId {
        let id = *self.names.get(name).unwrap_or_else(|| panic!("the library has no function `{name}`"));
        self.copy(id, module)
    }

    fn copy(&mut self, id: FunctionId, module: &mut Module) -> FunctionId {
        if let Some(&known) = self.linked.get(&id) {
            return known;
        }
        let mut function = self.library.function(id).clone();
        debug_assert!(function.blocks.iter().all(|block| !matches!(block.terminator, Terminator::Fail(_))), "it cannot fail");
        function.name = unique_name(&function.name, module);
        function.kind = FunctionKind::Helper { keep: true };
        // A place is taken first: the functions that this one calls are copied meanwhile.
        let place = module.add_function(Function::new(function.name.clone(), function.kind.clone(), &[], None));
        self.linked.insert(id, place);
        let mut types = HashMap::new();
        for instruction in &mut function.instructions {
            instruction.location = None;
            match &mut instruction.operation {
                Operation::Call(callee, _) => *callee = self.copy(*callee, module),
                Operation::Slot(ty) | Operation::Element { ty, .. } | Operation::Field { ty, .. } => {
                    *ty = *types.entry(*ty).or_insert_with(|| copy_type(self.library, *ty, module));
                }
                _ => {}
            }
        }
        function.blocks.iter_mut().for_each(|block| block.location = None);
        module.functions[place.index()] = function;
        place
    }
}

fn copy_type(library: &Module, id: TypeId, module: &mut Module) -> TypeId {
    let mut ty = library.ty(id).clone();
    match &mut ty.kind {
        MemoryKind::Scalar { .. } | MemoryKind::Opaque => {}
        MemoryKind::Array { element, .. } => *element = copy_type(library, *element, module),
        MemoryKind::Struct { fields } => fields.iter_mut().for_each(|field| field.ty = copy_type(library, field.ty, module)),
    }
    module.intern_type(ty)
}

fn unique_name(name: &str, module: &Module) -> String {
    let is_free = |name: &str| module.functions.iter().all(|function| function.name != name);
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| is_free(name)).expect("there are enough numbers")
}
