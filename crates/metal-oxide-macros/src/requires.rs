//! The grammar of `requires(...)`: parses clauses into relations between buffer lengths, integer parameters and literals.
//!
//! Clauses are parsed as Rust expressions first, so that precedence and spans are Rust's, and everything outside the grammar gets an
//! error that says what to write instead.

use metal_oxide_artifact::{Quantity, Relation, RelationOperator};
use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::{BinOp, Error, Expr, ExprBinary, Lit, Result, Token};

use crate::code::REQUIRES;
use crate::signature::{Parameter, ParameterKind};

/// The clauses of one `requires(...)`, separated by commas.
pub type Clauses = Punctuated<Expr, Token![,]>;

/// Translates clauses over the kernel's parameters; the errors of all clauses are combined.
pub fn relations(clauses: &Clauses, parameters: &[Parameter]) -> Result<Vec<Relation>> {
    let scope = Scope { parameters };
    let mut relations = Vec::new();
    let mut errors: Option<Error> = None;
    for clause in clauses {
        if let Err(error) = scope.clause(clause, &mut relations) {
            match &mut errors {
                Some(errors) => errors.combine(error),
                None => errors = Some(error),
            }
        }
    }
    errors.map_or(Ok(relations), Err)
}

/// What the names in a clause mean.
struct Scope<'a> {
    parameters: &'a [Parameter],
}

