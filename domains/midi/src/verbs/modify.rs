//! `modify`

use fcp::prelude::*;

use crate::display::row_count;
use crate::edit::rows::{clamped::ClampedCounts, modify::RowChanges};
use crate::model::{ControlChange, IsKind, Note, Overlaps, Song, row_of};
use crate::parameters::SelectedRows;

/// Change rows. A sign makes a change relative: `vel:+10`, `pitch:-12`, `at:+e`.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4 at:1.1
/// modify @pitch:C4 vel:+12 dur:e
/// > * Note C4 on Piano at 1.1 dur:240 vel:92
/// modify @recent pitch:+12 at:2.1
/// > * Note C5 on Piano at 2.1 dur:240 vel:92
/// modify @track:Piano velocty:ff
/// > ! modify has no velocty:
/// >   try: modify @track:Piano velocity:ff
/// ```
///
/// ```fcp
/// # marker Chorus at:5
/// modify marker:Chorus text:Refrain at:9
/// > * Marker "Refrain" at 9.1
/// # track add Flute
/// # rpn Flute bend-range 12
/// modify @type:rpn value:2 at:3
/// > * RPN bend-range 2 on Flute at 3.1
/// ```
#[fcp_verb(category = "Edit")]
pub fn modify(
    song: &mut Song,
    /// The rows to change.
    rows: Rows,
    #[fcp(flatten)] wish: RowChanges,
) -> Result<Reply> {
    let (text, note) = song.rewritten(wish.text.as_ref(), wish.encoding);
    let taken = SelectedRows::of(song, &rows);
    wish.check(song, &taken)?;
    let is_one = taken.len() == 1;
    let rows = &taken.rows;
    let mut overlaps = Overlaps::default();
    let mut count = 0_usize;
    let before = is_one.then(|| row_count::describe_rows(song, rows));
    let parts = taken.groups.iter().flat_map(|group| &group.rows);
    let parts = parts.map(|id| row_of(*id));
    // Without a place, only notes move, and those keep their order by themselves.
    let moving = rows.iter().copied().chain(parts);
    let sources = song.sources(moving.filter(|_| wish.at.is_some()));
    let mut held = ClampedCounts::default();
    for group in &taken.groups {
        held.add(wish.held_from(group.level()));
        count += usize::from(wish.set(song, group)?);
    }
    let mut notes = Vec::new();
    for row in taken.others() {
        held.add(wish.held(song, row));
        if row.is::<Note>() {
            let id = row.of();
            notes.push((id, song.notes.need(id)?.clone(), wish.note(song, id)?));
        } else {
            count += usize::from(wish.apply(song, row, text.as_ref())?);
        }
    }
    let changes: Vec<_> = notes
        .iter()
        .map(|(id, _, after)| (*id, after.clone()))
        .collect();
    if let [(_, after)] = changes.as_slice()
        && !song.gathers()
        && let Some(clash) = song.clash_among(&changes)?
    {
        return Err(clash.refused_at(song, after.at, wish.at.as_ref(), wish.dur.as_ref()));
    }
    overlaps.add(song.change_notes_with(changes, rows)?);
    song.keep_order(sources);
    count += notes
        .iter()
        .filter(|(id, before, _)| song.notes.get(*id) != Some(before))
        .count();
    let summary = overlaps.describe_with(held.describe());
    // A missing note was merged with another that starts at its target.
    let gone = notes
        .first()
        .filter(|(id, ..)| song.notes.get(*id).is_none());
    let taken_in = gone.and_then(|(_, _, after)| song.starting_with(after));
    // A one-half value has no control change for the other half.
    let is_told = |row: &Row| song.has(*row) || !row.is::<ControlChange>();
    let rows: Vec<Row> = rows.iter().copied().filter(is_told).collect();
    let mut tracks = rows.iter().map(|row| song.track_of(*row));
    let first = tracks.next().flatten();
    let on = first.filter(|first| tracks.all(|track| track == Some(*first)));
    let on = on.map(|on| format!(" on {}", song.name_of_track(on)));
    let on = on.unwrap_or_default();
    Ok(match is_one {
        _ if count == 0 => unchanged!("nothing changed"),
        true if let Some(other) = taken_in => {
            changed!("{}{summary}", song.describe(other)).about([other])
        }
        true if !rows.iter().all(|row| song.has(*row)) => {
            changed!("{}{summary}", before.unwrap_or_default())
        }
        true => changed!("{}{summary}{note}", row_count::describe_rows(song, &rows)),
        false => bulk!(
            "Modified {}{on}: {}{summary}",
            song.counted(rows.iter().copied()),
            wish.describe(song, text.as_ref())
        ),
    })
}
