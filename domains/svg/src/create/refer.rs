//! References of new elements to others.

use fcp::format::xml;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::syntax::id::next_free;

/// The namespace of XLink.
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// The name of the attribute for references: `xlink:href` if the root declares XLink.
#[must_use]
pub fn href(drawing: &Drawing) -> &'static str {
    let tree = drawing.nodes.tree();
    let root = drawing.nodes.root();
    let uri = root.and_then(|root| xml::namespace(tree, root, "xlink"));
    if uri.is_some_and(|uri| uri == XLINK) {
        "xlink:href"
    } else {
        "href"
    }
}

impl Drawing {
    /// The name of an element's reference attribute: the existing one, or else that for new
    /// elements.
    #[must_use]
    pub fn href_name(&self, id: NodeId) -> String {
        let nodes = &self.nodes;
        if nodes.attr(id, "href").is_some() {
            return "href".to_owned();
        }
        let element = nodes.element(id);
        let names = element.into_iter().flat_map(xml::Element::values);
        let refers = |name: &&str| {
            let uri = xml::attr_namespace(nodes.tree(), id, name);
            name.ends_with(":href") && uri.is_some_and(|uri| uri == XLINK)
        };
        let existing = names.map(|(name, _)| name).find(refers);
        existing.unwrap_or_else(|| href(self)).to_owned()
    }

    /// The id of an element, for references to it. An element without an id gets a new one,
    /// `TYPE-N`; the flag is whether it did.
    ///
    /// # Errors
    /// If the row is not an element.
    pub fn referable(&mut self, id: NodeId) -> Result<(String, bool)> {
        if let Some(own) = self.nodes.own_id(id) {
            return Ok((own.into_owned(), false));
        }
        let index = self.nodes.tree().index();
        let is_taken = |id: &str| index.has_id(id);
        let new = next_free(&format!("{}-0", self.nodes.kind_name(id)), is_taken);
        xml::modify_element(self.nodes.tree_mut(), id, |element| {
            element.insert_attr(0, "id", &new)
        })?;
        Ok((new, true))
    }
}
