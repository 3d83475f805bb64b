//! The rules one by one, as they are shown.

use crate::model::NodeId;

use super::Styles;
use super::matching;
use super::rules::Rule;
use super::sheet::Sheet;

/// A rule, or something in a sheet that is kept and counts for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleLine {
    /// It as it is written, white space shortened: `.hot { fill : #F00 }`; of what does not count, what begins it.
    pub text: String,
    /// The line of the file it begins on, from 1.
    pub line: usize,
    /// The elements that match it, in no order.
    pub matches: Vec<NodeId>,
}

impl Styles<'_> {
    /// The rules, in order.
    #[must_use]
    pub fn rules(&self) -> Vec<RuleLine> {
        let lines = self.lines();
        let mut matches: Vec<Vec<NodeId>> = vec![Vec::new(); self.rules.rules.len()];
        for id in self.nodes.elements() {
            for (branch, _) in self.branches_of(id) {
                if let Some(own) = matches.get_mut(branch.rule) {
                    own.push(id);
                }
            }
        }
        let rules = self.rules.rules.iter().zip(matches);
        rules
            .map(|(rule, mut matches)| {
                matches.dedup();
                RuleLine {
                    text: self.rule_text(rule),
                    line: self.line(&lines, rule.sheet, rule.prelude.start),
                    matches,
                }
            })
            .collect()
    }

    /// What is kept and not applied: at-rules, and selectors that the renderer does not match; in order, and of the
    /// first so many rules as count.
    #[must_use]
    pub fn kept(&self) -> Vec<RuleLine> {
        let lines = self.lines();
        let kept = self.rules.kept.iter().take(self.rules.most);
        kept.map(|kept| RuleLine {
            text: one_blank(self.text_of(kept.sheet, &kept.span)),
            line: self.line(&lines, kept.sheet, kept.span.start),
            matches: Vec::new(),
        })
        .collect()
    }

    /// How many elements match a rule.
    pub(super) fn matched(&self, rule: usize) -> Vec<NodeId> {
        let own = self.rules.branches.iter();
        let own: Vec<_> = own.filter(|branch| branch.rule == rule).collect();
        let any = |id: &NodeId| {
            own.iter()
                .any(|branch| matching::matches(branch, self.nodes, *id))
        };
        self.nodes.elements().filter(any).collect()
    }

    fn rule_text(&self, rule: &Rule) -> String {
        let (prelude, block) = (&rule.prelude, &rule.block);
        let block = one_blank(self.text_of(rule.sheet, block));
        format!(
            "{} {{ {block} }}",
            one_blank(self.text_of(rule.sheet, prelude))
        )
    }

    /// The line a place of a sheet stands on.
    fn line(&self, lines: &[usize], sheet: usize, at: usize) -> usize {
        let before = self.text_of(sheet, &(0..at)).matches('\n').count();
        lines.get(sheet).copied().unwrap_or(1) + before
    }

    /// The lines that the sheets' texts begin on.
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
