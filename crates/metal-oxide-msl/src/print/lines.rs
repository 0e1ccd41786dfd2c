//! Breaks long lines where an expression falls apart most naturally: outside of parentheses, in front of an operator or behind a comma.

/// The most characters of a line.
const WIDTH: usize = 140;
/// How much further the following lines are indented.
const INDENT: usize = 8;

/// A statement as lines, each with its indentation and a line break.
pub(super) fn lines(text: &str, indent: usize) -> String {
    let mut out = String::new();
    let (mut rest, mut spaces) = (text, indent);
    while spaces + rest.len() > WIDTH {
        let Some(place) = best_break(rest, WIDTH.saturating_sub(spaces)) else { break };
        out.push_str(&format!("{:spaces$}{}\n", "", rest[..place].trim_end()));
        rest = rest[place..].trim_start();
        spaces = indent + INDENT;
    }
    out.push_str(&format!("{:spaces$}{rest}\n", ""));
    out
}

/// The last of the places with the fewest parentheses around them before which a line is not too long.
fn best_break(text: &str, width: usize) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    let mut depth = 0usize;
    for (place, character) in text.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            // Nothing is gained by breaking close to the start.
            ' ' if place > width / 3
                && place <= width
                && breaks(&text[..place], &text[place + 1..])
                && best.is_none_or(|(known, _)| depth <= known) =>
            {
                best = Some((depth, place));
            }
            _ => {}
        }
    }
    best.map(|(_, place)| place)
}

fn breaks(before: &str, after: &str) -> bool {
    const OPERATORS: &[&str] =
        &["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||", "?", ":", "==", "!=", "<", ">", "<=", ">="];
    let word = after.split(' ').next().unwrap_or_default();
    before.ends_with(',') || before.ends_with(';') || OPERATORS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sums_break_outside_of_parentheses() {
        let term = "first_function_of_some(length, another_argument)";
        let text = format!("float sum = {term} + {term} + {term} + {term};");
        let expected = format!("    float sum = {term} + {term}\n            + {term} + {term};\n");
        assert_eq!(lines(&text, 4), expected);
        assert_eq!(lines("a = b;", 4), "    a = b;\n");
    }
}
