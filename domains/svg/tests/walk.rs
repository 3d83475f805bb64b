//! Random ops, right and wrong, with the invariants of `fcp::testing::walk` at each step.

/// What the walk is made of. A verb that is not here is not walked.
const OPS: &[&str] = &[
    "raw '<rect id=\"card\" x=\"4\" y=\"6\" width=\"40\" height=\"20\" fill=\"red\"/>'",
    "raw '<g><circle cx=\"9\" cy=\"9\" r=\"3\"/><path d=\"M0 0h9v9z\" style=\"fill:blue\"/></g>'",
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
    "rename card dot",
    "rename dot card",
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
    "copy @recent",
    "copy @type:group in:pair",
    "repeat circle~1 count:2 every:10,0 rotate:15",
    "repeat @recent count:2 scale:2 text:\"{n}\"",
    "move card in:pair",
    "move @type:circle in:pair by:1,1",
    "ungroup pair",
    "ungroup @type:group force:on",
    "order card before:circle~1",
    "order card after:path~1",
    "raw '<g id=\"card\"><use href=\"#card\"/></g>' prefix:p-",
    "raw '<rect id=\"card\"/>' before:card",
    "raw '<script/>'",
    "convert card to:path",
    "convert @type:circle to:polygon",
    "add image \"data:image/gif;base64,R0lGODlhAgABAIAAAP8AAAAAACH5BAAAAAAALAAAAAACAAEAAAICRAoAOw==\" fit:none",
    "modify image~1 embed:on",
    "modify card add-curv to:1,1",
    "remove card",
    "remove @recent",
    "remove @type:group",
    "remove Nobody",
];

#[test]
fn drawings_hold_together_on_any_walk() {
    for seed in 1..=4 {
        fcp::testing::walk::<fcp_svg::Drawing>(seed, 150, |random| {
            random.pick(OPS).unwrap_or_default().to_owned()
        });
    }
}
