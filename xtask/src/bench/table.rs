//! The table: a figure, its spread, its unit, and the way it was measured.

use std::time::Duration;

/// Rows in the order they were measured.
#[derive(Default)]
pub struct Table(Vec<[String; 5]>);

/// Several measurements of the same figure.
pub struct Rounds(Vec<f64>);

impl Rounds {
    /// Measurements from plain numbers.
    pub fn new(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    /// Measurements from times, in milliseconds.
    pub fn milliseconds(times: &[Duration]) -> Self {
        Self::new(times.iter().map(|time| time.as_secs_f64() * 1e3).collect())
    }

    /// The median.
    pub fn median(&self) -> f64 {
        match (
            self.0.get((self.0.len().max(1) - 1) / 2),
            self.0.get(self.0.len() / 2),
        ) {
            (Some(low), Some(high)) => f64::midpoint(*low, *high),
            _ => f64::NAN,
        }
    }

    /// The measurements converted: to a rate, or to another unit.
    pub fn map(&self, change: impl Fn(f64) -> f64) -> Self {
        Self::new(self.0.iter().map(|value| change(*value)).collect())
    }
}

impl Table {
    /// Adds a row.
    pub fn add(&mut self, figure: &str, rounds: &Rounds, unit: &str, how: &str) {
        let spread = match (rounds.0.first(), rounds.0.last()) {
            (Some(least), Some(most)) if rounds.0.len() > 1 => {
                format!("{} .. {}", shown(*least), shown(*most))
            }
            _ => String::new(),
        };
        let runs = match rounds.0.len() {
            1 => String::new(),
            n => format!("; median of {n}"),
        };
        self.0.push([
            figure.to_owned(),
            shown(rounds.median()),
            unit.to_owned(),
            spread,
            format!("{how}{runs}"),
        ]);
    }

    /// Adds a row with a single measurement.
    pub fn one(&mut self, figure: &str, value: f64, unit: &str, how: &str) {
        self.add(figure, &Rounds::new(vec![value]), unit, how);
    }

    /// Prints all rows.
    pub fn print(&self) {
        let head = ["measure", "figure", "unit", "least .. most", "how"].map(str::to_owned);
        let width = |column: usize| {
            let rows = self.0.iter().chain([&head]);
            rows.map(|row| row[column].chars().count())
                .max()
                .unwrap_or_default()
        };
        let widths = [0, 1, 2, 3].map(width);
        for row in [&head].into_iter().chain(&self.0) {
            let [figure, value, unit, spread, how] = row;
            let [a, b, c, d] = widths;
            println!("{figure:<a$}  {value:>b$}  {unit:<c$}  {spread:<d$}  {how}");
        }
    }
}

/// A value with three significant digits.
fn shown(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => thousands(value.round()),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A whole number with commas.
pub fn thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && !out.ends_with('-') {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_lies_in_the_middle() {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(Rounds::new(vec![3.0, 1.0, 2.0]).median(), 2.0));
        assert!(close(Rounds::new(vec![4.0, 1.0, 2.0, 3.0]).median(), 2.5));
        assert!(close(Rounds::new(vec![7.0]).median(), 7.0));
        assert!(Rounds::new(Vec::new()).median().is_nan());
    }

    #[test]
    fn a_figure_has_three_digits_that_count() {
        assert_eq!(shown(1_234_567.0), "1,234,567");
        assert_eq!(shown(-123.0), "-123");
        assert_eq!(shown(12.345), "12.3");
        assert_eq!(shown(1.2345), "1.23");
        assert_eq!(shown(0.12345), "0.123");
    }
}
