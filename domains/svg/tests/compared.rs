//! Comparison with another file: every difference is named, with its lines and the same rows as since open.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;

use fcp::testing::Server;
use tempfile::TempDir;

use crate::support::{drawing, opened};

const OLD: &str = "<?xml version=\"1.0\"?>
<!-- head -->
<!DOCTYPE svg [
  <!ENTITY num \"5\">
]>
<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"root\" width=\"100\" height=\"100\">
  <!-- one -->
  <!-- two -->
  <filter id=\"f\"><feFlood id=\"fl\"/></filter>
  <rect id=\"a\" x=\"1\" y='2' width=\"3\" height=\"4\"/>

  <rect id=\"b\" x=\"&num;\" y=\"2\" width=\"3\" height=\"4\"/>
</svg>
<!-- tail -->
";

/// A server with a drawing, and another file `b.svg`.
fn beside(now: &str, other: &str) -> (Server, TempDir) {
    let (server, root) = opened(now);
    fs::write(root.path().join("b.svg"), other).unwrap();
    (server, root)
}

#[test]
fn every_part_of_a_file_is_compared_with_its_lines() {
    let new = OLD
        .replace("<!-- head", "\n<!-- HEAD")
        .replace("tail", "TAIL")
        .replace("one", "ONE")
        .replace("id=\"root\"", "id=\"rooot\"")
        .replace("id=\"f\"", "id=\"g\"")
        .replace("\"5\"", "\"6\"")
        .replace("x=\"1\" y='2'", "x=\"9\" y=\"2\"")
        .replace(
            "\n\n  <rect id=\"b\" x=\"&num;\"",
            "\n  <rect id=\"b\" x=\"7\"",
        );
    let (mut server, _root) = beside(&new, OLD);
    let diff = server.query("diff b.svg");
    assert_eq!(
        diff.lines().collect::<Vec<_>>(),
        [
            "~ comment at line 3 (was 2): \" head \" -> \" HEAD \", white space \"\\n\" -> \"\\n\\n\"",
            "~ entity:num at line 5 (was 4): \"<!ENTITY num \\\"5\\\">\" -> \"<!ENTITY num \\\"6\\\">\"",
            "~ svg root at line 7 (was 6): id root -> rooot",
            "~ comment of root at line 8 (was 7): \" one \" -> \" ONE \"",
            "~ filter f at line 10 (was 9): id f -> g",
            "~ rect a at line 11 (was 10): x 1 -> 9, quotes ' -> \"",
            "~ rect b at line 12: x &num; -> 7, white space \"\\n\\n  \" -> \"\\n  \"",
            "~ comment at line 14: \" tail \" -> \" TAIL \"",
            "bytes: 22 changed in 12 places, 330 the same",
        ]
    );
}

#[test]
fn a_changed_and_moved_row_is_one_row_with_its_place() {
    let rect =
        |id: &str, x: u32| format!("\n <rect id=\"{id}\" x=\"{x}\" width=\"3\" height=\"4\"/>");
    let file = |rows: &[(&str, u32)]| {
        let rows = rows.iter().map(|(id, x)| rect(id, *x));
        String::from_utf8(drawing(&rows.collect::<String>())).unwrap()
    };
    let old = file(&[("a", 1), ("b", 2), ("c", 3), ("d", 4)]);
    let new = file(&[("b", 2), ("c", 3), ("d", 4), ("a", 9)]);
    let (mut server, _root) = beside(&new, &old);
    let diff = server.query("diff b.svg");
    assert!(
        diff.starts_with("~ rect a at line 5 (was 2): x 1 -> 9, nth 1 -> 4\nbytes:"),
        "{diff}"
    );
    // Another id, and all else the same.
    let new = file(&[("b", 2), ("z", 3), ("d", 4), ("a", 1)]);
    let (mut server, _root) = beside(&new, &old);
    let diff = server.query("diff b.svg");
    assert!(
        diff.contains("~ rect c at line 3 (was 4): id c -> z\n"),
        "{diff}"
    );
    assert!(!diff.contains("\n-") && !diff.starts_with('-'), "{diff}");
}

#[test]
fn the_opened_file_is_compared_as_the_save_told_it() {
    let (mut server, _root) = opened(OLD);
    let ops = [
        "rename a long",
        "modify long x:30 y:40 width:50 height:60",
        "rename root top",
        "remove fl",
    ];
    server.run(&ops);
    let saved = server.act("save as:b.svg");
    let diff = server.query("diff a.svg");
    let told = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.trim().to_owned());
        lines
            .filter(|line| line.starts_with(['~', '+', '-']))
            .collect()
    };
    assert_eq!(told(&diff), told(&saved), "{diff}\n{saved}");
    assert_eq!(told(&diff).len(), 3, "{diff}");
}