impl Scope<'_> {
    fn clause(&self, clause: &Expr, relations: &mut Vec<Relation>) -> Result<()> {
        match peeled(clause) {
            Expr::Binary(ExprBinary { left, op: BinOp::And(_), right, .. }) => {
                self.clause(left, relations)?;
                self.clause(right, relations)
            }
            Expr::Binary(ExprBinary { left, op, right, .. }) => {
                let (operator, exchanged) = comparison(op)?;
                let (left, right) = (self.quantity(left)?, self.quantity(right)?);
                let text = format!("{} {} {}", self.text(&left, false), symbol(op), self.text(&right, false));
                let (left, right) = if exchanged { (right, left) } else { (left, right) };
                relations.push(Relation { text, operator, left, right });
                Ok(())
            }
            other => Err(REQUIRES.on(
                other,
                "a clause of `requires` compares two quantities, such as `a.len() == out.len()`; join several with `&&` or a comma",
            )),
        }
    }

    fn quantity(&self, expression: &Expr) -> Result<Quantity> {
        match peeled(expression) {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(number) => Ok(Quantity::Constant(number.base10_parse()?)),
                other => Err(REQUIRES.on(other, "`requires` speaks of integers only")),
            },
            Expr::Path(path) => self.value(path),
            Expr::MethodCall(call) => {
                if call.method != "len" || !call.args.is_empty() {
                    let message = "the only method that `requires` knows is `.len()`, the element count of a buffer parameter";
                    return Err(REQUIRES.on(&call.method, message));
                }
                self.length(&call.receiver)
            }
            Expr::Binary(ExprBinary { left, op, right, .. }) => {
                let combine = match op {
                    BinOp::Add(_) => Quantity::Add,
                    BinOp::Mul(_) => Quantity::Multiply,
                    other => return Err(REQUIRES.on(other, advice(other))),
                };
                Ok(combine(Box::new(self.quantity(left)?), Box::new(self.quantity(right)?)))
            }
            Expr::Cast(cast) => Err(REQUIRES
                .on(cast.as_token, "`requires` needs no casts: all quantities are exact integers, and no sum or product can overflow")),
            Expr::Unary(unary) => Err(REQUIRES.on(unary.op, "`requires` has no such operator: its quantities are sums and products")),
            Expr::Field(field) => {
                Err(REQUIRES.on(&field.member, "`requires` cannot look into a parameter: pass the field as a parameter of its own"))
            }
            Expr::Call(call) => Err(REQUIRES.on(&call.func, "`requires` cannot call functions: its quantities are sums and products")),
            other => Err(REQUIRES
                .on(other, "`requires` has integer literals, integer parameters, `.len()` of buffer parameters, `+`, `*` and parentheses")),
        }
    }

    /// The buffer parameter in `name.len()`.
    fn length(&self, receiver: &Expr) -> Result<Quantity> {
        let Expr::Path(path) = peeled(receiver) else {
            return Err(REQUIRES.on(receiver, "`.len()` belongs to a buffer parameter, given by its name"));
        };
        let (index, parameter) = self.find(path)?;
        match parameter.kind {
            ParameterKind::Read | ParameterKind::Disjoint => Ok(Quantity::Length(index)),
            ParameterKind::Integer | ParameterKind::Value => {
                Err(REQUIRES.on(path, format!("`{}` is no buffer, so it has no `.len()`", parameter.name)))
            }
        }
    }

    fn value(&self, path: &syn::ExprPath) -> Result<Quantity> {
        let (index, parameter) = self.find(path)?;
        let name = &parameter.name;
        match parameter.kind {
            ParameterKind::Integer => Ok(Quantity::Value(index)),
            ParameterKind::Read | ParameterKind::Disjoint => {
                Err(REQUIRES.on(path, format!("`{name}` is a buffer: write `{name}.len()` for its element count")))
            }
            ParameterKind::Value => {
                Err(REQUIRES.on(path, format!("`{name}` is not of a primitive integer type, and `requires` speaks of integers only")))
            }
        }
    }

    fn find(&self, path: &syn::ExprPath) -> Result<(usize, &Parameter)> {
        let found =
            path.path.get_ident().and_then(|ident| self.parameters.iter().enumerate().find(|(_, parameter)| parameter.name == *ident));
        found.ok_or_else(|| {
            let names: Vec<_> = self.parameters.iter().map(|parameter| format!("`{}`", parameter.name)).collect();
            let known = if names.is_empty() { "it has none".to_owned() } else { format!("they are {}", names.join(", ")) };
            REQUIRES.on(path, format!("`requires` can only name the kernel's parameters, and {known}; write constants as literals"))
        })
    }

    /// The quantity as a person would write it, in parentheses if it is a sum within a product.
    fn text(&self, quantity: &Quantity, within_product: bool) -> String {
        match quantity {
            Quantity::Constant(value) => value.to_string(),
            Quantity::Length(index) => format!("{}.len()", self.parameters[*index].name),
            Quantity::Value(index) => self.parameters[*index].name.to_string(),
            Quantity::Add(left, right) => {
                let sum = format!("{} + {}", self.text(left, false), self.text(right, false));
                if within_product { format!("({sum})") } else { sum }
            }
            Quantity::Multiply(left, right) => format!("{} * {}", self.text(left, true), self.text(right, true)),
        }
    }
}

/// The expression inside parentheses and the invisible groups of macros.
fn peeled(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(paren) => peeled(&paren.expr),
        Expr::Group(group) => peeled(&group.expr),
        other => other,
    }
}

/// The stored operator, and whether the sides change places.
fn comparison(operator: &BinOp) -> Result<(RelationOperator, bool)> {
    match operator {
        BinOp::Eq(_) => Ok((RelationOperator::Equal, false)),
        BinOp::Lt(_) => Ok((RelationOperator::Less, false)),
        BinOp::Le(_) => Ok((RelationOperator::LessEqual, false)),
        BinOp::Gt(_) => Ok((RelationOperator::Less, true)),
        BinOp::Ge(_) => Ok((RelationOperator::LessEqual, true)),
        other => Err(REQUIRES.on(other, advice(other))),
    }
}

fn symbol(operator: &BinOp) -> &'static str {
    match operator {
        BinOp::Eq(_) => "==",
        BinOp::Lt(_) => "<",
        BinOp::Le(_) => "<=",
        BinOp::Gt(_) => ">",
        _ => ">=",
    }
}

