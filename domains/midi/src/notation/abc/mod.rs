//! A score in ABC notation, standard 2.1.
//! The notes and measures of a score are chosen in `notation`.

mod accidentals;
mod lengths;
mod lines;
mod voice;
mod words;

use std::fmt::Write;

use super::score::{Clef, Measure, Part, Score};
use crate::display::row_line::bpm;
use crate::values::KeySig;
use voice::{Held, Voice};

/// Writes a score in ABC: a tune with one voice after the other.
#[must_use]
pub fn abc(score: &Score<'_>) -> String {
    let first = score.measures().next();
    let start = Held {
        meter: first.map_or((4, 4), |measure| measure.meter),
        key: score.over.key_at(first.map_or(0, |measure| measure.start)),
    };
    let mut out = header(score, start);
    let mut held = start;
    for (ix, part) in score.parts.iter().enumerate() {
        for (number, voice) in part.voices.iter().enumerate() {
            let _ = writeln!(out, "V:{}", id(ix, number));
            played(score, part, &mut out);
            let writer = Voice {
                score,
                drums: part.is_drums(),
                seen: number == 0,
                leads: ix == 0 && number == 0,
                start,
                held,
            };
            held = writer.write(voice, &mut out);
        }
    }
    out
}

/// The header: initial values, and the list of voices.
fn header(score: &Score<'_>, start: Held) -> String {
    let title = score.title.as_deref().map(words::plain).unwrap_or_default();
    let mut out = format!("%abc-2.1\nX:1\nT:{title}\n%%propagate-accidentals octave\n");
    if score.parts.iter().any(|part| part.voices.len() > 1) {
        out.push_str("%%score");
        for (ix, part) in score.parts.iter().enumerate() {
            let ids: Vec<String> = (0..part.voices.len()).map(|n| id(ix, n)).collect();
            let _ = match ids.len() {
                1 => write!(out, " {}", ids.concat()),
                _ => write!(out, " ({})", ids.join(" ")),
            };
        }
        out.push('\n');
    }
    let (beats, unit) = start.meter;
    let _ = writeln!(out, "M:{beats}/{unit}\nL:1/8");
    if let Some((_, micros)) = score.over.tempos.first() {
        let _ = writeln!(out, "Q:1/4={}", bpm(*micros));
    }
    for (ix, part) in score.parts.iter().enumerate() {
        let clef = match part.clef() {
            Clef::Treble => "treble",
            Clef::Bass => "bass",
            Clef::Percussion => "perc",
        };
        for number in 0..part.voices.len() {
            let _ = write!(out, "V:{} clef={clef}", id(ix, number));
            if number == 0 {
                let name = words::quoted(&part.name);
                let _ = write!(out, " name=\"{name}\"");
            }
            out.push('\n');
        }
    }
    let _ = writeln!(out, "K:{}", key(start.key));
    out
}

/// The id of a voice in the file: `P1`, or `P1v2` for the second voice of its part.
fn id(part: usize, voice: usize) -> String {
    match voice {
        0 => format!("P{}", part + 1),
        _ => format!("P{}v{}", part + 1, voice + 1),
    }
}

/// The instrument of a part. Drum notes are keys, so a channel is all that they need.
fn played(score: &Score<'_>, part: &Part, out: &mut String) {
    let _ = writeln!(out, "%%MIDI channel {}", part.channel);
    if let Some(program) = part.program(score.song) {
        let _ = writeln!(out, "%%MIDI program {program}");
    }
}

/// A key as fields write it: `Bb`, `F#m`.
fn key(key: KeySig) -> String {
    let minor = if key.minor() { "m" } else { "" };
    format!("{}{minor}", key.tonic())
}

impl Measure {
    /// The distance between group boundaries, in ticks: a beat, or three in compound meters.
    const fn group(&self, whole: u64) -> u64 {
        let (beats, unit) = self.meter;
        let compound = beats > 3 && beats.is_multiple_of(3) && unit >= 8;
        let beat = whole / unit;
        if compound { 3 * beat } else { beat }
    }

    /// Whether it has the length of its meter.
    const fn is_full(&self, whole: u64) -> bool {
        let (beats, unit) = self.meter;
        (self.end - self.start) * unit == whole * beats
    }
}
