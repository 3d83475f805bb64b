//! Music as rows of steps: `x...x...`.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use fcp::prelude::*;
use fcp::reply::count;

use crate::model::Track;
use crate::resolve::drum_word;
use crate::values::{Channel, MusicWord, Pitch, PitchWord, Velocity};

/// The content of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing sounds.
    Rest,
    /// The previous hit sounds on.
    Hold,
    /// A hit, with its difference in velocity from plain hits.
    Hit(i64),
    /// A hit on the open hi-hat, if there is one.
    Open,
    /// A hit with a given velocity.
    Velocity(u8),
}

/// A row of steps.
pub struct StepRow {
    /// The pitch of its hits.
    pub pitch: Pitch,
    /// Its steps, without barlines.
    pub cells: Vec<Step>,
    /// Number of steps before each barline.
    pub bars: Vec<usize>,
}

/// Velocity added by each sign of a hit, the plain sign first.
pub const HITS: [(char, i64); 3] = [('x', 0), ('X', 20), ('g', -40)];

/// The velocities of digits are so far apart.
pub const DIGIT: u8 = 14;

/// The closed and the open hi-hat of General MIDI.
const HATS: (u8, u8) = (42, 46);

impl Step {
    fn read(sign: char) -> Option<Self> {
        Some(match sign {
            '.' => Self::Rest,
            '-' => Self::Hold,
            'o' | 'O' => Self::Open,
            '1'..='9' => Self::Velocity(u8::try_from(sign.to_digit(10)?).ok()? * DIGIT),
            sign => Self::Hit(HITS.iter().find(|(own, _)| *own == sign)?.1),
        })
    }

    /// Its velocity, if it is a hit.
    #[must_use]
    pub fn velocity(self, plain: Velocity) -> Option<Velocity> {
        match self {
            Self::Rest | Self::Hold => None,
            Self::Hit(by) => Some(Velocity::clamped(i64::from(plain.get()) + by)),
            Self::Open => Some(plain),
            Self::Velocity(velocity) => Some(Velocity::clamped(velocity.into())),
        }
    }
}

impl StepRow {
    /// The pitch that a hit strikes: `o` on a closed hi-hat strikes the open one.
    #[must_use]
    pub fn struck(&self, cell: Step, drums: bool) -> Pitch {
        let open = drums && cell == Step::Open && self.pitch.get() == HATS.0;
        Pitch::new(HATS.1).filter(|_| open).unwrap_or(self.pitch)
    }
}

/// Reads pairs of a name and a row.
///
/// # Errors
/// A name is invalid; or a row is missing, has another sign, or does not divide the longest.
pub fn read(words: &[Spanned<MusicWord>], track: &Track) -> Result<Vec<StepRow>> {
    let mut rows: Vec<StepRow> = Vec::new();
    for pair in words.chunks(2) {
        let [name, row] = pair else {
            let problem = "each name has a row of steps: kick x...x... snare ..x...x.";
            // Everything was quoted as one word.
            let parted = |word: &&Spanned<MusicWord>| word.get().as_str().contains(' ');
            return Err(match words.iter().find(parted) {
                Some(word) => {
                    let op = word.op().replacen(word.text(), word.get().as_str(), 1);
                    Diagnostic::new(problem).or_try(op)
                }
                None => Diagnostic::new(problem),
            });
        };
        let word = PitchWord::parse(name.get().as_str());
        let word = word.map_err(|error| several(name, row).unwrap_or_else(|| name.wrong(error)))?;
        let pitch = drum_word::on_track(word, track, track.channel.unwrap_or(Channel::FIRST))?;
        let (mut cells, mut bars) = (Vec::new(), Vec::new());
        let text = row.get().as_str();
        for sign in text.chars() {
            if sign == '|' {
                bars.push(cells.len());
                continue;
            }
            let Some(cell) = Step::read(sign) else {
                let problem = format!("holds {sign}; a step is x X g o 1-9 . or -");
                return Err(row.wrong(ValueError::new(problem).maybe_fix(corrected(text))));
            };
            cells.push(cell);
        }
        if cells.is_empty() {
            return Err(row.wrong(ValueError::new("has no steps")));
        }
        rows.push(StepRow { pitch, cells, bars });
    }
    fit(words, &rows)?;
    Ok(rows)
}

/// Separators of simultaneous pitches in other notations.
const JOINTS: [char; 5] = [',', '+', '/', '|', '&'];

