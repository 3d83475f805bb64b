//! Changes the content of an existing text.

use fcp::format::xml::{Node, Place};
use fcp::prelude::*;

use super::Layout;
use super::text::one_line;
use crate::model::at_source::set_at_source;
use crate::model::{Drawing, NodeId};

impl Drawing {
    /// Whether a text consists of plain lines, so that others can replace them.
    pub(super) fn is_plain(&self, text: NodeId) -> bool {
        let nodes = &self.nodes;
        let tree = nodes.tree();
        tree.children(text).all(|id| match nodes.element(id) {
            None => true,
            Some(element) => {
                let line = |(name, _): (&str, _)| matches!(name, "x" | "dy");
                element.local_name() == "tspan"
                    && element.values().all(line)
                    && tree
                        .children(id)
                        .all(|inner| nodes.element(inner).is_none())
            }
        })
    }

    /// The runs of a text: the pieces between markup that are not only whitespace.
    #[must_use]
    pub fn runs(&self, text: NodeId) -> Vec<NodeId> {
        let nodes = &self.nodes;
        let tree = nodes.tree();
        let apart = |id: &NodeId| {
            let mut around = tree.ancestors(*id).take_while(|outer| *outer != text);
            around.any(|outer| matches!(nodes.kind_name(outer), "title" | "desc"))
        };
        let seen = |id: &NodeId| {
            let content = tree.get(*id).and_then(Node::text);
            nodes.element(*id).is_none()
                && content.is_some_and(|content| !content.trim().is_empty())
        };
        let runs = tree.descendants(text).filter(seen);
        runs.filter(|id| !apart(id)).collect()
    }

    /// The content of a text's run, counted from 1.
    pub(super) fn run_text(&self, text: NodeId, run: usize) -> String {
        let run = run
            .checked_sub(1)
            .and_then(|at| self.runs(text).get(at).copied());
        let node = run.and_then(|run| self.nodes.tree().get(run));
        let content = node.and_then(Node::text).unwrap_or_default();
        content.trim().to_owned()
    }

    /// Checks that a text or one of its runs can have new content.
    ///
    /// # Errors
    /// If it has several runs and none is selected for a content that differs, or the selected run does not exist.
    pub fn is_rewritable(&self, text: NodeId, run: Option<usize>, new: &str) -> Result<()> {
        let runs = self.runs(text).len();
        let whole = run.is_none() && (self.is_plain(text) || runs == 1);
        if whole || run.is_some_and(|run| (1..=runs).contains(&run)) {
            return Ok(());
        }
        if run.is_none() && new == self.text_content(text) {
            return Ok(());
        }
        let name = self.nodes.name(text);
        let has = fcp::reply::count(runs, "run");
        let last = if run.is_some() { runs.max(1) } else { 1 };
        let new = fcp::op::quote_value(new);
        bail!("{name} has {has}"; try: "modify {name} run:{last} text:{new}")
    }

    /// Replaces the lines of a plain text, wrapped at its width if it has one, or else the content
    /// of its only run. Returns whether anything changed.
    ///
    /// # Errors
    /// If XML forbids one of the characters, or the text is too long to be measured.
    pub fn rewrite(&mut self, text: NodeId, new: &str, layout: Layout) -> Result<bool> {
        self.rewrite_as(text, new, layout, false)
    }

    /// Like [`rewrite`](Self::rewrite), but characters from an entity are changed in its declaration.
    ///
    /// # Errors
    /// Those of [`rewrite`](Self::rewrite), or an entity has another use.
    pub fn rewrite_at_source(&mut self, text: NodeId, new: &str, layout: Layout) -> Result<bool> {
        self.rewrite_as(text, new, layout, true)
    }

    fn rewrite_as(
        &mut self,
        text: NodeId,
        new: &str,
        layout: Layout,
        at_source: bool,
    ) -> Result<bool> {
        if !self.is_plain(text) {
            return match new == self.text_content(text) {
                true => Ok(false),
                false => self.rewrite_run_as(text, 1, new, at_source),
            };
        }
        let lines = self.broken(text, new)?;
        if self.lines(text) == lines && (lines.len() == 1 || self.layout(text) == layout) {
            return Ok(false);
        }
        if let Some(pieces) = self.pieces_for(text, &lines, layout) {
            return self.put_texts(pieces, at_source).map(|()| true);
        }
        if at_source {
            self.has_no_entity(text)?;
        }
        let spans = match lines.len() {
            1 => Vec::new(),
            _ => self.line_spans(text).unwrap_or_default(),
        };
        let children: Vec<NodeId> = self.nodes.tree().children(text).collect();
        let tree = self.nodes.tree_mut();
        for child in children.into_iter().filter(|_| spans.is_empty()) {
            tree.remove(child);
        }
        let x = self
            .nodes
            .attr(text, "x")
            .map_or_else(|| "0".to_owned(), std::borrow::Cow::into_owned);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        self.write_lines_in(text, &lines, (&x, layout), &spans)?;
        Ok(true)
    }

