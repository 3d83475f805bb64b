//! The piano roll as an SVG 1.1 drawing, without a font of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use fcp::prelude::*;

use crate::model::{Note, Song, Track};
use crate::values::Pitch;

/// The most notes to draw.
pub const NOTES: usize = 20_000;
/// The most bars to draw.
pub const BARS: u64 = 512;

/// Colors of tracks, by their place in the song.
const COLORS: [&str; 8] = [
    "#2f6fb5", "#c8553d", "#3f8f5b", "#8a5aa8", "#b8862b", "#3d9c9c", "#a8456f", "#5c6b73",
];
/// Height of a row, in pixels.
const ROW: u64 = 7;
/// Space for names on the left, for markers and numbers at the top, and around the edges.
const LEFT: u64 = 96;
const TOP: u64 = 64;
const EDGE: u64 = 12;
/// Space between pitches and drums.
const GAP: u64 = 14;
/// Width of the time axis: the smallest, the largest, and per beat.
const NARROW: u64 = 480;
const WIDE: u64 = 6000;
const BEAT: u64 = 20;

/// The content of a piano roll.
pub struct Roll<'a> {
    song: &'a Song,
    notes: Vec<&'a Note>,
    tracks: Vec<Id<Track>>,
    from: u64,
    to: u64,
    width: u64,
    /// The row of each pitch, from the top, and of each drum below.
    rows: BTreeMap<(bool, u8), u64>,
    /// The first row of drums.
    drums: u64,
    height: u64,
}

impl<'a> Roll<'a> {
    /// The notes that sound between two ticks.
    pub fn new(song: &'a Song, (from, to): (u64, u64)) -> Self {
        let inside = |note: &&Note| {
            note.at < to && (note.at >= from || note.dur.is_none_or(|dur| note.at + dur > from))
        };
        let mut notes: Vec<&Note> = song
            .notes
            .iter()
            .map(|(_, note)| note)
            .filter(inside)
            .collect();
        notes.sort_by_key(|note| (note.at, note.track.number(), note.pitch.get()));
        let sounding: BTreeSet<u32> = notes.iter().map(|note| note.track.number()).collect();
        let tracks = song.ordered().map(|(id, _)| id);
        let tracks: Vec<Id<Track>> = tracks
            .filter(|id| sounding.contains(&id.number()))
            .collect();
        let of = |drum: bool| {
            let own = notes.iter().filter(move |note| note.is_drum() == drum);
            own.map(|note| note.pitch.get()).collect::<BTreeSet<u8>>()
        };
        let (pitches, kit) = (of(false), of(true));
        let mut rows = BTreeMap::new();
        let (low, high) = (pitches.first(), pitches.last());
        if let (Some(low), Some(high)) = (low, high) {
            let (low, high) = (low.saturating_sub(1), (high + 1).min(127));
            for (row, pitch) in (low..=high).rev().enumerate() {
                rows.insert((false, pitch), row as u64 * ROW);
            }
        }
        let gap = if pitches.is_empty() || kit.is_empty() {
            0
        } else {
            GAP
        };
        let drums = rows.len() as u64 * ROW + gap;
        for (row, pitch) in kit.iter().rev().enumerate() {
            rows.insert((true, *pitch), drums + row as u64 * 2 * ROW);
        }
        let beats = (to - from) / u64::from(song.ppqn()).max(1);
        Self {
            song,
            tracks,
            from,
            to,
            width: beats.saturating_mul(BEAT).clamp(NARROW, WIDE),
            height: drums + kit.len() as u64 * 2 * ROW,
            drums,
            rows,
            notes,
        }
    }

    /// Number of notes.
    pub fn notes(&self) -> usize {
        self.notes.len()
    }

