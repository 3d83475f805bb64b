//! Drawings with excessive demands.

use std::time::{Duration, Instant};

use super::{Play, Test};

pub const TESTS: &[Test] = &[
    (
        "a_bomb_is_refused_by_its_name",
        a_bomb_is_refused_by_its_name,
    ),
    (
        "a_slow_picture_ends_and_the_next_query_is_answered",
        slow_pictures_are_stopped,
    ),
    (
        "a_picture_that_is_too_large_is_refused_without_drawing_it",
        too_large_pictures_are_not_drawn,
    ),
];

fn a_bomb_is_refused_by_its_name() {
    let mut body = "<rect id='n0' width='1' height='1'/>".to_owned();
    for n in 1..=40 {
        let before = n - 1;
        body += &format!("<g id='n{n}'><use href='#n{before}'/><use href='#n{before}'/></g>");
    }
    let mut play = Play::hurried(20);
    play.open(&body);
    let reply = play.refused("render");
    let wanted = "! svg~1 draws more than 1000000 copies by use";
    assert!(reply.starts_with(wanted), "{reply}");
    play.run("remove @type:group");
    assert_eq!(play.render("render width:10").0, "render 10x10 image/png");
}

fn too_large_pictures_are_not_drawn() {
    let mut play = Play::hurried(60);
    // Read fast, and drawn in minutes.
    play.open(&"<rect width='100' height='100' fill-opacity='.5'/>".repeat(20_000));
    let start = Instant::now();
    let reply = play.refused("render scale:1000");
    assert!(start.elapsed() < Duration::from_secs(15), "{reply}");
    assert!(reply.contains("is too large"), "{reply}");
    if let Some((_, query)) = reply.split_once("\n  try: ") {
        play.render(query);
    }
}

fn slow_pictures_are_stopped() {
    let mut play = Play::hurried(1);
    play.open(
        "<filter id='f' x='-10' y='-10' width='30' height='30'><feMorphology operator='dilate' radius='500'/>\
         <feMorphology operator='erode' radius='499'/><feMorphology operator='dilate' radius='500'/></filter>\
         <rect id='slow' width='100' height='100' filter='url(#f)'/><rect id='fast' width='10' height='10'/>",
    );
    let reply = play.refused("render slow width:1000");
    let repair =
        reply.strip_prefix("! render stopped after 1 s (set render-limit:SECONDS moves it)");
    // The size depends on the machine; the picture that is offered was drawn.
    match repair
        .unwrap_or_else(|| panic!("{reply}"))
        .strip_prefix("\n  try: ")
    {
        Some(query) => assert!(play.render(query).0.ends_with("image/png"), "{reply}"),
        None => assert!(reply.contains("syntax: "), "{reply}"),
    }
    assert_eq!(
        play.render("render fast width:10").0,
        "render 10x10 image/png"
    );
}
