//! The long explanations of this project's diagnostics, for `cargo metal explain`.
//! One Markdown file a code stands in `explanations/`; the build script gathers them, so a new file needs no other change.

static EXPLANATIONS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/explanations.rs"));

/// The explanation of a diagnostic such as `MO0012`, in Markdown. Upper and lower case are the same.
#[must_use]
pub fn explanation(code: &str) -> Option<&'static str> {
    let index = EXPLANATIONS.binary_search_by(|(known, _)| (*known).cmp(code.to_ascii_uppercase().as_str())).ok()?;
    Some(EXPLANATIONS[index].1)
}

/// Every code that has an explanation, in order.
pub fn explained_codes() -> impl Iterator<Item = &'static str> {
    EXPLANATIONS.iter().map(|(code, _)| *code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_explanation_is_found_by_its_code() {
        for code in explained_codes() {
            let text = explanation(code).expect("a listed code is explained");
            assert!(text.starts_with(&format!("# {code}: ")), "{code}.md starts with a heading `# {code}: what is wrong`");
            assert_eq!(explanation(&code.to_lowercase()), Some(text));
        }
        assert_eq!(explanation("MO9999"), None);
    }

    #[test]
    fn codes_have_one_form() {
        for code in explained_codes() {
            assert!(code.len() == 6 && code.starts_with("MO") && code[2..].chars().all(|digit| digit.is_ascii_digit()), "{code}");
        }
    }
}
