//! `contrast`

use fcp::prelude::*;
use fcp::value::Color;

use crate::checks::stacking::{MOST_ROWS, Paints, flat};
use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};

/// The lowest contrast without a warning (WCAG 2.2 requires 4.5 for a text).
const LEAST: f64 = 1.3;

/// A text that can hardly be seen on what lies under it: plain colours of a contrast below 1.3.
#[fcp_lint(weight = 20)]
pub fn contrast(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let ids = rows.iter().map(|row| (*row, NodeId::new(row.id())));
    let mut texts = ids
        .filter(|(_, id)| nodes.is_called(*id, "text") && nodes.role(*id) == Role::Graphic)
        .peekable();
    if rows.len() > MOST_ROWS || texts.peek().is_none() {
        return Vec::new();
    }
    let paints = Paints::of(drawing);
    let faint = |(row, id)| {
        let own = seen(&paints, id)?;
        // A text along a path is next to the path.
        if nodes.child_called(id, "textPath").is_some() {
            return None;
        }
        let at = paints.geometry.bbox(id)?.center();
        let under = paints.under(id, at)?;
        let below = flat(&paints, under)?;
        let ratio = ratio(own.rgba()?, below.rgba()?);
        let warning = || {
            let (this, other) = (nodes.name(id), nodes.name(under));
            let warning = format!("{this}: {own} on {below} ({other})");
            (row, warning)
        };
        (ratio < LEAST).then(warning)
    };
    let texts = texts.take_while(|_| fcp::work::spend(1).is_ok());
    texts.filter_map(faint).collect()
}

/// The plain fill colour of an element, if no other part of it is visible.
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
