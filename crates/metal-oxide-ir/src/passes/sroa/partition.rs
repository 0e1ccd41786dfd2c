//! Divides slots into the byte ranges that are accessed together.
//! Slots that are copied to one another take over each other's divisions where they have none.

use crate::passes::layout::{self, Leaf};
use crate::{Module, Type, TypeId};

/// More parts than this make a slot stay whole.
const MAX_PARTS: usize = 64;

/// What is only copied is divided into no more parts than this.
const MAX_COPIED_PARTS: usize = 16;

/// Bytes of a slot that belong together.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub start: u64,
    pub end: u64,
    /// The part must stay addressable: its address is used with an index that is only known at run time.
    pub memory: bool,
    /// The types of accesses to exactly these bytes, with how often each occurs.
    pub types: Vec<(Type, u32)>,
}

/// The division of a slot: parts by increasing offset, without overlap.
#[derive(Clone, Debug)]
pub(super) struct Division {
    pub ty: TypeId,
    pub size: u64,
    pub parts: Vec<Part>,
}

/// A copy between two slots, or between a slot and other memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct CopiedRange {
    /// The slot and offset of each side, if it is a slot.
    pub sides: [Option<(usize, u64)>; 2],
    pub bytes: u64,
}

impl Part {
    pub fn size(&self) -> u64 {
        self.end - self.start
    }

    /// The type that values of the part are kept in; none if it stays memory.
    pub fn scalar(&self) -> Option<Type> {
        if self.memory {
            return None;
        }
        let fitting = || self.types.iter().filter(|(ty, _)| ty.size() == self.size());
        // Pointers stay pointers, so that their address space can be inferred.
        if let Some((pointer, _)) = fitting().find(|(ty, _)| ty.is_pointer()) {
            return Some(*pointer);
        }
        let mixed_bytes = self.size() == 1 && fitting().any(|(ty, _)| *ty != Type::Bool);
        let best = fitting().filter(|(ty, _)| !mixed_bytes || *ty != Type::Bool).rev().max_by_key(|(_, count)| *count);
        best.map(|(ty, _)| *ty).or_else(|| match self.size() {
            1 | 2 | 4 | 8 => Type::integer(self.size() as u32 * 8),
            _ => None,
        })
    }
}

impl Division {
    /// Makes parts of the accessed ranges, one of each group that overlaps.
    pub fn new(ty: TypeId, size: u64, mut accesses: Vec<Part>) -> Self {
        accesses.sort_by_key(|part| (part.start, part.end));
        let mut parts: Vec<Part> = Vec::new();
        for access in accesses {
            match parts.last_mut().filter(|part| access.start < part.end) {
                Some(part) => {
                    part.end = part.end.max(access.end);
                    part.memory |= access.memory;
                    for (ty, count) in access.types {
                        match part.types.iter_mut().find(|(known, _)| *known == ty) {
                            Some((_, known)) => *known += count,
                            None => part.types.push((ty, count)),
                        }
                    }
                }
                None => parts.push(access),
            }
        }
        Division { ty, size, parts }
    }

    /// The index of the first part that ends after `offset`.
    fn first_after(&self, offset: u64) -> usize {
        self.parts.partition_point(|part| part.end <= offset)
    }

    /// The part that contains a byte.
    pub fn part_at(&self, offset: u64) -> Option<usize> {
        let index = self.first_after(offset);
        (index < self.parts.len() && self.parts[index].start <= offset).then_some(index)
    }

    /// Adds a part if no other overlaps it.
    fn insert(&mut self, part: Part) -> bool {
        let index = self.first_after(part.start);
        let free = part.end <= self.size && self.parts.get(index).is_none_or(|next| part.end <= next.start);
        if free {
            self.parts.insert(index, part);
        }
        free
    }

    /// The ranges between `start` and `end` that no part covers.
    fn gaps(&self, start: u64, end: u64) -> Vec<(u64, u64)> {
        let mut gaps = Vec::new();
        let mut position = start;
        for part in &self.parts[self.first_after(start)..] {
            if part.start >= end {
                break;
            }
            if position < part.start {
                gaps.push((position, part.start));
            }
            position = part.end;
        }
        if position < end {
            gaps.push((position, end));
        }
        gaps
    }
}

