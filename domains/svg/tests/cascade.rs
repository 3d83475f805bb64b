//! Computed values of elements, and their origins.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::model::Level;
use fcp::prelude::Domain;
use fcp_svg::Drawing;
use fcp_svg::model::NodeId;

fn read(content: &str) -> Drawing {
    let text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{content}</svg>");
    Drawing::read(text.as_bytes(), "a.svg").unwrap()
}

fn named(drawing: &Drawing, id: &str) -> NodeId {
    NodeId::new(drawing.nodes.called(id, Level::Exact)[0])
}

#[test]
fn the_strongest_value_wins() {
    // Content, property of `a`, computed value, origin.
    for (content, property, value, origin) in [
        ("<g id='a'/>", "fill", "black", "default"),
        ("<g id='a' fill='red'/>", "fill", "red", "attr"),
        (
            "<g id='a' fill='red' style='fill:blue'/>",
            "fill",
            "blue",
            "style",
        ),
        (
            "<style>g{fill:green}</style><g id='a' fill='red'/>",
            "fill",
            "green",
            "rule g",
        ),
        (
            "<style>g{fill:green}</style><g id='a' style='fill:red'/>",
            "fill",
            "red",
            "style",
        ),
        (
            "<style>g{fill:green!important}</style><g id='a' style='fill:red'/>",
            "fill",
            "green",
            "rule g",
        ),
        (
            "<style>#a{fill:red}.b{fill:blue}</style><g id='a' class='c b'/>",
            "fill",
            "red",
            "rule #a",
        ),
        (
            "<style>.b{fill:red}.c{fill:blue}</style><g id='a' class='c b'/>",
            "fill",
            "blue",
            "rule .c",
        ),
        (
            "<style>.b , #a>p,.c{fill:red}</style><g id='a' class='c'/>",
            "fill",
            "red",
            "rule .c",
        ),
        (
            "<style>.b{FILL:blue}</style><g id='a' class='b'/>",
            "fill",
            "blue",
            "rule .b",
        ),
        (
            "<g id='b' fill='red'><g id='a' fill='blah'/></g>",
            "fill",
            "red",
            "from b",
        ),
        (
            "<style>:root{--c:red}.b{fill:var(--c)}</style><g id='a' class='b'/>",
            "fill",
            "red",
            "rule .b",
        ),
        (
            "<g id='b' style='fill: var( --c ); --c:blue'><g id='a' style='--c:red'/></g>",
            "fill",
            "blue",
            "from b",
        ),
        (
            "<g id='a' fill='var(--none, var(--other, rgb(1, 2, 3)))'/>",
            "fill",
            "rgb(1, 2, 3)",
            "attr",
        ),
        // A property without a value is not set, and neither is one that names itself.
        (
            "<g id='b' fill='red'><g id='a' style='fill:var(--c);--c:var(--c)'/></g>",
            "fill",
            "red",
            "from b",
        ),
        (
            "<g id='b' fill='red'><g id='a' fill='initial'/></g>",
            "fill",
            "black",
            "default",
        ),
        (
            "<g id='b' fill='red'><g id='a' style='fill:unset'/></g>",
            "fill",
            "red",
            "from b",
        ),
        (
            "<style>.b{fill:lime;fill:blah}</style><g id='a' class='b'/>",
            "fill",
            "lime",
            "rule .b",
        ),
        ("<g id='a' style='Fill:blue'/>", "fill", "blue", "style"),
        (
            "<style>.b{font:bold 20px/1.5 Arial;fill:red}</style><g id='a' class='b'/>",
            "font-size",
            "20px",
            "rule .b",
        ),
        (
            "<g id='a' style='font:bold 20px/1.5 Arial;fill:red'/>",
            "font-family",
            "Arial",
            "style",
        ),
        (
            "<style>.b{font:bold 20px/1.5 Arial;fill:red}</style><g id='a' class='b'/>",
            "fill",
            "red",
            "rule .b",
        ),
        (
            "<style>.b{fill:red;fill:blue}</style><g id='a' class='b'/>",
            "fill",
            "blue",
            "rule .b",
        ),
        (
            "<style>a{fill:red}</style><style>*{fill:blue}</style><g id='a'/>",
            "fill",
            "blue",
            "rule *",
        ),
        (
            "<style type='text/less'>*{fill:blue}</style><g id='a'/>",
            "fill",
            "black",
            "default",
        ),
        (
            "<style type='text/css'>*{fill:blue}</style><g id='a'/>",
            "fill",
            "blue",
            "rule *",
        ),
        (
            "<style><![CDATA[*{]]>fill:blue}</style><g id='a'/>",
            "fill",
            "blue",
            "rule *",
        ),
        (
            "<style>g &gt; *{fill:blue}</style><g><g id='a'/></g>",
            "fill",
            "blue",
            "rule g > *",
        ),
        (
            "<style>g:first-child{fill:blue}</style><g id='a'/>",
            "fill",
            "black",
            "default",
        ),
        (
            "<style>g:first-child{fill:blue}</style><g><g id='a'/></g>",
            "fill",
            "blue",
            "rule g:first-child",
        ),
        (
            "<style>g:hover,g:focus{fill:blue}</style><g id='a'/>",
            "fill",
            "black",
            "default",
        ),
        (
            "<style>@media print{g{fill:blue}}</style><g id='a'/>",
            "fill",
            "black",
            "default",
        ),
        (
            "<style>@import url(x.css);g{fill:blue}</style><g id='a'/>",
            "fill",
            "blue",
            "rule g",
        ),
        (
            "<style>[x=\"y,z\"]{fill:blue}</style><g id='a' x='y,z'/>",
            "fill",
            "blue",
            "rule [x=\"y,z\"]",
        ),
        (
            "<style>/* } */ g/* a */{fill:blue}</style><g id='a'/>",
            "fill",
            "blue",
            "rule g/* a */",
        ),
        (
            "<g id='b' fill='red'><g><g id='a'/></g></g>",
            "fill",
            "red",
            "from b",
        ),
        (
            "<g id='b' opacity='0.5'><g id='a'/></g>",
            "opacity",
            "1",
            "default",
        ),
        (
            "<g id='b' opacity='0.5'><g id='a' opacity='inherit'/></g>",
            "opacity",
            "0.5",
            "from b",
        ),
        ("<g id='a' opacity='inherit'/>", "opacity", "1", "default"),
        (
            "<g id='a' style='marker:url(#m)'/>",
            "marker-end",
            "url(#m)",
            "style",
        ),
        (
            "<g id='a' marker='url(#m)'/>",
            "marker-end",
            "none",
            "default",
        ),
        (
            "<g id='a' style='font:bold 12px Noto'/>",
            "font-size",
            "12px",
            "style",
        ),
        (
            "<g id='a' style='font:bold 12px Noto'/>",
            "font-weight",
            "bold",
            "style",
        ),
        (
            "<g id='a' style='font-style:italic;font:12px Noto'/>",
            "font-style",
            "normal",
            "style",
        ),
        (
            "<g id='a' mix-blend-mode='screen'/>",
            "mix-blend-mode",
            "normal",
            "default",
        ),
        (
            "<g id='a' transform='scale(2)' style='transform:scale(3)'/>",
            "transform",
            "scale(3)",
            "style",
        ),
        (
            "<g id='a' style='fill:red;???;stroke:red'/>",
            "stroke",
            "none",
            "default",
        ),
        (
            "<style>.b .c{fill:red}</style><g class='b'><g><g id='a' class='c'/></g></g>",
            "fill",
            "red",
            "rule .b .c",
        ),
        (
            "<style>{fill:red}}.b{fill:red}</style><g id='a' class='b'/>",
            "fill",
            "black",
            "default",
        ),
    ] {
        let drawing = read(content);
        let styles = drawing.styles();
        let computed = styles.computed(named(&drawing, "a"), property);
        let label = computed.origin.label(&drawing.nodes);
        assert_eq!(
            (computed.value.as_ref(), label.as_str()),
            (value, origin),
            "{content}"
        );
    }
}

