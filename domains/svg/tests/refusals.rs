//! Errors are reported, and their repairs work.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::endpoint::{Config, Endpoint};
use fcp::session::endpoint;
use fcp_svg::Drawing;

const GIVEN: &str = r##"<!DOCTYPE svg [<!ENTITY Rect "<rect id='ent' width='5' height='5'/>">]>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 300">
  <style>.b { fill: green !important } .btn { fill: blue } .hot { transform: scale(2) }</style>
  <defs><linearGradient id="sunset"><stop offset="0"/></linearGradient></defs>
  <circle id="dot" r="5"/>
  <g id="logo" transform="translate(1,1) scale(2)"><rect id="b" width="9" height="9" fill="#eee"/></g>
  <circle id="sun" r="9" fill="url(#sunset)"/>
  <polygon id="spark" points="0,0 5,5 0,9"/>
  <text id="T">a <tspan fill="red">b</tspan> c</text>
  <rect id="a" class="b" width="5" height="5"/>
  <rect id="h" class="hot" width="5" height="5"/>
  <rect id="r" width="5" height="5" stroke="red" transform="scale(2 3)"/>
  <circle id="k" r="5" transform="skewX(9)"/>
  <path id="p" d="M0 0h9" stroke="red" transform="scale(2 3)"/>
  <path id="my_path" d="M0 0L5 5L6 6L7 8"/>
  <rect id="card" width="9" height="9"/>
  <g id="bars"><rect id="q1" width="9" height="9"/><rect id="q2" width="9" height="9"/></g>
  <image id="photo" width="9" height="9"/>
  <rect id="api" width="9" height="9"/><rect id="db" x="50" width="9" height="9"/>
  &Rect;
  <g id="said" transform="translate(9 9)">&Rect;</g>
</svg>
"##;

/// An op, or a query after `?`; the error; the repair.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "insert '<circle r=\"2\"/>' first:card",
        "card is a rect, which draws nothing in it",
        "insert \"<circle r=\\\"2\\\"/>\" after:card",
    ),
    (
        "set r transform \"rotate(9) ,\"",
        "item 2, column 11: a transform is missing after the comma",
        "set r transform rotate(9)",
    ),
    (
        "insert '<g/>' last:T",
        "T is a text, which draws nothing in it",
        "insert <g/> after:T",
    ),
    (
        "ungroup said",
        "said holds &Rect;, whose elements are written in the DOCTYPE",
        "? svg said",
    ),
    (
        "add circle id:dot r:8",
        "id:dot is already a circle",
        "modify dot r:8",
    ),
    (
        "add path id:p d:\"M1 1h1\"",
        "id:p is already a path",
        "add path id:p-2 d:\"M1 1h1\"",
    ),
    (
        "define gradient id:sunset type:linear colors:red,blue",
        "id:sunset is already a gradient",
        "define gradient id:sunset-2 type:linear colors:red,blue",
    ),
    (
        "mask dot with:dot",
        "dot cannot mask itself",
        "? describe dot",
    ),
    (
        "modify spark remove-point 9",
        "spark has 3 points",
        "? path spark",
    ),
    (
        "repeat dot count:3",
        "repeat needs every:, rotate: or scale:",
        "repeat dot count:3 every:20,0",
    ),
    (
        "add circle id:new",
        "circle needs r:",
        "add circle id:new r:20",
    ),
    (
        "add circle r:5 in:lgo",
        "Object \"lgo\" not found",
        "add circle r:5 in:logo",
    ),
    (
        "add circle r:5 at:ten,ten",
        "at:ten,ten is no point",
        "add circle r:5 at:10,10",
    ),
    (
        "add path d:\"M0 0 L5\"",
        "segment 2, column 8: a number is missing",
        "add path d:\"M0 0\"",
    ),
    (
        "add path d:L5,5",
        "segment 1, column 1: path data begins with M",
        "add path d:\"M0,0 L5,5\"",
    ),
    ("modify T text:Hi", "T has 3 runs", "modify T run:1 text:Hi"),
    ("modify dot rr:8", "circle has no rr:", "modify dot r:8"),
    (
        "rename dot \"a b\"",
        "id \"a b\" has a space",
        "rename dot a-b",
    ),
    (
        "style a fill:blue",
        "fill of a is !important in rule .b",
        "style .b fill:blue",
    ),
    (
        "set dot xml:space preserve",
        "set has no xml:",
        "set dot \"xml:space\" preserve",
    ),
    ("style .bnt fill:red", "no rule .bnt", "style .btn fill:red"),
    (
        "style dot fil:red",
        "style: no property \"fil\"",
        "style dot fill:red",
    ),
    (
        "style dot fill:rde",
        "no colour \"rde\"",
        "style dot fill:red",
    ),
    (
        "style sun fill:gradient:sunst",
        "no gradient \"sunst\"",
        "style sun fill:gradient:sunset",
    ),
    (
        "style @fill:blak stroke:black",
        "no colour \"blak\"",
        "style @fill:black stroke:black",
    ),
    (
        "style background stroke:red",
        "Object \"background\" not found",
        "canvas background:#eee",
    ),
    (
        "move dot by:fast",
        "by:fast is not an offset",
        "move dot by:10,10",
    ),
    (
        "rotate logo by:fast",
        "by:fast is no angle",
        "rotate logo by:45",
    ),
    (
        "rotate h by:45",
        "h has its transform from rule .hot",
        "style .hot transform:none",
    ),
    (
        "transform r bake",
        "r has a stroke under uneven scale",
        "convert r to:path",
    ),
    (
        "transform p bake",
        "p has a stroke under uneven scale",
        "? describe p",
    ),
    (
        "transform k bake",
        "k would not be a circle",
        "convert k to:path",
    ),
    (
        "transform logo bake",
        "logo is a group, which has no geometry to fold this into",
        "ungroup logo",
    ),
    (
        "transform logo remove 3",
        "logo has 2 items",
        "? describe logo",
    ),
    (
        "modify my_path remove-seg 5",
        "my_path has 4 segments",
        "? path my_path",
    ),
    (
        "modify card add-curve to:1,1 control1:2,2",
        "add-curve on rect card",
        "convert card to:path",
    ),
    (
        "distribute @in:bars h",
        "2 objects have one gap; 3 are needed, or gap:",
        "distribute @in:bars h gap:20",
    ),
    ("order a above:b", "b is in logo", "move a in:logo"),
    ("clip photo with:sunset", "sunset is a gradient", "? list"),
    (
        "connect api -> dbb",
        "Object \"dbb\" not found",
        "connect api -> db",
    ),
    (
        "animate card attribute:r from:10 to:20 duration:2s",
        "rect has no r",
        "animate card attribute:rx from:10 to:20 duration:2s",
    ),
    (
        "canvas size:0x100",
        "size: 0x100 is empty",
        "canvas size:100x100",
    ),
    (
        "raw file:icon.svg",
        "id:dot is already a circle",
        "raw file:icon.svg prefix:p-",
    ),
    (
        "define filter id:f type:gausian std-dev:5",
        "filter type \"gausian\"",
        "define filter id:f type:gaussian-blur std-dev:5",
    ),
];

