//! Phrases in ABC notation: `C2 E2 G2 c2 | (3efg [CEG]4 z/ |`.

use std::collections::BTreeMap;
use std::ops::Range;

use fcp::prelude::*;

use super::item::{Item, Tone};
use super::line::{Line, Token, Wrong, misread};
use crate::model::{Chunk, Song};
use crate::values::{Dur, Frac, KeySig, Letter, PitchClass, Term};

/// A note of ABC: its letter, its octave, and its sharps, or flats if negative.
type Note = (Letter, i8, i8);

/// Signs of ABC that are not read, and the reason or what to write instead.
const OTHERS: [(&str, &str); 13] = [
    (
        ":",
        "repeats are not read; write the bars again, or give times:2",
    ),
    (
        "(",
        "slurs are not read; leave out ( and ), or write (3 for a triplet",
    ),
    (")", "slurs are not read; leave out ( and )"),
    ("{", "grace notes are not read; write them as notes"),
    ("\"", "chord symbols are not read; chord adds chords"),
    ("!", "decorations are not read; vel: sets the velocity"),
    (".", "staccato is not read; the op staccato shortens notes"),
    ("~", "ornaments are not read; write their notes"),
    (
        "Z",
        "rests of whole bars are not read; write z with a length",
    ),
    ("&", "voices are not read; give each its own phrase"),
    ("%", "comments are not read"),
    ("\\", "continued lines are not read; write them as one"),
    ("y", "spacing is not read"),
];

/// The largest number in a length.
const MOST: u32 = 9999;

/// The key of ABC notation, if it is `on`: a given one, or that of the song, or C major.
///
/// # Errors
/// There is a key without ABC notation, or the file has no notes and bars.
pub fn abc_key(
    song: &Song,
    (chunk, start): (Id<Chunk>, u64),
    on: Switch,
    key: Option<KeySig>,
) -> Result<Option<KeySig>> {
    match (on.0, key) {
        (false, None) => Ok(None),
        (false, Some(_)) => {
            bail!("key: is that of ABC notation (abc:on); other notes have their accidentals")
        }
        (true, _) if !song.has_bars() => {
            bail!("this file counts SMPTE frames, it has no notes and bars")
        }
        (true, key) => {
            let usual = || song.key_at(chunk, start).unwrap_or(KeySig::C_MAJOR);
            Ok(Some(key.unwrap_or_else(usual)))
        }
    }
}

/// Parses words in ABC notation. Letters without a length last for `unit`, or an eighth.
///
/// # Errors
/// The text has something that is not read or not certain, or the unit is not a note value.
pub fn read_abc<'a>(
    words: impl IntoIterator<Item = &'a str>,
    key: KeySig,
    unit: Option<&Dur>,
) -> Result<Line, Wrong> {
    let unit = match unit.map(Dur::terms) {
        None => Frac::new(1, 8),
        Some([Term::Note(unit)]) => Some(*unit),
        Some(_) => None,
    };
    let Some(unit) = unit else {
        let error = ValueError::sentence("the unit of ABC notation is a note value: dur:e");
        return Err(misread(0, 0..0, error));
    };
    let mut reader = AbcReader {
        key,
        unit,
        line: Line {
            is_abc: true,
            ..Line::default()
        },
        word: 0,
        altered: BTreeMap::new(),
        tie: Vec::new(),
        broken: None,
        triplet: 0,
    };
    for (word, text) in words.into_iter().enumerate() {
        reader.word = word;
        reader.line.words.push(text.into());
        let mut at = 0;
        while at < text.len() {
            at = reader.read(text, at)?;
        }
    }
    reader.end()?;
    reader.line.order = (0..reader.line.tokens.len()).collect();
    Ok(reader.line)
}

struct AbcReader {
    key: KeySig,
    /// The length of a letter, as a part of a whole note.
    unit: Frac,
    line: Line,
    /// The index of the word.
    word: usize,
    /// The accidentals in the bar.
    altered: BTreeMap<(Letter, i8), i8>,
    /// The notes that are tied to the next ones.
    tie: Vec<Note>,
    /// The factor of the next length, after `>` or `<`.
    broken: Option<Frac>,
    /// The number of notes left in a triplet.
    triplet: u32,
}

impl AbcReader {
    /// Reads what begins at a place. Returns the next place.
    fn read(&mut self, text: &str, at: usize) -> Result<usize, Wrong> {
        let rest = &text[at..];
        if rest.starts_with(char::is_whitespace) {
            return Ok(at + rest.len() - rest.trim_start().len());
        }
        if let Some(end) = barline(rest) {
            let place = at..at + end;
            if rest[end..].starts_with(|c: char| c.is_ascii_digit() || c == ':') {
                return Err(self.wrong(
                    place,
                    "repeats and endings are not read; write the bars again",
                ));
            }
            self.altered.clear();
            if self.broken.is_some() || self.triplet > 0 {
                return Err(self.wrong(place, "a triplet and a > end within their bar"));
            }
            self.push(Item::Bar, place);
            return Ok(at + end);
        }
        if let Some(more) = rest.strip_prefix("(3") {
            let plain = !more.starts_with(|c: char| c == ':' || c.is_ascii_digit());
            if plain && self.triplet == 0 {
                self.triplet = 3;
                return Ok(at + 2);
            }
        }
        self.sounding(text, at)
    }

