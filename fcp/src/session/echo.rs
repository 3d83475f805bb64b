//! Reporting of a call's successes: each on its own, or grouped by verb and target.

use std::collections::HashMap;

use super::budget::{Budget, Room};
use crate::domain::Domain;
use crate::model::ModelExt;
use crate::op::{Limits, OpWord, ParsedOp, parse_within};
use crate::reply::{Reply, one_line};
use crate::verb::{Found, Place, Registry, Takes};

/// The grouping of reported successes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Echo {
    /// One line per op.
    Full,
    /// One line for all ops of the same verb and target.
    Runs,
}

impl Echo {
    /// All variants.
    pub const ALL: [Self; 2] = [Self::Full, Self::Runs];

    /// The echo with this name.
    pub fn of(word: &str) -> Option<Self> {
        let word = if word.eq_ignore_ascii_case("default") {
            Self::Full.word()
        } else {
            word
        };
        let mut all = Self::ALL.into_iter();
        all.find(|echo| echo.word().eq_ignore_ascii_case(word))
    }

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Runs => "runs",
        }
    }
}

/// The grouping and the size limit of a call's replies.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReplyOptions {
    pub echo: Echo,
    pub budget: Budget,
}

/// The reported lines of a call, in the order of the first op of each run.
pub(super) struct Report {
    echo: Echo,
    lines: Vec<Line>,
    room: Room,
    /// Index of the line for each error text.
    errors: HashMap<String, usize>,
    /// Index of the run for each sign, verb and target.
    runs: HashMap<(char, &'static str, String), usize>,
}

/// A text, a run of ops, or an error shared by several ops.
enum Line {
    Text(String),
    Run(Run),
    /// An error and its ops, as ranges of first and last index.
    Failed(String, Vec<(usize, usize)>),
}

/// Successful ops of one verb and target, with replies of the same sign.
struct Run {
    sign: char,
    /// The verb and target as the first op spells them.
    name: String,
    ops: usize,
    counts: Vec<(u64, String)>,
    last: String,
}

impl Report {
    /// An empty report.
    pub fn new(options: ReplyOptions) -> Self {
        Self {
            echo: options.echo,
            lines: Vec::new(),
            room: Room::new(options.budget),
            errors: HashMap::new(),
            runs: HashMap::new(),
        }
    }

    /// Reports a query's answer if there is room for it. Returns whether there was.
    pub fn line(&mut self, line: impl AsRef<str>) -> bool {
        let line = self.room.asked(line.as_ref());
        let is_shown = line.is_some();
        self.lines.extend(line.map(Line::Text));
        is_shown
    }

    /// Reports the outcome, even if there is no room.
    pub fn verdict(&mut self, line: String) {
        self.lines.extend(self.room.take_dropped().map(Line::Text));
        self.lines.push(Line::Text(line));
    }

    /// Reports an op's error, grouped with equal ones.
    pub fn failed(&mut self, ix: usize, error: &str) {
        if let Some(at) = self.errors.get(error)
            && let Some(Line::Failed(_, ops)) = self.lines.get_mut(*at)
        {
            match ops.last_mut() {
                Some((_, last)) if *last + 1 == ix => *last = ix,
                _ => ops.push((ix, ix)),
            }
            return;
        }
        if let Some(line) = self.room.failed(error) {
            self.errors.insert(error.to_owned(), self.lines.len());
            self.lines.push(Line::Failed(line, vec![(ix, ix)]));
        }
    }

