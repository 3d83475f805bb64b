//! A score as MusicXML 4.0.
//! The notes and measures of a score are chosen in `notation`.

mod measures;

use std::collections::BTreeSet;
use std::fmt::Write;

use super::score::{Part, Score};
use crate::model::Song;
use crate::notation::piano_roll::escaped;
use crate::values::{Pitch, Program as Sound};

/// Writes a score as MusicXML.
#[must_use]
pub fn musicxml(score: &Score<'_>) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<score-partwise version=\"4.0\">\n",
    );
    if let Some(title) = &score.title {
        let title = escaped(title);
        let _ = writeln!(out, "<work><work-title>{title}</work-title></work>");
    }
    out.push_str("<part-list>\n");
    for (ix, part) in score.parts.iter().enumerate() {
        head(score.song, part, &id(ix), &mut out);
    }
    out.push_str("</part-list>\n");
    for (ix, part) in score.parts.iter().enumerate() {
        let id = id(ix);
        let _ = writeln!(out, "<part id=\"{id}\">");
        measures::write(score, part, &id, ix == 0, &mut out);
        out.push_str("</part>\n");
    }
    out.push_str("</score-partwise>\n");
    out
}

/// The id of a part in the file: `P1`.
fn id(ix: usize) -> String {
    format!("P{}", ix + 1)
}

/// Writes the entry of a part in the list of parts: its name and instrument.
fn head(song: &Song, part: &Part, own: &str, out: &mut String) {
    let name = escaped(&part.name);
    let _ = writeln!(
        out,
        "<score-part id=\"{own}\"><part-name>{name}</part-name>"
    );
    let channel = part.channel;
    let program = u16::from(part.program(song).unwrap_or(0)) + 1;
    let plays =
        format!("<midi-channel>{channel}</midi-channel><midi-program>{program}</midi-program>");
    if part.is_drums() {
        let chords = part.voices.iter().flatten();
        let struck: BTreeSet<Pitch> = chords
            .flat_map(|chord| chord.pitches.keys().copied())
            .collect();
        for pitch in &struck {
            let (number, name) = (pitch.get(), song.pitch_on(part.channel, *pitch));
            let _ = writeln!(
                out,
                "<score-instrument id=\"{own}-I{number}\"><instrument-name>{name}</instrument-name></score-instrument>"
            );
        }
        for pitch in &struck {
            let number = pitch.get();
            let struck = u16::from(number) + 1;
            let _ = writeln!(
                out,
                "<midi-instrument id=\"{own}-I{number}\">{plays}<midi-unpitched>{struck}</midi-unpitched></midi-instrument>"
            );
        }
    } else {
        let sound = part.program(song).map(Sound::name_of);
        let sound = escaped(sound.unwrap_or("no instrument"));
        let _ = writeln!(
            out,
            "<score-instrument id=\"{own}-I1\"><instrument-name>{sound}</instrument-name></score-instrument>"
        );
        let _ = writeln!(
            out,
            "<midi-instrument id=\"{own}-I1\">{plays}</midi-instrument>"
        );
    }
    out.push_str("</score-part>\n");
}