/// What to write instead of an operator that the grammar lacks.
fn advice(operator: &BinOp) -> &'static str {
    match operator {
        BinOp::Sub(_) | BinOp::SubAssign(_) => {
            "`requires` has no subtraction: add to the other side, as in `i + 1 <= a.len()` for `i <= a.len() - 1`"
        }
        BinOp::Div(_) | BinOp::Rem(_) => {
            "`requires` has no division: multiply the other side, as in `2 * half.len() == a.len()` for `half.len() == a.len() / 2`"
        }
        BinOp::Shl(_) | BinOp::Shr(_) => "`requires` has no shifts: multiply by a power of two",
        BinOp::Ne(_) => "`requires` has no `!=`: say what holds with `==`, `<`, `<=`, `>` or `>=`",
        BinOp::Or(_) => "`requires` has no `||`: every clause must hold before each launch",
        BinOp::And(_) => "`&&` joins comparisons and cannot stand inside a quantity",
        BinOp::Add(_) | BinOp::Mul(_) => {
            "a clause of `requires` compares two quantities, such as `a.len() == out.len()`; this one only computes a number"
        }
        BinOp::Eq(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
            "a comparison cannot stand inside a quantity: join comparisons with `&&`"
        }
        _ => "`requires` has no such operator: it has `==`, `<`, `<=`, `>`, `>=`, `&&`, `+` and `*`",
    }
}

/// Parses the clauses between the parentheses.
pub fn parse_clauses(input: syn::parse::ParseStream<'_>, keyword: Span) -> Result<Clauses> {
    if input.is_empty() {
        return Err(REQUIRES.at(keyword, "`requires` without a clause requires nothing: leave it out, or say what must hold"));
    }
    Clauses::parse_terminated(input)
}

#[cfg(test)]
mod tests {
    use syn::parse::Parser;

    use super::*;
    use crate::signature::KernelFunction;

    const SIGNATURE: &str = "fn k(a: ReadBuffer<f32>, n: u32, mut out: DisjointBuffer<f32>, scale: f32, offset: i32) {}";