fn session() -> (Box<dyn Endpoint>, tempfile::TempDir) {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("it.svg"), GIVEN).unwrap();
    std::fs::write(root.path().join("icon.svg"), "<circle id=\"dot\" r=\"3\"/>").unwrap();
    let mut session = endpoint::<Drawing>(&Config::at(root.path())).unwrap();
    assert!(!session.act("open it.svg").is_error);
    (session, root)
}

#[test]
fn rejected_ops_are_repaired() {
    for (text, message, tried) in REFUSED {
        let (mut session, _root) = session();
        let before = session.query("svg *").text;
        let answer = match text.strip_prefix("? ") {
            Some(query) => session.query(query),
            None => session.run(&[(*text).to_owned()], None),
        };
        let mut lines = answer.text.lines();
        let first = lines.next().unwrap_or_default();
        assert!(
            first.starts_with(&format!("! {message}")),
            "{text}\n{}",
            answer.text
        );
        assert_eq!(
            lines.next(),
            Some(format!("  try: {tried}").as_str()),
            "{text}"
        );
        assert_eq!(session.query("svg *").text, before, "{text}");
        let is_query = text.starts_with("? ") || tried.starts_with("? ");
        let again = match tried.strip_prefix("? ").unwrap_or(tried) {
            query if is_query => session.query(query),
            op => session.run(&[op.to_owned()], None),
        };
        assert!(!again.is_error, "{tried}\n{}", again.text);
    }
}

