//! Writes properties where they take effect.

use std::borrow::Cow;
use std::fmt;

use fcp::diag::Diagnostic;
use fcp::format::xml;
use fcp::prelude::*;
use fcp::work;

use crate::model::at_source::{entity_in, set_at_source};
use crate::model::{Drawing, NodeId};
use crate::property::Property;
use crate::syntax::declarations::Declarations;

use super::matching::Matcher;
use super::op_properties::in_css;
use super::shorthand::{canonical, is_style_only, value_for};
use super::splice::Decoded;
use super::{Origin, Styles, style_of};

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
    /// The declaration of this entity, from which the attribute takes its value.
    Entity(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Attribute => f.write_str("attr"),
            Self::Style => f.write_str("style"),
            Self::StyleOver(rule) => write!(f, "style, over rule {rule}"),
            Self::Entity(name) => write!(f, "entity &{name};"),
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
    /// A rule in an at-rule that may override it all the same.
    pub unsure: Option<String>,
}

/// The new value of a declaration by its index, including `!important`; `None` removes it.
pub(crate) type Redeclared = (usize, Option<String>);

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
        let sources: Vec<_> = all.iter().map(|one| self.entity_source(one)).collect();
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
        let mut declared: Vec<(NodeId, Vec<(&str, &str)>)> = Vec::new();
        for written in &all {
            if matches!(written.place, None | Some(Place::Attribute)) {
                continue;
            }
            let value = (written.property, written.after.as_str());
            match declared.last_mut().filter(|(id, _)| *id == written.id) {
                Some((_, values)) => values.push(value),
                None => declared.push((written.id, vec![value])),
            }
        }
        self.declare(&declared)?;
        for (written, source) in all.iter_mut().zip(sources) {
            let Some((raw, entity)) = source else {
                continue;
            };
            // The attribute refers to the entity as before, whose declaration is what changed.
            if self
                .entity_source(written)
                .is_some_and(|(now, _)| now == raw)
            {
                written.place = Some(Place::Entity(entity));
            }
        }
        let styles = self.styles();
        for written in &all {
            styles.confirm(written)?;
        }
        Ok(all)
    }

    /// The attribute of a written value as it is spelled, and the entity that it refers to.
    fn entity_source(&self, written: &Written) -> Option<(String, String)> {
        let attribute = match written.place.as_ref()? {
            Place::Attribute => written.property,
            _ => "style",
        };
        let raw = self.nodes.element(written.id)?.raw_attr(attribute)?;
        Some((raw.to_owned(), entity_in(raw)?.to_owned()))
    }

    /// Edits declarations of `style=` attributes by index: `Some` is a new value, including
    /// `!important`, and `None` removes it. Removes an attribute if nothing is left.
    ///
    /// # Errors
    /// If there is no such element, or an entity that contains a declaration has another use.
    pub(crate) fn redeclare(&mut self, edits: &[(NodeId, Vec<Redeclared>)]) -> Result<()> {
        self.restyle(edits.iter().map(|(id, edits)| {
            let edited = |text: &str| Declarations::of_attribute(text).edited(edits);
            (*id, edited)
        }))
    }

    /// Adds declarations to `style=`, or gives them new values.
    pub(crate) fn declare(&mut self, values: &[(NodeId, Vec<(&str, &str)>)]) -> Result<()> {
        for (id, values) in values {
            let element = xml::element(self.nodes.tree(), *id)?;
            if element.raw_attr("style").is_none() {
                let values = values.iter();
                let all: Vec<String> = values
                    .map(|(name, value)| format!("{name}:{value}"))
                    .collect();
                let tree = self.nodes.tree_mut();
                xml::modify_element(tree, *id, |element| {
                    element.set_attr("style", &all.join("; "))
                })?;
            }
        }
        self.restyle(values.iter().map(|(id, values)| {
            let edited = |text: &str| {
                let values = values.iter();
                values.fold(text.to_owned(), |text, (name, value)| {
                    Declarations::of_attribute(&text).set(name, value)
                })
            };
            (*id, edited)
        }))
    }

    /// Edits the declarations of `style=` attributes, and removes an attribute if nothing is left.
    /// Parts from entities are edited where the entities are declared, all at once.
    fn restyle<F>(&mut self, edits: impl Iterator<Item = (NodeId, F)>) -> Result<()>
    where
        F: Fn(&str) -> String,
    {
        let mut values = Vec::new();
        for (id, edited) in edits {
            let element = xml::element(self.nodes.tree(), id)?;
            let Some(raw) = element.raw_attr("style") else {
                continue;
            };
            // The declarations in an entity are visible only in the value.
            let decoded = match entity_in(raw) {
                Some(_) => None,
                None => Some(Decoded::of(raw)),
            };
            let text = match &decoded {
                Some(decoded) => Cow::Borrowed(decoded.text.as_str()),
                None => element.attr("style").unwrap_or_default(),
            };
            let new = edited(&text);
            if new == text {
                continue;
            }
            if Declarations::of_attribute(&new).is_empty() {
                let tree = self.nodes.tree_mut();
                xml::modify_element(tree, id, |element| Ok(element.remove_attr("style")))?;
                continue;
            }
            match decoded {
                Some(decoded) => {
                    let (part, text) = decoded.splice(&new);
                    let tree = self.nodes.tree_mut();
                    xml::modify_element(tree, id, |element| {
                        element.replace_in_attr("style", &[(part, text)])
                    })?;
                }
                None => values.push((id, Some("style".to_owned()), new)),
            }
        }
        for (id, _, value) in set_at_source(self, values)? {
            let tree = self.nodes.tree_mut();
            xml::modify_element(tree, id, |element| element.set_attr("style", &value))?;
        }
        Ok(())
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
    /// See [`Self::unset_all`].
    pub fn unset(&mut self, id: NodeId, property: &str) -> Result<bool> {
        let done = self.unset_all(&[id], &[property])?;
        Ok(done.contains(&true))
    }

    /// Like [`Self::unset`], for several elements and properties. The results are in order of
    /// elements, then of properties.
    ///
    /// # Errors
    /// If a row is not an element, or an entity that contains a declaration has another use.
    pub fn unset_all(&mut self, ids: &[NodeId], properties: &[&str]) -> Result<Vec<bool>> {
        let mut done = Vec::new();
        for id in ids {
            let element = xml::element(self.nodes.tree(), *id)?;
            let style = element.attr("style").unwrap_or_default();
            let declared = Declarations::of_attribute(&style);
            let is_there =
                |name: &&str| element.attr(name).is_some() || declared.get(name).is_some();
            done.extend(properties.iter().map(is_there));
            xml::modify_element(self.nodes.tree_mut(), *id, |element| {
                for name in properties {
                    element.remove_attr(name);
                }
                Ok(())
            })?;
        }
        self.restyle(ids.iter().map(|id| {
            let edited = |text: &str| {
                properties.iter().fold(text.to_owned(), |text, name| {
                    let left = Declarations::of_attribute(&text).unset(name);
                    left.unwrap_or(text)
                })
            };
            (*id, edited)
        }))?;
        Ok(done)
    }
}

