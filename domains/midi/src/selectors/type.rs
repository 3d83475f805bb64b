//! `@type`

use fcp::prelude::*;

use crate::model::{Other, Song, Track, part};
use crate::values::RowType;

/// Rows of a type; `any` is all rows of tracks.
#[fcp_selector(bears_type)]
pub fn r#type(song: &Song, wanted: RowType) -> Pick<'_> {
    let own = match wanted {
        RowType::Kind(kind) => Song::part_of(kind),
        RowType::Raw | RowType::Name => Some(part::<Other>()),
        RowType::Any => None,
    };
    Pick::test(move |row| match wanted {
        RowType::Kind(_) => own == Some(row.part()),
        RowType::Raw | RowType::Name => {
            let is_name = |other: &Other| other.is_name();
            let other = song.others.get(row.of());
            own == Some(row.part())
                && other.is_some_and(|other| is_name(other) == (wanted == RowType::Name))
        }
        RowType::Any => {
            let is_track = row.part() == part::<Track>();
            !is_track && song.starts(row).is_some() && !song.is_of_song(row.part())
        }
    })
}
