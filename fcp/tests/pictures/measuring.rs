//! Measured texts compared with drawn ones.

use std::sync::Arc;

use fcp::format::picture::{
    Anchor, Error, Fonts, LONGEST_TEXT, Library, Measured, Options, Rect, Size, TextStyle, measure,
    render, text_box,
};

use super::{Test, pixels};

pub const TESTS: &[Test] = &[
    ("measures_agree_with_the_ink", measures_agree_with_the_ink),
    (
        "lines_are_broken_where_they_may_be",
        lines_are_broken_where_they_may_be,
    ),
    ("wrapped_lines_fit", wrapped_lines_fit),
    ("any_text_can_be_measured", any_text_can_be_measured),
    ("a_box_lies_round_its_text", a_box_lies_round_its_text),
    (
        "unmeasurable_texts_are_refused",
        unmeasurable_texts_are_refused,
    ),
];

fn library() -> Arc<Library> {
    Library::of(&Fonts::default()).unwrap()
}

fn measured(text: &str, style: &TextStyle, wrap: Option<f64>) -> Measured {
    measure(&library(), text, style, wrap).unwrap()
}

fn style(family: &str, size: f64, weight: u16) -> TextStyle {
    TextStyle {
        family: family.to_owned(),
        size,
        weight,
        ..TextStyle::default()
    }
}

/// The bounds of the ink: left, top, right, bottom, for a text drawn at 1200,50.
fn ink(text: &str, style: &TextStyle, anchor: &str) -> [f64; 4] {
    let TextStyle {
        family,
        size,
        weight,
        ..
    } = style;
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='2400' height='80'><text x='1200' y='50' \
         font-family='{family}' font-size='{size}' font-weight='{weight}' text-anchor='{anchor}'>{text}</text></svg>"
    );
    let options = Options {
        size: Size::Scale(1.0),
        ..Options::default()
    };
    let picture = render(svg.as_bytes(), &options).unwrap();
    let pixels = pixels(&picture.png);
    let mut found = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
    for (at, pixel) in pixels.pixels().iter().enumerate() {
        if pixel.alpha() > 100 {
            let at = at as u32;
            let (x, y) = (f64::from(at % picture.width), f64::from(at / picture.width));
            let [left, top, right, bottom] = found;
            found = [
                left.min(x),
                top.min(y),
                right.max(x + 1.0),
                bottom.max(y + 1.0),
            ];
        }
    }
    found
}

fn measures_agree_with_the_ink() {
    // Texts that end with little space, so that advance and ink can be compared.
    let texts = [
        "HAMBURGEFONTSIV and some more to make it long enough H",
        "Il1 mm WAV To Ty LT, fi ffl — “quoted” and kerned AVAVAV H",
        "Größe Ελληνικά кириллица H",
        "HHHHHHHHHHHHHHHHHHHHH  H",
    ];
    for text in texts {
        for family in ["DejaVu Sans", "DejaVu Sans Mono", "Futura"] {
            for (size, weight) in [(16.0, 400), (24.0, 700), (32.5, 400)] {
                let style = style(family, size, weight);
                // The drawing collapses whitespace, as XML does without `xml:space`.
                let folded = text.replace("  ", " ");
                let measured = measured(&folded, &style, None);
                for (anchor, anchored) in [
                    ("start", Anchor::Start),
                    ("middle", Anchor::Middle),
                    ("end", Anchor::End),
                ] {
                    let [left, top, right, bottom] = ink(text, &style, anchor);
                    let area = text_box(&measured, (1200.0, 50.0), anchored, 0.0);
                    let context = format!("{text} {style:?} {anchor} {measured:?}");
                    let apart = (area.width - (right - left)).abs() / area.width;
                    assert!(apart < 0.02, "{apart} {context}");
                    let air = 0.02 * area.width;
                    assert!((left - area.x).abs() < air, "{left} {context}");
                    assert!(
                        (right - area.x - area.width).abs() < air,
                        "{right} {context}"
                    );
                    // Ink is counted in whole pixels.
                    let inside = top >= area.y - 1.0 && bottom <= area.y + area.height + 1.0;
                    assert!(inside, "{top} {bottom} {context}");
                    // The measured height is not more than the font's.
                    assert!((1.1..1.3).contains(&(area.height / size)), "{context}");
                }
            }
        }
    }
}

fn texts(measured: &Measured) -> Vec<&str> {
    measured
        .lines
        .iter()
        .map(|line| line.text.as_str())
        .collect()
}

fn lines_are_broken_where_they_may_be() {
    let plain = TextStyle::default();
    let cases: [(&str, Option<f64>, &[&str]); 12] = [
        ("", None, &[""]),
        ("", Some(10.0), &[""]),
        ("a\nb", None, &["a", "b"]),
        ("a\r\nb\n", Some(100.0), &["a", "b", ""]),
        ("a\n\nb", Some(100.0), &["a", "", "b"]),
        ("one two three", Some(1e6), &["one two three"]),
        ("one two three", Some(65.0), &["one two", "three"]),
        ("one two three", Some(0.0), &["one", "two", "three"]),
        ("one  two", Some(30.0), &["one", "two"]),
        (
            "incomprehensible is long",
            Some(40.0),
            &["incomprehensible", "is", "long"],
        ),
        ("well-known facts", Some(50.0), &["well-", "known", "facts"]),
        ("no\u{a0}break here", Some(40.0), &["no\u{a0}break", "here"]),
    ];
    for (text, wrap, expected) in cases {
        assert_eq!(
            texts(&measured(text, &plain, wrap)),
            expected,
            "{text:?} {wrap:?}"
        );
    }
}

