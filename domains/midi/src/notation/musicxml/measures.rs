//! The measures of a part.

use std::fmt::Write;

use super::super::directions::between;
use super::super::lengths::{Value, split};
use super::super::score::{Clef, Measure, Part, Score};
use super::super::spelling::spelled;
use super::super::voices::{Chord, Piece, Reading, cut};
use crate::display::row_line;
use crate::notation::piano_roll::escaped;
use crate::values::{KeySig, Pitch, Velocity};

/// The highest octave of MusicXML 4.0.
const HIGHEST: i16 = 9;

/// Writes the measures of a part. If it leads, tempo and markers are written above it.
pub fn write(score: &Score<'_>, part: &Part, id: &str, leads: bool, out: &mut String) {
    let voices = part.voices.iter();
    let mut voices: Vec<Reading<'_>> = voices.map(|voice| Reading::new(voice)).collect();
    let (mut meter, mut loud) = (None, "");
    let staff = Staff {
        score,
        part,
        id,
        lift: lift(score, part),
    };
    for measure in score.measures() {
        let _ = writeln!(out, "<measure number=\"{}\">", measure.number);
        let is_first = meter.is_none();
        let new = (meter != Some(measure.meter)).then_some(measure.meter);
        meter = Some(measure.meter);
        staff.attributes(out, is_first, &measure, new);
        if leads {
            directions(score, &measure, out);
        }
        loud = staff.dynamics(out, &measure, loud);
        for (ix, voice) in voices.iter_mut().enumerate() {
            staff.voice(out, ix, voice, &measure);
        }
        out.push_str("</measure>\n");
    }
}

/// The staff of a part.
struct Staff<'a> {
    score: &'a Score<'a>,
    part: &'a Part,
    id: &'a str,
    /// Number of octaves that it is written above its sound.
    lift: i16,
}

/// The number of octaves that moves the lowest note to octave 0, where MusicXML 4.0 begins, and the
/// highest to at most 9, where it ends. MIDI has octaves -1 to 9: a part with all of them exceeds
/// the range.
fn lift(score: &Score<'_>, part: &Part) -> i16 {
    if part.is_drums() {
        return 0;
    }
    let chords = part.voices.iter().flatten();
    let octaves = chords.flat_map(|chord| {
        let key = score.over.key_at(chord.at);
        let pitches = chord.pitches.keys();
        pitches.map(move |pitch| spelled(*pitch, key).octave)
    });
    let (low, high) = octaves.fold((0, 0), |(low, high), octave| {
        (octave.min(low), octave.max(high))
    });
    (-low).min(HIGHEST - high).max(0)
}

