//! Computes the styles of all elements, one after the other in document order.
//!
//! Inherited values are handed down from each element to its children, so that deep elements cost
//! no more than others. The results agree with [`Styles::computed`].

use std::collections::BTreeMap;

use fcp::work;

use crate::model::NodeId;
use crate::property;

use super::font_size::{MEDIUM, VIEWER_MEDIUM, size, viewer_size};
use super::font_weight::{NORMAL, weight};
use super::shorthand::Keyword;
use super::{Computed, Origin, Styles, is_clear};

/// The steps of computing or inheriting a value.
const STEPS_A_VALUE: usize = 2;

/// The computed style of an element: the values of all properties that are set, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct ComputedStyle<'s> {
    /// The values, with their origins.
    pub values: BTreeMap<String, Computed<'s>>,
    /// Its font size.
    pub font_size: f64,
    /// Its font size in viewers, whose default is another.
    pub viewer_size: f64,
    /// Its font weight.
    pub font_weight: u16,
    /// Whether it or an ancestor is not displayed, or fully transparent.
    pub is_hidden: bool,
}

impl ComputedStyle<'_> {
    /// The value of a property, or its initial value if it is not set.
    pub fn value(&self, property: &str) -> &str {
        match self.values.get(property) {
            Some(computed) => &computed.value,
            None => property::named(property).map_or("", |known| known.initial),
        }
    }
}

/// The ancestors of the last element, with their computed styles.
pub(crate) struct Cascade<'s, 'd> {
    styles: &'s Styles<'d>,
    stack: Vec<(NodeId, ComputedStyle<'s>)>,
}

impl<'s, 'd> Cascade<'s, 'd> {
    pub const fn new(styles: &'s Styles<'d>) -> Self {
        Self {
            styles,
            stack: Vec::new(),
        }
    }

    /// Computes the style of an element. Its ancestors must have been entered before.
    pub fn enter(&mut self, id: NodeId) -> &ComputedStyle<'s> {
        let parent = self.styles.parent(id);
        while self
            .stack
            .last()
            .is_some_and(|(own, _)| Some(*own) != parent)
        {
            self.stack.pop();
        }
        let style = self.computed_style(id, self.stack.last().map(|(_, style)| style));
        let (_, style) = self.stack.push_mut((id, style));
        style
    }

    /// Computes the style of an element, and of its ancestors that were not entered before.
    pub fn reach(&mut self, id: NodeId) -> &ComputedStyle<'s> {
        let mut way = Vec::new();
        let mut outer = self.styles.parent(id);
        while let Some(next) = outer {
            let mut open = self.stack.iter().rev();
            if open.any(|(own, _)| *own == next) {
                break;
            }
            way.push(next);
            outer = self.styles.parent(next);
        }
        for outer in way.into_iter().rev() {
            self.enter(outer);
        }
        self.enter(id)
    }

    fn computed_style(&self, id: NodeId, around: Option<&ComputedStyle<'s>>) -> ComputedStyle<'s> {
        let mut style = ComputedStyle {
            font_size: around.map_or(MEDIUM, |around| around.font_size),
            viewer_size: around.map_or(VIEWER_MEDIUM, |around| around.viewer_size),
            font_weight: around.map_or(NORMAL, |around| around.font_weight),
            is_hidden: around.is_some_and(|around| around.is_hidden),
            ..ComputedStyle::default()
        };
        let parent = self.styles.parent(id);
        let from = |name: &str| {
            let (_, known) = around?.values.get_key_value(name)?;
            let origin = match (&known.origin, parent) {
                (Origin::Inherited(_) | Origin::Initial, _) | (_, None) => known.origin.clone(),
                (_, Some(parent)) => Origin::Inherited(parent),
            };
            Some(Computed {
                value: known.value.clone(),
                origin,
            })
        };
        for name in around.into_iter().flat_map(|around| around.values.keys()) {
            if property::named(name).is_some_and(|known| known.inherited) {
                style
                    .values
                    .extend(from(name).map(|value| (name.clone(), value)));
            }
        }
        for (name, own) in self.styles.all_specified(id) {
            let Some(own) = self.styles.replaced(id, own) else {
                continue;
            };
            let inherited = property::named(&name).is_some_and(|known| known.inherited);
            let keyword = Keyword::of(&own.value, inherited);
            if keyword == Some(Keyword::Initial) {
                match name.as_str() {
                    "font-size" => {
                        style.font_size = MEDIUM;
                        style.viewer_size = VIEWER_MEDIUM;
                    }
                    "font-weight" => style.font_weight = NORMAL,
                    _ => {}
                }
            }
            if let Some(keyword) = keyword {
                match from(&name).filter(|_| keyword == Keyword::Inherit) {
                    Some(value) => drop(style.values.insert(name, value)),
                    None => drop(style.values.remove(&name)),
                }
                continue;
            }
            match name.as_str() {
                "font-size" => {
                    style.font_size = size(&own.value, style.font_size);
                    style.viewer_size = viewer_size(&own.value, style.viewer_size);
                }
                "font-weight" => style.font_weight = weight(&own.value, style.font_weight),
                "display" => style.is_hidden |= own.value == "none",
                "opacity" => style.is_hidden |= is_clear(&own.value),
                _ => {}
            }
            let computed = Computed {
                value: own.value,
                origin: own.origin,
            };
            style.values.insert(name, computed);
        }
        // The call fails at its next check.
        let _ = work::spend(STEPS_A_VALUE * (1 + style.values.len()));
        style
    }
}
