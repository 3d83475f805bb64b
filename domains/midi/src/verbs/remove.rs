//! `remove`

use fcp::prelude::*;

use crate::display::row_count;
use crate::edit::rows::remove::{RemoveFilter, RemoveTarget};
use crate::model::{Song, Track};
use crate::values::Pos;

/// Remove rows: notes, unless a selector or a name says otherwise.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4,E4 at:1.1
/// # tempo 90 at:3
/// remove @pitch:E4
/// > - Removed Note E4 on Piano at 1.1 dur:480 vel:80
/// remove @type:tempo @range:3
/// > - Removed Tempo 90 at 3.1
/// remove @track:Piano
/// > - Removed Note C4 on Piano at 1.1 dur:480 vel:80
/// remove @track:Piano
/// > ! @track:Piano matches nothing; there is nothing to select
/// >   syntax: remove SEL [NAME] [at:POS] [on:REF]
/// ```
///
/// ```fcp
/// # track add Keys
/// # cc Keys volume 90
/// # cc Keys pan left at:5
/// # tempo 90 at:5
/// # marker Chorus at:9
/// remove tempo at:5
/// > - Removed Tempo 90 at 5.1
/// remove cc volume on:Keys
/// > - Removed CC volume 90 on Keys at 1.1
/// # note Keys C4 at:5
/// remove @range:5
/// > - Removed Note C4 on Keys at 5.1 dur:480 vel:80; left: 1 cc
/// # rpn Keys bend-range 12 at:9
/// remove rpn bend-range on:Keys
/// > - Removed RPN bend-range 12 on Keys at 9.1
/// remove marker:Chorus
/// > - Removed Marker "Chorus" at 9.1
/// remove tempo at:5
/// > ! there is no such tempo to remove
/// >   syntax: remove SEL [NAME] [at:POS] [on:REF]
/// ```
#[fcp_verb(category = "Edit", deletes)]
pub fn remove(
    song: &mut Song,
    /// The target: selectors, a name, or a kind, `tempo`, `cc`.
    #[fcp(positional)]
    rows: RemoveTarget,
    /// For a kind, its controller, parameter or text.
    #[fcp(positional)]
    name: Option<Spanned<Text>>,
    /// For a kind, its place.
    at: Option<Spanned<Pos>>,
    /// For a kind, its track or pattern.
    on: Option<Spanned<Ref<Track>>>,
) -> Result<Reply> {
    let narrowed = RemoveFilter {
        name: name.as_ref(),
        at: at.as_ref(),
        on: on.as_ref(),
    };
    let doomed = rows;
    let rows = doomed.rows(song, &narrowed)?;
    let left = doomed.left(song, &rows);
    let summary = row_count::describe_rows(song, &rows);
    for row in rows {
        song.remove_row(row)?;
    }
    Ok(removed!("Removed {summary}{left}"))
}
