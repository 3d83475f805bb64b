//! Positions of definitions.

use fcp::format::xml::{self, insert_raw, qualified_like};
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::syntax::id::{ElementId, next_free};

impl Drawing {
    /// Checks that an id is free for a new element. `kind` is the new element's kind; `words` are
    /// the parameters that would give an existing one the same content.
    ///
    /// # Errors
    /// If the id is taken.
    pub fn is_free(&self, wanted: &Spanned<ElementId>, kind: &str, words: &str) -> Result<()> {
        let id = wanted.get().as_str();
        let index = self.nodes.tree().index();
        let is_taken = |id: &str| index.has_id(id);
        let Some(taken) = index.first_with_id(id) else {
            if !index.is_in_entity(id) {
                return Ok(());
            }
            let message = format!("id:{id} is already in the markup of an entity");
            return Err(wanted.wrong(ValueError::sentence(message).fix(next_free(id, is_taken))));
        };
        let taken = self.nodes.kind_name(NodeId::new(taken));
        let message = format!("id:{id} is already a {taken}");
        if taken == kind && !words.is_empty() {
            return Err(Diagnostic::new(message).or_try(format!("modify {id} {words}")));
        }
        Err(wanted.wrong(ValueError::sentence(message).fix(next_free(id, is_taken))))
    }

    /// The first `<defs>`; if there is none, adds one before all other elements in the drawing. Also returns the words
    /// that tell of a new one in a reply.
    ///
    /// # Errors
    /// If there is no drawing.
    pub fn defs(&mut self) -> Result<(NodeId, &'static str)> {
        let nodes = &self.nodes;
        let Some(root) = nodes.root() else {
            bail!("there is no drawing"; try: "! new")
        };
        let tree = nodes.tree();
        let defs = tree.index().defs().map(NodeId::new);
        if let Some(first) = defs.min_by(|a, b| tree.order(*a, *b)) {
            return Ok((first, ""));
        }
        let first = tree.children(root).find(|id| nodes.element(*id).is_some());
        let made = self.shell("defs", "", root, first)?;
        Ok((made, ", in a new <defs>"))
    }

    /// Adds an element with its end tag on a separate line, if its neighbours have one, so that its
    /// content will be on separate lines too.
    ///
    /// # Errors
    /// If a prefix is not bound there.
    pub fn shell(
        &mut self,
        name: &str,
        attrs: &str,
        parent: NodeId,
        before: Option<NodeId>,
    ) -> Result<NodeId> {
        // The indentation of the element is only known after inserting it.
        let limits = self.host.bounds.xml;
        let tree = self.nodes.tree_mut();
        let name = qualified_like(tree, parent, name);
        let trial = xml::insert_element(tree, xml::Element::new(&name)?, parent, before)?;
        let lead = tree.get(trial).map_or("", |node| node.lead()).to_owned();
        tree.remove(trial);
        let text = format!("{lead}<{name}{attrs}>{lead}</{name}>");
        let made = insert_raw(tree, &text, parent, before, &limits)?;
        made.into_iter()
            .find(|id| self.nodes.element(*id).is_some())
            .ok_or_else(|| Diagnostic::new("the definition could not be made"))
    }
}