impl Staff<'_> {
    /// Writes the attributes at the start of a measure.
    fn attributes(
        &self,
        out: &mut String,
        is_first: bool,
        measure: &Measure,
        meter: Option<(u64, u64)>,
    ) {
        let keys = between(&self.score.over.keys, measure.start, measure.start + 1);
        let key = keys.first().map(|(_, key)| *key);
        if key.is_none() && meter.is_none() {
            return;
        }
        out.push_str("<attributes>");
        if is_first {
            let quarter = self.score.quarter();
            let _ = write!(out, "<divisions>{quarter}</divisions>");
        }
        if let Some(key) = key {
            signature(out, key);
        }
        if let Some((beats, unit)) = meter {
            let _ = write!(
                out,
                "<time><beats>{beats}</beats><beat-type>{unit}</beat-type></time>"
            );
        }
        if is_first {
            let (sign, line) = match self.part.clef() {
                Clef::Treble => ("G", 2),
                Clef::Bass => ("F", 4),
                Clef::Percussion => ("percussion", 3),
            };
            let _ = write!(out, "<clef><sign>{sign}</sign><line>{line}</line></clef>");
            if self.lift > 0 {
                let change = -self.lift;
                let _ = write!(
                    out,
                    "<transpose><chromatic>0</chromatic><octave-change>{change}</octave-change></transpose>"
                );
            }
        }
        out.push_str("</attributes>\n");
    }

    /// Writes dynamics that differ from the previous ones. Returns the last one.
    fn dynamics(
        &self,
        out: &mut String,
        measure: &Measure,
        mut before: &'static str,
    ) -> &'static str {
        let mut onsets: Vec<(u64, Velocity)> = Vec::new();
        for voice in &self.part.voices {
            let from = voice.partition_point(|chord| chord.at < measure.start);
            let here = voice.get(from..).unwrap_or_default().iter();
            for chord in here.take_while(|chord| chord.at < measure.end) {
                onsets.extend(chord.loudest().map(|velocity| (chord.at, velocity)));
            }
        }
        onsets.sort_by_key(|(at, velocity)| (*at, std::cmp::Reverse(*velocity)));
        onsets.dedup_by_key(|(at, _)| *at);
        for (at, velocity) in onsets {
            let word = velocity.word();
            if before != word {
                let mark =
                    format!("<direction-type><dynamics><{word}/></dynamics></direction-type>");
                out.push_str(&direction(&mark, at - measure.start, ""));
                before = word;
            }
        }
        before
    }

    /// Writes one measure of a voice, filled with rests. Key changes inside are written at their
    /// place, in the first voice.
    fn voice(&self, out: &mut String, ix: usize, voice: &mut Reading<'_>, measure: &Measure) {
        let (start, end) = (measure.start, measure.end);
        let keys = match ix {
            0 => between(&self.score.over.keys, start + 1, end),
            _ => &[],
        };
        let cuts: Vec<u64> = keys.iter().map(|(at, _)| *at).collect();
        let mut pieces = voice.measure(start, end, &cuts);
        let (number, length) = (ix + 1, end - start);
        if pieces.is_empty() && ix > 0 {
            return;
        }
        if ix > 0 {
            let _ = writeln!(out, "<backup><duration>{length}</duration></backup>");
        }
        if pieces.is_empty() && keys.is_empty() {
            let _ = writeln!(
                out,
                "<note><rest measure=\"yes\"/><duration>{length}</duration><voice>{number}</voice></note>"
            );
            return;
        }
        if pieces.is_empty() {
            cut(&mut pieces, start, end, None, &cuts);
        }
        let mut keys = keys.iter().peekable();
        for piece in pieces {
            if let Some((_, key)) = keys.next_if(|(at, _)| *at == piece.at) {
                out.push_str("<attributes>");
                signature(out, *key);
                out.push_str("</attributes>\n");
            }
            match piece.chord {
                Some(chord) => self.piece(out, number, &piece, chord),
                None => self.silence(out, number, piece.end - piece.at),
            }
        }
    }

    /// Writes a rest; in other voices than the first, an invisible one.
    fn silence(&self, out: &mut String, number: usize, ticks: u64) {
        if number > 1 {
            let _ = writeln!(out, "<forward><duration>{ticks}</duration></forward>");
            return;
        }
        for value in split(ticks, self.score.whole()) {
            let length = value.ticks;
            let _ = write!(
                out,
                "<note><rest/><duration>{length}</duration><voice>{number}</voice>"
            );
            sign(out, &value);
            out.push_str("</note>\n");
        }
    }

    /// Writes a chord or a part of it, as tied values.
    fn piece(&self, out: &mut String, number: usize, piece: &Piece<'_>, chord: &Chord) {
        let mut at = piece.at;
        for value in split(piece.end - piece.at, self.score.whole()) {
            let ties = (at > chord.at, at + value.ticks < chord.end);
            self.chord(out, number, chord, &value, ties);
            at += value.ticks;
        }
    }

    /// Writes the notes of a chord for one of its values.
    fn chord(
        &self,
        out: &mut String,
        number: usize,
        chord: &Chord,
        value: &Value,
        (back, on): (bool, bool),
    ) {
        for (ix, (pitch, velocity)) in chord.pitches.iter().enumerate() {
            // Relative to forte, which is a velocity of 90.
            let percent = f64::from(velocity.get()) * 100.0 / 90.0;
            let _ = write!(out, "<note dynamics=\"{percent:.2}\">");
            if ix > 0 {
                out.push_str("<chord/>");
            }
            self.pitch(out, *pitch, self.score.over.key_at(chord.at));
            let _ = write!(out, "<duration>{}</duration>", value.ticks);
            let ties = [(back, "stop"), (on, "start")];
            let ties = || ties.iter().filter(|(tied, _)| *tied).map(|(_, way)| way);
            for way in ties() {
                let _ = write!(out, "<tie type=\"{way}\"/>");
            }
            if self.part.is_drums() {
                let _ = write!(out, "<instrument id=\"{}-I{}\"/>", self.id, pitch.get());
            }
            let _ = write!(out, "<voice>{number}</voice>");
            sign(out, value);
            if back || on {
                out.push_str("<notations>");
                for way in ties() {
                    let _ = write!(out, "<tied type=\"{way}\"/>");
                }
                out.push_str("</notations>");
            }
            if let Some(sung) = chord.lyric.as_ref().filter(|_| ix == 0 && !back) {
                let (place, text) = (sung.place, escaped(&sung.text));
                let _ = write!(
                    out,
                    "<lyric><syllabic>{place}</syllabic><text>{text}</text></lyric>"
                );
            }
            out.push_str("</note>\n");
        }
    }

    /// Writes a pitch as the key spells it, or a drum as its staff line.
    fn pitch(&self, out: &mut String, pitch: Pitch, key: KeySig) {
        if self.part.is_drums() {
            let line = spelled(pitch, KeySig::C_MAJOR);
            let (step, octave) = (line.step(), line.octave.max(0));
            let _ = write!(
                out,
                "<unpitched><display-step>{step}</display-step><display-octave>{octave}</display-octave></unpitched>"
            );
            return;
        }
        let spelled = spelled(pitch, key);
        let (step, octave) = (spelled.step(), spelled.octave + self.lift);
        let alter = match spelled.alter {
            0 => String::new(),
            alter => format!("<alter>{alter}</alter>"),
        };
        let _ = write!(
            out,
            "<pitch><step>{step}</step>{alter}<octave>{octave}</octave></pitch>"
        );
    }
}

