//! A switch between the two implementations of `proc_macro2`: rustc's tokens, and those of a lexer of its own.
//!
//! rustc gives all tokens that are parsed from a text the place of the macro call. The other implementation knows line and column. The two
//! kinds must not be mixed, so what is made in the scope of the guard must not leave it, texts and positions aside.

/// While it lives, tokens that are parsed from a text know their places in it.
pub struct Guard;

/// Uses the lexer of `proc_macro2` until the guard is dropped. rustc expands one macro at a time, so nobody else is parsing meanwhile.
pub fn use_in_this_scope() -> Guard {
    proc_macro2::fallback::force();
    Guard
}

impl Drop for Guard {
    fn drop(&mut self) {
        proc_macro2::fallback::unforce();
    }
}
