//! The rules of style sheets as written, including those inside at-rules, and edits of them.

use std::collections::BTreeMap;
use std::ops::Range;

use fcp::prelude::*;
use fcp::work;

use super::Styles;
use super::rules::{Statement, Statements};
use super::sheet::Sheet;
use crate::model::{Drawing, NodeId};
use crate::syntax::declarations::Declarations;

/// The bytes of a sheet that are copied in the time of a step.
const BYTES_A_STEP: usize = 64;

/// The maximum nesting of at-rules that is read.
const DEEPEST: usize = 8;

/// At-rules with declarations instead of rules.
const BARE: &[&str] = &[
    "@font-face",
    "@page",
    "@counter-style",
    "@property",
    "@viewport",
];

/// A rule of a style sheet.
#[derive(Clone, Debug)]
pub(crate) struct SheetRule {
    /// The sheet, counted from 0.
    pub sheet: usize,
    /// The element of the sheet.
    pub element: NodeId,
    /// The line where it begins.
    pub line: usize,
    /// The at-rules around it.
    pub at: Option<String>,
    /// The bytes of its selectors.
    pub prelude: Range<usize>,
    /// Its selectors.
    pub selector: String,
    /// The bytes between its braces.
    pub block: Range<usize>,
    /// Its properties and values as written, including `!important`.
    pub declared: Vec<(String, String)>,
    /// The number of elements that match it, if that is known: it is not in at-rules and for
    /// selectors that cannot be matched.
    pub matches: Option<usize>,
}

/// A sheet, a byte range in it, and its new text.
pub(crate) type SheetEdit = (usize, Range<usize>, String);

impl Styles<'_> {
    /// The text of a sheet.
    pub(crate) fn sheet_text(&self, sheet: usize) -> &str {
        self.sheets.get(sheet).map_or("", |sheet| &sheet.text)
    }

    /// All rules, in order. Matches are only counted on request.
    pub(crate) fn sheet_rules(&self, counted: bool) -> Vec<SheetRule> {
        let rules = self.rules.rules.iter();
        let mut matches: Vec<Option<usize>> = rules.map(|rule| rule.is_read.then_some(0)).collect();
        for id in self.nodes.elements().filter(|_| counted) {
            for rule in self.rules_of(id) {
                if let Some(Some(count)) = matches.get_mut(rule) {
                    *count += 1;
                }
            }
        }
        let lines = self.lines();
        let mut found = Vec::new();
        for (sheet, own) in self.sheets.iter().enumerate() {
            let element = own.first().and_then(|id| self.nodes.tree().parent(id));
            let Some(element) = element else { continue };
            let mut reading = Reading {
                text: &own.text,
                own: Some(own),
                sheet,
                element,
                line: lines.get(sheet).copied().unwrap_or(1),
                at: 0,
                found: &mut found,
            };
            reading.read(0..own.text.len(), None, 0);
        }
        let mut counts = matches.into_iter();
        for rule in found.iter_mut().filter(|rule| rule.at.is_none()) {
            // At-rules with declarations are not rules.
            if !rule.selector.starts_with('@') {
                rule.matches = counts.next().flatten();
            }
        }
        found
    }
}

impl SheetRule {
    /// Its values, by its selectors and their properties.
    pub fn named(self) -> Vec<(String, String)> {
        let around = self.at.map_or(String::new(), |at| format!("{at} "));
        let selector = self.selector;
        let declared = self.declared.into_iter();
        let named = declared.map(|(name, value)| (format!("{around}{selector} {name}"), value));
        named.collect()
    }
}

/// The rules of a sheet's text.
pub(crate) fn written_rules(text: &str) -> Vec<SheetRule> {
    let mut found = Vec::new();
    let mut reading = Reading {
        text,
        own: None,
        sheet: 0,
        element: NodeId::new(0),
        line: 1,
        at: 0,
        found: &mut found,
    };
    reading.read(0..text.len(), None, 0);
    found
}

/// Reads a sheet from beginning to end.
struct Reading<'t, 'f> {
    text: &'t str,
    /// Its sources, for the numbers of lines.
    own: Option<&'t Sheet<'t>>,
    sheet: usize,
    element: NodeId,
    /// The line at the offset `at`.
    line: usize,
    at: usize,
    found: &'f mut Vec<SheetRule>,
}

impl Reading<'_, '_> {
    fn read(&mut self, within: Range<usize>, around: Option<&str>, depth: usize) {
        let inner = self.text.get(..within.end).unwrap_or_default();
        let statements = Statements {
            text: inner,
            at: within.start,
        };
        for statement in statements {
            let (prelude, block) = match statement {
                Statement::Rule { prelude, block } => (prelude, block),
                Statement::At { span, block } => {
                    let Some(block) = block else { continue };
                    let head = self.text.get(span.clone()).unwrap_or_default();
                    let word = head
                        .split([' ', '(', '\n', '\t', '"'])
                        .next()
                        .unwrap_or_default();
                    if !BARE.contains(&word.to_ascii_lowercase().as_str()) {
                        let head = head.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
                        let head = around.map_or(head.clone(), |outer| format!("{outer} {head}"));
                        if depth < DEEPEST {
                            self.read(block, Some(&head), depth + 1);
                        }
                        continue;
                    }
                    (span, block)
                }
            };
            let start = prelude.start.max(self.at);
            self.line += self.own.map_or(0, |own| own.lines_in(&(self.at..start)));
            self.at = start;
            let declared = Declarations::within(self.text, block.clone());
            let declared = declared.written();
            let declared = declared.map(|(name, value)| (name.to_owned(), value.to_owned()));
            self.found.push(SheetRule {
                sheet: self.sheet,
                element: self.element,
                line: self.line,
                at: around.map(str::to_owned),
                selector: self
                    .text
                    .get(prelude.clone())
                    .unwrap_or_default()
                    .to_owned(),
                prelude,
                block,
                declared: declared.collect(),
                matches: None,
            });
        }
    }
}

impl Drawing {
    /// Makes edits of style sheets, all at once.
    ///
    /// # Errors
    /// If a place is written with references or split across nodes.
    pub(crate) fn edit_sheets(&mut self, mut edits: Vec<SheetEdit>) -> Result<()> {
        let mut by_node: BTreeMap<NodeId, Vec<(Range<usize>, String)>> = BTreeMap::new();
        edits.sort_by_key(|(sheet, range, _)| (*sheet, range.start, range.end));
        let styles = self.styles();
        for (sheet, range, text) in edits {
            let Some(sheet) = styles.sheets.get(sheet) else {
                bail!("the style sheet is gone")
            };
            let (node, part) = sheet.place(&range)?;
            by_node.entry(node).or_default().push((part, text));
        }
        for (node, edits) in by_node {
            let mut done = Ok(());
            self.nodes.tree_mut().modify(node, |node| {
                let bytes = node.raw_text().map_or(0, str::len);
                done = work::spend(bytes / BYTES_A_STEP + edits.len()).map_err(Diagnostic::from);
                if done.is_ok() {
                    done = node.replace_in_text(&edits);
                }
            });
            done?;
        }
        Ok(())
    }

    /// Adds rules at the end of the first sheet, or in a new one. Returns the words that tell of a
    /// new one in a reply.
    ///
    /// # Errors
    /// If nothing can be added to the sheet.
    pub(crate) fn add_rules(&mut self, rules: &[String]) -> Result<&'static str> {
        if rules.is_empty() {
            return Ok("");
        }
        let styles = self.styles();
        match styles.addition(rules)? {
            Some(edit) => self.put(&edit).map(|()| ""),
            None => self.add_sheet(&rules.join(" ")),
        }
    }
}
