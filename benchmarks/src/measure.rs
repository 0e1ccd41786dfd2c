//! Times two ways of doing the same, interleaved, and keeps the medians.

use std::time::Instant;

use metal_oxide::Result;
use serde::Serialize;

/// Medians in seconds.
pub struct Comparison {
    ours: f64,
    theirs: Option<f64>,
}

/// Runs both sides by turns, after one round that does not count.
pub fn compare(rounds: usize, mut ours: impl FnMut() -> Result<()>, mut theirs: impl FnMut()) -> Result<Comparison> {
    let (mut our_times, mut their_times) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let start = Instant::now();
        ours()?;
        let middle = Instant::now();
        theirs();
        if round > 0 {
            our_times.push((middle - start).as_secs_f64());
            their_times.push(middle.elapsed().as_secs_f64());
        }
    }
    Ok(Comparison { ours: median(our_times), theirs: Some(median(their_times)) })
}

/// Runs one side that has no counterpart.
pub fn alone(rounds: usize, mut ours: impl FnMut() -> Result<()>) -> Result<Comparison> {
    let mut times = Vec::with_capacity(rounds);
    for round in 0..=rounds {
        let start = Instant::now();
        ours()?;
        if round > 0 {
            times.push(start.elapsed().as_secs_f64());
        }
    }
    Ok(Comparison { ours: median(times), theirs: None })
}

impl Comparison {
    /// One line of output.
    pub fn to_json(&self, name: &str) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            name: &'a str,
            seconds: f64,
            reference_seconds: Option<f64>,
            ratio: Option<f64>,
        }
        let line = Line { name, seconds: self.ours, reference_seconds: self.theirs, ratio: self.theirs.map(|theirs| self.ours / theirs) };
        serde_json::to_string(&line).expect("numbers and names are JSON")
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}