    /// Reports an op's reply.
    pub fn done<M: Domain>(
        &mut self,
        registry: &Registry<M>,
        (op, limits): (&str, Limits),
        reply: &Reply,
    ) {
        let parsed = match self.echo {
            // Further lines of a reply concern that op alone.
            Echo::Runs if !reply.has_notes() => parse_within(op, limits).ok(),
            _ => None,
        };
        let found = parsed.and_then(|op| {
            let found = registry.verb(&op)?;
            Some((found.verb.phrase, target(&found, &op)))
        });
        let Some((phrase, target)) = found else {
            let line = self.room.done(reply.to_string());
            self.lines.extend(line.map(Line::Text));
            return;
        };
        let sign = reply.sign().char();
        let key = (sign, phrase, target.to_lowercase());
        let name = [phrase, target.as_str()].join(" ");
        let known = self.runs.get(&key).copied();
        let at = match known {
            Some(at) => at,
            // A run also reports its last reply.
            None if self.room.done(format!("{name}{}", reply.text())).is_some() => {
                self.runs.insert(key, self.lines.len());
                self.lines.len()
            }
            None => return,
        };
        if at == self.lines.len() {
            self.lines.push(Line::Run(Run {
                sign,
                name: name.trim_end().to_owned(),
                ops: 0,
                counts: Vec::new(),
                last: String::new(),
            }));
        }
        if let Some(Line::Run(run)) = self.lines.get_mut(at) {
            run.add(reply.text());
        }
    }

    /// The lines.
    pub fn into_lines(mut self) -> Vec<String> {
        let dropped: Vec<String> = self.room.take_dropped().collect();
        let lines = self.lines.into_iter().map(|line| match line {
            Line::Text(text) => text,
            Line::Run(run) => run.line(),
            Line::Failed(error, ops) => folded(&error, &ops),
        });
        lines.chain(dropped).collect()
    }
}

/// The most ranges of ops listed for equal errors.
const STRETCHES: usize = 20;

/// `! ops 3-99,998: Unknown verb "bogus"`, or just the error if only one op has it.
fn folded(error: &str, ops: &[(usize, usize)]) -> String {
    if let [(first, last)] = ops
        && first == last
    {
        return error.to_owned();
    }
    let shown = ops
        .iter()
        .take(STRETCHES)
        .map(|(first, last)| match first == last {
            true => grouped(first + 1),
            false => format!("{}-{}", grouped(first + 1), grouped(last + 1)),
        });
    let shown = shown.collect::<Vec<_>>().join(", ");
    let more: usize = ops
        .iter()
        .skip(STRETCHES)
        .map(|(first, last)| last - first + 1)
        .sum();
    let more = match more {
        0 => String::new(),
        more => format!(" and {} more", grouped(more)),
    };
    let error = error.strip_prefix("! ").unwrap_or(error);
    format!("! ops {shown}{more}: {error}")
}

/// A number with separated thousands: `99,998`.
fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + 4);
    for (ix, digit) in digits.chars().enumerate() {
        if ix > 0 && (digits.len() - ix).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Run {
    fn add(&mut self, text: &str) {
        self.ops += 1;
        for (n, what) in counts(text) {
            let singular = |word: &str| word.trim_end_matches('s').to_owned();
            let mut own = self.counts.iter_mut();
            match own.find(|(_, own)| singular(own) == singular(&what)) {
                Some((sum, own)) => {
                    *sum = sum.saturating_add(n);
                    if what.len() > own.len() {
                        *own = what;
                    }
                }
                None => self.counts.push((n, what)),
            }
        }
        text.clone_into(&mut self.last);
    }

    /// `+ note Drums ×32 (1 shortened); last: Note …`, or the reply itself if there is only one.
    fn line(self) -> String {
        let Self { sign, ops, .. } = self;
        let last = one_line(&self.last);
        if ops == 1 {
            return format!("{sign} {last}");
        }
        let counts = self.counts.iter().map(|(n, what)| format!("{n} {what}"));
        let counts: Vec<String> = counts.collect();
        let counts = match counts.as_slice() {
            [] => String::new(),
            counts => format!(" ({})", counts.join(", ")),
        };
        let name = one_line(&self.name);
        format!("{sign} {name} ×{ops}{counts}; last: {last}")
    }
}

/// The counts in a reply's brackets: `(2 shortened, 1 merged)`. Empty if the brackets hold
/// something else.
fn counts(text: &str) -> Vec<(u64, String)> {
    let inside = text.rsplit_once('(').map(|(_, behind)| behind);
    let inside = inside.and_then(|behind| behind.split_once(')'));
    let Some((inside, _)) = inside else {
        return Vec::new();
    };
    let counted = inside.split(", ").map(|piece| {
        let (n, what) = piece.split_once(' ')?;
        let is_plain = what
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, ' ' | '-'));
        let n = n.parse().ok().filter(|_| is_plain)?;
        Some((n, what.to_owned()))
    });
    counted.collect::<Option<_>>().unwrap_or_default()
}

