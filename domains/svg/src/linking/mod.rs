//! Links: groups of a line between two objects and its label, which follow those objects.
//!
//! A link names its ends by their ids, so that it is found again in any file, and says of its route only what is not
//! usual: `<g id="api-db" data-fcp="link" data-fcp-from="api" data-fcp-to="db" data-fcp-route="elbow">`.

mod course;
mod draw;
mod ends;
mod follow;
mod head;

use fcp::model::Level;
use fcp::op::ArrowKind;
use fcp::value::{Decimal, FcpValue};

use crate::model::kind::LINK;
use crate::model::{Drawing, LINK_FROM, LINK_TO, NodeId, Nodes};
use crate::values::{Edge, Head, Route};

pub use draw::NewLink;
pub use ends::{joinable, pairs};
pub use follow::follow;

/// The attribute that says which way a link takes.
const ROUTE: &str = "data-fcp-route";
/// The attributes that say which sides it meets.
const SIDES: [&str; 2] = ["data-fcp-from-side", "data-fcp-to-side"];
/// The attribute that says how far it stays from its ends, in canvas units.
const GAP: &str = "data-fcp-gap";
/// The attribute that says what it ends in.
const HEAD: &str = "data-fcp-head";

/// How a link runs, beside its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Manner {
    /// Which way it takes.
    pub route: Route,
    /// The sides it meets; the nearest where nothing says it.
    pub sides: [Option<Edge>; 2],
    /// How far it stays from its ends, in canvas units.
    pub gap: f64,
    /// What it ends in where its arrow points.
    pub head: Head,
}

impl Default for Manner {
    fn default() -> Self {
        Self {
            route: Route::Straight,
            sides: [None; 2],
            gap: 0.0,
            head: Head::Triangle,
        }
    }
}

impl Manner {
    /// The attributes that say what is not usual.
    fn attributes(&self) -> Vec<(&'static str, String)> {
        let usual = Self::default();
        let mut attrs = Vec::new();
        if self.route != usual.route {
            attrs.push((ROUTE, self.route.to_string()));
        }
        for (name, side) in SIDES.into_iter().zip(self.sides) {
            attrs.extend(side.map(|side| (name, side.to_string())));
        }
        if self.gap != usual.gap {
            attrs.push((GAP, crate::number::spell_given(self.gap)));
        }
        if self.head != usual.head {
            attrs.push((HEAD, self.head.to_string()));
        }
        attrs
    }

    /// What the attributes of a link say. What they say wrong is as if it were not there.
    fn of(nodes: &Nodes, link: NodeId) -> Self {
        fn said<T: FcpValue>(nodes: &Nodes, link: NodeId, name: &str) -> Option<T> {
            T::parse(nodes.attr(link, name)?.trim()).ok()
        }
        let usual = Self::default();
        Self {
            route: said(nodes, link, ROUTE).unwrap_or(usual.route),
            sides: SIDES.map(|name| said(nodes, link, name)),
            gap: said::<Decimal>(nodes, link, GAP).map_or(usual.gap, |gap| gap.get()),
            head: said(nodes, link, HEAD).unwrap_or(usual.head),
        }
    }
}

/// A link that is there, with its two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The group.
    pub group: NodeId,
    /// The line in it.
    pub line: NodeId,
    /// What it joins.
    pub ends: [NodeId; 2],
}

impl Link {
    /// The link that a group is, if its ends and its line are there.
    #[must_use]
    pub fn of(nodes: &Nodes, group: NodeId) -> Option<Self> {
        if nodes.kind_name(group) != LINK {
            return None;
        }
        let end = |name: &str| named(nodes, &nodes.attr(group, name)?);
        Some(Self {
            group,
            line: nodes.child_called(group, "path")?,
            ends: [end(LINK_FROM)?, end(LINK_TO)?],
        })
    }

    /// Which ends its arrow points to.
    #[must_use]
    pub fn arrow(self, nodes: &Nodes) -> ArrowKind {
        let points = |name: &str| {
            let marker = nodes.attr(self.line, name);
            marker.is_some_and(|marker| marker.trim() != "none")
        };
        match (points("marker-start"), points("marker-end")) {
            (true, _) => ArrowKind::Both,
            (false, true) => ArrowKind::Forward,
            (false, false) => ArrowKind::Line,
        }
    }
}

/// The element with an id; of several the first in the document.
fn named(nodes: &Nodes, id: &str) -> Option<NodeId> {
    let tree = nodes.tree();
    let found = tree.index().with_id(id, Level::Exact).into_iter();
    found.map(NodeId::new).min_by(|a, b| tree.order(*a, *b))
}

impl Drawing {
    /// The box that links of an object end at: of a box with a label, that of its shape.
    #[must_use]
    pub fn joint(
        &self,
        geometry: &crate::geometry::Geometry<'_>,
        end: NodeId,
    ) -> Option<kurbo::Rect> {
        geometry.bbox(self.nodes.box_shape(end).unwrap_or(end))
    }
}
