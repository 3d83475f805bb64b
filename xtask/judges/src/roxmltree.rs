//! XML, read by `roxmltree`.

use std::borrow::Cow;
use std::ops::Range;

use fcp::testing::fidelity::{Fact, Judge, Value, keeps};
use roxmltree::{Document, Node, NodeType, ParsingOptions};

use crate::decoded::Decoded;
use crate::renaming;

/// The crate `roxmltree`: elements, attributes, texts, comments, processing instructions, and the
/// text of a DOCTYPE, in file order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Roxmltree;

impl Judge for Roxmltree {
    fn name(&self) -> &'static str {
        "roxmltree"
    }

    fn read(&mut self, bytes: &[u8]) -> Result<Vec<Fact>, String> {
        let decoded = Decoded::of(bytes)?;
        let options = ParsingOptions {
            allow_dtd: true,
            ..ParsingOptions::default()
        };
        let document = Document::parse_with_options(&decoded.text, options);
        let document = document.map_err(|error| error.to_string())?;
        let mut facts = Vec::new();
        doctype(&document, &decoded, &mut facts);
        let head = facts.len();
        let span = |fact: Option<&Fact>| fact.and_then(|fact| fact.span.clone());
        let ends = span(facts.first()).zip(span(facts.last()));
        let prolog = ends.map(|(first, last)| first.start..last.end);
        nodes(document.root(), &decoded, &mut facts);
        // The value of an entity is in the DOCTYPE, once, however often it is referred to.
        let declared = |span: &Range<usize>| {
            prolog
                .as_ref()
                .is_some_and(|prolog| prolog.start <= span.start && span.end <= prolog.end)
        };
        for fact in facts.iter_mut().skip(head) {
            fact.span = fact.span.take().filter(|span| !declared(span));
        }
        Ok(facts)
    }

    fn nests(&self) -> bool {
        true
    }

    fn is_indirect(&self, bytes: &[u8]) -> bool {
        let references = bytes.split(|byte| *byte == b'&').skip(1);
        let names = references.map(|rest| rest.split(|byte| *byte == b';').next());
        let mut names = names.map(|name| str::from_utf8(name.unwrap_or_default()).unwrap_or(""));
        names.any(|name| character(name).is_none())
    }

    /// Attributes by their names, and the text of a text or comment. The declarations of `style`
    /// are told one by one, and names with a prefix are told with it.
    fn values_of(&self, row: &[&Fact]) -> Vec<(Cow<'static, str>, Value)> {
        let plain = |json: &str| serde_json::from_str::<String>(json).unwrap_or_default();
        let mut values = Vec::new();
        let (mut text, mut is_element) = (None::<String>, false);
        for fact in row {
            match fact.content.split_once(' ') {
                Some(("element", _)) => is_element = true,
                Some(("attribute", rest)) if !rest.starts_with('{') => {
                    let own = rest.split_once('=').filter(|(name, _)| *name != "style");
                    values.extend(own.map(|(name, value)| {
                        let name = format!("attributes.{name}").into();
                        (name, Value::Told(plain(value)))
                    }));
                }
                Some(("text", json)) => text.get_or_insert_default().push_str(&plain(json)),
                // The white space before it belongs to the row.
                Some(("comment", json)) => text = Some(plain(json)),
                _ => {}
            }
        }
        let text = text.filter(|_| !is_element);
        values.extend(text.map(|text| ("texts.text".into(), Value::Parts(text))));
        values
    }

    fn laws(&self) -> &[&'static str] {
        &["order", "rename"]
    }

    /// Reordered elements keep their content; a renaming changes only the id and its references.
    fn law(&mut self, verb: &str, before: &[Fact], after: &[Fact]) -> Result<(), String> {
        let blank = |fact: &&Fact| !fact.content.starts_with("text ");
        match verb {
            "order" => keeps(before.iter().filter(blank), after.iter().filter(blank)),
            _ => renaming::holds(before, after),
        }
    }
}

