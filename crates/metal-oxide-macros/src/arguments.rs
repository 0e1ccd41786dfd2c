//! The arguments of the attributes: `#[kernel(requires(…))]` and `#[kernels(math = "…", path = "…")]`.
//! What is not understood gets an error that lists what there is.

use metal_oxide_artifact::MathMode;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Result, Token, parenthesized};

use crate::code::ATTRIBUTE;
use crate::requires::{Clauses, parse_clauses};

/// The arguments of `#[kernel]`.
#[derive(Default)]
pub struct KernelArguments {
    /// The clauses of `requires(…)`.
    pub requires: Clauses,
}

/// The arguments of `#[kernels]`.
#[derive(Default)]
pub struct KernelsArguments {
    /// `math`.
    pub math: MathMode,
    /// `path`, the folder of a crate of kernels.
    pub path: Option<LitStr>,
}

impl Parse for KernelArguments {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut arguments = Self::default();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            if name == "math" {
                let message = "the numerical mode belongs to a module: write `#[kernels(math = \"fast\")] mod … { … }` around the kernel";
                return Err(ATTRIBUTE.at(name.span(), message));
            }
            if name != "requires" {
                return Err(ATTRIBUTE.at(name.span(), "`#[kernel]` has one argument: `requires(…)`"));
            }
            if !arguments.requires.is_empty() {
                return Err(ATTRIBUTE.at(name.span(), "`requires` stands twice: join the clauses with commas"));
            }
            let clauses;
            parenthesized!(clauses in input);
            arguments.requires = parse_clauses(&clauses, name.span())?;
            comma(input)?;
        }
        Ok(arguments)
    }
}

impl Parse for KernelsArguments {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut arguments = Self::default();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            match name.to_string().as_str() {
                "math" => {
                    input.parse::<Token![=]>()?;
                    arguments.math = math(&input.parse()?)?;
                }
                "path" => {
                    input.parse::<Token![=]>()?;
                    arguments.path = Some(input.parse()?);
                }
                "requires" => {
                    return Err(
                        ATTRIBUTE.at(name.span(), "`requires(…)` belongs to one kernel: write `#[kernel(requires(…))]` on the function")
                    );
                }
                _ => {
                    return Err(
                        ATTRIBUTE.at(name.span(), "`#[kernels]` has the arguments `math = \"precise\"` or `\"fast\"`, and `path = \"…\"`")
                    );
                }
            }
            comma(input)?;
        }
        Ok(arguments)
    }
}

fn math(mode: &LitStr) -> Result<MathMode> {
    match mode.value().as_str() {
        "precise" => Ok(MathMode::Precise),
        "fast" => Ok(MathMode::Fast),
        _ => Err(ATTRIBUTE.at(mode.span(), "the numerical modes are \"precise\", which is the default, and \"fast\"")),
    }
}

fn comma(input: ParseStream<'_>) -> Result<()> {
    if input.is_empty() { Ok(()) } else { input.parse::<Token![,]>().map(drop) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected<T: Parse>(arguments: &str) -> String {
        match syn::parse_str::<T>(arguments) {
            Ok(_) => panic!("`{arguments}` was accepted"),
            Err(error) => error.to_string().trim_end_matches(" [MO0040]").to_owned(),
        }
    }

    #[test]
    fn arguments_of_kernel() {
        assert!(syn::parse_str::<KernelArguments>("").is_ok_and(|arguments| arguments.requires.is_empty()));
        assert!(syn::parse_str::<KernelArguments>("requires(a.len() == n, n < 2),").is_ok_and(|arguments| arguments.requires.len() == 2));
        assert_eq!(rejected::<KernelArguments>("ensures(a)"), "`#[kernel]` has one argument: `requires(…)`");
        assert_eq!(
            rejected::<KernelArguments>("requires(a < b), requires(b < c)"),
            "`requires` stands twice: join the clauses with commas"
        );
        assert!(rejected::<KernelArguments>("math = \"fast\"").starts_with("the numerical mode belongs to a module"));
        assert_eq!(rejected::<KernelArguments>("requires"), "unexpected end of input, expected parentheses");
    }

    #[test]
    fn arguments_of_kernels() {
        assert!(syn::parse_str::<KernelsArguments>("").is_ok_and(|arguments| arguments.math == MathMode::Precise));
        assert!(syn::parse_str::<KernelsArguments>("math = \"fast\"").is_ok_and(|arguments| arguments.math == MathMode::Fast));
        assert!(syn::parse_str::<KernelsArguments>("path = \"../kernels\"").is_ok_and(|arguments| arguments.path.is_some()));
        assert_eq!(
            rejected::<KernelsArguments>("math = \"loose\""),
            "the numerical modes are \"precise\", which is the default, and \"fast\""
        );
        assert!(rejected::<KernelsArguments>("requires(a < b)").starts_with("`requires(…)` belongs to one kernel"));
        assert!(rejected::<KernelsArguments>("speed").starts_with("`#[kernels]` has the arguments"));
    }
}
