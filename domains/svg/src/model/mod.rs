//! A drawing: the XML of its file, and what is derived from it.

mod index;
pub mod kind;
mod nodes;
mod object;
mod pick;

use fcp::format::encoding::Encoding;
use fcp::format::xml::Node;
use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use index::Index;
pub use nodes::Nodes;

/// The namespace of SVG (SVG 2, section 1.4).
pub const SVG: &str = "http://www.w3.org/2000/svg";
/// The namespace of Inkscape's own attributes.
pub const INKSCAPE: &str = "http://www.inkscape.org/namespaces/inkscape";

/// The id of a node of the drawing's tree.
pub type NodeId = Id<Node>;

/// A drawing.
#[derive(FcpModel)]
#[fcp(domain = "svg", title = "SVG drawings")]
pub struct Drawing {
    /// The file's XML. All else is derived from it.
    pub nodes: Nodes,
    /// How the file is written, beside its text.
    #[fcp(view)]
    pub envelope: Slot<Envelope>,
}

/// How a file is written, beside its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Envelope {
    /// The encoding, that of a byte order mark included.
    pub encoding: Encoding,
    /// The file is packed by gzip.
    pub packed: bool,
}