/// Error for a row that names several pitches, as in `kick,snare x...`, with a row for each as the
/// repair.
fn several(name: &Spanned<MusicWord>, row: &Spanned<MusicWord>) -> Option<Diagnostic> {
    let text = name.get().as_str();
    if !text.contains(JOINTS) {
        return None;
    }
    let error = Diagnostic::new(format!("{text} names several pitches, and each has a row"));
    let names: Vec<&str> = text.split(JOINTS).collect();
    let reads = names.iter().all(|name| PitchWord::parse(name).is_ok());
    let rows = names.iter().map(|name| format!("{name} {}", row.text()));
    let rows = rows.collect::<Vec<_>>().join(" ");
    let op = name.through(row).span().replace(name.op(), &rows);
    Some(if reads { error.or_try(op) } else { error })
}

/// Repairs a row: letters, digits and the like become hits, other signs rests. A text with less
/// than half steps is not a row.
fn corrected(text: &str) -> Option<String> {
    let is_step = |sign: char| sign == '|' || Step::read(sign).is_some();
    let mut pieces = text.split_whitespace();
    // Whitespace between steps has no meaning, but between words it does.
    if pieces.clone().count() > 1
        && pieces.any(|piece| !piece.chars().all(|c| is_step(c) || c == '0'))
    {
        return None;
    }
    let text: String = text.split_whitespace().collect();
    // Ones and zeros mean hit or rest, not a velocity.
    if text.contains('0') && text.chars().all(|sign| matches!(sign, '0' | '1' | '|')) {
        return Some(text.replace('1', "x").replace('0', "."));
    }
    let (steps, all) = (text.chars().filter(|sign| is_step(*sign)), text.chars());
    let is_row = 2 * steps.count() >= all.count();
    let step = |sign: char| match sign {
        sign if is_step(sign) => sign,
        '*' | '#' => 'x',
        '0' => '.',
        sign if sign.is_alphanumeric() => 'x',
        _ => '.',
    };
    is_row.then(|| text.chars().map(step).collect())
}

/// Error for a barline that is not at the end of a bar, with the barlines of the row corrected.
///
/// `ends` returns whether a bar ends after a number of steps.
pub fn misbarred(
    words: &[Spanned<MusicWord>],
    before: usize,
    ends: impl Fn(usize) -> bool,
) -> Diagnostic {
    let [name, row] = words else {
        return Diagnostic::new("a | is not at a bar's end");
    };
    let text = row.get().as_str();
    let mut barred = String::new();
    let mut steps = 0;
    for sign in text.chars().filter(|sign| *sign != '|') {
        if steps > 0 && ends(steps) {
            barred.push('|');
        }
        barred.push(sign);
        steps += 1;
    }
    if text.ends_with('|') && ends(steps) {
        barred.push('|');
    }
    let problem = format!(
        "{}: a | is after {before} steps, but no bar ends there",
        name.get()
    );
    row.wrong(ValueError::sentence(problem).fix(barred))
}

/// `3 notes: kick 2, snare 1`, the most frequent first.
#[must_use]
pub fn describe_counts(counts: BTreeMap<String, usize>) -> String {
    let notes: usize = counts.values().sum();
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, n)| Reverse(*n));
    let mut summary = count(notes, "note");
    for (ix, (name, n)) in counts.iter().enumerate() {
        summary.push_str(if ix == 0 { ": " } else { ", " });
        summary.push_str(&format!("{name} {n}"));
    }
    summary
}

/// Rejects a row whose length does not divide the longest.
fn fit(words: &[Spanned<MusicWord>], rows: &[StepRow]) -> Result<()> {
    let longest = rows
        .iter()
        .enumerate()
        .max_by_key(|(_, row)| row.cells.len());
    let Some((most, long)) = longest.map(|(ix, row)| (ix, row.cells.len())) else {
        bail!("a grid has rows: kick x...x... snare ..x...x.");
    };
    let named = |ix: usize| words.get(2 * ix).map_or("", |word| word.get().as_str());
    for (ix, row) in rows.iter().enumerate() {
        let steps = row.cells.len();
        if long.is_multiple_of(steps) {
            continue;
        }
        let problem = format!("{} has {steps} steps, {} {long}", named(ix), named(most));
        let error = ValueError::sentence(problem);
        return Err(match words.get(2 * ix + 1) {
            Some(word) => {
                let rests = ".".repeat(long - steps);
                word.wrong(error.fix(format!("{}{rests}", word.get())))
            }
            None => Diagnostic::new(error.about("")),
        });
    }
    Ok(())
}
