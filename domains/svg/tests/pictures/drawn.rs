//! Pictures of parts of a drawing.

use super::{BLUE, NOTHING, Play, RED, Test, at};

pub const TESTS: &[Test] = &[
    ("objects_are_drawn_alone", objects_are_drawn_alone),
    ("a_part_is_as_large_as_asked", a_part_is_as_large_as_asked),
    ("marks_lie_over_a_copy", marks_lie_over_a_copy),
    (
        "transforms_in_styles_are_drawn",
        transforms_in_styles_are_drawn,
    ),
    (
        "undrawable_pictures_have_repairs",
        undrawable_pictures_have_repairs,
    ),
    (
        "an_export_leaves_document_and_path_alone",
        an_export_leaves_document_and_path_alone,
    ),
];

const BODY: &str = "<defs><linearGradient id='sky'/></defs><g fill='red'><rect id='a' width='40' height='40'/>\
    <rect id='b' x='20' width='40' height='40' fill='blue'/></g><use id='twin' href='#a' x='50' y='50' fill='red'/>";

fn objects_are_drawn_alone() {
    let mut play = Play::with(Default::default());
    play.open(BODY);
    let before = play.text();
    // The whole drawing: blue is over red.
    let (line, all) = play.render("render width:100");
    assert_eq!(line, "render 100x100 image/png");
    assert_eq!((at(&all, 0.3, 0.2), at(&all, 0.1, 0.2)), (BLUE, RED));
    // Alone, it is cropped to its box, and inherits its fill.
    let (_, alone) = play.render("render a width:100");
    assert_eq!((at(&alone, 0.9, 0.5), at(&alone, 0.1, 0.5)), (RED, RED));
    // A referenced element still works for its user, but is not visible itself.
    let (_, twin) = play.render("render twin width:100 region:0,0-100,100");
    assert_eq!((at(&twin, 0.7, 0.7), at(&twin, 0.1, 0.1)), (RED, NOTHING));
    let (_, both) = play.render("render a,twin width:100 region:0,0-100,100 background:blue");
    assert_eq!(
        (
            at(&both, 0.1, 0.1),
            at(&both, 0.7, 0.7),
            at(&both, 0.45, 0.2)
        ),
        (RED, RED, BLUE)
    );
    assert_eq!(play.text(), before);
}

fn a_part_is_as_large_as_asked() {
    let mut play = Play::with(Default::default());
    play.open(BODY);
    for (query, wanted) in [
        ("render", "render 800x800 image/png"),
        ("render width:30", "render 30x30 image/png"),
        ("render scale:0.5", "render 50x50 image/png"),
        ("render a scale:2", "render 80x80 image/png"),
        (
            "render region:0,0-100,50 width:50",
            "render 50x25 image/png",
        ),
    ] {
        assert_eq!(play.render(query).0, wanted, "{query}");
    }
}

fn marks_lie_over_a_copy() {
    let mut play = Play::with(Default::default());
    play.open(BODY);
    let before = play.text();
    let (_, plain) = play.render("render width:200");
    let (_, marked) = play.render("render width:200 marks:on");
    let differ = |x: f32, y: f32| at(&plain, x, y) != at(&marked, x, y);
    // The outline of twin, but not its middle.
    assert!(differ(0.5, 0.85) && !differ(0.85, 0.85));
    assert_eq!(play.text(), before);
}

fn transforms_in_styles_are_drawn() {
    for style in [
        "style='transform:translate(50px,50px)'",
        "style='fill:red;transform:translate(.5px,50px) translateX(49.5px)'",
        "style='transform:rotate(.5turn) translate(-100px, -100px)'",
        "style='transform:translate(50px,50px)!important;transform:none'",
        "class='moved'",
        "style='transform:translate(50 50)'",
    ] {
        let mut play = Play::with(Default::default());
        play.open(&format!(
            "<style>.moved{{transform:translate(50px,50px)}}</style>\
             <rect id='a' width='50' height='50' fill='red' {style}/>"
        ));
        let before = play.text();
        for query in ["render width:100", "render a width:100 region:0,0-100,100"] {
            let (_, picture) = play.render(query);
            let colors = (at(&picture, 0.7, 0.7), at(&picture, 0.3, 0.3));
            assert_eq!(colors, (RED, NOTHING), "{style} {query}");
        }
        assert_eq!(play.text(), before);
    }
}

fn undrawable_pictures_have_repairs() {
    let mut play = Play::with(Default::default());
    play.open(BODY);
    for (query, wanted) in [
        (
            "render width:4096 region:0,0-10,100",
            "! a picture of 4096x40960 pixels is too large: at most 4096 wide, 16 Mpx in all\n  try: render width:1295",
        ),
        (
            "render sky",
            "! sky is drawn only where something refers to it\n  try: ? refs sky",
        ),
        (
            "render scale:0",
            "! scale:0 leaves nothing to see\n  try: render scale:1",
        ),
    ] {
        let found = play.refused(query);
        let first = |text: &str| text.lines().next().map(str::to_owned);
        assert_eq!(first(&found), first(wanted), "{query}");
        assert!(found.contains("\n  try: "), "{found}");
    }
}

fn an_export_leaves_document_and_path_alone() {
    let mut play = Play::with(Default::default());
    play.open(BODY);
    play.run("move a by:1,1");
    let before = (play.text(), play.act("status"));
    for (action, begins) in [
        (
            "export as:out.png width:30 background:white",
            &b"\x89PNG"[..],
        ),
        ("export svg as:copy.svg", b"<svg"),
        ("export svgz as:copy.svgz", b"\x1f\x8b"),
    ] {
        play.act(action);
        let name = action
            .split("as:")
            .nth(1)
            .unwrap()
            .split(' ')
            .next()
            .unwrap();
        let bytes = std::fs::read(play.folder.path().join(name)).unwrap();
        assert!(bytes.starts_with(begins), "{action}");
    }
    assert_eq!((play.text(), play.act("status")), before);
}
