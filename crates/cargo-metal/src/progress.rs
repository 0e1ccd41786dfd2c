//! Says what is going on during long steps: a moving bar on a terminal, a line now and then anywhere else, nothing when silent.
//! Everything goes to standard error, so that standard output stays what the user asked for.

use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Steps that are over sooner than this leave no line behind where there is no terminal.
const WORTH_A_LINE: Duration = Duration::from_secs(2);

/// The shortest time between two lines about the same step there.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    mode: Mode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Silent,
    Lines,
    Bars,
}

impl Progress {
    /// Bars on a terminal, lines elsewhere.
    #[must_use]
    pub fn for_standard_error() -> Self {
        Self { mode: if std::io::stderr().is_terminal() { Mode::Bars } else { Mode::Lines } }
    }

    /// Shows nothing.
    #[must_use]
    pub fn silent() -> Self {
        Self { mode: Mode::Silent }
    }

    /// Prints one line, such as the name of what follows.
    pub fn say(&self, line: &str) {
        if self.mode != Mode::Silent {
            anstream::eprintln!("{line}");
        }
    }

    /// Begins a step.
    #[must_use]
    pub fn step(&self, name: &str) -> Step {
        let bar = match self.mode {
            Mode::Bars => {
                let bar = ProgressBar::new_spinner().with_style(style("{spinner} {msg} {elapsed:.dim}")).with_message(name.to_owned());
                bar.enable_steady_tick(Duration::from_millis(100));
                bar
            }
            Mode::Silent | Mode::Lines => ProgressBar::hidden(),
        };
        let started = Instant::now();
        Step {
            mode: self.mode,
            name: name.to_owned(),
            bar,
            started,
            last_line: Cell::new(started),
            total: Cell::new(0),
            count: Cell::new(0),
        }
    }
}

/// A step that is under way. Dropped before [`Step::done`], it disappears without a trace: an error message follows.
#[derive(Debug)]
pub struct Step {
    mode: Mode,
    name: String,
    bar: ProgressBar,
    started: Instant,
    last_line: Cell<Instant>,
    total: Cell<u64>,
    count: Cell<u64>,
}

impl Step {
    /// Turns the step into one with a known number of parts.
    pub fn set_total(&self, total: u64, remark: &str) {
        self.total.set(total);
        self.bar.set_length(total);
        if self.mode == Mode::Bars {
            self.bar.set_style(style("{prefix} [{bar:30}] {pos}/{len} {wide_msg:.dim} {elapsed:.dim}").progress_chars("=> "));
            self.bar.set_prefix(self.name.clone());
            self.bar.set_message("");
        } else if self.mode == Mode::Lines {
            eprintln!("{}: {total} parts{}{remark}", self.name, if remark.is_empty() { "" } else { ", " });
        }
    }

    /// One more part is done.
    pub fn advance(&self, part: &str) {
        let (before, total) = (self.count.get(), self.total.get());
        self.count.set(before + 1);
        self.bar.inc(1);
        self.bar.set_message(part.to_owned());
        if self.mode == Mode::Lines && self.last_line.get().elapsed() > BETWEEN_LINES {
            self.last_line.set(Instant::now());
            eprintln!("  {}/{total} after {}", before + 1, HumanDuration(self.started.elapsed()));
        }
    }

    /// The step is complete.
    pub fn done(self) {
        let elapsed = self.started.elapsed();
        self.bar.finish_and_clear();
        match self.mode {
            Mode::Silent => {}
            Mode::Lines if elapsed < WORTH_A_LINE => {}
            Mode::Lines | Mode::Bars => eprintln!("{}: done in {}", self.name, HumanDuration(elapsed)),
        }
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates above are well formed")
}
