//! How a compiled kernel gets its arguments and tells its failure, as the manifest's ABI says.
//! Common to the backends that run emitted Metal Shading Language.

use std::{ptr, slice};

use metal_oxide_artifact::{Argument, FailureKind, Parameter};

use super::Work;
use crate::launch::Binding;
use crate::{Error, Result};

/// The argument block of a launch: buffer lengths and by-value arguments. It is aligned to 16 bytes.
pub(super) struct ArgumentBlock {
    words: Vec<u128>,
    size: usize,
}

impl ArgumentBlock {
    /// The lengths and values of a launch, each where its kernel looks for it.
    pub(super) fn new(work: &Work) -> Result<Self> {
        let abi = &work.entry.abi;
        let mut bytes = vec![0; abi.args_size as usize];
        for (parameter, binding) in abi.parameters.iter().zip(&work.prepared.bindings) {
            match (&parameter.argument, binding) {
                (Argument::Buffer { length_offset: Some(offset), .. }, Binding::Buffer { length, .. }) => {
                    write(work, parameter, &mut bytes, *offset, &(*length as u64).to_le_bytes())?;
                }
                (Argument::Value { offset: Some(offset), .. }, Binding::Value { index, size, .. }) => {
                    write(work, parameter, &mut bytes, *offset, work.prepared.canonical_value(*index, *size))?;
                }
                // The kernel does not use it.
                _ => {}
            }
        }
        let words = bytes.chunks(16).map(|chunk| {
            let mut word = [0; 16];
            word[..chunk.len()].copy_from_slice(chunk);
            u128::from_ne_bytes(word)
        });
        Ok(Self { words: words.collect(), size: bytes.len() })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        // SAFETY: the words are initialised, and they have been made from so many bytes.
        unsafe { slice::from_raw_parts(self.words.as_ptr().cast(), self.size) }
    }
}

fn write(work: &Work, parameter: &Parameter, block: &mut [u8], offset: u32, value: &[u8]) -> Result<()> {
    let size = block.len();
    let place = block.get_mut(offset as usize..).and_then(|rest| rest.get_mut(..value.len())).ok_or_else(|| {
        work.prepared.kernel.artifact_error(format!(
            "the parameter `{}` lies outside the argument block of {size} bytes: build again with METAL_OXIDE_ARTIFACTS=rebuild",
            parameter.name
        ))
    })?;
    place.copy_from_slice(value);
    Ok(())
}

/// The addresses of a launch's buffers, each at the index of its slot; null where a slot is not a buffer's.
pub(super) fn buffer_slots(work: &Work) -> Vec<*mut u8> {
    let mut slots = Vec::new();
    for (parameter, binding) in work.entry.abi.parameters.iter().zip(&work.prepared.bindings) {
        if let (Argument::Buffer { slot, .. }, Binding::Buffer { storage, .. }) = (&parameter.argument, binding) {
            let slot = *slot as usize;
            slots.resize(slots.len().max(slot + 1), ptr::null_mut());
            slots[slot] = storage.pointer().as_ptr();
        }
    }
    slots
}

/// What a kernel writes when one of its checks fails. The host zeroes it before a launch.
#[derive(Debug, Default)]
#[repr(C)]
pub(super) struct FailureRecord {
    /// Zero as long as nothing failed.
    state: u32,
    /// Which check: an index into the manifest's sites.
    site: u32,
    /// The thread's position in its block.
    thread: [u32; 3],
    /// The block's position in the grid.
    block: [u32; 3],
}

const _: () = assert!(size_of::<FailureRecord>() == 32);

impl FailureRecord {
    /// The outcome of a launch that left this record.
    pub(super) fn outcome(&self, work: &Work) -> Result<()> {
        if self.state == 0 {
            return Ok(());
        }
        let kernel = work.prepared.kernel;
        let site = work.entry.sites.get(self.site as usize).ok_or_else(|| {
            let advice = "build again with METAL_OXIDE_ARTIFACTS=rebuild";
            kernel.artifact_error(format!("check {} failed, which its manifest does not list: {advice}", self.site))
        })?;
        Err(Error::KernelFailed {
            kernel: kernel.name().into(),
            file: kernel.unit().host_spelling(&site.file),
            line: site.line,
            column: site.column,
            kind: site.kind,
            message: if site.message.is_empty() { message_of(site.kind).into() } else { site.message.clone() },
            thread: self.thread,
            block: self.block,
        })
    }
}

/// What is known of a failure of this kind when the manifest has no words for it.
fn message_of(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Bounds => "index out of bounds",
        FailureKind::DivisionByZero => "attempt to divide by zero",
        FailureKind::Overflow => "arithmetic overflow",
        FailureKind::Unwrap => "there was no value to unwrap",
        _ => "explicit panic",
    }
}
