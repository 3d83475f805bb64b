//! Containers that do not draw every object in them: clips and switches.

use std::collections::{BTreeMap, HashMap, HashSet};

use fcp::format::xml::move_node;
use fcp::prelude::*;
use fcp::work;

use super::{Drawn, Site};
use crate::define::CLIPPING;
use crate::edit::ungroup::effects;
use crate::model::kind::{CONDITIONS, Role, of_element};
use crate::model::{Drawing, NodeId};
use crate::moving::{Boxes, are_movable, kept};

/// The container of an object that would not be drawn in it as it is elsewhere.
enum Ineffective {
    /// Only shapes and texts are effective in it.
    Clip,
    /// A group without a condition is never drawn in it, or instead of what follows.
    Switch,
}

/// The way objects come into a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Going {
    /// They move.
    Moved,
    /// Copies of them are made.
    Copied,
}

impl Drawing {
    /// Checks that objects are as effective at the end of a container as elsewhere.
    ///
    /// # Errors
    /// If one is a group, or what else a clip does not take, in a clip, or a group without conditions in a switch.
    pub fn effective_in(&self, ids: &[NodeId], parent: NodeId, going: Going) -> Result<()> {
        let (nodes, container) = (&self.nodes, self.nodes.name(parent));
        let stays = |id: NodeId| going == Going::Moved && nodes.tree().parent(id) == Some(parent);
        let here = ids.iter().filter(|id| !stays(**id));
        let here: Vec<NodeId> = here.copied().collect();
        for (ix, id) in here.iter().enumerate() {
            let Some(element) = nodes.svg_element(*id) else {
                continue;
            };
            let is_last = ix + 1 == here.len();
            let place = (parent, None, is_last);
            let Some(why) = self.ineffective(element.local_name(), self.has_condition(*id), place)
            else {
                continue;
            };
            let (kind, name) = (nodes.kind_name(*id), nodes.name(*id));
            match why {
                Ineffective::Clip => {
                    let mask = self.id_made_of(*id, "mask");
                    let keep = if going == Going::Copied {
                        " keep:on"
                    } else {
                        ""
                    };
                    bail!("{name} would be a {kind} in {container}; a clip holds shapes and texts"; try: "define mask id:{mask} from:{name}{keep}")
                }
                Ineffective::Switch if going == Going::Moved => {
                    bail!("{}", unconditional(&container, &name); try: "set {name} systemLanguage en")
                }
                Ineffective::Switch => {
                    bail!("{}", unconditional(&container, &name); try: "raw '<g systemLanguage=\"en\"/>' in:{container}")
                }
            }
        }
        Ok(())
    }

    /// Moves elements to the end of containers, each to its own. Drawn elements keep their position on the canvas.
    /// Returns whether anything moved, and lines on boxes that change all the same, and on effects of groups that they
    /// leave or come into.
    ///
    /// # Errors
    /// As for [`effective_in`](Self::effective_in), or if an element's transform cannot be changed.
    pub fn go_into(&mut self, going: &[(NodeId, NodeId)]) -> Result<(bool, Vec<String>)> {
        let mut by_parent: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        let tree = self.nodes.tree();
        let going = going.iter().copied();
        let going: Vec<(NodeId, NodeId)> = going
            .filter(|(id, parent)| tree.parent(*id) != Some(*parent))
            .collect();
        for (id, parent) in &going {
            by_parent.entry(*parent).or_default().push(*id);
        }
        for (parent, ids) in &by_parent {
            self.effective_in(ids, *parent, Going::Moved)?;
        }
        let effects = self.effects_between(&going)?;
        let geometry = self.geometry();
        let ids: Vec<NodeId> = going.iter().map(|(id, _)| *id).collect();
        let boxes = Boxes::of(&geometry, &ids);
        let mut edits = Vec::new();
        for (id, parent) in &going {
            if are_movable(self, &[*id]).is_ok() {
                edits.extend(kept(self, &geometry, *id, *parent)?);
            }
        }
        let mut any = false;
        for (id, parent) in going {
            any |= move_node(self.nodes.tree_mut(), id, parent, None)?;
        }
        self.make(edits)?;
        let mut notes = boxes.changes(self);
        notes.extend(effects);
        Ok((any, notes))
    }

