//! Writes properties where they take effect.

use std::fmt;

use fcp::diag::Diagnostic;
use fcp::format::xml;
use fcp::prelude::*;

use crate::model::at_source::{set_at_source, set_parts_at_source};
use crate::model::{Drawing, NodeId};
use crate::property::Property;
use crate::syntax::declarations::Declarations;

use super::shorthand::{is_style_only, value_for};
use super::splice::Masked;
use super::{Origin, Styles};

/// The place for a property that nothing declares.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// The presentation attribute.
    Attr,
    /// `style=`.
    Style,
}

/// The place where a property was written, as in replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The presentation attribute.
    Attribute,
    /// `style=`.
    Style,
    /// `style=`, because this rule overrides the attribute.
    StyleOver(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Attribute => f.write_str("attr"),
            Self::Style => f.write_str("style"),
            Self::StyleOver(rule) => write!(f, "style, over rule {rule}"),
        }
    }
}

/// A property that was written, or was set already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The element.
    pub id: NodeId,
    /// The property's long name.
    pub property: &'static str,
    /// The old computed value.
    pub before: String,
    /// The new value.
    pub after: String,
    /// The place where it was written; `None` if the element had this value already.
    pub place: Option<Place>,
}

impl Drawing {
    /// Sets a property of an element where it takes effect; `value` is from [`Property::check`].
    ///
    /// # Errors
    /// See [`Self::write_styles`].
    pub fn write_style(
        &mut self,
        id: NodeId,
        property: &'static Property,
        value: &str,
        via: Option<Via>,
    ) -> Result<Written> {
        let written = self.write_styles(&[id], &[(property, value.to_owned())], via)?;
        let first = written.into_iter().next();
        first.ok_or_else(|| Diagnostic::new("nothing to write"))
    }

