//! Boxes of texts: the renderer lays out each text in a drawing that contains nothing else.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use fcp::format::picture::{LONGEST_TEXT, Library, Placed};
use fcp::format::xml::{Element, Node};
use fcp::model::Step;
use kurbo::Rect;

use super::Geometry;
use super::drawn::Drawn;
use super::system::System;
use crate::model::NodeId;

/// Inherited properties that affect the layout of characters.
const INHERITED: &[&str] = &[
    "direction",
    "dominant-baseline",
    "font-family",
    "font-stretch",
    "font-style",
    "font-variant",
    "font-weight",
    "kerning",
    "letter-spacing",
    "text-anchor",
    "text-rendering",
    "unicode-bidi",
    "word-spacing",
    "writing-mode",
];

/// Properties that affect the layout of characters and are not inherited.
const OWN: &[&str] = &[
    "alignment-baseline",
    "baseline-shift",
    "display",
    "text-decoration",
];

/// Attributes that position or omit characters.
const PLACING: &[&str] = &[
    "dx",
    "dy",
    "lengthAdjust",
    "method",
    "rotate",
    "side",
    "spacing",
    "startOffset",
    "systemLanguage",
    "textLength",
    "x",
    "xml:space",
    "y",
];

/// The maximum number of nested font sizes that count, starting from the innermost.
const MOST_SIZES: usize = 100;
/// The maximum total length of the paths that a text follows, in bytes.
const LONGEST_PATH: usize = 256 * 1024;

