//! Known ways in which Metal goes wrong, each with what the emitted text does about it.
//! What the text computes is compared with the interpreter elsewhere; here stands what only the text can show.

use std::fmt::Write as _;
use std::{env, fs};

use metal_oxide_artifact::{Argument, MathMode};
use metal_oxide_exec::{Compiler, Library, Options};
use metal_oxide_ir::{
    Field, Function, FunctionKind, KernelParameter, KernelParameterKind, MemoryKind, MemoryType, Module, Operation, Space, Terminator,
    Type, TypeId, text,
};
use metal_oxide_msl::{EmitOptions, Emitted, MAX_BUFFER_SLOTS, buffer_slots, emit};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn emitted(ir: &str, math: MathMode) -> Emitted {
    emit(&text::parse(ir).expect("the text is well formed"), &EmitOptions { math })
}

/// C++ lets a compiler assume that a loop ends unless it has side effects, and then move what follows in front of it.
#[test]
fn c1_only_loops_that_may_not_end_read_a_volatile_variable() {
    let text = |condition: &str, next: &str| {
        let ir = format!(
            "type type0 = \"u32\" size 4 align 4 scalar i32
             kernel @k(out: buffer mut type0, n: scalar type0, m: scalar type0) {{
             block0(%0: ptr<device>, %1: i64, %2: i32, %3: i32):
                 br block1(0:i32)
             block1(%4: i32):
                 %5 = {condition}
                 cond_br %5, block2, block3
             block2:
                 %6 = {next}
                 br block1(%6)
             block3:
                 store i32 1, %0
                 return
             }}"
        );
        emitted(&ir, MathMode::Precise).msl
    };
    let ends = [
        ("ult i32 %4, %2", "add i32 %4, 1"),
        ("slt i32 %4, %2", "add i32 %4, 1"),
        ("ne i32 %4, %2", "sub i32 %4, 1"),
        ("ult i32 %4, 1000", "add i32 %4, 3"),
        ("ugt i32 %2, %4", "add i32 %4, 1"),
        ("ne i32 %4, 0", "lshr i32 %4, 2"),
    ];
    for (condition, next) in ends {
        assert!(!text(condition, next).contains("volatile"), "{condition}, {next}");
    }
    let may_not_end = [
        ("ult i32 %4, %2", "add i32 %4, 3"),
        ("ule i32 %4, %2", "add i32 %4, 1"),
        ("ult i32 %4, %2", "add i32 %4, %3"),
        ("ne i32 %4, %2", "mul i32 %4, 3"),
        ("ne i32 %4, 0", "ashr i32 %4, 1"),
        ("eq i32 %2, %3", "add i32 %4, 1"),
    ];
    for (condition, next) in may_not_end {
        assert!(text(condition, next).contains("proceed &&"), "{condition}, {next}");
    }
}

/// Fast math lets a compiler assume that no float is a NaN, so `x != x` would be false.
#[test]
fn a7_is_nan_is_a_bit_test_in_fast_mode() {
    let ir = "type type0 = \"f32\" size 4 align 4 scalar f32
              type type1 = \"bool\" size 1 align 1 scalar bool
              kernel @k(out: buffer mut type1, x: scalar type0) {
              block0(%0: ptr<device>, %1: i64, %2: f32):
                  %3 = fne f32 %2, %2
                  store bool %3, %0
                  return
              }";
    assert!(emitted(ir, MathMode::Fast).msl.contains("out[0] = is_nan(args.x);"));
    assert!(emitted(ir, MathMode::Precise).msl.contains("out[0] = isnan(args.x);"));
}

/// More buffers than the classic path has slots for can only be refused by who knows the user's code.
#[test]
fn m8_the_number_of_slots_is_known_before() {
    let kernel = |buffers: usize| {
        let parameters: Vec<KernelParameter> = (0..buffers)
            .map(|index| KernelParameter {
                name: format!("b{index}"),
                kind: KernelParameterKind::Buffer { element: TypeId::new(0), writable: false },
            })
            .collect();
        let types: Vec<Type> = (0..buffers).flat_map(|_| [Type::Pointer(Space::Device), Type::I64]).collect();
        Function::new("k", FunctionKind::Kernel { parameters }, &types, None)
    };
    assert!(buffer_slots(&kernel(29)) <= MAX_BUFFER_SLOTS);
    assert!(buffer_slots(&kernel(30)) > MAX_BUFFER_SLOTS);
    assert_eq!(buffer_slots(&kernel(0)), 1);
}