    /// Sets properties of elements, each where it takes effect: in an existing declaration in
    /// `style=`, or in an existing attribute that no rule overrides, or in `style=` if a rule
    /// overrides attributes, or in the place in `via`, or in an existing `style=`, or in the
    /// attribute. The results are in order of elements, then of properties.
    ///
    /// # Errors
    /// If something stronger overrides the value, or it cannot be written.
    pub fn write_styles(
        &mut self,
        ids: &[NodeId],
        values: &[(&'static Property, String)],
        via: Option<Via>,
    ) -> Result<Vec<Written>> {
        let styles = self.styles();
        styles.whole()?;
        let mut all = Vec::new();
        for id in ids {
            for (property, value) in values {
                all.push(styles.plan(*id, property, value, via)?);
            }
        }
        let attributes = all
            .iter()
            .filter(|written| written.place == Some(Place::Attribute));
        let values = attributes.map(|written| {
            let name = Some(written.property.to_owned());
            (written.id, name, written.after.clone())
        });
        for (id, name, value) in set_at_source(self, values.collect())? {
            xml::replace_attr(self.nodes.tree_mut(), id, &name.unwrap_or_default(), &value)?;
        }
        for written in &all {
            match &written.place {
                Some(Place::Attribute) => {}
                Some(_) => self.declare(written.id, written.property, &written.after)?,
                None => {}
            }
        }
        let styles = self.styles();
        for written in &all {
            styles.confirm(written)?;
        }
        Ok(all)
    }

    /// Edits declarations of a `style=` attribute by index: `Some` is a new value, including
    /// `!important`, and `None` removes it. Removes the attribute if nothing is left.
    ///
    /// # Errors
    /// If there is no such element.
    pub(crate) fn redeclare(
        &mut self,
        id: NodeId,
        edits: &[(usize, Option<String>)],
    ) -> Result<()> {
        let edits = &*self.declared_elsewhere(id, edits)?;
        xml::modify_element(self.nodes.tree_mut(), id, |element| {
            let Some(raw) = element.raw_attr("style") else {
                return Ok(());
            };
            let masked = Masked::of(raw);
            let new = Declarations::of_attribute(&masked.text).edited(edits);
            if Declarations::of_attribute(&new).is_empty() {
                element.remove_attr("style");
                return Ok(());
            }
            let (part, text) = masked.splice(&new);
            element.replace_in_attr("style", &[(part, text)])
        })
    }

    /// Changes the declarations of a `style=` attribute that come from entities where those are
    /// declared, and returns the other edits.
    fn declared_elsewhere(
        &mut self,
        id: NodeId,
        edits: &[(usize, Option<String>)],
    ) -> Result<Vec<(usize, Option<String>)>> {
        let element = self.nodes.element(id);
        let Some(element) = element.filter(|element| element.entities().is_some()) else {
            return Ok(edits.to_vec());
        };
        let text = element.attr("style").unwrap_or_default();
        let masked = Masked::of(element.raw_attr("style").unwrap_or_default());
        let all = Declarations::of_attribute(&text);
        if all.all().len() != Declarations::of_attribute(&masked.text).all().len() {
            let title = self.titled(id);
            bail!(
                "a declaration in style of {title} comes from an entity: write the attribute out first"
            )
        }
        let part = |(ix, new): &(usize, Option<String>)| {
            let one = all.all().get(*ix)?;
            Some((one.value.start..one.span.end, new.clone()?))
        };
        let parts: Vec<_> = edits.iter().map(part).collect();
        let known: Vec<_> = parts.iter().flatten().cloned().collect();
        let mut done = set_parts_at_source(self, (id, "style"), &known)?.into_iter();
        let others = edits.iter().zip(&parts).filter(|(_, part)| {
            let is_done = part.is_some() && done.next().unwrap_or_default();
            !is_done
        });
        Ok(others.map(|(edit, _)| edit.clone()).collect())
    }

    /// Adds a declaration to `style=`.
    pub(crate) fn declare(&mut self, id: NodeId, property: &str, value: &str) -> Result<()> {
        let text = self.nodes.attr(id, "style").unwrap_or_default();
        let there = Declarations::of_attribute(&text);
        if let Some(range) = there.get(property).map(|one| one.value.clone()) {
            let part = (range, value.to_owned());
            if set_parts_at_source(self, (id, "style"), &[part])?.contains(&true) {
                return Ok(());
            }
        }
        xml::modify_element(self.nodes.tree_mut(), id, |element| {
            let Some(raw) = element.raw_attr("style") else {
                return element
                    .set_attr("style", &format!("{property}:{value}"))
                    .map(drop);
            };
            let masked = Masked::of(raw);
            let new = Declarations::of_attribute(&masked.text).set(property, value);
            let (part, text) = masked.splice(&new);
            element.replace_in_attr("style", &[(part, text)])
        })
    }

    /// Whether an element itself sets an attribute or a property, by the attribute or in `style=`.
    #[must_use]
    pub fn declares(&self, id: NodeId, property: &str) -> bool {
        let element = self.nodes.element(id);
        element.is_some_and(|element| {
            let style = element.attr("style").unwrap_or_default();
            let declared = Declarations::of_attribute(&style).unset(property).is_some();
            declared || element.attr(property).is_some()
        })
    }

    /// Removes a property from an element: its attribute, and its declarations in `style=`, which
    /// is removed if nothing is left in it. Returns whether there was one.
    ///
    /// # Errors
    /// If the row is not an element.
    pub fn unset(&mut self, id: NodeId, property: &str) -> Result<bool> {
        xml::modify_element(self.nodes.tree_mut(), id, |element| {
            let mut any = element.remove_attr(property);
            if let Some(raw) = element.raw_attr("style") {
                let masked = Masked::of(raw);
                let kept = Declarations::of_attribute(&masked.text).unset(property);
                if let Some(new) = kept {
                    any = true;
                    if Declarations::of_attribute(&new).is_empty() {
                        element.remove_attr("style");
                    } else {
                        let (part, text) = masked.splice(&new);
                        element.replace_in_attr("style", &[(part, text)])?;
                    }
                }
            }
            Ok(any)
        })
    }
}

impl Styles<'_> {
    /// Finds the place to write a property.
    fn plan(
        &self,
        id: NodeId,
        property: &'static Property,
        value: &str,
        via: Option<Via>,
    ) -> Result<Written> {
        let name = property.name;
        let own = self.specified(id, name);
        let written = |place| Written {
            id,
            property: name,
            before: self.computed(id, name).value.into_owned(),
            after: value.to_owned(),
            place,
        };
        let element = xml::element(self.nodes.tree(), id)?;
        let declared = element.attr("style").is_some_and(|style| {
            let all = Declarations::of_attribute(&style);
            all.all()
                .iter()
                .any(|one| value_for(all.name(one), all.value(one), name).is_some())
        });
        let place = match own {
            Some(own) if own.value == value => return Ok(written(None)),
            Some(own) if matches!(own.origin, Origin::Rule(_)) => {
                let Origin::Rule(selector) = own.origin else {
                    return Ok(written(None));
                };
                if own.important {
                    return Err(self.important(id, name, value, &selector));
                }
                if declared {
                    Place::Style
                } else {
                    Place::StyleOver(selector)
                }
            }
            _ if declared || is_style_only(name) => Place::Style,
            Some(_) => Place::Attribute,
            None => match via {
                Some(Via::Attr) => Place::Attribute,
                Some(Via::Style) => Place::Style,
                None if element.raw_attr("style").is_some() => Place::Style,
                None => Place::Attribute,
            },
        };
        Ok(written(Some(place)))
    }

    /// The error that an `!important` rule overrides an element's value.
    fn important(&self, id: NodeId, property: &str, value: &str, selector: &str) -> Diagnostic {
        let name = self.nodes.name(id);
        let error = Diagnostic::new(format!(
            "{property} of {name} is !important in rule {selector}"
        ));
        let class = selector
            .strip_prefix('.')
            .filter(|class| crate::syntax::id::is_legal(class));
        match class {
            Some(_) => {
                let value = fcp::op::quote_value(value);
                error.or_try(format!("style {selector} {property}:{value}"))
            }
            None => error.or_try(format!("? css {name}")),
        }
    }

    /// Checks that a written value is in effect.
    fn confirm(&self, written: &Written) -> Result<()> {
        let own = self.specified(written.id, written.property);
        if own.as_ref().is_some_and(|own| own.value == written.after) {
            return Ok(());
        }
        let name = self.nodes.name(written.id);
        let computed = self.computed(written.id, written.property);
        let (value, origin) = (computed.value, computed.origin.label(self.nodes));
        bail!("{} of {name} would stay {value} ({origin})", written.property; try: "? css {name}")
    }
}
