//! Writing a property where it takes effect.

use std::fmt;

use fcp::diag::Diagnostic;
use fcp::format::xml;
use fcp::prelude::*;

use crate::declarations::Declarations;
use crate::model::{Drawing, NodeId};
use crate::property::Property;

use super::shorthand::{is_style_only, value_for};
use super::splice::Masked;
use super::{Origin, Styles};

/// Where a property that nothing declares is written.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// The presentation attribute.
    Attr,
    /// `style=`.
    Style,
}

/// Where a property was written, as replies tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The presentation attribute.
    Attribute,
    /// `style=`.
    Style,
    /// `style=`, because this rule beats the attribute.
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

/// A property that was written, or held already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The element.
    pub id: NodeId,
    /// The property's long name.
    pub property: &'static str,
    /// What held before.
    pub before: String,
    /// What holds now.
    pub after: String,
    /// Where it was written; nothing if the element said so already.
    pub place: Option<Place>,
}

impl Drawing {
    /// Sets a property of an element where it takes effect: `value` as [`Property::check`] gives it.
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

    /// Sets properties of elements, each where it takes effect: a declaration in `style=` that stands, else an attribute
    /// that stands and is not beaten, else `style=` where a rule beats attributes, else what `via` says, else `style=`
    /// if there is one, else the attribute. In the order of elements, then of properties.
    ///
    /// # Errors
    /// Something stronger holds, so that the value would not take effect; a value cannot be written.
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
        for written in &all {
            match &written.place {
                Some(Place::Attribute) => {
                    let tree = self.nodes.tree_mut();
                    xml::replace_attr(tree, written.id, written.property, &written.after)?;
                }
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

    /// Edits declarations of a `style=` attribute by their places: a new value, `!important` included, or none to remove
    /// it. The attribute goes when nothing is left.
    ///
    /// # Errors
    /// There is no such element.
    pub(crate) fn redeclare(
        &mut self,
        id: NodeId,
        edits: &[(usize, Option<String>)],
    ) -> Result<()> {
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
            element.replace_in_attr("style", part, text)
        })
    }

    /// Puts a declaration into `style=`.
    pub(crate) fn declare(&mut self, id: NodeId, property: &str, value: &str) -> Result<()> {
        xml::modify_element(self.nodes.tree_mut(), id, |element| {
            let Some(raw) = element.raw_attr("style") else {
                return element
                    .set_attr("style", &format!("{property}:{value}"))
                    .map(drop);
            };
            let masked = Masked::of(raw);
            let new = Declarations::of_attribute(&masked.text).set(property, value);
            let (part, text) = masked.splice(&new);
            element.replace_in_attr("style", part, text)
        })
    }

    /// Whether an element itself says something of an attribute or a property, by the attribute or in `style=`.
    #[must_use]
    pub fn declares(&self, id: NodeId, property: &str) -> bool {
        let element = self.nodes.element(id);
        element.is_some_and(|element| {
            let style = element.attr("style").unwrap_or_default();
            let declared = Declarations::of_attribute(&style).unset(property).is_some();
            declared || element.attr(property).is_some()
        })
    }

    /// Removes a property from an element: its attribute, and its declarations in `style=`, which goes when nothing is
    /// left in it. Says whether there was one.
    ///
    /// # Errors
    /// It is no element.
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
                        element.replace_in_attr("style", part, text)?;
                    }
                }
            }
            Ok(any)
        })
    }
}

impl Styles<'_> {
    /// Where a property is to be written.
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

    /// The error that a rule says more than an element can.
    fn important(&self, id: NodeId, property: &str, value: &str, selector: &str) -> Diagnostic {
        let name = self.nodes.name(id);
        let error = Diagnostic::new(format!(
            "{property} of {name} is !important in rule {selector}"
        ));
        let class = selector
            .strip_prefix('.')
            .filter(|class| crate::id::is_legal(class));
        match class {
            Some(_) => {
                let value = fcp::op::quote_value(value);
                error.or_try(format!("style {selector} {property}:{value}"))
            }
            None => error.or_try(format!("? css {name}")),
        }
    }

    /// That what was written holds.
    fn confirm(&self, written: &Written) -> Result<()> {
        let own = self.specified(written.id, written.property);
        if own.as_ref().is_some_and(|own| own.value == written.after) {
            return Ok(());
        }
        let name = self.nodes.name(written.id);
        let computed = self.computed(written.id, written.property);
        let (value, origin) = (computed.value, computed.origin.told(self.nodes));
        bail!("{} of {name} would stay {value} ({origin})", written.property; try: "? css {name}")
    }
}
