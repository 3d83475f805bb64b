//! Properties as geometry needs them.

use std::borrow::Cow;

use fcp::format::xml::Element;
use fcp::prelude::FcpValue;
use fcp::value::{Length, LengthUnit};

use crate::declarations::Declarations;
use crate::model::{NodeId, Nodes};

/// What a font measures where nothing says otherwise, as renderers have it.
const FONT_SIZE: f64 = 12.0;

/// The properties of elements: what `style` declares, else the attribute.
pub(super) struct LookedUp<'d> {
    nodes: &'d Nodes,
}

impl<'d> LookedUp<'d> {
    pub(super) const fn new(nodes: &'d Nodes) -> Self {
        Self { nodes }
    }

    /// What the element itself says of a property.
    pub(super) fn specified(&self, id: NodeId, property: &str) -> Option<Cow<'d, str>> {
        let element = self.nodes.element(id)?;
        declared(element, property).or_else(|| element.attr(property))
    }

    /// Whether `style` declares a property, so that the attribute does not count.
    pub(super) fn is_declared(&self, id: NodeId, property: &str) -> bool {
        let element = self.nodes.element(id);
        element.is_some_and(|element| declared(element, property).is_some())
    }

    /// Whether the element itself says that it is not displayed.
    pub(super) fn is_hidden(&self, id: NodeId) -> bool {
        self.specified(id, "display")
            .is_some_and(|display| display.trim() == "none")
    }

    /// The size of the element's font, in user units.
    pub(super) fn font_size(&self, id: NodeId) -> f64 {
        let mut factor = 1.0;
        for id in std::iter::once(id).chain(self.nodes.tree().ancestors(id)) {
            let Some(text) = self.specified(id, "font-size") else {
                continue;
            };
            match Length::parse(text.trim()) {
                Ok(size) => match size.unit() {
                    LengthUnit::Em => factor *= size.number(),
                    LengthUnit::Ex => factor *= size.number() / 2.0,
                    LengthUnit::Percent => factor *= size.number() / 100.0,
                    _ => return factor * size.to_user(FONT_SIZE, FONT_SIZE),
                },
                Err(_) => factor *= 1.2_f64.powi(steps(text.trim())),
            }
        }
        factor * FONT_SIZE
    }
}

fn declared<'d>(element: &'d Element, property: &str) -> Option<Cow<'d, str>> {
    let style = element.attr("style")?;
    let all = Declarations::of_attribute(&style);
    let value = all.get(property).map(|one| all.value(one).to_owned())?;
    Some(Cow::Owned(value))
}

/// How many steps of 1.2 a word for a size is from the size around it, as renderers have it.
fn steps(word: &str) -> i32 {
    match word {
        "xx-small" => -3,
        "x-small" => -2,
        "small" | "smaller" => -1,
        "large" | "larger" => 1,
        "x-large" => 2,
        "xx-large" => 3,
        _ => 0,
    }
}
