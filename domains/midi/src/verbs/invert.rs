//! `invert`

use fcp::prelude::*;

use crate::edit::notes::{selection, transpose};
use crate::model::{Note, Song};
use crate::values::{InKey, Pitch};

/// Turn a melody upside down about a pitch. Drum notes stay.
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "C4/q E4 G4"
/// invert @track:Keys
/// > @ Inverted 3 notes on Keys about C4
/// invert @track:Keys about:G4
/// > @ Inverted 3 notes on Keys about G4
/// ```
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "C4/q E4 G4"
/// invert @track:Keys about:C4 in:C-major
/// > @ Inverted 3 notes on Keys about C4 by steps in C-major
/// ? phrase Keys
/// > phrase Keys "C4/q A3 F3" at:1 vel:80
/// invert @track:Keys about:C#4 in:C-major
/// > ! about:C#4 is not a tone of C-major
/// >   try: invert @track:Keys about:C4 in:C-major
/// invert @track:Keys in:key
/// > ! the song has no key at 1.1, so say which scale
/// >   try: invert @track:Keys in:C-major
/// ```
#[fcp_verb(category = "Shape")]
pub fn invert(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// The pitch that stays; that of the first note if left out.
    about: Option<Spanned<Pitch>>,
    /// The scale whose tones are counted: `D-dorian`, or `key` for the key in force; semitones if left out.
    #[fcp(key = "in")]
    scale: Option<Spanned<InKey>>,
    /// Drum notes turn too.
    #[fcp(default = Switch(false))]
    drums: Switch,
) -> Result<Reply> {
    let (rows, left) = selection::tones(song, &notes, drums)?;
    let Some((_, first)) = rows.first() else {
        return Ok(unchanged!("nothing inverted{left}"));
    };
    let given = about.as_ref();
    let about = given.map_or(first.pitch, |about| *about.get());
    let name = song.pitch_on(first.channel, about);
    let (moving, steps) = match &scale {
        Some(scale) => {
            let mirrored = transpose::mirrored(song, &rows, (about, given), scale)?;
            let scales = transpose::named(&mirrored.scales);
            (mirrored.moving, format!(" by steps in {scales}"))
        }
        None => {
            let mut moving = Vec::with_capacity(rows.len());
            for (id, note) in &rows {
                let by = 2 * (i32::from(about.get()) - i32::from(note.pitch.get()));
                moving.push((*id, song.shifted(note, by)?));
            }
            (moving, String::new())
        }
    };
    let summary = selection::describe_notes(song, &rows);
    let overlaps = song.repitch(&moving)?;
    Ok(bulk!(
        "Inverted {summary} about {name}{steps}{left}{}",
        overlaps.describe()
    ))
}
