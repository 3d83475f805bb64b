//! Edits of a tree of nodes that keep it well-formed and change only the bytes they name.

use super::attr::Attr;
use super::element::{Element, End};
use super::entity::Entities;
use super::escape;
use super::limits::Limits;
use super::node::{Kind, Node};
use super::read::Fragment;
use super::scope::{Scope, changes_meaning, declared, namespace, split};
use super::space;
use crate::bail;
use crate::diag::{Diagnostic, Result};
use crate::model::{Id, RowIndex, Tree};
use crate::work;

/// The root element.
#[must_use]
pub fn root<I>(tree: &Tree<Node, I>) -> Option<Id<Node>> {
    let mut top = tree.children(Tree::<Node, I>::ROOT);
    top.find(|id| tree.get(*id).and_then(Node::element).is_some())
}

/// The entities in the document's DOCTYPE.
pub(super) fn entities<I>(tree: &Tree<Node, I>) -> Option<&Entities> {
    let top = tree.children(Tree::<Node, I>::ROOT);
    let mut nodes = top.filter_map(|id| tree.get(id));
    nodes.find_map(|node| match &node.kind {
        Kind::Doctype(doctype) => Some(&doctype.entities),
        _ => None,
    })
}

/// The element in a row.
///
/// # Errors
/// The row does not exist, or it is not an element. The document itself is not one, so nothing can
/// be inserted next to the root element.
pub fn element<I>(tree: &Tree<Node, I>, id: Id<Node>) -> Result<&Element> {
    if id == Tree::<Node, I>::ROOT {
        bail!("a document has one root element, and nothing next to it")
    }
    let node = tree.need(id)?;
    node.element()
        .ok_or_else(|| Diagnostic::new(format!("{id} is not an element")))
}

/// Changes an element. On an error nothing changes.
///
/// # Errors
/// The row does not exist or is not an element, the call is over its steps, or those of `change`.
pub fn modify_element<I: RowIndex<Node>, R>(
    tree: &mut Tree<Node, I>,
    id: Id<Node>,
    change: impl FnOnce(&mut Element) -> Result<R>,
) -> Result<R> {
    let mut element = element(tree, id)?.clone();
    // All attributes are copied, and read again by the index.
    work::spend(element.attrs().len())?;
    let result = change(&mut element)?;
    tree.modify(id, |node| node.kind = Kind::Element(element));
    Ok(result)
}

/// Sets an attribute; see [`Element::set_attr`]. Returns whether its value changed.
///
/// # Errors
/// The row is not an element, the name is invalid or has a prefix that is not bound there, or the
/// value has a character that XML forbids.
pub fn set_attr<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    id: Id<Node>,
    name: &str,
    value: &str,
) -> Result<bool> {
    set_attrs(tree, id, &[(name, value)])
}

/// Sets attributes of one element, which the index reads once; see [`set_attr`]. Returns whether any value changed.
///
/// # Errors
/// Those of [`set_attr`].
pub fn set_attrs<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    id: Id<Node>,
    values: &[(&str, &str)],
) -> Result<bool> {
    for (name, _) in values {
        bound_at(tree, id, name)?;
    }
    modify_element(tree, id, |element| {
        let mut any = false;
        for (name, value) in values {
            any |= element.set_attr(name, value)?;
        }
        Ok(any)
    })
}

/// Sets an attribute without keeping any of its old value; see [`Element::replace_attr`]. Returns
/// whether its value changed.
///
/// # Errors
/// Those of [`set_attr`], except for references to entities.
pub fn replace_attr<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    id: Id<Node>,
    name: &str,
    value: &str,
) -> Result<bool> {
    bound_at(tree, id, name)?;
    modify_element(tree, id, |element| element.replace_attr(name, value))
}

/// Checks that the prefix of an attribute's name is bound at an element.
fn bound_at<I>(tree: &Tree<Node, I>, id: Id<Node>, name: &str) -> Result<()> {
    let (prefix, _) = split(name);
    let used = !prefix.is_empty() && declared(name).is_none();
    if used && namespace(tree, id, prefix).is_none() {
        bail!("the prefix {prefix} is bound to no namespace")
    }
    Ok(())
}

/// Checks that a row can have children: it must be an element. One without an end tag gets one.
pub(super) fn open<I: RowIndex<Node>>(tree: &mut Tree<Node, I>, parent: Id<Node>) -> Result<()> {
    if element(tree, parent)?.end == End::Empty {
        tree.modify(parent, |node| {
            if let Some(element) = node.element_mut() {
                element.open();
            }
        });
    }
    Ok(())
}

