//! The parameters of texts.

use fcp::prelude::*;
use fcp::value::{Decimal, Length, Unsigned};

use crate::model::kind::{BOX, LINK};
use crate::model::{Drawing, NodeId};
use crate::property::{self, Property};
use crate::style;
use crate::values::{Valign, Wrapping};

/// Parameters of texts, and of the labels of boxes.
#[derive(FcpParams)]
pub struct Wording {
    /// Its text.
    #[fcp(alias = "label")]
    pub text: Option<Text>,
    /// Which run of a text, if several have styles of their own.
    pub run: Option<Int<1, 20_000>>,
    /// The width that its lines are broken at, or none.
    pub wrap: Option<Wrapping>,
    /// Slanted.
    pub italic: Option<Switch>,
    /// Which part of it lies at its point.
    pub valign: Option<Valign>,
    /// From line to line, as a multiple of the font's size.
    pub line_height: Option<Unsigned<Decimal>>,
    /// The place on its path at which it begins.
    pub start_offset: Option<Spanned<Length>>,
    /// The size of a box's letters.
    pub text_size: Option<Unsigned<Decimal>>,
    /// The fill of a box's letters.
    pub text_fill: Option<Spanned<Text>>,
}

impl Wording {
    /// The selected run, counted from 1.
    #[must_use]
    pub fn run(&self) -> Option<usize> {
        self.run
            .map(|run| usize::try_from(run.get()).unwrap_or(usize::MAX))
    }

    /// A given key that this kind of object does not have.
    fn foreign(&self, kind: &str) -> Option<&'static str> {
        let (texts, boxes): (&[&str], &[&str]) = (&["text"], &[BOX]);
        let labelled: &[&str] = &["text", BOX, LINK];
        let all = [
            ("text", labelled, self.text.is_some()),
            ("run", labelled, self.run.is_some()),
            ("wrap", texts, self.wrap.is_some()),
            ("italic", texts, self.italic.is_some()),
            ("valign", texts, self.valign.is_some()),
            ("line-height", labelled, self.line_height.is_some()),
            ("start-offset", texts, self.start_offset.is_some()),
            ("text-size", boxes, self.text_size.is_some()),
            ("text-fill", boxes, self.text_fill.is_some()),
        ];
        let foreign =
            |(_, kinds, is_given): &(&str, &[&str], bool)| *is_given && !kinds.contains(&kind);
        all.into_iter().find(foreign).map(|(key, _, _)| key)
    }

    /// Checks that an object has the given keys; returns the text that they apply to.
    ///
    /// # Errors
    /// If it lacks one of them, or the text cannot take the new content.
    pub fn text_of(&self, drawing: &Drawing, id: NodeId) -> Result<Option<NodeId>> {
        let nodes = &drawing.nodes;
        let (kind, name) = (nodes.kind_name(id), nodes.name(id));
        let label = nodes.shown_text(id);
        // A box or a link without its text has no text keys, like a shape.
        let labelled = if label.is_some() { kind } else { "" };
        if let Some(key) = self.foreign(labelled) {
            if let Some(text) = self
                .text
                .as_ref()
                .filter(|_| key == "text" && nodes.holds_text(id))
            {
                let [new, name] = [text.as_str(), &name].map(|text| text.replace('\'', "''"));
                bail!("{name} is a {kind}, which has no {key}:"; try: "UPDATE elements SET text='{new}' WHERE ref='{name}'")
            }
            bail!("{name} is a {kind}, which has no {key}:"; try: "? describe {name}")
        }
        if self.run.is_some() && self.text.is_none() {
            bail!("run: goes with text:"; add: "text:Text")
        }
        if let (Some(label), Some(text)) = (label, &self.text) {
            drawing.is_rewritable(label, self.run(), text.as_str())?;
        }
        Ok(label)
    }

    /// Whether the given content is that of the text, and nothing else of its lines is given.
    #[must_use]
    pub fn keeps(&self, drawing: &Drawing, text: NodeId) -> bool {
        let has_more = self.run.is_some()
            || self.wrap.is_some()
            || self.valign.is_some()
            || self.line_height.is_some();
        let is_same = |new: &Text| new.as_str() == drawing.text_content(text);
        !has_more && self.text.as_ref().is_some_and(is_same)
    }

    /// The properties that they set.
    ///
    /// # Errors
    /// If a value is invalid.
    pub fn properties(&self, drawing: &Drawing) -> Result<Vec<(&'static Property, String)>> {
        let slant = self
            .italic
            .map(|italic| if italic.0 { "italic" } else { "normal" });
        let plain = [
            ("font-style", slant.map(str::to_owned)),
            (
                "dominant-baseline",
                self.valign.map(|valign| valign.baseline().to_owned()),
            ),
            (
                "font-size",
                self.text_size.as_ref().map(|size| size.get().to_string()),
            ),
        ];
        let set = plain
            .into_iter()
            .filter_map(|(name, value)| Some((property::named(name)?, value?)));
        let mut all: Vec<_> = set.collect();
        if let (Some(fill), Some(given)) = (property::named("fill"), &self.text_fill) {
            let value = style::value(&drawing.nodes, fill, given.get().as_str());
            all.push((fill, value.map_err(|error| given.wrong(error))?));
        }
        Ok(all)
    }
}
