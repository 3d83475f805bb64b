//! Parameters of all verbs that draw, and the insertion point of the new element.

use fcp::prelude::*;

use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};
use crate::syntax::id::ElementId;
use crate::values::{Classes, Transforms};

/// Parameters of every verb that draws.
#[derive(FcpParams)]
pub struct Drawn {
    /// Its id.
    pub id: Option<Spanned<ElementId>>,
    /// The container it goes into, in front of all in it; the drawing if left out.
    #[fcp(key = "in")]
    pub container: Option<Spanned<Row>>,
    /// The object it goes directly behind, as seen from the front.
    pub before: Option<Row>,
    /// The object it goes directly in front of.
    pub after: Option<Row>,
    /// Its classes.
    pub class: Option<Classes>,
    /// Its title.
    pub title: Option<Text>,
    /// Its description.
    pub desc: Option<Text>,
    /// Its transforms.
    pub transform: Option<Transforms>,
    /// Style properties, by their names or short ones: `fill`, `sw`, `dash`.
    pub style: Keys,
}

/// An insertion point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The parent of the new element.
    pub parent: NodeId,
    /// The child after the new element; `None` to append it.
    pub before: Option<NodeId>,
}

impl Drawn {
    /// The insertion point of the new element.
    ///
    /// # Errors
    /// If there are several, the container takes no objects, or there is no drawing.
    pub fn site(&self, drawing: &Drawing) -> Result<Site> {
        Self::place(drawing, self.container.as_ref(), self.before, self.after)
    }

    /// The insertion point in a container, or next to an element.
    ///
    /// # Errors
    /// As for [`site`](Self::site).
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
                    bail!("{name} is the drawing itself; nothing goes next to it"; try: "? list")
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
            _ => bail!("in:, before: and after: all set the place; give one"; try: "? list"),
        }
    }
}

impl Drawing {
    /// The element in `in:`.
    ///
    /// # Errors
    /// If it takes no objects.
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

    /// Checks that an element may contain objects.
    ///
    /// # Errors
    /// If it may not.
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
