//! Gradients.

use std::collections::BTreeMap;

use fcp::prelude::*;
use fcp::value::{Angle, Length, Point, Share, Unsigned};

use super::Blueprint;
use super::stops::{Stops, new_stop};
use crate::model::{Drawing, NodeId};
use crate::syntax::number::{Precision, spell_given};
use crate::values::{ColorStops, GradientType, Measure, Spread, Transforms};

/// The gradient attributes that ops set, in the order of writing.
const ATTRS: &[&str] = &[
    "gradientUnits",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "fx",
    "fy",
    "spreadMethod",
    "gradientTransform",
];
const LINE: &[&str] = &["x1", "y1", "x2", "y2"];
const CIRCLE: &[&str] = &["cx", "cy", "r", "fx", "fy"];

/// The keys of gradients.
pub(super) const KEYS: &[&str] = &[
    "type",
    "colors",
    "angle",
    "from",
    "to",
    "center",
    "r",
    "focus",
    "units",
    "spread",
    "transform",
];

/// Parameters of a gradient.
#[derive(FcpParams, Default)]
pub struct GradientGiven {
    /// Along a line, or from a point outwards; along a line if left out.
    pub r#type: Option<GradientType>,
    /// Two colours or more, with their places if they are not even.
    pub colors: Option<ColorStops>,
    /// Of a line: 0 from left to right, 90 from top to bottom.
    pub angle: Option<Angle>,
    /// Of a line: where it begins.
    pub from: Option<Point>,
    /// Of a line: where it ends.
    pub to: Option<Point>,
    /// Of a radial one: its centre, the middle if left out.
    pub center: Option<Point>,
    /// Of a radial one: how far from the centre the last colour lies, 50% if left out.
    pub r: Option<Unsigned<Length>>,
    /// Of a radial one: where the first colour lies, the centre if left out.
    pub focus: Option<Point>,
    /// The frame of plain numbers; the user's box if left out.
    pub units: Option<Measure>,
    /// The colours beyond its ends; the last ones if left out.
    pub spread: Option<Spread>,
}

impl GradientGiven {
    /// Applies a key of an op.
    ///
    /// # Errors
    /// If its value is invalid.
    pub fn set(&mut self, keyed: &Keyed) -> Result<()> {
        match keyed.key() {
            "type" => self.r#type = Some(keyed.parse()?),
            "colors" => self.colors = Some(keyed.parse()?),
            "angle" => self.angle = Some(keyed.parse()?),
            "from" => self.from = Some(keyed.parse()?),
            "to" => self.to = Some(keyed.parse()?),
            "center" => self.center = Some(keyed.parse()?),
            "r" => self.r = Some(keyed.parse()?),
            "focus" => self.focus = Some(keyed.parse()?),
            "units" => self.units = Some(keyed.parse()?),
            "spread" => self.spread = Some(keyed.parse()?),
            _ => {}
        }
        Ok(())
    }

    /// The first key that only the other type of gradient has.
    fn foreign(&self, kind: GradientType) -> Option<&'static str> {
        let line = [
            ("angle", self.angle.is_some()),
            ("from", self.from.is_some()),
            ("to", self.to.is_some()),
        ];
        let circle = [
            ("center", self.center.is_some()),
            ("r", self.r.is_some()),
            ("focus", self.focus.is_some()),
        ];
        let other = match kind {
            GradientType::Linear => circle,
            GradientType::Radial => line,
        };
        other
            .into_iter()
            .find_map(|(key, given)| given.then_some(key))
    }
}

/// A gradient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gradient {
    kind: GradientType,
    attrs: BTreeMap<&'static str, String>,
    /// The stops of a new gradient.
    stops: Vec<Blueprint>,
    /// The colours, as replies show them.
    shown: String,
}

