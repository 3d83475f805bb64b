//! Work that is counted in steps: calls that would take too many fail as a whole, and work that is
//! shared takes few.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::endpoint::{Answer, Config, Endpoint};
use fcp::session::endpoint;
use fcp_svg::Drawing;
use tempfile::{TempDir, tempdir};

/// A session in which a call takes a million steps at most, with a drawing of this content, and one
/// that is open.
fn session(inner: &str) -> (Box<dyn Endpoint>, TempDir) {
    let root = tempdir().unwrap();
    let text =
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 900\">{inner}</svg>");
    std::fs::write(root.path().join("a.svg"), text).unwrap();
    std::fs::write(
        root.path().join("open.svg"),
        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
    )
    .unwrap();
    let mut session = endpoint::<Drawing>(&Config::at(root.path())).unwrap();
    assert!(!session.act("open open.svg").is_error);
    assert!(!session.act("set work-limit:1").is_error);
    (session, root)
}

fn opened(inner: &str) -> (Box<dyn Endpoint>, TempDir) {
    let (mut session, root) = session(inner);
    let answer = session.act("open a.svg");
    assert!(!answer.is_error, "{}", answer.text);
    (session, root)
}

fn run(session: &mut Box<dyn Endpoint>, op: &str) -> Answer {
    session.run(&[op.to_owned()], None)
}

fn is_over(answer: &Answer) {
    let note =
        "takes more than 1 million steps and changes nothing (set work-limit:MILLIONS moves it)";
    assert!(
        answer.is_error && answer.text.contains(note),
        "{}",
        answer.text
    );
}

fn rects(count: usize) -> String {
    "<rect width=\"3\" height=\"3\"/>".repeat(count)
}

#[test]
fn a_file_that_takes_too_many_steps_is_not_opened() {
    let rules = (0..2_000).map(|at| format!("[data-x=\"{at}\"]{{fill:red}}"));
    let rules: String = rules.collect();
    let (mut session, _root) = session(&format!("<style>{rules}</style>{}", rects(2_000)));
    let before = session.query("status").text;
    is_over(&session.act("open a.svg"));
    assert_eq!(session.query("status").text, before);
    session.act("set work-limit:100");
    assert!(!session.act("open a.svg").is_error);
}

#[test]
fn elements_share_what_their_rules_say() {
    let rules = "rect{fill:red}".repeat(3_000);
    opened(&format!("<style>{rules}</style>{}", rects(3_000)));
    let declared: String = (0..3_000).map(|at| format!("p{at}:red;")).collect();
    let (mut session, _root) = opened(&format!(
        "<style>rect{{{declared}fill:red}}</style>{}",
        rects(1_000)
    ));
    let answer = session.query("list @fill:red");
    assert!(answer.text.contains("rect~1"), "{}", answer.text);
}

#[test]
fn references_to_an_id_of_many_elements_find_the_first() {
    let ids = "<rect id=\"x\" width=\"3\" height=\"3\"/>".repeat(2_000);
    let uses = "<use href=\"#x\"/>".repeat(2_000);
    let (mut session, _root) = opened(&format!("{ids}{uses}"));
    let at = |session: &mut Box<dyn Endpoint>| session.query("bbox use~1").text;
    assert!(at(&mut session).contains("3x3"), "{}", at(&mut session));
    assert!(!run(&mut session, "set rect~1 width 7").is_error);
    assert!(at(&mut session).contains("7x3"), "{}", at(&mut session));
    // The uses mean it.
    assert!(run(&mut session, "remove rect~1").is_error);
    assert!(!run(&mut session, "order rect~1 front").is_error);
    assert!(at(&mut session).contains("3x3"), "{}", at(&mut session));
    assert!(!session.act("undo").is_error);
    assert!(at(&mut session).contains("7x3"), "{}", at(&mut session));
    assert!(!run(&mut session, "order rect~1 front").is_error);
    assert!(at(&mut session).contains("3x3"), "{}", at(&mut session));
}

