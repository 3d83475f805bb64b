//! Changes of definitions by `modify`.

use fcp::prelude::*;

use super::Blueprint;
use super::filter::{self, Filter};
use super::gradient::{self, Gradient, GradientGiven};
use super::marker::{self, Marker, MarkerGiven};
use super::pattern::{self, Pattern, PatternGiven};
use super::shape::{self, Shape};
use crate::model::{Drawing, NodeId};
use crate::resolve::Spot;
use crate::values::{ColorStops, Transforms};

/// The keys of a kind of definition, without style properties.
#[must_use]
pub fn own_keys(kind: &str) -> &'static [&'static str] {
    match kind {
        "gradient" => gradient::KEYS,
        "filter" => filter::KEYS,
        "pattern" => pattern::KEYS,
        "marker" => marker::KEYS,
        "clip" | "mask" | "symbol" => shape::KEYS,
        _ => &[],
    }
}

/// A change of a definition.
#[derive(Clone, Debug)]
pub struct Change {
    steps: Vec<Step>,
    /// A gradient, and its new colours.
    colors: Option<(NodeId, ColorStops)>,
    /// The definition after the change, for the reply.
    description: String,
}

/// A change of an element, or of some of its children.
#[derive(Clone, Debug)]
pub struct Step {
    /// The element.
    pub id: NodeId,
    /// The children that `old` contains.
    pub parts: Vec<NodeId>,
    /// Its understood form.
    pub old: Blueprint,
    /// Its new form.
    pub new: Blueprint,
}

impl Step {
    const fn of(id: NodeId, parts: Vec<NodeId>, old: Blueprint, new: Blueprint) -> Self {
        Self {
            id,
            parts,
            old,
            new,
        }
    }
}

impl Change {
    /// Plans the changes that keys make to a definition; `None` if they do not belong to its kind.
    ///
    /// # Errors
    /// If a value is invalid, or keys exclude each other.
    pub fn of(
        drawing: &Drawing,
        id: NodeId,
        keys: &[&Keyed],
        at: Option<&Spot>,
        transform: Option<&Transforms>,
    ) -> Result<Option<Self>> {
        let name = drawing.nodes.name(id);
        match drawing.nodes.kind_name(id) {
            "gradient" => {
                let Some(old) = Gradient::read(drawing, id) else {
                    return Ok(None);
                };
                let (mut new, mut given) = (old.clone(), GradientGiven::default());
                for keyed in keys {
                    given.set(keyed)?;
                }
                new.change(&given)?;
                if let Some(transform) = transform {
                    new.transform(transform);
                }
                let description = new.describe();
                let (old, new) = (old.blueprint(), new.blueprint());
                let step = Step::of(id, Vec::new(), old, new);
                Ok(Some(Self {
                    colors: given.colors.map(|colors| (id, colors)),
                    ..Self::one(step, description)
                }))
            }
            "filter" if !keys.is_empty() => {
                let (steps, description) = Filter::read(drawing, id).change(keys)?;
                Ok(Some(Self {
                    steps,
                    colors: None,
                    description,
                }))
            }
            "pattern" => {
                let (old, parts) = Pattern::read(drawing, id);
                let (mut new, mut given) = (old.clone(), PatternGiven::default());
                for keyed in keys {
                    given.set(keyed)?;
                }
                new.change(&given, &name)?;
                if let Some(transform) = transform {
                    new.transform(transform);
                }
                let description = new.describe();
                let (old, new) = (old.blueprint(), new.blueprint());
                Ok(Some(Self::one(Step::of(id, parts, old, new), description)))
            }
            "marker" if !keys.is_empty() => {
                let (old, parts) = Marker::read(drawing, id);
                let (mut new, mut given) = (old.clone(), MarkerGiven::default());
                for keyed in keys {
                    given.set(keyed)?;
                }
                new.change(&given, &name)?;
                let description = new.describe();
                let (old, new) = (old.blueprint(), new.blueprint());
                Ok(Some(Self::one(Step::of(id, parts, old, new), description)))
            }
            kind @ ("clip" | "mask" | "symbol") if !keys.is_empty() || at.is_some() => {
                let Some((old, inner)) = Shape::read(drawing, id) else {
                    bail!("{name} is not a single rect, circle or ellipse; change its contents directly"; try: "? svg {name}")
                };
                let mut new = old.clone();
                let at = at.map(|at| at.within(drawing, id)).transpose()?;
                new.change(keys, at.as_ref())?;
                let description = new.describe();
                let mut steps = vec![Step::of(
                    inner,
                    Vec::new(),
                    old.blueprint(),
                    new.blueprint(),
                )];
                if kind == "symbol" {
                    let seen =
                        |shape: &Shape| Blueprint::new("symbol", [("viewBox", shape.view_box())]);
                    steps.push(Step::of(id, Vec::new(), seen(&old), seen(&new)));
                }
                Ok(Some(Self {
                    steps,
                    colors: None,
                    description,
                }))
            }
            _ => Ok(None),
        }
    }

    fn one(step: Step, description: String) -> Self {
        Self {
            steps: vec![step],
            colors: None,
            description,
        }
    }

    /// Applies the change. Returns the description of the definition, or `None` if nothing changed.
    ///
    /// # Errors
    /// If XML forbids a character.
    pub fn make(&self, drawing: &mut Drawing) -> Result<Option<String>> {
        let mut any = false;
        for step in &self.steps {
            any |= drawing.rebuild(step.id, &step.parts, &step.old, &step.new)?;
        }
        let Some((id, colors)) = &self.colors else {
            return Ok(any.then(|| self.description.clone()));
        };
        any |= drawing.recolor(*id, colors)?;
        let now = Gradient::read(drawing, *id);
        Ok(now.filter(|_| any).map(|now| now.describe()))
    }
}
