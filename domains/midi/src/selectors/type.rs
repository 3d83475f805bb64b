//! `@type`

use fcp::prelude::*;

use crate::model::{ControlChange, RawEvent, Song, TextEvent, Track, part};
use crate::parameters::ParameterIndex;
use crate::values::RowType;

/// Rows of a type; `any` is all of tracks, `song` tempo, meter, key and markers.
///
/// The control changes of a parameter are `rpn`, and not `cc`. `text` is every kind of text, `cue` one of them.
#[fcp_selector(bears_type)]
pub fn r#type(song: &Song, wanted: RowType) -> Pick<'_> {
    let own = match wanted {
        RowType::Kind(kind) => Song::part_of(kind),
        RowType::Raw | RowType::Name | RowType::NoteOff => Some(part::<RawEvent>()),
        RowType::Text(_) => Some(part::<TextEvent>()),
        RowType::Parameter => Some(part::<ControlChange>()),
        RowType::Any | RowType::Song => None,
    };
    let grouped = (own == Some(part::<ControlChange>())).then(|| ParameterIndex::of(song));
    let is_part = move |row: Row| grouped.as_ref().is_some_and(|all| all.contains(row));
    Pick::test(move |row| match wanted {
        RowType::Kind(_) => own == Some(row.part()) && !is_part(row),
        RowType::Parameter => is_part(row),
        RowType::Raw | RowType::Name => {
            let is_name = |other: &RawEvent| other.is_name();
            let other = song.others.get(row.of());
            own == Some(row.part())
                && other.is_some_and(|other| is_name(other) == (wanted == RowType::Name))
        }
        RowType::NoteOff => {
            let other = song.others.get(row.of());
            own == Some(row.part()) && other.is_some_and(RawEvent::is_note_off)
        }
        RowType::Text(kind) => {
            let text = song.texts.get(row.of());
            own == Some(row.part()) && text.is_some_and(|text| text.kind == kind)
        }
        RowType::Song => song.is_of_song(row.part()),
        RowType::Any => {
            let is_track = row.part() == part::<Track>();
            !is_track && song.starts(row).is_some() && !song.is_of_song(row.part())
        }
    })
}
