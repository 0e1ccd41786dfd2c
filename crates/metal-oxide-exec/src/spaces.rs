//! Checking that the pointers of a Metal text lead where their address spaces say.
//! The headers that run a text forget address spaces, as a CPU has only one memory. Clang's C++ for OpenCL has them and converts between
//! them as little as Metal does, so the same headers in another mode make it check them.

use std::path::Path;

use crate::cache::Temporary;
use crate::text::Facts;
use crate::translation::{Goal, Translation};
use crate::{Compiler, ExecError, launcher};

/// Checks the types of a Metal text with address spaces as part of them.
///
/// Only Clang can do this. [`ExecError::Unsuitable`] says that the compiler cannot, and [`ExecError::Rejected`] that the text is wrong.
/// Nothing is kept of a text that is right, so each call starts the compiler.
pub fn check_address_spaces(compiler: &Compiler, cache: &Path, msl: &str) -> Result<(), ExecError> {
    let cache = &std::path::absolute(cache).map_err(ExecError::cache("find", cache))?;
    let facts = &Facts::of(msl);
    let launcher = launcher::generate(facts, &[]);
    let translation = Translation { compiler, cache, msl, facts, launcher, goal: Goal::AddressSpaces };
    let key = translation.key();
    let folder = Temporary::beside(&cache.join("checks").join(&key))?;
    translation.run(&folder.path, &key)
}
