//! The macros in use: a small drawing whose verbs, queries, selectors and warnings register, bind
//! and undo.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test has no readers, and ends by panicking"
)]

include!("support/drawing.rs");

use fcp::model::{Build, FieldInput, FieldKind, Part, Row, SelectorKind};
use fcp::verb::{Call, Found, Place, RecentRows, Registry, Run, Takes, Verb};

/// Draw a circle.
///
/// It lands on top.
///
/// ```fcp
/// add circle dot 5 fill:red
/// > + circle dot r:5 red 0 0 false 0
/// # add group name:Back
/// add circle halo radius:40 in:Back one two tag:a tag:b force tick-end:x
/// > + circle halo r:40 black 2 2 true 1
/// add circle halo 0
/// > ! 0 is below 1
/// >   try: add circle halo 1
/// ```
#[fcp_verb(category = "Shapes", alias = "draw circle")]
pub fn add_circle(
    drawing: &mut Drawing,
    /// Name of the circle in later ops.
    #[fcp(positional)]
    name: Name,
    /// Radius,
    /// in steps.
    #[fcp(positional, key = "radius")]
    r: Int<1, 999>,
    #[fcp(alias = "color", default = Paint::Black)] fill: Paint,
    #[fcp(key = "in")] group: Option<Ref<Group>>,
    tag: Vec<Text>,
    #[fcp(rest)] words: Vec<Text>,
    #[fcp(flag)] force: bool,
    note: Option<Text>,
    r#type: Option<Text>,
    a: Option<Text>,
    b: Option<Text>,
    c: Option<Text>,
    d: Option<Text>,
    tick_end: Option<Text>,
) -> Result<Reply> {
    let more = [r#type, a, b, c, d, tick_end].into_iter().flatten().count();
    let reply = created!(
        "circle {name} r:{r} {fill} {} {} {force} {more}",
        tag.len(),
        words.len()
    );
    drawing.shapes.insert(Shape {
        note,
        group: group.map(Ref::id),
        ..Shape::new(name, fill, r)
    });
    Ok(reply)
}

/// Make shapes larger.
///
/// ```fcp
/// # add circle dot 5
/// modify dot swell by:3
/// > * 1 shape
/// modify @all swell
/// > * 1 shape
/// modify dot swel by:3
/// > ! modify takes no swel here
/// >   try: modify dot swell by:3
/// modify @all swel
/// > ! modify takes no swel here
/// >   try: modify @all swell
/// ```
#[fcp_verb(category = "Shapes", infix)]
pub fn modify_swell(
    drawing: &mut Drawing,
    shapes: Selection<Shape>,
    #[fcp(default = Int::clamped(1))] by: Int<1, 99>,
) -> Result<Reply> {
    for id in shapes.iter() {
        drawing
            .shapes
            .modify(id, |shape| shape.r = Int::clamped(shape.r.get() + by.get()));
    }
    Ok(changed!("{}", Shape::SHAPE.count(shapes.len())))
}

/// Remove shapes.
///
/// ```fcp
/// # add circle dot 5
/// # add circle halo 40
/// erase @big
/// > - 1
/// erase do
/// > ! "do" only begins like dot, which is not enough to delete it
/// >   try: erase dot
/// ```
#[fcp_verb(category = "Shapes", deletes)]
pub fn erase(drawing: &mut Drawing, shapes: Selection<Shape>) -> Result<Reply> {
    for id in shapes.iter() {
        drawing.shapes.remove(id);
    }
    Ok(removed!("{}", shapes.len()))
}

/// Turn it.
///
/// ```fcp
/// turn back
/// > = true
/// turn
/// > = false
/// ```
#[fcp_verb(category = "Shapes")]
pub fn turn(_drawing: &mut Drawing, #[fcp(flag)] back: bool) -> Result<Reply> {
    Ok(unchanged!("{back}"))
}

/// List shapes.
///
/// ```fcp
/// # add circle dot 5 color:crimson
/// # add circle halo 40
/// ? shape-list only:RED
/// > dot
/// ```
#[fcp_query(name = "shape-list")]
pub fn shape_list(drawing: &Drawing, only: Option<Paint>) -> Result<Listing<'_>> {
    let painted = move |shape: &Shape| only.is_none_or(|paint| shape.fill == paint);
    let total = drawing
        .shapes
        .iter()
        .filter(|(_, shape)| painted(shape))
        .count();
    let shapes = drawing
        .shapes
        .iter()
        .filter(move |(_, shape)| painted(shape));
    Ok(Listing::lines(
        total,
        shapes.map(|(_, shape)| shape.name.to_string()),
    ))
}

