//! Changes that can alter the box of an object, and those that cannot.

use std::collections::{BTreeSet, HashMap};

use fcp::format::xml::{Element, Kind, Node};
use fcp::model::TreeChange;

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

/// Whether a style sheet contains one of some texts.
fn sheets_contain(drawing: &Drawing, any: &dyn Fn(&str) -> bool) -> bool {
    let nodes = &drawing.nodes;
    let mut sheets = nodes.tree().index().styles().map(NodeId::new);
    sheets.any(|sheet| {
        let mut texts = nodes.sheet_texts(sheet);
        texts.any(|id| {
            nodes
                .tree()
                .get(id)
                .and_then(Node::text)
                .is_some_and(|text| any(&text))
        })
    })
}

/// Whether the order of siblings affects their boxes.
pub(super) fn order_counts(drawing: &Drawing, parent: NodeId) -> bool {
    let kind = drawing.nodes.kind_name(parent);
    matches!(kind, "text" | "tspan" | "textPath" | "switch")
        || sheets_contain(drawing, &|text| {
            ORDERED.iter().any(|sign| text.contains(sign))
        })
}

/// Whether new attributes of an element may alter its box.
pub(super) fn alters_box(
    drawing: &Drawing,
    (before, after): (&Element, &Element),
    renames: &Renames,
) -> bool {
    let names = before.values().chain(after.values()).map(|(name, _)| name);
    let differing: BTreeSet<&str> = names
        .filter(|name| before.attr(name) != after.attr(name))
        .collect();
    differing.into_iter().any(|name| {
        let values = [before.attr(name), after.attr(name)];
        let [old, new] = values.map(|value| value.unwrap_or_default().into_owned());
        match name {
            _ if PAINT.contains(&name) => false,
            "style" => {
                let shaping = |text: &str| -> Vec<(String, String)> {
                    let all = effective(text);
                    let all = all.filter(|one| !PAINT.contains(&one.name));
                    all.map(|one| (one.name.to_owned(), one.value.to_owned()))
                        .collect()
                };
                shaping(&old) != shaping(&new)
            }
            "class" => {
                let tokens = |text: &str| -> BTreeSet<String> {
                    text.split_ascii_whitespace().map(str::to_owned).collect()
                };
                let (old, new) = (tokens(&old), tokens(&new));
                let changed: Vec<&String> = old.symmetric_difference(&new).collect();
                sheets_contain(drawing, &|text| {
                    text.contains('[') || changed.iter().any(|class| text.contains(class.as_str()))
                })
            }
            "id" => sheets_contain(drawing, &|text| {
                text.contains('[') || !renames.in_sheets && text.contains(&new)
            }),
            _ if name.starts_with(MADE) => true,
            _ if name.starts_with("data-") || name.starts_with("aria-") || name == "role" => {
                sheets_contain(drawing, &|text| text.contains(name))
            }
            _ => true,
        }
    })
}
