//! Finds elements by a CSS selector in an op.

use std::collections::HashSet;

use fcp::model::{Level, Row};
use fcp::prelude::*;
use fcp::value::nearest_word;
use fcp::work;

use super::matching::Matcher;
use crate::css::selector::{Selector, SelectorError, Test, parse};
use crate::model::{Drawing, NodeId};

/// The most classes, ids or types to compare with a missing one.
const MOST_KNOWN: usize = 200;

/// The most classes, ids or types to list.
const NAMED: usize = 8;

/// Characters that occur only in selectors.
const SIGNS: [char; 7] = ['.', '#', '>', '[', ':', '+', '*'];

impl Drawing {
    /// The elements that match a CSS selector, in document order. `None` if the text is not a
    /// selector, or only words that name no elements.
    pub(crate) fn by_css(&self, text: &str) -> Option<Result<Vec<Row>, ValueError>> {
        let has_signs = text.contains(SIGNS);
        let list = match parse(text) {
            Ok(list) => list,
            Err(wrong) => {
                return has_signs.then(|| Err(no_selector(text, wrong)));
            }
        };
        let matcher = Matcher::new(&self.nodes);
        let matches = |id: &NodeId| list.iter().any(|one| matcher.matches(one, *id));
        let rows: Vec<Row> = match self.candidates(&list) {
            Some(ids) => ids.into_iter().filter(matches).map(row).collect(),
            None => self.nodes.elements().filter(matches).map(row).collect(),
        };
        drop(matcher);
        let found = match rows.is_empty() {
            false => Some(Ok(rows)),
            true if list.iter().all(Selector::is_words) => None,
            true => Some(Err(self.unmatched(text, &list).lacking(text))),
        };
        match work::over() {
            Some(spent) => Some(Err(ValueError::sentence(spent.to_string()))),
            None => found,
        }
    }

    /// The elements with the ids at the end of the selectors, if all selectors end with one.
    fn candidates(&self, list: &[Selector]) -> Option<Vec<NodeId>> {
        let tree = self.nodes.tree();
        let mut found = Vec::new();
        for one in list {
            let (_, tests) = one.parts.last()?;
            let id = tests.iter().find_map(|test| match test {
                Test::Id(id) => Some(id),
                _ => None,
            })?;
            found.extend(
                tree.index()
                    .with_id(id, Level::Exact)
                    .into_iter()
                    .map(NodeId::new),
            );
        }
        found.sort_unstable_by(|a, b| tree.order(*a, *b));
        found.dedup();
        Some(found)
    }

    /// The error that a selector matches nothing: its first class, id or type that no element has,
    /// and the existing ones.
    fn unmatched(&self, text: &str, list: &[Selector]) -> ValueError {
        let tests = list
            .iter()
            .flat_map(|one| &one.parts)
            .flat_map(|(_, tests)| tests);
        let matcher = Matcher::new(&self.nodes);
        let mut seen = HashSet::new();
        let mut lacking = tests.filter(|test| {
            if !matches!(test, Test::Class(_) | Test::Id(_) | Test::Type(_)) || !seen.insert(*test)
            {
                return false;
            }
            let alone = Selector {
                parts: vec![(
                    crate::css::selector::Combinator::Descendant,
                    vec![(*test).clone()],
                )],
            };
            !self.nodes.elements().any(|id| matcher.matches(&alone, id))
        });
        let Some(test) = lacking.next() else {
            return ValueError::sentence(format!("\"{text}\" matches nothing"));
        };
        let (what, sign, name) = match test {
            Test::Class(class) => ("class", ".", class),
            Test::Id(id) => ("id", "#", id),
            Test::Type(name) => ("element", "", name),
            _ => return ValueError::sentence(format!("\"{text}\" matches nothing")),
        };
        let mut known: Vec<String> = Vec::new();
        for id in self.nodes.elements() {
            let Some(element) = self.nodes.element(id) else {
                continue;
            };
            if known.len() == MOST_KNOWN {
                break;
            }
            let value = |name: &str| element.attr(name).unwrap_or_default().into_owned();
            let own = match what {
                "class" => value("class"),
                "id" => value("id"),
                _ => element.local_name().to_owned(),
            };
            for word in own.split_ascii_whitespace() {
                if known.len() < MOST_KNOWN && known.iter().all(|known| known != word) {
                    known.push(word.to_owned());
                }
            }
        }
        let near = nearest_word(name, known.iter().map(String::as_str));
        let fix =
            near.map(|near| text.replacen(&format!("{sign}{name}"), &format!("{sign}{near}"), 1));
        let shown: Vec<&str> = known.iter().take(NAMED).map(String::as_str).collect();
        let more = if known.len() > NAMED { ", …" } else { "" };
        let error = ValueError::sentence(format!(
            "\"{text}\" matches nothing: no {what} {name} (there are {}{more})",
            if shown.is_empty() {
                "none".to_owned()
            } else {
                shown.join(", ")
            }
        ));
        error.maybe_fix(fix)
    }
}

/// The error that a text is not a selector, with the likely correction.
pub(crate) fn no_selector(text: &str, wrong: SelectorError) -> ValueError {
    let error = ValueError::sentence(format!(
        "\"{text}\" is not a selector: at {} {}",
        wrong.at + 1,
        wrong.reason
    ));
    let fix = wrong.mend.map(|(old, new)| text.replacen(&old, &new, 1));
    error.maybe_fix(fix)
}

fn row(id: NodeId) -> Row {
    Row::new(Drawing::NODES, id.number())
}
