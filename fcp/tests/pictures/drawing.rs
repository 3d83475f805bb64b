//! Sizes, regions, backgrounds, missing fonts, images.

use std::{collections::BTreeMap, sync::Arc};

use fcp::format::picture::{
    Error, Fonts, Generics, Library, MOST_COPIES, MOST_PIXELS, Options, Origin, Region, Size,
    WIDEST, render, render_in_worker,
};
use fcp::worker::Limits;
use resvg::tiny_skia::Pixmap;

use super::{Test, pixels};

pub const TESTS: &[Test] = &[
    ("sizes_are_as_asked", sizes_are_as_asked),
    (
        "sizes_out_of_bounds_are_refused",
        sizes_out_of_bounds_are_refused,
    ),
    ("a_region_is_in_canvas_units", a_region_is_in_canvas_units),
    ("a_background_is_drawn_first", a_background_is_drawn_first),
    ("a_worker_draws_the_same", a_worker_draws_the_same),
    ("no_text_vanishes", no_text_vanishes),
    (
        "fonts_are_listed_and_folders_must_be_there",
        fonts_are_listed_and_folders_must_be_there,
    ),
    (
        "only_images_that_are_handed_over_are_drawn",
        only_images_that_are_handed_over_are_drawn,
    ),
    (
        "text_that_is_not_a_drawing_is_refused",
        text_that_is_not_a_drawing_is_refused,
    ),
];

fn svg(root: &str, body: &str) -> Vec<u8> {
    format!("<svg xmlns='http://www.w3.org/2000/svg' {root}>{body}</svg>").into_bytes()
}

fn sized(size: Size) -> Options {
    Options {
        size,
        ..Options::default()
    }
}