/// Checks that `before` is a child of `parent`, before anything changes.
pub(super) fn stands_in<I>(
    tree: &Tree<Node, I>,
    before: Option<Id<Node>>,
    parent: Id<Node>,
) -> Result<()> {
    match before {
        Some(before) if tree.parent(before) != Some(parent) => {
            bail!("{before} is not in {parent}")
        }
        _ => Ok(()),
    }
}

/// Adds an element to the children of `parent`, before one of them or last. It gets its own line
/// with the indentation of its nearest sibling; if the children share a line, it shares it.
///
/// # Errors
/// `parent` is not an element, `before` is not one of its children, or the element's prefix is not
/// bound there.
pub fn insert_element<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    element: Element,
    parent: Id<Node>,
    before: Option<Id<Node>>,
) -> Result<Id<Node>> {
    stands_in(tree, before, parent)?;
    let names = element.attrs.iter().map(Attr::name);
    for name in names.clone().chain([element.name()]) {
        let (prefix, _) = split(name);
        let own = |name: &str| declared(name) == Some(prefix);
        let free = prefix.is_empty() || declared(name).is_some() || names.clone().any(own);
        if !free && namespace(tree, parent, prefix).is_none() {
            bail!("the prefix {prefix} is bound to no namespace")
        }
    }
    open(tree, parent)?;
    work::spend(work::STEPS_A_CHANGE)?;
    let lead = space::lead(tree, parent, before);
    tree.insert(Node::from(element).led_by(&lead), parent, before)
}

/// Adds a node that is not an element to the children of `parent`, before one of them or last, with
/// no whitespace before it. A new text gets the line ends of the place.
///
/// # Errors
/// `parent` is not an element, or `before` is not one of its children.
pub fn insert_node<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    node: Node,
    parent: Id<Node>,
    before: Option<Id<Node>>,
) -> Result<Id<Node>> {
    stands_in(tree, before, parent)?;
    open(tree, parent)?;
    work::spend(work::STEPS_A_CHANGE)?;
    let mut node = node;
    if let Kind::Text(run) = &mut node.kind
        && run.raw.as_str().contains('\n')
    {
        let raw = escape::broken_as(run.raw.as_str(), &space::around(tree, parent)).into_owned();
        run.raw = raw.into();
    }
    tree.insert(node, parent, before)
}

/// Adds the nodes of a text to the children of `parent`, before one of them or last, byte for byte.
/// Returns the top-level nodes of the text.
///
/// # Errors
/// The text is not well-formed there, `parent` is not an element, or `before` is not one of its
/// children.
pub fn insert_raw<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    text: &str,
    parent: Id<Node>,
    before: Option<Id<Node>>,
    limits: &Limits,
) -> Result<Vec<Id<Node>>> {
    let fragment = content(tree, text, parent, before, limits)?;
    put(tree, fragment, parent, before)
}

/// Like [`insert_raw`], but the first node gets the whitespace of a new element before it, if it
/// has none of its own.
///
/// # Errors
/// Those of [`insert_raw`].
pub fn insert_piece<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    text: &str,
    parent: Id<Node>,
    before: Option<Id<Node>>,
    limits: &Limits,
) -> Result<Vec<Id<Node>>> {
    let fragment = content(tree, text, parent, before, limits)?;
    let lead = space::lead(tree, parent, before);
    put(tree, fragment.led_by(&lead), parent, before)
}

/// Like [`insert_piece`], but the text's lines get the line ends and the indentation of the place.
/// Several lines open an element without content, whose end tag gets its own line. A line that does
/// not begin with markup is not changed, nor one whose whitespace is content; `keeps` are the
/// elements whose whitespace always is.
///
/// # Errors
/// Those of [`insert_raw`].
pub fn insert_indented<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    text: &str,
    parent: Id<Node>,
    before: Option<Id<Node>>,
    limits: &Limits,
    keeps: fn(&str) -> bool,
) -> Result<Vec<Id<Node>>> {
    let text = text.trim();
    let lead = space::lead(tree, parent, before);
    if !lead.is_empty() || !text.contains('\n') {
        let text = space::indented(text, &lead, keeps);
        return insert_piece(tree, &text, parent, before, limits);
    }
    let Some([lead, end]) = space::opened(tree, parent) else {
        let text = space::indented(text, &space::around(tree, parent), keeps);
        return insert_piece(tree, &text, parent, before, limits);
    };
    let text = space::indented(text, &lead, keeps);
    let fragment = content(tree, &text, parent, before, limits)?;
    let made = put(tree, fragment.led_by(&lead), parent, before)?;
    modify_element(tree, parent, |element| {
        element.set_space_before_end(&end);
        Ok(())
    })?;
    Ok(made)
}