#[test]
fn font_sizes_are_relative_to_the_parent() {
    for (content, size) in [
        ("<g id='a'/>", 12.0),
        ("<g font-size='20'><g id='a' font-size='2em'/></g>", 40.0),
        (
            "<g font-size='20'><g font-size='50%'><g id='a' style='font-size:2ex'/></g></g>",
            10.0,
        ),
        ("<g font-size='10'><g id='a' font-size='larger'/></g>", 12.0),
        ("<g id='a' font-size='12pt'/>", 16.0),
        ("<g id='a' style='font:1in x'/>", 96.0),
        (
            "<g font-size='20'><g id='a' font-size='nonsense'/></g>",
            20.0,
        ),
    ] {
        let drawing = read(content);
        let have = drawing.styles().font_size(named(&drawing, "a"));
        assert!((have - size).abs() < 1e-9, "{content}: {have}");
    }
}

#[test]
fn invisible_elements_are_hidden() {
    for (content, displayed, hidden) in [
        ("<g id='a'/>", true, false),
        ("<g id='a' display='none'/>", false, true),
        (
            "<g style='display:none'><g id='a' display='inline'/></g>",
            false,
            true,
        ),
        ("<g visibility='hidden'><g id='a'/></g>", true, true),
        (
            "<g visibility='hidden'><g id='a' visibility='visible'/></g>",
            true,
            false,
        ),
        ("<g opacity='0%'><g id='a'/></g>", true, true),
        (
            "<style>.b{display:none}</style><g id='a' class='b'/>",
            false,
            true,
        ),
    ] {
        let drawing = read(content);
        let (styles, id) = (drawing.styles(), named(&drawing, "a"));
        assert_eq!(
            (styles.is_displayed(id), styles.is_hidden(id)),
            (displayed, hidden),
            "{content}"
        );
    }
}