/// The beginning of a part of a sheet, on one line.
fn shortened(text: &str) -> String {
    let words = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words,
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
        let in_css = in_css(property, value);
        let unevaluated = self.unevaluated(id, name);
        let strong = unevaluated.as_ref().filter(|(_, important)| *important);
        let written = |place| Written {
            id,
            property: name,
            before: self.computed(id, name).value.into_owned(),
            after: match place {
                Some(Place::Style | Place::StyleOver(_)) => in_css.clone().into_owned(),
                _ => value.to_owned(),
            },
            place,
            unsure: strong.map(|(rule, _)| rule.clone()),
        };
        let element = xml::element(self.nodes.tree(), id)?;
        let declared = element.attr("style").is_some_and(|style| {
            let all = Declarations::of_attribute(&style);
            all.all()
                .iter()
                .any(|one| value_for(all.name(one), all.value(one), name).is_some())
        });
        let is_set = own.as_ref().is_some_and(|own| match own.origin {
            Origin::Attribute => own.value == value && unevaluated.is_none(),
            _ => own.value == in_css,
        });
        let place = match own {
            Some(own) if is_set => {
                return Ok(Written {
                    after: own.value.into_owned(),
                    ..written(None)
                });
            }
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
        let place = match (place, &unevaluated) {
            (Place::Attribute, Some((rule, _))) => Place::StyleOver(rule.clone()),
            (place, _) => place,
        };
        Ok(written(Some(place)))
    }

    /// The rule in an at-rule that sets a property of an element if the condition of the at-rule
    /// holds, and whether as `!important`. Conditions are not evaluated.
    fn unevaluated(&self, id: NodeId, property: &str) -> Option<(String, bool)> {
        let mut found: Option<(String, bool)> = None;
        let matcher = Matcher::new(self.nodes);
        for nested in &self.rules.nested {
            // The call fails at its next check.
            work::spend(1 + nested.declared.len()).ok()?;
            let text = |range: &std::ops::Range<usize>| self.text_of(nested.sheet, range);
            let sets = nested.declared.iter().filter(|one| {
                let name = canonical(text(&one.name));
                value_for(&name, text(&one.value), property).is_some()
            });
            let important = sets.map(|one| one.important).max();
            let Some(important) = important else { continue };
            let weaker = found
                .as_ref()
                .is_some_and(|(_, known)| *known && !important);
            let mut selectors = nested.selectors.iter().filter(|_| !weaker);
            if let Some((span, _)) = selectors.find(|(_, one)| matcher.matches(one, id)) {
                let rule = format!(
                    "{} in {}",
                    shortened(text(span)),
                    shortened(text(&nested.at))
                );
                found = Some((rule, important));
            }
        }
        found
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
        if let Some((custom, style)) = self.hidden_by(written) {
            let style = fcp::op::quote(&style);
            bail!("{} of {name} is after {custom}, where the renderer does not read it", written.property;
                try: "set {name} style {style}")
        }
        let computed = self.computed(written.id, written.property);
        let (value, origin) = (computed.value, computed.origin.label(self.nodes));
        bail!("{} of {name} would stay {value} ({origin})", written.property; try: "? css {name}")
    }
    /// The custom property in `style=` before a written value, and the style with all of these at its end.
    fn hidden_by(&self, written: &Written) -> Option<(String, String)> {
        let style = self.nodes.element(written.id).and_then(style_of)?;
        let all = Declarations::of_attribute(&style);
        all.get(written.property)?;
        let is_custom = |name: &&str| name.starts_with("--");
        let mut names = all.all().iter().map(|one| all.name(one));
        let custom = names
            .by_ref()
            .take_while(|name| *name != written.property)
            .find(is_custom)?;
        let each = all.all().iter().map(|one| (all.name(one), all.value(one)));
        let (custom_ones, others): (Vec<_>, Vec<_>) = each.partition(|(name, _)| is_custom(name));
        let each = others.into_iter().chain(custom_ones);
        let each: Vec<String> = each
            .map(|(name, value)| format!("{name}:{value}"))
            .collect();
        Some((custom.to_owned(), each.join(";")))
    }
}
