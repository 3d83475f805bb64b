//! `transpose`

use fcp::prelude::*;

use crate::edit::notes::{selection, transpose};
use crate::model::{Note, Overlaps, Song};
use crate::values::{Fit, InKey, Interval, KeySig};

/// Move notes up or down: by semitones, along a scale, or to another key.
///
/// Drum notes stay, since their pitch is their drum.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4,E4 at:1.1
/// transpose @track:Piano +2
/// > @ Transposed 2 notes on Piano up 2 semitones
/// transpose track:Piano -8ve
/// > @ Transposed 2 notes on Piano down 12 semitones
/// transpose @track:Piano +2 in:D-major
/// > @ Transposed 2 notes on Piano up 2 steps in D-major
/// transpose @pitch:F#3 -60
/// > ! F#3 at 1.1 would leave the range of MIDI, C-1 to G9; nothing moved
/// >   try: transpose @pitch:F#3 -60 fit:octave
/// ```
///
/// ```fcp
/// # track add Piano
/// # key-sig A-minor
/// # note Piano A4
/// transpose @all to:C-minor
/// > @ Transposed 1 note on Piano up 3 semitones to C-minor
/// transpose @all to:C-major
/// > ! to:C-major differs in mode from C-minor
/// >   syntax: transpose SEL …
/// ```
#[fcp_verb(category = "Edit")]
pub fn transpose(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// Semitones, or an interval such as `+8ve`, `-P5`; steps of the scale with `in:`.
    #[fcp(positional)]
    by: Option<Interval>,
    /// The target key, by the shortest way; with `@all` the key signature changes too.
    to: Option<Spanned<KeySig>>,
    /// The scale whose tones are counted: `D-dorian`, or `key` for the key in force.
    #[fcp(key = "in")]
    scale: Option<Spanned<InKey>>,
    /// Notes that leave the range of MIDI go back into it by octaves.
    fit: Option<Fit>,
    /// Drum notes move too.
    #[fcp(default = Switch(false))]
    drums: Switch,
) -> Result<Reply> {
    let (rows, left) = selection::tones(song, &notes, drums)?;
    let way = transpose::way(song, &rows, by, to.as_ref(), scale)?;
    let moving = transpose::moved(song, &rows, &way, fit.is_some())?;
    let summary = selection::describe_notes(song, &rows);
    let whole = notes.clauses();
    let whole = matches!(whole, [only] if only.name == "all" && !only.negated);
    let keys = if whole && to.is_some() {
        transpose::move_keys(song, way.amount())?
    } else {
        0
    };
    if (way.amount() == 0 && keys == 0) || moving.is_empty() {
        return Ok(unchanged!("nothing moved{left}"));
    }
    let overlaps = if way.amount() == 0 {
        Overlaps::default()
    } else {
        song.repitch(&moving)?
    };
    // Aftertouch without a note has no target pitch.
    let unplayed = if whole { song.unplayed_touches() } else { 0 };
    let unplayed = match unplayed {
        0 => String::new(),
        n => {
            let touches = if n == 1 { "touch" } else { "touches" };
            format!(" ({n} key {touches} of no note left; modify @type:touch pitch:)")
        }
    };
    Ok(bulk!(
        "Transposed {summary} {}{}{left}{unplayed}",
        way.describe(),
        overlaps.describe()
    ))
}
