//! Lists the rules for replies.

use fcp::work;
use simplecss::{SelectorToken, SelectorTokenizer, StyleSheet};

use crate::css::selector::parse;
use crate::model::NodeId;

use super::Styles;
use crate::syntax::href::comment_end;

use super::rules::{Rule, split};
use super::sheet::Sheet;

/// The bytes of a selector that are read in the time of a step.
const BYTES_A_STEP: usize = 16;

/// A rule, or a part of a sheet that is kept without effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleLine {
    /// Its text with whitespace shortened: `.hot { fill : #F00 }`; for a part without effect, its
    /// beginning.
    pub text: String,
    /// The line in the file where it begins, from 1.
    pub line: usize,
    /// The matching elements, in no particular order.
    pub matches: Vec<NodeId>,
}

impl Styles<'_> {
    /// The rules, in order.
    #[must_use]
    pub fn rules(&self) -> Vec<RuleLine> {
        let lines = self.lines();
        let mut matches: Vec<Vec<NodeId>> = vec![Vec::new(); self.rules.rules.len()];
        for id in self.nodes.elements() {
            for rule in self.rules_of(id) {
                if let Some(own) = matches.get_mut(rule) {
                    own.push(id);
                }
            }
        }
        let rules = self.rules.rules.iter().zip(matches);
        let mut last = (0, 0, 0);
        rules
            .map(|(rule, matches)| RuleLine {
                text: self.rule_text(rule),
                line: self.line(&lines, (rule.sheet, rule.prelude.start), &mut last),
                matches,
            })
            .collect()
    }

    /// The parts that are kept without effect, in order: at-rules, and selectors that cannot be
    /// matched. At most as many as rules count.
    #[must_use]
    pub fn kept(&self) -> Vec<RuleLine> {
        let lines = self.lines();
        let kept = self.rules.kept.iter().take(self.rules.most);
        let mut last = (0, 0, 0);
        kept.map(|kept| RuleLine {
            text: one_blank(self.text_of(kept.sheet, &kept.span)),
            line: self.line(&lines, (kept.sheet, kept.span.start), &mut last),
            matches: Vec::new(),
        })
        .collect()
    }

    /// The selectors in effect that the renderer leaves out of pictures, in order.
    #[must_use]
    pub fn undrawn(&self) -> Vec<RuleLine> {
        let lines = self.lines();
        let mut last = (0, 0, 0);
        let mut undrawn = Vec::new();
        for rule in &self.rules.rules {
            let text = self.text_of(rule.sheet, &(0..rule.prelude.end));
            let sheet = self.sheets.get(rule.sheet);
            let mut lost = sheet.is_some_and(|sheet| {
                sheet.drawn < sheet.text.len() && rule.block.end >= sheet.drawn
            });
            for span in split(text, &rule.prelude) {
                let written = text.get(span.clone()).unwrap_or_default();
                // The call fails at its next check.
                if work::spend(1 + written.len() / BYTES_A_STEP).is_err() {
                    return undrawn;
                }
                let plain = blank_comments(written);
                if !lost && is_drawn(&plain) {
                    continue;
                }
                lost = lost || simplecss::Selector::parse(&plain).is_none() && stops(&plain);
                if parse(written).is_ok() {
                    undrawn.push(RuleLine {
                        text: one_blank(written),
                        line: self.line(&lines, (rule.sheet, span.start), &mut last),
                        matches: Vec::new(),
                    });
                }
            }
        }
        undrawn
    }

    /// The elements that match a rule.
    pub(super) fn matched(&self, rule: usize) -> Vec<NodeId> {
        let is_matched = |id: &NodeId| self.rules_of(*id).contains(&rule);
        self.nodes.elements().filter(is_matched).collect()
    }

    fn rule_text(&self, rule: &Rule) -> String {
        let (prelude, block) = (&rule.prelude, &rule.block);
        let block = one_blank(self.text_of(rule.sheet, block));
        format!(
            "{} {{ {block} }}",
            one_blank(self.text_of(rule.sheet, prelude))
        )
    }

    /// The line of an offset in a sheet. `last` is the sheet and offset asked for before, with the
    /// line ends up to there, so that offsets in order are read once.
    fn line(
        &self,
        lines: &[usize],
        (sheet, at): (usize, usize),
        last: &mut (usize, usize, usize),
    ) -> usize {
        if last.0 != sheet || last.1 > at {
            *last = (sheet, 0, 0);
        }
        let own = self.sheets.get(sheet);
        let passed = own.map_or(0, |sheet| sheet.lines_in(&(last.1..at)));
        *last = (sheet, at, last.2 + passed);
        lines.get(sheet).copied().unwrap_or(1) + last.2
    }

    /// The first lines of the sheets' texts.
    pub(super) fn lines(&self) -> Vec<usize> {
        let first = |sheet: &Sheet<'_>| sheet.first();
        let wanted: Vec<NodeId> = self.sheets.iter().filter_map(first).collect();
        let found = self.nodes.source_lines(&wanted);
        let begins = |sheet: &Sheet<'_>| {
            let first = sheet.first()?;
            let line = found.get(&first).copied()?;
            let row = self.nodes.tree().get(first).filter(|_| sheet.has_lead());
            Some(line - row.map_or(0, |row| row.lead().matches('\n').count()))
        };
        let lines = self.sheets.iter().map(|sheet| begins(sheet).unwrap_or(1));
        lines.collect()
    }
}

fn one_blank(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the renderer matches a selector.
fn is_drawn(selector: &str) -> bool {
    let matched = |token| match token {
        SelectorToken::PseudoClass(name) => name == "first-child",
        SelectorToken::LangPseudoClass(_) => false,
        _ => true,
    };
    simplecss::Selector::parse(selector).is_some()
        && SelectorTokenizer::from(selector).all(|token| token.is_ok_and(matched))
}

/// Whether the renderer drops all selectors after one that it cannot read.
fn stops(selector: &str) -> bool {
    let probe = format!("{selector},a{{b:c}}");
    StyleSheet::parse(&probe).rules.is_empty()
}

/// A selector with its comments replaced by spaces, byte for byte.
fn blank_comments(text: &str) -> String {
    let mut plain = text.to_owned();
    let mut at = 0;
    while let Some(found) = plain.get(at..).and_then(|rest| rest.find("/*")) {
        let start = at + found;
        at = comment_end(&plain, start);
        plain.replace_range(start..at, &" ".repeat(at - start));
    }
    plain
}