fn wrapped_lines_fit() {
    let text = "AVAVAV To be, or not to be, that is the question: Whether 'tis nobler in the mind to suffer \
        The slings and arrows of outrageous fortune, Or to take Arms against a Sea of troubles — 東京都 and more"
        .repeat(4);
    for width in [50.0, 77.7, 200.0, 1234.5] {
        for weight in [400, 700] {
            let style = style("", 13.0, weight);
            let measured = measured(&text, &style, Some(width));
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(texts(&measured).join(" ").replace("— ", "—").len(), {
                let whole = words.join(" ").replace("— ", "—");
                // A break between ideographs has no space.
                whole.len()
                    + texts(&measured)
                        .windows(2)
                        .filter(|pair| {
                            pair.iter().zip([true, false]).all(|(line, last)| {
                                let c = if last {
                                    line.chars().last()
                                } else {
                                    line.chars().next()
                                };
                                c.is_some_and(|c| ('\u{4e00}'..'\u{9fff}').contains(&c))
                            })
                        })
                        .count()
            });
            for line in &measured.lines {
                // A single word may exceed the width.
                assert!(line.width <= width || !line.text.contains(' '), "{line:?}");
                assert!(
                    (measured_alone(&line.text, &style) - line.width).abs() < 1e-6,
                    "{line:?}"
                );
            }
            for pair in measured.lines.windows(2) {
                // A line that had room is not broken.
                let next = pair[1].text.split(' ').next().unwrap();
                let more = measured_alone(&format!("{} {next}", pair[0].text), &style);
                assert!(more > width - 1.0, "{pair:?}");
            }
        }
    }
}

fn measured_alone(text: &str, style: &TextStyle) -> f64 {
    measured(text, style, None).width
}

fn any_text_can_be_measured() {
    let plain = TextStyle::default();
    let nasty = [
        "<b>&amp;\"'",
        "\u{0}\u{1}\t\u{fffe}\u{ffff}",
        "עברית and العربية",
        "👩‍👩‍👧 é ﷽ \u{202e}abc",
        "\u{e000}\u{10ffff}",
        "]]>",
    ];
    for text in nasty {
        for wrap in [
            None,
            Some(20.0),
            Some(f64::NAN),
            Some(-1.0),
            Some(f64::INFINITY),
        ] {
            let measured = measured(text, &plain, wrap);
            assert!(
                measured.width > 0.0 && measured.width < 2000.0,
                "{text:?} {measured:?}"
            );
            assert_eq!(measured.notes, [""; 0]);
        }
    }
    assert_eq!(measured("<b>", &plain, None).lines[0].text, "<b>");
    // The renderer parses family names, whatever they contain.
    for family in ["'", "\"", "<&>", ",", "a, b' c", "Futura; x"] {
        let style = style(family, 10.0, 400);
        let measured = measured("abc", &style, None);
        assert_eq!(measured.family, "DejaVu Sans", "{family}");
        assert!(measured.width > 10.0);
    }
    let found = measured("abc", &style("Futura", 10.0, 400), None);
    assert_eq!(found.notes, ["no font \"Futura\", drawn in DejaVu Sans"]);
    let mono = measured("abc", &style("Futura, monospace", 10.0, 400), None);
    assert_eq!(
        (mono.family.as_str(), mono.notes.len()),
        ("DejaVu Sans Mono", 0)
    );
    // Leading and trailing spaces count, and an empty line is as high as a full one.
    assert!(measured(" a ", &plain, None).width > measured("a", &plain, None).width + 5.0);
    let (empty, full) = (measured("", &plain, None), measured("a", &plain, None));
    assert_eq!(
        (empty.width, empty.ascent, empty.descent),
        (0.0, full.ascent, full.descent)
    );
    assert_eq!(empty.family, "DejaVu Sans");
}

fn a_box_lies_round_its_text() {
    let text = Measured {
        width: 40.0,
        ascent: 9.0,
        descent: 3.0,
        family: String::new(),
        notes: vec![],
        lines: measured("a\nb\nc", &TextStyle::default(), None).lines,
    };
    for (anchor, x) in [
        (Anchor::Start, 100.0),
        (Anchor::Middle, 80.0),
        (Anchor::End, 60.0),
    ] {
        let expected = Rect {
            x,
            y: 41.0,
            width: 40.0,
            height: 40.0,
        };
        assert_eq!(text_box(&text, (100.0, 50.0), anchor, 14.0), expected);
    }
}

fn unmeasurable_texts_are_refused() {
    let library = library();
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY, 100_001.0] {
        let error = measure(&library, "a", &style("", size, 400), None).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("a font of size {size} cannot be measured")
        );
    }
    let long = "a".repeat(LONGEST_TEXT);
    assert!(measure(&library, &long, &TextStyle::default(), None).is_ok());
    let error = measure(&library, &(long + "a"), &TextStyle::default(), None);
    assert!(matches!(error, Err(Error::Text(_))));
}