/// Vector types have other sizes and alignments than Rust's arrays, and one missing pad moves all later fields.
#[test]
fn m3_records_have_the_layout_that_they_have_in_rust() {
    let Ok(compiler) = Compiler::find(|name| env::var_os(name)) else {
        eprintln!("there is no C++ compiler to ask for offsets");
        return;
    };
    let mut runner = TestRunner::deterministic();
    let records = prop::collection::vec(prop::collection::vec((0usize..12, 0u64..3), 1..6), 40);
    let records = records.new_tree(&mut runner).expect("numbers can always be made").current();
    let mut module = Module::default();
    let mut types: Vec<TypeId> = Vec::new();
    for (name, ty, size) in
        [("f32", Type::F32, 4), ("u8", Type::I8, 1), ("u16", Type::I16, 2), ("u64", Type::I64, 8), ("bool", Type::Bool, 1)]
    {
        let kind = MemoryKind::Scalar { ty, signed: false };
        types.push(module.intern_type(MemoryType { name: name.into(), size, align: size, kind }));
    }
    for (element, count) in [(0, 3), (1, 5), (3, 2)] {
        let element = types[element];
        let (size, align) = (module.ty(element).size * count, module.ty(element).align);
        let kind = MemoryKind::Array { element, count };
        types.push(module.intern_type(MemoryType { name: format!("array{element}x{count}"), size, align, kind }));
    }

    let mut parameters = Vec::new();
    let mut checks = String::new();
    for (number, choices) in records.iter().enumerate() {
        // Some gaps are larger than any alignment asks for, as where a field is left out or comes from a packed record.
        let mut fields: Vec<Field> = Vec::new();
        let (mut end, mut align) = (0u64, 1);
        for (index, &(choice, gap)) in choices.iter().enumerate() {
            let ty = types[choice % types.len()];
            let layout = module.ty(ty);
            let offset = (end + gap).next_multiple_of(layout.align);
            fields.push(Field { name: format!("f{index}"), offset, ty });
            end = offset + layout.size;
            align = align.max(layout.align);
        }
        let name = format!("Record{number}");
        for field in &fields {
            let _ = writeln!(checks, "static_assert(__builtin_offsetof({name}, {}) == {}, \"\");", field.name, field.offset);
        }
        let size = end.next_multiple_of(align);
        let ty = module.intern_type(MemoryType { name, size, align, kind: MemoryKind::Struct { fields } });
        types.push(ty);
        parameters.push(ty);
    }
    let kinds = parameters.iter().map(|&ty| KernelParameter { name: format!("p{ty}"), kind: KernelParameterKind::Aggregate { ty } });
    let pointers = vec![Type::Pointer(Space::Constant); parameters.len()];
    let mut kernel = Function::new("k", FunctionKind::Kernel { parameters: kinds.collect() }, &pointers, None);
    for (index, &ty) in parameters.iter().enumerate() {
        // Uses the argument, so that it is in the block.
        let slot = kernel.append(kernel.entry(), Operation::Slot(ty), Type::Pointer(Space::Thread), None);
        let (from, bytes) = (kernel.parameters()[index], module.ty(ty).size);
        kernel.append_effect(kernel.entry(), Operation::Copy { to: slot, from, bytes, align: 1 }, None);
    }
    kernel.terminate(kernel.entry(), Terminator::Return(None), None);
    module.add_function(kernel);
    let emitted = emit(&module, &EmitOptions::default());
    for (index, parameter) in emitted.kernels[0].abi.parameters.iter().enumerate() {
        let Argument::Value { offset: Some(offset), .. } = parameter.argument else { panic!("all values are used") };
        let _ = writeln!(checks, "static_assert(__builtin_offsetof(k_args, p{}) == {offset}, \"\");", parameters[index]);
    }
    let _ = writeln!(checks, "static_assert(sizeof(k_args) == {}, \"\");", emitted.kernels[0].abi.args_size);
    let cache = tempfile::tempdir().expect("a folder can be made");
    let text = format!("{}\n{checks}", emitted.msl);
    if let Err(error) = Library::compile(&compiler, cache.path(), &text, &[], &Options::default()) {
        fs::write(cache.path().join("text"), &text).expect("the folder is writable");
        panic!("{error}\n{text}");
    }
}
