//! The rules of style sheets, with their byte ranges.

use std::ops::Range;
use std::rc::Rc;

use fcp::work;
use rustc_hash::FxHashMap;

use crate::css::selector::{Selector, Test, parse};
use crate::syntax::declarations::skip_blanks;
use crate::syntax::effective::effective;
use crate::syntax::href::{comment_end, string_end};

use super::sheet::Sheet;
use super::shorthand::{canonical, names};

/// The bytes of a sheet that are read in the time of a step.
const BYTES_A_STEP: usize = 16;

/// A rule: `.hot, #sun { fill: red }`.
pub(super) struct Rule {
    /// Its sheet.
    pub sheet: usize,
    /// The bytes of its selectors.
    pub prelude: Range<usize>,
    /// The bytes between its braces.
    pub block: Range<usize>,
    /// Its declarations, in order, as far as they can be read.
    pub declared: Vec<Declared>,
    /// Whether all of its selectors can be matched.
    pub is_read: bool,
}

/// A declaration of a rule, as byte ranges in the sheet.
pub(super) struct Declared {
    pub name: Range<usize>,
    pub value: Range<usize>,
    pub important: bool,
}

/// One of the selectors of a rule.
pub(super) struct Branch {
    /// The rule.
    pub rule: usize,
    /// Its bytes.
    pub span: Range<usize>,
    /// The selector to match.
    pub selector: Selector,
    /// Its specificity.
    weight: [usize; 3],
    /// A requirement of its matching elements.
    pub key: Key,
}

/// A requirement that all matching elements of a selector meet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Id(Box<str>),
    Class(Box<str>),
    Type(Box<str>),
    Any,
}

/// A part of a sheet without effect: an at-rule, or a selector that cannot be matched.
pub(super) struct Kept {
    pub sheet: usize,
    pub span: Range<usize>,
}

/// A rule in an at-rule, whose condition is not evaluated.
pub(super) struct Nested {
    pub sheet: usize,
    /// The bytes of the at-rule up to its brace.
    pub at: Range<usize>,
    /// The selectors that can be matched, with their bytes.
    pub selectors: Vec<(Range<usize>, Selector)>,
    pub declared: Vec<Declared>,
}

/// The at-rules that contain rules of the same elements.
const CONDITIONS: &[&str] = &["@media", "@supports", "@layer", "@container", "@document"];

/// All rules of all sheets.
#[derive(Default)]
pub(super) struct Rules {
    pub rules: Vec<Rule>,
    /// Their selectors, in ascending order of specificity.
    pub branches: Vec<Branch>,
    pub kept: Vec<Kept>,
    /// Those in at-rules.
    pub nested: Vec<Nested>,
    /// Whether there are more than the limit.
    pub too_many: bool,
    /// Whether matches also depend on siblings or children.
    pub by_siblings: bool,
    /// The properties that rules set, also by shorthands, with their numbers.
    numbers: FxHashMap<Rc<str>, usize>,
    /// Their names, by these numbers.
    properties: Vec<Rc<str>>,
    /// The maximum number of rules in effect. Later ones are kept but not applied.
    pub most: usize,
}

/// The steps of a rule besides its bytes.
const STEPS_A_RULE: usize = 12;

