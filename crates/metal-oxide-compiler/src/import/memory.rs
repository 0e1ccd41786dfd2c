//! Operations on ranges of memory whose length is only known at run time: copying, filling, comparing.

use metal_oxide_ir::{BinaryOperator, CastOperator, CompareOperator, Operation, Type, ValueId};
use rustc_abi::{Align, FieldsShape};
use rustc_middle::ty::layout::TyAndLayout;

use super::body::FunctionImporter;
use super::context::Import;
use super::types::{Class, scalar_type};
use super::value::{Address, Operand, Place, Value};

/// Up to this many scalars are cleared or compared one by one, more in a loop.
const UNROLLED_SCALARS: u64 = 16;

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// Copies elements between ranges that do not overlap.
    pub fn copy_elements(&mut self, to: ValueId, from: ValueId, count: ValueId, element: TyAndLayout<'tcx>) -> Import<()> {
        if element.is_zst() {
            return Ok(());
        }
        if let Some(count) = self.known(count) {
            let bytes = u64::try_from(count).unwrap_or(u64::MAX).saturating_mul(element.size.bytes());
            if bytes > 0 {
                self.effect(Operation::Copy { to, from, bytes, align: element.align.abi.bytes() });
            }
            return Ok(());
        }
        self.count_up(count, |importer, index| importer.copy_element(to, from, index, element))
    }

    /// Copies elements between ranges that may overlap: in the order that reads each element before it is overwritten.
    pub fn move_elements(&mut self, to: ValueId, from: ValueId, count: ValueId, element: TyAndLayout<'tcx>) -> Import<()> {
        if element.is_zst() || self.known(count) == Some(0) {
            return Ok(());
        }
        if self.known(count) == Some(1) {
            let zero = self.word(0);
            return self.move_element(to, from, zero, element);
        }
        let (forwards, backwards, after) = (self.function.add_block(), self.function.add_block(), self.function.add_block());
        let down = self.compare(CompareOperator::LessEqualUnsigned, to, from);
        self.branch_if(down, forwards, backwards);
        self.block = forwards;
        self.count_up(count, |importer, index| importer.move_element(to, from, index, element))?;
        self.branch(after);
        self.block = backwards;
        self.count_down(count, |importer, index| importer.move_element(to, from, index, element))?;
        self.branch(after);
        self.block = after;
        Ok(())
    }

    fn copy_element(&mut self, to: ValueId, from: ValueId, index: ValueId, element: TyAndLayout<'tcx>) -> Import<()> {
        let (to, from) = (self.advance(to, index, element.ty)?, self.advance(from, index, element.ty)?);
        match self.class(element) {
            Class::Scalar(scalar) => {
                let value = self.emit(Operation::Load(from), scalar_type(scalar));
                self.effect(Operation::Store { pointer: to, value });
            }
            _ => self.effect(Operation::Copy { to, from, bytes: element.size.bytes(), align: element.align.abi.bytes() }),
        }
        Ok(())
    }

    /// Copies an element to where it may overlap itself.
    fn move_element(&mut self, to: ValueId, from: ValueId, index: ValueId, element: TyAndLayout<'tcx>) -> Import<()> {
        if !matches!(self.class(element), Class::Memory | Class::Pair(..)) {
            return self.copy_element(to, from, index, element);
        }
        let (to, from) = (self.advance(to, index, element.ty)?, self.advance(from, index, element.ty)?);
        let scratch = self.allocate(element)?;
        self.copy(scratch.address, Place::new(from, element).address, element.size);
        self.copy(Place::new(to, element).address, scratch.address, element.size);
        Ok(())
    }

    /// Sets every byte of some elements.
    pub fn fill_elements(&mut self, to: ValueId, byte: ValueId, count: ValueId, element: TyAndLayout<'tcx>) -> Import<()> {
        if element.is_zst() {
            return Ok(());
        }
        if self.known(byte) == Some(0) && self.scalars_in(element).is_some() {
            return match self.known(count) {
                Some(0) => Ok(()),
                Some(1) => self.clear(Place::new(to, element)),
                _ => self.count_up(count, |importer, index| {
                    let target = importer.advance(to, index, element.ty)?;
                    importer.clear(Place::new(target, element))
                }),
            };
        }
        let size = self.word(element.size.bytes());
        let bytes = self.binary(BinaryOperator::Mul, count, size);
        let ty = self.cx.scalar_memory_type(Type::I8, false);
        self.count_up(bytes, |importer, index| {
            let pointer = importer.element_address(to, ty, index);
            importer.effect(Operation::Store { pointer, value: byte });
            Ok(())
        })
    }

    /// How many scalars make up a type without padding, unions or enums; `None` for any other type.
    fn scalars_in(&self, layout: TyAndLayout<'tcx>) -> Option<u64> {
        match self.class(layout) {
            Class::ZeroSized => return Some(0),
            Class::Scalar(_) => return Some(1),
            _ => {}
        }
        let cx = self.cx.layout_cx();
        match &layout.fields {
            FieldsShape::Array { count, .. } => Some(self.scalars_in(layout.field(&cx, 0))?.saturating_mul(*count)),
            FieldsShape::Arbitrary { .. } if matches!(layout.variants, rustc_abi::Variants::Single { .. }) => {
                let fields = (0..layout.fields.count()).map(|index| layout.field(&cx, index));
                let size: u64 = fields.clone().map(|field| field.size.bytes()).sum();
                if size != layout.size.bytes() {
                    return None;
                }
                fields.map(|field| self.scalars_in(field)).sum()
            }
            _ => None,
        }
    }

    /// Writes zeros, one typed store for each scalar.
    fn clear(&mut self, place: Place<'tcx>) -> Import<()> {
        match self.class(place.layout) {
            Class::ZeroSized => return Ok(()),
            Class::Scalar(scalar) => {
                let zero = self.function.add_constant(metal_oxide_ir::Constant::Bits { ty: scalar_type(scalar), bits: 0 });
                self.store_scalar(zero, place.address);
                return Ok(());
            }
            _ => {}
        }
        if let FieldsShape::Array { count, .. } = place.layout.fields {
            if self.scalars_in(place.layout).is_some_and(|scalars| scalars <= UNROLLED_SCALARS) {
                for index in 0..count {
                    let index = self.word(index);
                    let element = self.project_index(place, index)?;
                    self.clear(element)?;
                }
                return Ok(());
            }
            let count = self.word(count);
            return self.count_up(count, |importer, index| {
                let element = importer.project_index(place, index)?;
                importer.clear(element)
            });
        }
        for index in 0..place.layout.fields.count() {
            let field = self.project_field(place, index)?;
            self.clear(field)?;
        }
        Ok(())
    }

    /// Whether two values of a type have the same bytes.
    pub fn equal_bytes(&mut self, left: ValueId, right: ValueId, layout: TyAndLayout<'tcx>) -> ValueId {
        let size = layout.size.bytes();
        let unit = [8, 4, 2, 1].into_iter().find(|unit| size.is_multiple_of(*unit) && layout.align.abi.bytes() >= *unit).unwrap_or(1);
        let ty = Type::integer(u32::try_from(unit * 8).unwrap_or(8)).unwrap_or(Type::I8);
        let count = size / unit;
        if count <= UNROLLED_SCALARS {
            let mut equal = self.boolean(true);
            for index in 0..count {
                let (left, right) = (self.offset_by(left, index * unit), self.offset_by(right, index * unit));
                let (left, right) = (self.emit(Operation::Load(left), ty), self.emit(Operation::Load(right), ty));
                let same = self.compare(CompareOperator::Equal, left, right);
                equal = if index == 0 { same } else { self.binary(BinaryOperator::And, equal, same) };
            }
            return equal;
        }
        let count = self.word(count);
        let order = self.first_difference(left, right, count, ty);
        let zero = self.integer(Type::I32, 0);
        self.compare(CompareOperator::Equal, order, zero)
    }

    /// The order of two ranges of bytes: an `i32` below, equal to or above zero.
    pub fn compare_bytes(&mut self, left: ValueId, right: ValueId, count: ValueId) -> ValueId {
        self.first_difference(left, right, count, Type::I8)
    }

    /// -1, 0 or 1 as the first units that differ compare as unsigned numbers.
    fn first_difference(&mut self, left: ValueId, right: ValueId, count: ValueId, unit: Type) -> ValueId {
        use metal_oxide_ir::{Target, Terminator};
        let memory = self.cx.scalar_memory_type(unit, false);
        let head = self.function.add_block();
        let index = self.function.add_parameter(head, Type::I64);
        let (inside, next, differ, after) =
            (self.function.add_block(), self.function.add_block(), self.function.add_block(), self.function.add_block());
        let result = self.function.add_parameter(after, Type::I32);
        let (zero, none) = (self.word(0), self.integer(Type::I32, 0));
        self.terminate(Terminator::Branch(Target::new(head, vec![zero])));
        self.block = head;
        let more = self.compare(CompareOperator::LessUnsigned, index, count);
        self.terminate(Terminator::CondBranch {
            condition: more,
            then: Target::new(inside, Vec::new()),
            otherwise: Target::new(after, vec![none]),
        });
        self.block = inside;
        let (a, b) = (self.element_address(left, memory, index), self.element_address(right, memory, index));
        let (a, b) = (self.emit(Operation::Load(a), unit), self.emit(Operation::Load(b), unit));
        let same = self.compare(CompareOperator::Equal, a, b);
        self.branch_if(same, next, differ);
        self.block = next;
        let one = self.word(1);
        let following = self.binary(BinaryOperator::Add, index, one);
        self.terminate(Terminator::Branch(Target::new(head, vec![following])));
        self.block = differ;
        let less = self.compare(CompareOperator::LessUnsigned, a, b);
        let (below, above) = (self.integer(Type::I32, u128::from(u32::MAX)), self.integer(Type::I32, 1));
        let order = self.select(less, below, above);
        self.terminate(Terminator::Branch(Target::new(after, vec![order])));
        self.block = after;
        result
    }

    /// Exchanges what two places hold.
    pub fn swap(&mut self, left: ValueId, right: ValueId, layout: TyAndLayout<'tcx>) -> Import<()> {
        let (left, right) = (Place::new(left, layout), Place::new(right, layout));
        match self.class(layout) {
            Class::ZeroSized => Ok(()),
            Class::Memory => {
                let scratch = self.allocate(layout)?;
                self.copy(scratch.address, left.address, layout.size);
                // The two may be one and the same; byte for byte that is still a copy.
                self.copy(left.address, right.address, layout.size);
                self.copy(right.address, scratch.address, layout.size);
                Ok(())
            }
            _ => {
                let (a, b) = (self.load_operand(left)?, self.load_operand(right)?);
                self.store_operand(b, left)?;
                self.store_operand(a, right)
            }
        }
    }

    /// The size and alignment of what a pointer with metadata points to.
    pub fn size_and_align(&mut self, layout: TyAndLayout<'tcx>, extra: Option<ValueId>) -> Import<(ValueId, ValueId)> {
        use rustc_middle::ty;
        let align = self.word(layout.align.abi.bytes());
        if layout.is_sized() {
            let size = self.word(layout.size.bytes());
            return Ok((size, align));
        }
        let extra = extra.unwrap_or_else(|| self.word(0));
        match layout.ty.kind() {
            ty::Slice(_) | ty::Str => {
                let element = layout.field(&self.cx.layout_cx(), 0);
                let size = self.word(element.size.bytes());
                Ok((self.binary(BinaryOperator::Mul, extra, size), align))
            }
            ty::Adt(..) | ty::Tuple(..) => {
                let last = layout.fields.count() - 1;
                let field = layout.field(&self.cx.layout_cx(), last);
                let (tail, _) = self.size_and_align(field, Some(extra))?;
                let start = self.word(layout.fields.offset(last).bytes());
                let end = self.binary(BinaryOperator::Add, start, tail);
                let mask = self.word(layout.align.abi.bytes() - 1);
                let raised = self.binary(BinaryOperator::Add, end, mask);
                let inverse = self.word(!(layout.align.abi.bytes() - 1));
                Ok((self.binary(BinaryOperator::And, raised, inverse), align))
            }
            _ => {
                self.unsupported(super::unsupported::Reason::TraitObject("the size of a trait object"));
                Ok((self.word(0), align))
            }
        }
    }

    /// Reads a value at an address with a known alignment.
    pub fn load_at(&mut self, pointer: ValueId, align: Align, layout: TyAndLayout<'tcx>) -> Import<Operand<'tcx>> {
        let place = Place { address: Address { pointer, extra: None, align }, layout };
        let operand = self.load_operand(place)?;
        match operand.value {
            Value::Memory(address) => {
                let copy = self.allocate(layout)?;
                self.copy(copy.address, address, layout.size);
                self.load_operand(copy)
            }
            _ => Ok(operand),
        }
    }

    /// The number of elements between two pointers, a whole number.
    pub fn pointer_difference(&mut self, left: ValueId, right: ValueId, size: u64) -> ValueId {
        let (left, right) = (self.address_bits(left), self.address_bits(right));
        let bytes = self.binary(BinaryOperator::Sub, left, right);
        if size <= 1 {
            return bytes;
        }
        let size = self.word(size);
        self.binary(BinaryOperator::DivSigned, bytes, size)
    }

    /// A `bool` as an integer.
    pub fn flag(&mut self, value: ValueId, ty: Type) -> ValueId {
        self.cast(CastOperator::ZeroExtend, value, ty)
    }
}