    /// Reads a note, a chord or a rest, with its length and the signs after it.
    fn sounding(&mut self, text: &str, at: usize) -> Result<usize, Wrong> {
        let rest = &text[at..];
        let mut end = at;
        let mut notes = Vec::new();
        if rest.starts_with(['z', 'x']) {
            end += 1;
        } else if let Some(inside) = rest.strip_prefix('[') {
            let close = inside.find(']').unwrap_or(inside.len());
            end += 1;
            while end < at + 1 + close {
                let (note, next) = self.note(text, end)?;
                notes.push(note);
                end = next;
            }
            if notes.is_empty() || close == inside.len() {
                return Err(self.wrong(at..end, "notes at once are written [CEG]2"));
            }
            end += 1;
        } else {
            let (note, next) = self.note(text, at)?;
            notes.push(note);
            end = next;
        }
        let (length, next) = self.length(text, end)?;
        let place = at..next;
        end = next;
        let is_tied = text[end..].starts_with('-');
        end += usize::from(is_tied);
        let mut length = length.times(self.unit);
        if let Some(factor) = self.broken.take() {
            length = length.and_then(|length| length.times(factor));
        }
        let signs = text[end..].trim_start();
        let sign = signs
            .chars()
            .next()
            .filter(|sign| ['>', '<'].contains(sign));
        if let Some(sign) = sign {
            let count = signs.chars().take_while(|own| *own == sign).count();
            end = text.len() - signs.len() + count;
            let place = end - count..end;
            let short = u32::try_from(count).ok().filter(|count| *count <= 3);
            let Some(short) = short.and_then(|count| Frac::new(1, 1 << count)) else {
                return Err(self.wrong(place, "at most three > shift a length"));
            };
            let long = Frac::whole(2).minus(short);
            let (own, other) = if sign == '>' {
                (long, Some(short))
            } else {
                (Some(short), long)
            };
            length = own.and_then(|own| length?.times(own));
            self.broken = other;
        }
        if self.triplet > 0 {
            self.triplet -= 1;
            length = Frac::new(2, 3).and_then(|part| length?.times(part));
        }
        let dur = length.and_then(Dur::of_part);
        let Some(dur) = dur else {
            return Err(self.wrong(place, "this length is out of range"));
        };
        let item = self.item(notes, dur, &place)?;
        if is_tied && matches!(item, Item::Rest(_)) {
            return Err(self.wrong(place, "a rest has no tie"));
        }
        if !is_tied {
            self.tie.clear();
        }
        self.push(item, place);
        Ok(end)
    }

    /// The item of notes, which may be tied to those before.
    fn item(&mut self, notes: Vec<Note>, dur: Dur, place: &Range<usize>) -> Result<Item, Wrong> {
        let before = std::mem::replace(&mut self.tie, notes.clone());
        let sorted = |mut notes: Vec<Note>| {
            notes.sort_unstable();
            notes
        };
        if !before.is_empty() {
            return match sorted(before) == sorted(notes) {
                true => Ok(Item::Hold(Some(dur))),
                false => Err(self.wrong(
                    place.clone(),
                    "a tie leads to the same notes; leave out the -",
                )),
            };
        }
        if notes.is_empty() {
            return Ok(Item::Rest(Some(dur)));
        }
        let tones = notes.into_iter().map(|(letter, octave, alter)| {
            let class = PitchClass::new(letter, alter)?;
            Some(Tone::Class(class, Some(octave)))
        });
        let Some(tones) = tones.collect::<Option<Vec<Tone>>>() else {
            return Err(self.wrong(place.clone(), "a note has at most two accidentals"));
        };
        Ok(Item::Notes {
            tones,
            dur: Some(dur),
            accent: false,
            short: false,
        })
    }

