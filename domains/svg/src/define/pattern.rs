//! Patterns calculated from numbers.

use fcp::prelude::*;
use fcp::value::{Angle, Color, Decimal, Size, Unsigned};

use super::Blueprint;
use crate::model::{Drawing, MADE, NodeId};
use crate::syntax::number::{Precision, scan, spell_given};
use crate::transform::{Function, Syntax, TransformList};
use crate::values::{Backdrop, PatternType, Transforms};

/// The keys of patterns.
pub(super) const KEYS: &[&str] = &["type", "size", "color", "background", "width", "angle"];

/// The foreground colour of a new pattern.
const COLOR: &str = "#000";

/// Parameters of a pattern.
#[derive(FcpParams, Default)]
pub struct PatternGiven {
    /// Its motif.
    pub r#type: Option<PatternType>,
    /// The width and height of a tile; 10 if left out.
    pub size: Option<Size>,
    /// The colour of what it repeats; black if left out.
    pub color: Option<Color>,
    /// The fill behind that; nothing if left out.
    pub background: Option<Backdrop>,
    /// The width of its lines or dots; a fifth of the tile if left out.
    pub width: Option<Unsigned<Decimal>>,
    /// The angle it is turned by.
    pub angle: Option<Angle>,
}

impl PatternGiven {
    /// Applies a key of an op.
    ///
    /// # Errors
    /// If its value is invalid.
    pub fn set(&mut self, keyed: &Keyed) -> Result<()> {
        match keyed.key() {
            "type" => self.r#type = Some(keyed.parse()?),
            "size" => {
                let size: Size = keyed.parse()?;
                sound(&size).map_err(|error| keyed.wrong(error))?;
                self.size = Some(size);
            }
            "color" => self.color = Some(keyed.parse()?),
            "background" => self.background = Some(keyed.parse()?),
            "width" => self.width = Some(keyed.parse()?),
            "angle" => self.angle = Some(keyed.parse()?),
            _ => {}
        }
        Ok(())
    }

    /// Whether the parameters describe the content of a tile.
    #[must_use]
    pub const fn is_of_content(&self) -> bool {
        self.r#type.is_some()
            || self.color.is_some()
            || self.background.is_some()
            || self.width.is_some()
    }
}

/// Checks that a tile has an area.
///
/// # Errors
/// If it has none.
pub fn sound(size: &Size) -> Result<(), ValueError> {
    if size.is_empty() {
        return Err(ValueError::new("is empty").fix("10x10"));
    }
    Ok(())
}

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Its content; `None` if it was drawn by hand.
    kind: Option<PatternType>,
    size: [String; 2],
    color: String,
    background: Option<String>,
    width: Option<String>,
    /// Its transforms.
    transform: Option<String>,
}

impl Pattern {
    /// A pattern with this content, in black, with tiles of 10.
    #[must_use]
    pub fn new(kind: PatternType) -> Self {
        Self {
            kind: Some(kind),
            size: ["10".to_owned(), "10".to_owned()],
            color: COLOR.to_owned(),
            background: None,
            width: None,
            transform: None,
        }
    }

    /// Reads an element and its content.
    #[must_use]
    pub fn read(drawing: &Drawing, id: NodeId) -> (Self, Vec<NodeId>) {
        let nodes = &drawing.nodes;
        let attr = |name: &str| nodes.attr(id, name).map(std::borrow::Cow::into_owned);
        let made = attr(MADE).and_then(|made| PatternType::parse(&made).ok());
        let side = |name| attr(name).unwrap_or_else(|| "0".to_owned());
        let parts: Vec<NodeId> = nodes
            .tree()
            .children(id)
            .filter(|id| nodes.element(*id).is_some())
            .collect();
        let own = |id: &NodeId, name: &str| nodes.attr(*id, name).map(std::borrow::Cow::into_owned);
        let ground = parts
            .first()
            .filter(|first| parts.len() > 1 && nodes.kind_name(**first) == "rect");
        let painted = parts.last();
        let paint = painted.and_then(|part| own(part, "stroke").or_else(|| own(part, "fill")));
        let mut pattern = Self {
            kind: made,
            size: [side("width"), side("height")],
            color: paint.unwrap_or_else(|| "black".to_owned()),
            background: ground.and_then(|ground| own(ground, "fill")),
            width: None,
            transform: attr("patternTransform"),
        };
        let width = painted.and_then(|part| {
            let stroke = own(part, "stroke-width");
            stroke.or_else(|| {
                let r = own(part, "r")?;
                Some(spell_given(scan(&r, 0)?.value * 2.0))
            })
        });
        pattern.width = width.filter(|width| *width != pattern.usual_width());
        (pattern, parts)
    }

