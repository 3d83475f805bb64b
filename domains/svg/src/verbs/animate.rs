//! `animate`

use fcp::prelude::*;

use crate::animation::{Animated, Timing, Values, own_center};
use crate::define::Blueprint;
use crate::draw::href;
use crate::id::ElementId;
use crate::model::{Drawing, NodeId};

/// Let an attribute, a style property or a transform change over time, or an object move along a path.
///
/// `rotate`, `translate`, `scale`, `skewX` and `skewY` come on top of the object's own transforms; a turn is about its
/// centre unless it says `ANGLE X Y`.
///
/// ```fcp
/// # add circle id:my_circle r:10 at:50,50
/// # add path id:road d:"M0 0h100"
/// animate my_circle attribute:r from:10 to:20 duration:2s repeat:indefinite
/// > + animate animate~1 r 10 -> 20 2s repeat:indefinite in:my_circle
/// ? svg my_circle
/// > <circle id="my_circle" cx="50" cy="50" r="10"><animate attributeName="r" from="10" to="20" dur="2s" repeatCount="indefinite"/></circle>
/// animate my_circle attribute:fill values:"red; gold; red" duration:3s ease:ease-in-out
/// > + animate animate~2 fill red -> gold -> red 3s in:my_circle
/// animate my_circle attribute:rotate from:0 to:360 duration:4s
/// > + animateTransform animateTransform~1 rotate 0 50 50 -> 360 50 50 4s in:my_circle
/// animate my_circle motion:path:road duration:5s freeze:on
/// > + animateMotion animateMotion~1 along road 5s freeze:on in:my_circle
/// animate my_circle attribute:fil to:red duration:1s
/// > ! circle has no "fil" to animate
/// >   try: animate my_circle attribute:fill to:red duration:1s
/// animate my_circle attribute:r from:10 to:big duration:1s
/// > ! to:big is no length
/// >   syntax: animate ELEMENT [attribute:TEXT] [from:TEXT] [to:TEXT] [values:TEXT] [motion:REF] duration:TIME [repeat:TIMES] [begin:BEGIN] [freeze:on|off] [ease:EASE] [id:ID]
/// animate my_circle attribute:r to:20 duration:0s
/// > ! duration:0s is no time to run
/// >   try: animate my_circle attribute:r to:20 duration:1s
/// ```
#[fcp_verb(category = "Define")]
pub fn animate(
    drawing: &mut Drawing,
    /// What changes.
    #[fcp(positional)]
    element: Row,
    /// What of it: `r`, `fill`, `rotate`.
    attribute: Option<Spanned<Text>>,
    /// Its first value.
    from: Option<Spanned<Text>>,
    /// Its last value.
    to: Option<Spanned<Text>>,
    /// All its values, between semicolons.
    values: Option<Spanned<Text>>,
    /// The path that it moves along instead.
    motion: Option<Spanned<Row>>,
    #[fcp(flatten)] timing: Timing,
    /// What the animation is called.
    id: Option<Spanned<ElementId>>,
) -> Result<Reply> {
    let target = NodeId::new(element.id());
    let name = drawing.nodes.name(target);
    if !drawing.nodes.is_svg(target) {
        bail!("{name} is no element of SVG"; try: "? describe {name}")
    }
    timing.sound()?;
    if let Some(begin) = &timing.begin
        && let Some(awaited) = begin.get().id()
        && drawing
            .nodes
            .called(awaited, fcp::model::Level::Exact)
            .is_empty()
    {
        return Err(begin.wrong(
            ValueError::sentence(format!("begin: waits for {awaited}, which is not there"))
                .fix("0s"),
        ));
    }
    let (blueprint, told) = match (&attribute, &motion) {
        (Some(_), Some(_)) => {
            bail!("attribute: and motion: are two animations; give one at a time")
        }
        (None, None) => {
            bail!("animate needs attribute: or motion:"; add: "attribute:opacity from:0 to:1")
        }
        (None, Some(motion)) => {
            if from.is_some() || to.is_some() || values.is_some() {
                bail!("motion: goes along its path, and has no values"; try: "animate {name} motion:{} duration:{}", drawing.nodes.name(NodeId::new(motion.get().id())), timing.duration.get())
            }
            along(drawing, motion, &timing)?
        }
        (Some(attribute), None) => {
            let kind = drawing.nodes.kind_name(target);
            let animated = Animated::named(kind, attribute.get().as_str())
                .map_err(|error| attribute.wrong(error))?;
            let given = |one: &Option<Spanned<Text>>| one.as_ref().map(|one| one.get().clone());
            let (first, last, all) = (given(&from), given(&to), given(&values));
            let through = Values::given(first.as_ref(), last.as_ref(), all.as_ref())?;
            let through = through.map(|text| {
                animated.value(drawing, text).map_err(|error| {
                    let places = [&from, &to].into_iter().flatten();
                    let place = places.clone().find(|place| place.get().as_str() == text);
                    match (place, &values) {
                        (Some(place), _) => place.wrong(error),
                        (None, Some(values)) => {
                            let fix = error.fix.as_ref();
                            let fix = fix.map(|fix| values.get().as_str().replace(text, fix));
                            values.wrong(ValueError::sentence(error.about(text)).maybe_fix(fix))
                        }
                        (None, None) => Diagnostic::new(error.about(text)),
                    }
                })
            })?;
            changing(drawing, target, animated, &through, &timing)?
        }
    };
    let mut blueprint = blueprint;
    if let Some(id) = &id {
        drawing.is_free(id, blueprint.name, "")?;
        blueprint.attrs.insert(0, ("id", id.get().to_string()));
    }
    let made = drawing.add_part(&blueprint, target, None)?;
    Ok(created!(
        "{} {told} in:{}",
        drawing.titled(made),
        drawing.nodes.name(target)
    ))
}

/// The animation of a value, and what is told of it.
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
        let told = format!("{} {} {}", animated.name(), values.told(), timing.told());
        return Ok((
            Blueprint {
                attrs,
                ..Blueprint::new("animate", [])
            },
            told,
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
    let told = format!("{kind} {} {}", values.told(), timing.told());
    Ok((
        Blueprint {
            attrs,
            ..Blueprint::new("animateTransform", [])
        },
        told,
    ))
}

/// The animation along a path, and what is told of it.
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
        let error = ValueError::sentence(format!("{name} is a {kind}, no path"));
        return Err(motion.wrong(error.maybe_fix(first)));
    }
    let (id, _) = drawing.referable(path)?;
    let mpath = Blueprint::new("mpath", [(href(drawing), format!("#{id}"))]);
    let blueprint = Blueprint {
        name: "animateMotion",
        attrs: timing.attrs(2, true),
        children: vec![mpath],
    };
    Ok((blueprint, format!("along {id} {}", timing.told())))
}
