//! `velocity`

use fcp::prelude::*;

use crate::edit::notes::selection;
use crate::model::{Note, Song};
use crate::values::{Force, Velocity};

/// Strike notes harder or softer: set, shift or scale their velocities, or map them onto a span.
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "v60 C4/q v80 D4 v100 E4"
/// velocity @track:Keys +20
/// > @ Velocity of 3 notes on Keys: +20
/// velocity @track:Keys 50%
/// > @ Velocity of 3 notes on Keys: 50%
/// velocity @track:Keys 60-120
/// > @ Velocity of 3 notes on Keys: 60-120
/// velocity @track:Keys +20
/// > @ Velocity of 3 notes on Keys: +20 (1 at 127)
/// velocity @track:Keys mf
/// > @ Velocity of 3 notes on Keys: 80
/// velocity @track:Keys 100-40
/// > ! 100-40 is reversed
/// >   try: velocity @track:Keys 40-100
/// ```
#[fcp_verb(category = "Shape")]
pub fn velocity(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// `90`, `mf`, `+10`, `-10`, `70%`, or `40-100`, which the softest and the loudest become.
    #[fcp(positional)]
    to: Force,
) -> Result<Reply> {
    let rows = selection::chosen(song, &notes)?;
    let own = |note: &Note| i64::from(note.velocity.get());
    let low = rows.iter().map(|(_, note)| own(note)).min().unwrap_or(1);
    let high = rows.iter().map(|(_, note)| own(note)).max().unwrap_or(127);
    let wanted = |note: &Note| match to {
        Force::Onto(from, _) if low == high => i64::from(from.get()),
        Force::Onto(from, to) => {
            let (from, to) = (i64::from(from.get()), i64::from(to.get()));
            let (done, whole) = (own(note) - low, high - low);
            from + ((to - from) * done * 2 + whole) / (2 * whole)
        }
        _ => to.changed(own(note)).unwrap_or_else(|| own(note)),
    };
    let held = rows
        .iter()
        .filter(|(_, note)| !(1..=127).contains(&wanted(note)))
        .count();
    let bound = if rows.iter().any(|(_, note)| wanted(note) > 127) {
        127
    } else {
        1
    };
    let changes = selection::changed(&rows, |note| {
        let velocity = Velocity::clamped(wanted(note));
        Ok(Note {
            velocity,
            ..note.clone()
        })
    })?;
    let summary = selection::describe_notes(song, &rows);
    if changes.is_empty() {
        return Ok(unchanged!("the velocity of {summary} is unchanged"));
    }
    song.change_notes(changes)?;
    let held = match held {
        0 => String::new(),
        n => format!(" ({n} at {bound})"),
    };
    Ok(bulk!("Velocity of {summary}: {to}{held}"))
}
