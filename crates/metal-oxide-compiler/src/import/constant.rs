//! Constants: rustc evaluates them, and what does not fit in scalars becomes a table of the module.

use metal_oxide_ir::{Constant, Type, ValueId};
use rustc_abi::{Primitive, Size};
use rustc_middle::mir::interpret::{AllocId, Allocation, GlobalAlloc, Pointer, Scalar, alloc_range};
use rustc_middle::mir::{self, ConstValue};
use rustc_middle::ty::layout::TyAndLayout;
use rustc_middle::ty::{self, Ty};

use super::body::FunctionImporter;
use super::context::{Abort, Import};
use super::types::{Class, POINTER, scalar_type};
use super::unsupported::Reason;
use super::value::{Operand, Place, Value};

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// The value of a constant, as rustc evaluates it.
    pub fn evaluate(&self, constant: &mir::ConstOperand<'tcx>) -> Import<ConstValue> {
        let value = self.monomorphize(constant.const_);
        value.eval(self.tcx(), self.cx.typing_env(), constant.span).map_err(|_| Abort::Reported)
    }

    /// A constant operand.
    pub fn constant(&mut self, constant: &mir::ConstOperand<'tcx>) -> Import<Operand<'tcx>> {
        let layout = self.cx.layout(self.monomorphize(constant.ty()))?;
        if layout.is_zst() {
            return Ok(Operand { value: Value::ZeroSized, layout });
        }
        let name = self.constant_name(constant);
        match self.evaluate(constant)? {
            ConstValue::ZeroSized => Ok(Operand { value: Value::ZeroSized, layout }),
            ConstValue::Scalar(scalar) => {
                let Class::Scalar(kind) = self.class(layout) else { return self.undefined(layout) };
                let value = self.constant_scalar(scalar, scalar_type(kind), layout.ty.builtin_deref(true), &name)?;
                Ok(Operand { value: Value::Scalar(value), layout })
            }
            ConstValue::Slice { alloc_id, meta } => {
                let element = layout.ty.builtin_deref(true).and_then(|ty| match ty.kind() {
                    ty::Slice(element) => Some(*element),
                    ty::Str => Some(self.tcx().types.u8),
                    _ => None,
                });
                let pointer = Scalar::from_pointer(Pointer::new(alloc_id.into(), Size::ZERO), &self.tcx());
                let hint = element.map(|element| Ty::new_array(self.tcx(), element, meta));
                let pointer = self.constant_scalar(pointer, POINTER, hint, &name)?;
                let length = self.word(meta);
                Ok(Operand { value: Value::Pair(pointer, length), layout })
            }
            ConstValue::Indirect { alloc_id, offset } => self.indirect(alloc_id, offset, layout, &name),
        }
    }

    /// A constant that rustc holds in memory.
    fn indirect(&mut self, id: AllocId, offset: Size, layout: TyAndLayout<'tcx>, name: &str) -> Import<Operand<'tcx>> {
        let GlobalAlloc::Memory(memory) = self.tcx().global_alloc(id) else { return self.undefined(layout) };
        let memory = memory.inner();
        let scalars = match self.class(layout) {
            Class::Scalar(scalar) => vec![(scalar, offset)],
            Class::Pair(first, second, second_offset) => vec![(first, offset), (second, offset + second_offset)],
            Class::ZeroSized | Class::Memory => Vec::new(),
        };
        let mut values = Vec::new();
        for &(scalar, offset) in &scalars {
            let is_pointer = matches!(scalar.primitive(), Primitive::Pointer(_));
            let Some(bits) = self.read(memory, offset, scalar.size(&self.tcx()), is_pointer) else { break };
            let hint = layout.ty.builtin_deref(true);
            let value = match bits {
                Some(bits) => self.constant_scalar(bits, scalar_type(scalar), hint, name)?,
                None => self.undef(scalar_type(scalar)),
            };
            values.push(value);
        }
        match values.as_slice() {
            [value] if scalars.len() == 1 => Ok(Operand { value: Value::Scalar(*value), layout }),
            [low, high] => Ok(Operand { value: Value::Pair(*low, *high), layout }),
            _ => {
                let base = self.global_address(id, Some(layout.ty), name)?;
                let pointer = self.offset_by(base, offset.bytes());
                self.load_operand(Place::new(pointer, layout))
            }
        }
    }

    /// A scalar in constant memory: `None` inside if no byte is initialised, and outside if only some are.
    fn read(&self, memory: &Allocation, offset: Size, size: Size, is_pointer: bool) -> Option<Option<Scalar>> {
        let range = alloc_range(offset, size);
        match memory.read_scalar(&self.tcx(), range, is_pointer) {
            Ok(scalar) => Some(Some(scalar)),
            Err(_) => {
                let mask = memory.init_mask();
                let mut bytes = (0..size.bytes()).map(|byte| mask.get(offset + Size::from_bytes(byte)));
                bytes.all(|initialised| !initialised).then_some(None)
            }
        }
    }

    /// A scalar constant as a value.
    fn constant_scalar(&mut self, scalar: Scalar, ty: Type, pointee: Option<Ty<'tcx>>, name: &str) -> Import<ValueId> {
        match scalar {
            Scalar::Int(int) => {
                let bits = int.to_bits_unchecked();
                Ok(self.function.add_constant(Constant::Bits { ty, bits }))
            }
            Scalar::Ptr(pointer, _) => {
                let (provenance, offset) = pointer.prov_and_relative_offset();
                let address = match self.tcx().global_alloc(provenance.alloc_id()) {
                    GlobalAlloc::Memory(_) => {
                        let hint = if offset == Size::ZERO { pointee } else { None };
                        self.global_address(provenance.alloc_id(), hint, name)?
                    }
                    GlobalAlloc::Static(id) => self.static_address(id)?,
                    // The pointer that carries a piece of a type's hash.
                    GlobalAlloc::TypeId { .. } => return Ok(self.constant_of(ty, offset.bytes().into())),
                    // Function pointers and tables of functions are passed around, but never followed.
                    GlobalAlloc::Function { .. } => return Ok(self.constant_of(ty, 1)),
                    GlobalAlloc::VTable(concrete, _) => {
                        let address = self.cx.table_address(concrete);
                        return Ok(self.constant_of(ty, address.into()));
                    }
                };
                let pointer = self.offset_by(address, offset.bytes());
                Ok(if ty.is_pointer() { pointer } else { self.address_bits(pointer) })
            }
        }
    }

    fn constant_of(&mut self, ty: Type, bits: u128) -> ValueId {
        self.function.add_constant(Constant::Bits { ty, bits })
    }

    /// The address of constant memory.
    fn global_address(&mut self, id: AllocId, hint: Option<Ty<'tcx>>, name: &str) -> Import<ValueId> {
        if let GlobalAlloc::Memory(memory) = self.tcx().global_alloc(id)
            && memory.inner().size() == Size::ZERO
        {
            // Nothing stands there, so the address belongs to no table and fits every address space.
            return Ok(self.dangling(memory.inner().align.bytes()));
        }
        let global = self.cx.global(id, hint, name)?;
        let value = self.function.add_constant(Constant::Global(global));
        Ok(self.cast(metal_oxide_ir::CastOperator::Space, value, POINTER))
    }

    fn static_address(&mut self, id: rustc_hir::def_id::DefId) -> Import<ValueId> {
        let tcx = self.tcx();
        let ty = tcx.type_of(id).instantiate_identity();
        let name = tcx.item_name(id).to_string();
        if tcx.is_foreign_item(id) {
            self.unsupported(Reason::ForeignStatic(&name));
            return Ok(self.dangling(8));
        }
        if tcx.is_mutable_static(id) || !ty.is_freeze(tcx, self.cx.typing_env()) {
            self.unsupported(Reason::MutableStatic(&name));
            return Ok(self.dangling(8));
        }
        let Ok(memory) = tcx.eval_static_initializer(id) else { return Err(Abort::Reported) };
        let known = tcx.reserve_and_set_static_alloc(id);
        let global = self.cx.global_from_memory(known, memory, Some(ty), &name)?;
        let value = self.function.add_constant(Constant::Global(global));
        Ok(self.cast(metal_oxide_ir::CastOperator::Space, value, POINTER))
    }

    /// The name of the table that a constant may become.
    fn constant_name(&self, constant: &mir::ConstOperand<'tcx>) -> String {
        match constant.const_ {
            mir::Const::Unevaluated(constant, _) if constant.promoted.is_none() => {
                self.tcx().opt_item_name(constant.def).map_or_else(|| "constant".to_owned(), |name| name.to_string())
            }
            _ => "constant".to_owned(),
        }
    }
}
