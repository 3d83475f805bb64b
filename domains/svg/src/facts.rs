//! What the digest and the headline say of a drawing.

use crate::model::kind::{self, Role};
use crate::model::{Drawing, NodeId, Nodes, SVG};

/// How many elements there are of each role that the digest tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    shapes: usize,
    texts: usize,
    containers: usize,
    definitions: usize,
}

impl Tally {
    fn add(&mut self, local: &str, n: usize) {
        match kind::of_element(local) {
            Some(kind) if kind.name == "text" => self.texts += n,
            Some(kind) if kind.role == Role::Graphic => self.shapes += n,
            Some(kind) if kind.role == Role::Container => self.containers += n,
            Some(kind) if kind.role == Role::Definition => self.definitions += n,
            _ => {}
        }
    }

    /// What is left without the graphics and containers that stand in definitions.
    const fn without(self, defined: Self) -> Self {
        Self {
            shapes: self.shapes.saturating_sub(defined.shapes),
            texts: self.texts.saturating_sub(defined.texts),
            containers: self.containers.saturating_sub(defined.containers),
            definitions: self.definitions,
        }
    }
}

impl Nodes {
    fn all(&self) -> Tally {
        let mut tally = Tally::default();
        let root = self.root();
        let binding: Vec<NodeId> = self.tree().index().binding().map(NodeId::new).collect();
        if binding.iter().all(|id| Some(*id) == root) {
            // Prefixes mean the same everywhere: names can be told by what is counted anyway.
            for (name, n) in self.tree().index().names() {
                let (prefix, local) = name.split_once(':').unwrap_or(("", name));
                let uri =
                    root.and_then(|root| fcp::format::xml::namespace(self.tree(), root, prefix));
                if uri.map_or(prefix.is_empty(), |uri| uri == SVG) {
                    tally.add(local, n);
                }
            }
        } else {
            for id in self.elements().filter(|id| self.is_svg(*id)) {
                tally.add(
                    self.element(id).map_or("", |element| element.local_name()),
                    1,
                );
            }
        }
        // The root is what holds them all.
        tally.containers = tally.containers.saturating_sub(1);
        tally
    }

    /// What stands in definitions.
    fn defined(&self) -> Tally {
        let mut tally = Tally::default();
        let defining = self.tree().index().defining().map(NodeId::new);
        for id in defining.filter(|id| !self.is_defined(*id)) {
            for inner in self.tree().descendants(id) {
                if let Some(element) = self.element(inner).filter(|_| self.is_svg(inner)) {
                    tally.add(element.local_name(), 1);
                }
            }
        }
        tally
    }
}

impl Drawing {
    /// Graphics other than text, texts, containers and definitions, as the digest counts them: `3s 1t 1g 0d`.
    pub(crate) fn tally(&self) -> Vec<String> {
        let tally = self.nodes.all().without(self.nodes.defined());
        vec![
            format!("{}s", tally.shapes),
            format!("{}t", tally.texts),
            format!("{}g", tally.containers),
            format!("{}d", tally.definitions),
        ]
    }

    /// References that resolve, those that do not, and the canvas: `refs:2 broken:1 800x600`.
    pub(crate) fn measures(&self) -> Vec<String> {
        let (resolved, broken) = self.nodes.tree().index().references();
        let mut words = vec![format!("refs:{resolved}")];
        if broken > 0 {
            words.push(format!("broken:{broken}"));
        }
        words.push(self.size_word());
        words
    }

    /// The canvas: `800x600`, by width and height, else by the viewBox.
    pub(crate) fn size_word(&self) -> String {
        let root = self.nodes.root();
        let attr = |name| root.and_then(|root| self.nodes.attr(root, name));
        let number = |text: &str| {
            let digits = text.trim().trim_end_matches("px");
            digits.parse::<f64>().ok().filter(|n| n.is_finite())
        };
        let own = |name| attr(name).and_then(|text| number(&text));
        let view: Option<Vec<f64>> = attr("viewBox").map(|text| {
            let parts = text.split([' ', ',', '\t', '\n', '\r']);
            parts.filter_map(|part| part.parse().ok()).collect()
        });
        let view = view.filter(|view| view.len() == 4);
        let side = |name, at: usize| own(name).or(view.as_ref().map(|view| view[at]));
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
}
