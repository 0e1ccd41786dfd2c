//! Types: which scalar stands for a value of a Rust type, and which memory type describes its bytes.
//! Layouts are rustc's, down to the last niche.

use metal_oxide_ir::{Field, MemoryKind, MemoryType, Space, Type, TypeId};
use rustc_abi::{BackendRepr, FieldsShape, Float, Integer, Primitive, Scalar, Size, TagEncoding, VariantIdx, Variants};
use rustc_middle::ty::layout::TyAndLayout;
use rustc_middle::ty::{self, Ty};

use super::context::{Context, Import};

/// The pointer type of imported code.
pub const POINTER: Type = Type::Pointer(Space::Generic);

/// How values of a layout are held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Class {
    /// No bytes.
    ZeroSized,
    /// One scalar.
    Scalar(Scalar),
    /// Two scalars; the second stands at the given offset.
    Pair(Scalar, Scalar, Size),
    /// Bytes in memory.
    Memory,
}

/// How values of a layout are held.
pub fn class<'tcx>(cx: &Context<'tcx>, layout: TyAndLayout<'tcx>) -> Class {
    if layout.is_zst() {
        return Class::ZeroSized;
    }
    match layout.backend_repr {
        BackendRepr::Scalar(scalar) => Class::Scalar(scalar),
        BackendRepr::ScalarPair(first, second) => {
            let offset = first.size(&cx.tcx).align_to(second.align(&cx.tcx).abi);
            Class::Pair(first, second, offset)
        }
        BackendRepr::SimdVector { .. } | BackendRepr::ScalableVector { .. } | BackendRepr::Memory { .. } => Class::Memory,
    }
}

/// The type of the value that holds a scalar.
pub fn scalar_type(scalar: Scalar) -> Type {
    if scalar.is_bool() {
        return Type::Bool;
    }
    primitive_type(scalar.primitive())
}

/// The type of the value that holds a primitive, other than a `bool`.
pub fn primitive_type(primitive: Primitive) -> Type {
    match primitive {
        Primitive::Int(Integer::I8, _) => Type::I8,
        Primitive::Int(Integer::I16, _) => Type::I16,
        Primitive::Int(Integer::I32, _) => Type::I32,
        Primitive::Int(Integer::I64, _) => Type::I64,
        // A quadruple-precision float is only ever moved around; arithmetic on it is not imported.
        Primitive::Int(Integer::I128, _) | Primitive::Float(Float::F128) => Type::I128,
        Primitive::Float(Float::F16) => Type::F16,
        Primitive::Float(Float::F32) => Type::F32,
        Primitive::Float(Float::F64) => Type::F64,
        Primitive::Pointer(_) => POINTER,
    }
}

/// Whether a scalar is a signed integer.
fn is_signed(scalar: Scalar) -> bool {
    matches!(scalar.primitive(), Primitive::Int(_, true))
}

impl<'tcx> Context<'tcx> {
    /// The memory type of a layout.
    pub fn memory_type(&mut self, layout: TyAndLayout<'tcx>) -> Import<TypeId> {
        let variant = match (layout.ty.kind(), &layout.variants) {
            (ty::Adt(definition, _), Variants::Single { index }) if definition.is_enum() => Some(*index),
            _ => None,
        };
        let key = (layout.ty, variant);
        if let Some(&id) = self.types.get(&key) {
            return Ok(id);
        }
        let kind = self.memory_kind(layout, variant)?;
        let name = match (kind_scalar(&kind), variant) {
            (Some((ty, signed)), _) if !layout.ty.is_adt() => scalar_name(ty, signed, layout.ty),
            (_, Some(index)) => format!("{}::{}", self.type_name(layout.ty), self.variant_name(layout.ty, index)),
            _ => self.type_name(layout.ty),
        };
        // A variant of an enum ends with its last field; the padding behind it belongs to the enum.
        let size = layout.size.align_to(layout.align.abi);
        let ty = MemoryType { name, size: size.bytes(), align: layout.align.abi.bytes(), kind };
        let id = self.module.intern_type(ty);
        self.types.insert(key, id);
        Ok(id)
    }

    /// The memory type of a scalar without a Rust type of its own.
    pub fn scalar_memory_type(&mut self, ty: Type, signed: bool) -> TypeId {
        if let Some(&id) = self.scalars.get(&(ty, signed)) {
            return id;
        }
        let name = plain_name(ty, signed).to_owned();
        let id = self.module.intern_type(MemoryType { name, size: ty.size(), align: ty.size(), kind: MemoryKind::Scalar { ty, signed } });
        self.scalars.insert((ty, signed), id);
        id
    }

    /// An array of bytes for memory whose contents have no better type.
    pub fn byte_array(&mut self, size: u64, align: u64) -> TypeId {
        self.module.intern_type(MemoryType { name: format!("[u8; {size}]"), size, align, kind: MemoryKind::Opaque })
    }

    /// An array of a memory type.
    pub fn array_type(&mut self, element: TypeId, count: u64) -> TypeId {
        let inner = self.module.ty(element);
        let (name, size, align) = (format!("[{}; {count}]", inner.name), inner.size * count, inner.align);
        self.module.intern_type(MemoryType { name, size, align, kind: MemoryKind::Array { element, count } })
    }