/// Writes a key signature.
fn signature(out: &mut String, key: KeySig) {
    let mode = if key.minor() { "minor" } else { "major" };
    let fifths = key.sharps();
    let _ = write!(
        out,
        "<key><fifths>{fifths}</fifths><mode>{mode}</mode></key>"
    );
}

/// Writes tempo and markers of a measure.
fn directions(score: &Score<'_>, measure: &Measure, out: &mut String) {
    let (start, end) = (measure.start, measure.end);
    let mut directions: Vec<(u64, String)> = Vec::new();
    for (at, text) in between(&score.over.markers, start, end) {
        let text = escaped(text);
        let rehearsal = format!("<direction-type><rehearsal>{text}</rehearsal></direction-type>");
        directions.push((*at, direction(&rehearsal, at - start, "")));
    }
    for (at, micros) in between(&score.over.tempos, start, end) {
        let bpm = row_line::bpm(*micros);
        let beat = "<beat-unit>quarter</beat-unit>";
        let mark = format!(
            "<direction-type><metronome>{beat}<per-minute>{bpm}</per-minute></metronome></direction-type>"
        );
        let sound = format!("<sound tempo=\"{bpm}\"/>");
        directions.push((*at, direction(&mark, at - start, &sound)));
    }
    directions.sort_by_key(|(at, _)| *at);
    out.extend(directions.into_iter().map(|(_, text)| text));
}

/// A direction above or below the notes, `into` ticks after the start of the measure.
fn direction(what: &str, into: u64, sound: &str) -> String {
    let offset = match into {
        0 => String::new(),
        into => format!("<offset>{into}</offset>"),
    };
    format!("<direction>{what}{offset}{sound}</direction>\n")
}

/// Writes the note value of a length.
fn sign(out: &mut String, value: &Value) {
    let Some((name, dots, triplet)) = value.sign else {
        return;
    };
    let _ = write!(out, "<type>{name}</type>");
    out.push_str(&"<dot/>".repeat(dots.into()));
    if triplet {
        out.push_str(
            "<time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes></time-modification>",
        );
    }
}