    /// The drawing.
    pub fn svg(&self) -> String {
        let (width, height) = (LEFT + self.width + EDGE, TOP + self.height + EDGE);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
        );
        // Writing to a string cannot fail.
        let _ = self.grid(&mut out).and_then(|()| self.draw(&mut out));
        out.push_str("</svg>\n");
        out
    }

    /// Tenths of a pixel from the left edge, for a tick.
    fn x(&self, tick: u64) -> Tenths {
        let into = u128::from(tick.clamp(self.from, self.to) - self.from);
        let span = u128::from((self.to - self.from).max(1));
        let tenths = into * u128::from(self.width * 10) / span;
        Tenths(LEFT * 10 + u64::try_from(tenths).unwrap_or(0))
    }

    /// Draws rows, barlines and labels.
    fn grid(&self, out: &mut String) -> std::fmt::Result {
        let right = LEFT + self.width;
        for ((drum, pitch), row) in &self.rows {
            let (y, height) = (TOP + row, if *drum { 2 * ROW } else { ROW });
            let black = !drum && matches!(pitch % 12, 1 | 3 | 6 | 8 | 10);
            let fill = if black || *drum && ((row - self.drums) / ROW).is_multiple_of(4) {
                "#eef0f2"
            } else {
                "#f8f9fa"
            };
            writeln!(
                out,
                "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{}\" height=\"{height}\" fill=\"{fill}\"/>",
                self.width
            )?;
            let name = match Pitch::new(*pitch) {
                Some(own) if *drum => own.drum_name().map(str::to_owned),
                Some(own) if pitch % 12 == 0 => Some(own.name_sharp()),
                _ => None,
            };
            if let Some(name) = name {
                let (x, y) = (LEFT - 6, y + height / 2 + 4);
                writeln!(
                    out,
                    "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\" fill=\"#555555\">{}</text>",
                    escaped(&name)
                )?;
            }
        }
        let bottom = TOP + self.height;
        for (tick, bar) in self.bars() {
            let x = self.x(tick);
            writeln!(
                out,
                "<path d=\"M{x} {TOP}V{bottom}\" stroke=\"#b6bcc2\"/>\
                 <text x=\"{x}\" y=\"{}\" fill=\"#555555\">{bar}</text>",
                TOP - 6
            )?;
        }
        writeln!(
            out,
            "<path d=\"M{right} {TOP}V{bottom}\" stroke=\"#b6bcc2\"/>"
        )?;
        let mut markers: Vec<_> = self.song.markers.iter().map(|(_, row)| row).collect();
        markers.sort_by_key(|row| row.at);
        for marker in markers {
            if (self.from..self.to).contains(&marker.at) {
                let (x, text) = (self.x(marker.at), escaped(&marker.text));
                writeln!(
                    out,
                    "<text x=\"{x}\" y=\"{}\" font-weight=\"bold\" fill=\"#222222\">{text}</text>",
                    TOP - 22
                )?;
            }
        }
        Ok(())
    }

    /// The first ticks of the bars, with their numbers.
    fn bars(&self) -> Vec<(u64, u64)> {
        let chunk = self.song.first_chunk();
        let Some(chunk) = chunk.filter(|_| self.song.has_bars()) else {
            return Vec::new();
        };
        let map = self.song.bars(chunk);
        let first = map.place(self.from).bar;
        let bars = (first..first + BARS + 1).map(|bar| (map.bar(bar), bar));
        let bars = bars.skip_while(|(tick, _)| *tick < self.from);
        bars.take_while(|(tick, _)| *tick < self.to).collect()
    }

    /// Draws the names of the tracks, and the notes: the louder a note, the more opaque its color.
    fn draw(&self, out: &mut String) -> std::fmt::Result {
        let tracks = self.tracks.iter().zip(COLORS.iter().cycle());
        let colors: BTreeMap<Id<Track>, &str> = tracks.map(|(id, color)| (*id, *color)).collect();
        let color = |track: Id<Track>| colors.get(&track).copied().unwrap_or(COLORS[0]);
        let mut x = LEFT;
        for track in &self.tracks {
            let name = self.song.name_of_track(*track);
            writeln!(
                out,
                "<rect x=\"{x}\" y=\"{EDGE}\" width=\"10\" height=\"10\" rx=\"2\" fill=\"{}\"/>\
                 <text x=\"{}\" y=\"{}\" fill=\"#222222\">{}</text>",
                color(*track),
                x + 14,
                EDGE + 9,
                escaped(&name)
            )?;
            x += 32 + 7 * name.chars().count() as u64;
        }
        for note in &self.notes {
            let drum = note.is_drum();
            let Some(row) = self.rows.get(&(drum, note.pitch.get())) else {
                continue;
            };
            let end = note.dur.map_or(self.to, |dur| note.at + dur);
            let (from, to) = (self.x(note.at), self.x(end));
            let width = Tenths(to.0.saturating_sub(from.0).saturating_sub(5).max(15));
            let fullness = 45 + u32::from(note.velocity.get()) * 55 / 127;
            let (y, height) = if drum {
                (TOP + row + 3, ROW + 1)
            } else {
                (TOP + row, ROW)
            };
            writeln!(
                out,
                "<rect x=\"{from}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"1.5\" \
                 fill=\"{}\" fill-opacity=\"{}.{:02}\"/>",
                color(note.track),
                fullness / 100,
                fullness % 100
            )?;
        }
        Ok(())
    }
}

/// A number with one decimal.
#[derive(Clone, Copy)]
struct Tenths(u64);

impl std::fmt::Display for Tenths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0 / 10)?;
        match self.0 % 10 {
            0 => Ok(()),
            tenth => write!(f, ".{tenth}"),
        }
    }
}

/// Escapes a text for XML. Characters that XML does not allow are left out.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().take(200) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}