/// Spreads the divisions of slots over the copies between them, and divides what is only copied along its type.
pub(super) fn spread(module: &Module, divisions: &mut [Division], copies: &[CopiedRange]) {
    let mut copies_of: Vec<Vec<(usize, usize)>> = vec![Vec::new(); divisions.len()];
    for (index, copy) in copies.iter().enumerate() {
        for (side, place) in copy.sides.iter().enumerate() {
            if let Some((slot, _)) = *place {
                copies_of[slot].push((index, side));
            }
        }
    }
    let mut work = Vec::new();
    for (slot, division) in divisions.iter().enumerate() {
        work.extend(division.parts.iter().cloned().map(|part| (slot, part)));
    }
    inherit(divisions, copies, &copies_of, work);

    for slot in 0..divisions.len() {
        // What is copied but not accessed in any way that says how to divide it.
        let mut gaps: Vec<(u64, u64)> = Vec::new();
        for &(copy, side) in &copies_of[slot] {
            if let Some((_, start)) = copies[copy].sides[side] {
                gaps.extend(divisions[slot].gaps(start, start + copies[copy].bytes));
            }
        }
        if gaps.is_empty() {
            continue;
        }
        let leaves = layout::leaves(module, divisions[slot].ty, MAX_PARTS);
        for (start, end) in gaps {
            for part in fill(leaves.as_deref(), start, end) {
                if divisions[slot].insert(part.clone()) {
                    inherit(divisions, copies, &copies_of, vec![(slot, part)]);
                }
            }
        }
    }

    for (slot, division) in divisions.iter_mut().enumerate() {
        if !copies_of[slot].is_empty() {
            widen_copied_bools(module, division);
        }
        if division.parts.len() > MAX_PARTS {
            division.parts = vec![Part { start: 0, end: division.size, memory: true, types: Vec::new() }];
        }
    }
}

/// Gives the parts to the slots that they are copied from or to, and to those slots' own copies in turn.
fn inherit(divisions: &mut [Division], copies: &[CopiedRange], copies_of: &[Vec<(usize, usize)>], mut work: Vec<(usize, Part)>) {
    while let Some((slot, part)) = work.pop() {
        if divisions[slot].parts.len() > MAX_PARTS {
            continue;
        }
        for &(copy, side) in &copies_of[slot] {
            let copy = &copies[copy];
            let (Some((_, start)), Some((peer, peer_start))) = (copy.sides[side], copy.sides[1 - side]) else { continue };
            if part.start < start || part.end > start + copy.bytes {
                continue;
            }
            let moved = Part {
                start: part.start - start + peer_start,
                end: part.end - start + peer_start,
                memory: part.memory,
                types: part.types.iter().map(|(ty, _)| (*ty, 1)).collect(),
            };
            if divisions[peer].insert(moved.clone()) {
                work.push((peer, moved));
            }
        }
    }
}

/// A byte that is copied while it is not a `bool` must keep all its bits, even if all direct accesses take it for one.
fn widen_copied_bools(module: &Module, division: &mut Division) {
    let leaves = layout::leaves(module, division.ty, MAX_PARTS).unwrap_or_default();
    for part in division.parts.iter_mut().filter(|part| part.size() == 1) {
        if !leaves.iter().any(|leaf| leaf.offset == part.start && leaf.ty == Some(Type::Bool)) {
            part.types.push((Type::I8, 1));
        }
    }
}

/// Divides a range that is only copied: along the leaves of its type, else into aligned integers. A type with too many leaves is not divided.
fn fill(leaves: Option<&[Leaf]>, start: u64, end: u64) -> Vec<Part> {
    let Some(leaves) = leaves else {
        return vec![Part { start, end, memory: true, types: Vec::new() }];
    };
    let mut parts = Vec::new();
    for leaf in leaves {
        let (from, to) = (leaf.offset.max(start), (leaf.offset + leaf.size).min(end));
        if from >= to {
            continue;
        }
        match leaf.ty {
            Some(ty) if to - from == leaf.size => parts.push(Part { start: from, end: to, memory: false, types: vec![(ty, 1)] }),
            _ if to - from > 8 * MAX_PARTS as u64 => parts.push(Part { start: from, end: to, memory: true, types: Vec::new() }),
            _ => parts.extend(chunks(from, to, 8).map(|(start, end)| Part { start, end, memory: false, types: Vec::new() })),
        }
    }
    match parts.len() > MAX_COPIED_PARTS {
        true => vec![Part { start, end, memory: true, types: Vec::new() }],
        false => parts,
    }
}

/// Cuts a range into pieces of 1, 2, 4 or 8 bytes that stand at multiples of their size, none above `limit`.
pub(super) fn chunks(start: u64, end: u64, limit: u64) -> impl Iterator<Item = (u64, u64)> {
    let mut position = start;
    std::iter::from_fn(move || {
        if position >= end {
            return None;
        }
        let mut size = limit.min(8);
        while !position.is_multiple_of(size) || position + size > end {
            size /= 2;
        }
        position += size;
        Some((position - size, position))
    })
}
