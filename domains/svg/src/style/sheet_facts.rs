//! Facts about style sheets, kept while these are unchanged.

use std::sync::Arc;

use fcp::work;

use crate::css::{Hangs, Reach};
use crate::model::Drawing;

use super::Styles;

impl Styles<'_> {
    fn hangs(&self) -> Hangs {
        let mut hangs = Hangs::default();
        for branch in &self.rules.branches {
            hangs.add(&branch.selector, Reach::default());
        }
        hangs
    }
}

impl Drawing {
    /// The facts about the style sheets, read again only after these changed.
    pub(crate) fn hangs(&self) -> Arc<Hangs> {
        let index = self.nodes.tree().index();
        if let Some(known) = &*index.hangs.borrow() {
            return Arc::clone(known);
        }
        let hangs = match index.styles().next() {
            Some(_) => Arc::new(self.styles().hangs()),
            None => Arc::default(),
        };
        if work::over().is_none() {
            *index.hangs.borrow_mut() = Some(Arc::clone(&hangs));
        }
        hangs
    }
}
