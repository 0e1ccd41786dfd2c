//! `cargo metal explain MO0012`: the long explanation of a diagnostic.

use metal_oxide_artifact::{explained_codes, explanation};

use crate::{Error, Result};

/// The text to print for a code.
///
/// # Errors
///
/// Fails if the code has no explanation; the error says where it has one or which codes there are.
pub(crate) fn explain(code: &str) -> Result<&'static str> {
    explanation(code).ok_or_else(|| {
        let of_rustc = code.len() == 5 && code.starts_with(['E', 'e']) && code[1..].chars().all(|digit| digit.is_ascii_digit());
        let fix = if of_rustc {
            format!("this code is rustc's: run `rustc --explain {}`", code.to_uppercase())
        } else {
            format!("explained codes: {}", explained_codes().collect::<Vec<_>>().join(", "))
        };
        Error::NotFound { message: format!("there is no explanation of `{code}`"), fix }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_unknown_and_foreign_codes() {
        let known = explained_codes().next().expect("some code is explained");
        assert!(explain(known).expect("it is explained").starts_with("# MO"));
        assert!(explain("E0308").expect_err("it is rustc's").help().contains("rustc --explain E0308"));
        assert!(explain("MO9999").expect_err("it is nobody's").help().contains(known));
    }
}