    /// Lines on the effects of groups, such as clips and opacities, that elements leave or come into.
    fn effects_between(&self, going: &[(NodeId, NodeId)]) -> Result<Vec<String>> {
        let tree = self.nodes.tree();
        let mut ways: BTreeMap<(NodeId, NodeId), Vec<NodeId>> = BTreeMap::new();
        for (id, to) in going {
            let from = tree.parent(*id).unwrap_or(*to);
            ways.entry((from, *to)).or_default().push(*id);
        }
        let styles = self.styles();
        let mut known: HashMap<NodeId, String> = HashMap::new();
        let mut lines = Vec::new();
        for ((from, to), ids) in ways {
            for (word, here, there) in [("no longer", from, to), ("now", to, from)] {
                let around = |id: NodeId| std::iter::once(id).chain(tree.ancestors(id));
                let shared: HashSet<NodeId> = around(there).collect();
                work::spend(shared.len())?;
                for group in around(here).take_while(|group| !shared.contains(group)) {
                    work::spend(1)?;
                    let effects = known.entry(group).or_insert_with(|| {
                        let mut effects = effects(&styles, group);
                        // Elements that are shown or hidden are told of by themselves.
                        effects.retain(|effect| !effect.starts_with("display "));
                        effects.join(", ")
                    });
                    if !effects.is_empty() {
                        let (ids, group) = (self.names_of(&ids), self.nodes.name(group));
                        lines.push(format!("* {ids}: {word} under {effects} of {group}"));
                    }
                }
            }
        }
        Ok(lines)
    }

    /// Checks that a new element is effective in its place.
    ///
    /// # Errors
    /// As for [`effective_in`](Self::effective_in).
    pub(super) fn effective_at(
        &self,
        element: &str,
        what: &str,
        drawn: &Drawn,
        site: Site,
    ) -> Result<()> {
        let nodes = &self.nodes;
        let Some(why) = self.ineffective(element, false, (site.parent, site.before, true)) else {
            return Ok(());
        };
        let container = nodes.name(site.parent);
        let id = drawn.id.as_ref().map(|id| id.get().as_str());
        let name = id.map_or_else(|| format!("the {what}"), str::to_owned);
        match why {
            Ineffective::Clip => {
                let message = format!(
                    "{name} would be a {what} in {container}; a clip holds shapes and texts"
                );
                let Some(given) = &drawn.container else {
                    bail!("{message}"; try: "? describe {container}")
                };
                let root = nodes.root().map(|root| nodes.name(root));
                Err(given.wrong(ValueError::sentence(message).maybe_fix(root)))
            }
            Ineffective::Switch => {
                let id = id.map_or(String::new(), |id| format!(" id=\"{id}\""));
                bail!("{}", unconditional(&container, &name); try: "raw '<g{id} systemLanguage=\"en\"/>' in:{container}")
            }
        }
    }

    /// Why an element of a name would be ineffective in a parent: directly before one of its children, or if it `is_last`,
    /// after all of them.
    fn ineffective(
        &self,
        element: &str,
        has_condition: bool,
        (parent, before, is_last): (NodeId, Option<NodeId>, bool),
    ) -> Option<Ineffective> {
        let nodes = &self.nodes;
        let role = |name: &str| of_element(name).map(|kind| kind.role);
        let is_drawn = |name: &str| matches!(role(name), Some(Role::Graphic | Role::Container));
        match nodes.kind_name(parent) {
            "clip" if CLIPPING.contains(&element) => None,
            "clip" => is_drawn(element).then_some(Ineffective::Clip),
            "switch" if role(element) == Some(Role::Container) && !has_condition => {
                let mut others = nodes.tree().children(parent).filter(|id| {
                    let other = nodes.svg_element(*id);
                    other.is_some_and(|other| is_drawn(other.local_name()))
                });
                // The last one is drawn if the conditions of all others do not hold.
                let is_fallback =
                    before.is_none() && is_last && others.all(|other| self.has_condition(other));
                (!is_fallback).then_some(Ineffective::Switch)
            }
            _ => None,
        }
    }

    fn has_condition(&self, id: NodeId) -> bool {
        CONDITIONS
            .iter()
            .any(|name| self.nodes.attr(id, name).is_some())
    }
}

fn unconditional(container: &str, name: &str) -> String {
    format!(
        "{container} is a switch, which draws the first of its children whose conditions hold; {name} has none"
    )
}