impl Gradient {
    /// An empty gradient.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            kind: GradientType::Linear,
            attrs: BTreeMap::new(),
            stops: Vec::new(),
            shown: String::new(),
        }
    }

    /// Reads an element. [`Drawing::recolor`] changes its stops.
    #[must_use]
    pub fn read(drawing: &Drawing, id: NodeId) -> Option<Self> {
        let nodes = &drawing.nodes;
        let element = nodes.element(id)?;
        let kind = match element.local_name() {
            "linearGradient" => GradientType::Linear,
            "radialGradient" => GradientType::Radial,
            _ => return None,
        };
        let attr = |name: &&'static str| Some((*name, element.attr(name)?.into_owned()));
        let gradient = Self {
            kind,
            attrs: ATTRS.iter().filter_map(attr).collect(),
            stops: Vec::new(),
            shown: Stops::read(drawing, id).describe(),
        };
        Some(gradient)
    }

    /// Applies the parameters of an op.
    ///
    /// # Errors
    /// If keys contradict each other, or do not fit its type.
    pub fn change(&mut self, given: &GradientGiven) -> Result<()> {
        if let Some(kind) = given.r#type.filter(|kind| *kind != self.kind) {
            self.kind = kind;
            self.drop(match kind {
                GradientType::Linear => CIRCLE,
                GradientType::Radial => LINE,
            });
        }
        if let Some(key) = given.foreign(self.kind) {
            let other = match self.kind {
                GradientType::Linear => GradientType::Radial,
                GradientType::Radial => GradientType::Linear,
            };
            bail!("{key}: is for a {other} gradient"; add: "type:{other}")
        }
        if let Some(units) = given.units {
            self.put("gradientUnits", units == Measure::Object, units.written());
        }
        let is_user = self.attrs.get("gradientUnits").map(String::as_str) == Some("userSpaceOnUse");
        self.aim(given, is_user)?;
        if let Some(center) = &given.center {
            self.point(["cx", "cy"], center);
        }
        if let Some(r) = &given.r {
            self.attrs.insert("r", r.to_string());
        }
        if let Some(focus) = &given.focus {
            self.point(["fx", "fy"], focus);
        }
        if let Some(spread) = given.spread {
            self.put("spreadMethod", spread == Spread::Pad, &spread.to_string());
        }
        Ok(())
    }

    /// Sets its transforms.
    pub fn transform(&mut self, transforms: &Transforms) {
        self.attrs
            .insert("gradientTransform", transforms.to_string());
    }

    /// Sets the start and end of the gradient line.
    fn aim(&mut self, given: &GradientGiven, is_user: bool) -> Result<()> {
        if let Some(angle) = &given.angle {
            if given.from.is_some() || given.to.is_some() {
                bail!("angle: and from: to: set the same; give one")
            }
            if is_user {
                bail!("angle: follows the box of the user; with units:user give from: and to:")
            }
            self.drop(LINE);
            for (name, value) in LINE.iter().zip(line(angle.degrees())) {
                self.attrs.insert(*name, value);
            }
        }
        if let Some(from) = &given.from {
            self.point(["x1", "y1"], from);
        }
        if let Some(to) = &given.to {
            self.point(["x2", "y2"], to);
            if !self.attrs.contains_key("y2") {
                self.attrs.insert("y2", "0".to_owned());
            }
        }
        Ok(())
    }

    /// Gives a new gradient its colours.
    pub fn color(&mut self, colors: &ColorStops) {
        self.stops = colors.all().iter().map(new_stop).collect();
        self.shown = colors.to_string();
    }

    fn point(&mut self, names: [&'static str; 2], point: &Point) {
        let [x, y] = names;
        self.attrs.insert(x, point.x.to_string());
        self.attrs.insert(y, point.y.to_string());
    }

    /// Sets an attribute, or removes it if the value is its default.
    fn put(&mut self, name: &'static str, is_initial: bool, value: &str) {
        if is_initial {
            self.attrs.remove(name);
        } else {
            self.attrs.insert(name, value.to_owned());
        }
    }

    fn drop(&mut self, names: &[&str]) {
        self.attrs.retain(|name, _| !names.contains(name));
    }

    /// The element for it.
    #[must_use]
    pub fn blueprint(&self) -> Blueprint {
        let attr = |name: &&'static str| Some((*name, self.attrs.get(name)?.clone()));
        Blueprint {
            name: match self.kind {
                GradientType::Linear => "linearGradient",
                GradientType::Radial => "radialGradient",
            },
            attrs: ATTRS.iter().filter_map(attr).collect(),
            children: self.stops.clone(),
        }
    }

    /// The angle of its line, if the line crosses the whole box of its user.
    fn angle(&self) -> Option<String> {
        let ends = LINE.iter().map(|name| self.attrs.get(name));
        let ends: Option<Vec<&String>> = ends.collect();
        let ends = ends.filter(|_| !self.attrs.contains_key("gradientUnits"))?;
        let numbers: Vec<f64> = ends.iter().filter_map(|end| end.parse().ok()).collect();
        let [x1, y1, x2, y2] = numbers.as_slice() else {
            return None;
        };
        let degrees = (y2 - y1).atan2(x2 - x1).to_degrees().rem_euclid(360.0);
        let degrees = Precision::decimals(2).round(degrees);
        line(degrees).iter().eq(ends).then(|| spell_given(degrees))
    }

    /// Describes a new gradient: [`Self::describe`] without the angle, which is in the op.
    #[must_use]
    pub fn made(&self) -> String {
        match self.angle() {
            Some(angle) => self.describe().replacen(&format!(" angle:{angle}"), "", 1),
            None => self.describe(),
        }
    }

    /// Its type and colours, and the geometry that is set: `linear 0%:red 100%:blue angle:90`.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut description = format!("{} {}", self.kind, self.shown);
        let attr =
            |name: &str, or: &str| self.attrs.get(name).map_or(or, String::as_str).to_owned();
        let has = |names: &[&str]| names.iter().any(|name| self.attrs.contains_key(name));
        if let Some(angle) = self.angle() {
            description.push_str(&format!(" angle:{angle}"));
        } else if has(LINE) {
            let from = (attr("x1", "0%"), attr("y1", "0%"));
            let to = (attr("x2", "100%"), attr("y2", "0%"));
            description.push_str(&format!(" from:{},{} to:{},{}", from.0, from.1, to.0, to.1));
        }
        if has(&["cx", "cy"]) {
            description.push_str(&format!(
                " center:{},{}",
                attr("cx", "50%"),
                attr("cy", "50%")
            ));
        }
        if has(&["r"]) {
            description.push_str(&format!(" r:{}", attr("r", "50%")));
        }
        if has(&["fx", "fy"]) {
            description.push_str(&format!(
                " focus:{},{}",
                attr("fx", "50%"),
                attr("fy", "50%")
            ));
        }
        if attr("gradientUnits", "") == "userSpaceOnUse" {
            description.push_str(" units:user");
        }
        if has(&["spreadMethod"]) {
            description.push_str(&format!(" spread:{}", attr("spreadMethod", "pad")));
        }
        if has(&["gradientTransform"]) {
            let list = fcp::op::quote_value(&attr("gradientTransform", "")).into_owned();
            description.push_str(&format!(" transform:{list}"));
        }
        description.trim_end().to_owned()
    }
}

/// The line across a box of side 1 at an angle, between the projections of the first and last
/// corner.
fn line(degrees: f64) -> [String; 4] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let half = (sin.abs() + cos.abs()) / 2.0;
    let (x, y) = (cos * half, sin * half);
    let spell = |part: f64| spell_given(Precision::decimals(4).round(0.5 + part));
    [spell(-x), spell(-y), spell(x), spell(y)]
}

/// An opacity as SVG 1.1 requires it: a number, not a percentage.
pub(super) fn opacity_number(share: &Share) -> String {
    let given = share.to_string();
    if given.ends_with('%') {
        spell_given(share.get())
    } else {
        given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_angle_goes_from_side_to_side() {
        for (angle, ends) in [
            (0.0, ["0", "0.5", "1", "0.5"]),
            (90.0, ["0.5", "0", "0.5", "1"]),
            (45.0, ["0", "0", "1", "1"]),
            (180.0, ["1", "0.5", "0", "0.5"]),
            (225.0, ["1", "1", "0", "0"]),
        ] {
            assert_eq!(line(angle), ends, "{angle}");
        }
    }
}
