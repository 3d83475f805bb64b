//! `snap`

use fcp::prelude::*;

use crate::edit::notes::selection;
use crate::model::{Note, Song};
use crate::values::Scale;

/// Move notes to the nearest tone of a scale: of the key in force if none is given. Drum notes stay.
///
/// ```fcp
/// # track add Keys
/// # key-sig C
/// # phrase Keys "C4/q D#4 G4 A#4"
/// snap @track:Keys
/// > @ Snapped 4 notes on Keys to C-major (2 moved)
/// snap @track:Keys to:C-minor
/// > @ Snapped 4 notes on Keys to C-minor (1 moved)
/// snap @track:Keys to:C-minr
/// > ! to:C-minr is not a scale like A-minor or D-dorian
/// >   try: snap @track:Keys to:C-minor
/// ```
#[fcp_verb(category = "Shape")]
pub fn snap(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// The scale.
    to: Option<Scale>,
    /// Drum notes move too.
    #[fcp(default = Switch(false))]
    drums: Switch,
) -> Result<Reply> {
    let (rows, left) = selection::tones(song, &notes, drums)?;
    if rows.is_empty() {
        return Ok(unchanged!("nothing snapped{left}"));
    }
    let mut moving = Vec::with_capacity(rows.len());
    let mut scales: Vec<String> = Vec::new();
    for (id, note) in &rows {
        let Some(scale) = to.or_else(|| song.key_at(note.chunk, note.at).map(Scale::from)) else {
            bail!("the song has no key, so say which scale"; add: "to:C-major");
        };
        let name = scale.to_string();
        if !scales.contains(&name) {
            scales.push(name);
        }
        let pitch = scale.nearest(note.pitch);
        if pitch != note.pitch {
            moving.push((*id, pitch));
        }
    }
    let (summary, scales) = (selection::describe_notes(song, &rows), scales.join(", "));
    if moving.is_empty() {
        return Ok(unchanged!("{summary} are in the scale already{left}"));
    }
    let overlaps = song.repitch(&moving)?;
    Ok(bulk!(
        "Snapped {summary} to {scales}{}{left}",
        overlaps.describe_with(vec![format!("{} moved", moving.len())])
    ))
}