/// The colour of a pixel, and its opacity.
fn at(pixels: &Pixmap, x: u32, y: u32) -> [u8; 4] {
    let pixel = pixels.pixel(x, y).unwrap();
    [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
}

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const NOTHING: [u8; 4] = [0; 4];

fn sizes_are_as_asked() {
    let cases = [
        ("width='600' height='800'", Size::Width(300), (300, 400)),
        ("width='600' height='800'", Size::Scale(1.0), (600, 800)),
        ("width='600' height='800'", Size::Scale(0.25), (150, 200)),
        ("viewBox='0 0 30 10'", Size::Width(4096), (4096, 1366)),
        ("viewBox='5 5 1 1'", Size::Width(4096), (4096, 4096)),
        ("width='1' height='1'", Size::Width(1), (1, 1)),
        ("width='1000' height='1'", Size::Width(1), (1, 1)),
        ("width='10in' height='1in'", Size::Scale(1.0), (960, 96)),
    ];
    for (root, size, expected) in cases {
        let picture = render(&svg(root, "<path d='M0 0h9v9z'/>"), &sized(size)).unwrap();
        assert_eq!((picture.width, picture.height), expected, "{root} {size:?}");
        let pixels = pixels(&picture.png);
        assert_eq!(
            (pixels.width(), pixels.height()),
            expected,
            "{root} {size:?}"
        );
    }
}

fn sizes_out_of_bounds_are_refused() {
    let tall = "width='10' height='100'";
    let cases = [
        (tall, Size::Width(0), (0, 0), None),
        (tall, Size::Width(4097), (4097, 40970), Some(1295)),
        (tall, Size::Width(2000), (2000, 20000), Some(1295)),
        (
            "width='100' height='10'",
            Size::Width(5000),
            (5000, 500),
            Some(WIDEST),
        ),
        (
            tall,
            Size::Scale(1e9),
            (10_000_000_000, 100_000_000_000),
            Some(1295),
        ),
        (tall, Size::Scale(0.0), (0, 0), None),
        (tall, Size::Scale(-1.0), (0, 0), None),
        (tall, Size::Scale(f64::NAN), (0, 0), None),
        (tall, Size::Scale(f64::INFINITY), (u64::MAX, u64::MAX), None),
    ];
    for (root, size, (width, height), fits) in cases {
        let drawing = svg(root, "<rect width='5' height='5'/>");
        let error = render(&drawing, &sized(size)).unwrap_err();
        assert_eq!(
            error,
            Error::Size {
                width,
                height,
                fits
            },
            "{root} {size:?}"
        );
        if let Some(fits) = fits {
            let picture = render(&drawing, &sized(Size::Width(fits))).unwrap();
            assert!(u64::from(picture.width) * u64::from(picture.height) <= MOST_PIXELS);
        }
    }
    let error = Error::Size {
        width: 5000,
        height: 500,
        fits: None,
    };
    assert_eq!(
        error.to_string(),
        "a picture of 5000x500 pixels is too large: at most 4096 wide, 16 Mpx in all"
    );
}

fn a_region_is_in_canvas_units() {
    // Blue except for a red square at 10,20 of 30x30 units; the drawing's own size differs.
    let body = "<rect x='-99' y='-99' width='999' height='999' fill='blue'/>\
        <rect x='10' y='20' width='30' height='30' fill='red'/>";
    let roots = [
        "viewBox='0 0 100 60'",
        "viewBox='0 0 100 60' width='500' height='300'",
        "viewBox='0 0 100 60' width='500' height='500'",
        "viewBox='-50 -50 200 200' width='40mm' height='3em' preserveAspectRatio='none'",
        "viewBox='0 0 100 60' width='50' height='300' preserveAspectRatio='xMinYMax slice'",
        "width='100' height='60'",
    ];
    for root in roots {
        for (from, to) in [((10.0, 20.0), (40.0, 50.0)), ((40.0, 20.0), (10.0, 50.0))] {
            let options = Options {
                region: Some(Region { from, to }),
                ..sized(Size::Width(60))
            };
            let picture = render(&svg(root, body), &options).unwrap();
            let pixels = pixels(&picture.png);
            let (right, bottom) = (picture.width - 3, picture.height - 3);
            for (x, y) in [(2, 2), (right, 2), (2, bottom), (right, bottom)] {
                assert_eq!(at(&pixels, x, y), RED, "{root} {x},{y}");
            }
        }
        let options = Options {
            region: Some(Region {
                from: (5.0, 15.0),
                to: (45.0, 55.0),
            }),
            ..sized(Size::Width(80))
        };
        let picture = render(&svg(root, body), &options).unwrap();
        let pixels = pixels(&picture.png);
        let (right, bottom) = (picture.width - 3, picture.height - 3);
        assert_eq!(at(&pixels, 2, 2), BLUE, "{root}");
        assert_eq!(at(&pixels, right, bottom), BLUE, "{root}");
        assert_eq!(
            at(&pixels, picture.width / 2, picture.height / 2),
            RED,
            "{root}"
        );
    }
    for (from, to) in [
        ((1.0, 1.0), (1.0, 5.0)),
        ((f64::NAN, 0.0), (5.0, 5.0)),
        ((0.0, 0.0), (1e300, 5.0)),
    ] {
        let options = Options {
            region: Some(Region { from, to }),
            ..Options::default()
        };
        assert_eq!(
            render(&svg("viewBox='0 0 9 9'", body), &options),
            Err(Error::Region),
            "{to:?}"
        );
    }
}

fn a_background_is_drawn_first() {
    let drawing = svg(
        "width='20' height='20'",
        "<rect width='10' height='20' fill='red'/>",
    );
    for (background, expected) in [(None, NOTHING), (Some(BLUE), BLUE), (Some([0; 4]), NOTHING)] {
        let options = Options {
            background,
            ..sized(Size::Width(20))
        };
        let pixels = pixels(&render(&drawing, &options).unwrap().png);
        assert_eq!((at(&pixels, 5, 5), at(&pixels, 15, 5)), (RED, expected));
    }
}

fn a_worker_draws_the_same() {
    let body = "<text y='20' font-family='Futura'>Abc</text><image href='a b.png' width='9' height='9'/>\
        <image href='gone.png' width='9' height='9'/>";
    let dot = Pixmap::new(1, 1).unwrap().encode_png().unwrap();
    let options = Options {
        region: Some(Region {
            from: (0.0, 1.0),
            to: (50.0, 30.0),
        }),
        background: Some([1, 2, 3, 40]),
        images: BTreeMap::from([("a b.png".to_owned(), Arc::new(dot))]),
        ..sized(Size::Scale(2.0))
    };
    let drawing = svg("width='60' height='40'", body);
    let here = render(&drawing, &options).unwrap();
    assert_eq!((here.width, here.height, here.notes.len()), (100, 58, 2));
    assert_eq!(
        render_in_worker(&drawing, &options, &Limits::default()),
        Ok(here)
    );
    // Errors keep their data too.
    let error = render_in_worker(&drawing, &sized(Size::Width(9999)), &Limits::default());
    assert_eq!(error, render(&drawing, &sized(Size::Width(9999))));
    assert!(matches!(error, Err(Error::Size { width: 9999, .. })));
}

fn no_text_vanishes() {
    let cases = [
        ("", None),
        ("sans-serif", None),
        ("serif", None),
        ("cursive", None),
        ("fantasy", None),
        ("monospace", None),
        ("dejavu SANS", None),
        ("Futura, 'DejaVu Sans Mono'", None),
        ("Futura, monospace", None),
        ("Futura", Some("no font \"Futura\", drawn in DejaVu Sans")),
        (
            "'Gill Sans', Futura",
            Some("no font \"Gill Sans\", drawn in DejaVu Sans"),
        ),
    ];
    for (family, note) in cases {
        for style in [
            "",
            "font-weight='bold'",
            "font-style='italic'",
            "font-weight='100'",
        ] {
            let family = if family.is_empty() {
                String::new()
            } else {
                format!("font-family=\"{family}\"")
            };
            let body = format!("<text y='20' {family} {style}>Wort</text>");
            let picture = render(
                &svg("width='60' height='30'", &body),
                &sized(Size::Width(60)),
            )
            .unwrap();
            let ink = pixels(&picture.png)
                .pixels()
                .iter()
                .filter(|pixel| pixel.alpha() > 99)
                .count();
            assert!(ink > 50, "{body}: {ink}");
            assert_eq!(
                picture.notes,
                note.into_iter().collect::<Vec<_>>(),
                "{body}"
            );
        }
    }
}

fn fonts_are_listed_and_folders_must_be_there() {
    let library = Library::of(&Fonts::default()).unwrap();
    let names = |part| {
        library
            .families(part)
            .map(|family| family.name.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(""), ["DejaVu Sans", "DejaVu Sans Mono"]);
    assert_eq!(names("MONO"), ["DejaVu Sans Mono"]);
    assert_eq!(names("futura"), [""; 0]);
    let sans = library.families("").next().unwrap();
    assert_eq!(sans.origin, Origin::Bundled);
    assert_eq!(
        sans.faces
            .iter()
            .map(|face| face.weight)
            .collect::<Vec<_>>(),
        [400, 700]
    );
    // Loaded once.
    assert!(Arc::ptr_eq(
        &library,
        &Library::of(&Fonts::default()).unwrap()
    ));
    let fonts = Fonts {
        dirs: vec!["no/such/folder".into()],
        ..Fonts::default()
    };
    let error = Library::of(&fonts).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the fonts folder no/such/folder is not there"
    );
    // A generic name may be mapped to any existing family.
    let generics = Generics {
        serif: Some("DejaVu Sans Mono".into()),
        unknown: Some("Nowhere".into()),
        ..Generics::default()
    };
    let options = Options {
        fonts: Fonts {
            generics,
            ..Fonts::default()
        },
        ..sized(Size::Width(90))
    };
    let drawn = |family: &str, options: &Options| {
        let body = format!("<text y='20' font-family='{family}'>illi</text>");
        render(&svg("width='90' height='30'", &body), options)
            .unwrap()
            .png
    };
    assert_eq!(drawn("serif", &options), drawn("monospace", &options));
    assert_ne!(drawn("serif", &options), drawn("sans-serif", &options));
    assert_eq!(drawn("Futura", &options), drawn("sans-serif", &options));
}

fn only_images_that_are_handed_over_are_drawn() {
    let dir = tempfile::tempdir().unwrap();
    let mut red = Pixmap::new(4, 4).unwrap();
    red.fill(resvg::tiny_skia::Color::from_rgba8(255, 0, 0, 255));
    let red = red.encode_png().unwrap();
    let path = dir.path().join("red.png");
    std::fs::write(&path, &red).unwrap();
    let path = path.to_str().unwrap();
    let inner = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'><image href='{path}' width='4' height='4'/></svg>"
    );
    let images = BTreeMap::from([
        ("pics/a.png".to_owned(), Arc::new(red)),
        ("inner.svg".to_owned(), Arc::new(inner.into_bytes())),
        ("broken.png".to_owned(), Arc::new(b"GIF".to_vec())),
    ]);
    let cases = [
        ("pics/a.png", RED, None),
        (
            path,
            NOTHING,
            Some(format!("image \"{path}\" is not embedded, not drawn")),
        ),
        (
            "./pics/a.png",
            NOTHING,
            Some("image \"./pics/a.png\" is not embedded, not drawn".to_owned()),
        ),
        // A nested drawing has no access to files.
        ("inner.svg", NOTHING, None),
        (
            "broken.png",
            NOTHING,
            Some("image \"broken.png\" cannot be read, not drawn".to_owned()),
        ),
        (
            "data:image/svg+xml,rubbish",
            NOTHING,
            Some("an embedded image cannot be read, not drawn".to_owned()),
        ),
    ];
    for (href, expected, note) in cases {
        for prefix in ["", "file://"] {
            if !prefix.is_empty() && href != path {
                continue;
            }
            let body = format!("<image href='{prefix}{href}' width='20' height='20'/>");
            let options = Options {
                images: images.clone(),
                ..sized(Size::Width(20))
            };
            let picture = render(&svg("width='20' height='20'", &body), &options).unwrap();
            assert_eq!(at(&pixels(&picture.png), 10, 10), expected, "{body}");
            let note = note
                .clone()
                .map(|note| note.replace(href, &format!("{prefix}{href}")));
            assert_eq!(
                picture.notes,
                note.into_iter().collect::<Vec<_>>(),
                "{body}"
            );
        }
    }
}

fn text_that_is_not_a_drawing_is_refused() {
    let cases: [(&[u8], &str); 6] = [
        (
            b"",
            "the SVG cannot be drawn: the document does not have a root node",
        ),
        (b"\xff\xfe<\0", "the SVG cannot be drawn: it is not UTF-8"),
        (
            b"\x1f\x8b\x08",
            "the SVG cannot be drawn: it cannot be unpacked: ",
        ),
        (
            b"<svg xmlns='http://www.w3.org/2000/svg' width='0' height='0'/>",
            "the SVG cannot be drawn: its width, height or viewBox gives no valid size",
        ),
        (
            b"<svg xmlns='http://www.w3.org/2000/svg'><g></svg>",
            "the SVG cannot be drawn: expected 'g' tag, not 'svg' at 1:",
        ),
        (b"<html/>", "the SVG cannot be drawn: "),
    ];
    for (drawing, message) in cases {
        let error = render(drawing, &Options::default())
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(message), "{error}");
    }
    assert_eq!(
        Error::Copies(MOST_COPIES + 1).to_string(),
        "use elements make 1000001 copies, at most 1000000 are drawn"
    );
}