    /// Reads a note without its length.
    fn note(&mut self, text: &str, at: usize) -> Result<(Note, usize), Wrong> {
        let rest = &text[at..];
        let bare = rest.trim_start_matches(['^', '_', '=']);
        let marks = &rest[..rest.len() - bare.len()];
        let first = bare.chars().next().unwrap_or(' ');
        let name = first.to_ascii_uppercase().to_string();
        let class = PitchClass::prefix(&name).filter(|_| first.is_ascii());
        let letter = class.map(|(class, _)| class.letter());
        let Some(letter) = letter else {
            return Err(self.unread(rest, at));
        };
        let octaves = &bare[1..];
        let behind = octaves.trim_start_matches([',', '\'']);
        let octaves = &octaves[..octaves.len() - behind.len()];
        let end = text.len() - behind.len();
        let count = |sign: char| i8::try_from(octaves.matches(sign).count()).unwrap_or(i8::MAX);
        let octave = if first.is_ascii_uppercase() { 4_i8 } else { 5 };
        let octave = octave
            .saturating_add(count('\''))
            .saturating_sub(count(','));
        let own = match marks {
            "" => None,
            "=" => Some(0),
            "^" => Some(1),
            "^^" => Some(2),
            "_" => Some(-1),
            "__" => Some(-2),
            _ => return Err(self.wrong(at..end, "accidentals are ^ ^^ _ __ =")),
        };
        let tied = self
            .tie
            .iter()
            .find(|(own, other, _)| (*own, *other) == (letter, octave));
        let alter = match (own, self.altered.get(&(letter, octave)), tied) {
            (Some(own), _, _) => own,
            (None, Some(alter), _) => *alter,
            // A tie keeps an accidental over the barline.
            (None, None, Some((_, _, alter))) => *alter,
            (None, None, None) => {
                let usual = self.key.alter(letter);
                let mut others = self.altered.iter();
                if others.any(|((own, _), alter)| *own == letter && *alter != usual) {
                    let problem = "readers disagree whether an accidental holds in other octaves of its bar; write ^, _ or = before this note too";
                    return Err(self.wrong(at..end, problem));
                }
                usual
            }
        };
        if let Some(own) = own {
            self.altered.insert((letter, octave), own);
        }
        Ok(((letter, octave, alter), end))
    }

    /// Reads a length: `2`, `/`, `/4`, `3/2`; 1 if there is none.
    fn length(&self, text: &str, at: usize) -> Result<(Frac, usize), Wrong> {
        let rest = &text[at..];
        let digits =
            |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let above = digits(rest);
        let slashes = rest[above..].chars().take_while(|c| *c == '/').count();
        let below = if slashes > 0 {
            digits(&rest[above + slashes..])
        } else {
            0
        };
        let end = at + above + slashes + below;
        let number = |text: &str| match text {
            "" => Some(1),
            text => text.parse::<u32>().ok().filter(|n| (1..=MOST).contains(n)),
        };
        let num = number(&rest[..above]);
        let den = match (slashes, below) {
            (0, _) => Some(1),
            (1..=8, 0) => Some(1 << slashes),
            (1, _) => number(&rest[above + 1..above + 1 + below]),
            _ => None,
        };
        let part = num
            .zip(den)
            .and_then(|(num, den)| Frac::new(num.into(), den.into()));
        match part {
            Some(part) => Ok((part, end)),
            None => Err(self.wrong(at..end, "a length is 2, /, /4 or 3/2")),
        }
    }

    /// The error of a sign that begins nothing.
    fn unread(&self, rest: &str, at: usize) -> Wrong {
        let sign = rest.chars().next().unwrap_or(' ');
        let place = at..at + sign.len_utf8();
        if let Some((_, reason)) = OTHERS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            return self.wrong(place, reason);
        }
        if rest.chars().nth(1) == Some(':') {
            return self.wrong(
                place,
                "fields are not read; key: sets the key and dur: the unit",
            );
        }
        self.wrong(
            place,
            "not read; ABC is C D2 ^F/ z [CEG]4 (3cde C>D C2-|C2 |",
        )
    }

    /// Checks that nothing is left open.
    fn end(&self) -> Result<(), Wrong> {
        let last = self.line.tokens.last().map(|token| token.place.clone());
        let (word, place) = last.unwrap_or_default();
        let problem = match (
            !self.tie.is_empty(),
            self.broken.is_some(),
            self.triplet > 0,
        ) {
            (true, _, _) => "the tie leads to no note",
            (_, true, _) => "> and < need a note after them",
            (_, _, true) => "a triplet has three notes",
            _ => return Ok(()),
        };
        Err(misread(word, place, ValueError::sentence(problem)))
    }

    fn push(&mut self, item: Item, place: Range<usize>) {
        let place = (self.word, place);
        self.line.tokens.push(Token { place, item });
    }

    /// An error that names the text at a place.
    fn wrong(&self, place: Range<usize>, problem: &str) -> Wrong {
        let word = self.line.words.last().map_or("", |word| &**word);
        let text = word.get(place.clone()).unwrap_or_default();
        misread(
            self.word,
            place,
            ValueError::sentence(format!("\"{text}\": {problem}")),
        )
    }
}

/// The length of a barline at the start of a text.
fn barline(text: &str) -> Option<usize> {
    let bars = ["|]", "||", "[|", "|"];
    let bar = bars.iter().find(|bar| text.starts_with(**bar))?;
    Some(bar.len())
}