impl Rules {
    pub fn read(sheets: &[Sheet<'_>], most: usize) -> Self {
        let mut rules = Self {
            most,
            ..Self::default()
        };
        for (at, sheet) in sheets.iter().enumerate() {
            rules.add(at, sheet);
        }
        let mut branches = std::mem::take(&mut rules.branches);
        // The stable sort keeps the order of equal specificities, where the later one wins.
        branches.sort_by_key(|branch| branch.weight);
        rules.branches = branches;
        rules
    }

    /// The number of a property, if any rule may set it by its own name or a shorthand.
    pub fn number(&self, property: &str) -> Option<usize> {
        self.numbers.get(property).copied()
    }

    /// The property with a number.
    pub fn property(&self, number: usize) -> &str {
        self.properties.get(number).map_or("", |name| name)
    }

    fn add_names(&mut self, name: &str) {
        for long in names(name) {
            if !self.numbers.contains_key(long) {
                let long: Rc<str> = long.into();
                self.numbers.insert(Rc::clone(&long), self.properties.len());
                self.properties.push(long);
            }
        }
    }

    fn add(&mut self, at: usize, sheet: &Sheet<'_>) {
        let text: &str = &sheet.text;
        // The call fails at its next check.
        if work::spend(text.len() / BYTES_A_STEP).is_err() {
            return;
        }
        let statements = Statements { text, at: 0 };
        for statement in statements {
            match statement {
                Statement::At { span, block } => {
                    if let Some(block) = block {
                        self.add_nested(at, sheet, (span.clone(), block));
                    }
                    self.kept.push(Kept { sheet: at, span });
                }
                Statement::Rule { prelude, block } => {
                    if work::spend(STEPS_A_RULE).is_err() {
                        return;
                    }
                    if self.rules.len() == self.most {
                        self.too_many = true;
                        return;
                    }
                    let rule = self.rules.len();
                    let declared = declared(text, &block);
                    for one in &declared {
                        self.add_names(&canonical(text.get(one.name.clone()).unwrap_or_default()));
                    }
                    let is_read = self.select(at, sheet, rule, &prelude);
                    self.rules.push(Rule {
                        is_read,
                        sheet: at,
                        prelude,
                        block,
                        declared,
                    });
                }
            }
        }
    }

    /// Reads the rules in an at-rule, and in those inside it.
    fn add_nested(&mut self, at: usize, sheet: &Sheet<'_>, outer: (Range<usize>, Range<usize>)) {
        let text: &str = &sheet.text;
        let mut pending = vec![outer];
        while let Some((condition, block)) = pending.pop() {
            let name = text.get(condition.clone()).unwrap_or_default();
            let mut words = name.split(|c: char| c != '@' && c != '-' && !c.is_ascii_alphabetic());
            let name = words.next().unwrap_or_default();
            if !CONDITIONS.iter().any(|one| one.eq_ignore_ascii_case(name)) {
                continue;
            }
            let inside = text.get(..block.end).unwrap_or_default();
            let statements = Statements {
                text: inside,
                at: block.start,
            };
            for statement in statements {
                // The call fails at its next check.
                if work::spend(STEPS_A_RULE).is_err() || self.nested.len() == self.most {
                    return;
                }
                match statement {
                    Statement::At { span, block } => {
                        pending.extend(block.map(|block| (span, block)));
                    }
                    Statement::Rule { prelude, block } => {
                        let selectors = split(text, &prelude).into_iter().filter_map(|span| {
                            let list = parse(text.get(span.clone())?).ok()?;
                            let [selector] = <[Selector; 1]>::try_from(list).ok()?;
                            Some((span, selector))
                        });
                        self.nested.push(Nested {
                            sheet: at,
                            at: condition.clone(),
                            selectors: selectors.collect(),
                            declared: declared(text, &block),
                        });
                    }
                }
            }
        }
    }

    /// Reads the selectors of a rule. Returns whether all of them can be matched.
    fn select(
        &mut self,
        at: usize,
        sheet: &Sheet<'_>,
        rule: usize,
        prelude: &Range<usize>,
    ) -> bool {
        let mut is_read = true;
        for span in split(&sheet.text, prelude) {
            let written = sheet.text.get(span.clone()).unwrap_or_default();
            let read = parse(written).ok().filter(|list| list.len() == 1);
            let Some(selector) = read.and_then(|mut list| list.pop()) else {
                is_read = false;
                self.kept.push(Kept { sheet: at, span });
                continue;
            };
            self.by_siblings |= selector.hangs_on_others();
            self.branches.push(Branch {
                rule,
                span,
                weight: selector.specificity(),
                key: key(&selector),
                selector,
            });
        }
        is_read
    }
}

/// A requirement that all matching elements of a selector meet.
fn key(selector: &Selector) -> Key {
    let mut key = Key::Any;
    for test in selector.parts.last().into_iter().flat_map(|(_, own)| own) {
        match test {
            Test::Id(id) => key = Key::Id(id.clone()),
            Test::Class(class) if !matches!(key, Key::Id(_)) => key = Key::Class(class.clone()),
            Test::Type(name) if key == Key::Any => key = Key::Type(name.clone()),
            _ => {}
        }
    }
    key
}

/// The declarations of a rule, as the renderer reads them.
fn declared(text: &str, block: &Range<usize>) -> Vec<Declared> {
    let inside = text.get(block.clone()).unwrap_or_default();
    let range = |part: &str| {
        let start = block.start + part.as_ptr() as usize - inside.as_ptr() as usize;
        start..start + part.len()
    };
    effective(inside)
        .map(|one| Declared {
            name: range(one.name),
            value: range(one.value),
            important: one.important,
        })
        .collect()
}

/// The selectors of a rule, split at commas, without surrounding whitespace.
pub(super) fn split(text: &str, prelude: &Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes().get(..prelude.end).unwrap_or_default();
    let mut parts = Vec::new();
    let (mut start, mut at, mut depth) = (prelude.start, prelude.start, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => {
                at = string_end(bytes, at);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = comment_end(text, at).min(prelude.end);
                continue;
            }
            // The next character is a part of a name.
            b'\\' => at += 1,
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(start..prelude.end);
    parts.into_iter().map(|part| trimmed(text, part)).collect()
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = text.get(range.clone()).unwrap_or_default();
    let start = range.start + inside.len() - inside.trim_start().len();
    start..start + inside.trim().len()
}

pub(super) enum Statement {
    Rule {
        prelude: Range<usize>,
        block: Range<usize>,
    },
    /// An at-rule: its bytes up to the brace or semicolon, and those between its braces.
    At {
        span: Range<usize>,
        block: Option<Range<usize>>,
    },
}

/// The statements of a sheet, in order.
pub(super) struct Statements<'t> {
    pub text: &'t str,
    pub at: usize,
}

impl Iterator for Statements<'_> {
    type Item = Statement;