/// Count shapes.
///
/// ```fcp
/// ? count
/// > 0
/// ```
#[fcp_query(category = "Numbers")]
pub fn count(drawing: &Drawing) -> Result<String> {
    Ok(drawing.shapes.len().to_string())
}

/// Forget everything.
#[fcp_action]
pub fn clear(drawing: &mut Drawing) -> Result<Reply> {
    let ids: Vec<_> = drawing.shapes.iter().map(|(id, _)| id).collect();
    for id in &ids {
        drawing.shapes.remove(*id);
    }
    Ok(removed!("{}", ids.len()))
}

/// Make a drawing of so many shapes.
#[fcp_action(category = "Files")]
pub fn sample(title: Text) -> Result<Drawing> {
    let mut drawing = Drawing::default();
    drawing.title.set(title.to_string());
    Ok(drawing)
}

/// Draw it as a picture.
#[fcp_action]
pub fn picture(
    drawing: &Drawing,
    #[fcp(default = Int::clamped(72))] dpi: Int<1, 999>,
) -> Result<Vec<u8>> {
    Ok(format!("{} {dpi}", drawing.title.get()).into_bytes())
}

/// Shapes that are at least so large.
#[fcp_selector(alias = "large")]
pub fn big(drawing: &Drawing, least: Option<Int<1, 999>>) -> Pick<'_> {
    let least = least.map_or(10, Int::get);
    Pick::test(move |row| {
        drawing
            .shapes
            .get(row.of())
            .is_some_and(|shape| shape.r.get() >= least)
    })
}

/// Shapes without a group.
#[fcp_selector(bears_type)]
pub fn loose(drawing: &Drawing) -> Result<Pick<'_>, ValueError> {
    Ok(Pick::test(|row| {
        drawing
            .shapes
            .get(row.of())
            .is_some_and(|shape| shape.group.is_none())
    }))
}

/// Shapes of this name.
#[fcp_selector]
pub fn named(drawing: &Drawing, name: Name) -> Pick<'_> {
    Pick::test(move |row| {
        drawing
            .shapes
            .get(row.of())
            .is_some_and(|shape| shape.name == name)
    })
}

/// A shape too small to be seen.
#[fcp_lint(weight = 10)]
pub fn tiny_shape(_drawing: &Drawing, id: Id<Shape>, shape: &Shape) -> Option<String> {
    (shape.r.get() < 2).then(|| format!("{id} {} is tiny", shape.name))
}

/// Everything that was registered.
fn registry() -> Registry<Drawing> {
    Registry::build().expect("the items have phrases of their own")
}

fn recent() -> Box<RecentRows<'static>> {
    Box::new(|_, _| Vec::new())
}

/// Calls a verb as a session does.
fn run(drawing: &mut Drawing, op: &str) -> Result<Reply> {
    let (registry, recent) = (registry(), recent());
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
    run(drawing, &call)
}

/// Calls an item that is not a verb.
fn call<T>(verb: &'static Verb<Drawing>, op: &str, run: impl FnOnce(&Call<'_, Drawing>) -> T) -> T {
    let (registry, recent) = (registry(), recent());
    let op = fcp::op::parse(op).expect("an op");
    run(&Call {
        op: &op,
        skip: 0..0,
        qualified: false,
        verb,
        registry: &registry,
        recent: &recent,
        files: &fcp::verb::Files::default(),
        sql: &fcp::verb::no_conditions,
        picked: None,
    })
}

fn verb(phrase: &str) -> &'static Verb<Drawing> {
    let registry = registry();
    let mut all = registry
        .verbs()
        .chain(registry.queries())
        .chain(registry.actions());
    all.find(|verb| verb.phrase == phrase).expect(phrase)
}

#[test]
fn a_verb_is_what_its_function_says() {
    let verb = verb("add circle");
    assert_eq!(verb.aliases, ["draw circle"]);
    assert_eq!(verb.category, "Shapes");
    assert_eq!(verb.summary, "Draw a circle.");
    assert_eq!(verb.doc, "Draw a circle.\n\nIt lands on top.");
    assert!(verb.source.file.ends_with("macros.rs"));
    assert_eq!(
        verb.syntax(),
        "add circle NAME R [fill:COLOR] [in:REF] [tag:TEXT] [TEXT…] [force] [note:TEXT] [type:TEXT] [a:TEXT] [b:TEXT] \
         [c:TEXT] [d:TEXT] [tick-end:TEXT]"
    );
    let param = |name: &str| verb.params.iter().find(|p| p.name == name).expect(name);
    assert_eq!(param("r").place, Place::Word(Some("radius")));
    assert_eq!(param("r").doc, "Radius, in steps.");
    assert_eq!(param("fill").default.expect("a default")(), "black");
    assert_eq!(param("fill").aliases, ["color"]);
    assert_eq!(param("in").takes, Takes::Reference);
    assert!(param("name").required && !param("fill").required && !param("in").required);
    assert!(param("tag").many && param("words").many && !param("in").many);
    assert_eq!(param("words").place, Place::Rest);
    assert_eq!(param("force").place, Place::Flag);
}

