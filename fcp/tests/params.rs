//! Groups of parameters and the remaining keys, in a small drawing.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test has no readers, and ends by panicking"
)]

include!("support/drawing.rs");

use fcp::card;
use fcp::verb::{Call, Found, Place, RecentRows, Registry, Run, Takes, Verb};

/// The place of a new shape.
#[derive(FcpParams, Debug)]
pub struct Placement {
    /// Group to draw into.
    #[fcp(key = "in")]
    pub group: Option<Ref<Group>>,
    /// The number of times it is drawn.
    #[fcp(default = Int::clamped(1))]
    pub times: Int<1, 9>,
    /// Class names.
    pub class: Vec<Name>,
    /// Behind all others.
    #[fcp(flag)]
    pub back: bool,
}

/// The look of a new shape.
#[derive(FcpParams, Debug)]
pub struct Look {
    /// Its text.
    pub note: Option<Spanned<Text>>,
    /// Properties of its style.
    pub style: Keys,
}

const PROPERTIES: [&str; 3] = ["fill", "stroke", "opacity"];

/// Draw a circle.
///
/// ```fcp
/// # add group name:Back
/// add circle dot r:5 in:Back fill:red class:a back class:b opacity:3
/// > + dot r:5 times:1 in:Back class:2 back:true red opacity:3
/// ```
#[fcp_verb(category = "Shapes")]
pub fn add_circle(
    drawing: &mut Drawing,
    /// Its name in later ops.
    #[fcp(positional)]
    name: Name,
    #[fcp(flatten)] placed: Placement,
    /// Radius, in steps.
    r: Int<1, 999>,
    #[fcp(flatten)] look: Look,
) -> Result<Reply> {
    let mut shape = Shape::new(name, Paint::Black, r);
    let mut suffix = String::new();
    for property in look.style.iter() {
        match property.key() {
            "fill" => shape.fill = property.parse()?,
            "opacity" => {
                let opacity: Int<0, 9> = property.parse()?;
                suffix = format!(" opacity:{opacity}");
            }
            "stroke" if property.value() == "light blue" => {}
            "stroke" => {
                let no = ValueError::new("cannot be drawn").fix("light blue");
                return Err(property.wrong(no));
            }
            _ => return Err(property.unknown("circle", PROPERTIES.into_iter())),
        }
    }
    if let Some(note) = look.note.filter(|note| note.get().as_str() == "no") {
        return Err(note.wrong(ValueError::new("says nothing").fix("yes")));
    }
    let group = placed
        .group
        .and_then(|group| drawing.groups.get(group.id()));
    let reply = created!(
        "{} r:{r} times:{} in:{} class:{} back:{} {}{suffix}",
        shape.name,
        placed.times,
        group.and_then(Group::called).unwrap_or_default(),
        placed.class.len(),
        placed.back,
        shape.fill,
    );
    shape.group = placed.group.map(Ref::id);
    drawing.shapes.insert(shape);
    Ok(reply)
}

/// Draw nothing.
///
/// ```fcp
/// # add group name:Back
/// probe in:Back
/// > = true 1
/// ```
#[fcp_verb(category = "Shapes")]
pub fn probe(_drawing: &mut Drawing, #[fcp(flatten)] placed: Placement) -> Result<Reply> {
    Ok(unchanged!("{} {}", placed.group.is_some(), placed.times))
}

/// Style shapes.
///
/// ```fcp
/// # add circle dot r:5
/// style dot group:red stroke:"a b"
/// > = 1 group=red stroke=a b
/// style shape:dot fill:red
/// > = 1 fill=red
/// style @all fill:"a:b"
/// > = 1 fill=a:b
/// ```
#[fcp_verb(category = "Shapes")]
pub fn style(_drawing: &mut Drawing, shapes: Selection<Shape>, style: Keys) -> Result<Reply> {
    let properties: Vec<String> = style
        .iter()
        .map(|keyed| format!("{}={}", keyed.key(), keyed.value()))
        .collect();
    assert_eq!(style.len(), properties.len());
    Ok(unchanged!("{} {}", shapes.len(), properties.join(" ")))
}

/// A side of a row.
pub struct Side(Row);

impl FromArg<Drawing> for Side {
    const TAKES: Takes = Takes::Reference;

    fn spec() -> ValueSpec {
        ValueSpec::new("REF.SIDE", "a row and its side")
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Drawing>) -> Result<Self, ValueError> {
        let Some(name) = arg.text.strip_suffix(".right") else {
            return Err(ValueError::new("has no side").fix(format!("{}.right", arg.text)));
        };
        scope.row(name, &["shape"]).map(Self).map_err(|mut error| {
            error.fix = error.fix.map(|fix| format!("{fix}.right"));
            error
        })
    }
}

/// Point at a row.
///
/// ```fcp
/// # add group name:Back
/// # add circle dot r:5
/// point Back
/// > = group
/// point shape:dot near:dot.right
/// > = shape, right of #2
/// point dto
/// > ! Row "dto" not found
/// >   try: point dot
/// point dot near:dto.right
/// > ! Shape "dto" not found
/// >   try: point dot near:dot.right
/// ```
#[fcp_verb(category = "Shapes")]
pub fn point(
    drawing: &mut Drawing,
    #[fcp(positional)] row: Row,
    near: Option<Side>,
) -> Result<Reply> {
    let kind = drawing.kind_of(row);
    Ok(match near {
        Some(Side(near)) => unchanged!("{kind}, right of #{}", near.id()),
        None => unchanged!("{kind}"),
    })
}

