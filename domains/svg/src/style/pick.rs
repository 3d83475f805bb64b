//! Finds elements by their paint.

use std::cell::RefCell;
use std::collections::HashMap;

use fcp::prelude::*;
use fcp::value::Color;

use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};
use crate::syntax::href::url_id;
use crate::values::PaintPick;

use super::Styles;

/// The most values to list.
const NAMED: usize = 5;

/// Cached results by paint number: whether the paint was tested, and the result if the paint alone
/// determines it.
type Seen = RefCell<Vec<Option<Option<bool>>>>;

impl Styles<'_> {
    /// The computed colour of an element, with `currentColor` resolved; `None` if the value is not
    /// a colour.
    #[must_use]
    pub fn color(&self, id: NodeId, property: &str) -> Option<[u8; 4]> {
        let value = self.computed(id, property).value;
        let color = Color::read(value.trim())?;
        match color.rgba() {
            None if property != "color" => self.color(id, "color"),
            rgba => rgba,
        }
    }

    /// Whether a graphic's computed paint matches. If the paint alone determines that, `seen`
    /// caches the result by the paint's number.
    fn is_painted(&self, id: NodeId, stroke: bool, wanted: &PaintPick, seen: &Seen) -> bool {
        let property = if stroke { "stroke" } else { "fill" };
        let Some(place) = self.paint(id, stroke) else {
            let value = self.computed(id, property).value;
            let matched = self.paint_matches(&value, wanted);
            return matched.unwrap_or_else(|| self.wears(id, property, wanted));
        };
        let mut seen = seen.borrow_mut();
        if seen.len() <= place {
            seen.resize(place + 1, None);
        }
        let matched = || {
            let derived = self.nodes.derived();
            derived
                .value(place)
                .map(|value| self.paint_matches(value, wanted))
        };
        let matched = match seen.get(place).copied().flatten() {
            Some(matched) => matched,
            None => matched().unwrap_or_default(),
        };
        if let Some(slot) = seen.get_mut(place) {
            *slot = Some(matched);
        }
        matched.unwrap_or_else(|| self.wears(id, property, wanted))
    }

    /// The number of an element's computed fill or stroke; `None` if it cannot be cached.
    fn paint(&self, id: NodeId, stroke: bool) -> Option<usize> {
        let known = self.nodes.derived().paint(id, stroke);
        if known.is_some() || !self.are_kept() {
            return known;
        }
        let property = if stroke { "stroke" } else { "fill" };
        let value = self.computed(id, property).value;
        self.nodes.derived().keep_paint(id, stroke, &value)
    }

    /// Whether a paint matches; `None` if that depends on its element.
    fn paint_matches(&self, value: &str, wanted: &PaintPick) -> Option<bool> {
        let target = |kind: &str, wanted: &Option<String>| {
            let Some(id) = url_id(value) else {
                return false;
            };
            let found = self.nodes.tree().index().first_with_id(id);
            let kinds = |id: u32| self.nodes.kind_name(NodeId::new(id)) == kind;
            found.is_some_and(kinds) && wanted.as_ref().is_none_or(|wanted| wanted == id)
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

    /// Whether an element has the wanted colour, with `currentColor` resolved.
    fn wears(&self, id: NodeId, property: &str, wanted: &PaintPick) -> bool {
        let PaintPick::Color(color) = wanted else {
            return false;
        };
        color
            .rgba()
            .is_some_and(|rgba| self.color(id, property) == Some(rgba))
    }

    /// The values of a property of graphics, in their first spelling, with their counts: colours
    /// before other paints, the most frequent first. Equal colours are counted together.
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

    /// Whether an element is a graphic for selectors.
    #[must_use]
    pub fn is_graphic(&self, id: NodeId) -> bool {
        self.nodes.role(id) == Role::Graphic
    }
}

/// The graphics whose computed fill or stroke is this paint.
///
/// # Errors
/// If no gradient or pattern has the id.
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

/// Values with their counts: `#eee 2, none 3`.
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

/// The existing values, for a selector that matches nothing.
pub(crate) fn tallied(what: &str, values: &[(String, usize)]) -> Nothing {
    let there = match values {
        [] => format!("no {what}"),
        values => format!("{what}: {}", counted(values)),
    };
    Nothing {
        there,
        values: values.iter().map(|(value, _)| value.clone()).collect(),
    }
}
