//! The device crate's intrinsics, recognised by diagnostic item.

use metal_oxide_ir::{Axis, Coordinate, MathFunction, Operation, Type};
use rustc_middle::ty::Instance;

use super::body::FunctionImporter;
use super::context::Import;
use super::value::{Operand, Value};

/// The coordinates that take an axis as their const argument.
const COORDINATES: [(&str, Coordinate); 5] = [
    ("metal_oxide_thread_position_in_grid", Coordinate::ThreadInGrid),
    ("metal_oxide_thread_position_in_threadgroup", Coordinate::ThreadInBlock),
    ("metal_oxide_threadgroup_position_in_grid", Coordinate::BlockInGrid),
    ("metal_oxide_threads_per_threadgroup", Coordinate::BlockSize),
    ("metal_oxide_threadgroups_per_grid", Coordinate::GridSize),
];

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// Imports a call of one of the device crate's intrinsics, if the instance is one.
    pub fn device_call(&mut self, instance: Instance<'tcx>, operands: &[Operand<'tcx>]) -> Import<Option<Operand<'tcx>>> {
        let Some(item) = self.tcx().get_diagnostic_name(instance.def_id()) else { return Ok(None) };
        let item = item.as_str();
        if item == "metal_oxide_linear_thread_index" {
            self.cx.linear.insert(self.id);
            let layout = self.cx.layout(self.tcx().types.usize)?;
            let position = self.emit(Operation::Coordinate(Coordinate::ThreadInGrid, Axis::X), Type::I32);
            let value = self.integer_cast(position, Type::I64, false);
            return Ok(Some(Operand { value: Value::Scalar(value), layout }));
        }
        if let Some(function) = item.strip_prefix("metal_oxide_math_").and_then(math_function) {
            let layout = self.cx.layout(self.tcx().types.f32)?;
            let arguments = operands.iter().map(|operand| operand.value.scalar()).collect();
            let value = self.emit(Operation::Math(function, arguments), Type::F32);
            return Ok(Some(Operand { value: Value::Scalar(value), layout }));
        }
        let Some(&(_, coordinate)) = COORDINATES.iter().find(|(name, _)| *name == item) else { return Ok(None) };
        let axis = match instance.args.const_at(0).try_to_target_usize(self.tcx()) {
            Some(0) => Axis::X,
            Some(1) => Axis::Y,
            _ => Axis::Z,
        };
        let layout = self.cx.layout(self.tcx().types.u32)?;
        let value = self.emit(Operation::Coordinate(coordinate, axis), Type::I32);
        Ok(Some(Operand { value: Value::Scalar(value), layout }))
    }
}

/// The functions of Metal's standard library that rustc has no intrinsic for.
fn math_function(name: &str) -> Option<MathFunction> {
    Some(match name {
        "tan" => MathFunction::Tan,
        "asin" => MathFunction::Asin,
        "acos" => MathFunction::Acos,
        "atan" => MathFunction::Atan,
        "atan2" => MathFunction::Atan2,
        "sinh" => MathFunction::Sinh,
        "cosh" => MathFunction::Cosh,
        "tanh" => MathFunction::Tanh,
        _ => return None,
    })
}