#[test]
fn rules_are_listed_with_their_lines_and_matches() {
    let drawing = read(
        "\n<g class='b'/><style>\n.b,\n.b g:hover { fill : red }\n</style><g class='b'/>\n<style>@media x { .b { } }\n#z{fill:red}</style>",
    );
    let styles = drawing.styles();
    let rules: Vec<_> = styles
        .rules()
        .into_iter()
        .map(|r| (r.text, r.line, r.matches.len()))
        .collect();
    let kept: Vec<_> = styles
        .kept()
        .into_iter()
        .map(|r| (r.text, r.line))
        .collect();
    assert_eq!(
        rules,
        [
            (".b, .b g:hover { fill : red }".to_owned(), 3, 2),
            ("#z { fill:red }".to_owned(), 7, 0)
        ]
    );
    assert_eq!(
        kept,
        [(".b g:hover".to_owned(), 4), ("@media x".to_owned(), 6)]
    );
    assert!(styles.whole().is_ok());
}

#[test]
fn too_many_rules_are_reported() {
    let drawing = read(&format!("<style>{}</style>", "a{b:c}".repeat(10_001)));
    let error = drawing.styles().whole().unwrap_err();
    assert_eq!(
        error.message,
        "the drawing has more than 10000 CSS rules (set rule-limit:N moves it)"
    );
}

#[test]
fn a_selector_of_many_parts_and_a_deep_drawing_come_to_an_end() {
    let deep = format!(
        "<style>x {}b{{fill:red}}</style>{}<b id='a'/>{}",
        "g ".repeat(60),
        "<g>".repeat(400),
        "</g>".repeat(400)
    );
    let drawing = read(&deep);
    let styles = drawing.styles();
    assert_eq!(styles.computed(named(&drawing, "a"), "fill").value, "black");
    let long = format!(
        "<style>{}a{{fill:red}}</style><g id='a'/>",
        "a/**/".repeat(100_000)
    );
    assert_eq!(read(&long).styles().kept().len(), 1);
}
