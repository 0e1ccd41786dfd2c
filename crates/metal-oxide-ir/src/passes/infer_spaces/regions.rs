//! Regions of memory, which merge when pointers into them meet, and the pointers that are stored in them.

use std::collections::BTreeSet;

use super::{Origin, SpaceConflict};
use crate::{LocationId, Space};

/// A set of offsets: `offset`, and where `stride` is not zero also all offsets that differ from it by a multiple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    offset: i64,
    stride: u64,
}

/// Regions and offsets in them. An unknown pattern has no pointer yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pointer {
    pub(super) region: usize,
    pub(super) pattern: Option<Pattern>,
}

#[derive(Clone, Debug)]
struct Region {
    parent: usize,
    origin: Option<Origin>,
    cells: Vec<Cell>,
}

/// A place that holds a pointer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) place: Pattern,
    pub(super) content: Pointer,
}

/// The regions of one function.
#[derive(Clone, Debug, Default)]
pub(super) struct Regions {
    regions: Vec<Region>,
    conflicts: Vec<(Option<LocationId>, Origin, Origin)>,
    /// Grows with every change.
    pub(super) version: u64,
}

impl Pattern {
    pub(super) const START: Pattern = Pattern { offset: 0, stride: 0 };

    /// The offset alone.
    pub(super) fn exactly(offset: i64) -> Self {
        Pattern { offset, stride: 0 }
    }

    /// Every multiple of a stride.
    pub(super) fn every(stride: u64) -> Self {
        Pattern { offset: 0, stride }
    }

    /// All sums of an offset of each.
    pub(super) fn plus(self, other: Pattern) -> Self {
        Pattern::reduced(self.offset.wrapping_add(other.offset), gcd(self.stride, other.stride))
    }

    /// All differences of an offset of each.
    pub(super) fn minus(self, other: Pattern) -> Self {
        self.plus(Pattern::reduced(other.offset.wrapping_neg(), other.stride))
    }

    /// The smallest pattern that holds both.
    fn join(self, other: Pattern) -> Self {
        let difference = self.offset.wrapping_sub(other.offset).unsigned_abs();
        Pattern::reduced(self.offset, gcd(gcd(self.stride, other.stride), difference))
    }

    pub(super) fn overlaps(self, other: Pattern) -> bool {
        let difference = self.offset.wrapping_sub(other.offset).unsigned_abs();
        match gcd(self.stride, other.stride) {
            0 => difference == 0,
            stride => difference.is_multiple_of(stride),
        }
    }

    /// Whether no offset lies in `0..end`.
    pub(super) fn stays_outside(self, end: u64) -> bool {
        // With a stride, `offset` is the smallest that is not negative.
        u64::try_from(self.offset).map_or(true, |offset| offset >= end)
    }

    fn reduced(offset: i64, stride: u64) -> Self {
        match i64::try_from(stride) {
            Ok(0) | Err(_) => Pattern { offset, stride },
            Ok(positive) => Pattern { offset: offset.rem_euclid(positive), stride },
        }
    }
}

impl Regions {
    pub(super) fn add(&mut self) -> usize {
        self.regions.push(Region { parent: self.regions.len(), origin: None, cells: Vec::new() });
        self.regions.len() - 1
    }

    /// A pointer to the start of a new region.
    pub(super) fn start(&mut self) -> Pointer {
        Pointer { region: self.add(), pattern: Some(Pattern::START) }
    }

    /// The region that a region has become a part of.
    pub(super) fn find(&self, mut region: usize) -> usize {
        while self.regions[region].parent != region {
            region = self.regions[region].parent;
        }
        region
    }

    pub(super) fn space(&self, region: usize) -> Option<Space> {
        self.origin(region).map(|origin| origin.space)
    }

    pub(super) fn origin(&self, region: usize) -> Option<&Origin> {
        self.regions[self.find(region)].origin.as_ref()
    }

    pub(super) fn cells(&self, region: usize) -> &[Cell] {
        &self.regions[self.find(region)].cells
    }

    /// States where a region comes from, as is found at `location`.
    pub(super) fn set_origin(&mut self, region: usize, origin: Origin, location: Option<LocationId>) {
        let root = self.find(region);
        match &self.regions[root].origin {
            Some(known) if known.space == origin.space => {}
            Some(known) => self.conflicts.push((location, known.clone(), origin)),
            None => {
                self.regions[root].origin = Some(origin);
                self.version += 1;
            }
        }
    }

    /// Merges two regions whose pointers meet at `location`.
    pub(super) fn union(&mut self, a: usize, b: usize, location: Option<LocationId>) {
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            self.version += 1;
            self.regions[b].parent = a;
            if let Some(origin) = self.regions[b].origin.take() {
                self.set_origin(a, origin, location);
            }
            for cell in std::mem::take(&mut self.regions[b].cells) {
                let content = self.add_cell(a, cell, &mut pending);
                pending.push((content, cell.content.region));
            }
        }
    }

    /// What is stored at a place. Places that may be the same share their content.
    pub(super) fn content(&mut self, region: usize, place: Pattern, location: Option<LocationId>) -> Pointer {
        let root = self.find(region);
        if let Some(cell) = self.regions[root].cells.iter().find(|cell| cell.place.join(place) == cell.place) {
            return cell.content;
        }
        let content = Pointer { region: self.add(), pattern: None };
        let mut pending = Vec::new();
        self.add_cell(root, Cell { place, content }, &mut pending);
        for (a, b) in pending {
            self.union(a, b, location);
        }
        let root = self.find(region);
        self.cells(root).iter().find(|cell| cell.place.overlaps(place)).map_or(content, |cell| cell.content)
    }

    /// Joins a pattern into what is stored at a place.
    pub(super) fn widen_content(&mut self, region: usize, place: Pattern, pattern: Option<Pattern>) {
        let root = self.find(region);
        for cell in &mut self.regions[root].cells {
            if cell.place.overlaps(place) {
                let joined = joined(cell.content.pattern, pattern);
                if joined != cell.content.pattern {
                    cell.content.pattern = joined;
                    self.version += 1;
                }
            }
        }
    }

    /// Adds a cell to a root, merged with those it overlaps, and returns the region of its content. Contents that must merge go to `pending`.
    fn add_cell(&mut self, root: usize, new: Cell, pending: &mut Vec<(usize, usize)>) -> usize {
        let mut merged = new;
        loop {
            // The merged cell is larger and may overlap more.
            let cells = &mut self.regions[root].cells;
            let Some(index) = cells.iter().position(|cell| cell.place.overlaps(merged.place)) else { break };
            let old = cells.swap_remove(index);
            merged.place = old.place.join(merged.place);
            merged.content.pattern = joined(old.content.pattern, merged.content.pattern);
            pending.push((merged.content.region, old.content.region));
        }
        self.regions[root].cells.push(merged);
        self.version += 1;
        merged.content.region
    }

    /// The pointers that need two spaces, once each.
    pub(super) fn conflicts(&self, function: &str) -> Vec<SpaceConflict> {
        let mut seen = BTreeSet::new();
        let mut conflicts = Vec::new();
        for (location, first, second) in &self.conflicts {
            if seen.insert((*location, first.what.clone(), second.what.clone())) {
                let (first, second) = (first.clone(), second.clone());
                conflicts.push(SpaceConflict { function: function.to_owned(), location: *location, first, second });
            }
        }
        conflicts
    }
}

/// The smallest pattern that holds both, where they are known.
pub(super) fn joined(a: Option<Pattern>, b: Option<Pattern>) -> Option<Pattern> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(b)),
        _ => a.or(b),
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
