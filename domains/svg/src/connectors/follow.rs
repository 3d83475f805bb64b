//! Links follow the objects they join: they are redrawn when a box changes, and removed with their
//! ends.

use std::collections::BTreeSet;

use fcp::format::xml::{self, Element, Node};
use fcp::model::TreeChange;
use fcp::prelude::*;

use super::affects::{Renames, Sheets, alters_box, is_silent};
use crate::model::kind::{LINK, Role};
use crate::model::reference::ENDS;
use crate::model::{Drawing, DrawingEvent, MADE, NodeId};

/// The most links to list in a reply.
const LISTED: usize = 5;
/// The maximum number of rounds of redrawing, since an end may be a group that contains links.
const ROUNDS: usize = 8;
/// The changes of an op that concern links.
#[derive(Default)]
struct Touched {
    /// Elements whose box, or a part of it, may have changed.
    moved: BTreeSet<NodeId>,
    /// Existing containers among these, whose content moved with them.
    outer: BTreeSet<NodeId>,
    /// Links whose line changed its appearance.
    restyled: BTreeSet<NodeId>,
    /// Ids of removed elements.
    gone: Vec<String>,
    /// Markers of removed lines.
    markers: Vec<String>,
    /// Whether a style sheet changed.
    sheets: bool,
}

/// Redraws links whose ends changed, and removes links that lost an end. Returns lines for the
/// reply.
///
/// # Errors
/// If a link cannot be written.
pub fn follow(drawing: &mut Drawing, changes: &[DrawingEvent]) -> Result<Vec<String>> {
    let is_linked = |drawing: &Drawing| drawing.nodes.tree().index().ends().next().is_some();
    let lost_head = |change: &DrawingEvent| match change {
        DrawingEvent::Nodes(TreeChange::Removed { row, .. }) => row
            .element()
            .is_some_and(|line| markers(line).next().is_some()),
        _ => false,
    };
    // The only cost in a drawing without links.
    if !is_linked(drawing) && !changes.iter().any(lost_head) {
        return Ok(Vec::new());
    }
    let touched = Touched::by(drawing, changes);
    let mut notes = remove_links(drawing, &touched)?;
    let mut pending = touched.links(drawing);
    let mut replies: Vec<String> = Vec::new();
    for _ in 0..ROUNDS {
        let geometry = drawing.geometry();
        let plans: Vec<_> = pending
            .iter()
            .filter_map(|link| drawing.redrawn(&geometry, *link))
            .collect();
        let mut redrawn = Vec::new();
        for plan in plans {
            if let Some(line) = drawing.redraw(&plan)? {
                redrawn.push(plan.group());
                replies.push(line);
            }
        }
        let around = Touched {
            moved: redrawn.into_iter().collect(),
            ..Touched::default()
        };
        pending = around.links(drawing);
        if pending.is_empty() {
            break;
        }
    }
    let more = replies.len().saturating_sub(LISTED);
    notes.extend(
        replies
            .into_iter()
            .take(LISTED)
            .map(|line| format!("~ {line}")),
    );
    if more > 0 {
        notes.push(format!("~ … {more} more links"));
    }
    Ok(notes)
}

/// Removes the links of removed objects, and the heads that no line uses.
fn remove_links(drawing: &mut Drawing, touched: &Touched) -> Result<Vec<String>> {
    let (mut notes, mut markers_gone) = (Vec::new(), touched.markers.clone());
    let mut links = BTreeSet::new();
    for id in &touched.gone {
        let index = drawing.nodes.tree().index();
        if !index.has_id(id) {
            links.extend(index.links_of(id).map(NodeId::new));
        }
    }
    let more = links.len().saturating_sub(LISTED);
    for link in links {
        let tree = drawing.nodes.tree();
        let lines = tree
            .descendants(link)
            .filter_map(|id| drawing.nodes.element(id));
        markers_gone.extend(lines.flat_map(markers));
        if notes.len() < LISTED {
            notes.push(format!("- {}", drawing.titled(link)));
        }
        xml::remove_node(drawing.nodes.tree_mut(), link)?;
    }
    if more > 0 {
        notes.push(format!("- … {more} more links"));
    }
    drawing.drop_heads(&markers_gone)?;
    Ok(notes)
}

/// The markers of an element.
fn markers(element: &Element) -> impl Iterator<Item = String> + '_ {
    let values = element.values();
    values
        .filter(|(name, _)| matches!(*name, "marker-start" | "marker-end"))
        .map(|(_, value)| value.into_owned())
}

