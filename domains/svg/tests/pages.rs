//! Long answers are split into pages, and the last line of each is the query for the next.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::endpoint::{Config, Endpoint};
use fcp::session::endpoint;
use fcp_svg::Drawing;

/// The number of elements of each kind.
const MANY: usize = 80;
/// The maximum size of a page.
const MOST: usize = 8_000;

/// A drawing that gives every query a long answer.
fn drawing() -> String {
    let mut text =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 900\">\n<style>\n".to_owned();
    for n in 0..MANY {
        text.push_str(&format!(".class-{n} {{ stroke-width: {n} }}\n"));
    }
    text.push_str("</style>\n<defs>\n");
    for n in 0..MANY {
        text.push_str(&format!("<linearGradient id=\"gradient-{n}\"/>\n"));
    }
    text.push_str("</defs>\n<rect id=\"first\" width=\"9\" height=\"9\"/>\n");
    for n in 0..MANY {
        text.push_str(&format!(
            "<rect id=\"object-of-a-long-name-{n}\" class=\"class-{n}\" x=\"{n}\" width=\"20\" height=\"0.5\" fill=\"#{:06x}\"/>\n<use href=\"#first\" x=\"{n}\" y=\"1000\"/>\n",
            n * 7
        ));
    }
    let many: String = (0..600).map(|n| format!("L{n} {}", n % 7)).collect();
    text.push_str(&format!("<path id=\"long\" d=\"M0 0{many}\"/>\n</svg>\n"));
    text
}

/// All pages of a query, without their last lines.
fn pages(session: &mut dyn Endpoint, query: &str) -> Vec<Vec<String>> {
    let (mut pages, mut next) = (Vec::new(), Some(query.to_owned()));
    while let Some(query) = next {
        let answer = session.query(&query);
        assert!(!answer.is_error, "{query}\n{}", answer.text);
        assert!(
            answer.text.len() <= MOST,
            "{query} has {} bytes",
            answer.text.len()
        );
        let mut lines: Vec<String> = answer.text.lines().map(str::to_owned).collect();
        let last = lines.last().unwrap();
        next = last.strip_prefix("… ").and_then(|more| {
            let (count, query) = more.split_once(" more (")?;
            assert!(
                count.parse::<usize>().is_ok_and(|count| count > 0),
                "{last}"
            );
            query.strip_suffix(')').map(str::to_owned)
        });
        if next.is_some() {
            lines.pop();
        }
        pages.push(lines);
        assert!(pages.len() < 200, "{query} goes on without end");
    }
    pages
}

#[test]
fn a_long_answer_pages_to_its_end() {
    let root = tempfile::tempdir().unwrap();
    let text = drawing();
    std::fs::write(root.path().join("it.svg"), &text).unwrap();
    let mut session = endpoint::<Drawing>(&Config::at(root.path())).unwrap();
    assert!(!session.act("open it.svg").is_error);
    let ops: Vec<String> = (0..MANY)
        .map(|n| format!("set object-of-a-long-name-{n} data-place {n}"))
        .collect();
    assert!(!session.run(&ops, None).is_error);
    for (query, least) in [
        ("map", 2 * MANY),
        ("tree", 1),
        ("tree depth:9", 1),
        ("list", 2 * MANY),
        ("list @fill:#000", 1),
        ("find long", MANY),
        ("describe @type:rect", 5 * MANY),
        ("bbox @type:rect", MANY),
        ("overlap", MANY),
        ("colors", MANY),
        ("defs", MANY),
        ("refs first", MANY),
        ("css", MANY),
        ("path long", 600),
        ("svg *", text.lines().count()),
        ("history 80", MANY),
        ("diff checkpoint:open rows:on", MANY),
        ("warnings", MANY),
    ] {
        let pages = pages(&mut *session, query);
        let lines: usize = pages.iter().map(Vec::len).sum();
        assert!(lines >= least, "{query}: {lines} lines of {least}");
    }
    let all: Vec<String> = pages(&mut *session, "svg @type:use").concat();
    assert_eq!(all.len(), MANY);
}