    /// Applies the parameters of an op. `name` is the pattern's name.
    ///
    /// # Errors
    /// If its content was drawn by hand.
    pub fn change(&mut self, given: &PatternGiven, name: &str) -> Result<()> {
        if self.kind.is_none() && given.is_of_content() && given.r#type.is_none() {
            bail!("{name} repeats content drawn by hand; style that directly"; try: "? svg {name}")
        }
        self.kind = given.r#type.or(self.kind);
        if let Some(size) = &given.size {
            self.size = [size.width.to_string(), size.height.to_string()];
        }
        if let Some(color) = &given.color {
            self.color = color.to_string();
        }
        if let Some(background) = &given.background {
            self.background = match background {
                Backdrop::None => None,
                Backdrop::Color(color) => Some(color.to_string()),
            };
        }
        if let Some(width) = &given.width {
            self.width = Some(width.to_string());
        }
        if let Some(angle) = &given.angle {
            let degrees = spell_given(Precision::decimals(4).round(angle.degrees()));
            self.transform = (degrees != "0").then(|| format!("rotate({degrees})"));
        }
        Ok(())
    }

    /// Sets its transforms.
    pub fn transform(&mut self, transforms: &Transforms) {
        self.transform = Some(transforms.to_string());
    }

    fn sides(&self) -> [f64; 2] {
        let [width, height] = &self.size;
        [width, height].map(|side| scan(side, 0).map_or(0.0, |side| side.value))
    }

    fn usual_width(&self) -> String {
        let [width, height] = self.sides();
        let share = match self.kind {
            Some(PatternType::Dots) => 0.4,
            Some(PatternType::Grid | PatternType::Hatch | PatternType::Crosshatch) => 0.1,
            _ => 0.5,
        };
        spelled(width.min(height) * share)
    }

    /// The element for it.
    #[must_use]
    pub fn blueprint(&self) -> Blueprint {
        let [width, height] = &self.size;
        let mut attrs = Vec::new();
        if let Some(kind) = self.kind {
            attrs.push((MADE, kind.to_string()));
        }
        attrs.extend([
            ("width", width.clone()),
            ("height", height.clone()),
            ("patternUnits", "userSpaceOnUse".to_owned()),
        ]);
        if let Some(transform) = &self.transform {
            attrs.push(("patternTransform", transform.clone()));
        }
        let mut children = Vec::new();
        if let Some(background) = self.background.as_ref().filter(|_| self.kind.is_some()) {
            children.push(Blueprint::new(
                "rect",
                [
                    ("width", width.clone()),
                    ("height", height.clone()),
                    ("fill", background.clone()),
                ],
            ));
        }
        children.extend(self.kind.map(|kind| self.content(kind)));
        Blueprint {
            name: "pattern",
            attrs,
            children,
        }
    }

    /// The content of a tile.
    fn content(&self, kind: PatternType) -> Blueprint {
        let [w, h] = self.sides();
        let n = spelled;
        let width = self.width.clone().unwrap_or_else(|| self.usual_width());
        let color = || self.color.clone();
        let d = match kind {
            PatternType::Dots => {
                let r = scan(&width, 0).map_or(0.0, |width| width.value / 2.0);
                return Blueprint::new(
                    "circle",
                    [
                        ("cx", n(w / 2.0)),
                        ("cy", n(h / 2.0)),
                        ("r", n(r)),
                        ("fill", color()),
                    ],
                );
            }
            PatternType::Checks => {
                let (x, y) = (n(w / 2.0), n(h / 2.0));
                let d = format!("M0,0H{x}V{}H{}V{y}H0Z", n(h), n(w));
                return Blueprint::new("path", [("d", d), ("fill", color())]);
            }
            PatternType::Stripes => format!("M0,{0}H{1}", n(h / 2.0), n(w)),
            PatternType::Grid => {
                format!("M0,{0}H{1}M{2},0V{3}", n(h / 2.0), n(w), n(w / 2.0), n(h))
            }
            // The lines of neighbouring tiles fill the corners that one line leaves out.
            PatternType::Hatch => slant(w, h, false),
            PatternType::Crosshatch => format!("{}{}", slant(w, h, false), slant(w, h, true)),
        };
        Blueprint::new(
            "path",
            [
                ("d", d),
                ("fill", "none".to_owned()),
                ("stroke", color()),
                ("stroke-width", width),
            ],
        )
    }

    /// Its content and settings: `dots size:10x10 color:#000`.
    #[must_use]
    pub fn describe(&self) -> String {
        let [width, height] = &self.size;
        let mut description = match self.kind {
            Some(kind) => format!("{kind} size:{width}x{height} color:{}", quoted(&self.color)),
            None => format!("size:{width}x{height}"),
        };
        if let Some(background) = self.background.as_ref().filter(|_| self.kind.is_some()) {
            description.push_str(&format!(" background:{}", quoted(background)));
        }
        if let Some(width) = self.width.as_ref().filter(|_| self.kind.is_some()) {
            description.push_str(&format!(" width:{width}"));
        }
        if let Some(transform) = &self.transform {
            match turn(transform) {
                Some(angle) => description.push_str(&format!(" angle:{angle}")),
                None => description.push_str(&format!(" transform:{}", quoted(transform))),
            }
        }
        description
    }
}

/// A line from corner to corner of a tile, with the ends of its neighbours' lines.
fn slant(w: f64, h: f64, falls: bool) -> String {
    let n = spelled;
    let (x, y) = (w / 4.0, h / 4.0);
    if falls {
        format!(
            "M{},{}L{},{}M0,0L{},{}M{},{}L{},{}",
            n(-x),
            n(h - y),
            n(x),
            n(h + y),
            n(w),
            n(h),
            n(w - x),
            n(-y),
            n(w + x),
            n(y)
        )
    } else {
        format!(
            "M{},{}L{},{}M0,{}L{},0M{},{}L{},{}",
            n(-x),
            n(y),
            n(x),
            n(-y),
            n(h),
            n(w),
            n(w - x),
            n(h + y),
            n(w + x),
            n(h - y)
        )
    }
}

/// The angle of a list of transforms that is a single rotation about the origin.
fn turn(text: &str) -> Option<String> {
    let list = TransformList::checked(text, Syntax::Attribute).ok()?;
    let [item] = list.items() else {
        return None;
    };
    let mut values = item.values();
    match (item.function, values.next(), values.next()) {
        (Function::Rotate, Some(angle), None) => Some(spell_given(angle)),
        _ => None,
    }
}

fn quoted(text: &str) -> String {
    fcp::op::quote_value(text).into_owned()
}

fn spelled(value: f64) -> String {
    spell_given(Precision::decimals(4).round(value))
}
