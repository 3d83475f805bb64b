// The drawing for tests and examples of the macros. Included, not a module: doc comments include it
// too.

use std::borrow::Cow;

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The paint of a shape.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[fcp(name = "COLOR")]
pub enum Paint {
    /// No light.
    Black,
    #[fcp(alias = "crimson", alias = "scarlet")]
    Red,
    #[fcp(word = "sky")]
    LightBlue,
}

/// A group of shapes.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(label = called)]
pub struct Group {
    /// Its name.
    pub name: Option<Text>,
    #[fcp(spelling, default = 0)]
    pub indent: u8,
}

impl Group {
    fn called(&self) -> Option<Cow<'_, str>> {
        self.name.as_ref().map(|name| Cow::Borrowed(name.as_str()))
    }
}

/// A mark on the canvas.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Shape {
    #[fcp(label)]
    pub name: Name,
    #[fcp(selector, default = Paint::Black)]
    pub fill: Paint,
    #[fcp(selector = "range", alias = "radius")]
    pub r: Int<1, 999>,
    pub note: Option<Text>,
    #[fcp(parent, selector, key = "in")]
    pub group: Option<Id<Group>>,
    #[fcp(view)]
    pub folded: Option<Switch>,
    #[fcp(readonly, default = Int::clamped(1))]
    pub version: Int<1, 9>,
    #[fcp(hidden, default = Vec::new())]
    pub bytes: Vec<u8>,
}

impl Shape {
    /// A shape without a group.
    pub fn new(name: Name, fill: Paint, r: Int<1, 999>) -> Self {
        Self {
            name,
            fill,
            r,
            note: None,
            group: None,
            folded: None,
            version: Int::clamped(1),
            bytes: Vec::new(),
        }
    }
}

/// A drawing.
#[derive(FcpModel)]
#[fcp(domain = "toy", title = "Toy drawings")]
pub struct Drawing {
    #[fcp(count = "s", universe, line = shape_line)]
    pub shapes: Table<Shape>,
    pub groups: Table<Group>,
    pub title: Slot<String>,
    #[fcp(view)]
    pub zoom: Slot<u8>,
}

fn shape_line(drawing: &Drawing, id: Id<Shape>, shape: &Shape) -> String {
    let group = shape
        .group
        .and_then(|id| drawing.groups.get(id))
        .and_then(Group::called);
    format!(
        "{id} {} in {}",
        shape.name,
        group.unwrap_or("nothing".into())
    )
}

impl Domain for Drawing {
    const FORMATS: &'static [Format] = &[];
    const WORKFLOW: &str = "add circle, then erase it";

    fn read(_: &[u8], _: &str) -> Result<Self> {
        Ok(Self::default())
    }

    fn write(&self, _: &str, _: &mut Pieces) -> Result<()> {
        Ok(())
    }
}
