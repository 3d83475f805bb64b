//! Changes the content, width or layout of an existing text.

use std::collections::BTreeSet;

use fcp::format::xml::{self, Kind};
use fcp::prelude::*;

use super::{LINE_HEIGHT, Layout, WRAP, Wording};
use crate::model::at_source::entities_in;
use crate::model::{Drawing, NodeId};
use crate::values::{Valign, Wrapping};

impl Drawing {
    /// The content of a text before a new layout, if it is wrapped at a width or `wording` changes
    /// its lines; otherwise `None`.
    ///
    /// # Errors
    /// If its lines should change but it has separate runs, or it cannot be measured.
    pub fn original_text(&self, text: NodeId, wording: &Wording) -> Result<Option<String>> {
        let to_break = matches!(wording.wrap, Some(Wrapping::At(_)));
        let must = to_break || wording.line_height.is_some();
        if !must && self.wrap_of(text).is_none() && wording.valign.is_none() {
            return Ok(None);
        }
        if !self.is_plain(text) {
            if must {
                let name = self.nodes.name(text);
                let what = if to_break { "broken" } else { "moved apart" };
                bail!("{name} has runs of its own, which cannot be {what}"; try: "? describe {name}")
            }
            return Ok(None);
        }
        match self.wrap_of(text) {
            Some(_) => self.unbroken(text).map(Some),
            None => Ok(Some(self.lines(text).join("\n"))),
        }
    }

    /// Changes the content of a text or of one run, the width it wraps at, or its line spacing.
    /// Otherwise wraps it again, from its content in `original`. Returns the description of the
    /// changes, or `None` if there are none.
    ///
    /// # Errors
    /// If there is no such run, the text cannot be measured, or XML forbids one of its characters.
    pub fn retext(
        &mut self,
        text: NodeId,
        wording: &Wording,
        original: Option<String>,
    ) -> Result<Option<Vec<String>>> {
        let (mut any, mut changes) = (false, Vec::new());
        let tree = self.nodes.tree_mut();
        any |= match &wording.wrap {
            Some(Wrapping::At(width)) => xml::set_attr(tree, text, WRAP, &width.to_string())?,
            Some(Wrapping::None) => {
                xml::modify_element(tree, text, |element| Ok(element.remove_attr(WRAP)))?
            }
            None => false,
        };
        let shown = |drawing: &Self| drawing.lines(text).join(" / ");
        let (before, count) = (shown(self), self.lines(text).len());
        let (comments, entities) = (self.comments_in(text), self.entities_of(text));
        let mut layout = self.layout(text);
        if let Some(height) = &wording.line_height {
            layout.height = height.get().get();
        }
        if let Some(valign) = wording.valign {
            layout.above = valign.above();
        }
        match (&wording.text, wording.run(), original) {
            (Some(new), Some(run), _) => {
                let old = self.run_text(text, run);
                if self.rewrite_run(text, run, new.as_str())? {
                    changes.push(format!("text {old} -> {}", self.run_text(text, run)));
                }
            }
            (Some(new), None, _) => {
                if self.rewrite(text, new.as_str(), layout)? {
                    changes.push(format!("text {before} -> {}", shown(self)));
                }
            }
            (None, _, Some(original)) => {
                if self.rewrite(text, &original, layout)? {
                    any = true;
                    let lines = self.lines(text).len();
                    changes.extend((lines != count).then(|| fcp::reply::count(lines, "line")));
                }
            }
            (None, _, None) => {}
        }
        let lost = comments.saturating_sub(self.comments_in(text));
        changes
            .extend((lost > 0).then(|| format!("{} removed", fcp::reply::count(lost, "comment"))));
        let left = self.entities_of(text);
        let unused = entities.difference(&left);
        changes.extend(unused.map(|entity| format!("&{entity}; no longer used in it")));
        Ok((any || !changes.is_empty()).then_some(changes))
    }

    /// The entities that the content of a text comes from.
    fn entities_of(&self, text: NodeId) -> BTreeSet<String> {
        let tree = self.nodes.tree();
        let mut found = BTreeSet::new();
        if self.nodes.doctype().is_none() {
            return found;
        }
        for node in tree.descendants(text).filter_map(|id| tree.get(id)) {
            match node.kind() {
                Kind::Entity(reference) => drop(found.insert(reference.name().to_owned())),
                Kind::Text(_) => {
                    let raw = node.raw_text().unwrap_or_default();
                    found.extend(entities_in(raw).map(str::to_owned));
                }
                _ => {}
            }
        }
        found
    }

    /// The layout of a text's lines. A single line has the layout of potential further lines:
    /// around its point, unless that is on the baseline.
    #[must_use]
    pub fn layout(&self, text: NodeId) -> Layout {
        let spans = self.nodes.tree().children(text).filter(|line| {
            let element = self.nodes.element(*line);
            element.is_some_and(|element| element.attr("x").is_some())
        });
        let down = |line: NodeId| -> Option<f64> {
            let down = self.nodes.attr(line, "dy")?;
            down.trim().strip_suffix("em")?.parse().ok()
        };
        let downs: Vec<f64> = spans.map(|line| down(line).unwrap_or_default()).collect();
        let height = downs.iter().copied().skip(1).find(|down| *down > 0.0);
        let styles = self.styles();
        let baseline = styles.computed(text, "dominant-baseline").value;
        let above = match (downs.first(), Valign::of_baseline(&baseline)) {
            // Its first line was put at its point by hand.
            (Some(0.0), _) if downs.len() > 1 => 0.0,
            (_, valign) => valign.map_or(0.0, Valign::above),
        };
        Layout {
            height: height.unwrap_or(LINE_HEIGHT),
            above,
        }
    }
}
