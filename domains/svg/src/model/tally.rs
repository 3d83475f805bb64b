//! The counts of the digest, updated with every change.

use fcp::format::xml::{self, Element, Node};
use fcp::model::{Step, Tree};

use super::kind::{self, Kind, Role};
use super::{Index, Nodes, SVG};

/// The numbers of elements by part, for the digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Graphics other than text.
    pub shapes: usize,
    /// Texts.
    pub texts: usize,
    /// Containers, including the root.
    pub containers: usize,
    /// Definitions.
    pub definitions: usize,
}

/// The part that an element counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Shape,
    Text,
    Container,
    Definition,
    None,
}

impl Tally {
    /// Counts an element, or stops counting it.
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

/// The part of an element, from its ancestors with the innermost first. Graphics and containers
/// only count if they are drawn at their place.
pub(super) fn part(element: &Element, around: &[&Element]) -> Part {
    let kind = kind::of_element(element.local_name());
    let Some(kind) = kind.filter(|_| is_svg(element, around)) else {
        return Part::None;
    };
    let mut outward = around.iter();
    of_kind(
        kind,
        outward.any(|outer| kind::holds_definitions(outer.local_name())),
    )
}

/// The part of an element of a kind; `defined` is whether it is inside a definition.
fn of_kind(kind: &Kind, defined: bool) -> Part {
    match kind.role {
        Role::Part => Part::None,
        Role::Definition => Part::Definition,
        _ if defined => Part::None,
        Role::Graphic if kind.name == "text" => Part::Text,
        Role::Graphic => Part::Shape,
        Role::Container => Part::Container,
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

/// Whether two versions of an element give its content the same meaning: by their names and prefix
/// bindings.
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
    /// The counts of the digest.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let index = self.tree().index();
        index.tally().unwrap_or_else(|| {
            let tally = self.counted();
            index.keep(tally);
            tally
        })
    }

    /// Counts the elements for the digest.
    pub(super) fn counted(&self) -> Tally {
        let mut tally = Tally::default();
        let mut defining = 0_usize;
        for step in self.tree().walk(Tree::<Node, Index>::ROOT) {
            let (Step::Enter(id) | Step::Leave(id)) = step;
            let Some(element) = self.element(id) else {
                continue;
            };
            let defines = usize::from(kind::holds_definitions(element.local_name()));
            if let Step::Leave(_) = step {
                defining = defining.saturating_sub(defines);
                continue;
            }
            let kind = kind::of_element(element.local_name()).filter(|_| self.is_svg(id));
            tally.count(
                kind.map_or(Part::None, |kind| of_kind(kind, defining > 0)),
                true,
            );
            defining += defines;
        }
        tally
    }
}