#[test]
fn entities_are_set_together() {
    let root = tempdir().unwrap();
    let declared: String = (0..4_000)
        .map(|at| format!("<!ENTITY a{at} \"l\">"))
        .collect();
    let text = format!(
        "<!DOCTYPE svg [{declared}]><svg xmlns=\"http://www.w3.org/2000/svg\"><text>&a7;</text></svg>"
    );
    std::fs::write(root.path().join("a.svg"), text).unwrap();
    let mut session = endpoint::<Drawing>(&Config::at(root.path())).unwrap();
    session.act("set work-limit:1");
    assert!(!session.act("open a.svg").is_error);
    let answer = run(
        &mut session,
        "UPDATE texts SET text='q' WHERE kind='entity'",
    );
    assert!(!answer.is_error, "{}", answer.text);
    let answer = session.query("SELECT count(*) FROM texts WHERE text='q'");
    assert!(answer.text.contains("4001"), "{}", answer.text);
    // One by one, each is a new state of all of them.
    let ops: Vec<String> = (0..100)
        .map(|at| format!("set entity:a{at} value r"))
        .collect();
    is_over(&session.run(&ops, None));
}

#[test]
fn selectors_count_their_steps() {
    let nested = format!("{}{}{}", "<g>".repeat(60), rects(1), "</g>".repeat(60));
    let (mut session, _root) = opened(&nested);
    let parts = "g ".repeat(12);
    let answer = run(&mut session, &format!("style \"line {parts}rect\" sw:3"));
    assert!(answer.text.contains("rect\" not found"), "{}", answer.text);
    let (mut session, _root) = opened(&rects(3000));
    let tests = ":not(line)".repeat(1000);
    is_over(&run(&mut session, &format!("style rect{tests} sw:3")));
    let (mut session, _root) = opened(&rects(300));
    let points: Vec<String> = (9..409).map(|at| format!("{at},{at}")).collect();
    is_over(&run(
        &mut session,
        &format!("style @at:{} sw:3", points.join("|")),
    ));
    let not = "@not:hidden ".repeat(2_000);
    is_over(&run(&mut session, &format!("style {not} sw:3")));
}

#[test]
fn the_points_of_converted_shapes_count_as_steps() {
    let curves = " C1 1 2 3 4 900".repeat(100);
    let paths = format!("<path d=\"M0 0{curves}\"/>").repeat(100);
    let (mut session, _root) = opened(&paths);
    is_over(&run(&mut session, "convert @type:path to:polygon"));
}

#[test]
fn an_element_is_of_svg_by_the_nearest_binding_of_its_prefix() {
    let svg = "http://www.w3.org/2000/svg";
    let bound: String = (0..2_000).map(|at| format!(" xmlns:n{at}=\"u\"")).collect();
    let (mut session, _root) = opened(&format!(
        "<g xmlns:s=\"{svg}\"><s:rect id=\"a\" width=\"1\" height=\"1\"/><g xmlns:s=\"u\"><s:rect id=\"b\"/></g></g>\
         <g xmlns=\"\"><rect id=\"c\"/></g><g{bound}>{}</g>",
        "<n1999:rect/>".repeat(3_000)
    ));
    let answer = session.query("list @type:rect");
    let names = ["a rect", "b rect", "c rect"];
    let found: Vec<bool> = names
        .iter()
        .map(|name| answer.text.lines().any(|line| line.starts_with(name)))
        .collect();
    assert_eq!(found, [true, false, false], "{}", answer.text);
}

