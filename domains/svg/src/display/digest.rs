//! The digest and the headline of a drawing.

use fcp::format::xml::{EntityRef, Kind};
use fcp::value::{FcpValue, Length};

use crate::model::Drawing;
use crate::syntax::number::Precision;

impl Drawing {
    /// Counts graphics other than text, texts, containers and definitions for the digest:
    /// `3s 1t 1g 0d`.
    pub(crate) fn tally(&self) -> Vec<String> {
        let tally = self.nodes.tally();
        vec![
            format!("{}s", tally.shapes),
            format!("{}t", tally.texts),
            // Without the root, which contains all others.
            format!("{}g", tally.containers.saturating_sub(1)),
            format!("{}d", tally.definitions),
        ]
    }

    /// The numbers of resolved and broken references, and the canvas: `refs:2 broken:1 800x600`.
    pub(crate) fn measures(&self) -> Vec<String> {
        let (resolved, broken) = self.nodes.tree().index().references();
        let mut words = vec![format!("refs:{resolved}")];
        if broken > 0 {
            words.push(format!("broken:{broken}"));
        }
        words.push(self.size_word());
        words
    }

    /// The size of the canvas, `800x600`: its width and height, or else its viewBox.
    pub(crate) fn size_word(&self) -> String {
        let root = self.nodes.root();
        let attr = |name| root.and_then(|root| self.nodes.attr(root, name));
        let number = |text: &str| {
            let digits = text.trim().trim_end_matches("px");
            digits.parse::<f64>().ok().filter(|n| n.is_finite())
        };
        let own = |name| attr(name).and_then(|text| number(&text));
        // Lengths in other units are converted to user units, unless a viewBox sets the size.
        let other = |name| {
            let text = attr(name).filter(|text| !text.contains('%'))?;
            let length = Length::parse(text.trim()).ok()?;
            let sides = Precision::decimals(2).round(length.to_user(16.0, 0.0));
            (sides > 0.0).then_some(sides)
        };
        let view: Option<Vec<f64>> = attr("viewBox").map(|text| {
            let parts = text.split([' ', ',', '\t', '\n', '\r']);
            parts.filter_map(|part| part.parse().ok()).collect()
        });
        let view = view.filter(|view| view.len() == 4);
        let side = |name, at: usize| {
            let seen = view.as_ref().and_then(|view| view.get(at).copied());
            own(name).or(seen).or_else(|| other(name))
        };
        match (side("width", 2), side("height", 3)) {
            (Some(width), Some(height)) => format!("{width}x{height}"),
            _ => "no size".to_owned(),
        }
    }

    /// The drawing's `<title>`.
    pub(crate) fn heading(&self) -> Option<String> {
        let title = self.nodes.child_called(self.nodes.root()?, "title")?;
        Some(self.nodes.text_of(title)).filter(|text| !text.is_empty())
    }

    /// The entity whose text contains an element with this id.
    pub(crate) fn entity_of(&self, id: &str) -> Option<String> {
        let tree = self.nodes.tree();
        let spelled = ["\"", "'"].map(|quote| format!("id={quote}{id}{quote}"));
        let has_it = |entity: &EntityRef| spelled.iter().any(|id| entity.text().contains(id));
        let entities =
            tree.descendants(self.nodes.root()?)
                .filter_map(|node| match tree.get(node)?.kind() {
                    Kind::Entity(entity) => Some(entity),
                    _ => None,
                });
        let found = entities.into_iter().find(|entity| has_it(entity));
        found.map(|entity| entity.name().to_owned())
    }
}