    fn next(&mut self) -> Option<Statement> {
        let bytes = self.text.as_bytes();
        let start = skip_blanks(self.text, self.at);
        let first = bytes.get(start)?;
        let is_at = *first == b'@';
        let open = find(self.text, start, if is_at { b";{" } else { b"{" });
        if bytes.get(open) != Some(&b'{') {
            self.at = open + 1;
            return Some(Statement::At {
                span: trimmed(self.text, start..open.min(self.text.len())),
                block: None,
            });
        }
        let close = block_end(self.text, open + 1);
        self.at = close + 1;
        let prelude = trimmed(self.text, start..open);
        Some(if is_at {
            Statement::At {
                span: prelude,
                block: Some(open + 1..close),
            }
        } else {
            Statement::Rule {
                prelude,
                block: open + 1..close,
            }
        })
    }
}

/// The offset of the next of some bytes outside strings, comments and escapes, or else the end.
fn find(text: &str, mut at: usize, wanted: &[u8]) -> usize {
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            _ if wanted.contains(&byte) => return at,
            b'\\' => at += 2,
            b'"' | b'\'' => at = string_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = comment_end(text, at),
            _ => at += 1,
        }
    }
    text.len()
}

/// The offset of the brace that closes a block opened before `at`, or else the end.
fn block_end(text: &str, mut at: usize) -> usize {
    let mut depth = 0_usize;
    loop {
        at = find(text, at, b"{}");
        match text.as_bytes().get(at) {
            Some(b'{') => depth += 1,
            Some(b'}') if depth > 0 => depth -= 1,
            _ => return at,
        }
        at += 1;
    }
}
