//! `chords`

use fcp::prelude::*;
use fcp::work;

use crate::harmony::recognize::{PitchClassWeights, is_one_chord, is_whole_chord, symbol};
use crate::model::{Note, Song};
use crate::resolve::query_scope::{NoteScope, Players};
use crate::values::Span;

/// Number of bars on a line.
const BARS_A_LINE: usize = 16;

/// Notes that are weighed in the time of a step.
const NOTES_A_STEP: usize = 4;

/// The most bars to analyse.
const MOST: u64 = 10_000;

/// Name the chords, a symbol a bar, or one for each beat that brings another.
///
/// ```fcp
/// # track add Keys instrument:rhodes
/// # chord Keys Am7 at:1 dur:w
/// # chord Keys F at:2 dur:w
/// # chord Keys C at:3 dur:h
/// # chord Keys G/B at:3.3 dur:h
/// ? chords
/// > 1 Am7 | 2 F | 3 C G/B
/// ? chords 2-3
/// > 2 F | 3 C G/B
/// ? chords Keys 2
/// > 2 F
/// ? chords @track:Keys 3
/// > 3 C G/B
/// ```
#[fcp_query]
pub fn chords(
    song: &Song,
    /// The tracks, or notes by selectors; all but drums if left out.
    #[fcp(positional)]
    tracks: Option<Players>,
    /// Bars, both ends included.
    #[fcp(positional, key = "range")]
    span: Option<Spanned<Span>>,
) -> Result<Listing<'static>> {
    let chunk = song.first_chunk().unwrap_or(Id::new(0));
    if !song.has_bars() {
        bail!("this file counts SMPTE frames, so it has no bars"; try: "stats");
    }
    let span = match &tracks {
        Some(Players::All(span)) => Some((**span).clone()),
        _ => span,
    };
    let (from, to) = song.asked(span.as_ref(), chunk)?;
    let to = to.min(song.end_tick(None).max(from));
    let bars = song.bars(chunk);
    let (first, last) = (
        bars.place(from).bar,
        bars.place(to.saturating_sub(1).max(from)).bar,
    );
    if last - first >= MOST {
        let problem = format!("{} bars; chords looks at {MOST} at most", last - first + 1);
        let fix = format!("{first}-{}", first + MOST - 1);
        match span {
            Some(span) => return Err(span.wrong(ValueError::new(format!("is {problem}")).fix(fix))),
            None => bail!("that is {problem}"; add: "range:{fix}"),
        }
    }
    let heard = match tracks {
        Some(Players::These(heard)) => heard,
        Some(Players::All(_)) | None => NoteScope::all(song),
    };
    let mut notes = Vec::new();
    for own in heard.sounding(song, span.as_ref())? {
        let pitched = own.notes.into_iter().filter(|note| !note.is_drum());
        notes.extend(pitched.filter(|note| note.at < to));
    }
    notes.sort_by_key(|note| note.at);
    let mut lines: Vec<String> = Vec::new();
    let mut open: Vec<&Note> = Vec::new();
    let mut next = notes.into_iter().peekable();
    for bar in first..=last {
        let (start, end) = (bars.bar(bar), bars.bar(bar + 1));
        while let Some(note) = next.next_if(|note| note.at < end) {
            open.push(note);
        }
        open.retain(|note| note.at + note.dur.unwrap_or(0) > start);
        let chords = of_bar(song, &open, start, end, bars.at(start).beat);
        if !chords.is_empty() {
            lines.push(format!("{bar} {}", chords.join(" ")));
        }
    }
    let lines: Vec<String> = lines
        .chunks(BARS_A_LINE)
        .map(|bars| bars.join(" | "))
        .collect();
    if lines.is_empty() {
        return Ok(Listing::of(vec!["no chords".to_owned()]));
    }
    Ok(Listing::of(lines))
}

/// The chords of a bar, in order.
fn of_bar(song: &Song, notes: &[&Note], start: u64, end: u64, beat: u64) -> Vec<String> {
    let whole = sounding(notes, start, end);
    let mut beats = Vec::new();
    let mut at = start;
    while at < end {
        let next = (at + beat.max(1)).min(end);
        beats.push(sounding(notes, at, next));
        at = next;
    }
    beats.retain(|beat| beat.total() > 0);
    // If every beat is a chord, beats are listed one by one; a broken chord is named by the whole
    // bar.
    if !beats.iter().all(is_whole_chord) && is_one_chord(&whole) {
        return symbol(song, &whole).into_iter().collect();
    }
    let mut chords: Vec<String> = beats.iter().filter_map(|beat| symbol(song, beat)).collect();
    chords.dedup();
    chords
}

fn sounding(notes: &[&Note], from: u64, to: u64) -> PitchClassWeights {
    // Notes of the whole song may sound in every beat. If those are too many, the query fails.
    let notes = match work::spend(notes.len().div_ceil(NOTES_A_STEP)) {
        Ok(()) => notes,
        Err(_) => &[],
    };
    let mut tones = PitchClassWeights::default();
    for note in notes {
        let end = note.at + note.dur.unwrap_or(0);
        let length = end.min(to).saturating_sub(note.at.max(from));
        if length > 0 {
            tones.add(note.pitch, length);
        }
    }
    tones
}
