//! Lists the rules for replies.

use crate::model::NodeId;

use super::Styles;
use super::rules::Rule;
use super::sheet::Sheet;

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

    /// The parts that are kept without effect, in order: at-rules, and selectors that the renderer
    /// does not match. At most as many as rules count.
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
        let passed = self.text_of(sheet, &(last.1..at)).matches('\n').count();
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