    fn memory_kind(&mut self, layout: TyAndLayout<'tcx>, variant: Option<VariantIdx>) -> Import<MemoryKind> {
        if let Variants::Multiple { tag_encoding, .. } = &layout.variants {
            return Ok(self.enum_kind(layout, tag_encoding));
        }
        match layout.fields {
            FieldsShape::Array { count, .. } => {
                let element = self.memory_type(layout.field(&self.layout_cx(), 0))?;
                Ok(MemoryKind::Array { element, count })
            }
            FieldsShape::Arbitrary { .. } => self.struct_kind(layout, variant),
            FieldsShape::Union(count) => {
                // `MaybeUninit<T>` and its like are what they hold.
                let fields: Vec<_> =
                    (0..count.get()).map(|index| layout.field(&self.layout_cx(), index)).filter(|field| !field.is_zst()).collect();
                match fields.as_slice() {
                    [field] => {
                        let ty = self.memory_type(*field)?;
                        Ok(MemoryKind::Struct { fields: vec![Field { name: "value".to_owned(), offset: 0, ty }] })
                    }
                    _ => Ok(MemoryKind::Opaque),
                }
            }
            FieldsShape::Primitive => Ok(match layout.backend_repr {
                BackendRepr::Scalar(scalar) => MemoryKind::Scalar { ty: scalar_type(scalar), signed: is_signed(scalar) },
                _ => MemoryKind::Opaque,
            }),
        }
    }

    /// An enum that is held in scalars shows them; any other is bytes.
    fn enum_kind(&mut self, layout: TyAndLayout<'tcx>, encoding: &TagEncoding<VariantIdx>) -> MemoryKind {
        match class(self, layout) {
            Class::Scalar(scalar) => MemoryKind::Scalar { ty: scalar_type(scalar), signed: is_signed(scalar) },
            Class::Pair(first, second, offset) => {
                let names = if matches!(encoding, TagEncoding::Direct) { ["tag", "value"] } else { ["first", "second"] };
                let fields = [(first, 0), (second, offset.bytes())];
                let field = |(name, (scalar, offset)): (&str, (Scalar, u64))| Field {
                    name: name.to_owned(),
                    offset,
                    ty: self.scalar_memory_type(scalar_type(scalar), is_signed(scalar)),
                };
                MemoryKind::Struct { fields: names.into_iter().zip(fields).map(field).collect() }
            }
            Class::ZeroSized | Class::Memory => MemoryKind::Opaque,
        }
    }

    fn struct_kind(&mut self, layout: TyAndLayout<'tcx>, variant: Option<VariantIdx>) -> Import<MemoryKind> {
        let mut fields = Vec::new();
        if layout.ty.is_any_ptr() {
            // A wide pointer.
            let Class::Pair(first, second, offset) = class(self, layout) else { return Ok(MemoryKind::Opaque) };
            for (name, scalar, offset) in [("pointer", first, 0), ("length", second, offset.bytes())] {
                fields.push(Field { name: name.to_owned(), offset, ty: self.scalar_memory_type(scalar_type(scalar), false) });
            }
            return Ok(MemoryKind::Struct { fields });
        }
        for index in 0..layout.fields.count() {
            let field = layout.field(&self.layout_cx(), index);
            if field.is_zst() || field.is_unsized() {
                continue;
            }
            let ty = self.memory_type(field)?;
            let name = self.field_name(layout.ty, variant, index);
            fields.push(Field { name, offset: layout.fields.offset(index).bytes(), ty });
        }
        fields.sort_by_key(|field| field.offset);
        Ok(MemoryKind::Struct { fields })
    }

    /// What to append to a variable's name for the two scalars that it is held in: `_x` and `_y`, or nothing for the address of a slice.
    pub fn part_names(&mut self, layout: TyAndLayout<'tcx>) -> [String; 2] {
        let fields: Vec<String> = match self.memory_type(layout).map(|id| &self.module.ty(id).kind) {
            Ok(MemoryKind::Struct { fields }) => fields.iter().map(|field| field.name.clone()).collect(),
            _ => Vec::new(),
        };
        let suffix = |name: &str| match name {
            "pointer" => String::new(),
            _ if name.starts_with('_') => name.to_owned(),
            _ => format!("_{name}"),
        };
        match fields.as_slice() {
            [first, second] => [suffix(first), suffix(second)],
            _ => ["_0".to_owned(), "_1".to_owned()],
        }
    }

    /// The position of a Rust field among the fields of its memory type.
    pub fn field_position(&self, ty: TypeId, offset: Size) -> Option<u32> {
        let MemoryKind::Struct { fields } = &self.module.ty(ty).kind else { return None };
        let position = fields.iter().position(|field| field.offset == offset.bytes())?;
        u32::try_from(position).ok()
    }
}

fn kind_scalar(kind: &MemoryKind) -> Option<(Type, bool)> {
    match kind {
        MemoryKind::Scalar { ty, signed } => Some((*ty, *signed)),
        _ => None,
    }
}

/// The Rust name of a scalar type, where it has one.
fn scalar_name(scalar: Type, signed: bool, ty: Ty<'_>) -> String {
    match ty.kind() {
        ty::Int(_) | ty::Uint(_) | ty::Float(_) | ty::Bool | ty::Char => ty.to_string(),
        _ => plain_name(scalar, signed).to_owned(),
    }
}

fn plain_name(ty: Type, signed: bool) -> &'static str {
    match (ty, signed) {
        (Type::Bool, _) => "bool",
        (Type::I8, false) => "u8",
        (Type::I8, true) => "i8",
        (Type::I16, false) => "u16",
        (Type::I16, true) => "i16",
        (Type::I32, false) => "u32",
        (Type::I32, true) => "i32",
        (Type::I64, false) => "u64",
        (Type::I64, true) => "i64",
        (Type::I128, false) => "u128",
        (Type::I128, true) => "i128",
        (Type::F16, _) => "f16",
        (Type::BF16, _) => "bf16",
        (Type::F32, _) => "f32",
        (Type::F64, _) => "f64",
        (Type::Pointer(_), _) => "pointer",
    }
}
