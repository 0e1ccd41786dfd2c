//! Optimises random programs over optional values, whose payload is uninitialised as long as there is none, and compares what they compute.
//! This is what loops that remember something look like; the tags and payloads travel through memory, copies and branches.

mod generator;

use std::fmt::Write;

use generator::Program;
use metal_oxide_ir::interpret::Launch;
use metal_oxide_ir::passes::infer_spaces::infer_spaces;
use metal_oxide_ir::passes::{OptimizeOptions, optimize, refine};
use metal_oxide_ir::text;
use metal_oxide_ir::validate::Stage;
use proptest::prelude::*;

const OPTIONS: usize = 3;
const INTEGERS: usize = 3;

/// Writes a kernel as text.
struct Writer<'a> {
    /// The numbers that the program is made of. When they run out, every choice is the first.
    numbers: &'a [u32],
    text: String,
    values: usize,
    blocks: usize,
    depth: usize,
    /// Where `break` goes.
    exits: Vec<usize>,
}

impl Writer<'_> {
    fn number(&mut self) -> u32 {
        let (first, rest) = self.numbers.split_first().unwrap_or((&0, &[]));
        self.numbers = rest;
        *first
    }

    fn below(&mut self, count: usize) -> usize {
        self.number() as usize % count
    }

    fn more(&self) -> bool {
        !self.numbers.is_empty()
    }

    fn value(&mut self, operation: &str) -> String {
        let name = format!("%{}", self.values);
        self.values += 1;
        writeln!(self.text, "    {name} = {operation}").unwrap();
        name
    }

    fn effect(&mut self, operation: &str) {
        writeln!(self.text, "    {operation}").unwrap();
    }

    fn new_block(&mut self) -> usize {
        self.blocks += 1;
        self.blocks - 1
    }

    fn start(&mut self, block: usize) {
        writeln!(self.text, "block{block}:").unwrap();
    }

    /// The slot of an optional value, and the address of its payload.
    fn option(&mut self) -> (String, String) {
        let slot = format!("%1{}", self.below(OPTIONS));
        let payload = self.value(&format!("offset ptr {slot}, 8"));
        (slot, payload)
    }

    fn integer(&mut self) -> String {
        format!("%2{}", self.below(INTEGERS))
    }

    fn statements(&mut self) {
        for _ in 0..1 + self.below(4) {
            if self.more() {
                self.statement();
            }
        }
    }

    fn statement(&mut self) {
        let kinds = if self.depth < 4 { 10 } else { 6 };
        match self.below(kinds) {
            0 | 1 => {
                let (to, a, b) = (self.integer(), self.integer(), self.integer());
                let operator = ["add", "sub", "xor", "mul"][self.below(4)];
                let a = self.value(&format!("load i64 {a}"));
                let b = self.value(&format!("load i64 {b}"));
                let result = self.value(&format!("{operator} i64 {a}, {b}"));
                self.effect(&format!("store i64 {result}, {to}"));
            }
            2 => {
                let from = self.integer();
                let (slot, payload) = self.option();
                let value = self.value(&format!("load i64 {from}"));
                self.effect(&format!("store i64 {value}, {payload}"));
                self.effect(&format!("store i64 1, {slot}"));
            }
            3 => {
                let (slot, _) = self.option();
                self.effect(&format!("store i64 0, {slot}"));
            }
            4 => {
                let ((to, _), (from, _)) = (self.option(), self.option());
                if to != from {
                    self.effect(&format!("copy 16 align 8 {to}, {from}"));
                }
            }
            5 => {
                if let Some(&exit) = self.exits.last() {
                    let (slot, _) = self.option();
                    let tag = self.value(&format!("load i64 {slot}"));
                    let some = self.value(&format!("eq i64 {tag}, 1"));
                    let rest = self.new_block();
                    self.effect(&format!("cond_br {some}, block{exit}, block{rest}"));
                    self.start(rest);
                }
            }
            6 | 7 => self.if_some(),
            8 => self.parity(),
            _ => self.counted(),
        }
    }

    /// `if let Some(x) = option { .. } else { .. }`
    fn if_some(&mut self) {
        let (slot, payload) = self.option();
        let to = self.integer();
        let tag = self.value(&format!("load i64 {slot}"));
        let (some, none, after) = (self.new_block(), self.new_block(), self.new_block());
        self.effect(&format!("switch i64 {tag}, 0: block{none}, 1: block{some}, default: block{none}"));
        self.start(some);
        let value = self.value(&format!("load i64 {payload}"));
        self.effect(&format!("store i64 {value}, {to}"));
        self.nested(after);
        self.start(none);
        self.nested(after);
        self.start(after);
    }

    fn parity(&mut self) {
        let from = self.integer();
        let value = self.value(&format!("load i64 {from}"));
        let bit = self.value(&format!("and i64 {value}, 1"));
        let odd = self.value(&format!("ne i64 {bit}, 0"));
        let (yes, no, after) = (self.new_block(), self.new_block(), self.new_block());
        self.effect(&format!("cond_br {odd}, block{yes}, block{no}"));
        self.start(yes);
        self.nested(after);
        self.start(no);
        self.nested(after);
        self.start(after);
    }

    /// `for i in 0..count { .. }`, with `i` in one of the integers as well.
    fn counted(&mut self) {
        let counter = format!("%3{}", self.depth);
        let count = 1 + self.below(4);
        let to = self.integer();
        let (head, inside, next, after) = (self.new_block(), self.new_block(), self.new_block(), self.new_block());
        self.effect(&format!("store i64 0, {counter}"));
        self.effect(&format!("br block{head}"));
        self.start(head);
        let value = self.value(&format!("load i64 {counter}"));
        let more = self.value(&format!("ult i64 {value}, {count}"));
        self.effect(&format!("cond_br {more}, block{inside}, block{after}"));
        self.start(inside);
        self.effect(&format!("store i64 {value}, {to}"));
        self.exits.push(after);
        self.nested(next);
        self.exits.pop();
        self.start(next);
        let value = self.value(&format!("load i64 {counter}"));
        let value = self.value(&format!("add i64 {value}, 1"));
        self.effect(&format!("store i64 {value}, {counter}"));
        self.effect(&format!("br block{head}"));
        self.start(after);
    }

    fn nested(&mut self, after: usize) {
        self.depth += 1;
        self.statements();
        self.depth -= 1;
        self.effect(&format!("br block{after}"));
    }
}

