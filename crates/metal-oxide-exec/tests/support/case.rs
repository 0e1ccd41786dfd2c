//! A launch described by comments in a Metal text, and what must come of it:
//!
//! ```text
//! // run NAME grid 2 1 1 block 4 1 1        begins a launch; `fast` and `undefined` may follow, for the options of these names
//! // buffer f32 1 2.5 inf                   the next buffer; with `-> VALUES`, what it must hold afterwards
//! // args u64 3 f32 0.5                     the argument block, each value at the next multiple of its size
//! // failure none                           the kernel has a failure record; or `failure site 1 thread 3 0 0 block 1 0 0`
//! // pass thread_position_in_grid           the coordinates that the kernel takes
//! // error SOME WORDS                       the launch fails with a message that contains them; may be repeated
//! ```
//!
//! A value is a number, bits such as `0x7fc00000`, `VALUE*COUNT`, or an integer range such as `0..8`.

use metal_oxide_artifact::{Builtin, KernelEntry, MathMode};
use metal_oxide_exec::{Binding, Library, Options};

use super::Memory;

/// One launch.
#[derive(Default)]
pub struct Case {
    /// Where it stands in the text.
    pub line: usize,
    name: String,
    grid: [u32; 3],
    block: [u32; 3],
    /// How to compile the text for it.
    pub options: Options,
    buffers: Vec<Buffer>,
    args: Vec<u8>,
    failure: Option<Option<Vec<u32>>>,
    builtins: Vec<Builtin>,
    errors: Vec<String>,
}

struct Buffer {
    scalar: String,
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Case {
    /// All launches that a text describes.
    pub fn all_of(text: &str) -> Vec<Self> {
        let mut cases: Vec<Self> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let Some(comment) = line.strip_prefix("// ") else { continue };
            let words: Vec<&str> = comment.split_whitespace().collect();
            let Some((&directive, rest)) = words.split_first() else { continue };
            match (directive, cases.last_mut()) {
                ("run", _) => cases.push(Self::new(index + 1, rest)),
                ("buffer", Some(case)) => case.buffers.push(Buffer::parse(rest)),
                ("args", Some(case)) => case.args = arguments(rest),
                ("failure", Some(case)) => {
                    let numbers: Vec<u32> = rest.iter().filter_map(|word| word.parse().ok()).collect();
                    case.failure = Some((!numbers.is_empty()).then_some(numbers));
                }
                ("pass", Some(case)) => case.builtins = rest.iter().map(|name| builtin(name)).collect(),
                ("error", Some(case)) => case.errors.push(comment["error ".len()..].to_owned()),
                _ => {}
            }
        }
        cases
    }

    fn new(line: usize, words: &[&str]) -> Self {
        let extents = |word: &str| {
            let at = words.iter().position(|candidate| *candidate == word).unwrap_or_else(|| panic!("line {line} names no {word}"));
            [1, 2, 3].map(|offset| words[at + offset].parse().expect("an extent is a number"))
        };
        let options = Options {
            math: if words.contains(&"fast") { MathMode::Fast } else { MathMode::Precise },
            find_undefined: words.contains(&"undefined"),
        };
        Self { line, name: words[0].to_owned(), grid: extents("grid"), block: extents("block"), options, ..Self::default() }
    }

    /// The kernel, as a manifest would describe it.
    pub fn entry(&self) -> KernelEntry {
        super::entry(&self.name, self.buffers.len() as u32, self.args.len() as u32, self.failure.is_some(), &self.builtins)
    }

