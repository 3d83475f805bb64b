//! Text measurements agree with the drawn texts.

use fcp::endpoint::Endpoint;
use fcp::testing::say;

use super::{Play, Test};
use fcp_svg::Drawing;
use fcp_svg::model::NodeId;
use kurbo::Rect;
use resvg::tiny_skia::Pixmap;

pub const TESTS: &[Test] = &[
    (
        "the_box_of_a_text_is_that_of_its_ink",
        boxes_are_those_of_the_ink,
    ),
    ("no_text_vanishes_with_the_bundled_fonts", no_text_vanishes),
];

/// The box of the drawn pixels in canvas units; the picture shows the whole canvas.
fn ink(pixels: &Pixmap, canvas: f64) -> Option<Rect> {
    let scale = canvas / f64::from(pixels.width());
    let mut found: Option<Rect> = None;
    let width = pixels.width() as usize;
    for (at, pixel) in pixels.pixels().iter().enumerate() {
        if pixel.alpha() > 40 {
            let (x, y) = ((at % width) as f64, (at / width) as f64);
            let one = Rect::new(x, y, x + 1.0, y + 1.0);
            found = Some(found.map_or(one, |all| all.union(one)));
        }
    }
    found.map(|all| {
        Rect::new(
            all.x0 * scale,
            all.y0 * scale,
            all.x1 * scale,
            all.y1 * scale,
        )
    })
}

fn text_of(drawing: &Drawing) -> NodeId {
    let mut all = drawing.nodes.elements();
    all.find(|id| drawing.nodes.kind_name(*id) == "text")
        .unwrap()
}

/// Letters that fill their advance width and start at the baseline, between marks at both ends.
const TEXTS: &[&str] = &[
    "<text x='5' y='50' font-size='5'>HHHHHHHHHHHHHHHHHHHHHHHH</text>",
    "<text x='50' y='50' font-size='5' text-anchor='middle'>HHHHHHHHHHHHHHHHHHHHHHHH</text>",
    "<text x='95' y='50' font-size='6' text-anchor='end' font-family='monospace'>HHHHHHHHHHHHHHHHHHHHHHHH</text>",
    "<g font-size='2' font-weight='700' transform='translate(3 4) scale(2)'><text x='2' y='20'>HHHHHHHHHHHHHHHHHHHH</text></g>",
    "<text x='5' y='30' font-size='4'>HHHHHHHHHH<tspan font-size='6'>HHHHHHHHHH</tspan></text>",
    "<text x='5' y='30' font-size='5'><tspan x='5'>HHHHHHHHHHHHHHHHHHHH</tspan><tspan x='5' dy='1.2em'>HHHHHHHHHHHHHHHHHHHHH</tspan></text>",
    "<style>.big{font:6px monospace}</style><text class='big' x='5' y='50'>HHHHHHHHHHHHHHHHHHHHHHHH</text>",
    "<text x='5' y='50' font-size='5' letter-spacing='.5'>HHHHHHHHHHHHHHHHHHHH</text>",
    "<text x='5' y='50' font-size='4' textLength='80'>HHHHHHHHHHHHHHHHHHHHHHHH</text>",
    "<defs><text id='t' x='5' y='20'>HHHHHHHHHHHHHHHHHH</text></defs><use href='#t' y='30' font-size='6'/>",
];

fn boxes_are_those_of_the_ink() {
    let mut play = Play::with(Default::default());
    for body in TEXTS {
        play.open(body);
        let (_, pixels) = play.render("render width:1600");
        let ink = ink(&pixels, 100.0).unwrap();
        let drawing = play.session.model().unwrap();
        let shown = drawing
            .nodes
            .elements()
            .find(|id| drawing.nodes.kind_name(*id) == "use");
        let id = shown.unwrap_or_else(|| text_of(drawing));
        let found = drawing.geometry().bbox(id).unwrap();
        let off = (found.width() - ink.width()).abs() / ink.width();
        // The side bearing of the last letter, and the spacing after it, are part of the advance.
        assert!(off <= 0.02, "{body}: {found:?}, ink {ink:?}");
        assert!(
            found.inflate(0.1, 0.1).contains_rect(ink),
            "{body}: {found:?}, ink {ink:?}"
        );
        assert!((found.center().x - ink.center().x).abs() <= 1.5, "{body}");
    }
    // `measure` agrees with the picture.
    for font in ["DejaVu Sans", "DejaVu Sans Mono"] {
        for weight in ["normal", "bold"] {
            play.open(&format!(
                "<text x='5' y='50' font-size='5' font-family='{font}' font-weight='{weight}'>HHHHHHHHHHHHHHHHHHHH</text>"
            ));
            let (_, pixels) = play.render("render width:1600");
            let ink = ink(&pixels, 100.0).unwrap();
            let asked =
                format!("measure HHHHHHHHHHHHHHHHHHHH size:5 font:\"{font}\" weight:{weight}");
            let reply = play.session.query(&asked).text;
            let width: f64 = reply.split('x').next().unwrap().parse().unwrap();
            let off = (width - ink.width()).abs() / ink.width();
            assert!(off <= 0.02, "{reply}: the ink is {} wide", ink.width());
        }
    }
}

fn no_text_vanishes() {
    let mut play = Play::with(Default::default());
    for (family, noted) in [
        ("Futura", true),
        ("'Helvetica Neue',Arial", true),
        ("serif", false),
        ("cursive", false),
        ("fantasy", false),
        ("system-ui", true),
        ("", false),
    ] {
        play.open(&format!(
            "<text x='10' y='50' font-size='20' font-family=\"{family}\">Hamburg</text>"
        ));
        let (reply, pixels) = play.render("render width:200");
        assert!(ink(&pixels, 100.0).is_some(), "{family}: nothing is drawn");
        if reply.contains("no font") != noted {
            say(&format!("{family}: {reply}"));
        }
        assert_eq!(reply.contains("no font"), noted, "{family}: {reply}");
    }
}
