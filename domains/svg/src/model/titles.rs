//! A sorted index of titles.

use std::collections::{BTreeMap, BTreeSet};

use fcp::format::xml::{Kind, Node};
use fcp::model::{LabelIndex, Level};

/// The texts in `<title>` elements.
#[derive(Debug, Default)]
pub(super) struct Titles {
    /// Pieces of titles, by their text.
    pieces: LabelIndex,
    /// The title of each piece.
    of: BTreeMap<u32, u32>,
    /// The number of nodes in each title that has any.
    nodes: BTreeMap<u32, usize>,
    /// Titles with several nodes, so that no single piece is the whole text.
    mixed: BTreeSet<u32>,
}

/// Whether a node is a title.
pub(super) fn is_title(node: &Node) -> bool {
    let element = node.element();
    element.is_some_and(|element| element.local_name() == "title")
}

/// The text of a piece.
fn content(node: &Node) -> Option<String> {
    if !matches!(node.kind(), Kind::Text(_) | Kind::CData(_)) {
        return None;
    }
    let text = format!("{}{}", node.lead(), node.text().unwrap_or_default());
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

impl Titles {
    /// Adds a node of a title, or removes it.
    pub fn say(&mut self, title: u32, id: u32, node: &Node, there: bool) {
        let count = self.nodes.entry(title).or_default();
        *count = if there {
            count.saturating_add(1)
        } else {
            count.saturating_sub(1)
        };
        match *count {
            0 => drop(self.nodes.remove(&title)),
            1 => drop(self.mixed.remove(&title)),
            _ => drop(self.mixed.insert(title)),
        }
        if let Some(text) = content(node) {
            if there {
                self.pieces.insert(id, &text);
                self.of.insert(id, title);
            } else {
                self.pieces.remove(id, &text);
                self.of.remove(&id);
            }
        }
    }

    /// The titles that may have this text: those with such a piece, and those with several pieces.
    pub fn like(&self, text: &str, level: Level) -> Vec<u32> {
        let pieces = self.pieces.find(text, level).into_iter();
        let whole = pieces.filter_map(|piece| self.of.get(&piece).copied());
        whole.chain(self.mixed.iter().copied()).collect()
    }
}
