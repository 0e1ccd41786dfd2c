//! The headers that make a C++ compiler understand Metal, carried inside this crate and written to the cache where they are needed.
//! Their content is part of every library's key, so a library is never used with headers it was not compiled with.

use std::fs;
use std::path::{Path, PathBuf};

use metal_oxide_artifact::sha256;

use crate::ExecError;
use crate::cache::write_folder;

macro_rules! headers {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../include/", $name)))),*]
    };
}

/// Every file of the `include` folder, by its path there.
const HEADERS: &[(&str, &str)] = headers![
    "metal_stdlib",
    "metal_oxide/atomic.h",
    "metal_oxide/barrier.h",
    "metal_oxide/engine.h",
    "metal_oxide/half.h",
    "metal_oxide/integer.h",
    "metal_oxide/keywords.h",
    "metal_oxide/launch.h",
    "metal_oxide/math.h",
    "metal_oxide/simdgroup.h",
    "metal_oxide/spaces.h",
    "metal_oxide/swizzle.h",
    "metal_oxide/types.h",
    "metal_oxide/undefined.cpp",
    "metal_oxide/vector.h",
];

/// A hash of all headers.
pub(crate) fn identity() -> String {
    let mut all = String::new();
    for (name, content) in HEADERS {
        all.push_str(name);
        all.push('\0');
        all.push_str(content);
        all.push('\0');
    }
    sha256(all.as_bytes())
}

/// Writes the headers into the cache, unless they are there, and returns their folder.
pub(crate) fn install(cache: &Path) -> Result<PathBuf, ExecError> {
    let folder = cache.join("include").join(&identity()[..16]);
    if !folder.is_dir() {
        write_folder(&folder, |temporary| {
            fs::create_dir_all(temporary.join("metal_oxide")).map_err(ExecError::cache("create", temporary))?;
            for (name, content) in HEADERS {
                let path = temporary.join(name);
                fs::write(&path, content).map_err(ExecError::cache("write", path))?;
            }
            Ok(())
        })?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_header_is_carried() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
        let mut found = BTreeSet::new();
        for folder in [root.clone(), root.join("metal_oxide")] {
            for entry in fs::read_dir(folder).expect("the folder is there") {
                let path = entry.expect("the entry can be read").path();
                if path.is_file() {
                    found.insert(path.strip_prefix(&root).expect("it is inside").to_str().expect("the name is ASCII").to_owned());
                }
            }
        }
        assert_eq!(found, HEADERS.iter().map(|(name, _)| (*name).to_owned()).collect());
    }
}