    /// The elements of a plain text's lines, if each has one run and only whitespace is between them.
    fn line_spans(&self, text: NodeId) -> Option<Vec<NodeId>> {
        let nodes = &self.nodes;
        let tree = nodes.tree();
        let own = |id: NodeId| tree.get(id).and_then(Node::text);
        let mut spans = Vec::new();
        for child in tree.children(text) {
            if nodes.element(child).is_some() {
                let mut inner = tree.children(child);
                inner.next().filter(|run| own(*run).is_some())?;
                inner.next().is_none().then(|| spans.push(child))?;
            } else if !own(child)?.trim().is_empty() {
                return None;
            }
        }
        Some(spans)
    }

    /// Replaces the content of a text's run, counted from 1, and keeps its style. Returns whether
    /// it changed.
    ///
    /// # Errors
    /// If there is no such run, or XML forbids one of the new characters.
    pub fn rewrite_run(&mut self, text: NodeId, run: usize, new: &str) -> Result<bool> {
        self.rewrite_run_as(text, run, new, false)
    }

    fn rewrite_run_as(
        &mut self,
        text: NodeId,
        run: usize,
        new: &str,
        at_source: bool,
    ) -> Result<bool> {
        self.is_rewritable(text, Some(run), new)?;
        let found = run
            .checked_sub(1)
            .and_then(|at| self.runs(text).get(at).copied());
        let Some(id) = found else {
            return Ok(false);
        };
        let node = self.nodes.tree().need(id)?;
        // The whitespace around it separates it from its neighbours.
        let old = node.text().unwrap_or_default().into_owned();
        let (before, after) = (
            old.len() - old.trim_start().len(),
            old.trim_end().len().max(old.len() - old.trim_start().len()),
        );
        let around = (
            old.get(..before).unwrap_or_default(),
            old.get(after..).unwrap_or_default(),
        );
        let new = format!("{}{new}{}", around.0, around.1);
        if new == old {
            return Ok(false);
        }
        self.put_texts(vec![(id, new)], at_source)?;
        Ok(true)
    }

    /// The pieces of a text and their new characters, if its new lines are as many and lie as the old ones.
    fn pieces_for(
        &self,
        text: NodeId,
        lines: &[String],
        layout: Layout,
    ) -> Option<Vec<(NodeId, String)>> {
        let tree = self.nodes.tree();
        let own = |id: NodeId| tree.get(id).and_then(Node::text);
        if let [line] = lines {
            let mut inner = tree.children(text);
            let only = inner.next().filter(|id| own(*id).is_some())?;
            return inner.next().is_none().then(|| vec![(only, line.clone())]);
        }
        let (runs, old) = (self.runs(text), self.lines(text));
        let is_line =
            |(run, line): (&NodeId, &String)| own(*run).is_some_and(|own| one_line(&own) == *line);
        let is_alike = runs.len() == lines.len()
            && !lines.iter().any(String::is_empty)
            && self.layout(text) == layout
            && runs.iter().zip(&old).all(is_line);
        let new = runs.into_iter().zip(lines.iter().cloned()).zip(&old);
        let changed = new.filter(|((_, new), old)| new != *old);
        is_alike.then(|| changed.map(|(piece, _)| piece).collect())
    }

    /// Sets the characters of texts where they are written.
    ///
    /// # Errors
    /// If one comes from an entity that has another use, or XML forbids a character.
    pub fn set_texts(&mut self, texts: Vec<(NodeId, String)>) -> Result<()> {
        let values = texts.into_iter().map(|(id, text)| (id, None, text));
        let others = set_at_source(self, values.collect())?;
        self.put_texts(
            others.into_iter().map(|(id, _, text)| (id, text)).collect(),
            false,
        )
    }

    /// Sets the characters of texts: where they are written, or else in the texts themselves.
    ///
    /// # Errors
    /// Those of [`set_texts`](Self::set_texts).
    pub(super) fn put_texts(
        &mut self,
        texts: Vec<(NodeId, String)>,
        at_source: bool,
    ) -> Result<()> {
        if at_source {
            return self.set_texts(texts);
        }
        for (id, text) in texts {
            let mut done = Ok(false);
            let tree = self.nodes.tree_mut();
            tree.modify(id, |node: &mut Node| done = node.set_text(&text));
            done?;
        }
        Ok(())
    }

    /// Checks that no part of a text comes from an entity, which new lines would write out.
    fn has_no_entity(&self, text: NodeId) -> Result<()> {
        let tree = self.nodes.tree();
        for id in tree.descendants(text) {
            let Some((node, own)) = tree.get(id).and_then(|node| Some((node, node.text()?))) else {
                continue;
            };
            let place = node
                .places_in_text()
                .map(|places| places.of(&(0..own.len())));
            if let Some(Place::Entity(entity, _) | Place::Split(entity)) = place {
                let name = self.nodes.name(text);
                bail!("{name} takes a part of its text from the entity &{entity};, which other lines would write out"; try: "? describe entity:{entity}")
            }
        }
        Ok(())
    }
}
