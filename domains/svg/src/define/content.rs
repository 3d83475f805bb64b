//! Definitions made from drawn objects.

use fcp::format::xml::{move_node, set_attr};
use fcp::prelude::*;
use kurbo::Affine;

use crate::edit::copies::Copying;
use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};
use crate::moving::{Edit, cleared, editable};
use crate::property::{self, Property};
use crate::style::{Origin, applies};
use crate::transform::NewItem;

/// The allowed content of a clip (CSS Masking 1, section 7.1).
pub const CLIPPING: &[&str] = &[
    "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "use",
];

impl Drawing {
    /// Checks that an object can become the content of a kind of definition (`clip`).
    ///
    /// # Errors
    /// If it is the drawing itself, is not drawn, or is not allowed in a clip.
    pub fn can_define(&self, id: NodeId, kind: &str) -> Result<()> {
        let nodes = &self.nodes;
        let (own, name) = (nodes.kind_name(id), nodes.name(id));
        if nodes.root() == Some(id) {
            bail!("{name} is the drawing itself; name what is in it"; try: "? list")
        }
        let element = nodes.svg_element(id);
        let role = element.and_then(|element| crate::model::kind::of_element(element.local_name()));
        if !role.is_some_and(|kind| matches!(kind.role, Role::Graphic | Role::Container)) {
            bail!("{name} is a {own}, which draws nothing"; try: "? list")
        }
        if kind == "clip" && !CLIPPING.contains(&own) {
            bail!("{name} is a {own}; a clip holds shapes and texts"; try: "define mask id:{name}-mask from:{name}")
        }
        Ok(())
    }

    /// Moves or copies an object into a definition. `onto` maps canvas units to those of the
    /// definition. The object keeps its position and appearance.
    ///
    /// # Errors
    /// If its transforms are in a rule, or a prefix means something else there.
    pub fn put_into(
        &mut self,
        id: NodeId,
        definition: NodeId,
        onto: Affine,
        keep: bool,
    ) -> Result<()> {
        let looks = self.looks_inherited(id, definition);
        let geometry = self.geometry();
        let whole = onto * geometry.outer(id);
        let list = editable(self, &geometry, id)?;
        let precision = geometry.precision();
        let [a, b, c, d, _, _] = whole.as_coeffs();
        let made = if [a, b, c, d] == [1.0, 0.0, 0.0, 1.0] {
            NewItem::Translate(whole.translation())
        } else {
            NewItem::Matrix(whole)
        };
        let laid = list.laid_over(&[made], precision).map_err(|error| {
            let name = self.nodes.name(id);
            Diagnostic::new(format!("{name}: {error}")).or_try(cleared(&name, &list))
        })?;
        let edit = (!made.is_nothing()).then_some((list, laid));
        drop(geometry);
        let moved = if keep {
            let copies = Copying::new(vec![id], Some(definition)).once(self, None)?;
            copies.first().copied().unwrap_or(id)
        } else {
            move_node(self.nodes.tree_mut(), id, definition, None)?;
            id
        };
        if let Some((list, laid)) = edit {
            self.make(vec![Edit::transform(moved, &list, laid)])?;
        }
        if !looks.is_empty() {
            self.write_styles(&[moved], &looks, None)?;
        }
        Ok(())
    }

    /// The properties that an object inherits, and would lose at another place.
    fn looks_inherited(&self, id: NodeId, place: NodeId) -> Vec<(&'static Property, String)> {
        let (styles, tree) = (self.styles(), self.nodes.tree());
        let all = property::all().iter().filter(|property| property.inherited);
        let all = all.filter(|property| applies(&self.nodes, id, property.name));
        let lost = all.filter_map(|property| {
            let computed = styles.computed(id, property.name);
            let Origin::Inherited(from) = computed.origin else {
                return None;
            };
            if tree.is_within(place, from) {
                return None;
            }
            let value = match property.name {
                // Resolved, since a relative unit would depend on the new parent.
                "font-size" => crate::syntax::number::spell_given(styles.font_size(id)),
                _ => computed.value.into_owned(),
            };
            Some((property, value))
        });
        lost.collect()
    }

    /// Makes a definition from an object, which is moved or copied into it. `element` is the
    /// definition's element name, `attrs` its attributes without the id. Also returns the words of
    /// [`defs`](Self::defs).
    ///
    /// # Errors
    /// See [`Self::put_into`].
    pub fn define_of(
        &mut self,
        object: NodeId,
        element: &str,
        definition: &str,
        attrs: &[(&'static str, String)],
        onto: Affine,
        keep: bool,
    ) -> Result<(NodeId, &'static str)> {
        let (defs, new) = self.defs()?;
        let made = self.shell(element, &format!(" id=\"{definition}\""), defs, None)?;
        for (name, value) in attrs {
            set_attr(self.nodes.tree_mut(), made, name, value)?;
        }
        self.put_into(object, made, onto, keep)?;
        Ok((made, new))
    }

    /// A free id for a definition made from an element: `dot-clip`.
    #[must_use]
    pub fn id_made_of(&self, id: NodeId, kind: &str) -> String {
        let name = self.nodes.name(id);
        let plain = crate::syntax::id::mended(&name).unwrap_or_else(|| "object".to_owned());
        let wanted = format!("{plain}-{kind}");
        let index = self.nodes.tree().index();
        let is_taken = |id: &str| index.has_id(id);
        if is_taken(&wanted) {
            crate::syntax::id::next_free(&wanted, is_taken)
        } else {
            wanted
        }
    }
}
