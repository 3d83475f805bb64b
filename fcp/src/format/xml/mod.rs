//! XML that round-trips byte for byte.
//!
//! [`read()`] splits a text into the [`Node`]s of a [`Tree`](crate::model::Tree). Each keeps the
//! bytes it was read from, and the tree writes them ([`Tree::text`](crate::model::Tree::text));
//! there is no other copy of the file. An edit replaces the bytes of its target: an attribute's
//! value, a run of text, a node with the whitespace before it.
//!
//! Whitespace between markup belongs to the node after it, or to the end tag. Whitespace at the
//! very end of the text is a node of its own.
//!
//! ```
//! use fcp::format::xml::{self, Limits, Node};
//! use fcp::model::{Ids, Journaled, Tree};
//!
//! # fn main() -> Result<(), fcp::diag::Diagnostic> {
//! let mut tree: Tree<Node> = Tree::attach(&Ids::default());
//! let source = "<list>\r\n  <item  key='a &amp; b' n=\"1\"/><!-- end -->\r\n</list>\n";
//! xml::read(source.to_owned(), &Limits::default())?.place(&mut tree, Tree::<Node>::ROOT, None)?;
//! assert_eq!(tree.text(), source);
//!
//! let list = xml::root(&tree).unwrap();
//! let item = tree.first_child(list).unwrap();
//! assert_eq!(xml::element(&tree, item)?.attr("key").unwrap(), "a & b");
//!
//! xml::set_attr(&mut tree, item, "key", "it's")?;
//! xml::insert_element(&mut tree, xml::Element::new("item")?, list, None)?;
//! assert_eq!(
//!     tree.text(),
//!     "<list>\r\n  <item  key='it&apos;s' n=\"1\"/><!-- end -->\r\n  <item/>\r\n</list>\n"
//! );
//! # Ok(())
//! # }
//! ```

mod attr;
mod chars;
mod copy;
mod declared;
mod doctype;
mod edit;
mod element;
mod entity;
mod error;
mod escape;
mod exact;
mod free;
mod limits;
mod node;
mod read;
mod respell;
mod rewrite;
mod scan;
mod scope;
mod segments;
mod slice;
mod space;
mod tag;

pub use attr::{Attr, Attrs};
pub use chars::{is_name, is_qualified};
pub use copy::copy_node;
pub use declared::{EntityDecl, remove_entities, set_entities, set_external};
pub use edit::{
    element, insert_element, insert_indented, insert_node, insert_piece, insert_raw,
    modify_element, move_node, remove_inline, remove_node, replace_attr, root, set_attr, set_attrs,
};
pub use element::{Element, End};
pub use entity::Entities;
pub use error::{Reason, XmlError};
pub use exact::{Edge, text_with};
pub use limits::Limits;
pub use node::{Doctype, EntityRef, Kind, Node, Run};
pub use read::{Fragment, read};
pub use rewrite::{Rewritten, rewrite};
pub use scope::{attr_namespace, bound, namespace, namespace_of, prefix_of, qualified_like};
pub use segments::{Place, Places};
pub use slice::{Slice, Source};
