//! One item of a phrase.

use fcp::value::{FcpValue, ValueError};

use crate::values::{Dur, Pitch, PitchClass, PitchWord, Velocity};

/// A pitch of an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tone {
    /// A pitch class with its octave; `None` for the previous octave.
    Class(PitchClass, Option<i8>),
    /// A number or a drum.
    Word(PitchWord),
}

/// One item of a phrase.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A barline, which is checked.
    Bar,
    /// Notes that start together.
    Notes {
        /// Their pitches.
        tones: Vec<Tone>,
        /// Their length; the previous one if left out.
        dur: Option<Dur>,
        /// Whether they are accented.
        accent: bool,
        /// Whether they sound for only half of their length.
        short: bool,
    },
    /// Silence.
    Rest(Option<Dur>),
    /// The previous notes last longer.
    Hold(Option<Dur>),
    /// The velocity from here on.
    Loud(Velocity),
}

impl Item {
    /// Parses an item.
    ///
    /// # Errors
    /// It is invalid; the repair is a whole item, or several items.
    pub fn read(text: &str) -> Result<Self, ValueError> {
        Self::spelled(text).map_err(|error| match meant(text) {
            Some(items) => error.fix(items),
            None => error,
        })
    }

    fn spelled(text: &str) -> Result<Self, ValueError> {
        if text == "|" {
            return Ok(Self::Bar);
        }
        if let Some((field, _)) = text.split_once(':')
            && ABC.contains(&field)
        {
            return Err(ValueError::sentence(format!(
                "{field}: is a field of ABC notation; abc:on reads its notes, key: sets their key and dur: their unit"
            )));
        }
        // A tie joins two notes, which one item cannot express.
        if text.contains('~') || text.len() > 1 && text.ends_with('-') {
            return Err(ValueError::new("has a tie, which is a _ after the note"));
        }
        if text.ends_with('+') {
            return Err(ValueError::new("ends with a +; notes at once are C4+E4/q"));
        }
        if text.contains('|') {
            return Err(ValueError::new(
                "has a barline in it, which needs spaces around it",
            ));
        }
        let ends = text.find(['/', '>', '!', '+']).unwrap_or(text.len());
        if let Some(loud) = text.strip_prefix('v')
            && !loud.is_empty()
            && Pitch::of_drum(&text[..ends]).is_none()
        {
            return Velocity::parse(loud)
                .map(Self::Loud)
                .map_err(|error| refit(error, |fix| format!("v{fix}")));
        }
        let bare = text.trim_end_matches(['>', '!']);
        let marks = &text[bare.len()..];
        if !MARKS.contains(&marks) {
            return Err(ValueError::new(UNREAD));
        }
        let (head, length) = match bare.split_once('/') {
            Some((head, length)) => (head, Some(length)),
            None => (bare, None),
        };
        let dur = length
            .map(Dur::parse)
            .transpose()
            .map_err(|error| {
                // An unknown word becomes a quarter, the default; a number means some other length.
                let word = length.filter(|text| !text.contains(|c: char| c.is_ascii_digit()));
                let fix = error.fix.clone().or(word.map(|_| "q".to_owned()));
                error.maybe_fix(fix)
            })
            .map_err(|error| refit(error, |fix| format!("{head}/{fix}{marks}")))?;
        let (accent, short) = (marks.contains('>'), marks.contains('!'));
        match head {
            "r" | "R" => return Ok(Self::Rest(dur)),
            "_" => return Ok(Self::Hold(dur)),
            _ => {}
        }
        let names: Vec<&str> = head.split('+').collect();
        let mut tones = Vec::with_capacity(names.len());
        for (ix, name) in names.iter().enumerate() {
            tones.push(tone(name).map_err(|error| {
                refit(error, |fix| {
                    let mut names = names.clone();
                    names[ix] = fix;
                    let tail = &bare[head.len()..];
                    format!("{}{tail}{marks}", names.join("+"))
                })
            })?);
        }
        Ok(Self::Notes {
            tones,
            dur,
            accent,
            short,
        })
    }
}

