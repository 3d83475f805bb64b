//! A phrase of items, with the repetitions of its groups.

use std::ops::Range;

use fcp::diag::{Repair, Span};
use fcp::prelude::*;
use fcp::value::{FcpValue, ValueError};

use super::item::Item;
use crate::values::{MusicWord, Times};

/// The most levels of nested groups.
const DEPTH: usize = 8;

/// The most items of a phrase, including all repetitions.
const MOST: usize = 200_000;

/// An item and its place.
#[derive(Clone, Debug)]
pub struct Token {
    /// The index of its word in the op, and its place in that word.
    pub place: (usize, Range<usize>),
    /// The item.
    pub item: Item,
}

/// A phrase of items in the order they are played.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The items as written.
    pub tokens: Vec<Token>,
    /// The indexes of the items in the order they are played.
    pub order: Vec<usize>,
    /// The words of the phrase.
    pub words: Vec<Box<str>>,
    /// Whether it is in ABC notation.
    pub is_abc: bool,
}

/// An error in a phrase.
#[derive(Debug)]
pub struct Misread {
    /// The index of the word in the op.
    pub word: usize,
    /// The part of the word that a repair replaces.
    pub place: Range<usize>,
    /// The error.
    pub error: ValueError,
    /// Another part of the repair: a later place, and its text.
    pub also: Option<(usize, Range<usize>, String)>,
}

impl Misread {
    /// The error for a phrase in an op.
    #[must_use]
    pub fn diagnostic(mut self, line: &[Spanned<MusicWord>]) -> Diagnostic {
        let Some(word) = line.get(self.word) else {
            return Diagnostic::new(self.error.about(""));
        };
        let put = |text: &str, place: &Range<usize>, with: &str| {
            format!("{}{with}{}", &text[..place.start], &text[place.end..])
        };
        let mut text = word.get().as_str().to_owned();
        let mut behind = None;
        match self.also {
            Some((other, place, with)) if other == self.word => text = put(&text, &place, &with),
            Some((other, place, with)) => {
                behind = line.get(other).map(|word| {
                    let text = put(word.get().as_str(), &place, &with);
                    (word.span(), fcp::op::quote(&text).into_owned())
                });
            }
            None => {}
        }
        let fix = self.error.fix.take();
        self.error.fix = fix.map(|fix| put(&text, &self.place, &fix));
        let error = match &self.error.fix {
            // A whole word that is dropped.
            Some(fix) if fix.is_empty() => word.surplus(&self.error),
            _ => word.wrong(self.error),
        };
        match (behind, &error.repair) {
            // A later place has moved with the text inserted before it.
            (Some((span, with)), Repair::Try(op)) => {
                let moved = |at: usize| (at + op.len()).saturating_sub(word.op().len());
                let span = Span::new(moved(span.start), moved(span.end));
                let repair = Repair::Try(span.replace(op, &with));
                Diagnostic { repair, ..error }
            }
            _ => error,
        }
    }
}

/// A boxed error in a phrase.
pub type Wrong = Box<Misread>;

/// An error in a word; a repair replaces `place`.
#[must_use]
pub fn misread(word: usize, place: Range<usize>, error: ValueError) -> Wrong {
    Box::new(Misread {
        word,
        place,
        error,
        also: None,
    })
}

impl Line {
    /// Parses the words of a phrase.
    ///
    /// # Errors
    /// An item is invalid, a group is not closed, or there are too many items.
    pub fn read<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, Wrong> {
        let mut line = Self::default();
        let mut open = Vec::new();
        for (word, text) in words.into_iter().enumerate() {
            line.words.push(text.into());
            let mut from = 0;
            for piece in text.split_whitespace() {
                let at = from + text[from..].find(piece).unwrap_or(0);
                from = at + piece.len();
                tied(text, at..from)
                    .map_or(Ok(()), |(place, error)| Err(misread(word, place, error)))?;
                bracketed(text, at)
                    .map_or(Ok(()), |(place, error)| Err(misread(word, place, error)))?;
                line.piece(word, at, piece, &mut open)?;
            }
        }
        match open.pop() {
            Some((word, at, _)) => Err(misread(
                word,
                at..at + 1,
                wrong("( is not closed, as in (C4 E4)*2"),
            )),
            None => Ok(line),
        }
    }

