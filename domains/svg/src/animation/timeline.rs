//! Plans the animation of an element.

use fcp::prelude::*;

use super::{Animated, Timing, Values, own_center};
use crate::create::href;
use crate::define::Blueprint;
use crate::model::{Drawing, NodeId};

/// An animation as an op describes it.
pub struct Course {
    /// The name of its target: `r`, `fill`, `rotate`.
    pub attribute: Option<Spanned<Text>>,
    /// Its first value.
    pub from: Option<Spanned<Text>>,
    /// Its last value.
    pub to: Option<Spanned<Text>>,
    /// All its values, between semicolons.
    pub values: Option<Spanned<Text>>,
    /// The path that the element moves along instead.
    pub motion: Option<Spanned<Row>>,
}

impl Course {
    /// The animation of an element, and its description.
    ///
    /// # Errors
    /// If the element has nothing with this name, the values do not fit it, or the parameters
    /// contradict each other.
    pub fn of(
        &self,
        drawing: &mut Drawing,
        target: NodeId,
        timing: &Timing,
    ) -> Result<(Blueprint, String)> {
        let name = drawing.nodes.name(target);
        if !drawing.nodes.is_svg(target) {
            bail!("{name} is not an SVG element"; try: "? describe {name}")
        }
        match (&self.attribute, &self.motion) {
            (Some(_), Some(motion)) => {
                let (path, duration) = (NodeId::new(motion.get().id()), timing.duration.get());
                bail!("attribute: and motion: are two animations; give one at a time"; try: "animate {name} motion:{} duration:{duration}", drawing.nodes.name(path))
            }
            (None, None) => {
                bail!("animate needs attribute: or motion:"; add: "attribute:opacity from:0 to:1")
            }
            (None, Some(motion)) => {
                if self.from.is_some() || self.to.is_some() || self.values.is_some() {
                    let (path, duration) = (NodeId::new(motion.get().id()), timing.duration.get());
                    bail!("motion: follows its path, and takes no values"; try: "animate {name} motion:{} duration:{duration}", drawing.nodes.name(path))
                }
                along(drawing, motion, timing)
            }
            (Some(attribute), None) => {
                let kind = drawing.nodes.kind_name(target);
                let animated = Animated::named(kind, attribute.get().as_str())
                    .map_err(|error| attribute.wrong(error))?;
                let through = self.through(drawing, animated)?;
                changing(drawing, target, animated, &through, timing)
            }
        }
    }

    /// The values as files spell them.
    fn through(&self, drawing: &Drawing, animated: Animated) -> Result<Values> {
        let given = |one: &Option<Spanned<Text>>| one.as_ref().map(|one| one.get().clone());
        let (first, last, all) = (given(&self.from), given(&self.to), given(&self.values));
        let through = Values::given(first.as_ref(), last.as_ref(), all.as_ref())?;
        through.map(|text| {
            animated.value(drawing, text).map_err(|error| {
                let mut places = [&self.from, &self.to].into_iter().flatten();
                let place = places.find(|place| place.get().as_str() == text);
                match (place, &self.values) {
                    (Some(place), _) => place.wrong(error),
                    (None, Some(values)) => {
                        let fix = error.fix.as_ref();
                        let fix = fix.map(|fix| values.get().as_str().replace(text, fix));
                        values.wrong(ValueError::sentence(error.about(text)).maybe_fix(fix))
                    }
                    (None, None) => Diagnostic::new(error.about(text)),
                }
            })
        })
    }
}

/// The animation of a value, and its description.
fn changing(
    drawing: &Drawing,
    target: NodeId,
    animated: Animated,
    values: &Values,
    timing: &Timing,
) -> Result<(Blueprint, String)> {
    let Animated::Transform(kind) = animated else {
        let mut attrs = vec![("attributeName", animated.name().to_owned())];
        attrs.extend(values.attrs());
        attrs.extend(timing.attrs(values.count(), false));
        let description = format!(
            "{} {} {}",
            animated.name(),
            values.describe(),
            timing.describe()
        );
        return Ok((
            Blueprint {
                attrs,
                ..Blueprint::new("animate", [])
            },
            description,
        ));
    };
    let geometry = drawing.geometry();
    let center = own_center(&geometry, target).filter(|_| kind == "rotate");
    let precision = geometry.precision();
    let values = values.map(|text| {
        Ok(match center {
            Some(center) if !text.trim().contains([' ', ',']) => {
                let (x, y) = (precision.spell(center.x), precision.spell(center.y));
                format!("{} {x} {y}", text.trim())
            }
            _ => text.to_owned(),
        })
    })?;
    let mut attrs = vec![
        ("attributeName", "transform".to_owned()),
        ("type", kind.to_owned()),
    ];
    attrs.extend(values.attrs());
    attrs.extend(timing.attrs(values.count(), false));
    if !geometry.transforms(target).items().is_empty() {
        attrs.push(("additive", "sum".to_owned()));
    }
    let description = format!("{kind} {} {}", values.describe(), timing.describe());
    Ok((
        Blueprint {
            attrs,
            ..Blueprint::new("animateTransform", [])
        },
        description,
    ))
}

/// The animation along a path, and its description.
fn along(
    drawing: &mut Drawing,
    motion: &Spanned<Row>,
    timing: &Timing,
) -> Result<(Blueprint, String)> {
    let path = NodeId::new(motion.get().id());
    let kind = drawing.nodes.kind_name(path);
    if kind != "path" {
        let name = drawing.nodes.name(path);
        let paths = |id: &NodeId| drawing.nodes.kind_name(*id) == "path";
        let first = drawing.nodes.elements().find(paths);
        let first = first.map(|first| drawing.nodes.name(first));
        let error = ValueError::sentence(format!("{name} is a {kind}, not a path"));
        return Err(motion.wrong(error.maybe_fix(first)));
    }
    let (id, _) = drawing.referable(path)?;
    let mpath = Blueprint::new("mpath", [(href(drawing), format!("#{id}"))]);
    let blueprint = Blueprint {
        name: "animateMotion",
        attrs: timing.attrs(2, true),
        children: vec![mpath],
    };
    Ok((blueprint, format!("along {id} {}", timing.describe())))
}