/// Extends the repair of a part to the whole item.
fn refit(mut error: ValueError, whole: impl FnOnce(&str) -> String) -> ValueError {
    error.fix = error.fix.map(|fix| whole(&fix));
    error
}

fn tone(name: &str) -> Result<Tone, ValueError> {
    if let Some((class, rest)) = PitchClass::prefix(name) {
        let octave = rest.parse::<i8>().ok();
        let fits = octave.is_none_or(|octave| class.at(octave).is_some());
        let spelled = rest.is_empty() || octave.is_some() && !rest.starts_with('+');
        if spelled && fits {
            return Ok(Tone::Class(class, octave));
        }
    }
    PitchWord::parse(name)
        .map(Tone::Word)
        .map_err(|error| ValueError::new(UNREAD).maybe_fix(error.fix))
}

/// Fields at the head of ABC notation whose letters are not notes.
const ABC: [&str; 8] = ["X", "T", "M", "L", "K", "Q", "V", "R"];

const UNREAD: &str = "is not a phrase item: C4/q, C4+E4, r, _, |, v90, kick";

/// Marks after an item, each at most once.
const MARKS: [&str; 4] = ["", ">", "!", ">!"];

/// Other words for a rest.
const RESTS: [&str; 4] = ["rest", "pause", "silence", "z"];

/// Longer texts are not repaired.
const LONGEST: usize = 64;

/// The items meant by one in another notation: `C4>/e`, `C4,E4/h`, `C4:q`, `C4q`, `rest/q`, `CC4`,
/// `C4|E4`.
fn meant(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    if text.contains('|') {
        let spaced = text.replace('|', " | ");
        let item = |item: &str| match Item::read(item) {
            Ok(_) => Some(item.to_owned()),
            Err(error) => error.fix,
        };
        let items: Option<Vec<String>> = spaced.split_whitespace().map(item).collect();
        let mut items = items?;
        items.dedup_by(|item, before| item == "|" && before == "|");
        return Some(items.join(" "));
    }
    let mut bare = text.replace(['>', '!'], "");
    let marks = match (text.contains('>'), text.contains('!')) {
        (true, true) => ">!",
        (true, false) => ">",
        (false, true) => "!",
        (false, false) => "",
    };
    bare = bare.replace([',', '&'], "+").replace(['(', ':'], "/");
    bare.truncate(bare.trim_end_matches(')').len());
    let (head, tail) = bare.split_at(bare.find('/').unwrap_or(bare.len()));
    let rest = RESTS.iter().any(|word| head.eq_ignore_ascii_case(word));
    let items = |bare: &str| {
        let bare = bare.trim_end_matches('/');
        let whole = format!("{bare}{marks}");
        let reads = whole.split(' ').all(|item| Item::spelled(item).is_ok());
        (whole != text && reads).then_some(whole)
    };
    // A length can only begin after an octave: `Cb` is a pitch, and `b` is not a length.
    let unparted = || {
        let digit = |c: char| c.is_ascii_digit();
        let begins = |at: &usize| {
            let (octave, length) = head.split_at(*at);
            octave.ends_with(digit) && length.starts_with(char::is_alphabetic)
        };
        let mut cuts = head.char_indices().map(|(at, _)| at).filter(begins);
        cuts.find_map(|at| items(&format!("{}/{}{tail}", &head[..at], &head[at..])))
    };
    let first = head.chars().next();
    let once = first.and_then(|first| bare.strip_prefix(first));
    let once = once.filter(|once| once.chars().next() == first);
    items(&bare)
        .or_else(|| rest.then(|| items(&format!("r{tail}"))).flatten())
        .or_else(|| once.and_then(items))
        .or_else(unparted)
        .or_else(|| {
            let (first, second) = bare.split_once('-')?;
            let begins = second.starts_with(|c: char| c.is_ascii_alphabetic());
            items(&format!("{first} {second}")).filter(|_| begins)
        })
        .or_else(|| again(text))
        .or_else(|| at_once(&bare, marks))
}

