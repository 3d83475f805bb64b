//! Lines of texts.

use fcp::format::xml::{self, Element, Node};
use fcp::model::Step;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::syntax::number::{spell_given, spell_within};

/// The default line spacing, as a multiple of the font size.
pub const LINE_HEIGHT: f64 = 1.2;

/// The layout of a text's lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// The line spacing, as a multiple of the font size.
    pub height: f64,
    /// The part of the further lines' height that is above the text's point: 0 none, 1 all.
    pub above: f64,
}

impl Layout {
    /// Lines with a spacing, the first of them at the text's point.
    #[must_use]
    pub const fn of(height: f64) -> Self {
        Self { height, above: 0.0 }
    }

    /// The distance of the first of `lines` lines above the text's point, as a multiple of the font
    /// size.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "lines of a text are few")]
    pub fn lift(self, lines: usize) -> f64 {
        lines.saturating_sub(1) as f64 * self.height * self.above
    }
}

/// The lines of a text in an op.
#[must_use]
pub fn lines_of(text: &str) -> Vec<&str> {
    text.split('\n')
        .map(|line| line.trim_end_matches('\r'))
        .collect()
}

impl Drawing {
    /// The texts in an element, itself included, in document order.
    #[must_use]
    pub fn texts_in(&self, id: NodeId) -> Vec<NodeId> {
        let all = std::iter::once(id).chain(self.nodes.tree().descendants(id));
        all.filter(|id| self.nodes.kind_name(*id) == "text")
            .collect()
    }

    /// Writes the lines of a text without children: a single line as plain text, several as
    /// `<tspan>` elements that start at `x` and are spaced by the layout.
    ///
    /// # Errors
    /// If XML forbids one of their characters.
    pub fn write_lines(
        &mut self,
        text: NodeId,
        lines: &[&str],
        x: &str,
        layout: Layout,
    ) -> Result<()> {
        self.write_lines_in(text, lines, (x, layout), &[])
    }

    /// Like [`write_lines`](Self::write_lines), into the `<tspan>` elements of earlier lines as far as
    /// there are any. Those that are not needed any more are removed.
    ///
    /// # Errors
    /// If XML forbids one of their characters.
    pub(super) fn write_lines_in(
        &mut self,
        text: NodeId,
        lines: &[&str],
        (x, layout): (&str, Layout),
        earlier: &[NodeId],
    ) -> Result<()> {
        let mut earlier = earlier.iter().copied();
        let tree = self.nodes.tree_mut();
        if let [line] = lines {
            xml::insert_node(tree, Node::text_run(line)?, text, None)?;
            return Ok(());
        }
        // An empty line has no character to carry its distance.
        let mut down = -layout.lift(lines.len());
        for (at, line) in lines.iter().enumerate() {
            down += if at == 0 { 0.0 } else { layout.height };
            if line.is_empty() {
                continue;
            }
            let dy = (down != 0.0).then(|| {
                let down = if down == layout.height {
                    spell_given(down)
                } else {
                    spell_within(down, 1e-9)
                };
                format!("{down}em")
            });
            down = 0.0;
            if let Some(span) = earlier.next() {
                xml::set_attr(tree, span, "x", x)?;
                match &dy {
                    Some(dy) => xml::set_attr(tree, span, "dy", dy)?,
                    None => xml::modify_element(tree, span, |own| Ok(own.remove_attr("dy")))?,
                };
                let run = tree.children(span).next();
                let mut done = Ok(false);
                run.map(|run| tree.modify(run, |node: &mut Node| done = node.set_text(line)));
                done?;
                continue;
            }
            let mut span = Element::new(&xml::qualified_like(tree, text, "tspan"))?.with("x", x)?;
            if let Some(dy) = &dy {
                span = span.with("dy", dy)?;
            }
            let span = xml::insert_node(tree, Node::from(span), text, None)?;
            xml::insert_node(tree, Node::text_run(line)?, span, None)?;
        }
        for span in earlier {
            tree.remove(span);
        }
        Ok(())
    }

    /// The lines of a text, without titles and descriptions. A `<tspan>` with an `x` starts a new line.
    #[must_use]
    pub fn lines(&self, text: NodeId) -> Vec<String> {
        let nodes = &self.nodes;
        let mut lines = vec![String::new()];
        // The title or description that is being read.
        let mut apart: Option<NodeId> = None;
        nodes.read_text(text, |step, piece| {
            match step {
                Some(Step::Leave(id)) if apart == Some(id) => {
                    apart = None;
                    return;
                }
                Some(Step::Enter(id)) if apart.is_none() => {
                    let is_apart = nodes.is_called(id, "title") || nodes.is_called(id, "desc");
                    apart = Some(id).filter(|id| is_apart && *id != text);
                    if nodes.is_called(id, "tspan") && nodes.attr(id, "x").is_some() {
                        lines.push(String::new());
                    }
                }
                _ => {}
            }
            if let Some(last) = lines.last_mut().filter(|_| apart.is_none()) {
                last.push_str(piece);
            }
        });
        let mut lines: Vec<String> = lines.iter().map(|line| one_line(line)).collect();
        lines.retain(|line| !line.is_empty());
        if lines.is_empty() {
            lines.push(String::new());
        }
        lines
    }
}

/// A line as it is drawn: without whitespace at its ends, and with a blank for each line break of the source.
pub(super) fn one_line(text: &str) -> String {
    let mut pieces = text.split(['\n', '\r']).map(str::trim);
    let first = pieces.next().unwrap_or_default().to_owned();
    let rest = pieces.filter(|piece| !piece.is_empty());
    let line = rest.fold(first, |line, piece| line + " " + piece);
    line.trim().to_owned()
}