    /// Runs the kernel of the compiled text and compares.
    pub fn run(&self, library: &Library) -> Result<(), String> {
        let kernel = library.kernel(&self.name).map_err(|error| error.to_string())?;
        let mut buffers: Vec<_> = self.buffers.iter().map(|buffer| Memory::new(&buffer.before)).collect();
        let pointers: Vec<_> = buffers.iter_mut().map(Memory::pointer).collect();
        let args = Memory::new(&self.args);
        let mut failure = Memory::zeroed(32);
        let record = if self.failure.is_some() { failure.pointer() } else { std::ptr::null_mut() };
        let binding = Binding { buffers: &pointers, args: args.bytes(), failure: record };
        // SAFETY: the texts are written so that the kernels stay inside the buffers described beside them.
        let result = unsafe { kernel.run(&binding, self.grid, self.block) };
        match result {
            Ok(()) if self.errors.is_empty() => {}
            Ok(()) => return Err(format!("the launch succeeds and must fail with: {}", self.errors.join(", "))),
            Err(error) => {
                let message = error.to_string();
                let expected = !self.errors.is_empty() && self.errors.iter().all(|words| message.contains(words));
                return if expected { Ok(()) } else { Err(message) };
            }
        }
        for (slot, (memory, buffer)) in buffers.iter().zip(&self.buffers).enumerate() {
            if memory.bytes() != buffer.after {
                let show = |bytes| show(&buffer.scalar, bytes);
                return Err(format!("buffer {slot} holds {} and must hold {}", show(memory.bytes()), show(&buffer.after)));
            }
        }
        if let Some(expected) = &self.failure {
            let record: Vec<u32> =
                failure.bytes().chunks(4).map(|bytes| u32::from_ne_bytes(bytes.try_into().expect("four bytes"))).collect();
            let found = (record[0] == 1).then(|| record[1..].to_vec());
            if found != *expected {
                return Err(format!("the failure record is {found:?} and must be {expected:?}"));
            }
        }
        Ok(())
    }
}

impl Buffer {
    fn parse(words: &[&str]) -> Self {
        let scalar = words[0];
        let arrow = words.iter().position(|word| *word == "->");
        let bytes = |words: &[&str]| words.iter().flat_map(|word| values(scalar, word)).collect::<Vec<u8>>();
        let before = bytes(&words[1..arrow.unwrap_or(words.len())]);
        let after = arrow.map_or_else(|| before.clone(), |arrow| bytes(&words[arrow + 1..]));
        assert_eq!(before.len(), after.len(), "a buffer keeps its size: {words:?}");
        Self { scalar: scalar.to_owned(), before, after }
    }
}

fn arguments(words: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut largest = 1;
    for pair in words.chunks(2) {
        let value = values(pair[0], pair[1]);
        bytes.resize(bytes.len().next_multiple_of(value.len()), 0);
        largest = largest.max(value.len());
        bytes.extend(value);
    }
    bytes.resize(bytes.len().next_multiple_of(largest), 0);
    bytes
}

fn values(scalar: &str, word: &str) -> Vec<u8> {
    if let Some((value, count)) = word.split_once('*') {
        return values(scalar, value).repeat(count.parse().expect("a count is a number"));
    }
    if let Some((first, end)) = word.split_once("..") {
        let range = first.parse::<i64>().expect("a range has a start")..end.parse().expect("a range has an end");
        return range.flat_map(|value| values(scalar, &value.to_string())).collect();
    }
    let size: usize = scalar[1..].parse::<usize>().expect("a scalar has a width") / 8;
    if let Some(digits) = word.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).expect("bits are hexadecimal").to_le_bytes()[..size].to_vec();
    }
    match scalar {
        "f32" => word.parse::<f32>().expect("a float is a number").to_le_bytes().to_vec(),
        _ => word.parse::<i128>().expect("an integer is a number").to_le_bytes()[..size].to_vec(),
    }
}

fn show(scalar: &str, bytes: &[u8]) -> String {
    let size = scalar[1..].parse::<usize>().expect("a scalar has a width") / 8;
    let one = |bytes: &[u8]| match scalar {
        "f32" => f32::from_le_bytes(bytes.try_into().expect("the size is right")).to_string(),
        _ => {
            let mut wide = [0; 8];
            wide[..size].copy_from_slice(bytes);
            u64::from_le_bytes(wide).to_string()
        }
    };
    bytes.chunks(size).map(one).collect::<Vec<_>>().join(" ")
}

fn builtin(name: &str) -> Builtin {
    match name {
        "thread_position_in_grid" => Builtin::ThreadPositionInGrid,
        "thread_position_in_threadgroup" => Builtin::ThreadPositionInThreadgroup,
        "threadgroup_position_in_grid" => Builtin::ThreadgroupPositionInGrid,
        "threads_per_threadgroup" => Builtin::ThreadsPerThreadgroup,
        "threadgroups_per_grid" => Builtin::ThreadgroupsPerGrid,
        "thread_index_in_simdgroup" => Builtin::ThreadIndexInSimdgroup,
        "simdgroup_index_in_threadgroup" => Builtin::SimdgroupIndexInThreadgroup,
        _ => panic!("there is no builtin {name}"),
    }
}