/// A repeated item as a group: `(C4/q)*2` for `C4/q*2`.
fn again(text: &str) -> Option<String> {
    let (item, times) = text.split_once('*')?;
    let counts = times.parse::<u16>().is_ok_and(|times| times > 0);
    (counts && Item::spelled(item).is_ok()).then(|| format!("({item})*{times}"))
}

/// Simultaneous notes with a repeated or misplaced length: `C4+E4/q` for `C4/q+E4/q` and `C4/q+E4`.
fn at_once(bare: &str, marks: &str) -> Option<String> {
    let parts = bare
        .split('+')
        .map(|part| part.split_once('/').unwrap_or((part, "")));
    let (tones, mut lengths): (Vec<&str>, Vec<&str>) = parts.unzip();
    lengths.retain(|length| !length.is_empty());
    lengths.dedup();
    let [length] = lengths.as_slice() else {
        return None;
    };
    let reads = tones.iter().all(|name| tone(name).is_ok());
    let item = format!("{}/{length}{marks}", tones.join("+"));
    (tones.len() > 1 && reads && Item::spelled(&item).is_ok()).then_some(item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_items_are_repaired() {
        let table = [
            ("H4/q", Some("B4/q")),
            ("C4+H4/q!", Some("C4+B4/q!")),
            ("C4/qq", Some("C4/q")),
            ("C4/quater>", Some("C4/quarter>")),
            ("snair/e", Some("snare/e")),
            ("C4>/e", Some("C4/e>")),
            ("C4!/e>", Some("C4/e>!")),
            ("C4/q>>", Some("C4/q>")),
            ("C5/h!>", Some("C5/h>!")),
            ("C4-E4", Some("C4 E4")),
            ("C4-5", None),
            ("E-4/q", Some("Eb4/q")),
            ("C4/q*2", Some("(C4/q)*2")),
            ("C4+E4*3", Some("(C4+E4)*3")),
            ("C4*0", None),
            ("C4/q+E4/q", Some("C4+E4/q")),
            ("C4/q+E4/q>", Some("C4+E4/q>")),
            ("C4/q+E4/h", None),
            ("C4/q+E4", Some("C4+E4/q")),
            ("C4+E4/q+G4/q", Some("C4+E4+G4/q")),
            ("C4/q~", None),
            ("C4/q+", None),
            ("CC4", Some("C4")),
            ("éé", None),
            ("C4,E4,G4/h", Some("C4+E4+G4/h")),
            ("rest/q", Some("r/q")),
            ("C4:q", Some("C4/q")),
            ("C4q.", Some("C4/q.")),
            ("C4(q)", Some("C4/q")),
            ("v128", Some("v127")),
            ("vmff", Some("vff")),
            ("C12", None),
            ("C4/q|D", Some("C4/q | D")),
            ("C4|", Some("C4 |")),
            ("||", Some("|")),
            ("C4|H4/q|", Some("C4 | B4/q |")),
            ("C4|zz", None),
            ("DE", None),
            ("x2", None),
            ("", None),
            ("/q", None),
            ("C4+", None),
        ];
        for (text, fix) in table {
            let error = Item::read(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), fix, "{text}");
        }
    }

    #[test]
    fn items_are_read() {
        assert_eq!(Item::read("|"), Ok(Item::Bar));
        assert_eq!(Item::read("vmf"), Ok(Item::Loud(Velocity::MF)));
        assert_eq!(Item::read("_"), Ok(Item::Hold(None)));
        assert!(matches!(Item::read("vibraslap/e"), Ok(Item::Notes { .. })));
        assert_eq!(Item::read("r/1/8"), Ok(Item::Rest(Dur::note(1, 8))));
        let Ok(Item::Notes {
            tones,
            dur,
            accent,
            short,
        }) = Item::read("Eb+G-1+60+kick/q.>!")
        else {
            panic!("no notes");
        };
        assert_eq!(tones.len(), 4);
        assert!(matches!(tones[0], Tone::Class(_, None)));
        assert!(matches!(tones[1], Tone::Class(_, Some(-1))));
        assert_eq!((dur, accent, short), (Dur::note(3, 8), true, true));
    }
}