    fn piece(
        &mut self,
        word: usize,
        at: usize,
        piece: &str,
        open: &mut Vec<(usize, usize, usize)>,
    ) -> Result<(), Wrong> {
        let body = piece.trim_start_matches('(');
        for paren in 0..piece.len() - body.len() {
            if open.len() == DEPTH {
                let problem = format!("groups are nested more than {DEPTH} deep");
                return Err(misread(word, at..at + piece.len(), wrong(&problem)));
            }
            open.push((word, at + paren, self.order.len()));
        }
        let at = at + piece.len() - body.len();
        // `C4(q)` is invalid as a whole.
        let ends = body.find(')').filter(|end| !body[..*end].contains('('));
        let (item, mut tail) = body.split_at(ends.unwrap_or(body.len()));
        if !item.is_empty() {
            let place = at..at + item.len();
            let read = Item::read(item).map_err(|error| {
                let problem = error.about(item);
                let fixed = ValueError::sentence(problem).maybe_fix(error.fix.clone());
                misread(word, place.clone(), fixed)
            })?;
            self.order.push(self.tokens.len());
            let place = (word, place);
            self.tokens.push(Token { place, item: read });
        }
        let whole = at..at + body.len();
        while let Some(rest) = tail.strip_prefix(')') {
            let Some((_, _, from)) = open.pop() else {
                return Err(misread(word, whole, wrong(") closes no group")));
            };
            let (times, rest) = match rest.strip_prefix('*') {
                Some(rest) => {
                    let digits = rest.find(')').unwrap_or(rest.len());
                    let times = rest[..digits].parse::<usize>().ok().filter(|n| *n > 0);
                    let from = whole.end - rest.len();
                    // The limit of `times:` also applies to a group.
                    if times.is_some()
                        && let Err(error) = Times::parse(&rest[..digits])
                    {
                        let problem = error.about(&format!("*{}", &rest[..digits]));
                        let shown = ValueError::sentence(problem);
                        let place = from..from + digits;
                        return Err(misread(word, place, shown.maybe_fix(error.fix)));
                    }
                    (times, &rest[digits..])
                }
                None => (Some(1), rest),
            };
            let Some(times) = times else {
                return Err(misread(
                    word,
                    whole,
                    wrong("a group is played 1 time or more: (C4 E4)*2"),
                ));
            };
            self.again(from, times).map_err(|error| {
                // The repair is a number of repetitions, which is not a word.
                misread(word, whole.clone(), wrong(&error.about("")))
            })?;
            tail = rest;
        }
        if tail.is_empty() {
            Ok(())
        } else {
            Err(misread(word, whole, wrong("only *N may follow )")))
        }
    }

    /// Repeats the items from an index on.
    ///
    /// # Errors
    /// There would be too many items. The repair is the largest number of repetitions.
    pub fn again(&mut self, from: usize, times: usize) -> Result<(), ValueError> {
        let length = self.order.len() - from;
        let all = length.saturating_mul(times).saturating_add(from);
        if all > MOST {
            let error = wrong(&format!(
                "that would be {all} items; a phrase has at most {MOST}"
            ));
            let most = (MOST - from.min(MOST)) / length.max(1);
            return Err(error.maybe_fix((most > 0).then(|| most.to_string())));
        }
        for _ in 1..times {
            self.order.extend_from_within(from..from + length);
        }
        Ok(())
    }
}

