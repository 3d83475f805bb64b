//! Heads of links: markers, one per shape and colour.

use fcp::format::xml::{self, Element};
use fcp::model::Level;
use fcp::prelude::*;
use fcp::value::{Color, FcpValue};

use crate::model::{Drawing, MADE, NodeId};
use crate::syntax::href::url_id;
use crate::values::Head;

/// The value of [`MADE`] on a marker that is a head.
const MARK: &str = "head";
/// The paint of a head if its line has no plain colour.
const PLAIN: &str = "black";

impl Head {
    /// The length of line that it replaces, in line widths: the distance of its tip from the line's
    /// end.
    #[must_use]
    pub const fn reach(self) -> f64 {
        match self {
            Self::Open => 1.0,
            Self::Triangle | Self::Dot | Self::Diamond => 3.0,
            Self::Bar => 0.5,
        }
    }

    /// Its outline, in line widths, from 0,0 to 6,6 with the tip at 6,3.
    const fn outline(self) -> &'static str {
        match self {
            Self::Triangle => "M0,0L6,3L0,6Z",
            Self::Open => "M1,0.5L5,3L1,5.5",
            Self::Dot => "M0,3A3,3 0 1 1 6,3A3,3 0 1 1 0,3Z",
            Self::Diamond => "M0,3L3,0L6,3L3,6Z",
            Self::Bar => "M5,0H6V6H5Z",
        }
    }
}

/// The paint of a head for a line with this stroke.
fn color(stroke: &str) -> &str {
    let stroke = stroke.trim();
    let plain = Color::parse(stroke).is_ok_and(|color| color.rgba().is_some());
    if plain { stroke } else { PLAIN }
}

impl Drawing {
    /// The id of the marker for a head on a line with this stroke, which is made if there is none.
    ///
    /// # Errors
    /// If there is no drawing.
    pub(super) fn head(&mut self, head: Head, stroke: &str) -> Result<(String, &'static str)> {
        let color = color(stroke);
        let letters = color.chars().filter(char::is_ascii_alphanumeric);
        let base = format!("{head}-{}", letters.collect::<String>().to_lowercase());
        let mut id = base.clone();
        loop {
            match self.nodes.tree().index().first_with_id(&id) {
                None => break,
                Some(found) if self.is_head(NodeId::new(found), head, color) => {
                    return Ok((id, ""));
                }
                Some(_) => {
                    let index = self.nodes.tree().index();
                    id = crate::syntax::id::next_free(&id, |id| {
                        let found = index.with_id(id, Level::Exact);
                        let mut found = found.into_iter().map(NodeId::new);
                        found.any(|found| !self.is_head(found, head, color))
                    });
                }
            }
        }
        let (defs, new) = self.defs()?;
        let tree = self.nodes.tree_mut();
        let marker = Element::new(&xml::qualified_like(tree, defs, "marker"))?
            .with("id", &id)?
            .with(MADE, MARK)?
            .with("viewBox", "0 0 6 6")?
            .with(
                "refX",
                &crate::syntax::number::spell_given(6.0 - head.reach()),
            )?
            .with("refY", "3")?
            .with("markerWidth", "6")?
            .with("markerHeight", "6")?
            .with("orient", "auto-start-reverse")?;
        let marker = xml::insert_element(tree, marker, defs, None)?;
        let outline =
            Element::new(&xml::qualified_like(tree, marker, "path"))?.with("d", head.outline())?;
        // Set explicitly, since a stroke might be inherited or missing.
        let outline = match head {
            Head::Open => outline.with("fill", "none")?.with("stroke", color)?,
            _ => outline.with("fill", color)?.with("stroke", "none")?,
        };
        xml::insert_element(tree, outline, marker, None)?;
        Ok((id, new))
    }

    /// Whether an element is the head with this shape and colour.
    fn is_head(&self, id: NodeId, head: Head, color: &str) -> bool {
        let nodes = &self.nodes;
        let paint = if head == Head::Open { "stroke" } else { "fill" };
        self.is_any_head(id)
            && nodes.child_called(id, "path").is_some_and(|outline| {
                nodes
                    .attr(outline, "d")
                    .is_some_and(|d| d == head.outline())
                    && nodes.attr(outline, paint).is_some_and(|own| own == color)
            })
    }

    fn is_any_head(&self, id: NodeId) -> bool {
        self.nodes.kind_name(id) == "marker"
            && self.nodes.attr(id, MADE).is_some_and(|made| made == MARK)
    }

    /// Whether the value of a marker property refers to a head.
    pub(super) fn has_head(&self, marker: &str) -> bool {
        let Some(id) = url_id(marker) else {
            return false;
        };
        let found = self.nodes.tree().index().with_id(id, Level::Exact);
        found
            .iter()
            .any(|found| self.is_any_head(NodeId::new(*found)))
    }

    /// Removes the heads in these values of marker properties that no line uses.
    ///
    /// # Errors
    /// If an element does not exist.
    pub(super) fn drop_heads(&mut self, markers: &[String]) -> Result<()> {
        for id in markers.iter().filter_map(|marker| url_id(marker)) {
            let index = self.nodes.tree().index();
            if index.references_to(id) > 0 {
                continue;
            }
            let found = index.with_id(id, Level::Exact).into_iter().map(NodeId::new);
            let heads: Vec<NodeId> = found.filter(|found| self.is_any_head(*found)).collect();
            for head in heads {
                xml::remove_node(self.nodes.tree_mut(), head)?;
            }
        }
        Ok(())
    }
}
