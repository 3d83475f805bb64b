//! The drawing to measure ops on, and the ops.

use std::fmt::Write;

/// The large drawing, in the benchmark's folder.
pub const FILE: &str = "large.svg";

/// The number of elements of a group, including itself.
const GROUP: u32 = 1000;

/// The fills of the leaves.
const FILLS: [&str; 7] = [
    "red", "#2a9d8f", "#e9c46a", "#f4a261", "#264653", "none", "navy",
];

/// A drawing with a number of elements, in groups of 999 leaves: in turn rects, circles with
/// `style=`, paths with a class, and paths with a transform.
pub fn text(elements: u32) -> String {
    let mut text = String::from(concat!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000" viewBox="0 0 4000 4000">"#,
        "\n  <style>.hot { fill: red } .cold { fill: #457b9d; stroke: black }</style>\n",
    ));
    for n in 0..elements {
        // Writing to a string cannot fail.
        let _ = match (n % GROUP, n % 4) {
            (0, _) if n > 0 => writeln!(text, "  </g>\n  <g id=\"g{n}\">"),
            (0, _) => writeln!(text, "  <g id=\"g{n}\">"),
            (_, kind) => leaf(&mut text, n, kind),
        };
    }
    text.push_str("  </g>\n</svg>\n");
    text
}

fn leaf(text: &mut String, n: u32, kind: u32) -> std::fmt::Result {
    // Leaves are in rows of 400, ten units apart.
    let (x, y) = (n % 400 * 10, n / 400 % 400 * 10);
    let fill = FILLS[n as usize / 4 % FILLS.len()];
    match kind {
        0 => writeln!(
            text,
            r#"    <rect id="e{n}" x="{x}" y="{y}" width="8" height="6" fill="{fill}" rx="1"/>"#
        ),
        1 => writeln!(
            text,
            r#"    <circle id="e{n}" cx="{x}" cy="{y}" r="4" style="fill:{fill};stroke-width:2"/>"#
        ),
        2 => writeln!(
            text,
            r#"    <path id="e{n}" class="{}" d="M{x} {y}h8v6h-8z"/>"#,
            if n % 8 < 4 { "hot" } else { "cold" }
        ),
        _ => writeln!(
            text,
            r#"    <path id="e{n}" d="M0 0c2 4 4 4 8 0" fill="{fill}" transform="translate({x} {y})"/>"#
        ),
    }
}

/// Mixed ops, each on a different element, spread over the drawing.
pub fn ops(count: u32, elements: u32) -> Vec<String> {
    let stride = (elements / count.max(1)).max(4) / 4 * 4;
    let op = |at: u32| {
        // The first leaf of a kind in each stride.
        let of = |kind: u32| {
            let n = at * stride % elements / 4 * 4 + kind;
            format!("e{}", if n.is_multiple_of(GROUP) { n + 4 } else { n })
        };
        match at % 10 {
            0 => format!("move {} by:5,-3", of(0)),
            1 => format!("style {} fill:gold stroke:#123 sw:1.5", of(1)),
            2 => format!("set {} data-k v{at}", of(2)),
            3 => format!("rotate {} by:30", of(3)),
            4 => format!("modify {} r:6", of(1)),
            5 => format!("add rect id:n{at} at:{at},20 size:8x6 fill:teal in:g0"),
            6 => format!("rename {} r{at}", of(2)),
            7 => format!("order {} front", of(0)),
            8 => format!("scale {} by:1.5", of(0)),
            _ => format!("remove {}", of(3)),
        }
    };
    (0..count).map(op).collect()
}

/// Property changes, each on a different element than the one before. Values differ in every round.
pub fn changes(count: u32, elements: u32, round: u32) -> Vec<String> {
    let op = |at: u32| {
        let n = (round * count + at) * 4 % elements;
        let n = if n.is_multiple_of(GROUP) { n + 4 } else { n };
        format!("set e{n} data-n v{round}")
    };
    (0..count).map(op).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_drawing_has_so_many_elements() {
        let text = text(3000);
        let drawing = roxmltree::Document::parse(&text).unwrap();
        let named = drawing
            .descendants()
            .filter(|node| node.attribute("id").is_some());
        assert_eq!(named.count(), 3000);
        let groups = drawing.root_element().children();
        let groups = groups.filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "g")));
        assert!(groups.clone().count() == 3);
        for group in groups {
            let leaves = group.children().filter(roxmltree::Node::is_element);
            assert_eq!(leaves.count(), 999);
        }
    }

    #[test]
    fn all_ops_have_different_targets() {
        let ops = ops(1000, 100_000);
        let targets: BTreeSet<&str> = ops
            .iter()
            .filter(|op| !op.starts_with("add "))
            .filter_map(|op| op.split(' ').nth(1))
            .collect();
        assert_eq!(targets.len(), 900);
    }
}
