//! `bars`

use fcp::prelude::*;

use crate::display::row_line;
use crate::model::{Chunk, Song, Track};
use crate::values::Span;

/// The most bars to show at once.
const MOST: u64 = 200;

/// The widest track name for which columns are aligned.
const NAME: usize = 32;

/// Show the activity in each bar: a line per track, a character per bar.
///
/// `.` is silence, `-` a note that sounds on, `1` to `9` the number of notes that start, `+` more.
///
/// ```fcp
/// # track add Keys instrument:rhodes
/// # track add Drums instrument:standard-kit
/// # chord Keys Am7 at:1.1 dur:w
/// # note Keys A3 at:2.1 dur:w
/// # note Keys C4 at:4.1 dur:h
/// # grid Drums hat x step:s times:16
/// # marker Verse at:1
/// # marker Chorus at:3
/// ? bars
/// > bars 1-4: Verse 1, Chorus 3
/// > Keys   41.1
/// > Drums  +...
/// ? bars 2-3
/// > bars 2-3: Chorus 3
/// > Keys   1.
/// > Drums  ..
/// ```
#[fcp_query]
pub fn bars(
    song: &Song,
    /// Bars, both ends included; all if left out.
    #[fcp(positional, key = "range")]
    span: Option<Spanned<Span>>,
) -> Result<Vec<String>> {
    let chunk = song.first_chunk().unwrap_or(Id::new(0));
    if !song.has_bars() {
        bail!("this file counts SMPTE frames, so it has no bars"; try: "stats");
    }
    let map = song.bars(chunk);
    let (first, last) = match &span {
        Some(_) => {
            let (from, to) = song.asked(span.as_ref(), chunk)?;
            (map.place(from).bar, map.place(to.saturating_sub(1)).bar)
        }
        None => (1, song.bar_count()),
    };
    if last < first {
        return Ok(vec!["no bars".to_owned()]);
    }
    let shown = last.min(first + MOST - 1);
    let mut lines = vec![head(song, first, shown)];
    let names: Vec<String> = song
        .ordered()
        .map(|(id, _)| song.name_of_track(id))
        .collect();
    let wide = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        .min(NAME);
    for ((id, row), name) in song.ordered().zip(&names) {
        let cells = cells(song, id, row.chunk, (first, shown));
        lines.push(format!("{name:wide$}  {cells}"));
    }
    if shown < last {
        lines.push(format!(
            "… {} more bars (bars {}-{last})",
            last - shown,
            shown + 1
        ));
    }
    Ok(lines)
}

/// `bars 1-8: Chorus 5`
fn head(song: &Song, first: u64, last: u64) -> String {
    let here = song.markers.iter().filter_map(|(_, row)| {
        // Patterns have their own bars.
        let bar = song.bars(row.chunk).place(row.at).bar;
        let here = (first..=last).contains(&bar);
        here.then(|| (row.at, format!("{} {bar}", row_line::brief(&row.text))))
    });
    let mut here: Vec<_> = here.collect();
    here.sort();
    let mut names: Vec<String> = here.into_iter().map(|(_, text)| text).collect();
    if names.len() > 12 {
        let more = names.len() - 12;
        names.truncate(12);
        names.push(format!("{more} more"));
    }
    let colon = if names.is_empty() { "" } else { ": " };
    format!("bars {first}-{last}{colon}{}", names.join(", "))
}

/// The activity in each bar, in groups of four bars.
fn cells(song: &Song, track: Id<Track>, chunk: Id<Chunk>, (first, last): (u64, u64)) -> String {
    let map = song.bars(chunk);
    let length = usize::try_from(last + 1 - first).unwrap_or(0);
    let mut bars = vec![(0_usize, false); length];
    let place = |tick: u64| {
        let bar = map.place(tick).bar.clamp(first, last);
        usize::try_from(bar - first).unwrap_or(0)
    };
    let (from, to) = (map.bar(first), map.bar(last + 1));
    for note in song.sounding(chunk, track, from, to) {
        let Some(note) = song.notes.get(note) else {
            continue;
        };
        // A note without an end sounds at most until the next of its kind, so only its start is
        // shown.
        let end = note.at + note.dur.unwrap_or(1).max(1);
        let (start, end) = (note.at.max(from), end.min(to));
        let own = bars.iter_mut().take(place(end - 1) + 1).skip(place(start));
        own.for_each(|(_, sounds)| *sounds = true);
        if let Some((starts, _)) = bars.get_mut(place(note.at)).filter(|_| note.at >= from) {
            *starts += 1;
        }
    }
    let mut cells = String::new();
    for (ix, (starts, sounds)) in bars.into_iter().enumerate() {
        if ix > 0 && ix % 4 == 0 {
            cells.push(' ');
        }
        cells.push(match starts {
            0 if sounds => '-',
            0 => '.',
            1..=9 => char::from_digit(u32::try_from(starts).unwrap_or(9), 10).unwrap_or('9'),
            _ => '+',
        });
    }
    cells
}
