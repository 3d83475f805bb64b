//! Texts that are wrapped at a width.

use fcp::format::picture::{Library, TextStyle, measure};
use fcp::prelude::*;

use super::lines_of;
use crate::model::{Drawing, NodeId};

/// The attribute with that width.
pub const WRAP: &str = "data-fcp-wrap";

impl Drawing {
    /// The style of a text for measuring it.
    #[must_use]
    pub fn text_style(&self, text: NodeId) -> TextStyle {
        let styles = self.styles();
        let computed = |property| styles.computed(text, property).value;
        let weight = match computed("font-weight").trim() {
            "bold" | "bolder" => 700,
            "lighter" => 300,
            number => number.parse().unwrap_or(400),
        };
        let family = computed("font-family");
        TextStyle {
            family: family.into_owned(),
            size: styles.font_size(text),
            weight,
            italic: matches!(computed("font-style").trim(), "italic" | "oblique"),
        }
    }

    /// The width that a text is wrapped at, if it is wrapped.
    #[must_use]
    pub fn wrap_of(&self, text: NodeId) -> Option<f64> {
        let width: f64 = self.nodes.attr(text, WRAP)?.trim().parse().ok()?;
        (width.is_finite() && width > 0.0).then_some(width)
    }

    /// The lines of a text with the content `new`, wrapped if the text has a width.
    ///
    /// # Errors
    /// If it is too long to be measured, or its font size is out of bounds.
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

    /// The content of a text in the form in which ops take it: its lines, separated by line breaks,
    /// or by blanks if it is wrapped between them.
    #[must_use]
    pub fn text_content(&self, text: NodeId) -> String {
        let lines = self.lines(text);
        if lines.len() == 1 || self.wrap_of(text).is_none() {
            return lines.join("\n");
        }
        self.unbroken(text).unwrap_or_else(|_| lines.join(" "))
    }

    /// The content of a wrapped text, with its original line breaks: those before a word that would
    /// have fitted in the line.
    ///
    /// # Errors
    /// If it is too long to be measured, or its font size is out of bounds.
    pub fn unbroken(&self, text: NodeId) -> Result<String> {
        let lines = self.lines(text);
        let mut joined = String::new();
        for (at, line) in lines.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| lines.get(at));
            if let Some(before) = before {
                let word = line.split(' ').next().unwrap_or_default();
                let has_room = self.broken(text, &format!("{before} {word}"))?.len() == 1;
                joined.push(if has_room { '\n' } else { ' ' });
            }
            joined.push_str(line);
        }
        Ok(joined)
    }
}
