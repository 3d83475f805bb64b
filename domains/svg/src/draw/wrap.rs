//! Texts whose lines are broken where they would be too wide.

use fcp::format::picture::{Library, TextStyle, measure};
use fcp::prelude::*;

use super::lines_of;
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
}
