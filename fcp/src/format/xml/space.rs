//! Whitespace around inserted and removed nodes.

use super::chars::SPACE;
use super::element::Element;
use super::free::free_lines;
use super::node::{Kind, Node};
use crate::model::{Id, Tree};

const fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// The last line break of some whitespace, with the text after it; `None` if there is no break.
fn line(space: &str) -> Option<&str> {
    let last = space.rfind(is_break)?;
    let start = if space[..=last].ends_with("\r\n") {
        last - 1
    } else {
        last
    };
    Some(&space[start..])
}

/// Splits a line break from the indentation.
fn parts(line: &str) -> (&str, &str) {
    line.split_at(line.len() - line.trim_start_matches(is_break).len())
}

fn element_at<I>(tree: &Tree<Node, I>, id: Id<Node>) -> Option<&Element> {
    tree.get(id).and_then(Node::element)
}

/// The whitespace before a new element: its own line, indented like its nearest sibling; empty if
/// the siblings share a line.
pub fn lead<I>(tree: &Tree<Node, I>, parent: Id<Node>, before: Option<Id<Node>>) -> String {
    let previous = match before {
        Some(before) => tree.previous_sibling(before),
        None => tree.last_child(parent),
    };
    let back = std::iter::successors(previous, |id| tree.previous_sibling(*id));
    let on = std::iter::successors(before, |id| tree.next_sibling(*id));
    let nearest = back.chain(on).find(|id| element_at(tree, *id).is_some());
    let nearest = nearest.and_then(|id| tree.get(id));
    if let Some(sibling) = nearest {
        return line(sibling.lead()).unwrap_or("").to_owned();
    }
    // Without siblings: if the end tag has its own line, children get one too.
    let own = element_at(tree, parent).and_then(|element| line(element.space_before_end()));
    let Some(own) = own else {
        return String::new();
    };
    deeper(tree, parent, own)
}

/// The line of a child of an element, whose own line is `own`.
fn deeper<I>(tree: &Tree<Node, I>, parent: Id<Node>, own: &str) -> String {
    let outer = tree.ancestors(parent).next();
    let outer = outer.and_then(|outer| line(tree.get(outer)?.lead()));
    let (_, indent) = parts(own);
    let unit = match outer.map(parts) {
        Some((_, outer)) => indent.strip_prefix(outer).filter(|unit| !unit.is_empty()),
        None => Some(indent).filter(|unit| !unit.is_empty()),
    };
    let unit = unit.unwrap_or(if indent.contains('\t') { "\t" } else { "  " });
    format!("{own}{unit}")
}

/// The lines for a text of several lines in an element without content: that of the text, and that of the end tag.
/// `None` if the element has content, or does not begin a line itself.
pub fn opened<I>(tree: &Tree<Node, I>, parent: Id<Node>) -> Option<[String; 2]> {
    let is_empty = tree.first_child(parent).is_none()
        && element_at(tree, parent)?.space_before_end().is_empty();
    let own = line(tree.get(parent)?.lead()).filter(|_| is_empty)?;
    Some([deeper(tree, parent, own), own.to_owned()])
}

/// The line that the nearest element around a place begins; empty if all are on the first line.
pub fn around<I>(tree: &Tree<Node, I>, parent: Id<Node>) -> String {
    let mut all = std::iter::once(parent).chain(tree.ancestors(parent));
    let found = all.find_map(|id| line(tree.get(id)?.lead()));
    found.unwrap_or_default().to_owned()
}

/// Gives a text's lines the line end of `lead`, which is before the first one, and its indentation
/// where whitespace is not content. `keeps` are the elements whose whitespace always is.
pub fn indented(text: &str, lead: &str, keeps: fn(&str) -> bool) -> String {
    let Some(own) = line(lead).filter(|_| text.contains('\n')) else {
        return text.to_owned();
    };
    let (end, indent) = parts(own);
    let free = free_lines(text, keeps);
    let lines: Vec<&str> = text
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect();
    let is_markup = |at: usize, line: &str| {
        let is_free = free.get(at).copied().unwrap_or(false);
        at > 0 && is_free && line.trim_start().starts_with('<')
    };
    let markup = lines
        .iter()
        .enumerate()
        .filter(|(at, line)| is_markup(*at, line));
    let depth = |line: &str| line.len() - line.trim_start().len();
    let common = markup.map(|(_, line)| depth(line)).min();
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            text.push_str(end);
        }
        if is_markup(at, line) {
            text.push_str(indent);
            text.push_str(line.get(common.unwrap_or(0)..).unwrap_or(line));
        } else {
            text.push_str(line);
        }
    }
    text
}

/// The whitespace after a node: before its next sibling, at the beginning of the next text, or
/// before the end tag around it. `None` if there is no parent element.
fn behind<I>(tree: &Tree<Node, I>, id: Id<Node>) -> Option<[&str; 2]> {
    let Some(next) = tree.next_sibling(id).and_then(|next| tree.get(next)) else {
        let parent = tree.parent(id).and_then(|parent| element_at(tree, parent));
        return parent.map(|parent| [parent.space_before_end(), ""]);
    };
    let text = match &next.kind {
        Kind::Text(run) => &*run.raw,
        _ => "",
    };
    let blank = text.len() - text.trim_start_matches(SPACE).len();
    Some([next.lead(), &text[..blank]])
}

/// Whether the text after a node, its next sibling or the end tag around it, begins on another
/// line.
pub fn breaks_behind<I>(tree: &Tree<Node, I>, id: Id<Node>) -> bool {
    behind(tree, id).is_none_or(|all| all.iter().any(|space| space.contains(is_break)))
}

/// Whether whitespace follows a node.
pub fn follows<I>(tree: &Tree<Node, I>, id: Id<Node>) -> bool {
    behind(tree, id).is_none_or(|all| all.iter().any(|space| !space.is_empty()))
}

/// Whether a node begins a line.
pub fn breaks_before(node: &Node) -> bool {
    node.lead().contains(is_break)
}