/// The declarations of the DOCTYPE, between the start of the file and the root element. The judge has no nodes for them.
fn doctype(document: &Document<'_>, decoded: &Decoded, facts: &mut Vec<Fact>) {
    let text = document.input_text();
    let root = document.root_element().range().start;
    // An element made by an entity is inside the DOCTYPE.
    let Some(start) = text.find("<!DOCTYPE") else {
        return;
    };
    let inside_comment = document.descendants().any(|node| {
        (node.is_comment() || node.is_pi() || node.is_text()) && node.range().contains(&start)
    });
    if inside_comment || start >= root {
        return;
    }
    let mut end = text
        .get(start..root)
        .and_then(|piece| piece.rfind('>'))
        .map_or(root, |at| start + at + 1);
    // Nodes after the DOCTYPE and before the root element are separate facts.
    for node in document
        .root()
        .children()
        .filter(|node| node.is_comment() || node.is_pi())
    {
        let range = node.range();
        if range.start > start
            && range.end <= root
            && !text[start..range.start].trim_end().ends_with('[')
        {
            let before = text[start..range.start].trim_end();
            if before.ends_with('>') && balanced(before) {
                end = start + before.len();
                break;
            }
        }
    }
    // Each declaration is a fact of its own: one may be added between others that stay.
    let all = text.get(start..end).unwrap_or_default();
    let starts = all.match_indices("<!").map(|(at, _)| at);
    let ends = starts.clone().skip(1).chain([all.len()]);
    for (from, to) in starts.zip(ends) {
        let piece = all[from..to].trim_end();
        let from = start + from;
        facts.push(Fact::at(
            format!("doctype {}", quoted(piece)),
            decoded.place(from..from + piece.len()),
        ));
    }
}

/// Whether a DOCTYPE is complete.
fn balanced(text: &str) -> bool {
    text.matches('[').count() <= text.matches(']').count()
}

/// All nodes below a node, without recursion, so that depth is not limited.
fn nodes(root: Node<'_, '_>, decoded: &Decoded, facts: &mut Vec<Fact>) {
    let mut next = root.first_child();
    let mut depth = 0usize;
    while let Some(node) = next {
        fact(node, decoded, facts);
        if let Some(child) = node.first_child() {
            depth += 1;
            next = Some(child);
            continue;
        }
        let mut done = node;
        loop {
            if done.is_element() {
                let end = done.range().end;
                facts.push(Fact::at(
                    "end".to_owned(),
                    decoded.place(end.saturating_sub(1)..end),
                ));
            }
            if let Some(sibling) = done.next_sibling() {
                next = Some(sibling);
                break;
            }
            match done.parent().filter(|_| depth > 0) {
                Some(parent) => {
                    depth -= 1;
                    done = parent;
                }
                None => {
                    next = None;
                    break;
                }
            }
        }
        if next.is_some_and(|node| node.is_root()) {
            break;
        }
    }
}