impl Geometry<'_> {
    /// The layout of a text in the system of its own attributes, and the fonts that it lacks.
    /// `None` if it draws nothing, or is too long to be measured.
    #[must_use]
    pub fn text(&self, id: NodeId) -> Option<Arc<Placed>> {
        self.laid_out(id, self.around(id), Drawn::IN_PLACE, false)
    }

    pub(super) fn text_box(
        &self,
        id: NodeId,
        outer: System,
        drawn: Drawn<'_>,
        stroked: bool,
    ) -> Rect {
        let Some(placed) = self.laid_out(id, outer, drawn, stroked) else {
            let point = self.text_point(id, outer);
            return Rect::from_points(point, point);
        };
        let of = if stroked {
            placed.stroked
        } else {
            placed.bounds
        };
        Rect::new(of.x, of.y, of.x + of.width, of.y + of.height)
    }

    fn laid_out(
        &self,
        id: NodeId,
        outer: System,
        drawn: Drawn<'_>,
        stroked: bool,
    ) -> Option<Arc<Placed>> {
        let load = || Library::of(self.fonts).ok();
        let library = self.library.get_or_init(load).as_ref()?;
        library.place(&self.alone(id, outer, drawn, stroked)?)
    }

    /// A drawing with only this text, without its transform. `None` if it is too long.
    fn alone(&self, id: NodeId, outer: System, drawn: Drawn<'_>, stroked: bool) -> Option<String> {
        let (width, height) = (
            outer.viewport.width.max(1.0),
            outer.viewport.height.max(1.0),
        );
        let mut svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='{width}' height='{height}'>"
        );
        // A font size may be relative to outer ones, so those are included.
        let sizes = self.sizes_around(id, drawn);
        for size in sizes.iter().rev() {
            svg.push_str("<g");
            write_attr(&mut svg, "font-size", size);
            svg.push('>');
        }
        svg.push_str("<text");
        for name in INHERITED {
            if let Some(value) = self.inherited(id, name, drawn) {
                write_attr(&mut svg, name, &value);
            }
        }
        // The renderer only reads it from there.
        if let Some(kerning) = self.inherited(id, "font-kerning", drawn) {
            write_attr(&mut svg, "style", &format!("font-kerning:{kerning}"));
        }
        if let Some(baseline) = self.inherited_if_asked(id, "alignment-baseline") {
            write_attr(&mut svg, "alignment-baseline", &baseline);
        }
        let decorations = self.decorations(id);
        if !decorations.is_empty() {
            write_attr(&mut svg, "text-decoration", &decorations);
        }
        if stroked
            && let Some(stroke) = self.inherited(id, "stroke", drawn)
            && stroke.trim() != "none"
        {
            svg.push_str(" stroke='red'");
            if let Some(width) = self.inherited(id, "stroke-width", drawn) {
                write_attr(&mut svg, "stroke-width", &width);
            }
        }
        let spaces = std::iter::once(id)
            .chain(self.nodes.tree().ancestors(id))
            .find_map(|id| self.nodes.attr(id, "xml:space"));
        if let Some(spaces) = spaces {
            write_attr(&mut svg, "xml:space", &spaces);
        }
        for name in PLACING.iter().filter(|name| **name != "xml:space") {
            if let Some(value) = self.nodes.attr(id, name) {
                write_attr(&mut svg, name, &value);
            }
        }
        svg.push('>');
        let paths = self.write_runs(&mut svg, id)?;
        svg.push_str("</text>");
        svg.push_str(&"</g>".repeat(sizes.len()));
        let mut drawn_paths = 0;
        for (at, path) in paths.into_iter().enumerate() {
            // As written, since arcs converted to curves are slightly shorter.
            let data = match self.kind(path) {
                Some("path") => self.nodes.attr(path, "d").unwrap_or_default().into_owned(),
                _ => self.outline(path)?.to_svg(),
            };
            drawn_paths += data.len();
            if drawn_paths > LONGEST_PATH {
                return None;
            }
            let around = self.around(path).viewport;
            let [a, b, c, d, e, f] = self.own_transform(path, around).as_coeffs();
            // Writing to a string cannot fail.
            let mut drawn = String::new();
            write_attr(&mut drawn, "d", &data);
            let _ = write!(
                svg,
                "<defs><path id='p{at}'{drawn} transform='matrix({a} {b} {c} {d} {e} {f})'/></defs>"
            );
        }
        svg.push_str("</svg>");
        Some(svg)
    }

    /// The font sizes set on an element and around it, innermost first.
    fn sizes_around(&self, id: NodeId, drawn: Drawn<'_>) -> Vec<String> {
        let (mut id, mut drawn) = (id, drawn);
        let mut sizes = Vec::new();
        while sizes.len() < MOST_SIZES {
            let size = self.specified(id, "font-size");
            sizes.extend(size.map(Cow::into_owned));
            (id, drawn) = match drawn.user_of(id) {
                Some(outside) => outside,
                None => match self.nodes.tree().parent(id) {
                    Some(parent) => (parent, drawn),
                    None => break,
                },
            };
        }
        sizes
    }

    /// The value of a non-inherited property set on an element; `inherit` takes the value of its
    /// ancestors.
    fn inherited_if_asked(&self, id: NodeId, property: &'static str) -> Option<Cow<'_, str>> {
        let own = self.specified(id, property)?;
        match own.trim() {
            "inherit" => self.inherited(id, property, Drawn::IN_PLACE),
            _ => Some(own),
        }
    }

    /// The lines over, under and through a text: its own and those of its ancestors, all of which
    /// are drawn.
    fn decorations(&self, id: NodeId) -> String {
        let chain = std::iter::once(id).chain(self.nodes.tree().ancestors(id));
        let decorations = chain.filter_map(|id| self.specified(id, "text-decoration"));
        decorations.collect::<Vec<_>>().join(" ")
    }

    /// Writes the content of a text. Returns the paths that it follows; `None` if it is too long.
    fn write_runs(&self, svg: &mut String, id: NodeId) -> Option<Vec<NodeId>> {
        let tree = self.nodes.tree();
        let (mut paths, mut left) = (Vec::new(), LONGEST_TEXT);
        // Only known elements in a text are drawn; others are skipped with their content.
        let mut unseen: Option<NodeId> = None;
        let mut steps = tree.walk(id);
        // The text's start is written already, and the caller writes its end.
        steps.next();
        for step in steps {
            let (Step::Enter(inner) | Step::Leave(inner)) = step;
            if inner == id {
                svg.push_str(self.nodes.element(id).map_or("", Element::trail));
                break;
            }
            // Whitespace before markup is drawn too.
            let space = match step {
                Step::Enter(_) => tree.get(inner).map_or("", Node::lead),
                Step::Leave(_) => self.nodes.element(inner).map_or("", Element::trail),
            };
            if unseen.is_none() {
                left = left.checked_sub(space.chars().count())?;
                svg.push_str(space);
            }
            let Some(element) = self.nodes.element(inner) else {
                let text = tree.get(inner).and_then(Node::text);
                let text = text.filter(|_| unseen.is_none() && matches!(step, Step::Enter(_)));
                if let Some(text) = text {
                    left = left.checked_sub(text.chars().count())?;
                    escape(svg, &text);
                }
                continue;
            };
            if let Step::Leave(_) = step {
                if unseen == Some(inner) {
                    unseen = None;
                } else if unseen.is_none() {
                    svg.push_str("</");
                    svg.push_str(run_of(element.local_name())?);
                    svg.push('>');
                }
                continue;
            }
            if unseen.is_some() {
                continue;
            }
            let name = element.local_name();
            let Some(run) = run_of(name).filter(|_| self.nodes.is_svg(inner)) else {
                unseen = Some(inner);
                continue;
            };
            // Markup takes time to read, so it counts too.
            left = left.checked_sub(1)?;
            svg.push('<');
            svg.push_str(run);
            for property in INHERITED.iter().chain(OWN).chain(&["font-size"]) {
                if let Some(value) = self.specified(inner, property) {
                    write_attr(svg, property, &value);
                }
            }
            for name in PLACING {
                if let Some(value) = self.nodes.attr(inner, name) {
                    write_attr(svg, name, &value);
                }
            }
            if name == "textPath"
                && let Some(path) = self.target(inner)
            {
                write_attr(svg, "xlink:href", &format!("#p{}", paths.len()));
                paths.push(path);
            }
            svg.push('>');
            if name == "tref"
                && let Some(other) = self.target(inner)
            {
                let text = self.nodes.text_of(other);
                left = left.checked_sub(text.chars().count())?;
                escape(svg, &text);
                // A `tref` does not draw its own content.
                svg.push_str("</tspan>");
                unseen = Some(inner);
            }
        }
        Some(paths)
    }
}

/// The element that draws a child of a text. A `tref` is a run whose text is elsewhere.
fn run_of(name: &str) -> Option<&'static str> {
    match name {
        "tspan" | "tref" => Some("tspan"),
        "textPath" => Some("textPath"),
        "a" => Some("a"),
        _ => None,
    }
}

fn write_attr(svg: &mut String, name: &str, value: &str) {
    svg.push(' ');
    svg.push_str(name);
    svg.push_str("=\"");
    escape(svg, value);
    svg.push('"');
}

fn escape(svg: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => svg.push_str("&amp;"),
            '<' => svg.push_str("&lt;"),
            '>' => svg.push_str("&gt;"),
            '"' => svg.push_str("&quot;"),
            _ => svg.push(c),
        }
    }
}
