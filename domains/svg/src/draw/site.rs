//! What every verb that draws takes, and between which elements the new one goes.

use fcp::prelude::*;

use crate::id::ElementId;
use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};
use crate::values::{Classes, Transforms};

/// What every verb that draws takes.
#[derive(FcpParams)]
pub struct Drawn {
    /// What it is called.
    pub id: Option<Spanned<ElementId>>,
    /// The container it goes into, in front of all in it; the drawing if left out.
    #[fcp(key = "in")]
    pub container: Option<Spanned<Row>>,
    /// What it goes right behind, as seen from the front.
    pub before: Option<Row>,
    /// What it goes right in front of.
    pub after: Option<Row>,
    /// Its classes.
    pub class: Option<Classes>,
    /// What people call it.
    pub title: Option<Text>,
    /// What it shows, in words.
    pub desc: Option<Text>,
    /// Its transforms.
    pub transform: Option<Transforms>,
    /// Style properties, by their names or short ones: `fill`, `sw`, `dash`.
    pub style: Keys,
}

/// Where an element goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// What it is to stand in.
    pub parent: NodeId,
    /// The child that it is to stand before; behind all of them if there is none.
    pub before: Option<NodeId>,
}

impl Drawn {
    /// Where the new element goes.
    ///
    /// # Errors
    /// More than one place is given, the container holds no objects, or there is no drawing.
    pub fn site(&self, drawing: &Drawing) -> Result<Site> {
        Self::place(drawing, self.container.as_ref(), self.before, self.after)
    }

    /// Where what goes into a container, or beside something, goes.
    ///
    /// # Errors
    /// As [`site`](Self::site).
    pub fn place(
        drawing: &Drawing,
        container: Option<&Spanned<Row>>,
        before: Option<Row>,
        after: Option<Row>,
    ) -> Result<Site> {
        let nodes = &drawing.nodes;
        let Some(root) = nodes.root() else {
            bail!("there is no drawing"; try: "! new")
        };
        let beside = |row: Row| -> Result<(NodeId, NodeId)> {
            let id = NodeId::new(row.id());
            match nodes.tree().parent(id).filter(|_| id != root) {
                Some(parent) => Ok((id, parent)),
                None => {
                    let name = nodes.name(id);
                    bail!("{name} is the drawing itself, and nothing is put beside it"; try: "? list")
                }
            }
        };
        match (container, before, after) {
            (None, None, None) => Ok(Site {
                parent: root,
                before: None,
            }),
            (Some(container), None, None) => Ok(Site {
                parent: drawing.container(container)?,
                before: None,
            }),
            (None, Some(before), None) => {
                let (before, parent) = beside(before)?;
                Ok(Site {
                    parent,
                    before: Some(before),
                })
            }
            (None, None, Some(after)) => {
                let (after, parent) = beside(after)?;
                Ok(Site {
                    parent,
                    before: nodes.tree().next_sibling(after),
                })
            }
            _ => bail!("in:, before: and after: each say where it goes; give one"; try: "? list"),
        }
    }
}

impl Drawing {
    /// The element that `in:` names.
    ///
    /// # Errors
    /// It holds no objects.
    pub fn container(&self, given: &Spanned<Row>) -> Result<NodeId> {
        let id = NodeId::new(given.get().id());
        let outer = self
            .nodes
            .tree()
            .parent(id)
            .map(|outer| self.nodes.name(outer));
        match self.holds(id) {
            Ok(()) => Ok(id),
            Err(error) => Err(given.wrong(ValueError::sentence(error.message).maybe_fix(outer))),
        }
    }

    /// That an element holds objects.
    ///
    /// # Errors
    /// It does not.
    pub fn holds(&self, id: NodeId) -> Result<()> {
        let nodes = &self.nodes;
        let (kind, role) = (nodes.kind_name(id), nodes.role(id));
        let holds = match role {
            Role::Container => true,
            Role::Definition => !matches!(kind, "gradient" | "filter"),
            Role::Graphic => false,
            Role::Part => {
                matches!(kind, "defs" | "group" | "layer" | "a" | "switch" | "svg")
            }
        };
        if holds {
            return Ok(());
        }
        let name = nodes.name(id);
        bail!("{name} is a {kind}, which holds no objects"; try: "? describe {name}")
    }
}
