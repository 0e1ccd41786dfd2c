//! Makes random valid modules, with inputs to run them on.
//! A program is read off a list of numbers: shorter lists and smaller numbers give simpler programs, so that failures shrink by themselves.

#![allow(dead_code, reason = "each test binary uses the parts that it needs")]

pub mod arithmetic;
mod body;
mod expression;

use metal_oxide_ir::interpret::{Launch, Limits, Outcome, run};
use metal_oxide_ir::validate::{Stage, validate};
use metal_oxide_ir::{
    FailureKind, Field, Function, FunctionId, FunctionKind, Global, KernelParameter, KernelParameterKind, Location, MemoryKind, MemoryType,
    Module, Site, Space, Type, TypeId, text,
};

/// The numbers from which a program is made. When they run out, every choice is the first.
pub struct Choices<'a> {
    numbers: &'a [u32],
}

impl Choices<'_> {
    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.number() as usize % count
    }

    /// Any number, with a preference for small and extreme ones.
    pub fn number(&mut self) -> u32 {
        match self.numbers.split_first() {
            Some((&first, rest)) => {
                self.numbers = rest;
                first
            }
            None => 0,
        }
    }

    /// Whether there are numbers left; without them a program should come to its end.
    pub fn more(&self) -> bool {
        !self.numbers.is_empty()
    }
}

/// Memory types of every program.
#[derive(Clone, Copy)]
pub struct Types {
    pub i32: TypeId,
    pub f32: TypeId,
    pub i64: TypeId,
    pub i8: TypeId,
    pub array: TypeId,
    pub pair: TypeId,
    pub nested: TypeId,
    pub pointer: TypeId,
}

/// A program with the inputs of one run. The kernel is called `kernel`.
#[derive(Clone, Debug)]
pub struct Program {
    pub module: Module,
    pub buffers: Vec<Vec<u8>>,
    pub values: Vec<Vec<u8>>,
    pub launch: Launch,
}

impl Program {
    /// Runs a module in place of the program's own.
    pub fn run(&self, module: &Module, steps: u64) -> Result<(Outcome, Vec<Vec<u8>>), String> {
        let mut buffers = self.buffers.clone();
        let outcome = run(module, "kernel", &mut buffers, &self.values, self.launch, Limits { steps, depth: 16 });
        outcome.map(|outcome| (outcome, buffers)).map_err(|violation| violation.to_string())
    }

    /// Checks that a transformation keeps the module valid and what it computes. Programs that do something undefined prove nothing.
    pub fn check(&self, stage: Stage, transform: impl FnOnce(&mut Module)) -> Result<(), String> {
        let mut transformed = self.module.clone();
        transform(&mut transformed);
        let shown = |what: &str, module: &Module| format!("{what}:\n{}", text::print(module));
        let both = || format!("{}\n{}\n{self:?}", shown("before", &self.module), shown("after", &transformed));
        if let Err(problems) = validate(&transformed, stage) {
            let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
            return Err(format!("{}\n{}", problems.join("\n"), both()));
        }
        let Ok((expected, expected_buffers)) = self.run(&self.module, 20_000) else { return Ok(()) };
        let (found, found_buffers) = self.run(&transformed, 200_000).map_err(|violation| format!("{violation}\n{}", both()))?;
        if found.failures != expected.failures {
            return Err(format!("failures {:?}, not {:?}\n{}", found.failures, expected.failures, both()));
        }
        for index in 0..expected_buffers.len() {
            for offset in 0..expected_buffers[index].len() {
                let defined = |outcome: &Outcome| outcome.undefined[index].binary_search(&offset).is_err();
                let same = found_buffers[index][offset] == expected_buffers[index][offset] && defined(&found);
                if defined(&expected) && !same {
                    return Err(format!("buffer {index} differs at byte {offset}\n{}", both()));
                }
            }
        }
        Ok(())
    }
}

