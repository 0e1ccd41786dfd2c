//! The codes of the errors that the macros themselves report. Each has a long explanation, which `cargo metal explain` prints.

use std::fmt::Display;

use proc_macro2::Span;
use quote::ToTokens;
use syn::Error;

/// A code such as `MO0012`.
#[derive(Clone, Copy)]
pub struct Code(&'static str);

/// An attribute on the wrong item, or with arguments that it does not have.
pub const ATTRIBUTE: Code = Code("MO0040");
/// A clause of `requires` outside the grammar.
pub const REQUIRES: Code = Code("MO0041");
/// A signature that no kernel can have.
pub const SIGNATURE: Code = Code("MO0042");
/// A record that cannot be passed to kernels.
pub const RECORD: Code = Code("MO0043");
/// A kernel that does not stand in its file as it is.
pub const SOURCE: Code = Code("MO0044");
/// The kernel has to be compiled, and there is no compiler.
pub const NOT_INSTALLED: Code = Code("MO0045");
/// The saved artifact will not do, and no other is allowed.
pub const LOCKED: Code = Code("MO0046");
/// The settings of the build are not understood.
pub const SETTINGS: Code = Code("MO0047");

/// A crate of kernels that cannot be used as one.
pub const CRATE: Code = Code("MO0050");

impl Code {
    /// An error at a place.
    pub fn at(self, span: Span, message: impl Display) -> Error {
        Error::new(span, self.mark(message))
    }

    /// An error about these tokens.
    pub fn on(self, tokens: impl ToTokens, message: impl Display) -> Error {
        Error::new_spanned(tokens, self.mark(message))
    }

    /// Adds the code to the first line.
    fn mark(self, message: impl Display) -> String {
        let message = message.to_string();
        match message.split_once('\n') {
            Some((first, rest)) => format!("{first} [{}]\n{rest}", self.0),
            None => format!("{message} [{}]", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained() {
        for Code(code) in [ATTRIBUTE, REQUIRES, SIGNATURE, RECORD, SOURCE, NOT_INSTALLED, LOCKED, SETTINGS, CRATE, Code("MO0000")] {
            assert!(metal_oxide_artifact::explanation(code).is_some(), "{code} has no explanation");
        }
    }

    #[test]
    fn the_code_ends_the_first_line() {
        assert_eq!(LOCKED.at(Span::call_site(), "no\nwhy").to_string(), "no [MO0046]\nwhy");
        assert_eq!(LOCKED.at(Span::call_site(), "no").to_string(), "no [MO0046]");
    }
}
