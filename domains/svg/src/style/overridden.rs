//! Presentation attributes without effect.

use crate::model::{Drawing, NodeId};
use crate::property;

use super::Origin;
use super::op_properties::in_css;
use super::shorthand::is_style_only;

/// The most rules to name.
const NAMED: usize = 3;

/// Elements whose attribute something else overrides.
pub(crate) struct Overridden {
    /// The elements.
    pub ids: Vec<NodeId>,
    /// The rules, or `style=`: `rule .bar`.
    pub by: String,
}

/// The elements on which rules or `style=` hide the value of a presentation attribute; `None` if there are none.
pub(crate) fn overridden(drawing: &Drawing, ids: &[NodeId], name: &str) -> Option<Overridden> {
    let property = property::named(name).filter(|_| !is_style_only(name))?;
    let nodes = &drawing.nodes;
    let has_style = |id: &NodeId| {
        let element = nodes.element(*id);
        element.is_some_and(|element| element.raw_attr("style").is_some())
    };
    // Reading the style sheets takes steps.
    if nodes.tree().index().styles().next().is_none() && !ids.iter().any(has_style) {
        return None;
    }
    let styles = drawing.styles();
    styles.whole().ok()?;
    let (mut hidden, mut by) = (Vec::new(), Vec::new());
    for id in ids {
        let Some(written) = nodes.attr(*id, name) else {
            continue;
        };
        let own = styles.specified(*id, name);
        let is_hidden = |value: &str| value != written && value != in_css(property, &written);
        let Some(own) = own.filter(|own| is_hidden(&own.value)) else {
            continue;
        };
        let origin = match own.origin {
            Origin::Style => "style=".to_owned(),
            other => other.label(nodes),
        };
        hidden.push(*id);
        if !by.contains(&origin) {
            by.push(origin);
        }
    }
    let more = if by.len() > NAMED { ", …" } else { "" };
    by.truncate(NAMED);
    (!hidden.is_empty()).then(|| Overridden {
        ids: hidden,
        by: format!("{}{more}", by.join(", ")),
    })
}
