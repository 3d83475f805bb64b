//! Random ops, right and wrong, with the invariants of `fcp::testing` at each step and over many.

use std::path::Path;

use fcp::testing::{Walk, long_walk, walk, walk_file, walk_ops};
use fcp_svg::Drawing;

/// The ops of the walk. Verbs not in this list are not tested.
const OPS: &[&str] = &[
    "raw '<rect id=\"card\" x=\"4\" y=\"6\" width=\"40\" height=\"20\" fill=\"red\"/>'",
    "raw '<g><circle cx=\"9\" cy=\"9\" r=\"3\"/><path d=\"M0 0h9v9z\" style=\"fill:blue\"/></g>'",
    "raw '<defs><linearGradient id=\"sky\"><stop stop-color=\"red\"/></linearGradient><g id=\"in\"><rect id=\"deep\"/></g></defs>'",
    "raw '<rect id=\"lit\" width=\"9\" height=\"4\" fill=\"url(#sky)\" stroke=\"url(#sky)\" aria-labelledby=\"card sky\"/>'",
    "raw '<g xmlns=\"urn:other\"><rect id=\"alien\"/></g>'",
    "raw '<g'",
    "move @recent by:3,-4",
    "move card to:10,10",
    "move circle~1 by:1,1",
    "rotate card by:45",
    "rotate @type:group by:-10 about:center",
    "scale card by:2",
    "skew card x:10",
    "flip @recent h",
    "style card fill:gold",
    "style @fill:red stroke:black",
    "style path~1 fill:none",
    "style card fil:red",
    "unset card fill",
    "set card data-k v",
    "set card id b",
    "set svg xmlns:x urn:x",
    "set group~1 xmlns urn:other",
    "rename card dot",
    "rename dot card",
    "rename sky dawn",
    "rename dawn sky",
    "order @recent back",
    "order card front",
    "group @type:rect as:pair",
    "group circle~1,path~1 as:inner",
    "align @all left",
    "add box Api id:api size:60x20 at:5,5",
    "add box Db near:api dir:below text-fill:navy",
    "connect card -> api",
    "connect api <-> box-1 route:elbow label:reads",
    "connect circle~1 -- card -> api head:dot stroke:red",
    "connect api -> nowhere",
    "move api by:9,9",
    "style @type:path stroke:blue",
    "remove api",
    "transform card clear",
    "copy card by:5,5",
    "copy circle~1 as:moon",
    "copy card in:pair",
    "repeat circle~1 count:2 every:10,0 rotate:15",
    "repeat card count:1 scale:2 text:\"{n}\"",
    "move card in:pair",
    "move @type:circle in:pair by:1,1",
    "ungroup pair",
    "ungroup @type:group force:on",
    "order card below:circle~1",
    "order card above:path~1",
    "raw '<g id=\"card\"><use href=\"#card\"/></g>' prefix:p-",
    "raw '<rect id=\"card\"/>' before:card",
    "raw '<script/>'",
    "convert card to:path",
    "convert @type:circle to:polygon",
    "add image \"data:image/gif;base64,R0lGODlhAgABAIAAAP8AAAAAACH5BAAAAAAALAAAAAACAAEAAAICRAoAOw==\" fit:none",
    "modify image~1 embed:on",
    "modify card add-curv to:1,1",
    "distribute @type:rect h gap:5",
    "define class id:hot fill:red sw:2",
    "remove card",
    "remove @recent",
    "remove @type:group",
    "remove sky",
    "remove sky unlink:on",
    "remove @range:0,0-30,30",
    "remove Nobody",
    "define gradient id:sunset colors:red,gold@30%,blue angle:30",
    "modify sunset colors:red,blue type:radial",
    "style @type:rect fill:gradient:sunset",
    "define filter id:soft type:drop-shadow offset:2,4",
    "modify soft add-effect type:outline",
    "modify soft std-dev:3",
    "define pattern id:spots type:dots",
    "modify spots size:20 type:grid",
    "define marker id:tip type:triangle",
    "define marker id:bead from:circle~1",
    "define symbol id:spot from:@recent keep:on",
    "define mask id:light from:card keep:on",
    "define clip id:frame type:rect size:30x30",
    "modify frame size:20x20 type:circle at:9,9",
    "clip card with:circle~1",
    "clip @type:group with:frame",
    "mask card with:path~1",
    "clip @all with:none",
    "canvas fit:on pad:2",
    "canvas size:300x200 background:#eee",
    "canvas background:none",
    "animate card attribute:rotate from:0 to:90 duration:2s",
    "animate @recent attribute:opacity to:0 duration:1s ease:ease",
    "animate card motion:path:path~1 duration:1s",
    "add text \"one two three four\" id:words at:5,5 wrap:30",
    "modify words text:\"five six seven\"",
    "modify words size:9",
    "modify words wrap:12",
    "modify words run:9 text:x",
    "add text \"along the way\" to:path~1 start-offset:10%",
    "raw '<text id=\"runs\">a <tspan fill=\"red\">b</tspan> c</text>'",
    "modify runs text:d",
    "modify runs run:2 text:d",
    "UPDATE elements SET id=id||'-x' WHERE length(id) < 8",
    "UPDATE elements SET id='card' WHERE tag='rect'",
    "UPDATE elements SET x=x+3, y=y-1 WHERE tag IN ('rect', 'g')",
    "UPDATE elements SET nth=1 WHERE tag='circle'",
    "UPDATE elements SET parent='pair' WHERE tag='path'",
    "UPDATE attributes SET value=value||'0' WHERE name IN ('width', 'r')",
    "DELETE FROM attributes WHERE name='fill'",
    "INSERT INTO attributes(ref, name, value) SELECT ref, 'data-n', nth FROM elements WHERE depth=1",
    "UPDATE styles SET value='teal' WHERE property='fill'",
    "INSERT INTO styles(ref, property, value) SELECT ref, 'opacity', '.5' FROM elements WHERE tag='path'",
    "DELETE FROM styles WHERE property='opacity'",
    "INSERT INTO rules(selector, property, value) VALUES ('.hot, g > rect', 'stroke', 'navy')",
    "INSERT INTO rules(line, property, value) SELECT min(line), 'opacity', '.7' FROM rules",
    "UPDATE rules SET value='olive' WHERE property IN ('fill', 'stroke')",
    "UPDATE rules SET selector=selector||', .more'",
    "DELETE FROM rules WHERE property='stroke'",
    "UPDATE texts SET text=text||'!'",
    "INSERT INTO elements(parent, xml) SELECT ref, '<title>t</title>' FROM elements WHERE tag='rect' LIMIT 1",
    "DELETE FROM elements WHERE tag='title'",
    "UPDATE elements SET fill='red'",
    "style \"g > rect:not([fill])\" fill:red",
    "remove \"rect:nth-child(3)\"",
];

