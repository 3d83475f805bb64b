//! `elements`

use fcp::op::{quote, spell_param};
use fcp::prelude::*;
use kurbo::{Rect, Size};

use super::moved::{set_x, set_y};
use super::placed::{set_nth, set_parent};
use super::resized::{set_h, set_w};
use super::retexted::set_text;
use super::{needed, node, paint, rounded, row, visible, whole};
use crate::edit::rename::set_ids;
use crate::geometry::viewport::{Axis, length};
use crate::model::kind::{LAYER, Role, holds_definitions};
use crate::model::{Drawing, NodeId};
use crate::style::{Cascade, ComputedStyle};
use crate::syntax::id::ElementId;

/// An element, its place and its computed style.
#[derive(FcpRow)]
#[fcp(model = Drawing, part = Drawing::NODES)]
pub struct ElementRow {
    pub row: Row,
    /// The name of its tag, without a prefix: rect, g, linearGradient.
    #[fcp(by = "convert")]
    pub tag: String,
    /// Its id; writing it renames the element with all references, NULL removes an id without any.
    #[fcp(set_all = set_id)]
    pub id: Option<String>,
    /// Its classes, as written.
    #[fcp(by = "modify {rows} class:={value}")]
    pub class: Option<String>,
    /// The ref of the element it is in; writing it moves the element there, last of all, and keeps its place on the canvas.
    #[fcp(set_all = set_parent)]
    pub parent: Option<String>,
    /// The ref of the layer it is in.
    #[fcp(by = "move {rows} in:={value}")]
    pub layer: Option<String>,
    /// The number of elements it is in; 0 for the root.
    #[fcp(by = "move")]
    pub depth: i64,
    /// Its place among the elements of its parent, from 1; the last is in front. Writing it reorders them.
    #[fcp(set_all = set_nth)]
    pub nth: i64,
    /// The line of the file it begins on, from 1.
    #[fcp(by = "move")]
    pub line: i64,
    /// Left side of its box, without stroke, in canvas units; NULL if it draws nothing, and for tspan and textPath: the renderer's layout gives the box of a whole text, of which runs share lines, and no widths of its runs. Writing it moves the element.
    #[fcp(set_all = set_x)]
    pub x: Option<f64>,
    /// Top of its box. Writing it moves the element.
    #[fcp(set_all = set_y)]
    pub y: Option<f64>,
    /// Width of the box on the canvas. Writing it resizes a rect, an image, an ellipse, or a circle in both directions, from its left and top; scale resizes others.
    #[fcp(set_all = set_w)]
    pub w: Option<f64>,
    /// Height of the box on the canvas. Writing it resizes as w does.
    #[fcp(set_all = set_h)]
    pub h: Option<f64>,
    /// Centre of its box, across.
    #[fcp(by = "move {rows} by:=(({value})-cx)||',0'")]
    pub cx: Option<f64>,
    /// Centre of its box, down.
    #[fcp(by = "move {rows} by:='0,'||(({value})-cy)")]
    pub cy: Option<f64>,
    /// Fill after the cascade: #rrggbb, with two more digits if it is not opaque, none or url(#ID). Rules in @media and @supports do not count.
    #[fcp(by = "style {rows} fill:={value}")]
    pub fill: String,
    /// Stroke after the cascade, spelled as fill.
    #[fcp(by = "style {rows} stroke:={value}")]
    pub stroke: String,
    /// The stroke's width, in the element's own units.
    #[fcp(by = "style {rows} stroke-width:={value}")]
    pub stroke_width: f64,
    /// Its own opacity, 0 to 1.
    #[fcp(by = "style {rows} opacity:={value}")]
    pub opacity: f64,
    /// Size of its font, in the element's own units.
    #[fcp(by = "style {rows} font-size:={value}")]
    pub font_size: f64,
    /// Families of its font.
    #[fcp(by = "style {rows} font-family:={value}")]
    pub font_family: String,
    /// Its text, of elements that hold text: the lines of a text, with a line break between them, or a blank if it is wrapped there. Its parts are in the table texts, which writes one of several. Writing it on a box or a link writes the label.
    #[fcp(set_all = set_text)]
    pub text: Option<String>,
    /// Whether it, or something in it, draws anything in its place: displayed, visible, not transparent as a whole, of a size above 0, and filled or stroked. Clips, masks and what lies in front do not count.
    #[fcp(by = "modify {rows} hidden:=iif({value},'off','on')")]
    pub visible: bool,
    /// Its source, with all that is in it.
    #[fcp(by = "replace")]
    pub xml: String,
}

