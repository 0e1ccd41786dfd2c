//! Constant tables: memory that rustc has evaluated, with the addresses inside.

use metal_oxide_ir::{Global, GlobalId, MemoryKind, Relocation, TypeId};
use rustc_abi::{FieldsShape, Size};
use rustc_middle::mir::interpret::{AllocId, ConstAllocation, GlobalAlloc};
use rustc_middle::ty::layout::TyAndLayout;
use rustc_middle::ty::{self, Ty};

use super::context::{Context, Import};

impl<'tcx> Context<'tcx> {
    /// The table for constant memory. The hint says what type is known to stand there.
    pub fn global(&mut self, id: AllocId, hint: Option<Ty<'tcx>>, name: &str) -> Import<GlobalId> {
        match self.tcx.global_alloc(id) {
            GlobalAlloc::Memory(memory) => self.global_from_memory(id, memory, hint, name),
            _ => self.global_from_bytes(id, name),
        }
    }

    /// The table for memory, which is made when it is asked for the first time.
    pub fn global_from_memory(
        &mut self,
        id: AllocId,
        memory: ConstAllocation<'tcx>,
        hint: Option<Ty<'tcx>>,
        name: &str,
    ) -> Import<GlobalId> {
        if let Some(&known) = self.globals.get(&id) {
            return Ok(known);
        }
        let memory = memory.inner();
        let size = memory.size();
        let layout = match hint {
            Some(ty) => self.layout_of_hint(ty, size)?,
            None => None,
        };
        let ty = self.table_type(layout, size, memory.align.bytes())?;
        let bytes = memory.inspect_with_uninit_and_ptr_outside_interpreter(0..size.bytes_usize()).to_vec();
        let global = self.module.add_global(Global { name: name.to_owned(), ty, bytes, relocations: Vec::new() });
        self.globals.insert(id, global);
        for &(offset, provenance) in memory.provenance().ptrs().iter() {
            let start = offset.bytes_usize();
            let table = &mut self.module.globals[global.index()].bytes;
            let mut addend = [0; 8];
            addend.copy_from_slice(&table[start..start + 8]);
            table[start..start + 8].fill(0);
            let pointee = layout.and_then(|layout| self.pointee_at(layout, offset));
            let target = match self.tcx.global_alloc(provenance.alloc_id()) {
                GlobalAlloc::Memory(_) => self.global(provenance.alloc_id(), pointee, name)?,
                GlobalAlloc::Static(id) => {
                    let Ok(memory) = self.tcx.eval_static_initializer(id) else { return Err(super::context::Abort::Reported) };
                    let ty = self.tcx.type_of(id).instantiate_identity();
                    let name = self.tcx.item_name(id).to_string();
                    self.global_from_memory(provenance.alloc_id(), memory, Some(ty), &name)?
                }
                // Nobody can follow a pointer to a function.
                GlobalAlloc::Function { .. } | GlobalAlloc::VTable(..) | GlobalAlloc::TypeId { .. } => continue,
            };
            let relocation = Relocation { offset: offset.bytes(), target, addend: u64::from_le_bytes(addend) };
            self.module.globals[global.index()].relocations.push(relocation);
        }
        Ok(global)
    }

    fn global_from_bytes(&mut self, id: AllocId, name: &str) -> Import<GlobalId> {
        let ty = self.byte_array(0, 1);
        let global = self.module.add_global(Global { name: name.to_owned(), ty, bytes: Vec::new(), relocations: Vec::new() });
        self.globals.insert(id, global);
        Ok(global)
    }

    /// The layout of the hinted type, if it is that of the whole memory.
    fn layout_of_hint(&self, ty: Ty<'tcx>, size: Size) -> Import<Option<TyAndLayout<'tcx>>> {
        let ty = match ty.kind() {
            ty::Slice(element) => {
                let element_layout = self.layout(*element)?;
                let element_size = element_layout.size.bytes();
                if element_size == 0 {
                    return Ok(None);
                }
                Ty::new_array(self.tcx, *element, size.bytes() / element_size)
            }
            ty::Str => Ty::new_array(self.tcx, self.tcx.types.u8, size.bytes()),
            ty::Dynamic(..) | ty::Foreign(_) => return Ok(None),
            _ => ty,
        };
        let layout = self.layout(ty)?;
        Ok((layout.is_sized() && layout.size == size).then_some(layout))
    }

    fn table_type(&mut self, layout: Option<TyAndLayout<'tcx>>, size: Size, align: u64) -> Import<TypeId> {
        if let Some(layout) = layout {
            let ty = self.memory_type(layout)?;
            if !matches!(self.module.ty(ty).kind, MemoryKind::Opaque) {
                return Ok(ty);
            }
        }
        Ok(self.byte_array(size.bytes(), align))
    }

    /// What the pointer at an offset points to, if the type there is a pointer.
    fn pointee_at(&self, layout: TyAndLayout<'tcx>, offset: Size) -> Option<Ty<'tcx>> {
        if let Some(pointee) = layout.ty.builtin_deref(true) {
            return (offset == Size::ZERO).then_some(pointee);
        }
        let cx = self.layout_cx();
        match &layout.fields {
            FieldsShape::Array { stride, count } if *count > 0 && stride.bytes() > 0 => {
                self.pointee_at(layout.field(&cx, 0), Size::from_bytes(offset.bytes() % stride.bytes()))
            }
            FieldsShape::Arbitrary { .. } => (0..layout.fields.count()).find_map(|index| {
                let (field, start) = (layout.field(&cx, index), layout.fields.offset(index));
                (field.is_sized() && start <= offset && offset < start + field.size).then(|| self.pointee_at(field, offset - start))?
            }),
            _ => None,
        }
    }
}
