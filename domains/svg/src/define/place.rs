//! Where definitions stand.

use fcp::format::xml::{self, insert_raw, qualified_like};
use fcp::model::Level;
use fcp::prelude::*;

use crate::id::{ElementId, next_free};
use crate::model::{Drawing, NodeId};

impl Drawing {
    /// That no element has an id that a new one is to have. `kind` is what the new one is called; `words` would make one
    /// that is there the same.
    ///
    /// # Errors
    /// One has it.
    pub fn is_free(&self, wanted: &Spanned<ElementId>, kind: &str, words: &str) -> Result<()> {
        let id = wanted.get().as_str();
        let index = self.nodes.tree().index();
        let is_taken = |id: &str| !index.with_id(id, Level::Exact).is_empty();
        let Some(taken) = index.with_id(id, Level::Exact).first().copied() else {
            return Ok(());
        };
        let taken = self.nodes.kind_name(NodeId::new(taken));
        let message = format!("id:{id} is already a {taken}");
        if taken == kind && !words.is_empty() {
            return Err(Diagnostic::new(message).or_try(format!("modify {id} {words}")));
        }
        Err(wanted.wrong(ValueError::sentence(message).fix(next_free(id, is_taken))))
    }

    /// The first `<defs>`; if there is none, one is made before all else in the drawing.
    ///
    /// # Errors
    /// There is no drawing.
    pub fn defs(&mut self) -> Result<NodeId> {
        let nodes = &self.nodes;
        let Some(root) = nodes.root() else {
            bail!("there is no drawing"; try: "! new")
        };
        let tree = nodes.tree();
        let defs = tree.index().defs().map(NodeId::new);
        if let Some(first) = defs.min_by(|a, b| tree.order(*a, *b)) {
            return Ok(first);
        }
        let first = tree.children(root).find(|id| nodes.element(*id).is_some());
        self.shell("defs", "", root, first)
    }

    /// Adds an element whose end tag has a line of its own where the elements around it have one, so that what comes into
    /// it has too.
    ///
    /// # Errors
    /// A prefix is not bound there.
    pub fn shell(
        &mut self,
        name: &str,
        attrs: &str,
        parent: NodeId,
        before: Option<NodeId>,
    ) -> Result<NodeId> {
        // Where the element's line begins is known when it stands there.
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