#[test]
fn an_example_knows_its_line() {
    let example = verb("erase").examples[0];
    let source = include_str!("macros.rs");
    let line = source.lines().nth(example.line as usize - 1);
    assert_eq!(line, Some("/// # add circle dot 5"));
    assert!(example.script.starts_with("# add circle dot 5\n# add"));
}

#[test]
fn rows_are_taken_by_type() {
    let erase = verb("erase");
    assert!(erase.deletes);
    assert_eq!(erase.params[0].takes, Takes::Rows);
    assert_eq!(erase.params[0].place, Place::Word(None));
}

#[test]
fn all_faults_of_an_op_are_reported_at_once() {
    let error = run(&mut Drawing::default(), "add circle dot 0 fil:rde").unwrap_err();
    let error = error.to_string();
    assert!(error.contains("0 is below 1"), "{error}");
    assert!(error.contains("no fil:"), "{error}");
}

#[test]
fn actions_run_in_three_ways() {
    let mut drawing = Drawing::default();
    run(&mut drawing, "add circle dot 5").unwrap();
    let Run::Make(make) = verb("sample").run else {
        panic!("sample makes a document")
    };
    let made = call(verb("sample"), "sample title:Blue", |call| {
        make(&drawing, call)
    })
    .unwrap();
    assert_eq!(made.title.get(), "Blue");
    let Run::Export(export) = verb("picture").run else {
        panic!("picture makes a file")
    };
    let file = call(verb("picture"), "picture", |call| export(&made, call)).unwrap();
    assert_eq!(file.bytes, b"Blue 72");
    let Run::Edit(edit) = verb("clear").run else {
        panic!("clear changes the document")
    };
    let reply = call(verb("clear"), "clear", |call| edit(&mut drawing, call)).unwrap();
    assert_eq!(reply.to_string(), "- 1");
    assert_eq!(verb("clear").category, "Session");
    assert_eq!(verb("sample").category, "Files");
}

