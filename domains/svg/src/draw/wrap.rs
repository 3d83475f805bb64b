//! Texts whose lines are broken where they would be too wide.

use fcp::format::picture::{Library, TextStyle, measure};
use fcp::format::xml;
use fcp::prelude::*;

use super::{LINE_HEIGHT, lines_of};
use crate::model::{Drawing, NodeId};

/// The attribute that keeps the width.
pub const WRAP: &str = "data-fcp-wrap";

impl Drawing {
    /// The style of a text, as it is measured.
    #[must_use]
    pub fn text_style(&self, text: NodeId) -> TextStyle {
        let styles = self.styles();
        let said = |property| styles.computed(text, property).value;
        let weight = match said("font-weight").trim() {
            "bold" | "bolder" => 700,
            "lighter" => 300,
            number => number.parse().unwrap_or(400),
        };
        let family = said("font-family");
        TextStyle {
            family: family.into_owned(),
            size: styles.font_size(text),
            weight,
            italic: matches!(said("font-style").trim(), "italic" | "oblique"),
        }
    }

    /// The width that a text is broken at, if it is.
    #[must_use]
    pub fn wrap_of(&self, text: NodeId) -> Option<f64> {
        let width: f64 = self.nodes.attr(text, WRAP)?.trim().parse().ok()?;
        (width.is_finite() && width > 0.0).then_some(width)
    }

    /// The lines that a text comes to if it says `new`: broken where it keeps a width.
    ///
    /// # Errors
    /// It is too long to be measured, or its font's size is out of bounds.
    pub fn broken(&self, text: NodeId, new: &str) -> Result<Vec<String>> {
        let Some(width) = self.wrap_of(text) else {
            return Ok(lines_of(new).into_iter().map(str::to_owned).collect());
        };
        let refused = |error: fcp::format::picture::Error| {
            let name = self.nodes.name(text);
            Diagnostic::new(error.to_string()).or_try(format!("? describe {name}"))
        };
        let library = Library::of(&self.host.fonts).map_err(refused)?;
        let style = self.text_style(text);
        let found = measure(&library, new, &style, Some(width)).map_err(refused)?;
        Ok(found.lines.into_iter().map(|line| line.text).collect())
    }

    /// What a text that is broken at a width says, with the line breaks that were there before it was broken: those
    /// before a word that would have had room.
    ///
    /// # Errors
    /// It is too long to be measured, or its font's size is out of bounds.
    pub fn unbroken(&self, text: NodeId) -> Result<String> {
        let lines = self.lines(text);
        let mut said = String::new();
        for (at, line) in lines.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| lines.get(at));
            if let Some(before) = before {
                let word = line.split(' ').next().unwrap_or_default();
                let has_room = self.broken(text, &format!("{before} {word}"))?.len() == 1;
                said.push(if has_room { '\n' } else { ' ' });
            }
            said.push_str(line);
        }
        Ok(said)
    }

    /// What a text says that is broken at a width, or is to be; nothing for any other.
    ///
    /// # Errors
    /// It is to be broken and has runs of its own styles, or it cannot be measured.
    pub fn said_before(&self, text: NodeId, to_break: bool) -> Result<Option<String>> {
        if !to_break && self.wrap_of(text).is_none() {
            return Ok(None);
        }
        if !self.is_plain(text) {
            if to_break {
                let name = self.nodes.name(text);
                bail!("{name} has runs of its own, which are not broken"; try: "? describe {name}")
            }
            return Ok(None);
        }
        match self.wrap_of(text) {
            Some(_) => self.unbroken(text).map(Some),
            None => Ok(Some(self.lines(text).join("\n"))),
        }
    }

    /// Gives a text another content, one of its runs where that is asked for, and another width that it is broken at. If
    /// neither, it is broken anew, from what it `said`. Hands back what to tell of it; nothing if nothing changed.
    ///
    /// # Errors
    /// There is no such run, it cannot be measured, or XML forbids a character of it.
    pub fn retext(
        &mut self,
        text: NodeId,
        new: Option<(&Text, Option<usize>)>,
        width: Option<&str>,
        said: Option<String>,
    ) -> Result<Option<Vec<String>>> {
        let (mut any, mut told) = (false, Vec::new());
        if let Some(width) = width {
            any |= xml::set_attr(self.nodes.tree_mut(), text, WRAP, width)?;
        }
        let shown = |drawing: &Self| drawing.lines(text).join(" / ");
        let (before, count) = (shown(self), self.lines(text).len());
        match (new, said) {
            (Some((new, Some(run))), _) => {
                let old = self.run_text(text, run);
                if self.rewrite_run(text, run, new.as_str())? {
                    told.push(format!("text {old} -> {}", self.run_text(text, run)));
                }
            }
            (Some((new, None)), _) => {
                if self.rewrite(text, new.as_str())? {
                    told.push(format!("text {before} -> {}", shown(self)));
                }
            }
            (None, Some(said)) => {
                if self.rewrite(text, &said)? {
                    any = true;
                    let lines = self.lines(text).len();
                    let plural = if lines == 1 { "" } else { "s" };
                    told.extend((lines != count).then(|| format!("{lines} line{plural}")));
                }
            }
            (None, None) => {}
        }
        Ok((any || !told.is_empty()).then_some(told))
    }

    /// From line to line, as a multiple of the font's size: what the first distance of a text's lines says.
    pub(super) fn line_height(&self, text: NodeId) -> f64 {
        let mut said = self.nodes.tree().children(text).filter_map(|line| {
            let down = self.nodes.attr(line, "dy")?;
            let number: f64 = down.trim().strip_suffix("em")?.parse().ok()?;
            (number > 0.0).then_some(number)
        });
        said.next().unwrap_or(LINE_HEIGHT)
    }
}