/// The content of brackets at a place, which are not part of a phrase: in other notations,
/// simultaneous notes.
fn bracketed(text: &str, at: usize) -> Option<(Range<usize>, ValueError)> {
    let from = &text[at..];
    let close = match from.as_bytes().first()? {
        b'[' => ']',
        b'{' => '}',
        b'<' => '>',
        _ => return None,
    };
    let end = from.find(close)?;
    let behind = &from[end + 1..];
    let tail = &behind[..behind.find(char::is_whitespace).unwrap_or(behind.len())];
    let tones = from[1..end].split([' ', ',', '+']);
    let tones: Vec<&str> = tones.filter(|tone| !tone.is_empty()).collect();
    let fix = format!("{}{tail}", tones.join("+"));
    let read = Item::read(&fix).is_ok();
    let problem = format!(
        "{} is not part of a phrase; notes at once are C4+E4+G4/q",
        &from[..1]
    );
    let place = at..at + end + 1 + tail.len();
    Some((place, wrong(&problem).maybe_fix(read.then_some(fix))))
}

/// A note that is tied to the next one of a text: `C4/q- C4/e` is `C4/q _/e`.
fn tied(text: &str, at: Range<usize>) -> Option<(Range<usize>, ValueError)> {
    let own = text[at.clone()].strip_suffix(['-', '~'])?;
    let next = text[at.end..].split_whitespace().next()?;
    let place = at.start..at.end + text[at.end..].find(next)? + next.len();
    let (Ok(Item::Notes { tones, .. }), Ok(Item::Notes { tones: same, .. })) =
        (Item::read(own), Item::read(next))
    else {
        return None;
    };
    let length = next.find('/').map_or("", |from| &next[from..]);
    let held = format!("_{length}");
    let reads = tones == same && matches!(Item::read(&held), Ok(Item::Hold(_)));
    let problem = format!("{} has a tie, which is a _ after the note", &text[at]);
    reads.then(|| (place, wrong(&problem).fix(format!("{own} {held}"))))
}

fn wrong(problem: &str) -> ValueError {
    ValueError::sentence(problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(text: &str) -> String {
        match Line::read([text]) {
            Ok(line) => line
                .order
                .iter()
                .map(|ix| &text[line.tokens[*ix].place.1.clone()])
                .collect::<Vec<_>>()
                .join(" "),
            Err(misread) => format!(
                "! {} {}",
                &text[misread.place.clone()],
                misread.error.about("")
            ),
        }
    }

    #[test]
    fn groups_are_played_as_often_as_they_say() {
        let table = [
            ("C4 E4", "C4 E4"),
            ("(C4 E4)*2 G4", "C4 E4 C4 E4 G4"),
            ("((C4)*2 E4)*2", "C4 C4 E4 C4 C4 E4"),
            ("(C4 (E4 G4)*2)*1", "C4 E4 G4 E4 G4"),
            ("( C4 )*2", "C4 C4"),
            ("(C4)", "C4"),
        ];
        for (text, wanted) in table {
            assert_eq!(order(text), wanted, "{text}");
        }
    }

    #[test]
    fn groups_end_and_are_bounded() {
        for (text, part) in [
            ("(C4", "not closed"),
            ("C4)*2", "closes no group"),
            ("(C4)*0", "1 time or more"),
            ("(C4)*x", "1 time or more"),
            ("(C4)2", "may follow )"),
            ("(((((((((C4", "nested more than"),
            ("((((C4)*999)*999)*999)*999", "at most"),
            ("(C4 E4)*10001", "10001 *10001 is above 10000"),
            ("[C4 E4 G4]/q", "[C4 E4 G4]/q [ is not part"),
            ("E4 C4/q- C4/e", "C4/q- C4/e C4/q- has a tie"),
            ("C4/q- D4/e", "C4/q- C4/q- has a tie"),
            ("(C4)*99999999999999999999999", "1 time or more"),
        ] {
            assert!(order(text).contains(part), "{text}: {}", order(text));
        }
    }
}
