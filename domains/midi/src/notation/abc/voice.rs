//! A voice in ABC, measure by measure.

use std::fmt::Write;

use super::super::directions::between;
use super::super::score::{Measure, Score};
use super::super::spelling::spelled;
use super::super::voices::{Chord, Piece, Reading, cut};
use super::accidentals::Accidentals;
use super::key;
use super::lengths::written;
use super::lines::{Lines, Token};
use super::words::{self, Word};
use crate::display::row_line::bpm;
use crate::values::{KeySig, Velocity};

/// The meter and key in effect, also for readers that apply a field of one voice to the whole tune.
#[derive(Clone, Copy)]
pub struct Held {
    /// Beats, and the note value of one.
    pub meter: (u64, u64),
    /// The key.
    pub key: KeySig,
}

/// A voice while it is written.
pub struct Voice<'a> {
    /// The score.
    pub score: &'a Score<'a>,
    /// Whether it is for drums. Its notes are keys of a kit, which no signature alters.
    pub drums: bool,
    /// Whether its rests are shown, as for the first voice of a part.
    pub seen: bool,
    /// Whether tempo and markers are written above it.
    pub leads: bool,
    /// The meter and key at the start of the tune.
    pub start: Held,
    /// The present meter and key.
    pub held: Held,
}

/// The previous content, as far as it affects the next piece.
struct Before {
    accidentals: Accidentals,
    loud: &'static str,
}

