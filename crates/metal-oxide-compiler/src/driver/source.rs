//! The only source file a unit has: the user's file, with the unit's text in place of its contents.
//! Everything else a unit could read at compile time is refused, since its changes would go unnoticed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_span::source_map::FileLoader;

/// Serves one text under the path of the user's file.
pub struct UnitLoader {
    /// The path that rustc is given as its input.
    pub path: PathBuf,
    /// The unit's text.
    pub text: String,
}

impl UnitLoader {
    fn refuse(path: &Path) -> io::Error {
        io::Error::other(format!("a kernel cannot read other files at compile time (`{}`)", path.display()))
    }
}

impl FileLoader for UnitLoader {
    fn file_exists(&self, path: &Path) -> bool {
        path == self.path
    }

    fn read_file(&self, path: &Path) -> io::Result<String> {
        if path == self.path { Ok(self.text.clone()) } else { Err(Self::refuse(path)) }
    }

    fn read_binary_file(&self, path: &Path) -> io::Result<Arc<[u8]>> {
        Err(Self::refuse(path))
    }

    fn current_directory(&self) -> io::Result<PathBuf> {
        std::env::current_dir()
    }
}