/// An op, or a query after `?`, whose repair would do something else; the whole error.
const UNREPAIRED: &[(&str, &str)] = &[
    (
        "? SELECT href FROM elements",
        "! no such column: href (elements(ref, tag, id,",
    ),
    (
        "style a fil:blue",
        "! style: no property \"fil\"\n  syntax: style SEL [via:VIA] [KEY:VALUE…]",
    ),
    (
        "style @type:rekt fill:blue",
        "! no type \"rekt\" (rect, circle, path, text, group, layer, box, link, gradient …); did you mean rect?\n  syntax: style SEL [via:VIA] [KEY:VALUE…]",
    ),
    (
        "remove sunset",
        "! sunset fills sun; remove sunset unlink:on removes such references too, ? refs sunset lists them\n  syntax: remove SEL [unlink:on|off]",
    ),
    (
        "DELETE FROM elements WHERE id='sunset'",
        "! sunset fills sun; remove sunset unlink:on removes such references too, ? refs sunset lists them\n  syntax: DELETE FROM TABLE [WHERE …]",
    ),
    (
        "rm sunset",
        "! Unknown verb \"rm\"; did you mean remove?\n  syntax: remove SEL [unlink:on|off]",
    ),
    (
        "delete sunset",
        "! delete needs the words of its syntax; did you mean remove?\n  syntax: remove SEL [unlink:on|off]",
    ),
    (
        "remove sunst",
        "! Object \"sunst\" not found; did you mean sunset?\n  syntax: remove SEL [unlink:on|off]",
    ),
    ("? path card", "! path on rect card\n  syntax: path SEL"),
    (
        "align logo.* left",
        "! Object \"logo.*\" not found\n  syntax: align SEL SIDE [to:selection|canvas|REF]",
    ),
    (
        "set card width -5",
        "! \"width -5\" is below 0\n  syntax: set SEL NAME VALUE",
    ),
    (
        "unset card,b widht",
        "! card has no widht\n  try: unset card,b width",
    ),
    (
        "remove @not:@type:rect",
        "! no selector @@type\n  try: remove @not:type:rect",
    ),
];

#[test]
fn repairs_mend_only_slips_of_the_pen() {
    let mut wrong = String::new();
    for (text, wanted) in UNREPAIRED {
        let (mut session, _root) = session();
        let answer = match text.strip_prefix("? ") {
            Some(query) => session.query(query),
            None => session.run(&[(*text).to_owned()], None),
        };
        if !answer.is_error || !answer.text.starts_with(wanted) {
            wrong += &format!("{text}\n{}\n  wanted: {wanted}\n", answer.text);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn elements_inside_entities_are_reported_as_such() {
    let (mut session, _root) = session();
    for op in [
        "style ent fill:red",
        "move ent by:1,1",
        "remove #ent",
        "copy ent",
    ] {
        let answer = session.run(&[op.to_owned()], None);
        let first = answer.text.lines().next().unwrap_or_default();
        assert_eq!(
            first, "! ent is inside entity &Rect; of the DOCTYPE, where nothing is edited",
            "{op}"
        );
    }
}

#[test]
fn the_digest_shows_a_size_in_any_unit() {
    for (size, wanted) in [
        ("width=\"72pt\" height=\"1in\"", "96x96"),
        ("width=\"210mm\" height=\"297mm\"", "793.7x1122.52"),
        (
            "width=\"210mm\" height=\"297mm\" viewBox=\"0 0 210 297\"",
            "210x297",
        ),
        ("width=\"100%\" height=\"50%\" viewBox=\"0 0 9 8\"", "9x8"),
        ("width=\"60px\" height=\"40\" viewBox=\"0 0 9 8\"", "60x40"),
        ("width=\"100%\" height=\"50%\"", "no size"),
    ] {
        let root = tempfile::tempdir().unwrap();
        let text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {size}/>");
        std::fs::write(root.path().join("it.svg"), text).unwrap();
        let mut session = endpoint::<Drawing>(&Config::at(root.path())).unwrap();
        let opened = session.act("open it.svg").text;
        assert!(
            opened.contains(&format!("refs:0 {wanted} #")),
            "{size}\n{opened}"
        );
    }
}

#[test]
fn declarations_after_a_custom_property_are_not_read_by_the_renderer() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><style>.u{fill:red;--k:#abc;stroke:blue}.v{--k:#abc}</style><rect id=\"a\" style=\"--k:#abc; fill:red\" width=\"3\" height=\"3\"/><rect id=\"b\" class=\"u v\" style=\"fill:red;--k:#abc\" x=\"4\" width=\"3\" height=\"3\"/></svg>";
    let (mut server, _root) = crate::support::opened(text);
    let warnings = server.query("warnings unread");
    let lines: Vec<&str> = warnings.lines().collect();
    assert_eq!(
        lines,
        [
            "? .u: stroke is after --k, where the renderer does not read it (unread)",
            "? a: fill is after --k, where the renderer does not read it (unread)",
        ]
    );
    let (error, is_error) = server.call("svg", serde_json::json!({ "ops": ["style a fill:lime"] }));
    assert!(is_error);
    let repair = error.lines().find_map(|line| line.strip_prefix("  try: "));
    assert_eq!(
        repair,
        Some("set a style \"fill:lime;--k:#abc\""),
        "{error}"
    );
    server.run(&[repair.unwrap()]);
    let shown = server.query("SELECT fill FROM elements WHERE id='a'");
    assert!(shown.contains("#00ff00"), "{shown}");
}