    fn parse(clauses: &str) -> Result<Vec<Relation>> {
        let function: KernelFunction = syn::parse_str(SIGNATURE)?;
        let clauses = (|input: syn::parse::ParseStream<'_>| parse_clauses(input, Span::call_site())).parse_str(clauses)?;
        relations(&clauses, &function.parameters)
    }

    /// Each relation as its text and its stored form.
    fn accepted(clauses: &str) -> Vec<String> {
        let relations = parse(clauses).expect("the clauses are in the grammar");
        relations
            .iter()
            .map(|Relation { text, operator, left, right }| {
                assert!(parse(text).is_ok_and(|again| again.len() == 1 && again[0].text == *text), "`{text}` parses to itself");
                format!("{text} => {operator:?} {} {}", stored(left), stored(right))
            })
            .collect()
    }

    fn stored(quantity: &Quantity) -> String {
        match quantity {
            Quantity::Constant(value) => value.to_string(),
            Quantity::Length(index) => format!("len{index}"),
            Quantity::Value(index) => format!("value{index}"),
            Quantity::Add(left, right) => format!("(+ {} {})", stored(left), stored(right)),
            Quantity::Multiply(left, right) => format!("(* {} {})", stored(left), stored(right)),
        }
    }

    /// The error's message and the columns that it points at.
    fn rejected(clauses: &str) -> String {
        let error = parse(clauses).expect_err("the clauses are outside the grammar");
        let lines: Vec<_> = error
            .into_iter()
            .map(|error| {
                let (start, end) = (error.span().start().column, error.span().end().column);
                let message = error.to_string();
                format!("{}: {}", &clauses[start..end], message.strip_suffix(" [MO0041]").expect("has the code"))
            })
            .collect();
        lines.join("\n")
    }

    #[test]
    fn comparisons() {
        assert_eq!(accepted("a.len() == out.len()"), ["a.len() == out.len() => Equal len0 len2"]);
        assert_eq!(accepted("n < a.len()"), ["n < a.len() => Less value1 len0"]);
        assert_eq!(accepted("n <= a.len()"), ["n <= a.len() => LessEqual value1 len0"]);
        assert_eq!(accepted("a.len() > n"), ["a.len() > n => Less value1 len0"]);
        assert_eq!(accepted("a.len() >= n"), ["a.len() >= n => LessEqual value1 len0"]);
    }

    #[test]
    fn conjunctions_and_several_clauses() {
        let expected = ["n == 1 => Equal value1 1", "a.len() == n => Equal len0 value1", "2 < n => Less 2 value1"];
        assert_eq!(accepted("n == 1 && a.len() == n && 2 < n"), expected);
        assert_eq!(accepted("n == 1, a.len() == n, 2 < n,"), expected);
        assert_eq!(accepted("(n == 1 && (a.len() == n)), (2) < (n)"), expected);
    }

    #[test]
    fn sums_and_products() {
        assert_eq!(accepted("n * 3 + 1 <= a.len()"), ["n * 3 + 1 <= a.len() => LessEqual (+ (* value1 3) 1) len0"]);
        assert_eq!(accepted("n * (3 + offset) < 0xff_u32"), ["n * (3 + offset) < 255 => Less (* value1 (+ 3 value4)) 255"]);
    }

    #[test]
    fn operators_outside_the_grammar() {
        assert_eq!(
            rejected("n - 1 < a.len(), a.len() / 2 == n"),
            "-: `requires` has no subtraction: add to the other side, as in `i + 1 <= a.len()` for `i <= a.len() - 1`\n\
             /: `requires` has no division: multiply the other side, as in `2 * half.len() == a.len()` for `half.len() == a.len() / 2`"
        );
        assert_eq!(rejected("n != 0"), "!=: `requires` has no `!=`: say what holds with `==`, `<`, `<=`, `>` or `>=`");
        assert_eq!(rejected("n == 0 || n == 1"), "||: `requires` has no `||`: every clause must hold before each launch");
        assert_eq!(rejected("(n < 2) == 1"), "<: a comparison cannot stand inside a quantity: join comparisons with `&&`");
        assert_eq!(rejected("-1 < n"), "-: `requires` has no such operator: its quantities are sums and products");
        assert_eq!(
            rejected("n as usize <= a.len()"),
            "as: `requires` needs no casts: all quantities are exact integers, and no sum or product can overflow"
        );
    }

    #[test]
    fn names_outside_the_grammar() {
        assert_eq!(rejected("a == out.len()"), "a: `a` is a buffer: write `a.len()` for its element count");
        assert_eq!(rejected("n.len() == 1"), "n: `n` is no buffer, so it has no `.len()`");
        assert_eq!(
            rejected("WIDTH == n"),
            "WIDTH: `requires` can only name the kernel's parameters, and they are `a`, `n`, `out`, `scale`, `offset`; \
             write constants as literals"
        );
        assert_eq!(rejected("scale == 1"), "scale: `scale` is not of a primitive integer type, and `requires` speaks of integers only");
        assert_eq!(
            rejected("a.is_empty() == n"),
            "is_empty: the only method that `requires` knows is `.len()`, the element count of a buffer parameter"
        );
        assert_eq!(rejected("n == 1.5"), "1.5: `requires` speaks of integers only");
    }

    #[test]
    fn clauses_that_compare_nothing() {
        let compare = "a clause of `requires` compares two quantities, such as `a.len() == out.len()`";
        assert_eq!(rejected("a.len()"), format!("a.len(): {compare}; join several with `&&` or a comma"));
        assert_eq!(rejected("n + 1"), format!("+: {compare}; this one only computes a number"));
        assert_eq!(
            parse("").expect_err("is empty").to_string(),
            "`requires` without a clause requires nothing: leave it out, or say what must hold [MO0041]"
        );
    }
}
