//! Calculations for the verbs that move: they make all edits before the first change.
//! Styles, ids and attributes of other kinds are changed in `edit`.

mod flatten;
mod kept_position;
mod painted;
mod pick;
mod redraw;
mod resize;
mod shift;
mod turn;

use fcp::format::xml::{modify_element, replace_attr};
use fcp::prelude::*;

use crate::geometry::Geometry;
use crate::model::at_source::set_at_source;
use crate::model::{Drawing, NodeId};
use crate::property::Property;
use crate::style::Origin;
use crate::syntax::declarations::Declarations;
use crate::transform::{Syntax, TransformList};

pub use flatten::baked;
pub use kept_position::{Boxes, brought, kept};
pub use pick::{are_movable, around, centers, frame, movable, report_places, report_transforms};
pub use resize::{KEPT, scaled_geometry, sized};
pub use shift::{shifted, shifted_to};
pub use turn::{Turn, laid_over, rotated};

/// A change of one element.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The element.
    pub id: NodeId,
    /// Its change.
    pub kind: EditKind,
}

/// The change in an [`Edit`].
#[derive(Clone, Debug, PartialEq)]
pub enum EditKind {
    /// An attribute, with its value.
    Attribute(String, String),
    /// A property, written where it takes effect.
    Property(&'static Property, String),
    /// The list of transforms, at its current place; an empty one is removed.
    Transform(Syntax, String),
}

impl Edit {
    /// Replaces the text of a list of transforms.
    pub fn transform(id: NodeId, list: &TransformList, text: String) -> Self {
        Self {
            id,
            kind: EditKind::Transform(list.syntax(), text),
        }
    }

    /// The same change, for another element.
    #[must_use]
    pub fn on(self, id: NodeId) -> Self {
        Self { id, ..self }
    }

    /// Whether it is a change of an attribute of this element.
    fn is_attribute_of(&self, id: NodeId) -> bool {
        self.id == id && matches!(self.kind, EditKind::Attribute(..))
    }

    fn property(id: NodeId, property: &'static Property, value: String) -> Self {
        Self {
            id,
            kind: EditKind::Property(property, value),
        }
    }

    pub(crate) fn attribute(id: NodeId, name: &str, value: String) -> Self {
        Self {
            id,
            kind: EditKind::Attribute(name.to_owned(), value),
        }
    }
}

impl Drawing {
    /// Makes edits of elements that are copies: a value that comes from an entity and changes is
    /// written out.
    ///
    /// # Errors
    /// If an element does not exist.
    pub fn make_of_copies(&mut self, edits: Vec<Edit>) -> Result<bool> {
        for Edit { id, kind } in &edits {
            let (name, value) = match kind {
                EditKind::Attribute(name, value) => (name.as_str(), value),
                EditKind::Transform(Syntax::Attribute, value) => ("transform", value),
                _ => continue,
            };
            let element = self.nodes.element(*id);
            if element.is_some_and(|element| element.would_lose(name, value).is_some()) {
                replace_attr(self.nodes.tree_mut(), *id, name, value)?;
            }
        }
        self.make(edits)
    }

    /// Makes the edits of attributes that come from entities where these are declared. Returns the others, and whether
    /// anything changed.
    ///
    /// # Errors
    /// If an entity has another use, or one that would change otherwise.
    fn make_at_source(&mut self, edits: Vec<Edit>) -> Result<(Vec<Edit>, bool)> {
        let reason = |edit: &Edit| match &edit.kind {
            EditKind::Attribute(name, value) => self.keeps_entity(edit.id, name, value).err(),
            _ => None,
        };
        let Some(reason) = edits.iter().find_map(reason) else {
            return Ok((edits, false));
        };
        let (mut values, mut others) = (Vec::new(), Vec::new());
        for Edit { id, kind } in edits {
            match kind {
                EditKind::Attribute(name, value) => values.push((id, Some(name), value)),
                kind => others.push(Edit { id, kind }),
            }
        }
        let left = set_at_source(self, values).map_err(|_| reason)?;
        let left = left.into_iter();
        others
            .extend(left.filter_map(|(id, name, value)| Some(Edit::attribute(id, &name?, value))));
        Ok((others, true))
    }

    /// Makes edits. Returns whether anything changed.
    ///
    /// # Errors
    /// If an element does not exist, or a value comes from an entity.
    pub fn make(&mut self, edits: Vec<Edit>) -> Result<bool> {
        let (edits, mut any) = self.make_at_source(edits)?;
        let mut edits = edits.into_iter().peekable();
        while let Some(Edit { id, kind }) = edits.next() {
            any |= match kind {
                EditKind::Attribute(name, value) => {
                    let mut values = vec![(name, value)];
                    while let Some(next) = edits.next_if(|next| next.is_attribute_of(id)) {
                        if let EditKind::Attribute(name, value) = next.kind {
                            values.push((name, value));
                        }
                    }
                    self.put_attrs(id, &values)?
                }
                EditKind::Property(property, value) => {
                    let written = self.write_style(id, property, &value, None)?;
                    written.place.is_some()
                }
                EditKind::Transform(Syntax::Attribute, text) if text.trim().is_empty() => {
                    let tree = self.nodes.tree_mut();
                    modify_element(tree, id, |element| Ok(element.remove_attr("transform")))?
                }
                EditKind::Transform(Syntax::Attribute, text) => {
                    self.put_attr(id, "transform", &text)?
                }
                EditKind::Transform(Syntax::Css, text) => {
                    modify_element(self.nodes.tree_mut(), id, |element| {
                        let style = element.attr("style").unwrap_or_default().into_owned();
                        let all = Declarations::of_attribute(&style);
                        let new = if text.trim().is_empty() {
                            all.unset("transform").unwrap_or_else(|| style.clone())
                        } else {
                            all.set("transform", &text)
                        };
                        if Declarations::of_attribute(&new).is_empty() {
                            return Ok(element.remove_attr("style"));
                        }
                        element.set_attr("style", &new)
                    })?
                }
            };
        }
        Ok(any)
    }
}

/// An element's transforms, for editing.
///
/// # Errors
/// If they are in a rule, which may apply to other elements too.
pub fn editable(drawing: &Drawing, geometry: &Geometry<'_>, id: NodeId) -> Result<TransformList> {
    if let Some(Origin::Rule(rule)) = geometry.transform_source(id) {
        let name = drawing.nodes.name(id);
        bail!("{name} has its transform from rule {rule}"; try: "style {rule} transform:none");
    }
    Ok(geometry.transforms(id))
}

/// The error that an element's transforms cannot be edited.
fn broken(
    drawing: &Drawing,
    id: NodeId,
    list: &TransformList,
    error: impl std::fmt::Display,
) -> Diagnostic {
    let name = drawing.nodes.name(id);
    Diagnostic::new(format!("{name}: {error}")).or_try(cleared(&name, list))
}

/// The repair of a list with a fault. A browser may read one in a style that is not read here, so
/// that only one in the attribute is certain to have no effect.
pub fn cleared(name: &str, list: &TransformList) -> String {
    match list.syntax() {
        Syntax::Attribute => format!("transform {name} clear"),
        Syntax::Css => format!("? describe {name}"),
    }
}

/// The error that an element is inside something that is squeezed flat.
fn flat(drawing: &Drawing, id: NodeId) -> Diagnostic {
    let name = drawing.nodes.name(id);
    Diagnostic::new(format!("{name} is inside something squeezed flat"))
        .or_try(format!("describe {name}"))
}
