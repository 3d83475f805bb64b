//! Changes that can alter the box of an object, and those that cannot.

use std::collections::{BTreeSet, HashMap, HashSet};

use fcp::format::xml::{Element, Kind, Node};
use fcp::model::TreeChange;
use fcp::work;

use crate::model::reference::{edited, edits, in_sheet};
use crate::model::{Drawing, DrawingEvent, MADE, NodeId};
use crate::syntax::effective::effective;

/// Properties that do not affect a box.
const PAINT: &[&str] = &[
    "clip-path",
    "color",
    "fill",
    "fill-opacity",
    "fill-rule",
    "filter",
    "mask",
    "opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
];

/// Elements that draw nothing, and whose content does not either.
const SILENT: &[&str] = &["desc", "metadata", "title"];

/// Signs of selectors that depend on the order of elements.
const ORDERED: &[&str] = &["+", "~", "-child", "-of-type"];

/// The bytes of a style sheet that are read in the time of a step.
const BYTES_A_STEP: usize = 8;

/// The ids that an op replaced: old and new.
pub(super) struct Renames {
    new: HashMap<String, String>,
    /// Whether a style sheet followed them.
    in_sheets: bool,
}

impl Renames {
    pub fn of(changes: &[DrawingEvent]) -> Self {
        let renamed = changes.iter().filter_map(|change| {
            let DrawingEvent::Nodes(TreeChange::Modified { before, after, .. }) = change else {
                return None;
            };
            let (old, new) = (before.element()?.attr("id")?, after.element()?.attr("id")?);
            (old != new).then(|| (old.into_owned(), new.into_owned()))
        });
        let mut renames = Self {
            new: renamed.collect(),
            in_sheets: false,
        };
        renames.in_sheets = changes.iter().any(|change| match change {
            DrawingEvent::Nodes(TreeChange::Modified { before, after, .. }) => {
                renames.explain(before, after)
            }
            _ => false,
        });
        renames
    }

    /// Whether one id is the new one of another.
    pub fn are_same(&self, old: Option<&str>, new: Option<&str>) -> bool {
        let renamed = old.and_then(|old| self.new.get(old));
        old == new || renamed.is_some_and(|renamed| Some(renamed.as_str()) == new)
    }

    /// Whether a text of a style sheet only follows the new ids.
    pub fn explain(&self, before: &Node, after: &Node) -> bool {
        let (Some(before), Some(after)) = (before.text(), after.text()) else {
            return false;
        };
        let edits = edits(in_sheet(&before), |id| self.new.get(id).cloned());
        !edits.is_empty() && edited(&before, &edits) == after
    }
}

/// Whether a row draws nothing.
pub(super) fn is_silent(row: &Node) -> bool {
    match row.kind() {
        Kind::Comment(_) | Kind::Instruction(_) => true,
        Kind::Element(element) => SILENT.contains(&element.local_name()),
        _ => false,
    }
}

/// The parts of style sheets that decide what a change may alter, read once for an op.
pub(super) struct Sheets {
    /// All words in them.
    words: HashSet<String>,
    /// Whether they spell any word with an escape, so that it may not be among them.
    escapes: bool,
    /// Whether they match elements by attributes.
    by_attribute: bool,
    /// Whether they match elements by the order of siblings.
    by_order: bool,
}

impl Sheets {
    pub fn of(drawing: &Drawing) -> Self {
        let nodes = &drawing.nodes;
        let mut found = Self {
            words: HashSet::new(),
            escapes: false,
            by_attribute: false,
            by_order: false,
        };
        let sheets = nodes.tree().index().styles().map(NodeId::new);
        for id in sheets.flat_map(|sheet| nodes.sheet_texts(sheet)) {
            let text = nodes.tree().get(id).and_then(Node::text);
            let text = text.unwrap_or_default();
            // The call fails at its next check.
            if work::spend(text.len() / BYTES_A_STEP).is_err() {
                break;
            }
            let in_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            let words = text.split(|c: char| c.is_ascii() && !in_word(c));
            found.words.extend(words.map(str::to_owned));
            found.escapes |= text.contains('\\');
            found.by_attribute |= text.contains('[');
            found.by_order |= ORDERED.iter().any(|sign| text.contains(sign));
        }
        found
    }

    fn may_name(&self, word: &str) -> bool {
        self.escapes || self.words.contains(word)
    }

    /// Whether the order of siblings affects their boxes.
    pub fn order_counts(&self, drawing: &Drawing, parent: NodeId) -> bool {
        let kind = drawing.nodes.kind_name(parent);
        matches!(kind, "text" | "tspan" | "textPath" | "switch") || self.by_order
    }
}

/// Whether new attributes of an element may alter its box.
pub(super) fn alters_box(
    sheets: &Sheets,
    (before, after): (&Element, &Element),
    renames: &Renames,
) -> bool {
    let [before, after] =
        [before, after].map(|element| element.values().collect::<HashMap<_, _>>());
    let mut names = before.keys().chain(after.keys());
    names.any(|name| {
        let values = [before.get(name), after.get(name)];
        if values[0] == values[1] {
            return false;
        }
        let [old, new] = values.map(|value| value.map_or("", AsRef::as_ref));
        let name = *name;
        match name {
            _ if PAINT.contains(&name) => false,
            "style" => {
                let shaping = |text: &str| -> Vec<(String, String)> {
                    let all = effective(text);
                    let all = all.filter(|one| !PAINT.contains(&one.name));
                    all.map(|one| (one.name.to_owned(), one.value.to_owned()))
                        .collect()
                };
                shaping(old) != shaping(new)
            }
            "class" => {
                let tokens = |text: &str| -> BTreeSet<String> {
                    text.split_ascii_whitespace().map(str::to_owned).collect()
                };
                let (old, new) = (tokens(old), tokens(new));
                let changed: Vec<&String> = old.symmetric_difference(&new).collect();
                sheets.by_attribute || changed.iter().any(|class| sheets.may_name(class))
            }
            "id" => sheets.by_attribute || !renames.in_sheets && sheets.may_name(new),
            _ if name.starts_with(MADE) => true,
            _ if name.starts_with("data-") || name.starts_with("aria-") || name == "role" => {
                sheets.may_name(name)
            }
            _ => true,
        }
    })
}
