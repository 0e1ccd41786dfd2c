//! How a kernel receives its arguments: buffer slots, the argument block and thread coordinates.
//! The host follows the [`KernelAbi`] that comes out of this, the text follows the [`Layout`]; both are made in one place.

use metal_oxide_artifact::{Argument, Builtin, KernelAbi};
use metal_oxide_ir::{Coordinate, Function, FunctionKind, KernelParameter, KernelParameterKind, Module, TypeId, ValueId};

use crate::names::{Names, Scope};

/// The buffer slots that the classic path of Metal has.
pub const MAX_BUFFER_SLOTS: u32 = 31;

/// How many buffer slots a kernel takes at most: its buffers, its argument block and its failure record.
///
/// Where it is more than [`MAX_BUFFER_SLOTS`], the kernel cannot be launched. Only the caller can say so in the user's terms.
pub fn buffer_slots(kernel: &Function) -> u32 {
    let FunctionKind::Kernel { parameters } = &kernel.kind else { return 0 };
    let buffers = parameters.iter().filter(|parameter| matches!(parameter.kind, KernelParameterKind::Buffer { .. })).count();
    // Lengths and values arrive in the argument block; a kernel without parameters has neither.
    buffers as u32 + u32::from(!parameters.is_empty()) + 1
}

/// What one parameter of the kernel's entry block is.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Buffer {
        name: String,
        element: TypeId,
        writable: bool,
        slot: u32,
    },
    /// A member of the argument block; absent if the kernel does not use it.
    Member(Option<usize>),
}

/// A member of the argument block.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// Absent for the length of a buffer, a `ulong`.
    pub(crate) ty: Option<TypeId>,
    pub(crate) offset: u64,
}

/// A kernel's parameters as the text declares them.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// By the entry block's parameters.
    pub(crate) entries: Vec<Entry>,
    /// In order of their offsets.
    pub(crate) members: Vec<Member>,
    pub(crate) args_name: String,
    pub(crate) args_slot: u32,
    pub(crate) failure_name: String,
    pub(crate) failure_slot: u32,
    /// The coordinates and the names of the parameters that hold them.
    pub(crate) coordinates: Vec<(Coordinate, String)>,
}

/// Lays out the arguments of a kernel. `is_used` tells which of the entry block's parameters the text mentions.
pub(crate) fn layout(
    module: &Module,
    kernel: &Function,
    is_used: &dyn Fn(ValueId) -> bool,
    coordinates: &[Coordinate],
    can_fail: bool,
    scope: &mut Scope<'_>,
) -> (Layout, KernelAbi) {
    let FunctionKind::Kernel { parameters } = &kernel.kind else { unreachable!("only kernels have an ABI") };
    let mut values = kernel.parameters().iter().copied();
    let mut entries = Vec::new();
    let mut members: Vec<Member> = Vec::new();
    let mut slots = 0;
    let member_names = Names::for_members();
    let mut member_scope = Scope::new(&member_names);
    for parameter in parameters {
        let mut member = |value: Option<ValueId>, name: &str, ty: Option<TypeId>| {
            let used = value.is_some_and(is_used) && ty.is_none_or(|ty| module.ty(ty).size > 0);
            let index = used.then_some(members.len());
            if used {
                members.push(Member { name: member_scope.local(name), ty, offset: 0 });
            }
            Entry::Member(index)
        };
        match parameter.kind {
            KernelParameterKind::Buffer { element, writable } => {
                values.next();
                entries.push(Entry::Buffer { name: scope.local(&parameter.name), element, writable, slot: slots });
                entries.push(member(values.next(), &format!("{}_length", parameter.name), None));
                slots += 1;
            }
            KernelParameterKind::Scalar { ty } | KernelParameterKind::Aggregate { ty } => {
                entries.push(member(values.next(), &parameter.name, Some(ty)));
            }
        }
    }

    let size = place(module, &mut members, &mut entries);
    let args_slot = slots;
    let failure_slot = slots + u32::from(!members.is_empty());
    let mut coordinates = coordinates.to_vec();
    if can_fail {
        // The record says which thread failed.
        coordinates.extend([Coordinate::ThreadInBlock, Coordinate::BlockInGrid]);
    }
    coordinates.sort_by_key(|coordinate| Coordinate::ALL.iter().position(|known| known == coordinate));
    coordinates.dedup();

    let abi = KernelAbi {
        parameters: describe(module, parameters, &entries, &members),
        args_slot: (!members.is_empty()).then_some(args_slot),
        args_size: size as u32,
        failure_slot: can_fail.then_some(failure_slot),
        builtins: coordinates.iter().map(|&coordinate| builtin(coordinate)).collect(),
        linear: false,
        cooperative: false,
    };
    let args_name = scope.local("args");
    let failure_name = scope.local("failure");
    let coordinates = coordinates.into_iter().map(|coordinate| (coordinate, scope.local(coordinate_name(coordinate)))).collect();
    (Layout { entries, members, args_name, args_slot, failure_name, failure_slot, coordinates }, abi)
}

