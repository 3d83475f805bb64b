//! A drawing: the XML of its file, and data derived from it.
//! Appearance is elsewhere: styles are in `style`, boxes in `geometry`.

pub(crate) mod at_source;
mod attribute_defaults;
mod bound;
mod derived;
mod entity_ids;
mod entity_markup;
mod index;
pub mod kind;
mod nodes;
mod numbers;
mod object;
mod pick;
pub mod reference;
mod sheets;
mod source;
mod spaces;
mod tally;
mod titles;

use fcp::format::encoding::{self, Encoding};
use fcp::format::xml::Node;
use fcp::model::Given;
use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::environment::host::Host;

pub(crate) use entity_markup::Markup;
pub use index::{Index, XML_ID};
pub use nodes::Nodes;
pub use object::{LINK_FROM, LINK_TO, MADE, characters};
pub use reference::{aims, targets};

/// The namespace of SVG (SVG 2, section 1.4).
pub const SVG: &str = "http://www.w3.org/2000/svg";
/// The namespace of Inkscape's own attributes.
pub const INKSCAPE: &str = "http://www.inkscape.org/namespaces/inkscape";

/// Replaces the attribute's name for references from the text of a style sheet.
pub const SHEET: &str = "css";

/// The id of a node of the drawing's tree.
pub type NodeId = Id<Node>;

/// A drawing.
#[derive(FcpModel)]
#[fcp(domain = "svg", title = "SVG drawings")]
pub struct Drawing {
    /// The file's XML. All else is derived from it.
    pub nodes: Nodes,
    /// The file's encoding and packing.
    #[fcp(view)]
    pub envelope: Slot<Envelope>,
    /// Inputs from the program that opened it.
    #[fcp(view)]
    pub host: Given<Host>,
    /// The compressed file it was read from, if it was one.
    #[fcp(view)]
    pub packed: Given<Option<encoding::Packed>>,
    /// The folder of the file it was read from, as the path was given: what its references to files count from.
    #[fcp(view)]
    pub folder: Given<String>,
}

/// A file's encoding and packing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Envelope {
    /// The encoding, that of a byte order mark included.
    pub encoding: Encoding,
    /// The file is packed by gzip.
    pub packed: bool,
    /// The number of the first row that did not come from the file.
    #[serde(default)]
    pub opened: u32,
}

impl Envelope {
    /// The format of the file.
    #[must_use]
    pub const fn format_read(&self) -> Option<&'static str> {
        Some(if self.packed { "svgz" } else { "svg" })
    }
}

impl Drawing {
    /// The index of [`Self::nodes`] among the parts of a drawing.
    pub const NODES: usize = 0;

    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = String> + '_ {
        let elements = self.nodes.elements();
        elements.filter_map(|id| self.nodes.attr(id, "id").map(std::borrow::Cow::into_owned))
    }

    /// Returns a pick of an element's content. It extends beyond objects if the element is not an
    /// object itself.
    #[must_use]
    pub fn reaching<'d>(&self, outer: NodeId, pick: Pick<'d>) -> Pick<'d> {
        let role = self.nodes.role(outer);
        let apart = matches!(role, kind::Role::Definition | kind::Role::Part);
        if apart { pick.beyond() } else { pick }
    }

    /// The elements that refer to one of these ids, in document order, with the attribute that
    /// does. For the text of a style sheet this is [`SHEET`].
    #[must_use]
    pub fn users(&self, ids: &[String]) -> Vec<(NodeId, String)> {
        let mut users = Vec::new();
        let wanted: std::collections::HashSet<&String> = ids.iter().collect();
        let mut sheets = std::collections::HashSet::new();
        for id in self.mentioning(ids) {
            if let Some(sheet) = self.nodes.sheet_of(id) {
                if !sheets.insert(sheet) {
                    continue;
                }
                let found = self.nodes.sheet_references(sheet);
                if found
                    .iter()
                    .any(|(one, _)| one.refers && wanted.contains(&one.id))
                {
                    users.push((sheet, SHEET.to_owned()));
                }
                continue;
            }
            let Some(element) = self.nodes.element(id) else {
                continue;
            };
            for (name, value) in element.values() {
                let aims = aims(element, name, &value);
                if aims.iter().any(|aim| wanted.contains(aim)) {
                    users.push((id, name.to_owned()));
                }
            }
        }
        users
    }

    /// The elements and style-sheet texts that refer to one of these ids or mention it otherwise,
    /// in document order.
    #[must_use]
    pub fn mentioning(&self, ids: &[String]) -> Vec<NodeId> {
        let tree = self.nodes.tree();
        let found = ids.iter().flat_map(|id| tree.index().mentioning(id));
        let mut found: Vec<NodeId> = found.map(NodeId::new).collect();
        found.extend(self.nodes.pieced_sheets());
        found.sort_unstable();
        found.dedup();
        found.sort_by(|a, b| tree.order(*a, *b));
        found
    }
}
