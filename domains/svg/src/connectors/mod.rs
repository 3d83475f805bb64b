//! Links: groups of a line between two objects and its label, which follow these objects.
//! Objects of other kinds are in `create`.
//!
//! A link refers to its ends by id, so that any program keeps the relation. Only non-default
//! options are written:
//! `<g id="api-db" data-fcp="link" data-fcp-from="api" data-fcp-to="db" data-fcp-route="elbow">`.

mod affects;
mod draw;
mod ends;
mod follow;
mod head;
mod route;

use fcp::op::ArrowKind;
use fcp::value::{Decimal, FcpValue};

use crate::model::kind::LINK;
use crate::model::{Drawing, LINK_FROM, LINK_TO, NodeId, Nodes};
use crate::values::{Edge, Head, Route};

pub use draw::NewLink;
pub use ends::{joinable, pairs};
pub use follow::follow;

/// The attribute for a link's route.
const ROUTE: &str = "data-fcp-route";
/// The attributes for the sides where it ends.
const SIDES: [&str; 2] = ["data-fcp-from-side", "data-fcp-to-side"];
/// The attribute for its distance from its ends, in canvas units.
const GAP: &str = "data-fcp-gap";
/// The attribute for its head.
const HEAD: &str = "data-fcp-head";

/// The layout of a link, without its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkLayout {
    /// Its route.
    pub route: Route,
    /// The sides where it ends; `None` for the nearest.
    pub sides: [Option<Edge>; 2],
    /// Its distance from its ends, in canvas units.
    pub gap: f64,
    /// The shape of its heads.
    pub head: Head,
}

impl Default for LinkLayout {
    fn default() -> Self {
        Self {
            route: Route::Straight,
            sides: [None; 2],
            gap: 0.0,
            head: Head::Triangle,
        }
    }
}

impl LinkLayout {
    /// The attributes for non-default options.
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
            attrs.push((GAP, crate::syntax::number::spell_given(self.gap)));
        }
        if self.head != usual.head {
            attrs.push((HEAD, self.head.to_string()));
        }
        attrs
    }

    /// Reads the attributes of a link. Invalid values count as absent.
    fn of(nodes: &Nodes, link: NodeId) -> Self {
        fn stored<T: FcpValue>(nodes: &Nodes, link: NodeId, name: &str) -> Option<T> {
            T::parse(nodes.attr(link, name)?.trim()).ok()
        }
        let usual = Self::default();
        Self {
            route: stored(nodes, link, ROUTE).unwrap_or(usual.route),
            sides: SIDES.map(|name| stored(nodes, link, name)),
            gap: stored::<Decimal>(nodes, link, GAP).map_or(usual.gap, |gap| gap.get()),
            head: stored(nodes, link, HEAD).unwrap_or(usual.head),
        }
    }
}

/// An existing link, with its two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The group.
    pub group: NodeId,
    /// The line in it.
    pub line: NodeId,
    /// The objects that it joins.
    pub ends: [NodeId; 2],
}

impl Link {
    /// The link of a group, if its ends and its line exist.
    #[must_use]
    pub fn of(nodes: &Nodes, group: NodeId) -> Option<Self> {
        if nodes.kind_name(group) != LINK {
            return None;
        }
        let end = |name: &str| nodes.first_called(&nodes.attr(group, name)?);
        Some(Self {
            group,
            line: nodes.child_called(group, "path")?,
            ends: [end(LINK_FROM)?, end(LINK_TO)?],
        })
    }

    /// The ends that its arrow points to.
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

impl Drawing {
    /// The box where links of an object end: for a box with a label, that of its shape.
    #[must_use]
    pub fn joint(
        &self,
        geometry: &crate::geometry::Geometry<'_>,
        end: NodeId,
    ) -> Option<kurbo::Rect> {
        geometry.bbox(self.nodes.box_shape(end).unwrap_or(end))
    }
}