fn registry() -> Registry<Drawing> {
    Registry::build().expect("the items have phrases of their own")
}

fn verb(phrase: &str) -> &'static Verb<Drawing> {
    let registry = registry();
    registry
        .verbs()
        .find(|verb| verb.phrase == phrase)
        .expect(phrase)
}

/// Calls a verb as a session does.
fn run(drawing: &mut Drawing, op: &str) -> String {
    let recent: Box<RecentRows<'static>> = Box::new(|_, _| Vec::new());
    let registry = registry();
    let op = fcp::op::parse(op).expect("an op");
    let Found {
        verb,
        skip,
        qualified,
    } = registry.verb(&op).expect("a verb");
    let Run::Edit(run) = verb.run else {
        panic!("a verb changes the model")
    };
    let call = Call {
        op: &op,
        skip,
        qualified,
        verb,
        registry: &registry,
        recent: &recent,
        files: &fcp::verb::Files::default(),
        sql: &fcp::verb::no_conditions,
        picked: None,
    };
    match run(drawing, &call) {
        Ok(reply) => reply.to_string(),
        Err(error) => error.to_string(),
    }
}

fn drawing() -> Drawing {
    let mut drawing = Drawing::default();
    drawing.groups.insert(Group {
        name: Some(Text::new("Back")),
        indent: 0,
    });
    drawing
}

#[test]
fn a_group_keeps_its_place_in_the_verbs_list() {
    let verb = verb("add circle");
    assert_eq!(
        verb.syntax(),
        "add circle NAME [in:REF] [times:N] [class:NAME] [back] r:N [note:TEXT] [KEY:VALUE…]"
    );
    let param = |name: &str| verb.params.iter().find(|p| p.name == name).expect(name);
    assert_eq!(param("in").takes, Takes::Reference);
    assert_eq!(param("in").doc, "Group to draw into.");
    assert_eq!(param("times").default.expect("a default")(), "1");
    assert!(param("class").many && !param("class").required);
    assert_eq!(param("back").place, Place::Flag);
    assert_eq!(param("style").place, Place::Fields);
    assert_eq!(
        self::verb("probe").syntax(),
        "probe [in:REF] [times:N] [class:NAME] [back]"
    );
}

#[test]
fn cards_and_help_show_what_is_in_groups() {
    let registry = registry();
    let help = card::topic(&registry, "add circle").expect("a topic");
    for line in [
        "add circle NAME [PLACEMENT] r:N [LOOK]",
        "[in:REF] [times:N] [class:NAME] [back]",
        "in: Group to draw into.",
        "times: The number of times it is drawn. Default 1.",
        "style: Properties of its style.",
    ] {
        assert!(help.contains(line), "{line}\n{help}");
    }
}

#[test]
fn faults_are_reported_with_a_repaired_op() {
    let cases = [
        // In the group, in the verb, and in both.
        (
            "add circle dot r:5 times:0",
            "! times:0 is below 1\n  try: add circle dot r:5 times:1",
        ),
        (
            "add circle dot r:0 times:99 in:Bakc",
            "! r:0 is below 1; times:99 is above 9; and 1 more\n  try: add circle dot r:1 times:9 in:Back",
        ),
        (
            "add circle dot r:5 in:Back in:Back",
            "! in: is given twice, at bytes 19 and 27\n  try: add circle dot r:5 in:Back",
        ),
        ("probe tims:3", "! probe has no tims:\n  try: probe times:3"),
        // Remaining keys.
        (
            "add circle dot r:5 fil:red",
            "! circle has no fil:\n  try: add circle dot r:5 fill:red",
        ),
        (
            "add circle dot r:5 clas:a",
            "! circle has no clas:\n  try: add circle dot r:5 class:a",
        ),
        ("add circle dot r:5 zzz:a", "! circle has no zzz:"),
        (
            "add circle dot r:5 fill:rde in:Back",
            "! fill:rde is not one of the words here (black, red, sky)\n  try: add circle dot r:5 fill:red in:Back",
        ),
        (
            "add circle dot r:5 opacity:10",
            "! opacity:10 is above 9\n  try: add circle dot r:5 opacity:9",
        ),
        (
            "add circle dot r:5 stroke:\"x y\" in:Back",
            "! \"stroke:x y\" cannot be drawn\n  try: add circle dot r:5 stroke:\"light blue\" in:Back",
        ),
        (
            "add circle dot r:5 fill:red fill:red",
            "! fill: is given twice, at bytes 19 and 28\n  try: add circle dot r:5 fill:red",
        ),
        (
            "add circle dot r:5 note:no",
            "! note:no says nothing\n  try: add circle dot r:5 note:yes",
        ),
        // A required parameter under a key that is almost its own.
        (
            "add circle dot R:5 fill:red",
            "! add circle has no R:\n  try: add circle dot r:5 fill:red",
        ),
        (
            "add circle dot fill:red",
            "! add circle needs r:N\n  try: add circle dot fill:red r:5",
        ),
    ];
    for (op, wanted) in cases {
        let mut drawing = drawing();
        let before = drawing.hash();
        assert_eq!(run(&mut drawing, op), wanted, "{op}");
        assert_eq!(drawing.hash(), before, "{op}");
        let Some((_, mended)) = wanted.split_once("try: ") else {
            continue;
        };
        let reply = run(&mut drawing, mended);
        assert!(!reply.starts_with('!'), "{mended}\n{reply}");
    }
}
