//! `new`

use fcp::format::xml::{self, Element, Limits, Node};
use fcp::model::Tree;
use fcp::prelude::*;
use fcp::value::{Color, Size};
use kurbo::Point;

use crate::model::{Drawing, SVG};
use crate::syntax::number::spell_given;
use crate::values::{Paper, Units, ViewBox};

/// Start an empty drawing.
///
/// ```fcp
/// ! new "Night Jazz" size:600x800 background:#101820
/// > + New document "Night Jazz" 600x800
/// ? list
/// > background rect @(0,0 600x800) #101820 none
/// ! new paper:a4 units:mm
/// > + New document 210x297
/// ! new "Plot" size:600x300 viewbox:-100,-50,200,100 background:#eee
/// > + New document "Plot" 600x300
/// ? list
/// > background rect @(-100,-50 200x100) #eee none
/// ! new size:0x10
/// > ! size: 0x10 is empty
/// >   try: new size:10x10
/// ! new 300x200
/// > ! 300x200 is a size; a title of this form has quotes
/// >   try: new size:300x200
/// ! new "4x4"
/// > + New document "4x4" 800x600
/// ```
#[fcp_action]
pub fn new(
    /// Its title.
    #[fcp(positional)]
    title: Option<Spanned<Name>>,
    /// Its width and height; 800x600 if left out.
    size: Option<Spanned<Size>>,
    /// Its width and height by the name of a paper, in millimetres.
    paper: Option<Paper>,
    /// The part of the plane that is shown: corner, width, height; from 0,0 by its width and height if left out.
    viewbox: Option<ViewBox>,
    /// The unit of width and height.
    #[fcp(default = Units::Px)]
    units: Units,
    /// The background: a rect of that colour behind everything.
    background: Option<Color>,
) -> Result<Drawing> {
    if let Some(title) = title.as_ref().filter(|title| is_size(title.text())) {
        let shown = title.text();
        let is_given = size.is_some() || paper.is_some();
        let error = Diagnostic::new(format!(
            "{shown} is a size; a title of this form has quotes"
        ));
        return Err(error.maybe_try((!is_given).then(|| {
            let size = format!("size:{shown}");
            title.span().replace(title.op(), &size)
        })));
    }
    let (width, height, unit) = match (&size, paper) {
        (Some(_), Some(_)) => {
            bail!("size: and paper: both set the size; give one"; try: "new paper:a4")
        }
        (Some(size), None) => {
            let (width, height) = (size.get().width.to_string(), size.get().height.to_string());
            if size.get().is_empty() {
                return Err(size.wrong(crate::canvas::empty(size.get())));
            }
            (width, height, units.suffix())
        }
        (None, Some(paper)) => {
            let (width, height) = paper.millimetres();
            (width.to_string(), height.to_string(), "mm")
        }
        (None, None) => ("800".to_owned(), "600".to_owned(), units.suffix()),
    };
    let shown = match &viewbox {
        Some(viewbox) => viewbox.to_string(),
        None => format!("0 0 {width} {height}"),
    };
    let text = format!(
        "<svg xmlns=\"{SVG}\" width=\"{width}{unit}\" height=\"{height}{unit}\" viewBox=\"{shown}\">\n</svg>\n"
    );
    let mut drawing = Drawing::default();
    let tree = drawing.nodes.tree_mut();
    xml::read(text, &Limits::default())?.place(tree, Tree::<Node>::ROOT, None)?;
    let Some(root) = xml::root(tree) else {
        bail!("the drawing has no root")
    };
    if let Some(title) = title {
        let id = xml::insert_element(tree, Element::new("title")?, root, None)?;
        xml::insert_node(tree, Node::text_run(title.get().as_str())?, id, None)?;
    }
    if let Some(color) = background {
        let mut rect = Element::new("rect")?.with("id", "background")?;
        let corner = viewbox.map_or(Point::ORIGIN, |viewbox| viewbox.rect().origin());
        for (name, at) in [("x", corner.x), ("y", corner.y)] {
            if at != 0.0 {
                rect = rect.with(name, &spell_given(at))?;
            }
        }
        let rect = rect
            .with("width", "100%")?
            .with("height", "100%")?
            .with("fill", color.as_str())?;
        xml::insert_element(tree, rect, root, None)?;
    }
    Ok(drawing)
}

/// Whether a text is `WxH`.
fn is_size(text: &str) -> bool {
    text.contains('x') && Size::parse(text).is_ok()
}
