//! `transpose`

use fcp::prelude::*;

use crate::model::{Note, Overlaps, Song};
use crate::values::Interval;

/// Move notes up or down. Drum notes stay, since their pitch is what is struck.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4,E4 at:1.1
/// transpose @track:Piano +2
/// > @ Transposed 2 notes up 2 semitones
/// transpose track:Piano -8ve
/// > @ Transposed 2 notes down 12 semitones
/// transpose @pitch:D3 -60
/// > ! D3 at 1.1 would leave the range of MIDI, C-1 to G9; nothing moved
/// >   syntax: transpose SEL INTERVAL [drums:on|off]
/// ```
#[fcp_verb(category = "Edit")]
pub fn transpose(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// Semitones, or an interval such as `+8ve`, `-P5`.
    #[fcp(positional)]
    by: Interval,
    /// Drum notes move too.
    #[fcp(default = Switch(false))]
    drums: Switch,
) -> Result<Reply> {
    let semitones = by.semitones();
    let mut moving = Vec::new();
    let mut left = 0_usize;
    for id in notes.iter() {
        let note = song.notes.need(id)?;
        if !drums.0 && song.tracks.need(note.track)?.is_drums() {
            left += 1;
            continue;
        }
        let Some(pitch) = note.pitch.shifted(semitones) else {
            let (name, at) = (
                crate::lines::pitch(song, note),
                song.shown(note.chunk, note.at),
            );
            bail!("{name} at {at} would leave the range of MIDI, C-1 to G9; nothing moved");
        };
        moving.push((id, pitch));
    }
    let overlaps = if semitones == 0 {
        Overlaps::default()
    } else {
        song.repitch(&moving)?
    };
    let left = if left > 0 {
        format!(" ({left} drum notes left)")
    } else {
        String::new()
    };
    if semitones == 0 || moving.is_empty() {
        return Ok(unchanged!("nothing moved{left}"));
    }
    let (n, noun) = (
        moving.len(),
        if moving.len() == 1 { "note" } else { "notes" },
    );
    let way = if semitones > 0 { "up" } else { "down" };
    let (steps, unit) = (
        semitones.unsigned_abs(),
        if semitones.abs() == 1 {
            "semitone"
        } else {
            "semitones"
        },
    );
    Ok(bulk!(
        "Transposed {n} {noun} {way} {steps} {unit}{}{left}",
        overlaps.told()
    ))
}