fn fact(node: Node<'_, '_>, decoded: &Decoded, facts: &mut Vec<Fact>) {
    let range = node.range();
    match node.node_type() {
        NodeType::Root => {}
        NodeType::Element => {
            let name = node.tag_name();
            let start = range.start;
            let tag = node
                .document()
                .input_text()
                .get(start..range.end)
                .unwrap_or_default();
            let width = tag
                .find([' ', '\t', '\n', '\r', '>', '/'])
                .unwrap_or(tag.len());
            let content = format!("element {}", qualified(name.namespace(), name.name()));
            facts.push(Fact::at(content, decoded.place(start..start + width)));
            let mut attributes: Vec<Fact> = node
                .attributes()
                .map(|attribute| {
                    let name = qualified(attribute.namespace(), attribute.name());
                    let content = format!("attribute {name}={}", quoted(attribute.value()));
                    Fact::at(content, decoded.place(attribute.range()))
                })
                .collect();
            attributes.sort_by_key(|fact| fact.span.as_ref().map_or(0, |span| span.start));
            facts.append(&mut attributes);
        }
        NodeType::PI => {
            let pi = node.pi();
            let (target, value) = pi.map_or(("", ""), |pi| (pi.target, pi.value.unwrap_or("")));
            let content = format!("instruction {target} {}", quoted(value.trim_end()));
            facts.push(Fact::at(content, decoded.place(range)));
        }
        NodeType::Comment => {
            let content = format!("comment {}", quoted(node.text().unwrap_or_default()));
            facts.push(Fact::at(content, decoded.place(range)));
        }
        NodeType::Text => {
            let raw = node.document().input_text().get(range.clone());
            let value = node.text().unwrap_or_default();
            match pieces(raw.unwrap_or_default(), value) {
                Some(pieces) => facts.extend(pieces.into_iter().map(|(piece, text)| {
                    let start = range.start + piece.start;
                    let span = decoded.place(start..range.start + piece.end);
                    Fact::at(format!("text {}", quoted(&text)), span)
                })),
                None => {
                    let fact = Fact::new(format!("text {}", quoted(value)));
                    let raw = raw.unwrap_or_default();
                    // A text that starts with an entity has the range of the entity's declaration.
                    let is_whole = raw.starts_with("<![CDATA[") && raw.contains(value);
                    facts.push(match is_whole {
                        true => Fact::at(fact.content, decoded.place(range)),
                        false => fact,
                    });
                }
            }
        }
    }
}

/// The characters of a text, each with its meaning. Adjacent texts are read as one after an edit,
/// but their characters stay the same. `None` if a text has other references, or is in CDATA.
fn pieces(raw: &str, value: &str) -> Option<Vec<(Range<usize>, String)>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(rest) = raw.get(at..).filter(|rest| !rest.is_empty()) {
        let (width, text) = if rest.starts_with('&') {
            let width = rest.find(';')? + 1;
            (width, character(rest.get(1..width - 1)?)?)
        } else {
            let width = match rest.starts_with("\r\n") {
                true => 2,
                false => rest.chars().next().map_or(1, char::len_utf8),
            };
            let text = rest.get(..width)?.replace("\r\n", "\n");
            (width, text.replace('\r', "\n"))
        };
        pieces.push((at..at + width, text));
        at += width;
    }
    let whole: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
    (whole == value).then_some(pieces)
}

/// The character of a reference.
fn character(name: &str) -> Option<String> {
    let number = |digits: &str, base| char::from_u32(u32::from_str_radix(digits, base).ok()?);
    let c = match (name, name.strip_prefix("#x"), name.strip_prefix('#')) {
        ("lt", ..) => '<',
        ("gt", ..) => '>',
        ("amp", ..) => '&',
        ("quot", ..) => '"',
        ("apos", ..) => '\'',
        (_, Some(digits), _) => number(digits, 16)?,
        (_, _, Some(digits)) => number(digits, 10)?,
        _ => return None,
    };
    Some(c.to_string())
}

/// A text on one line, as JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn qualified(namespace: Option<&str>, name: &str) -> String {
    namespace.map_or_else(
        || name.to_owned(),
        |namespace| format!("{{{namespace}}}{name}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_in_a_file_is_a_fact() {
        let text = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY e 'x>y'>]><!--c--><a b='&e;'>t<b/><?p i?></a>";
        let facts = Roxmltree.read(text.as_bytes()).unwrap();
        let contents: Vec<&str> = facts.iter().map(|fact| &*fact.content).collect();
        assert_eq!(
            contents,
            [
                "doctype \"<!DOCTYPE a [\"",
                "doctype \"<!ENTITY e 'x>y'>]>\"",
                "comment \"c\"",
                "element a",
                "attribute b=\"x>y\"",
                "text \"t\"",
                "element b",
                "end",
                "instruction p \"i\"",
                "end"
            ]
        );
    }
}
