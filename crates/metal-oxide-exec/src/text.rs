//! What must be known about a Metal text before it is compiled, found by reading its words.
//! The text itself is not changed: the generated file tells the headers, which define Metal's words as macros.

use std::collections::BTreeSet;

/// The facts about one text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// For each occurrence of the word `threadgroup`, in order, what it means there.
    pub(crate) threadgroup: Vec<Threadgroup>,
    /// Everything that looks like a swizzle of several components, such as `xy` of `v.xy`.
    pub(crate) swizzles: BTreeSet<String>,
    /// Half-precision types or literals occur.
    pub(crate) half: bool,
    /// Functions on SIMD-groups occur.
    pub(crate) simdgroups: bool,
    /// Something occurs at which threads wait for one another.
    pub(crate) collective: bool,
}

/// The meanings of the word `threadgroup`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threadgroup {
    /// It starts the declaration of a variable that the threads of a threadgroup share.
    Variable,
    /// It says where a pointer or reference leads.
    Space,
    /// It is the name of an attribute.
    Attribute,
}

impl Facts {
    /// Reads a text.
    pub(crate) fn of(text: &str) -> Self {
        let words = words(text);
        let mut facts = Self::default();
        for (index, word) in words.iter().enumerate() {
            let previous = index.checked_sub(1).map_or("", |previous| words[previous]);
            match *word {
                "threadgroup" => facts.threadgroup.push(meaning(previous, &words[index + 1..])),
                _ if matches!(previous, "." | "->") && is_swizzle(word) => {
                    facts.swizzles.insert((*word).to_owned());
                }
                _ => {}
            }
            facts.half |= is_half(word);
            facts.simdgroups |= word.starts_with("simd_") || word.starts_with("quad_");
            facts.collective |= facts.simdgroups || matches!(*word, "threadgroup_barrier" | "simdgroup_barrier");
        }
        facts
    }
}

fn meaning(previous: &str, rest: &[&str]) -> Threadgroup {
    if rest.first() == Some(&"(") {
        return Threadgroup::Attribute;
    }
    if !matches!(previous, "{" | "}" | ";" | ")") {
        return Threadgroup::Space;
    }
    // At the start of a statement: a pointer or reference into threadgroup memory, or a variable there.
    let declarator = rest.iter().take_while(|word| !matches!(**word, ";" | "=" | "["));
    if declarator.clone().any(|word| matches!(*word, "*" | "&")) { Threadgroup::Space } else { Threadgroup::Variable }
}

fn is_swizzle(word: &str) -> bool {
    (2..=4).contains(&word.len()) && word.bytes().all(|component| b"xyzw".contains(&component))
}

fn is_half(word: &str) -> bool {
    let vector = word.trim_end_matches(|digit: char| matches!(digit, '2'..='4'));
    matches!(vector, "half" | "bfloat" | "packed_half" | "packed_bfloat")
        || word.starts_with(|digit: char| digit.is_ascii_digit()) && !word.starts_with("0x") && word.ends_with(['h', 'H', 'b', 'B'])
        || word.starts_with(|digit: char| digit.is_ascii_digit())
            && (word.ends_with("bf") || word.ends_with("BF"))
            && !word.starts_with("0x")
}

/// The words, numbers and signs of a C++ text without its comments, string contents and white space.
fn words(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut words = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let byte = bytes[at];
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        if byte.is_ascii_whitespace() {
            at += 1;
        } else if byte == b'/' && next == b'/' {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
        } else if byte == b'/' && next == b'*' {
            at += text[at..].find("*/").map_or(text.len() - at, |length| length + 2);
        } else if byte == b'"' || byte == b'\'' {
            at += 1;
            while at < bytes.len() && bytes[at] != byte {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at += 1;
        } else if is_word(byte) || byte == b'.' && next.is_ascii_digit() {
            let number = !byte.is_ascii_alphabetic() && byte != b'_';
            let exponent = |at: usize| matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P') && matches!(bytes[at], b'+' | b'-');
            at += 1;
            while at < bytes.len() && (is_word(bytes[at]) || number && (bytes[at] == b'.' || exponent(at))) {
                at += 1;
            }
            words.push(&text[start..at]);
        } else {
            at += if byte == b'-' && next == b'>' { 2 } else { 1 };
            words.push(&text[start..at]);
        }
    }
    words
}

fn is_word(byte: u8) -> bool {
    // A byte of a multi-byte character counts as a letter, so that a word is never cut inside one.
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_numbers_comments_and_strings() {
        assert_eq!(words("a.x+1.5e-3f/*b*/->c// d\n\"e\\\"f\"'g'é"), ["a", ".", "x", "+", "1.5e-3f", "->", "c", "é"]);
        assert_eq!(words("v[1].xy.z"), ["v", "[", "1", "]", ".", "xy", ".", "z"]);
        assert_eq!(words("/* open"), Vec::<&str>::new());
    }

    #[test]
    fn the_meanings_of_threadgroup() {
        use Threadgroup::{Attribute, Space, Variable};
        let facts = Facts::of(
            "void f(threadgroup float *p, threadgroup Shared &s);\n\
             kernel void k(threadgroup float *d [[threadgroup(0)]]) { // threadgroup\n\
               threadgroup float tile[16 * 2]; threadgroup Shared s; threadgroup float *p = &tile[0];\n\
               f((threadgroup float *)p, s); if (x) threadgroup_barrier(mem_flags::mem_threadgroup); }",
        );
        assert_eq!(facts.threadgroup, [Space, Space, Space, Attribute, Variable, Variable, Space, Space]);
    }

    #[test]
    fn swizzles_are_members_of_several_components() {
        let facts = Facts::of("a.xy = p->zyx; float xyz = v.x + b.xyzw.w + c.xyq;");
        assert_eq!(facts.swizzles.iter().map(String::as_str).collect::<Vec<_>>(), ["xy", "xyzw", "zyx"]);
    }

    #[test]
    fn half_precision_by_type_or_literal() {
        for text in ["half x;", "device half4 *p", "a = 1.0h;", "bfloat2 b", "packed_half3 p", "1.5bf"] {
            assert!(Facts::of(text).half, "{text}");
        }
        for text in ["float half_width;", "0x1bu", "0xfb", "1.0f", "0x1.8p3f", "0xabf"] {
            assert!(!Facts::of(text).half, "{text}");
        }
    }
}