/// The columns that need the cascade.
const STYLED: [&str; 7] = [
    "fill",
    "stroke",
    "stroke_width",
    "opacity",
    "font_size",
    "font_family",
    "visible",
];

/// An ancestor of the current element.
struct Outer {
    id: NodeId,
    name: Option<String>,
    layer: Option<String>,
    /// The number of elements in it so far.
    inner: i64,
    defines: bool,
    /// Its place among the rows.
    at: usize,
    /// Whether it is drawn in its place, if it draws anything.
    drawn: bool,
    /// The child that a `switch` draws.
    only: Option<Option<NodeId>>,
}

/// Every element, in definitions, titles and texts too, in the order of the file.
#[fcp_table(entity, insert = "insert {xml} last:{parent}", insert_by = insert)]
pub fn elements(drawing: &Drawing, wanted: Wanted<'_>) -> Vec<ElementRow> {
    let nodes = &drawing.nodes;
    let tree = nodes.tree();
    let all: Vec<NodeId> = nodes.elements().collect();
    let lines = wanted.value("line", || nodes.source_lines(&all));
    let has_boxes = wanted.any(&["x", "y", "w", "h", "cx", "cy"]);
    let needs_geometry = has_boxes || wanted.any(&["stroke_width", "visible"]);
    let geometry = needs_geometry.then(|| drawing.geometry());
    let styles = wanted.any(&STYLED).then(|| drawing.styles());
    let mut cascade = styles.as_ref().map(Cascade::new);
    let has_names = wanted.any(&["parent", "layer"]);
    let mut outer: Vec<Outer> = Vec::new();
    let mut rows: Vec<ElementRow> = Vec::with_capacity(all.len());
    let has_entities = nodes.entities().next().is_some();
    for id in all {
        let Some(element) = nodes.element(id) else {
            continue;
        };
        let parent = tree.parent(id);
        let parent = parent.filter(|parent| nodes.element(*parent).is_some());
        while outer.last().is_some_and(|last| Some(last.id) != parent) {
            outer.pop();
        }
        let depth = outer.len();
        let (mut nth, mut defines) = (1, holds_definitions(element.local_name()));
        let (mut parent, mut layer) = (None, None);
        let sight = geometry.as_ref().filter(|_| wanted.has("visible"));
        let role = nodes.role(id);
        let is_part = matches!(element.local_name(), "tspan" | "textPath");
        let mut drawn = sight.is_some_and(|geometry| is_part || geometry.is_drawn(id));
        if let Some(last) = outer.last_mut() {
            last.inner += 1;
            nth = last.inner;
            defines |= last.defines;
            (parent, layer) = (last.name.clone(), last.layer.clone());
            drawn &= last.drawn && last.only.is_none_or(|only| only == Some(id));
        }
        drawn &= !defines;
        let name = has_names.then(|| nodes.name(id));
        let is_layer = has_names && nodes.kind_name(id) == LAYER;
        outer.push(Outer {
            id,
            layer: if is_layer {
                name.clone()
            } else {
                layer.clone()
            },
            name,
            inner: 0,
            defines,
            at: rows.len(),
            // Elements in shapes are not drawn.
            drawn: drawn && (is_part || role == Role::Container || element.local_name() == "text"),
            only: match (sight, element.local_name()) {
                (Some(geometry), "switch") => Some(geometry.chosen_in(id)),
                _ => None,
            },
        });
        let computed = cascade.as_mut().map(|cascade| cascade.enter(id));
        let own = geometry.as_ref().filter(|_| has_boxes);
        let found: Option<Rect> = own.and_then(|geometry| geometry.bbox(id));
        let style = |property: &str| computed.map_or("", |computed| computed.value(property));
        let attr = |name: &str| element.attr(name).map(std::borrow::Cow::into_owned);
        let color = |column| wanted.value(column, || paint(style(column), style("color")));
        let viewport = || {
            let own = geometry.as_ref().map(|own| own.viewport(id));
            own.unwrap_or_default()
        };
        let has_text = wanted.has("text") && nodes.holds_text(id);
        rows.push(ElementRow {
            row: row(id),
            tag: element.local_name().to_owned(),
            id: attr("id"),
            class: attr("class"),
            parent,
            layer,
            depth: whole(depth),
            nth,
            line: lines.get(&id).map_or(0, |line| whole(*line)),
            x: found.map(|found| rounded(found.x0)),
            y: found.map(|found| rounded(found.y0)),
            w: found.map(|found| rounded(found.width())),
            h: found.map(|found| rounded(found.height())),
            cx: found.map(|found| rounded(found.center().x)),
            cy: found.map(|found| rounded(found.center().y)),
            fill: color("fill"),
            stroke: color("stroke"),
            stroke_width: wanted.value("stroke_width", || {
                computed.map_or(0.0, |computed| rounded(stroke_width(computed, viewport())))
            }),
            opacity: opacity(style("opacity")),
            font_size: computed.map_or(0.0, |computed| rounded(computed.font_size)),
            font_family: style("font-family").trim().to_owned(),
            text: has_text.then(|| match element.local_name() {
                "text" => drawing.text_content(id),
                _ => nodes.text_of(id),
            }),
            visible: false,
            xml: wanted.value("xml", || tree.text_of(id).trim_start().to_owned()),
        });
        let Some((geometry, computed)) = sight.zip(computed).filter(|_| drawn) else {
            continue;
        };
        let width = || stroke_width(computed, viewport());
        let has_text = || !nodes.text_of(id).trim().is_empty();
        let draws = match role {
            Role::Graphic if element.local_name() == "text" && !has_text() => false,
            Role::Graphic => visible::draws((nodes, geometry), (id, element), computed, width()),
            _ => is_part && has_text() && visible::draws_part(nodes, computed, width()),
        };
        let holds = role == Role::Container || is_part || element.local_name() == "text";
        let by_entity = || visible::draws_entity(nodes, id, computed);
        let draws = draws || has_entities && holds && by_entity();
        if draws {
            // Up to the first one that something else in it made visible.
            for outer in outer.iter().rev() {
                match rows.get_mut(outer.at) {
                    Some(row) if !row.visible => row.visible = true,
                    _ => break,
                }
            }
        }
    }
    rows
}

fn set_id(
    drawing: &mut Drawing,
    rows: Vec<(&ElementRow, Option<ElementId>)>,
) -> Result<Vec<String>> {
    let ids = rows.into_iter();
    set_ids(drawing, ids.map(|(row, id)| (node(row.row), id)).collect())
}

/// The op for a new element, last in its parent or in the drawing.
fn insert(drawing: &Drawing, new: NewRow<'_>) -> Result<String> {
    let xml = needed(&new, "xml")?;
    let root = drawing.nodes.root().map(|root| drawing.nodes.name(root));
    let parent = new.text("parent").or(root).unwrap_or_default();
    let last = spell_param("last", &parent);
    Ok(format!("insert {} {last}", quote(&xml)))
}

fn stroke_width(computed: &ComputedStyle<'_>, viewport: Size) -> f64 {
    let (text, whole) = (computed.value("stroke-width"), Axis::Both.of(viewport));
    length(text, || computed.font_size, whole).unwrap_or(1.0)
}

/// An opacity as a number from 0 to 1.
fn opacity(text: &str) -> f64 {
    let text = text.trim();
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().map(|number| number / 100.0),
        None => text.parse(),
    };
    number.unwrap_or(1.0).clamp(0.0, 1.0)
}