/// The program that a list of numbers stands for.
fn program(numbers: &[u32]) -> Program {
    let mut writer = Writer { numbers, text: String::new(), values: 100, blocks: 1, depth: 0, exits: Vec::new() };
    writer.text.push_str(
        "type type0 = \"u64\" size 8 align 8 scalar i64\n\
         type type1 = \"Option<u64>\" size 16 align 8 opaque\n\
         kernel @kernel(output: buffer mut type0, n: scalar type0) {\n\
         block0(%0: ptr<device>, %1: i64, %2: i64):\n    %3 = spacecast ptr<device> %0 to ptr\n",
    );
    for index in 0..OPTIONS {
        writer.effect(&format!("%1{index} = slot ptr type1"));
        writer.effect(&format!("store i64 0, %1{index}"));
    }
    for index in 0..INTEGERS {
        writer.effect(&format!("%2{index} = slot ptr type0"));
        writer.effect(&format!("store i64 {}, %2{index}", if index == 0 { "%2".to_owned() } else { index.to_string() }));
    }
    for index in 0..5 {
        writer.effect(&format!("%3{index} = slot ptr type0"));
    }
    for _ in 0..8 {
        if writer.more() {
            writer.statement();
        }
    }
    for index in 0..INTEGERS {
        let value = writer.value(&format!("load i64 %2{index}"));
        let to = writer.value(&format!("element ptr type0, %3, {index}"));
        writer.effect(&format!("store i64 {value}, {to}"));
    }
    for index in 0..OPTIONS {
        let tag = writer.value(&format!("load i64 %1{index}"));
        let some = writer.value(&format!("eq i64 {tag}, 1"));
        let (yes, after) = (writer.new_block(), writer.new_block());
        writer.effect(&format!("cond_br {some}, block{yes}, block{after}"));
        writer.start(yes);
        let payload = writer.value(&format!("offset ptr %1{index}, 8"));
        let value = writer.value(&format!("load i64 {payload}"));
        let to = writer.value(&format!("element ptr type0, %3, {}", INTEGERS + index));
        writer.effect(&format!("store i64 {value}, {to}"));
        writer.effect(&format!("br block{after}"));
        writer.start(after);
    }
    writer.text.push_str("    return\n}\n");
    let module = text::parse(&writer.text).unwrap_or_else(|error| panic!("{error}\n{}", writer.text));
    let n = u64::from(writer.number());
    Program {
        module,
        buffers: vec![vec![0; 8 * (INTEGERS + OPTIONS)]],
        values: vec![n.to_le_bytes().to_vec()],
        launch: Launch::linear(1, 1),
    }
}

fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 4000, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn optional_values_are_kept(numbers in prop::collection::vec(0u32..1000, 0..200)) {
        let program = program(&numbers);
        let check = program.check(Stage::Optimized, |module| {
            optimize(module, &OptimizeOptions::default());
            infer_spaces(module).unwrap();
            refine(module, &OptimizeOptions::default());
        });
        prop_assert!(check.is_ok(), "{}", check.unwrap_err());
    }
}
