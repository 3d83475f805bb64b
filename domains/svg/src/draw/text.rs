//! The lines of a text.

use fcp::format::xml::{self, Element, Node};
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::number::{spell_given, spell_within};

/// From line to line, as a multiple of the font's size, if nothing says it.
pub const LINE_HEIGHT: f64 = 1.2;

/// How the lines of a text stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// From line to line, as a multiple of the font's size.
    pub height: f64,
    /// How much of what further lines add lies above the text's point: 0 none, 1 all.
    pub above: f64,
}

impl Layout {
    /// Lines of a height, the first of which stands at the text's point.
    #[must_use]
    pub const fn of(height: f64) -> Self {
        Self { height, above: 0.0 }
    }

    /// How far above the text's point the first of so many lines stands, as a multiple of the font's size.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "lines of a text are few")]
    pub fn lift(self, lines: usize) -> f64 {
        lines.saturating_sub(1) as f64 * self.height * self.above
    }
}

/// The lines of a text as ops give it.
#[must_use]
pub fn lines_of(text: &str) -> Vec<&str> {
    text.split('\n')
        .map(|line| line.trim_end_matches('\r'))
        .collect()
}

impl Drawing {
    /// The texts that an element is or holds, in the order of the document.
    #[must_use]
    pub fn texts_in(&self, id: NodeId) -> Vec<NodeId> {
        let all = std::iter::once(id).chain(self.nodes.tree().descendants(id));
        all.filter(|id| self.nodes.kind_name(*id) == "text")
            .collect()
    }

    /// Writes the lines of a text that has no children: one as it is, several as `<tspan>`, each beginning at `x` and as
    /// far below the one before as the layout says.
    ///
    /// # Errors
    /// XML forbids a character of them.
    pub fn write_lines(
        &mut self,
        text: NodeId,
        lines: &[&str],
        x: &str,
        layout: Layout,
    ) -> Result<()> {
        let tree = self.nodes.tree_mut();
        if let [line] = lines {
            xml::insert_node(tree, Node::text_run(line)?, text, None)?;
            return Ok(());
        }
        // An empty line has no character that its distance could move.
        let mut down = -layout.lift(lines.len());
        for (at, line) in lines.iter().enumerate() {
            down += if at == 0 { 0.0 } else { layout.height };
            if line.is_empty() {
                continue;
            }
            let mut span = Element::new(&xml::qualified_like(tree, text, "tspan"))?.with("x", x)?;
            if down != 0.0 {
                let down = if down == layout.height {
                    spell_given(down)
                } else {
                    spell_within(down, 1e-9)
                };
                span = span.with("dy", &format!("{down}em"))?;
            }
            let span = xml::insert_node(tree, Node::from(span), text, None)?;
            xml::insert_node(tree, Node::text_run(line)?, span, None)?;
            down = 0.0;
        }
        Ok(())
    }

    /// The lines of a text, as `<tspan>` elements with an `x` of their own make them.
    #[must_use]
    pub fn lines(&self, text: NodeId) -> Vec<String> {
        let nodes = &self.nodes;
        let mut lines = vec![String::new()];
        for child in nodes.tree().children(text) {
            let begins = nodes.element(child).is_some_and(|element| {
                element.local_name() == "tspan" && element.attr("x").is_some()
            });
            let node = nodes.tree().get(child);
            let own = match node.and_then(Node::text) {
                Some(own) => own.trim().to_owned(),
                None if nodes.element(child).is_some() => nodes.text_of(child),
                None => continue,
            };
            match lines.last_mut() {
                Some(last) if !begins || last.is_empty() => last.push_str(&own),
                _ => lines.push(own),
            }
        }
        lines
    }
}