impl Touched {
    fn by(drawing: &Drawing, changes: &[DrawingEvent]) -> Self {
        let mut touched = Self::default();
        let known = (Renames::of(changes), Sheets::of(drawing));
        let (renames, sheets) = &known;
        for change in changes {
            let DrawingEvent::Nodes(change) = change else {
                continue;
            };
            let id = NodeId::new(change.id());
            match change {
                TreeChange::Added { row, .. } if is_silent(row) => {}
                TreeChange::Added { row, .. } => touched.note(drawing, id, row),
                TreeChange::Removed { at, row, .. } => {
                    if !is_silent(row) {
                        touched.note(drawing, NodeId::new(at.parent), row);
                    }
                    if let Some(element) = row.element() {
                        touched
                            .gone
                            .extend(element.attr("id").map(std::borrow::Cow::into_owned));
                        touched.markers.extend(markers(element));
                    }
                }
                TreeChange::Modified { before, after, .. } => {
                    match (before.element(), after.element()) {
                        (Some(before), Some(after)) => {
                            touched.compare(drawing, id, (before, after), &known);
                        }
                        _ if is_silent(after) || renames.explain(before, after) => {}
                        _ => touched.note(drawing, id, after),
                    }
                }
                TreeChange::Moved { from, to, .. } => {
                    let outer = NodeId::new(to.parent);
                    if from.parent == to.parent && !sheets.order_counts(drawing, outer) {
                        continue;
                    }
                    touched
                        .moved
                        .extend([from.parent, to.parent].map(NodeId::new));
                    touched.moved.insert(id);
                    touched.outer.insert(id);
                }
            }
        }
        touched
    }

    /// Notes a row that was added or removed, or whose text changed.
    fn note(&mut self, drawing: &Drawing, id: NodeId, row: &Node) {
        let at = |id: NodeId| drawing.nodes.element(id).is_some();
        let outer = drawing.nodes.tree().parent(id).filter(|_| !at(id));
        let element = outer.unwrap_or(id);
        let mut around = std::iter::once(element).chain(drawing.nodes.tree().ancestors(element));
        if around.any(|id| drawing.nodes.tree().get(id).is_some_and(is_silent)) {
            return;
        }
        self.sheets |= drawing.nodes.is_sheet(element)
            || row.element().is_some_and(|own| own.local_name() == "style");
        self.moved.insert(element);
    }

    /// Notes the differences of an element.
    fn compare(
        &mut self,
        drawing: &Drawing,
        id: NodeId,
        (before, after): (&Element, &Element),
        (renames, sheets): &(Renames, Sheets),
    ) {
        let differs = |name: &str| before.attr(name) != after.attr(name);
        let names = || before.values().chain(after.values()).map(|(name, _)| name);
        if drawing.nodes.kind_name(id) == LINK {
            let is_new = |name: &str| match ENDS.contains(&name) {
                true => {
                    let (old, new) = (before.attr(name), after.attr(name));
                    !renames.are_same(old.as_deref(), new.as_deref())
                }
                false => name.starts_with(MADE) && differs(name),
            };
            if names().any(is_new) {
                self.restyled.insert(id);
            }
            return;
        }
        let parent = drawing.nodes.tree().parent(id);
        let link = parent.filter(|parent| drawing.nodes.kind_name(*parent) == LINK);
        let Some(link) = link else {
            if alters_box(sheets, (before, after), renames) {
                self.moved.insert(id);
                self.outer.insert(id);
            }
            return;
        };
        // A line or label that was edited by hand stays so until an end moves.
        let is_line = after.local_name() == "path";
        if is_line && names().any(|name| name != "d" && differs(name)) {
            self.restyled.insert(link);
        }
    }

    /// The links that may need redrawing.
    fn links(&self, drawing: &Drawing) -> BTreeSet<NodeId> {
        let nodes = &drawing.nodes;
        let tree = nodes.tree();
        let index = tree.index();
        let mut found = self.restyled.clone();
        let mut everywhere = self.sheets;
        let mut seen = BTreeSet::new();
        for id in &self.moved {
            for outer in std::iter::once(*id).chain(tree.ancestors(*id)) {
                if !seen.insert(outer) {
                    break;
                }
                let Some(own) = nodes.attr(outer, "id") else {
                    continue;
                };
                found.extend(index.links_of(&own).map(NodeId::new));
                // A changed target of a `use` changes the box of that `use`, anywhere.
                let kind = nodes.kind_name(outer);
                let drawn = nodes.role(outer) != Role::Definition || kind == "symbol";
                everywhere |= drawn && index.references_to(&own) > 0;
            }
        }
        // Content moves with its container. Only the ends of links are checked.
        let holds = |id: &NodeId| {
            tree.children(*id)
                .any(|inner| nodes.element(inner).is_some())
        };
        let outer: BTreeSet<NodeId> = self.outer.iter().copied().filter(holds).collect();
        if everywhere || !outer.is_empty() {
            for end in index.ends() {
                let within = || {
                    let id = nodes.first_called(end)?;
                    tree.ancestors(id).find(|id| outer.contains(id))
                };
                if everywhere || within().is_some() {
                    found.extend(index.links_of(end).map(NodeId::new));
                }
            }
        }
        found
    }
}
