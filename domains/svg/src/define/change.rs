//! What `modify` makes of definitions.

use fcp::prelude::*;

use super::Blueprint;
use super::filter::{self, Filter};
use super::gradient::{self, Gradient, GradientGiven};
use crate::model::{Drawing, NodeId};
use crate::values::Transforms;

/// The keys that a kind of definition has beside style properties.
#[must_use]
pub fn own_keys(kind: &str) -> &'static [&'static str] {
    match kind {
        "gradient" => gradient::KEYS,
        "filter" => filter::KEYS,
        _ => &[],
    }
}

/// What becomes of a definition.
#[derive(Clone, Debug)]
pub struct Change {
    steps: Vec<Step>,
    /// What it is then, for the reply.
    told: String,
}

/// What becomes of an element, or of some of its children.
#[derive(Clone, Debug)]
pub struct Step {
    /// The element.
    pub id: NodeId,
    /// The children that `old` holds.
    pub parts: Vec<NodeId>,
    /// What it was understood as.
    pub old: Blueprint,
    /// What it is to be.
    pub new: Blueprint,
}

impl Change {
    /// Looks what keys make of a definition; nothing if it is none of a kind whose keys these are.
    ///
    /// # Errors
    /// A value is wrong, or keys do not go with each other.
    pub fn of(
        drawing: &Drawing,
        id: NodeId,
        keys: &[&Keyed],
        transform: Option<&Transforms>,
    ) -> Result<Option<Self>> {
        match drawing.nodes.kind_name(id) {
            "gradient" => {
                let Some((old, parts)) = Gradient::read(drawing, id) else {
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
                let told = new.told();
                let (old, new) = (old.blueprint(), new.blueprint());
                let steps = vec![Step {
                    id,
                    parts,
                    old,
                    new,
                }];
                Ok(Some(Self { steps, told }))
            }
            "filter" if !keys.is_empty() => {
                let (steps, told) = Filter::read(drawing, id).change(keys)?;
                Ok(Some(Self { steps, told }))
            }
            _ => Ok(None),
        }
    }

    /// Makes it. Hands back what the definition is then; nothing if it was so before.
    ///
    /// # Errors
    /// XML forbids a character.
    pub fn make(&self, drawing: &mut Drawing) -> Result<Option<String>> {
        let mut any = false;
        for step in &self.steps {
            any |= drawing.rebuild(step.id, &step.parts, &step.old, &step.new)?;
        }
        Ok(any.then(|| self.told.clone()))
    }
}