/// The target of an op, as spelled: its selectors, or its name if its verb takes one.
fn target<M: Domain>(found: &Found<M>, op: &ParsedOp<'_>) -> String {
    let numbered = op.words.iter().enumerate();
    let words = numbered.filter(|(ix, _)| !found.skip.contains(ix));
    let words: Vec<&OpWord<'_>> = words.map(|(_, word)| word).collect();
    let of_raw = |word: &OpWord<'_>| word.span().of(op.raw).to_owned();
    if let Some(first) = words.first().filter(|_| found.qualified) {
        return of_raw(first);
    }
    let selectors = words
        .iter()
        .filter(|word| matches!(word, OpWord::Selector(_)));
    let selectors: Vec<String> = selectors.map(|word| of_raw(word)).collect();
    if !selectors.is_empty() {
        return selectors.join(" ");
    }
    let mut params = found.verb.params.iter();
    let bare = words.iter().find_map(|word| match word {
        OpWord::Positional(word) => Some(word),
        _ => None,
    });
    // A verb without a row is described by the kind of row that it makes.
    let Some(named) = params.find(|param| param.takes != Takes::Value) else {
        let kind = bare.filter(|word| M::kind(&word.text).is_some());
        return kind.map_or_else(String::new, |word| word.text.to_string());
    };
    let is_key = |key: &str| {
        let place = match named.place {
            Place::Word(key) => key,
            _ => None,
        };
        key == named.name || place == Some(key) || named.aliases.contains(&key)
    };
    let by_key = op.params().find(|param| is_key(&param.key));
    if let Some(param) = by_key {
        return param.value_span.of(op.raw).to_owned();
    }
    // Names come before values if both are bare words.
    let bare = bare.filter(|_| matches!(named.place, Place::Word(_) | Place::Rest));
    bare.map_or_else(String::new, |word| word.span.of(op.raw).to_owned())
}

#[cfg(test)]
mod tests {
    use super::{counts, folded};

    #[test]
    fn equal_errors_are_listed_with_their_ops() {
        let fold = |ops: &[(usize, usize)]| folded("! no\n  try: yes", ops);
        assert_eq!(fold(&[(4, 4)]), "! no\n  try: yes");
        assert_eq!(fold(&[(2, 99_997)]), "! ops 3-99,998: no\n  try: yes");
        assert_eq!(fold(&[(0, 0), (2, 3)]), "! ops 1, 3-4: no\n  try: yes");
        let many: Vec<(usize, usize)> = (0..2_000).map(|ix| (2 * ix, 2 * ix)).collect();
        assert!(
            fold(&many).contains(", 39 and 1,980 more: no\n"),
            "{}",
            fold(&many)
        );
    }

    #[test]
    fn only_counts_are_counted() {
        let words = |text: &str| {
            let counts = counts(text).into_iter();
            counts.map(|(n, what)| format!("{n} {what}")).collect()
        };
        let two: Vec<String> = words("Note C4 (2 shortened, 1 stray offs dropped) next:5");
        assert_eq!(two, ["2 shortened", "1 stray offs dropped"]);
        let none: [Vec<String>; 3] = [
            words("(48 notes: kick 8)"),
            words("lane A (b"),
            words("(C4)"),
        ];
        assert_eq!(none.concat(), Vec::<String>::new());
    }
}