#[test]
fn edits_of_one_text_are_made_together() {
    let rules: String = (0..8_000).map(|at| format!("#r{at}{{fill:red}}")).collect();
    let ids: String = (0..8_000).map(|at| format!("<g id=\"r{at}\"/>")).collect();
    let started = std::time::Instant::now();
    let (mut session, _root) = opened(&format!("<style>{rules}</style>{ids}"));
    // 8,000 renamed elements take 800,000 steps in the tree alone.
    session.act("set work-limit:2");
    for (op, count) in [
        ("UPDATE rules SET value='blue'", "8000"),
        ("UPDATE rules SET value='lime' WHERE rule%2=0", "4000"),
        ("DELETE FROM rules WHERE rule%4=0", "2000"),
        ("UPDATE elements SET id=id||'n' WHERE tag='g'", "8000"),
    ] {
        let answer = run(&mut session, op);
        assert!(
            !answer.is_error && answer.text.contains(count),
            "{op}: {}",
            answer.text
        );
    }
    let query = "SELECT group_concat(selector||' '||value) FROM rules WHERE line=1 AND rule<4";
    let text = session.query(query).text;
    assert!(text.contains("#r0n blue,#r1n lime,#r2n blue"), "{text}");
    let refused = run(&mut session, "UPDATE elements SET id=NULL WHERE tag='g'");
    assert!(
        refused.text.contains("r0n cannot lose its id"),
        "{}",
        refused.text
    );
    // One by one they took minutes.
    assert!(started.elapsed().as_secs() < 60);
}

#[test]
fn changes_of_an_element_count_its_attributes() {
    let many: String = (0..1_500).map(|at| format!(" data-{at}=\"v\"")).collect();
    let (mut session, _root) = opened(&format!("<rect{many}/>"));
    is_over(&run(
        &mut session,
        "UPDATE attributes SET value='w' WHERE name LIKE 'data-%'",
    ));
}

#[test]
fn every_query_of_a_call_counts_its_steps() {
    let (mut session, _root) = opened(&rects(20_000));
    for query in [
        "? stats",
        "? find zzz",
        "? bbox rect~1",
        "? nonsense",
        "? SELECT 1",
    ] {
        let asked = vec![query.to_owned(); 4_000];
        let answer = session.run(&asked, None);
        // The rest is not asked, or the call ends by the limit.
        let is_bounded = answer.text.contains("takes more than 1 million steps")
            || answer.text.contains("not asked");
        assert!(
            is_bounded,
            "{query}: {}",
            &answer.text[answer.text.len() - 300..]
        );
    }
    let answer = session.run(&vec!["? stats".to_owned(); 100], None);
    assert!(answer.is_error && answer.text.contains("takes more than 1 million steps"));
}

#[test]
fn references_of_one_sheet_are_removed_together() {
    let rules: String = (0..8_000)
        .map(|at| format!("#r{at}{{fill:url(#g);stroke:url(#h{at})}}"))
        .collect();
    let (mut session, _root) = opened(&format!("<mask id=\"g\"/><style>{rules}</style>"));
    let answer = run(&mut session, "remove g unlink:on");
    assert!(!answer.is_error, "{}", answer.text);
    let query = "SELECT count(*) FROM rules WHERE property='fill'";
    let text = session.query(query).text;
    assert!(text.contains("\n0\n"), "{text}");
}

#[test]
fn changes_that_move_no_end_of_a_link_read_the_sheets_once() {
    let rules: String = (0..4_000).map(|at| format!(".r{at}{{fill:red}}")).collect();
    let ids: String = (0..4_000)
        .map(|at| format!("<g id=\"g{at}\" class=\"r\"/>"))
        .collect();
    let boxes = "<rect id=\"a\" width=\"9\" height=\"9\"/><rect id=\"b\" x=\"50\" width=\"9\" height=\"9\"/>";
    let (mut session, _root) = opened(&format!("<style>{rules}</style>{boxes}{ids}"));
    let answer = run(&mut session, "connect a -> b");
    assert!(!answer.is_error, "{}", answer.text);
    let op = "UPDATE attributes SET value='c'||rowid WHERE name='class'";
    let answer = run(&mut session, op);
    assert!(!answer.is_error, "{}", answer.text);
}
