//! `copy`

use fcp::prelude::*;
use fcp::value::Offset;
use kurbo::Vec2;

use crate::create::Going;
use crate::edit::copies::Copying;
use crate::model::Drawing;
use crate::moving::{around, kept, movable, shifted};
use crate::resolve::Place;
use crate::style::StyleSnapshot;
use crate::syntax::id::ElementId;

/// The default offset of a copy from its original.
const BESIDE: Vec2 = Vec2::new(20.0, 20.0);

/// Copy objects or definitions, each to the front of its container.
///
/// Objects lie 20 to the right of their originals and 20 below them unless `by:` or `to:` says otherwise.
///
/// An id among them becomes the next that is free: `spark-2`. References to what is copied as well are to the copies,
/// those of a link if both its ends are copied.
///
/// ```fcp
/// # raw '<circle id="spark" cx="10" cy="10" r="5"/>'
/// copy spark by:20,0
/// > + circle spark-2 @(25,5 10x10)
/// copy spark,spark-2 by:0,20
/// > @ 2 copies of spark, spark-2: spark-3, spark-4
/// copy spark as:sun to:50,50
/// > + circle sun @(50,50 10x10)
/// copy sun as:moon
/// > + circle moon @(70,70 10x10)
/// copy sun as:dwarf by:40,0 set r:2 fill:gold
/// > + circle dwarf @(90,50 10x10)
/// >   * circle dwarf @(93,53 4x4) fill black -> gold (attr)
/// copy spark as:sun
/// > ! id:sun is already a circle
/// >   try: copy spark as:sun-2
/// copy sprak
/// > ! Object "sprak" not found (near: spark, spark-2, spark-3)
/// >   try: copy spark
/// ```
#[fcp_verb(category = "Any object")]
pub fn copy(
    drawing: &mut Drawing,
    /// The objects; one inside another is copied with it.
    rows: Rows,
    /// The distance of each from its original, in canvas units; 20,20 if left out.
    by: Option<Offset>,
    /// The point that the upper left corner of the box around the copies comes to.
    #[fcp(alias = "at")]
    to: Option<Place>,
    /// The id of the one copy.
    r#as: Option<Spanned<ElementId>>,
    /// The container they go into; where they lie stays the same.
    #[fcp(key = "in")]
    container: Option<Spanned<Row>>,
) -> Result<Reply> {
    let named = r#as;
    let moves = by.is_some() || to.is_some();
    let ids = if moves || container.is_some() {
        movable(drawing, &rows)?
    } else {
        drawing.copyable(&rows)?
    };
    let within = container.map(|container| drawing.container(&container));
    let within = within.transpose()?;
    if let Some(within) = within {
        drawing.effective_in(&ids, within, Going::Copied)?;
    }
    if let Some(named) = &named {
        drawing.is_free(named, "", "")?;
        if ids.len() > 1 {
            let names: Vec<String> = ids.iter().map(|id| drawing.nodes.name(*id)).collect();
            let (count, names) = (ids.len(), names.join(","));
            bail!("as: names one copy, not {count}"; try: "copy {names} by:20,20")
        }
    }
    let geometry = drawing.geometry();
    let by = match (by, to) {
        (Some(by), Some(_)) => {
            let names: Vec<String> = ids.iter().map(|id| drawing.nodes.name(*id)).collect();
            let names = names.join(",");
            bail!("copy takes by: or to:, not both"; try: "copy {names} by:{by}")
        }
        (Some(by), None) => Vec2::new(by.x.get(), by.y.get()),
        (None, Some(Place(to))) => match around(&geometry, &ids) {
            Some(all) => to - all.origin(),
            None => bail!(
                "{} draws nothing, so it has no position",
                drawing.names_of(&ids)
            ),
        },
        (None, None) => BESIDE,
    };
    let mut places = Vec::new();
    if let Some(within) = within {
        for id in &ids {
            places.push(kept(drawing, &geometry, *id, within)?);
        }
    }
    // A rule may also pick the original by its id or place.
    let may_differ = within.is_some() || drawing.hangs().any();
    let snapshot = may_differ.then(|| StyleSnapshot::of(drawing, &ids));
    let name = named.as_ref().map(|named| named.get().as_str());
    let mut copying = Copying::new(ids.clone(), within);
    let copies = copying.once(drawing, name)?;
    for (copy, edits) in copies.iter().zip(places) {
        let edits = edits.into_iter().map(|edit| edit.on(*copy)).collect();
        drawing.make_of_copies(edits)?;
    }
    let geometry = drawing.geometry();
    let mut edits = Vec::new();
    for copy in copies
        .iter()
        .filter(|copy| moves || drawing.nodes.is_object(**copy))
    {
        edits.extend(shifted(drawing, &geometry, *copy, by)?);
    }
    drawing.make_of_copies(edits)?;
    let reply = drawing.report_copies(&ids, &copies);
    let mut notes = snapshot.map_or_else(Vec::new, |snapshot| snapshot.changes(drawing, &copies));
    notes.extend(drawing.report_unnamed(&copying));
    Ok(notes.into_iter().fold(reply, Reply::note))
}