/// Gives the members their offsets: those with the largest alignment first, so that nothing is wasted. Returns the size of the block.
fn place(module: &Module, members: &mut Vec<Member>, entries: &mut [Entry]) -> u64 {
    let align = |member: &Member| member.ty.map_or(8, |ty| module.ty(ty).align);
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(align(&members[index])));
    let mut end = 0u64;
    for &index in &order {
        let member = &mut members[index];
        member.offset = end.next_multiple_of(member.ty.map_or(8, |ty| module.ty(ty).align));
        end = member.offset + member.ty.map_or(8, |ty| module.ty(ty).size);
    }
    let largest = members.iter().map(align).max().unwrap_or(1);
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &index)| places[index] = place);
    *members = order.iter().map(|&index| members[index].clone()).collect();
    for entry in entries {
        if let Entry::Member(Some(index)) = entry {
            *index = places[*index];
        }
    }
    end.next_multiple_of(largest)
}

/// The parameters as the host sees them.
fn describe(
    module: &Module,
    parameters: &[KernelParameter],
    entries: &[Entry],
    members: &[Member],
) -> Vec<metal_oxide_artifact::Parameter> {
    let mut entries = entries.iter();
    let layout = |ty: TypeId| {
        let ty = module.ty(ty);
        metal_oxide_artifact::Layout { name: ty.name.clone(), size: ty.size as u32, align: ty.align as u32 }
    };
    let offset = |entry: Option<&Entry>| match entry {
        Some(Entry::Member(Some(index))) => Some(members[*index].offset as u32),
        _ => None,
    };
    parameters
        .iter()
        .map(|parameter| {
            let entry = entries.next();
            let argument = match (parameter.kind, entry) {
                (KernelParameterKind::Buffer { element, writable }, Some(Entry::Buffer { slot, .. })) => {
                    Argument::Buffer { slot: *slot, writable, element: layout(element), length_offset: offset(entries.next()) }
                }
                (
                    KernelParameterKind::Buffer { element: ty, .. }
                    | KernelParameterKind::Scalar { ty }
                    | KernelParameterKind::Aggregate { ty },
                    entry,
                ) => Argument::Value { offset: offset(entry), layout: layout(ty) },
            };
            metal_oxide_artifact::Parameter { name: parameter.name.clone(), argument }
        })
        .collect()
}

/// The name of the parameter that holds a coordinate.
pub(crate) fn coordinate_name(coordinate: Coordinate) -> &'static str {
    match coordinate {
        Coordinate::ThreadInGrid => "thread_position",
        Coordinate::ThreadInBlock => "position_in_block",
        Coordinate::BlockInGrid => "block_position",
        Coordinate::BlockSize => "block_size",
        Coordinate::GridSize => "grid_size",
        Coordinate::LaneInSimdGroup => "lane",
        Coordinate::SimdGroupInBlock => "simd_group",
    }
}

/// The type of the parameter that holds a coordinate.
pub(crate) fn coordinate_type(coordinate: Coordinate) -> &'static str {
    match coordinate {
        Coordinate::LaneInSimdGroup | Coordinate::SimdGroupInBlock => "uint",
        _ => "uint3",
    }
}

/// The attribute by which Metal knows a coordinate.
pub(crate) fn coordinate_attribute(coordinate: Coordinate) -> &'static str {
    match coordinate {
        Coordinate::ThreadInGrid => "thread_position_in_grid",
        Coordinate::ThreadInBlock => "thread_position_in_threadgroup",
        Coordinate::BlockInGrid => "threadgroup_position_in_grid",
        Coordinate::BlockSize => "threads_per_threadgroup",
        Coordinate::GridSize => "threadgroups_per_grid",
        Coordinate::LaneInSimdGroup => "thread_index_in_simdgroup",
        Coordinate::SimdGroupInBlock => "simdgroup_index_in_threadgroup",
    }
}

fn builtin(coordinate: Coordinate) -> Builtin {
    match coordinate {
        Coordinate::ThreadInGrid => Builtin::ThreadPositionInGrid,
        Coordinate::ThreadInBlock => Builtin::ThreadPositionInThreadgroup,
        Coordinate::BlockInGrid => Builtin::ThreadgroupPositionInGrid,
        Coordinate::BlockSize => Builtin::ThreadsPerThreadgroup,
        Coordinate::GridSize => Builtin::ThreadgroupsPerGrid,
        Coordinate::LaneInSimdGroup => Builtin::ThreadIndexInSimdgroup,
        Coordinate::SimdGroupInBlock => Builtin::SimdgroupIndexInThreadgroup,
    }
}