fn listed(random: &mut Walk) -> String {
    random.pick(OPS).unwrap_or_default().to_owned()
}

#[test]
fn drawings_hold_together_on_any_walk() {
    for seed in 1..=4 {
        walk::<Drawing>(seed, 150, listed);
    }
}

#[test]
fn files_hold_together_on_any_walk() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    for (seed, name) in (11..).zip(["logo.svg", "arranged.svg"]) {
        walk_file::<Drawing>(&folder.join(name), seed, 80, listed);
    }
}

/// An op that is probably valid, on elements with a few names, which may or may not exist.
fn probable(random: &mut Walk) -> String {
    let id = random.below(60);
    let (x, y) = (random.below(700), random.below(500));
    let fill = random.pick(&["red", "gold", "#123", "none", "url(#sky)"]);
    let fill = fill.unwrap_or_default();
    match random.below(24) {
        0 => format!("add rect id:e{id} at:{x},{y} size:20x10 fill:{fill}"),
        1 => format!("add circle id:e{id} at:{x},{y} r:7 fill:{fill}"),
        2 => format!("add ellipse id:e{id} at:{x},{y} rx:9 ry:4 stroke:{fill}"),
        3 => format!("add line id:e{id} from:{x},{y} to:{y},{x} stroke:black"),
        4 => format!("add path id:e{id} d:\"M{x} {y} l10 4 q3 3 5 9 z\" fill:{fill}"),
        5 => format!("add polygon id:e{id} points:\"{x},{y} 10,10 40,3\""),
        6 => format!("add text \"word {id}\" id:e{id} at:{x},{y}"),
        7 => format!("add group id:e{id}"),
        8 => format!(
            "add rect id:e{id} at:{x},{y} size:5x5 in:e{}",
            random.below(60)
        ),
        9 => format!("add use of:e{} id:e{id} at:{x},{y}", random.below(60)),
        10 => format!("move e{id} by:{x},-{y}"),
        11 => format!("move e{id} to:{x},{y}"),
        12 => format!("rotate e{id} by:{}", x % 90 + 1),
        13 => format!("scale e{id} by:1.{}", y % 9 + 1),
        14 => format!("style e{id} fill:{fill} opacity:0.{}", x % 9 + 1),
        15 => format!("unset e{id} fill"),
        16 => format!("set e{id} data-k v{x}"),
        17 => format!("rename e{id} e{}", random.below(60)),
        18 => format!("order e{id} {}", ["front", "back"][x % 2]),
        19 => format!("group e{id},e{} as:e{}", random.below(60), random.below(60)),
        20 => format!("flip e{id} h"),
        21 => format!("skew e{id} x:{}", x % 40 + 1),
        22 => "raw '<linearGradient id=\"sky\"><stop offset=\"0\"/></linearGradient>'".to_owned(),
        _ => format!("remove e{id} unlink:on"),
    }
}

#[test]
fn many_ops_are_undone_and_redone_to_the_byte() {
    long_walk::<Drawing>(9, walk_ops(1_000, 10_000), probable);
}
