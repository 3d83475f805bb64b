//! The renderer confirms the result of `style` wherever the property was set before; otherwise the
//! op is rejected and nothing changes.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::endpoint::{Config, Endpoint};
use fcp::session::Session;
use fcp_svg::Drawing;
use usvg::{Node, Paint, Path, Tree};

/// Places of a property. `{P}` is a property and its value as a declaration, `{A}` as an attribute;
/// the element is `x`, the first rule `.hot`.
const PLACES: &[&str] = &[
    "<rect id='x' width='9' height='9'/>",
    "<rect id='x' width='9' height='9' {A}/>",
    "<rect id='x' width='9' height='9' style='{P}'/>",
    "<rect id='x' width='9' height='9' style='{P} !important'/>",
    "<rect id='x' width='9' height='9' {A} style='{P}'/>",
    "<g {A}><rect id='x' width='9' height='9'/></g>",
    "<g style='{P}'><rect id='x' width='9' height='9' style='stroke-linecap:round'/></g>",
    "<style>.hot{{P}}</style><rect id='x' class='hot' width='9' height='9'/>",
    "<style>.hot{{P}}</style><rect id='x' class='hot' width='9' height='9' {A}/>",
    "<style>.hot{{P}}</style><rect id='x' class='hot' width='9' height='9' style='{P}'/>",
    "<style>.hot{{P}} g .hot{{P}}</style><g><rect id='x' class='hot' width='9' height='9'/></g>",
    "<style>.hot{{P}!important}</style><rect id='x' class='hot' width='9' height='9'/>",
    "<style>.hot{{P}!important}</style><rect id='x' class='hot' width='9' height='9' style='{P}'/>",
    "<style>.hot{{P}!important}</style><rect id='x' class='hot' width='9' height='9' style='{P}!important'/>",
    "<style>.hot{{P}!important} rect{{P}!important}</style><rect id='x' class='hot' width='9' height='9'/>",
];

/// A property, its old and new values, and a function that reads it from the renderer.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    fn(&Path) -> String,
);

const CASES: &[Case] = &[
    ("fill", "red", "#0000ff", |path| {
        paint(path.fill().map(usvg::Fill::paint))
    }),
    ("stroke", "red", "#0000ff", |path| {
        paint(path.stroke().map(usvg::Stroke::paint))
    }),
    ("fill-opacity", ".9", "0.5", |path| {
        path.fill()
            .map_or(String::new(), |fill| short(fill.opacity().get()))
    }),
    ("stroke-width", "3", "5", |path| {
        path.stroke()
            .map_or(String::new(), |stroke| short(stroke.width().get()))
    }),
];

fn short(number: f32) -> String {
    // Opacity is rounded to 8 bits.
    format!("{}", (f64::from(number) * 100.0).round() / 100.0)
}

fn paint(paint: Option<&Paint>) -> String {
    match paint {
        Some(Paint::Color(color)) => {
            format!("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue)
        }
        Some(_) => "other".to_owned(),
        None => "none".to_owned(),
    }
}

/// The value in the renderer for the only drawn shape.
fn held(text: &str, of: fn(&Path) -> String) -> String {
    let tree = Tree::from_str(text, &usvg::Options::default()).unwrap();
    let mut groups = vec![tree.root()];
    while let Some(group) = groups.pop() {
        for node in group.children() {
            match node {
                Node::Group(inner) => groups.push(inner),
                Node::Path(path) => return of(path),
                Node::Image(_) | Node::Text(_) => {}
            }
        }
    }
    "nothing is drawn".to_owned()
}

fn text_of(session: &Session<Drawing>) -> String {
    session.model().unwrap().nodes.tree().text()
}

#[test]
fn styles_agree_with_the_renderer() {
    let root = tempfile::tempdir().unwrap();
    let (mut done, mut refused) = (0, 0);
    for place in PLACES {
        for (property, before, after, of) in CASES {
            for via in ["", " via:attr", " via:style"] {
                let around = match *property {
                    "stroke-width" => " stroke='black'",
                    _ => "",
                };
                let body = place
                    .replace("{P}", &format!("{property}:{before}"))
                    .replace("{A}", &format!("{property}='{before}'"));
                let text = format!(
                    "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'{around}>{body}</svg>"
                );
                std::fs::write(root.path().join("a.svg"), &text).unwrap();
                let mut session = Session::<Drawing>::new(&Config::at(root.path())).unwrap();
                assert!(!session.act("open a.svg").is_error, "{text}");
                let op = format!("style x {property}:{after}{via}");
                let answer = session.run(std::slice::from_ref(&op), None);
                if answer.is_error {
                    refused += 1;
                    assert_eq!(text_of(&session), text, "{op}");
                    let tried = answer.text.split("\n  try: ").nth(1).map(str::lines);
                    let tried = tried.and_then(|mut lines| lines.next()).unwrap_or_default();
                    // A rule without a class can only be shown.
                    if let Some(query) = tried.strip_prefix("? ") {
                        assert!(!session.query(query).is_error, "{op}: {query}");
                        continue;
                    }
                    let mended = session.run(&[tried.to_owned()], None);
                    assert!(!mended.is_error, "{op}: {}\n{}", answer.text, mended.text);
                } else {
                    done += 1;
                }
                let now = text_of(&session);
                assert_eq!(
                    held(&now, *of),
                    *after,
                    "{op}\n{text}\n{now}\n{}",
                    answer.text
                );
                session.act("undo");
                assert_eq!(text_of(&session), text, "{op}");
            }
        }
    }
    assert!(
        done >= 100 && refused >= 20,
        "{done} done, {refused} refused"
    );
}
