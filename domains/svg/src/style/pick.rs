//! Elements by what they are painted with.

use std::cell::RefCell;
use std::collections::HashMap;

use fcp::model::Level;
use fcp::prelude::*;
use fcp::value::Color;

use crate::href::url_id;
use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};
use crate::values::PaintPick;

use super::Styles;

/// How many values are named.
const NAMED: usize = 5;

/// Whether paints are of some kind, by their numbers: asked or not, and if so what they tell.
type Seen = RefCell<Vec<Option<Option<bool>>>>;

impl Styles<'_> {
    /// What a computed colour looks like, `currentColor` followed; nothing if it is no colour.
    #[must_use]
    pub fn color(&self, id: NodeId, property: &str) -> Option<[u8; 4]> {
        let value = self.computed(id, property).value;
        let color = Color::read(value.trim())?;
        match color.rgba() {
            None if property != "color" => self.color(id, "color"),
            rgba => rgba,
        }
    }

    /// Whether a graphic's computed paint is of some kind. Where the paint alone tells, one like it was perhaps looked at
    /// before: then `seen` has the answer by the paint's number.
    fn is_painted(&self, id: NodeId, stroke: bool, wanted: &PaintPick, seen: &Seen) -> bool {
        let property = if stroke { "stroke" } else { "fill" };
        let Some(place) = self.paint(id, stroke) else {
            let value = self.computed(id, property).value;
            let told = self.tells(&value, wanted);
            return told.unwrap_or_else(|| self.wears(id, property, wanted));
        };
        let mut seen = seen.borrow_mut();
        if seen.len() <= place {
            seen.resize(place + 1, None);
        }
        let told = || {
            let derived = self.nodes.derived();
            derived.value(place).map(|value| self.tells(value, wanted))
        };
        let told = match seen.get(place).copied().flatten() {
            Some(told) => told,
            None => told().unwrap_or_default(),
        };
        if let Some(slot) = seen.get_mut(place) {
            *slot = Some(told);
        }
        told.unwrap_or_else(|| self.wears(id, property, wanted))
    }

    /// The number of an element's computed fill or stroke; nothing where it cannot be kept.
    fn paint(&self, id: NodeId, stroke: bool) -> Option<usize> {
        let known = self.nodes.derived().paint(id, stroke);
        if known.is_some() || !self.are_kept() {
            return known;
        }
        let property = if stroke { "stroke" } else { "fill" };
        let value = self.computed(id, property).value;
        self.nodes.derived().keep_paint(id, stroke, &value)
    }

    /// Whether a paint is of some kind; nothing where that is up to the element that has it.
    fn tells(&self, value: &str, wanted: &PaintPick) -> Option<bool> {
        let target = |kind: &str, wanted: &Option<String>| {
            let Some(id) = url_id(value) else {
                return false;
            };
            let found = self.nodes.tree().index().with_id(id, Level::Exact);
            let kinds = |id: &u32| self.nodes.kind_name(NodeId::new(*id)) == kind;
            found.first().is_some_and(kinds) && wanted.as_ref().is_none_or(|wanted| wanted == id)
        };
        Some(match wanted {
            PaintPick::Color(color) => match (color.rgba(), Color::read(value.trim())) {
                (Some(rgba), Some(own)) => own.rgba()? == rgba,
                (Some(_), None) => false,
                (None, _) => value.eq_ignore_ascii_case("currentcolor"),
            },
            PaintPick::Word(word) => value.trim() == *word,
            PaintPick::Gradient(wanted) => target("gradient", wanted),
            PaintPick::Pattern(wanted) => target("pattern", wanted),
            PaintPick::Url(wanted) => url_id(value) == Some(wanted),
        })
    }

    /// Whether an element's colour, `currentColor` followed, is the one that is wanted.
    fn wears(&self, id: NodeId, property: &str, wanted: &PaintPick) -> bool {
        let PaintPick::Color(color) = wanted else {
            return false;
        };
        color
            .rgba()
            .is_some_and(|rgba| self.color(id, property) == Some(rgba))
    }

    /// The values that graphics have of a property, as they are spelled first, with how many have each: colours before
    /// other paints, the most used first. Same colours are one.
    #[must_use]
    pub fn values(&self, property: &str, of: impl Fn(NodeId) -> bool) -> Vec<(String, usize)> {
        let mut places: HashMap<(Option<[u8; 4]>, String), usize> = HashMap::new();
        let mut values: Vec<(bool, String, usize)> = Vec::new();
        for id in self.nodes.elements().filter(|id| of(*id)) {
            let value = self.nodes.shown_value(&self.computed(id, property).value);
            let color = self.color(id, property);
            let key = (
                color,
                if color.is_some() {
                    String::new()
                } else {
                    value.clone()
                },
            );
            let at = *places.entry(key).or_insert(values.len());
            match values.get_mut(at) {
                Some((_, _, n)) => *n += 1,
                None => values.push((value == "none", value, 1)),
            }
        }
        values.sort_by_key(|(none, _, n)| (*none, std::cmp::Reverse(*n)));
        values.into_iter().map(|(_, value, n)| (value, n)).collect()
    }

    /// Whether an element is a graphic that selectors reach.
    #[must_use]
    pub fn is_graphic(&self, id: NodeId) -> bool {
        self.nodes.role(id) == Role::Graphic
    }
}

/// The graphics whose computed fill or stroke is this paint.
///
/// # Errors
/// No gradient or pattern has the id.
pub(crate) fn painted<'d>(
    drawing: &'d Drawing,
    property: &'static str,
    wanted: PaintPick,
) -> Result<Pick<'d>, ValueError> {
    if let PaintPick::Gradient(Some(_)) | PaintPick::Pattern(Some(_)) | PaintPick::Url(_) = &wanted
    {
        let known = crate::property::named("fill");
        if let Some(known) = known {
            super::value(&drawing.nodes, known, &wanted.to_string())?;
        }
    }
    let (styles, seen) = (drawing.styles(), Seen::default());
    let stroke = property == "stroke";
    let pick = Pick::test(move |row| {
        let id = NodeId::new(row.id());
        styles.is_painted(id, stroke, &wanted, &seen) && styles.is_graphic(id)
    });
    Ok(pick.or_tell(move || {
        let styles = drawing.styles();
        let values = styles.values(property, |id| styles.is_graphic(id));
        tallied(&format!("{property}s"), &values)
    }))
}

/// Values with their numbers: `#eee 2, none 3`.
fn counted(values: &[(String, usize)]) -> String {
    let shown = values
        .iter()
        .take(NAMED)
        .map(|(value, n)| format!("{value} {n}"));
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if values.len() > NAMED {
        text.push_str(&format!(", … {} more", values.len() - NAMED));
    }
    text
}

/// What there is of something, for a selector that picks nothing.
pub(crate) fn tallied(what: &str, values: &[(String, usize)]) -> Nothing {
    let there = match values {
        [] => format!("no {what}"),
        values => format!("{what}: {}", counted(values)),
    };
    Nothing {
        there,
        instead: values.first().map(|(value, _)| value.clone()),
    }
}