#[test]
fn events_reverse_and_replay() {
    let mut drawing = Drawing::default();
    let empty = drawing.hash();
    let group = drawing.groups.insert(Group {
        name: None,
        indent: 0,
    });
    run(&mut drawing, "add circle dot 5 in:#1").unwrap();
    drawing.title.set("Blue".to_owned());
    let events = drawing.drain();
    assert_eq!(events.len(), 3);
    assert!(drawing.drain().is_empty());
    assert!(matches!(&events[0], DrawingEvent::Shapes(_)));
    assert_eq!(
        Drawing::row_of(&events[1]).map(|(row, _)| row),
        Some(Row::new(1, group.number()))
    );
    assert!(events.iter().all(|event| Drawing::weight(event) > 0));
    let json = serde_json::to_string(&events).unwrap();
    assert!(json.starts_with(r#"[{"shapes":"#), "{json}");
    assert_eq!(
        serde_json::from_str::<Vec<DrawingEvent>>(&json).unwrap(),
        events
    );

    let full = drawing.hash();
    assert_ne!(full, empty);
    events.iter().rev().for_each(|event| drawing.reverse(event));
    assert_eq!(drawing.hash(), empty);
    assert!(drawing.shapes.is_empty() && drawing.title.is_empty());
    events.iter().for_each(|event| drawing.replay(event));
    assert_eq!(drawing.hash(), full);
    assert_eq!(drawing.shapes.iter().next().unwrap().1.group, Some(group));
    assert!(drawing.drain().is_empty(), "undo and redo leave no events");
}

#[test]
fn a_model_is_static_data() {
    let shape = Drawing::SHAPE;
    assert_eq!((shape.domain, shape.title), ("toy", "Toy drawings"));
    let parts: Vec<_> = shape
        .parts
        .iter()
        .map(|p| (p.name, p.count, p.view, p.universe))
        .collect();
    assert_eq!(
        parts,
        [
            ("shapes", Some("s"), false, true),
            ("groups", None, false, false),
            ("title", None, false, false),
            ("zoom", None, true, false),
        ]
    );
    assert_eq!(<Drawing as HasTable<Group>>::PART, 1);
    let mut drawing = Drawing::default();
    let id = drawing.groups.insert(Group {
        name: Some(Text::new("Back")),
        indent: 0,
    });
    assert_eq!(drawing.ids().peek(), id.number() + 1);
    assert!(drawing.rows_mut(1).is_some() && drawing.rows_mut(2).is_none());
    assert!(matches!(drawing.part(3), Some(Part::Value(_))) && drawing.part(4).is_none());
    let mut generator = schemars::SchemaGenerator::default();
    let schemas = Drawing::schemas(&mut generator);
    assert_eq!(schemas.len(), 4);
    run(&mut drawing, "add circle dot 5 in:Back").unwrap();
    assert_eq!(
        drawing.line(Row::new(0, 2)).as_deref(),
        Some("#2 dot in Back")
    );
    assert_eq!(drawing.line(Row::new(1, 1)), None);
}

#[test]
fn view_and_spelling_are_not_content() {
    let mut drawing = Drawing::default();
    let group = drawing.groups.insert(Group {
        name: None,
        indent: 0,
    });
    run(&mut drawing, "add circle dot 5 in:#1").unwrap();
    let before = drawing.hash();
    let shape = drawing.shapes.iter().next().unwrap().0;
    drawing
        .shapes
        .modify(shape, |shape| shape.folded = Some(Switch(true)));
    drawing.groups.modify(group, |group| group.indent = 4);
    drawing.zoom.set(9);
    assert_eq!(drawing.hash(), before);
    assert_eq!(drawing.drain().len(), 3, "it is journaled all the same");
    drawing.shapes.modify(shape, |shape| shape.bytes.push(1));
    assert_ne!(drawing.hash(), before, "what is hidden is content");
}

#[test]
fn a_kind_of_row_is_static_data() {
    let shape = Shape::SHAPE;
    assert_eq!(
        (shape.kind, shape.plural, shape.doc),
        ("shape", "shapes", "A mark on the canvas.")
    );
    assert_eq!(shape.parent, Some("group"));
    assert!(shape.labelled && shape.addable);
    let field = |name: &str| shape.fields[shape.field(name).expect(name)];
    assert_eq!(field("radius").name, "r");
    assert_eq!(field("r").selector, Some(("r", SelectorKind::Range)));
    assert_eq!(field("in").kind, FieldKind::Refers("group"));
    assert_eq!(field("version").kind, FieldKind::ReadOnly);
    assert_eq!(field("bytes").kind, FieldKind::Hidden);
    assert!(field("name").label && !field("name").optional);
    assert!(field("fill").optional && field("note").optional && field("in").optional);
    assert_eq!((field("fill").spec)().name, "COLOR");
    assert!(Group::SHAPE.labelled && Group::SHAPE.parent.is_none());
}

/// Makes a shape from a few fields.
fn build(fields: &[(usize, &str)]) -> Result<Shape, Build> {
    Shape::build(&|ix| {
        let given = fields.iter().find(|(at, _)| *at == ix);
        given.map(|(_, text)| FieldInput::Text((*text).to_owned().into()))
    })
}

#[test]
fn rows_are_made_and_set_by_their_fields() {
    let text = |text: &'static str| FieldInput::Text(text.into());
    let mut shape = build(&[(0, "dot"), (2, "5")]).unwrap();
    assert_eq!(
        (shape.fill, shape.group, shape.version.get()),
        (Paint::Black, None, 1)
    );
    assert_eq!(build(&[(0, "dot")]), Err(Build::Missing(2)));
    assert!(matches!(
        build(&[(0, "dot"), (2, "0")]),
        Err(Build::Invalid(2, _))
    ));
    assert_eq!(shape.label().as_deref(), Some("dot"));

    shape.set(1, text("crimson")).unwrap();
    assert_eq!(shape.field(1).as_deref(), Some("red"));
    shape.set(3, text("small")).unwrap();
    shape.set(3, text("none")).unwrap();
    assert_eq!(shape.note, None);
    shape.set(4, FieldInput::Row(7)).unwrap();
    assert_eq!((shape.parent(), shape.reference(4)), (Some(7), Some(7)));
    assert_eq!(shape.field(4), None);
    shape.set(4, text("none")).unwrap();
    assert_eq!(shape.parent(), None);
    let fixed = shape.set(6, text("2")).unwrap_err();
    assert_eq!(fixed.about("2"), "version: of a shape cannot be set");
    assert!(shape.set(7, text("x")).is_err());

    assert!(Shape::select(1, "red").unwrap()(&shape));
    assert!(Shape::select(2, "4-9").unwrap()(&shape) && !Shape::select(2, ">5").unwrap()(&shape));
    assert!(Shape::select(0, "dot").is_err());
}

#[test]
fn a_value_is_its_words() {
    assert_eq!(Paint::ALL, [Paint::Black, Paint::Red, Paint::LightBlue]);
    assert_eq!(Paint::SPEC.name, "COLOR");
    assert_eq!(Paint::SPEC.doc, "The paint of a shape");
    assert_eq!(Paint::SPEC.choices[0].doc, "No light.");
    assert_eq!(Paint::parse("SCARLET"), Ok(Paint::Red));
    assert_eq!(Paint::parse("blu").unwrap_err().fix, None);
    assert_eq!(
        Paint::parse("blak").unwrap_err().fix.as_deref(),
        Some("black")
    );
    for paint in Paint::ALL {
        assert_eq!(Paint::parse(&paint.to_string()), Ok(*paint));
    }
    assert_eq!(format!("{:>4}", Paint::LightBlue), " sky");
}

#[test]
fn selectors_and_warnings_check_rows() {
    let mut drawing = Drawing::default();
    run(&mut drawing, "add circle dot 1").unwrap();
    run(&mut drawing, "add circle halo 40").unwrap();
    let registry = registry();
    let lint = registry.lints().next().expect("a warning");
    assert_eq!((lint.code, lint.weight), ("tiny-shape", 10));
    let rows = [1, 2, 99].map(|id| fcp::model::Row::new(0, id));
    let found = lint.find(&drawing, &rows);
    assert_eq!(found, [(rows[0], "#1 dot is tiny".to_owned())]);
    let elsewhere = fcp::model::Row::new(1, 1);
    assert_eq!(lint.find(&drawing, &[elsewhere]), []);

    let loose = registry.selector("loose").expect("a selector");
    assert!(loose.bears_type);
    assert_eq!(registry.selector("large").expect("its alias").name, "big");
    let erased = |op: &str| {
        let mut drawing = Drawing::default();
        run(&mut drawing, "add circle dot 1").unwrap();
        run(&mut drawing, "add circle halo 40").unwrap();
        run(&mut drawing, op).map(|reply| reply.to_string())
    };
    assert_eq!(erased("erase @big").unwrap(), "- 1");
    assert_eq!(erased("erase @big:1").unwrap(), "- 2");
    assert_eq!(erased("erase @loose").unwrap(), "- 2");
    let error = erased("erase @loose:yes").unwrap_err().to_string();
    assert_eq!(error, "! @loose takes no value\n  try: erase @loose");
    let error = erased("erase @named").unwrap_err().to_string();
    assert!(error.starts_with("! @named needs a value"), "{error}");
}

#[test]
fn a_phrase_may_surround_its_target() {
    let mut drawing = Drawing::default();
    let mut done = |op: &str| run(&mut drawing, op).map(|reply| reply.to_string());
    for name in ["dot", "swell", "halo"] {
        done(&format!("add circle {name} 5")).unwrap();
    }
    for (op, start) in [
        ("modify dot swell", "* 1 shape"),
        ("modify shape:dot Swell by:2", "* 1 shape"),
        ("modify @fill:black @r:1-9 swell", "* 3 shapes"),
        // A row may have the same name as the word.
        ("modify swell swell by:10", "* 1 shape"),
        // Without the word, or with a quoted one, it is the plain verb.
        ("modify swell fill:red", "* "),
        ("modify swell r:7", "* "),
    ] {
        let reply = done(op).unwrap_or_else(|error| panic!("{op}: {error}"));
        assert!(reply.starts_with(start), "{op}: {reply}");
    }
    for op in ["modify dot \"swell\"", "modify dot swel"] {
        let error = done(op).expect_err(op).to_string();
        assert!(error.starts_with("! "), "{op}: {error}");
    }
    let error = done("modify dot swell by:0").unwrap_err();
    assert!(
        error.to_string().ends_with("try: modify dot swell by:1"),
        "{error}"
    );
    let radii: Vec<i64> = drawing
        .shapes
        .iter()
        .map(|(_, shape)| shape.r.get())
        .collect();
    assert_eq!(radii, [9, 7, 6]);
    assert_eq!(verb("modify swell").syntax(), "modify SEL swell [by:N]");
}
