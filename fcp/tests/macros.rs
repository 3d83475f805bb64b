//! The macros at work: a small drawing whose verbs, queries, selectors and warnings register, bind and undo.

#![allow(missing_docs, reason = "tests have no readers but these")]

use std::borrow::Cow;

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a shape is painted with.
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
    /// What it is called.
    name: Option<Text>,
    #[fcp(spelling, default = 0)]
    indent: u8,
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
    name: Name,
    #[fcp(selector, default = Paint::Black)]
    fill: Paint,
    #[fcp(selector = "range", alias = "radius")]
    r: Int<1, 999>,
    note: Option<Text>,
    #[fcp(parent, selector, key = "in")]
    group: Option<Id<Group>>,
    #[fcp(view)]
    folded: Option<Switch>,
    #[fcp(readonly, default = Int::clamped(1))]
    version: Int<1, 9>,
    #[fcp(hidden, default = Vec::new())]
    bytes: Vec<u8>,
}

/// A drawing.
#[derive(FcpModel)]
#[fcp(domain = "toy", title = "Toy drawings")]
pub struct Drawing {
    #[fcp(count = "s", universe, line = shape_line)]
    shapes: Table<Shape>,
    groups: Table<Group>,
    title: Slot<String>,
    #[fcp(view)]
    zoom: Slot<u8>,
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

    fn write(&self, _: &str) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }
}

/// Draw a circle.
///
/// It lands on top.
///
/// ```fcp
/// add circle dot 5 fill:red
/// > + circle dot r:5 red 0 0 false 0
/// # add group name:Back
/// add circle halo radius:40 in:Back one two tag:a tag:b force tick-end:x
/// > + circle halo r:40 black 2 2 true 1
/// add circle halo 0
/// > ! 0 is below 1
/// >   try: add circle halo 1
/// ```
#[fcp_verb(category = "Shapes", alias = "draw circle")]
pub fn add_circle(
    drawing: &mut Drawing,
    /// What later ops call the circle.
    #[fcp(positional)]
    name: Name,
    /// Radius,
    /// in steps.
    #[fcp(positional, key = "radius")]
    r: Int<1, 999>,
    #[fcp(alias = "color", default = Paint::Black)] fill: Paint,
    #[fcp(key = "in")] group: Option<Ref<Group>>,
    tag: Vec<Text>,
    #[fcp(rest)] words: Vec<Text>,
    #[fcp(flag)] force: bool,
    note: Option<Text>,
    r#type: Option<Text>,
    a: Option<Text>,
    b: Option<Text>,
    c: Option<Text>,
    d: Option<Text>,
    tick_end: Option<Text>,
) -> Result<Reply> {
    let more = [r#type, a, b, c, d, tick_end].into_iter().flatten().count();
    let reply = created!(
        "circle {name} r:{r} {fill} {} {} {force} {more}",
        tag.len(),
        words.len()
    );
    drawing.shapes.insert(Shape {
        name,
        fill,
        r,
        note,
        group: group.map(Ref::id),
        folded: None,
        version: Int::clamped(1),
        bytes: Vec::new(),
    });
    Ok(reply)
}

/// Remove shapes.
///
/// ```fcp
/// # add circle dot 5
/// # add circle halo 40
/// erase @big
/// > - 1
/// erase do
/// > ! "do" only begins like dot, which is not enough to delete it
/// >   try: erase dot
/// ```
#[fcp_verb(category = "Shapes", deletes)]
pub fn erase(drawing: &mut Drawing, shapes: Selection<Shape>) -> Result<Reply> {
    for id in shapes.iter() {
        drawing.shapes.remove(id);
    }
    Ok(removed!("{}", shapes.len()))
}

/// Turn it.
///
/// ```fcp
/// turn back
/// > = true
/// turn
/// > = false
/// ```
#[fcp_verb(category = "Shapes")]
pub fn turn(_drawing: &mut Drawing, #[fcp(flag)] back: bool) -> Result<Reply> {
    Ok(unchanged!("{back}"))
}

/// List shapes.
///
/// ```fcp
/// # add circle dot 5 color:crimson
/// # add circle halo 40
/// ? shape-list only:RED
/// > dot
/// ```
#[fcp_query(name = "shape-list")]
pub fn shape_list(drawing: &Drawing, only: Option<Paint>) -> Result<Listing<'_>> {
    let painted = move |shape: &Shape| only.is_none_or(|paint| shape.fill == paint);
    let total = drawing
        .shapes
        .iter()
        .filter(|(_, shape)| painted(shape))
        .count();
    let shapes = drawing
        .shapes
        .iter()
        .filter(move |(_, shape)| painted(shape));
    Ok(Listing::lines(
        total,
        shapes.map(|(_, shape)| shape.name.to_string()),
    ))
}

/// Count shapes.
///
/// ```fcp
/// ? count
/// > 0
/// ```
#[fcp_query(category = "Numbers")]
pub fn count(drawing: &Drawing) -> Result<String> {
    Ok(drawing.shapes.len().to_string())
}

/// Forget everything.
#[fcp_action]
pub fn clear(drawing: &mut Drawing) -> Result<Reply> {
    let ids: Vec<_> = drawing.shapes.iter().map(|(id, _)| id).collect();
    for id in &ids {
        drawing.shapes.remove(*id);
    }
    Ok(removed!("{}", ids.len()))
}

/// Make a drawing of so many shapes.
#[fcp_action(category = "Files")]
pub fn sample(title: Text) -> Result<Drawing> {
    let mut drawing = Drawing::default();
    drawing.title.set(title.to_string());
    Ok(drawing)
}

/// Draw it as a picture.
#[fcp_action]
pub fn picture(
    drawing: &Drawing,
    #[fcp(default = Int::clamped(72))] dpi: Int<1, 999>,
) -> Result<Vec<u8>> {
    Ok(format!("{} {dpi}", drawing.title.get()).into_bytes())
}

/// Shapes that are at least so large.
#[fcp_selector(alias = "large")]
pub fn big(drawing: &Drawing, least: Option<Int<1, 999>>) -> Pick<'_> {
    let least = least.map_or(10, Int::get);
    Pick::test(move |row| {
        drawing
            .shapes
            .get(row.of())
            .is_some_and(|shape| shape.r.get() >= least)
    })
}

/// Shapes without a group.
#[fcp_selector(bears_type)]
pub fn loose(drawing: &Drawing) -> Result<Pick<'_>, ValueError> {
    Ok(Pick::test(|row| {
        drawing
            .shapes
            .get(row.of())
            .is_some_and(|shape| shape.group.is_none())
    }))
}

/// A shape too small to be seen.
#[fcp_lint(weight = 10)]
pub fn tiny_shape(_drawing: &Drawing, id: Id<Shape>, shape: &Shape) -> Option<String> {
    (shape.r.get() < 2).then(|| format!("{id} {} is tiny", shape.name))
}
