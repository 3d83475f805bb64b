//! `@type`

use fcp::prelude::*;

use crate::model::{ControlChange, RawEvent, Song, TextEvent, part};
use crate::parameters::ParameterIndex;
use crate::values::RowType;

/// Rows of a type; `any` is all of tracks, `song` tempo, meter, key and markers.
///
/// The control changes of a parameter are `rpn`, and not `cc`. `text` is every kind of text, `cue` one of them.
#[fcp_selector(bears_type)]
pub fn r#type(song: &Song, wanted: RowType) -> Pick<'_> {
    let own = match wanted {
        RowType::Kind(kind) => Song::part_of(kind),
        RowType::Parameter => Some(part::<ControlChange>()),
        _ => None,
    };
    let grouped = (own == Some(part::<ControlChange>())).then(|| ParameterIndex::of(song));
    let is_part = move |row: Row| grouped.as_ref().is_some_and(|all| all.contains(row));
    Pick::test(move |row| match wanted {
        RowType::Kind(_) => own == Some(row.part()) && !is_part(row),
        RowType::Parameter => is_part(row),
        RowType::Raw => song
            .row_as(row)
            .is_some_and(|own: &RawEvent| !own.is_name()),
        RowType::Name => song.row_as(row).is_some_and(RawEvent::is_name),
        RowType::NoteOff => song.row_as(row).is_some_and(RawEvent::is_note_off),
        RowType::Text(kind) => song
            .row_as(row)
            .is_some_and(|own: &TextEvent| own.kind == kind),
        RowType::Song => song.is_of_song(row.part()),
        RowType::Any => song.starts(row).is_some() && !song.is_of_song(row.part()),
    })
}
