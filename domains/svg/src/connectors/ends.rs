//! The objects that a chain of arrows joins, and checks of them.

use fcp::op::ArrowKind;
use fcp::prelude::*;

use crate::model::kind::{LINK, Role};
use crate::model::{Drawing, NodeId};
use crate::resolve::LinkWord;

/// The links of a chain.
pub fn pairs(drawing: &Drawing, ends: &[LinkWord]) -> Result<Vec<(NodeId, ArrowKind, NodeId)>> {
    let name = |id: NodeId| drawing.nodes.name(id);
    let mut pairs = Vec::new();
    let mut last: Option<NodeId> = None;
    let mut arrow: Option<ArrowKind> = None;
    for word in ends {
        match (*word, last, arrow) {
            (LinkWord::Arrow(kind), Some(_), None) => arrow = Some(kind),
            (LinkWord::Arrow(kind), ..) => {
                bail!("{} goes between two objects", kind.as_str())
            }
            (LinkWord::End(to), Some(from), Some(kind)) => {
                pairs.push((from, kind, to));
                (last, arrow) = (Some(to), None);
            }
            (LinkWord::End(to), Some(from), None) => {
                let (from, to) = (name(from), name(to));
                bail!("an arrow goes between {from} and {to}"; try: "connect {from} -> {to}")
            }
            (LinkWord::End(to), None, _) => last = Some(to),
        }
    }
    match (arrow, last) {
        (Some(kind), _) => bail!("{} goes between two objects", kind.as_str()),
        (None, Some(only)) if pairs.is_empty() => {
            bail!("a link joins two objects, and {} is one", name(only); try: "? list")
        }
        (None, None) => bail!("connect needs two objects and an arrow between them"),
        (None, Some(_)) => Ok(pairs),
    }
}

/// Checks that a link can join two objects.
pub fn joinable(drawing: &Drawing, from: NodeId, to: NodeId) -> Result<()> {
    let nodes = &drawing.nodes;
    if from == to {
        bail!("a link joins two objects, and {} is one", nodes.name(from); try: "? list")
    }
    let geometry = drawing.geometry();
    for (one, other) in [(from, to), (to, from)] {
        let name = nodes.name(one);
        if nodes.kind_name(one) == LINK {
            bail!("{name} is a link; a link joins objects"; try: "? describe {name}")
        }
        if nodes.root() == Some(one) || !matches!(nodes.role(one), Role::Graphic | Role::Container)
        {
            let kind = nodes.kind_name(one);
            bail!("{name} is a {kind}, which is not drawn in place"; try: "? list")
        }
        if nodes.tree().is_within(one, other) {
            bail!("{name} is in {}, so no line lies between", nodes.name(other); try: "? describe {name}")
        }
        if drawing.joint(&geometry, one).is_none() {
            bail!("{name} draws nothing, so it has no position"; try: "? describe {name}")
        }
    }
    Ok(())
}
