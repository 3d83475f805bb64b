//! The targets of animations, and their values.

use fcp::prelude::*;
use fcp::value::{FcpValue, Length, nearest_word};
use kurbo::{Point, Shape};

use crate::geometry::Geometry;
use crate::model::kind::geometry_of;
use crate::model::{Drawing, NodeId};
use crate::property::{self, Property};
use crate::style;
use crate::syntax::number::{scan, skip_separator};
use crate::values::{PathData, PointList};

/// The transforms that can be animated (SVG Animations 2, section 4.5).
const TRANSFORMS: &[&str] = &["rotate", "translate", "scale", "skewX", "skewY"];
/// The maximum number of values in an animation that an op makes.
const MOST: usize = 1000;

/// The target of an animation.
#[derive(Clone, Copy, Debug)]
pub enum Animated {
    /// A style property.
    Property(&'static Property),
    /// A geometry attribute.
    Attribute(&'static str),
    /// A transform.
    Transform(&'static str),
}

/// The values of an animation, as the op gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// From one value to another.
    FromTo(String, String),
    /// From the current value to another.
    To(String),
    /// Several values in turn.
    Several(Vec<String>),
}

impl Animated {
    /// Resolves a name for a kind of element: `r`, `fill`, `sw`, `rotate`.
    ///
    /// # Errors
    /// If the element has nothing with this name.
    pub fn named(kind: &str, name: &str) -> Result<Self, ValueError> {
        let own = geometry_of(kind);
        if let Some(name) = own.iter().find(|own| **own == name) {
            return Ok(Self::Attribute(name));
        }
        if let Some(name) = TRANSFORMS.iter().find(|own| **own == name) {
            return Ok(Self::Transform(name));
        }
        match property::find(name) {
            Ok(property) if property.name != "transform" => Ok(Self::Property(property)),
            Ok(_) => Err(ValueError::sentence("transform is animated by its kinds").fix("rotate")),
            Err(error) => {
                // Prefers a name that contains the given one: `rx` for `r`.
                let holds = own
                    .iter()
                    .copied()
                    .find(|own| own.ends_with(name) || own.starts_with(name));
                let near = nearest_word(name, own.iter().chain(TRANSFORMS).copied());
                let near = holds.or(near).map(str::to_owned).or(error.fix);
                let near = near.or_else(|| Some("opacity".to_owned()));
                let cut: String = name.chars().take(60).collect();
                Err(ValueError::sentence(format!("{kind} has no {cut}")).maybe_fix(near))
            }
        }
    }

    /// Its name in the file.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Property(property) => property.name,
            Self::Attribute(name) | Self::Transform(name) => name,
        }
    }

    /// A value as files spell it.
    ///
    /// # Errors
    /// If the text is not a valid value.
    pub fn value(&self, drawing: &Drawing, text: &str) -> Result<String, ValueError> {
        let same = || text.to_owned();
        match self {
            Self::Property(property) => style::value(&drawing.nodes, property, text),
            Self::Attribute("d") => PathData::parse(text).map(|_| same()),
            Self::Attribute("points") => PointList::parse(text).map(|_| same()),
            Self::Attribute("stdDeviation" | "baseFrequency") => {
                numbers(text, &[1, 2]).map(|_| same())
            }
            Self::Attribute(_) => Length::parse(text).map(|_| same()).map_err(|error| {
                let fix = error.fix.clone().unwrap_or_else(|| "20".to_owned());
                error.fix(fix)
            }),
            Self::Transform("rotate") => numbers(text, &[1, 3]).map(|_| same()),
            Self::Transform("translate" | "scale") => numbers(text, &[1, 2]).map(|_| same()),
            Self::Transform(_) => numbers(text, &[1]).map(|_| same()),
        }
    }
}

/// Checks that a text is a list of numbers with one of these lengths, separated by whitespace or
/// commas.
fn numbers(text: &str, counts: &[usize]) -> Result<(), ValueError> {
    let (mut count, mut at) = (0, 0);
    while let Some(read) = scan(text, at) {
        count += 1;
        at = skip_separator(text, read.span.end);
    }
    if at == text.len() && counts.contains(&count) {
        return Ok(());
    }
    let wanted: Vec<String> = counts.iter().map(ToString::to_string).collect();
    Err(ValueError::new(format!(
        "is not {} numbers",
        wanted.join(" or ")
    )))
}

impl Values {
    /// The values in an op.
    ///
    /// # Errors
    /// If there are none, or they contradict each other.
    pub fn given(from: Option<&Text>, to: Option<&Text>, values: Option<&Text>) -> Result<Self> {
        match (from, to, values) {
            (None, None, Some(values)) => {
                let all = values.as_str().split(';').map(|one| one.trim().to_owned());
                let all: Vec<String> = all.filter(|one| !one.is_empty()).collect();
                match all.len() {
                    0 | 1 => bail!("values: needs two or more, between semicolons"),
                    2..=MOST => Ok(Self::Several(all)),
                    _ => bail!("values: takes at most {MOST}"),
                }
            }
            (Some(from), Some(to), None) => Ok(Self::FromTo(
                from.as_str().to_owned(),
                to.as_str().to_owned(),
            )),
            (None, Some(to), None) => Ok(Self::To(to.as_str().to_owned())),
            (Some(_), None, None) => bail!("from: needs to:, the last value"; add: "to:0"),
            (_, _, Some(_)) => bail!("values: and from: to: set the same; give one"),
            (None, None, None) => {
                bail!("animate needs from: and to:, or values:"; add: "from:0 to:1")
            }
        }
    }

    /// The number of values.
    #[must_use]
    pub const fn count(&self) -> usize {
        match self {
            Self::FromTo(..) | Self::To(_) => 2,
            Self::Several(all) => all.len(),
        }
    }

    /// Returns these values, each changed by a function.
    ///
    /// # Errors
    /// The first error of that function.
    pub fn map(&self, change: impl Fn(&str) -> Result<String>) -> Result<Self> {
        Ok(match self {
            Self::FromTo(from, to) => Self::FromTo(change(from)?, change(to)?),
            Self::To(to) => Self::To(change(to)?),
            Self::Several(all) => {
                Self::Several(all.iter().map(|one| change(one)).collect::<Result<_>>()?)
            }
        })
    }

    /// The attributes for these values.
    #[must_use]
    pub fn attrs(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::FromTo(from, to) => vec![("from", from.clone()), ("to", to.clone())],
            Self::To(to) => vec![("to", to.clone())],
            Self::Several(all) => vec![("values", all.join(";"))],
        }
    }

    /// `10 -> 20`
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::FromTo(from, to) => format!("{from} -> {to}"),
            Self::To(to) => format!("-> {to}"),
            Self::Several(all) => all.join(" -> "),
        }
    }
}

/// The centre of an element's drawing, in its own coordinate system; `None` if it draws nothing.
#[must_use]
pub fn own_center(geometry: &Geometry<'_>, id: NodeId) -> Option<Point> {
    if let Some(outline) = geometry.outline(id) {
        return Some(outline.bounding_box().center());
    }
    let inner = geometry.inner(id);
    let flat = inner.determinant() == 0.0 || !inner.is_finite();
    let found = geometry.bbox(id).filter(|_| !flat)?;
    Some(inner.inverse() * found.center())
}