impl Voice<'_> {
    /// Writes it. Returns the meter and key at its end.
    pub fn write(mut self, chords: &[Chord], out: &mut String) -> Held {
        let sings = chords.iter().any(|chord| chord.lyric.is_some());
        let mut lines = Lines::new(out, self.seen, sings);
        let mut reading = Reading::new(chords);
        let mut loud = "";
        for (ix, measure) in self.score.measures().enumerate() {
            let fields = self.fields(&measure, ix == 0);
            let cuts = self.cuts(&measure);
            let mut pieces = reading.measure(measure.start, measure.end, &cuts);
            let marked = !self.markers(measure.start, measure.end).is_empty();
            let full = measure.is_full(self.score.whole());
            if pieces.is_empty() && cuts.is_empty() && !marked && full {
                lines.silence(&fields);
                continue;
            }
            if pieces.is_empty() {
                cut(&mut pieces, measure.start, measure.end, None, &cuts);
            }
            let mut before = Before {
                accidentals: Accidentals::new(self.held.key),
                loud,
            };
            let mut tokens = Vec::new();
            let mut sung = Vec::new();
            for piece in &pieces {
                self.piece(&measure, piece, &mut before, &mut tokens, &mut sung);
            }
            loud = before.loud;
            lines.measure(&fields, &tokens, sung);
        }
        lines.end();
        self.held
    }

    /// The fields at the start of a measure. A voice begins with its differences from the start of
    /// the tune, or from the end of the previous voice.
    fn fields(&mut self, measure: &Measure, is_first: bool) -> String {
        let mut fields = String::new();
        if self.held.meter != measure.meter {
            let (beats, unit) = measure.meter;
            let _ = write!(fields, "[M:{beats}/{unit}]");
            self.held.meter = measure.meter;
        }
        let own = match self.drums {
            true => KeySig::C_MAJOR,
            false => self.score.over.key_at(measure.start),
        };
        if self.held.key != own || is_first && self.start.key != own {
            let _ = write!(fields, "[K:{}]", key(own));
            self.held.key = own;
        }
        if !is_first {
            fields.push_str(&self.tempo(measure.start));
        }
        fields
    }

    /// The tempo field at a tick.
    fn tempo(&self, at: u64) -> String {
        let tempos = between(&self.score.over.tempos, at, at + 1).iter();
        let tempos = tempos.filter(|_| self.leads);
        tempos.fold(String::new(), |text, (_, micros)| {
            format!("{text}[Q:1/4={}]", bpm(*micros))
        })
    }

    fn keys(&self, from: u64, to: u64) -> &[(u64, KeySig)] {
        match self.drums {
            true => &[],
            false => between(&self.score.over.keys, from, to),
        }
    }

    fn markers(&self, from: u64, to: u64) -> &[(u64, String)] {
        match self.leads {
            true => between(&self.score.over.markers, from, to),
            false => &[],
        }
    }

    /// The ticks inside a measure at which a field or a marker comes before or within a note, in
    /// order.
    fn cuts(&self, measure: &Measure) -> Vec<u64> {
        let (from, to) = (measure.start + 1, measure.end);
        let mut cuts: Vec<u64> = Vec::new();
        cuts.extend(self.keys(from, to).iter().map(|(at, _)| at));
        cuts.extend(self.markers(from, to).iter().map(|(at, _)| at));
        if self.leads {
            let tempos = between(&self.score.over.tempos, from, to);
            cuts.extend(tempos.iter().map(|(at, _)| at));
        }
        cuts.sort_unstable();
        cuts
    }

    /// Writes a chord, a part of one, or a rest, as tied values.
    fn piece(
        &mut self,
        measure: &Measure,
        piece: &Piece<'_>,
        before: &mut Before,
        tokens: &mut Vec<Token>,
        sung: &mut Vec<Word>,
    ) {
        let mut fields = String::new();
        if piece.at > measure.start {
            if let Some((_, new)) = self.keys(piece.at, piece.at + 1).first().copied() {
                let _ = write!(fields, "[K:{}]", key(new));
                self.held.key = new;
                before.accidentals.change(new);
            }
            fields.push_str(&self.tempo(piece.at));
        }
        let mut text = String::new();
        for (_, marker) in self.markers(piece.at, piece.at + 1) {
            let _ = write!(text, "\"^{}\"", words::quoted(marker));
        }
        let into = piece.at - measure.start;
        let whole = self.score.whole();
        let mut apart = into > 0 && into.is_multiple_of(measure.group(whole).max(1));
        let values = written(piece.end - piece.at, whole);
        for (ix, length) in values.iter().enumerate() {
            let mut tied = false;
            match piece.chord {
                Some(chord) => {
                    let back = piece.at > chord.at || ix > 0;
                    tied = piece.end < chord.end || ix + 1 < values.len();
                    self.chord(chord, back, before, &mut text);
                    sung.push(word(chord, back));
                }
                None => text.push(if self.seen { 'z' } else { 'x' }),
            }
            tokens.push(Token {
                fields: std::mem::take(&mut fields),
                apart: std::mem::take(&mut apart),
                text: std::mem::take(&mut text),
                length: *length,
                tied,
            });
        }
    }

    /// The notes of a chord, with its dynamic if that differs from the previous one.
    fn chord(&self, chord: &Chord, back: bool, before: &mut Before, text: &mut String) {
        let loud = chord.loudest().filter(|_| !back);
        if let Some(loud) = loud.map(Velocity::word).filter(|loud| before.loud != *loud) {
            let _ = write!(text, "!{loud}!");
            before.loud = loud;
        }
        // Tied notes keep their first spelling.
        let key = match self.drums {
            true => KeySig::C_MAJOR,
            false => self.score.over.key_at(chord.at),
        };
        let pitches = chord.pitches.keys();
        let notes: String = pitches
            .map(|pitch| before.accidentals.note(spelled(*pitch, key)))
            .collect();
        let _ = match chord.pitches.len() {
            1 => write!(text, "{notes}"),
            _ => write!(text, "[{notes}]"),
        };
    }
}

/// The lyrics of a chord, or of a part of it that is tied to the one before.
fn word(chord: &Chord, back: bool) -> Word {
    let sung = chord.lyric.as_ref().map_or(Word::None, |sung| {
        Word::sung(&sung.text, matches!(sung.place, "begin" | "middle"))
    });
    match sung {
        Word::Sung(..) if back => Word::Held,
        sung => sung,
    }
}