/// The nodes of a text, parsed as content of `parent`.
fn content<I: RowIndex<Node>>(
    tree: &Tree<Node, I>,
    text: &str,
    parent: Id<Node>,
    before: Option<Id<Node>>,
    limits: &Limits,
) -> Result<Fragment> {
    stands_in(tree, before, parent)?;
    element(tree, parent)?;
    let limits = Limits {
        nodes: limits.nodes.saturating_sub(tree.len()),
        ..*limits
    };
    let depth = tree.depth(parent) + 1;
    let scope = Scope::within(tree, parent);
    let fragment = Fragment::of_content(text.to_owned(), &limits, entities(tree), scope, depth)?;
    Ok(fragment)
}

fn put<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    fragment: Fragment,
    parent: Id<Node>,
    before: Option<Id<Node>>,
) -> Result<Vec<Id<Node>>> {
    if fragment.is_empty() {
        return Ok(Vec::new());
    }
    open(tree, parent)?;
    fragment.place(tree, parent, before)
}

/// Removes a node with its descendants and the whitespace before it. If another node or tag follows
/// on its line, that keeps the line. Returns whether the node existed.
///
/// # Errors
/// It is the root element, a DOCTYPE, a declaration in one, or an XML declaration.
pub fn remove_node<I: RowIndex<Node>>(tree: &mut Tree<Node, I>, id: Id<Node>) -> Result<bool> {
    let on_a_line = |node: &Node| space::breaks_before(node) && !space::breaks_behind(tree, id);
    let keeps_space = tree.get(id).is_some_and(on_a_line);
    take_out(tree, id, keeps_space)
}

/// Like [`remove_node`], but in content whose whitespace separates words: the whitespace before the
/// node stays if there is none after it, or if all whitespace is `preserved`.
///
/// # Errors
/// Those of [`remove_node`].
pub fn remove_inline<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    id: Id<Node>,
    preserved: bool,
) -> Result<bool> {
    let keeps_space = preserved || !space::follows(tree, id);
    take_out(tree, id, keeps_space)
}

/// Removes a node. The whitespace before it stays if the caller says so.
fn take_out<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    id: Id<Node>,
    keeps_space: bool,
) -> Result<bool> {
    if root(tree) == Some(id) {
        bail!("a document needs its root element")
    }
    let Some(node) = tree.get(id) else {
        return Ok(false);
    };
    stays(node)?;
    if keeps_space && !node.lead().is_empty() {
        let lead = node.lead().to_owned();
        match (tree.next_sibling(id), tree.parent(id)) {
            (Some(next), _) => {
                tree.modify(next, |node| {
                    node.lead = format!("{lead}{}", node.lead).into();
                });
            }
            (None, Some(parent)) => {
                tree.modify(parent, |node| {
                    if let Some(element) = node.element_mut() {
                        let space = format!("{lead}{}", element.space_before_end());
                        element.set_space_before_end(&space);
                    }
                });
            }
            (None, None) => {}
        }
    }
    Ok(tree.remove(id))
}

/// Moves a node, with its descendants and the whitespace before it, to the children of `parent`,
/// before one of them or last. Returns whether its place changed.
///
/// # Errors
/// One of the rows does not exist, `parent` is not an element or is inside the node, `before` is
/// not one of its children, a used prefix means something else there, or the node is a DOCTYPE, a
/// declaration in one, or an XML declaration.
pub fn move_node<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    id: Id<Node>,
    parent: Id<Node>,
    before: Option<Id<Node>>,
) -> Result<bool> {
    stays(tree.need(id)?)?;
    stands_in(tree, before, parent)?;
    element(tree, parent)?;
    if tree.is_within(parent, id) {
        bail!("{id} cannot be moved into itself")
    }
    meant_there(tree, id, parent)?;
    open(tree, parent)?;
    tree.relocate(id, parent, before)
}

/// Checks that a node may be moved or removed.
fn stays(node: &Node) -> Result<()> {
    match node.kind() {
        Kind::Doctype(_) => bail!("a DOCTYPE stays where it is, with the entities it declares"),
        Kind::Declaration(_) => bail!("an XML declaration stays where it is"),
        Kind::EntityDecl(_) | Kind::Markup(_) => {
            bail!("a declaration of a DOCTYPE stays where it is")
        }
        _ => Ok(()),
    }
}

/// Checks that every prefix of a node and its descendants has the same meaning in `parent`.
pub(super) fn meant_there<I: RowIndex<Node>>(
    tree: &Tree<Node, I>,
    id: Id<Node>,
    parent: Id<Node>,
) -> Result<()> {
    let Some(prefix) = changes_meaning(tree, id, parent) else {
        return Ok(());
    };
    let what = if prefix.is_empty() {
        "the default namespace".to_owned()
    } else {
        format!("the prefix {prefix}")
    };
    bail!("{what} means something else there")
}
