//! What is checked before a launch: that the artifact fits the arguments, the grid fits the kernel and the kernel's requirements hold.

use metal_oxide_artifact::{Argument, KernelAbi, KernelEntry, Quantity, Relation};

use super::binder::{Binding, Prepared};
use crate::buffer::Access;
use crate::{Error, Result};

impl Prepared {
    /// Whether the launch may run; if so, what the manifest says about its kernel.
    pub(crate) fn check(&mut self) -> Result<&'static KernelEntry> {
        if let Some(problem) = self.problem.take() {
            return Err(problem);
        }
        let entry = self.kernel.entry()?;
        self.check_arguments(&entry.abi)?;
        self.check_grid(&entry.abi)?;
        entry.requires.iter().try_for_each(|relation| self.check_relation(relation))?;
        Ok(entry)
    }

    /// The artifact was compiled from the function that binds the arguments, so a difference means that somebody edited it or mixed files.
    fn check_arguments(&self, abi: &KernelAbi) -> Result<()> {
        let mismatch = |reason: String| {
            let advice = "it was not compiled from this function: build again with METAL_OXIDE_ARTIFACTS=rebuild";
            Err(self.kernel.artifact_error(format!("{reason}: {advice}")))
        };
        if abi.parameters.len() != self.bindings.len() {
            return mismatch(format!("it has {} parameters, the launch function {}", abi.parameters.len(), self.bindings.len()));
        }
        for (parameter, binding) in abi.parameters.iter().zip(&self.bindings) {
            let (layout, size) = match (&parameter.argument, binding) {
                // A parameter that the kernel never writes can be compiled as read-only; the other way round is a mistake.
                (Argument::Buffer { writable: true, .. }, Binding::Buffer { access: Access::Read, .. }) => {
                    return mismatch(format!("it writes the parameter `{}`, which the launch function only reads", parameter.name));
                }
                (Argument::Buffer { element, .. }, Binding::Buffer { element_size, .. }) => (element, *element_size),
                (Argument::Value { layout, .. }, Binding::Value { size, .. }) => (layout, *size),
                _ => return mismatch(format!("the parameter `{}` is of another kind than in the launch function", parameter.name)),
            };
            if layout.size as usize != size {
                let (name, compiled) = (&parameter.name, layout.size);
                return mismatch(format!("`{}` of the parameter `{name}` has {compiled} bytes there and {size} here", layout.name));
            }
        }
        Ok(())
    }

    fn check_grid(&self, abi: &KernelAbi) -> Result<()> {
        let (block, grid) = (self.config.block_dim(), self.config.grid_dim());
        if abi.linear && ((block.y, block.z) != (1, 1) || grid.y > 1 || grid.z > 1) {
            return Err(Error::InvalidLaunch {
                kernel: self.kernel.name().into(),
                reason: format!(
                    "it identifies its threads by `thread_index()`, which needs a grid of one dimension, but this one has {} × {} × {} \
                     blocks of {} × {} × {} threads: launch with extents of one in Y and Z, for example with `LaunchConfig::<256>`",
                    grid.x, grid.y, grid.z, block.x, block.y, block.z
                ),
            });
        }
        Ok(())
    }

    fn check_relation(&self, relation: &Relation) -> Result<()> {
        let parameter = |index: usize| match self.bindings.get(index) {
            Some(Binding::Buffer { length, .. }) => Some(*length as i128),
            Some(Binding::Value { integer, .. }) => *integer,
            None => None,
        };
        if let Some(index) = relation.parameters().into_iter().find(|index| parameter(*index).is_none()) {
            let reason = format!("its requirement `{}` speaks of parameter {index}, which is no buffer and no integer", relation.text);
            return Err(self.kernel.artifact_error(reason));
        }
        let value = |index| parameter(index).unwrap_or_default();
        // A side that is too large to compute counts as violated: the compiler assumes the relation in exact arithmetic.
        if relation.holds(&value) == Ok(true) {
            return Ok(());
        }
        let side =
            |quantity: &Quantity| quantity.evaluate(&value).map_or_else(|_| "too large to compute".into(), |value| value.to_string());
        Err(Error::RequirementNotMet {
            kernel: self.kernel.name().into(),
            relation: relation.text.clone(),
            left: side(&relation.left),
            right: side(&relation.right),
        })
    }
}
