//! Lines of a text that may be indented without a change of its content.

use super::scan::Scan;

/// An open or closed element of a text.
struct Open {
    /// Its parent's index.
    parent: Option<usize>,
    /// Whether whitespace in it is content.
    keeps: bool,
    /// Whether that follows from an ancestor, unless its `xml:space` differs.
    always: bool,
}

/// For each line of a text, whether whitespace at its beginning is not content: outside of tags,
/// comments and CDATA, and of elements that hold text or keep their whitespace. `keeps` are the
/// names of those that always do.
pub fn free_lines(text: &str, keeps: fn(&str) -> bool) -> Vec<bool> {
    let mut elements: Vec<Open> = Vec::new();
    // The element around each line's beginning, `None` if it is inside markup.
    let mut lines: Vec<Option<Option<usize>>> = vec![Some(None)];
    let mut around: Option<usize> = None;
    let mut scan = Scan::new(text);
    while scan.at < text.len() {
        let start = scan.at;
        if scan.peek() != Some(b'<') {
            let len = scan.rest().find('<').unwrap_or(scan.rest().len());
            let run = scan.rest().get(..len).unwrap_or_default();
            if let Some(open) = around.and_then(|at| elements.get_mut(at)) {
                open.keeps |= !run.trim().is_empty();
            }
            scan.at += len;
            lines.extend(run.matches('\n').map(|_| Some(around)));
            continue;
        }
        let Some(step) = markup(&mut scan) else { break };
        let inside = text.get(start..scan.at).unwrap_or_default();
        lines.extend(inside.matches('\n').map(|_| None));
        match step {
            Step::Start { name, space, empty } => {
                let outer = around.and_then(|at| elements.get(at));
                let always = outer.is_some_and(|outer| outer.always) || keeps(name);
                let kept = match space {
                    Some(space) => space == "preserve",
                    None => outer.is_some_and(|outer| outer.keeps),
                };
                elements.push(Open {
                    parent: around,
                    keeps: kept || always,
                    always,
                });
                if !empty {
                    around = Some(elements.len() - 1);
                }
            }
            Step::End => around = around.and_then(|at| elements.get(at)?.parent),
            Step::Other => {}
        }
    }
    let keeps = |at: usize| elements.get(at).is_some_and(|open| open.keeps);
    let free = lines.into_iter().map(|line| match line {
        Some(Some(at)) => !keeps(at),
        Some(None) => true,
        None => false,
    });
    free.collect()
}

/// A piece of markup.
enum Step<'t> {
    Start {
        name: &'t str,
        /// The value of `xml:space`.
        space: Option<&'t str>,
        empty: bool,
    },
    End,
    Other,
}

/// Skips a piece of markup; `None` if it is not well-formed.
fn markup<'t>(scan: &mut Scan<'t>) -> Option<Step<'t>> {
    if scan.sees("<!--") {
        scan.comment().ok()?;
        return Some(Step::Other);
    }
    if scan.take("<![CDATA[") {
        scan.until("]]>", "CDATA").ok()?;
        return Some(Step::Other);
    }
    if scan.sees("<?") {
        scan.instruction().ok()?;
        return Some(Step::Other);
    }
    if scan.take("</") {
        scan.until(">", "an end tag").ok()?;
        return Some(Step::End);
    }
    scan.expect("<").ok()?;
    let name = scan.name().ok()?;
    let mut space = None;
    loop {
        scan.spaces();
        if scan.take("/>") {
            let empty = true;
            return Some(Step::Start { name, space, empty });
        }
        if scan.take(">") {
            let empty = false;
            return Some(Step::Start { name, space, empty });
        }
        let attr = scan.name().ok()?;
        scan.spaces();
        scan.expect("=").ok()?;
        scan.spaces();
        let (_, value) = scan.quoted("a value").ok()?;
        if attr == "xml:space" {
            space = Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whitespace_that_is_content_is_not_free() {
        for (text, free) in [
            ("<g>\n<a/>\n</g>\n<b/>", "+++"),
            ("<g>\n<text>\n<a/>\n</text>\n</g>", "+--+"),
            ("<g>\na\n<a/>\n</g>\n<b/>", "---+"),
            ("<g>\n<a/>\nlate</g>", "--"),
            ("<g xml:space='preserve'>\n<a>\n</a>\n</g>\n", "---+"),
            (
                "<g xml:space='preserve'><a xml:space='default'>\n<b/></a>\n</g>",
                "+-",
            ),
            ("<!-- \n< -->\n<![CDATA[\n<a]]>\n<?a \n<b?>\n", "-+-+-+"),
            ("<a b='\n'\nc='>'>\n</a>", "--+"),
            ("<text/>\n<a/>", "+"),
            ("<a>\n<b", "+"),
        ] {
            let all = free_lines(text, |name| name == "text");
            let have: String = all
                .iter()
                .skip(1)
                .map(|free| if *free { '+' } else { '-' })
                .collect();
            assert_eq!(have, free, "{text}");
        }
    }
}
