//! `repeat`

use fcp::prelude::*;
use fcp::value::{Angle, Offset};
use kurbo::Vec2;

use crate::edit::copies::Copying;
use crate::model::{Drawing, NodeId};
use crate::moving::{Turn, centers, laid_over, movable, rotated, scaled_geometry, shifted};
use crate::resolve::About;
use crate::style::StyleSnapshot;
use crate::values::Factors;

/// Copy objects several times, each copy one step further than the one before.
///
/// It needs `every:`, `rotate:` or `scale:`.
///
/// ```fcp
/// # raw '<circle id="spark" cx="10" cy="10" r="5"/>'
/// # raw '<text id="q1" x="0" y="50">Q1</text>'
/// repeat spark count:3 every:20,0
/// > @ 3 copies of spark: spark-2, spark-3, spark-4
/// repeat q1 count:3 every:100,0 text:"Q{n}"
/// > @ 3 copies of q1: q1-2, q1-3, q1-4
/// ? find Q4
/// > text q1-4 @(300,50) black (text)
/// repeat spark count:1 rotate:90 about:20,10
/// > + circle spark-5 @(15,-5 10x10)
/// repeat spark count:2 every:9,0 text:"{n}"
/// > ! spark has no text
/// >   try: repeat spark count:2 every:20,0
/// repeat spark count:3
/// > ! repeat needs every:, rotate: or scale:
/// >   try: repeat spark count:3 every:20,0
/// ```
#[fcp_verb(category = "Any object")]
pub fn repeat(
    drawing: &mut Drawing,
    /// The objects; one inside another is copied with it.
    rows: Rows,
    /// The number of copies.
    count: Int<1, 10_000>,
    /// The distance from copy to copy, in canvas units.
    every: Option<Offset>,
    /// The angle that each is turned further, clockwise.
    rotate: Option<Angle>,
    /// The point they turn and grow about; each about its own centre if left out.
    about: Option<About>,
    /// The growth of each over the one before.
    scale: Option<Factors>,
    /// The text of texts; `{n}` is the number of the copy, the original being 1.
    text: Option<Text>,
) -> Result<Reply> {
    let ids = movable(drawing, &rows)?;
    let names = drawing.names_of(&ids);
    if about.is_some() && rotate.is_none() && scale.is_none() {
        bail!("about: is for rotate: and scale:"; add: "rotate:15")
    }
    let every = match every {
        Some(every) => Some(Vec2::new(every.x.get(), every.y.get())),
        None if rotate.is_some() || scale.is_some() => None,
        None => bail!("repeat needs every:, rotate: or scale:"; add: "every:20,0"),
    };
    if let Some(words) = &text {
        for id in &ids {
            let texts = drawing.texts_in(*id);
            if texts.is_empty() {
                let name = drawing.nodes.name(*id);
                bail!("{name} has no text"; try: "repeat {name} count:{count} every:20,0")
            }
            for text in texts {
                drawing.is_rewritable(text, None, words.as_str())?;
            }
        }
    }
    let all = (ids.len() as u64).saturating_mul(count.get().unsigned_abs());
    if !Model::ids(drawing).have_room(all) {
        bail!("{all} copies are too many"; try: "repeat {names} count:2 every:20,0")
    }
    // A rule may also pick the original by its id or place.
    let snapshot = drawing
        .hangs()
        .any()
        .then(|| StyleSnapshot::of(drawing, &ids));
    let mut copying = Copying::new(ids.clone(), None);
    let mut steps: Vec<(i32, NodeId)> = Vec::new();
    for step in 1..=i32::try_from(count.get()).unwrap_or(i32::MAX) {
        let copies = copying.once(drawing, None)?;
        steps.extend(copies.into_iter().map(|copy| (step, copy)));
    }
    let copies: Vec<NodeId> = steps.iter().map(|(_, copy)| *copy).collect();
    let mut notes = snapshot.map_or_else(Vec::new, |then| then.changes(drawing, &copies));
    if let Some(every) = every {
        let geometry = drawing.geometry();
        let mut edits = Vec::new();
        for (step, copy) in &steps {
            let by = every * f64::from(*step);
            edits.extend(shifted(drawing, &geometry, *copy, by)?);
        }
        drawing.make_of_copies(edits)?;
    }
    let about = about.unwrap_or(About::Own);
    if let Some(rotate) = rotate {
        let geometry = drawing.geometry();
        let points = centers(drawing, &geometry, &copies, about)?;
        let mut edits = Vec::new();
        for ((step, copy), point) in steps.iter().zip(points) {
            let degrees = rotate.degrees() * f64::from(*step);
            edits.extend(rotated(drawing, &geometry, *copy, degrees, point)?);
        }
        drawing.make_of_copies(edits)?;
    }
    if let Some(scale) = scale {
        let geometry = drawing.geometry();
        let points = centers(drawing, &geometry, &copies, about)?;
        let mut edits = Vec::new();
        for ((step, copy), point) in steps.iter().zip(points) {
            let one = scale.vec();
            let by = Vec2::new(one.x.powi(*step), one.y.powi(*step));
            if !by.is_finite() || by.x == 0.0 || by.y == 0.0 {
                bail!("copy {step} would have no size"; try: "repeat {names} count:1 scale:{scale}")
            }
            match scaled_geometry(drawing, &geometry, *copy, by, point) {
                Some(plain) => edits.extend(plain),
                None => {
                    let turn = Turn::Scale(by.x, by.y);
                    edits.extend(laid_over(drawing, &geometry, *copy, turn, point)?);
                }
            }
        }
        drawing.make_of_copies(edits)?;
    }
    if let Some(text) = text {
        for (step, copy) in &steps {
            let words = text.as_str().replace("{n}", &(step + 1).to_string());
            for inner in drawing.texts_in(*copy) {
                let layout = drawing.layout(inner);
                drawing.rewrite(inner, &words, layout)?;
            }
        }
    }
    let reply = drawing.report_copies(&ids, &copies);
    notes.extend(drawing.report_unnamed(&copying));
    Ok(notes.into_iter().fold(reply, Reply::note))
}
