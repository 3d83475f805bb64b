//! What the digest counts, kept up by the change.

use fcp::format::xml::{self, Element};

use super::kind::{self, Role};
use super::{Nodes, SVG};

/// How many elements there are of each part that the digest tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Graphics other than text.
    pub shapes: usize,
    /// Texts.
    pub texts: usize,
    /// Containers, the root included.
    pub containers: usize,
    /// Definitions.
    pub definitions: usize,
}

/// What an element counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Shape,
    Text,
    Container,
    Definition,
    None,
}

impl Tally {
    /// Counts an element, or does not any more.
    pub(super) fn count(&mut self, part: Part, there: bool) {
        let count = match part {
            Part::Shape => &mut self.shapes,
            Part::Text => &mut self.texts,
            Part::Container => &mut self.containers,
            Part::Definition => &mut self.definitions,
            Part::None => return,
        };
        *count = if there {
            count.saturating_add(1)
        } else {
            count.saturating_sub(1)
        };
    }
}

/// What an element counts as, by those around it, the innermost first: graphics and containers only where they are drawn
/// in place.
pub(super) fn part(element: &Element, around: &[&Element]) -> Part {
    let Some(kind) = kind::of_element(element.local_name()) else {
        return Part::None;
    };
    if kind.role == Role::Part || !is_svg(element, around) {
        return Part::None;
    }
    let defined = || {
        around
            .iter()
            .any(|outer| kind::holds_definitions(outer.local_name()))
    };
    match kind.role {
        Role::Definition => Part::Definition,
        _ if defined() => Part::None,
        Role::Graphic if kind.name == "text" => Part::Text,
        Role::Graphic => Part::Shape,
        Role::Container | Role::Part => Part::Container,
    }
}

/// See [`Nodes::is_svg`].
fn is_svg(element: &Element, around: &[&Element]) -> bool {
    let uri = |from: usize, element: &Element| {
        let outward = std::iter::once(element).chain(around.iter().skip(from).copied());
        let (prefix, _) = element.name().split_once(':').unwrap_or_default();
        xml::bound(outward, prefix).map(|uri| uri == SVG)
    };
    uri(0, element).unwrap_or_else(|| {
        let root = around.last().copied().unwrap_or(element);
        uri(around.len(), root).is_none()
    })
}

/// Whether what stands in an element is the same by both of its contents: its name and the prefixes it binds.
pub(super) fn means_the_same(before: Option<&Element>, after: Option<&Element>) -> bool {
    let (Some(before), Some(after)) = (before, after) else {
        return before.is_none() && after.is_none();
    };
    let bound = |element: &Element| -> Vec<(String, String)> {
        let values = element.attrs().iter().zip(element.values());
        let bound = values.filter(|(attr, _)| attr.name().starts_with("xmlns"));
        let mut bound: Vec<(String, String)> = bound
            .map(|(_, (name, value))| (name.to_owned(), value.into_owned()))
            .collect();
        bound.sort();
        bound
    };
    before.name() == after.name() && bound(before) == bound(after)
}

impl Nodes {
    /// What the digest counts.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let index = self.tree().index();
        index.tally().unwrap_or_else(|| {
            let tally = self.counted();
            index.keep(tally);
            tally
        })
    }

    /// What the digest counts, counted from the elements.
    pub(super) fn counted(&self) -> Tally {
        let mut tally = Tally::default();
        for id in self.elements() {
            let around = self.tree().ancestors(id);
            let around: Vec<&Element> = around.filter_map(|id| self.element(id)).collect();
            if let Some(element) = self.element(id) {
                tally.count(part(element, &around), true);
            }
        }
        tally
    }
}
