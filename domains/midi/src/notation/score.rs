//! A whole score, as MusicXML 4.0.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use fcp::prelude::*;

use super::measures::Part;
use super::voices::{Syllable, voices};
use crate::lines;
use crate::model::{Chunk, Song, Track};
use crate::roll::escaped;
use crate::values::{Pitch, Rounding};

/// The most measures of all parts together.
const MEASURES: u64 = 65_536;

/// The score of the bars that begin between two ticks, the second not included.
///
/// # Errors
/// There are no notes, or too many measures.
pub fn score(
    song: &Song,
    chunk: Id<Chunk>,
    (from, to): (u64, u64),
    grid: &Rounding,
) -> Result<String> {
    let bars = song.bars(chunk);
    let (first, last) = (bars.place(from).bar, bars.place(to.saturating_sub(1)).bar);
    let span = (bars.bar(first), bars.bar(last + 1));
    let playing = |id: Id<Track>| song.notes.index().count(id) > 0;
    let tracks: Vec<(Id<Track>, &Track)> =
        song.tracks.iter().filter(|(id, _)| playing(*id)).collect();
    if tracks.is_empty() {
        bail!("there are no notes to write");
    }
    let most = MEASURES / (tracks.len() as u64).max(1);
    if last - first >= most {
        let count = last - first + 1;
        let told = format!("it has {count} bars in {} parts", tracks.len());
        bail!("{told}; a score has at most {most}"; add: "range:{first}-{}", first + most - 1);
    }
    let singer = tracks
        .iter()
        .find(|(_, row)| !row.is_drums())
        .map(|(id, _)| *id);
    let mut parts = Vec::with_capacity(tracks.len());
    for (ix, (id, track)) in tracks.iter().enumerate() {
        let lyrics = lyrics(song, *id, singer == Some(*id));
        parts.push(Part {
            song,
            track,
            id: format!("P{}", ix + 1),
            voices: voices(song, *id, span, grid, &lyrics),
            leads: ix == 0,
        });
    }
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<score-partwise version=\"4.0\">\n",
    );
    if let Some(title) = song.title() {
        let title = escaped(&title);
        let _ = writeln!(out, "<work><work-title>{title}</work-title></work>");
    }
    out.push_str("<part-list>\n");
    for (part, (id, _)) in parts.iter().zip(&tracks) {
        head(song, *id, part, &mut out);
    }
    out.push_str("</part-list>\n");
    for part in &parts {
        let _ = writeln!(out, "<part id=\"{}\">", part.id);
        part.write(&bars, (first, last), &mut out);
        out.push_str("</part>\n");
    }
    out.push_str("</score-partwise>\n");
    Ok(out)
}

/// What is sung on a track, by the ticks; what is the song's is sung on the first that has pitches.
fn lyrics(song: &Song, track: Id<Track>, is_first: bool) -> BTreeMap<u64, Syllable> {
    let own = |row: Option<Id<Track>>| row == Some(track) || (row.is_none() && is_first);
    let rows = song.lyrics.iter().filter(|(_, row)| own(row.track));
    let texts: BTreeMap<u64, &str> = rows.map(|(_, row)| (row.at, row.text.trim())).collect();
    let mut goes_on = false;
    let mut sung = BTreeMap::new();
    for (at, text) in texts {
        let went_on = std::mem::replace(&mut goes_on, text.ends_with('-'));
        let place = match (went_on, goes_on) {
            (false, false) => "single",
            (false, true) => "begin",
            (true, true) => "middle",
            (true, false) => "end",
        };
        let text = text.trim_end_matches('-').to_owned();
        sung.insert(at, Syllable { place, text });
    }
    sung
}

/// The entry of a part in the list of parts: what it is called and what plays it.
fn head(song: &Song, id: Id<Track>, part: &Part<'_>, out: &mut String) {
    let (own, name) = (&part.id, escaped(&lines::name(song, id)));
    let _ = writeln!(
        out,
        "<score-part id=\"{own}\"><part-name>{name}</part-name>"
    );
    let channel = part.track.channel.map_or(1, |channel| channel.get() + 1);
    let program = u16::from(song.first_program(id).unwrap_or(0)) + 1;
    let plays =
        format!("<midi-channel>{channel}</midi-channel><midi-program>{program}</midi-program>");
    if part.track.is_drums() {
        let chords = part.voices.iter().flatten();
        let struck: BTreeSet<Pitch> = chords
            .flat_map(|chord| chord.pitches.keys().copied())
            .collect();
        for pitch in &struck {
            let (number, name) = (pitch.get(), lines::pitch_name(song, id, *pitch));
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
        let sound = escaped(&lines::instrument(song, id, part.track));
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
