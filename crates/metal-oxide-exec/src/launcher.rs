//! The generated C++ file that includes a Metal text and calls its kernels.
//! It holds one exported function a kernel: for the threads of some threadgroups, or, where threads wait for one another, for one thread.

use std::fmt::Write as _;

use metal_oxide_artifact::{Argument, Builtin, KernelAbi, KernelEntry};

use crate::text::{Facts, Threadgroup};

/// The name under which the file includes the text.
pub(crate) const TEXT_FILE: &str = "kernel.metal";

/// The exported function of the kernel with this index.
pub(crate) fn symbol(index: usize) -> String {
    format!("metal_oxide_kernel_{index}")
}

/// Whether each thread of a kernel needs a stack of its own. What the text holds counts as much as what the manifest says, since
/// helpers in it may be anybody's.
pub(crate) fn is_cooperative(facts: &Facts, abi: &KernelAbi) -> bool {
    abi.cooperative || facts.collective
}

/// The file for a text with these facts, and its kernels.
pub(crate) fn generate(facts: &Facts, kernels: &[KernelEntry]) -> String {
    let mut file = String::from("// Made by metal-oxide to run the kernels of the Metal text beside it.\n");
    define_facts(&mut file, facts);
    let _ = write!(file, "#include <metal_stdlib>\n#include \"{TEXT_FILE}\"\n");
    if !kernels.is_empty() {
        file.push_str("#include \"metal_oxide/launch.h\"\n");
    }
    for (index, kernel) in kernels.iter().enumerate() {
        write_kernel(&mut file, index, kernel, is_cooperative(facts, &kernel.abi));
    }
    file
}

fn define_facts(file: &mut String, facts: &Facts) {
    if facts.half {
        file.push_str("#define METAL_OXIDE_USES_HALF\n");
    }
    if facts.simdgroups {
        file.push_str("#define METAL_OXIDE_USES_SIMDGROUPS\n");
    }
    for (occurrence, meaning) in facts.threadgroup.iter().enumerate() {
        let expansion = match meaning {
            Threadgroup::Variable => "METAL_OXIDE_SHARED",
            Threadgroup::Space => "METAL_OXIDE_THREADGROUP",
            Threadgroup::Attribute => "threadgroup_memory",
        };
        let _ = writeln!(file, "#define metal_oxide_threadgroup_{occurrence} {expansion}");
    }
    if !facts.swizzles.is_empty() {
        for size in 2..=4 {
            let _ = write!(file, "#define METAL_OXIDE_SWIZZLES_{size}(T)");
            for swizzle in &facts.swizzles {
                let components: Vec<_> = swizzle.bytes().map(|component| b"xyzw".iter().position(|&name| name == component)).collect();
                if components.iter().all(|component| component.is_some_and(|component| component < size)) {
                    let list: Vec<_> = components.iter().flatten().map(usize::to_string).collect();
                    let _ = write!(file, " metal_oxide::swizzle<T, {}> {swizzle};", list.join(", "));
                }
            }
            file.push('\n');
        }
    }
}

fn write_kernel(file: &mut String, index: usize, kernel: &KernelEntry, cooperative: bool) {
    let parameters = parameters(&kernel.abi);
    let (name, symbol) = (&kernel.entry, symbol(index));
    let arguments =
        if cooperative { "const metal_oxide::position *group, const metal_oxide::position *local" } else { "ulong first, ulong end" };
    let _ = write!(
        file,
        "\nMETAL_OXIDE_ENTRY {symbol}(const metal_oxide::launch *launch, {arguments})\n\
         {{\n    typedef metal_oxide::signature<decltype(&::{name})> kernel_type;\n    \
         static_assert(kernel_type::count == {}, \"the kernel's parameters must be those of its manifest\");\n",
        parameters.len()
    );
    let mut values = Vec::new();
    for (number, parameter) in parameters.iter().enumerate() {
        match parameter {
            Parameter::Buffer(slot) => {
                let _ = writeln!(file, "    const auto p{number} = (kernel_type::at<{number}>)launch->buffers[{slot}];");
                values.push(format!("p{number}"));
            }
            Parameter::Arguments => {
                let _ =
                    writeln!(file, "    const auto p{number} = metal_oxide::arguments_from<kernel_type::at<{number}>>(launch->arguments);");
                values.push(format!("p{number}"));
            }
            Parameter::Failure => {
                let _ = writeln!(file, "    const auto p{number} = (kernel_type::at<{number}>)launch->failure;");
                values.push(format!("p{number}"));
            }
            Parameter::Builtin(builtin) => {
                values.push(format!("metal_oxide::coordinate<kernel_type::at<{number}>>::from({})", coordinate(*builtin)));
            }
        }
    }
    let call = format!("::{name}({});", values.join(", "));
    let _ = if cooperative {
        write!(file, "    metal_oxide::run_thread(*launch, *group, *local, [&](metal_oxide::thread_coordinates at) {{ {call} }});\n}}\n")
    } else {
        write!(file, "    metal_oxide::run_groups(*launch, first, end, [&](metal_oxide::thread_coordinates at) {{ {call} }});\n}}\n")
    };
}

enum Parameter {
    Buffer(u32),
    Arguments,
    Failure,
    Builtin(Builtin),
}

/// The parameters in the order that [`KernelAbi`] lays down.
fn parameters(abi: &KernelAbi) -> Vec<Parameter> {
    let mut parameters: Vec<_> = buffer_slots(abi).into_iter().map(Parameter::Buffer).collect();
    if abi.args_size != 0 {
        parameters.push(Parameter::Arguments);
    }
    if abi.failure_slot.is_some() {
        parameters.push(Parameter::Failure);
    }
    parameters.extend(abi.builtins.iter().copied().map(Parameter::Builtin));
    parameters
}

/// The slots of a kernel's buffers, in ascending order.
pub(crate) fn buffer_slots(abi: &KernelAbi) -> Vec<u32> {
    let mut slots: Vec<_> = abi
        .parameters
        .iter()
        .filter_map(|parameter| match parameter.argument {
            Argument::Buffer { slot, .. } => Some(slot),
            Argument::Value { .. } => None,
        })
        .collect();
    slots.sort_unstable();
    slots
}

fn coordinate(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::ThreadPositionInGrid => "at.position_in_grid()",
        Builtin::ThreadPositionInThreadgroup => "at.local",
        Builtin::ThreadgroupPositionInGrid => "at.group",
        Builtin::ThreadsPerThreadgroup => "at.block",
        Builtin::ThreadgroupsPerGrid => "at.grid",
        Builtin::ThreadIndexInSimdgroup => "at.lane()",
        Builtin::SimdgroupIndexInThreadgroup => "at.simdgroup()",
    }
}
