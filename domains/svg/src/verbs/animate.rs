//! `animate`

use fcp::prelude::*;

use crate::animation::{Course, Timing};
use crate::model::{Drawing, NodeId};
use crate::syntax::id::ElementId;

/// Animate an attribute, a style property or a transform over time, or move an object along a path.
///
/// `rotate`, `translate`, `scale`, `skewX` and `skewY` come on top of the object's own transforms; a turn is about its
/// centre unless it says `ANGLE X Y`.
///
/// ```fcp
/// # add circle id:my_circle r:10 at:50,50
/// # add path id:road d:"M0 0h100"
/// animate my_circle attribute:r from:10 to:20 duration:2s repeat:indefinite
/// > + animate animate~1 r 10 -> 20 2s repeat:indefinite in:my_circle
/// ? svg my_circle
/// > <circle id="my_circle" cx="50" cy="50" r="10"><animate attributeName="r" from="10" to="20" dur="2s" repeatCount="indefinite"/></circle>
/// animate my_circle attribute:fill values:"red; gold; red" duration:3s ease:in-out
/// > + animate animate~2 fill red -> gold -> red 3s in:my_circle
/// animate my_circle attribute:rotate from:0 to:360 duration:4s
/// > + animateTransform animateTransform~1 rotate 0 50 50 -> 360 50 50 4s in:my_circle
/// animate my_circle motion:path:road duration:5s freeze:on
/// > + animateMotion animateMotion~1 along road 5s freeze:on in:my_circle
/// animate my_circle attribute:fil to:red duration:1s
/// > ! circle has no fil
/// >   try: animate my_circle attribute:fill to:red duration:1s
/// # add rect id:card size:10x10 at:0,0
/// animate card attribute:r from:10 to:20 duration:2s
/// > ! rect has no r
/// >   try: animate card attribute:rx from:10 to:20 duration:2s
/// animate card,my_circle attribute:opacity from:0 to:1 dur:1s
/// > @ 2 objects animated opacity 0 -> 1 1s: card, my_circle
/// animate my_circle attribute:r from:10 to:big duration:1s
/// > ! to:big is not a length
/// >   try: animate my_circle attribute:r from:10 to:20 duration:1s
/// animate my_circle attribute:r to:20 duration:0s
/// > ! duration:0s is not above 0
/// >   try: animate my_circle attribute:r to:20 duration:1s
/// ```
#[fcp_verb(category = "Define")]
pub fn animate(
    drawing: &mut Drawing,
    /// The objects that change.
    rows: Rows,
    /// The property: `r`, `fill`, `rotate`.
    attribute: Option<Spanned<Text>>,
    /// Its first value.
    from: Option<Spanned<Text>>,
    /// Its last value.
    to: Option<Spanned<Text>>,
    /// All its values, between semicolons.
    values: Option<Spanned<Text>>,
    /// The path that it moves along instead.
    motion: Option<Spanned<Row>>,
    #[fcp(flatten)] timing: Timing,
    /// The animation's id.
    id: Option<Spanned<ElementId>>,
) -> Result<Reply> {
    let ids: Vec<NodeId> = rows.iter().map(|row| NodeId::new(row.id())).collect();
    timing.sound(drawing)?;
    let course = Course {
        attribute,
        from,
        to,
        values,
        motion,
    };
    let mut plans = Vec::with_capacity(ids.len());
    for target in &ids {
        plans.push(course.of(drawing, *target, &timing)?);
    }
    if let Some(id) = &id {
        drawing.is_free(id, "", "")?;
        if ids.len() > 1 {
            let message = format!("id: names one animation, not {}", ids.len());
            return Err(id.wrong(ValueError::sentence(message)));
        }
        for (blueprint, _) in &mut plans {
            blueprint.attrs.insert(0, ("id", id.get().to_string()));
        }
    }
    let mut made = Vec::with_capacity(ids.len());
    for (target, (blueprint, description)) in ids.iter().zip(plans) {
        made.push((drawing.add_part(&blueprint, *target, None)?, description));
    }
    Ok(match (made.as_slice(), ids.as_slice()) {
        ([(made, description)], [target]) => created!(
            "{} {description} in:{}",
            drawing.titled(*made),
            drawing.nodes.name(*target)
        ),
        (made, ids) => {
            let description = made.first().map_or("", |(_, description)| description);
            bulk!(
                "{} objects animated {description}: {}",
                ids.len(),
                drawing.names_of(ids)
            )
        }
    })
}
