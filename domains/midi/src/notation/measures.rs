//! The measures of a part, one behind the other.

use std::fmt::Write;

use super::lengths::{Value, split};
use super::voices::Chord;
use crate::clock::MeterMap;
use crate::model::{Song, Track};
use crate::roll::escaped;
use crate::values::{DYNAMICS, KeySig, Pitch, Velocity};

/// A part of a score.
pub struct Part<'a> {
    /// The song.
    pub song: &'a Song,
    /// The track it is.
    pub track: &'a Track,
    /// What it is called in the file: `P1`.
    pub id: String,
    /// Its voices.
    pub voices: Vec<Vec<Chord>>,
    /// It is the one that tempo and markers stand over.
    pub leads: bool,
}

impl Part<'_> {
    /// Writes its measures.
    pub fn write(&self, bars: &MeterMap, (first, last): (u64, u64), out: &mut String) {
        let mut next: Vec<usize> = vec![0; self.voices.len()];
        let (mut key, mut meter, mut loud) = (None, None, "");
        for bar in first..=last {
            let (start, length) = (bars.bar(bar), bars.bar_length(bar));
            let span = bars.at(start);
            let _ = writeln!(out, "<measure number=\"{bar}\">");
            let here = (self.key(start), (span.beats, span.unit));
            self.attributes(out, bar == first, (here.0, key), (here.1, meter));
            (key, meter) = (here.0, Some(here.1));
            self.directions(out, (start, length));
            self.dynamics(out, (start, length), &mut loud);
            for (ix, voice) in self.voices.iter().enumerate() {
                let from = next.get(ix).copied().unwrap_or_default();
                let end = start + length;
                let behind = voice.get(from..).unwrap_or_default();
                let here: Vec<&Chord> = behind.iter().take_while(|chord| chord.at < end).collect();
                let over = here.iter().filter(|chord| chord.end <= end).count();
                if let Some(next) = next.get_mut(ix) {
                    *next += over;
                }
                if ix > 0 && here.is_empty() {
                    continue;
                }
                if ix > 0 {
                    let _ = writeln!(out, "<backup><duration>{length}</duration></backup>");
                }
                self.voice(out, ix + 1, &here, (start, end));
            }
            if self.voices.is_empty() {
                self.voice(out, 1, &[], (start, start + length));
            }
            out.push_str("</measure>\n");
        }
    }

    /// The key that holds at a tick.
    fn key(&self, tick: u64) -> Option<KeySig> {
        self.song.key_at(self.track.chunk, tick)
    }

    fn attributes(
        &self,
        out: &mut String,
        is_first: bool,
        (key, before): (Option<KeySig>, Option<KeySig>),
        (meter, earlier): ((u64, u64), Option<(u64, u64)>),
    ) {
        if !is_first && key == before && Some(meter) == earlier {
            return;
        }
        out.push_str("<attributes>");
        if is_first {
            let _ = write!(out, "<divisions>{}</divisions>", self.song.ppqn());
        }
        if is_first || key != before {
            let (fifths, mode) = key.map_or((0, "major"), |key| {
                (key.sharps(), if key.minor() { "minor" } else { "major" })
            });
            let _ = write!(
                out,
                "<key><fifths>{fifths}</fifths><mode>{mode}</mode></key>"
            );
        }
        if Some(meter) != earlier {
            let (beats, unit) = meter;
            let _ = write!(
                out,
                "<time><beats>{beats}</beats><beat-type>{unit}</beat-type></time>"
            );
        }
        if is_first {
            let (sign, line) = self.clef();
            let _ = write!(out, "<clef><sign>{sign}</sign><line>{line}</line></clef>");
        }
        out.push_str("</attributes>\n");
    }

    /// The clef that most of its notes are read well in.
    fn clef(&self) -> (&'static str, u8) {
        if self.track.is_drums() {
            return ("percussion", 3);
        }
        let pitches = self
            .voices
            .iter()
            .flatten()
            .flat_map(|chord| chord.pitches.keys());
        let (low, high): (Vec<u8>, Vec<u8>) =
            pitches.map(|pitch| pitch.get()).partition(|n| *n < 60);
        match low.len() > high.len() {
            true => ("F", 4),
            false => ("G", 2),
        }
    }

    /// Tempo and markers, where it is the part that they stand over.
    fn directions(&self, out: &mut String, (start, length): (u64, u64)) {
        if !self.leads {
            return;
        }
        let inside = |at: u64| at.checked_sub(start).filter(|into| *into < length);
        let mut told: Vec<(u64, String)> = Vec::new();
        for (_, row) in self.song.markers.iter() {
            let text = escaped(&row.text);
            let rehearsal =
                format!("<direction-type><rehearsal>{text}</rehearsal></direction-type>");
            told.extend(inside(row.at).map(|into| (into, direction(&rehearsal, into, ""))));
        }
        for (_, row) in self.song.tempos.iter().filter(|(_, row)| row.micros > 0) {
            let bpm = crate::lines::bpm(row.micros);
            let beat = "<beat-unit>quarter</beat-unit>";
            let mark = format!(
                "<direction-type><metronome>{beat}<per-minute>{bpm}</per-minute></metronome></direction-type>"
            );
            let sound = format!("<sound tempo=\"{bpm}\"/>");
            told.extend(inside(row.at).map(|into| (into, direction(&mark, into, &sound))));
        }
        told.sort_by_key(|(into, _)| *into);
        out.extend(told.into_iter().map(|(_, text)| text));
    }

    /// How loud it is, where that is another word than before.
    fn dynamics(&self, out: &mut String, (start, length): (u64, u64), before: &mut &'static str) {
        let mut onsets: Vec<(u64, Velocity)> = Vec::new();
        for voice in &self.voices {
            let from = voice.partition_point(|chord| chord.at < start);
            let here = voice.get(from..).unwrap_or_default().iter();
            for chord in here.take_while(|chord| chord.at < start + length) {
                let loudest = chord.pitches.values().max().copied();
                onsets.extend(loudest.map(|velocity| (chord.at, velocity)));
            }
        }
        onsets.sort_by_key(|(at, velocity)| (*at, std::cmp::Reverse(*velocity)));
        onsets.dedup_by_key(|(at, _)| *at);
        for (at, velocity) in onsets {
            let word = word(velocity);
            if *before != word {
                let mark =
                    format!("<direction-type><dynamics><{word}/></dynamics></direction-type>");
                out.push_str(&direction(&mark, at - start, ""));
                *before = word;
            }
        }
    }

    /// A voice of one measure, filled up with rests.
    fn voice(&self, out: &mut String, number: usize, chords: &[&Chord], (start, end): (u64, u64)) {
        if chords.is_empty() {
            let length = end - start;
            let _ = writeln!(
                out,
                "<note><rest measure=\"yes\"/><duration>{length}</duration><voice>{number}</voice></note>"
            );
            return;
        }
        let mut at = start;
        for chord in chords {
            let (from, to) = (chord.at.max(start), chord.end.min(end));
            self.silence(out, number, from.saturating_sub(at));
            let values = split(to - from, self.whole());
            let mut here = from;
            for value in values {
                let ties = (here > chord.at, here + value.ticks < chord.end);
                self.chord(out, number, chord, &value, ties);
                here += value.ticks;
            }
            at = to;
        }
        self.silence(out, number, end.saturating_sub(at));
    }

    /// The ticks of a whole note.
    fn whole(&self) -> u64 {
        4 * u64::from(self.song.ppqn())
    }

    /// A rest; in other voices than the first, nothing that is seen.
    fn silence(&self, out: &mut String, number: usize, ticks: u64) {
        if ticks == 0 {
            return;
        }
        if number > 1 {
            let _ = writeln!(out, "<forward><duration>{ticks}</duration></forward>");
            return;
        }
        for value in split(ticks, self.whole()) {
            let length = value.ticks;
            let _ = write!(
                out,
                "<note><rest/><duration>{length}</duration><voice>{number}</voice>"
            );
            sign(out, &value);
            out.push_str("</note>\n");
        }
    }

    /// The notes of a chord, or the part of it that is written by one value.
    fn chord(
        &self,
        out: &mut String,
        number: usize,
        chord: &Chord,
        value: &Value,
        (back, on): (bool, bool),
    ) {
        for (ix, (pitch, velocity)) in chord.pitches.iter().enumerate() {
            // By how much it differs from forte, which is a velocity of 90.
            let percent = f64::from(velocity.get()) * 100.0 / 90.0;
            let _ = write!(out, "<note dynamics=\"{percent:.2}\">");
            if ix > 0 {
                out.push_str("<chord/>");
            }
            self.pitch(out, *pitch);
            let _ = write!(out, "<duration>{}</duration>", value.ticks);
            let ties = [(back, "stop"), (on, "start")];
            let ties = || ties.iter().filter(|(tied, _)| *tied).map(|(_, way)| way);
            for way in ties() {
                let _ = write!(out, "<tie type=\"{way}\"/>");
            }
            if self.track.is_drums() {
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

    /// A pitch by its letter; what is struck on a drum by the line it is written on.
    fn pitch(&self, out: &mut String, pitch: Pitch) {
        let name = match self.song.begins_in_flats() {
            true => pitch.name_flat(),
            false => pitch.name_sharp(),
        };
        let mut letters = name.chars();
        let step: String = letters.next().into_iter().collect();
        let rest = letters.as_str();
        let octave = rest.trim_start_matches(['#', 'b']);
        if self.track.is_drums() {
            let _ = write!(
                out,
                "<unpitched><display-step>{step}</display-step><display-octave>{octave}</display-octave></unpitched>"
            );
            return;
        }
        let alter = match rest.chars().next() {
            Some('#') => "<alter>1</alter>",
            Some('b') => "<alter>-1</alter>",
            _ => "",
        };
        let _ = write!(
            out,
            "<pitch><step>{step}</step>{alter}<octave>{octave}</octave></pitch>"
        );
    }
}

/// What stands over or under the notes, so many ticks into the measure.
fn direction(what: &str, into: u64, sound: &str) -> String {
    let offset = match into {
        0 => String::new(),
        into => format!("<offset>{into}</offset>"),
    };
    format!("<direction>{what}{offset}{sound}</direction>\n")
}

/// The note value of a length.
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

/// The word for how loud a note is.
fn word(velocity: Velocity) -> &'static str {
    let near = DYNAMICS
        .iter()
        .min_by_key(|(_, level)| level.abs_diff(velocity.get()));
    near.map_or("mf", |(word, _)| word)
}