/// The program that a list of numbers stands for.
pub fn program(numbers: &[u32]) -> Program {
    let mut choices = Choices { numbers };
    let mut module = Module::default();
    let types = tables(&mut module);
    let mut helpers = Vec::new();
    for index in 0..choices.below(3) {
        let parameters = [Type::I32, Type::I64, Type::Pointer(Space::Generic)];
        let kind = FunctionKind::Helper { keep: choices.below(2) == 1 };
        let function = Function::new(format!("helper{index}"), kind, &parameters, Some(Type::I32));
        let function = body::fill(&mut choices, &module, types, &helpers, function, 3);
        helpers.push(module.add_function(function));
    }
    let kernel = body::fill(&mut choices, &module, types, &helpers, kernel(types), 10);
    module.add_function(kernel);

    let word = |choices: &mut Choices<'_>| expression::interesting(choices.number());
    let length = 6 - choices.below(5);
    let input: Vec<u8> = (0..length).flat_map(|_| (word(&mut choices) as u32).to_le_bytes()).collect();
    let output: Vec<u8> = (0..(6 - choices.below(5)) * 4).map(|index| index as u8).collect();
    let values = vec![
        (word(&mut choices) as u32).to_le_bytes().to_vec(),
        word(&mut choices).to_le_bytes().to_vec(),
        (0..12).map(|_| choices.number() as u8).collect(),
    ];
    let launch = Launch::linear(1 + choices.below(2) as u32, 1 + choices.below(3) as u32);
    Program { module, buffers: vec![input, output], values, launch }
}

fn kernel(types: Types) -> Function {
    let parameter = |name: &str, kind| KernelParameter { name: name.into(), kind };
    let parameters = vec![
        parameter("input", KernelParameterKind::Buffer { element: types.i32, writable: false }),
        parameter("output", KernelParameterKind::Buffer { element: types.i32, writable: true }),
        parameter("n", KernelParameterKind::Scalar { ty: types.i32 }),
        parameter("m", KernelParameterKind::Scalar { ty: types.i64 }),
        parameter("p", KernelParameterKind::Aggregate { ty: types.pair }),
    ];
    let device = Type::Pointer(Space::Device);
    let arriving = [device, Type::I64, device, Type::I64, Type::I32, Type::I64, Type::Pointer(Space::Constant)];
    Function::new("kernel", FunctionKind::Kernel { parameters }, &arriving, None)
}

fn tables(module: &mut Module) -> Types {
    for (line, kind) in [FailureKind::Bounds, FailureKind::Panic, FailureKind::Unwrap].into_iter().enumerate() {
        let location = Location { file: "src/main.rs".into(), line: line as u32 + 1, column: 1 };
        module.add_site(Site { location, kind, message: String::new() });
    }
    let mut scalar = |name: &str, ty: Type| {
        let kind = MemoryKind::Scalar { ty, signed: false };
        module.intern_type(MemoryType { name: name.into(), size: ty.size(), align: ty.size(), kind })
    };
    let i32 = scalar("u32", Type::I32);
    let f32 = scalar("f32", Type::F32);
    let i64 = scalar("u64", Type::I64);
    let i8 = scalar("u8", Type::I8);
    let pointer = scalar("*mut u32", Type::Pointer(Space::Generic));
    let array =
        module.intern_type(MemoryType { name: "[u32; 4]".into(), size: 16, align: 4, kind: MemoryKind::Array { element: i32, count: 4 } });
    let field = |name: &str, offset, ty| Field { name: name.into(), offset, ty };
    let fields = vec![field("a", 0, i32), field("b", 4, f32), field("c", 8, i8)];
    let pair = module.intern_type(MemoryType { name: "Pair".into(), size: 12, align: 4, kind: MemoryKind::Struct { fields } });
    let fields = vec![field("pair", 0, pair), field("array", 12, array), field("tail", 28, i32)];
    let nested = module.intern_type(MemoryType { name: "Nested".into(), size: 32, align: 4, kind: MemoryKind::Struct { fields } });
    let bytes = (1..=16).collect();
    module.add_global(Global { name: "TABLE".into(), ty: array, bytes, relocations: Vec::new() });
    Types { i32, f32, i64, i8, array, pair, nested, pointer }
}

/// Functions that a body may call.
pub type Helpers<'a> = &'a [FunctionId];