#[test]
fn every_page_of_a_comparison_has_the_bytes() {
    let rects = |x: u32| -> String {
        let rects = (0..150).map(|at| format!("<rect id=\"r{at}\" x=\"{}\"/>", at * x));
        String::from_utf8(drawing(&rects.collect::<String>())).unwrap()
    };
    let (mut server, _root) = beside(&rects(2), &rects(1));
    for query in [
        "diff b.svg rows:on",
        "diff b.svg rows:on from:61",
        "diff b.svg",
    ] {
        let page = server.query(query);
        let lines: Vec<&str> = page.lines().collect();
        let bytes = lines.iter().filter(|line| line.starts_with("bytes: "));
        assert_eq!(bytes.count(), 1, "{query} {page}");
        let last = lines[lines.len() - 1];
        assert!(
            last.starts_with("… ") || last.starts_with("bytes: "),
            "{page}"
        );
    }
}

#[test]
fn form_that_changed_with_a_field_is_told() {
    let file = |rect: &str| String::from_utf8(drawing(rect)).unwrap();
    for (then, now, line) in [
        (
            "<rect id=\"a\" x='1'/>",
            "<rect id=\"a\" x=\"2\"/>",
            "x 1 -> 2, quotes ' -> \"",
        ),
        (
            "<rect id=\"a\" x=\"1\"/>",
            "<rect  id=\"a\" x = \"2\" />",
            "x 1 -> 2, white space \" \" -> \"  \" and in 2 more places",
        ),
        (
            "<g id=\"a\" class=\"b\"></g>",
            "<g class=\"c\" id=\"a\"></g >",
            "class b -> c, white space \"\" -> \" \", order of attributes id class -> class id",
        ),
        (
            "<g id=\"a\"/>",
            "<g id=\"a\" x=\"&#49;\"/>",
            "x nothing -> &#49;",
        ),
        (
            "<g id=\"a\" x=\"1\"/>",
            "<g id=\"a\" x=\"&#49;\"/>",
            "x 1 -> &#49;",
        ),
    ] {
        let (mut server, _root) = beside(&file(now), &file(then));
        let diff = server.query("diff b.svg");
        let first = diff.lines().next().unwrap();
        assert!(first.ends_with(&format!(" a at line 1: {line}")), "{diff}");
    }
    let text = |inner: &str| file(&format!("<text id=\"t\">{inner}</text>"));
    let (mut server, _root) = beside(&text("abX"), &text("<![CDATA[abc]]>"));
    let diff = server.query("diff b.svg");
    assert!(
        diff.contains(" abc -> abX, form CDATA section -> text\n"),
        "{diff}"
    );
    // In UTF-16, and by an op.
    let wide = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xff, 0xfe].into_iter().chain(units).collect()
    };
    let (mut server, _root) = opened(wide(&file("<rect id=\"a\" x='1' class=\"\u{2200}\"/>")));
    server.run(&["replace \"x='1'\" 'x=\"2\"'"]);
    let diff = server.query("diff open");
    assert!(diff.contains(": x 1 -> 2, quotes ' -> \"\n"), "{diff}");
    let changes = server.query("SELECT tbl, field, before, after FROM changes");
    assert!(changes.contains("elements | quotes | ' | \""), "{changes}");
}

#[test]
fn values_of_few_rows_are_whole_and_very_long_ones_have_the_place_of_their_difference() {
    let path = |count: usize, x: u32| -> String {
        let points =
            (0..count).map(|at| format!(" L{} {}", at * 7 % 1000, if at == 50 { x } else { 1 }));
        format!("M0 0{}", points.collect::<String>())
    };
    let file = |count, x| {
        let path = path(count, x);
        String::from_utf8(drawing(&format!("<path id=\"p\" d=\"{path}\"/>"))).unwrap()
    };
    let (mut server, _root) = beside(&file(120, 3), &file(120, 2));
    let diff = server.query("diff b.svg");
    let whole = format!(": d {} -> {}\n", path(120, 2), path(120, 3));
    assert!(diff.contains(&whole), "{diff}");
    let (mut server, _root) = beside(&file(3000, 3), &file(3000, 2));
    let diff = server.query("diff b.svg");
    let at = path(3000, 2).find(" L350 2").unwrap() + 7;
    let part = format!(": d at {at}: …");
    assert!(
        diff.contains(&part) && diff.contains("L350 2 L357 1 … -> …"),
        "{diff}"
    );
    assert!(diff.len() < 300, "{diff}");
}
