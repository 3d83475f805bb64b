//! `at`

use fcp::prelude::*;

use crate::display::controller_state::{held, together};
use crate::display::row_line;
use crate::harmony::recognize::{PitchClassWeights, symbol};
use crate::model::{Chunk, Song, Track};
use crate::values::Pos;

/// The most tracks to list.
const TRACKS: usize = 24;

/// Show the state at a place: time, section, sounding notes, and controllers that were set.
///
/// A controller at its General MIDI default is left out: volume 100, pan 64, expression 127, modulation and
/// pedals 0. Tracks with equal state are shown together.
///
/// ```fcp
/// # track add Piano instrument:piano
/// # note Piano A3,C4,E4 at:1.1 dur:w
/// # cc Piano volume 90
/// # marker Verse at:1
/// ? at 1.3
/// > 1.3: tick 960, 0:01.0
/// >   tempo:120 | 4/4 | no key | Verse
/// >   Sounding: Piano A3 C4 E4
/// >   Chord: Am
/// >   CC: Piano volume 90
/// ? at 5
/// > 5.1: tick 7680, 0:08.0
/// >   tempo:120 | 4/4 | no key | Verse
/// >   CC: Piano volume 90
/// # track add Organ instrument:organ volume:90 pan:64
/// # track add Bass instrument:bass volume:70
/// # track add Lead instrument:lead volume:90
/// ? at 5
/// > 5.1: tick 7680, 0:08.0
/// >   tempo:120 | 4/4 | no key | Verse
/// >   CC: all but Bass volume 90; Bass volume 70
/// ? at 1.3 on:Bass
/// > 1.3: tick 960, 0:01.0
/// >   tempo:120 | 4/4 | no key | Verse
/// >   CC: Bass volume 70
/// ```
#[fcp_query]
pub fn at(
    song: &Song,
    /// The place.
    #[fcp(positional)]
    pos: Spanned<Pos>,
    /// The only track to show; in a file of patterns the first if left out.
    on: Option<Ref<Track>>,
) -> Result<Vec<String>> {
    let chunk = match on {
        Some(track) => song.tracks.need(track.id())?.chunk,
        None => song.first_chunk().unwrap_or(Id::new(0)),
    };
    let tick = song.tick(&pos, chunk, None)?;
    let seconds = row_line::clock(song.seconds(chunk, tick));
    let mut lines = vec![format!(
        "{}: tick {tick}, {seconds}",
        song.shown(chunk, tick)
    )];
    lines.push(format!("  {}", time(song, chunk, tick).join(" | ")));
    let mut tones = PitchClassWeights::default();
    let (mut sounding, mut controls) = (Vec::new(), Vec::new());
    let tracks = song.ordered();
    let tracks: Vec<_> = tracks
        .filter(|(id, _)| on.is_none_or(|on| on.id() == *id))
        .filter(|(_, row)| !song.is_patterns() || row.chunk == chunk)
        .collect();
    for (id, row) in tracks.iter().take(TRACKS) {
        let notes = song.sounding(row.chunk, *id, tick, tick + 1);
        let notes = notes.into_iter().filter_map(|note| song.notes.get(note));
        let mut pitches: Vec<_> = notes
            .map(|note| (note.is_drum(), note.pitch, note.channel))
            .collect();
        pitches.sort_unstable();
        pitches.dedup_by_key(|(drum, pitch, _)| (*drum, *pitch));
        for (_, pitch, _) in pitches.iter().filter(|(drum, ..)| !drum) {
            tones.add(*pitch, 1);
        }
        let pitches = pitches
            .iter()
            .map(|(_, pitch, channel)| song.pitch_on(*channel, *pitch));
        let name = song.name_of_track(*id);
        sounding.push((name.clone(), pitches.collect::<Vec<_>>().join(" ")));
        controls.push((name, held(song, *id, tick).join(", ")));
    }
    let (sounding, controls) = (together(&sounding), together(&controls));
    if !sounding.is_empty() {
        lines.push(format!("  Sounding: {}", sounding.join("; ")));
    }
    lines.extend(symbol(song, &tones).map(|chord| format!("  Chord: {chord}")));
    if !controls.is_empty() {
        lines.push(format!("  CC: {}", controls.join("; ")));
    }
    if tracks.len() > TRACKS {
        lines.push(format!(
            "  of the first {TRACKS} of {} tracks",
            tracks.len()
        ));
    }
    Ok(lines)
}

/// Tempo, meter, key and section.
fn time(song: &Song, chunk: Id<Chunk>, tick: u64) -> Vec<String> {
    let mut words = Vec::new();
    if song.has_bars() {
        let micros = song.tempo_map(chunk).micros(tick);
        let meter = song.bars(chunk).at(tick);
        words.push(format!("tempo:{}", row_line::bpm(micros)));
        words.push(format!("{}/{}", meter.beats, meter.unit));
    }
    let key = song.key_at(chunk, tick);
    words.push(key.map_or_else(|| "no key".to_owned(), |key| key.to_string()));
    let before = song
        .markers
        .iter()
        .filter(|(_, row)| row.at <= tick && (!song.is_patterns() || row.chunk == chunk));
    let section = before.max_by_key(|(_, row)| row.at);
    words.extend(section.map(|(_, row)| row_line::brief(&row.text)));
    words
}
