//! Runs the steps of a chore: one line each with its duration, the whole output of those that fail, and the sum of all tests at the end.
//! A failed step does not stop the others, so one run shows everything that is wrong.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Why a chore ended early.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// A step failed, and its output has been shown.
    #[error("a step failed")]
    Reported,
    /// The kernel compiler could not be set up.
    #[error(transparent)]
    Setup(#[from] cargo_metal::Error),
}

/// What the steps so far came to.
pub struct Report {
    started: Instant,
    failed: Vec<String>,
    tests: Tests,
}

/// Sums of the lines with which test programs end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tests {
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl Report {
    /// A report of nothing yet.
    pub fn new() -> Self {
        Self { started: Instant::now(), failed: Vec::new(), tests: Tests::default() }
    }

    /// Runs a command as a step. Returns whether it succeeded.
    pub fn run(&mut self, name: &str, command: &mut Command) -> bool {
        self.step(name, || {
            let output =
                command.stdin(Stdio::null()).output().map_err(|error| format!("{:?} did not start: {error}", command.get_program()))?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            if output.status.success() { Ok(text) } else { Err(text) }
        })
    }

    /// Runs a function as a step. Its text is what the step printed, shown if it fails. Returns whether it succeeded.
    pub fn step(&mut self, name: &str, work: impl FnOnce() -> Result<String, String>) -> bool {
        print!("{name:<34}");
        // Progress is worth nothing if it comes after the fact.
        let _ = std::io::stdout().flush();
        let started = Instant::now();
        let outcome = work();
        let (text, good) = match &outcome {
            Ok(text) => (text, true),
            Err(text) => (text, false),
        };
        let tests = Tests::in_output(text);
        let counted = if tests == Tests::default() { String::new() } else { format!("  {}", tests.describe()) };
        println!("{} {:>7}{counted}", if good { "ok    " } else { "FAILED" }, seconds(started.elapsed()));
        self.tests = self.tests.plus(tests);
        if !good {
            println!("{}", text.trim_end());
            self.failed.push(name.to_owned());
        }
        good
    }

    /// Nothing failed so far.
    pub fn is_good(&self) -> bool {
        self.failed.is_empty()
    }

    /// Prints what failed, and the sum of all tests in the form in which a test program ends.
    pub fn close(&self) {
        for name in &self.failed {
            println!("failed: {name}");
        }
        let Tests { passed, failed, ignored } = self.tests;
        if self.tests != Tests::default() {
            let verdict = if self.is_good() { "ok" } else { "FAILED" };
            let elapsed = self.started.elapsed().as_secs_f64();
            println!(
                "\ntest result: {verdict}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; 0 filtered out; finished in {elapsed:.2}s"
            );
        }
    }
}

impl Tests {
    /// Adds up every line such as `test result: ok. 3 passed; 0 failed; 1 ignored; ...`.
    pub fn in_output(text: &str) -> Self {
        let results = text.lines().filter_map(|line| line.trim_start().strip_prefix("test result: "));
        results.fold(Self::default(), |sum, line| {
            let number = |word: &str| {
                let part = line.split([';', '.']).map(str::trim).find_map(|part| part.strip_suffix(word))?;
                part.trim().parse::<u64>().ok()
            };
            let [passed, failed, ignored] = ["passed", "failed", "ignored"].map(|word| number(word).unwrap_or(0));
            sum.plus(Self { passed, failed, ignored })
        })
    }

    fn plus(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed, ignored: self.ignored + other.ignored }
    }

    fn describe(self) -> String {
        let mut text = format!("{} passed", self.passed);
        for (count, word) in [(self.failed, "failed"), (self.ignored, "ignored")] {
            if count > 0 {
                text.push_str(&format!(", {count} {word}"));
            }
        }
        text
    }
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_added_up() {
        let text = "running 3 tests\n\
                    test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.10s\n\
                    test result: FAILED. 20 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s\n";
        let sum = Tests::in_output(text);
        assert_eq!(sum, Tests { passed: 23, failed: 2, ignored: 1 });
        assert_eq!(sum.describe(), "23 passed, 2 failed, 1 ignored");
        assert_eq!(Tests::in_output("nothing"), Tests::default());
    }

    #[test]
    fn a_failed_step_is_remembered_and_the_next_one_runs() {
        let mut report = Report::new();
        assert!(!report.step("bad", || Err("why".into())));
        assert!(report.step("good", || Ok(String::new())));
        assert!(!report.is_good());
    }
}
