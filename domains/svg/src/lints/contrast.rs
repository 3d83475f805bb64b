//! `contrast`

use fcp::prelude::*;
use fcp::value::Color;

use crate::model::{Drawing, NodeId};
use crate::stacking::standing;
use crate::stacking::{Paints, flat};

/// The least contrast that is not warned of (WCAG 2.2 asks for 4.5 of a text).
const LEAST: f64 = 1.3;

/// A text or a shape that can hardly be told from what lies under it: plain colours of a contrast below 1.3.
#[fcp_lint(weight = 20)]
pub fn contrast(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let paints = Paints::of(drawing);
    let faint = |(row, id)| {
        let own = seen(&paints, id)?;
        let at = paints.geometry.bbox(id)?.center();
        let under = paints.under(id, at)?;
        let below = flat(&paints, under)?;
        let ratio = ratio(own.rgba()?, below.rgba()?);
        let told = || {
            let (this, other) = (drawing.titled(id), drawing.titled(under));
            let told = format!("{this} is hard to see: {own} on {below} of {other}");
            (row, told)
        };
        (ratio < LEAST).then(told)
    };
    let labels = rows.iter().filter_map(|row| {
        let label = drawing.nodes.box_label(NodeId::new(row.id()))?;
        Some((*row, label))
    });
    let plain = standing(drawing, rows).filter(|(_, id)| drawing.nodes.box_shape(*id).is_none());
    plain.chain(labels).filter_map(faint).collect()
}

/// The plain colour that an element is filled with, if that is all that is seen of it.
fn seen(paints: &Paints<'_>, id: NodeId) -> Option<Color> {
    let stroke = paints.styles.computed(id, "stroke").value;
    flat(paints, id).filter(|_| stroke.trim() == "none" && !paints.styles.is_hidden(id))
}

/// The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio").
fn ratio(one: [u8; 4], other: [u8; 4]) -> f64 {
    let light = |[red, green, blue, _]: [u8; 4]| {
        let part = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
    };
    let (one, other) = (light(one), light(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}
