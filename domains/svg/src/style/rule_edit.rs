//! Edits rules, and adds new ones.

use std::ops::Range;

use fcp::format::xml::{self, Node};
use fcp::prelude::*;
use rustc_hash::FxHashSet;

use crate::model::{Drawing, NodeId};
use crate::property::Property;
use crate::syntax::declarations::Declarations;

use super::Styles;
use super::op_properties::in_css;
use super::splice::difference;

/// A property written in a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleWritten {
    /// The property's long name.
    pub property: &'static str,
    /// The rule's previous value, if it had one.
    pub before: Option<String>,
    /// The rule's new value.
    pub after: String,
    /// The number of elements that match the rule.
    pub matches: usize,
    /// The number of them for which the value is now effective.
    pub held: usize,
}

/// A byte range of a node's text, and its new text.
pub(super) struct Edit {
    node: NodeId,
    part: Range<usize>,
    text: String,
}

impl Styles<'_> {
    /// The classes with a rule of their own, in order.
    #[must_use]
    pub fn classes(&self) -> Vec<&str> {
        let (mut classes, mut known) = (Vec::new(), FxHashSet::default());
        for branch in &self.rules.branches {
            let sheet = self
                .rules
                .rules
                .get(branch.rule)
                .map_or(0, |rule| rule.sheet);
            let class = self.text_of(sheet, &branch.span).strip_prefix('.');
            let class = class.filter(|class| crate::syntax::id::is_legal(class));
            classes.extend(class.filter(|class| known.insert(*class)));
        }
        classes
    }

    /// The rule of a class: the one in effect for a property, or else the last.
    fn rule_of(&self, class: &str, property: &str) -> Option<usize> {
        let own = self.rules.branches.iter().filter(|branch| {
            let sheet = self
                .rules
                .rules
                .get(branch.rule)
                .map_or(0, |rule| rule.sheet);
            self.text_of(sheet, &branch.span).strip_prefix('.') == Some(class)
        });
        let own: Vec<usize> = own.map(|branch| branch.rule).collect();
        let says = |at: &&usize| {
            self.rules.rules.get(**at).is_some_and(|rule| {
                let name = |range| self.text_of(rule.sheet, range);
                rule.declared.iter().any(|one| name(&one.name) == property)
            })
        };
        own.iter().rev().find(says).or(own.last()).copied()
    }

    /// The elements that match the rule of a class: the one in effect for a property, or else the last. `None` if the
    /// class has none.
    #[must_use]
    pub fn matched_by_class(&self, class: &str, property: &str) -> Option<Vec<NodeId>> {
        let rule = self.rule_of(class, property)?;
        Some(self.matched(rule))
    }

    /// The edit that sets a property in a rule, with the rule's previous value.
    fn edit(&self, at: usize, property: &str, value: &str) -> Result<(Option<String>, Edit)> {
        let (rule, sheet) = match self.rules.rules.get(at) {
            Some(rule) => (rule, self.sheets.get(rule.sheet)),
            None => bail!("the rule is gone"),
        };
        let Some(sheet) = sheet else {
            bail!("the rule is gone")
        };
        let all = Declarations::within(&sheet.text, rule.block.clone());
        let before = all.get(property).map(|one| all.value(one).to_owned());
        let new = all.set(property, value);
        let (range, text) = difference(&sheet.text, &new);
        let (node, part) = sheet.place(&range)?;
        Ok((
            before,
            Edit {
                node,
                part,
                text: text.to_owned(),
            },
        ))
    }
}

impl Drawing {
    pub(super) fn put(&mut self, edit: &Edit) -> Result<()> {
        let mut done = Ok(());
        self.nodes.tree_mut().modify(edit.node, |node| {
            done = node.replace_in_text(&[(edit.part.clone(), &edit.text)]);
        });
        done
    }

    /// Sets properties in the rule of a class, in place. Values are from [`Property::check`].
    ///
    /// # Errors
    /// If there is no such rule, its place in the file is written with references, or the value is
    /// not set afterwards.
    pub fn write_rule(
        &mut self,
        class: &str,
        values: &[(&'static Property, String)],
    ) -> Result<Vec<RuleWritten>> {
        let mut all = Vec::new();
        for (property, value) in values {
            let styles = self.styles();
            styles.whole()?;
            let Some(rule) = styles.rule_of(class, property.name) else {
                bail!("no rule .{class}")
            };
            let value = in_css(property, value);
            let (before, edit) = styles.edit(rule, property.name, &value)?;
            if before.as_deref() != Some(&*value) {
                self.put(&edit)?;
            }
            let styles = self.styles();
            let matches = styles.matched(rule);
            let holds = |id: &&NodeId| {
                let own = styles.specified(**id, property.name);
                own.is_some_and(|own| own.value == value)
            };
            all.push(RuleWritten {
                property: property.name,
                before,
                after: value.clone().into_owned(),
                matches: matches.len(),
                held: matches.iter().filter(holds).count(),
            });
        }
        Ok(all)
    }

    /// Adds a rule for a class to the first `<style>`, or to a new one. Returns the words that tell
    /// of a new one in a reply.
    ///
    /// # Errors
    /// If the class has a rule already, or nothing can be added to the first `<style>`.
    pub fn define_class(
        &mut self,
        class: &str,
        values: &[(&'static Property, String)],
    ) -> Result<&'static str> {
        let styles = self.styles();
        styles.whole()?;
        if styles.classes().contains(&class) {
            let words: Vec<String> = values
                .iter()
                .map(|(property, value)| {
                    format!(" {}:{}", property.name, fcp::op::quote_value(value))
                })
                .collect();
            bail!("there is a rule .{class} already"; try: "style .{class}{}", words.concat())
        }
        let declared: Vec<String> = values
            .iter()
            .map(|(property, value)| format!("{}: {}", property.name, in_css(property, value)))
            .collect();
        let rule = format!(".{class} {{ {} }}", declared.join("; "));
        let new = match styles.addition(std::slice::from_ref(&rule))? {
            Some(edit) => self.put(&edit).map(|()| "")?,
            None => self.add_sheet(&rule)?,
        };
        if !self.styles().classes().contains(&class) {
            bail!("the first <style> cannot be added to: its content has no end")
        }
        Ok(new)
    }

    fn empty_sheet(&self) -> Option<NodeId> {
        let empty = |id: &NodeId| {
            let other = self
                .nodes
                .attr(*id, "type")
                .is_some_and(|own| own != "text/css");
            !other && self.nodes.tree().first_child(*id).is_none()
        };
        let mut sheets = self.nodes.tree().index().styles().map(NodeId::new);
        sheets.find(empty)
    }

    /// Adds a rule to an empty `<style>`, or to a new one before all other elements. Returns the
    /// words that tell of a new one in a reply.
    pub(super) fn add_sheet(&mut self, rule: &str) -> Result<&'static str> {
        let Some(root) = self.nodes.root() else {
            bail!("the drawing has no root element")
        };
        let (sheet, new) = match self.empty_sheet() {
            Some(sheet) => (sheet, ""),
            None => {
                let nodes = &self.nodes;
                let mut children = nodes.tree().children(root);
                let first = children.find(|id| nodes.element(*id).is_some());
                let name = xml::qualified_like(nodes.tree(), root, "style");
                drop(children);
                let element = xml::Element::new(&name)?;
                let sheet = xml::insert_element(self.nodes.tree_mut(), element, root, first)?;
                (sheet, ", in a new <style>")
            }
        };
        xml::insert_node(self.nodes.tree_mut(), Node::text_run(rule)?, sheet, None)?;
        Ok(new)
    }
}

/// The line end and the whitespace after the last line of a text, if there is nothing else.
pub(crate) fn line_start(text: &str) -> Option<&str> {
    let blank = text.get(text.trim_end().len()..)?;
    blank.get(blank.rfind('\n')?..)
}

impl Styles<'_> {
    /// The edit that adds rules at the end of the first sheet with text; `None` if there is none.
    pub(super) fn addition(&self, rules: &[String]) -> Result<Option<Edit>> {
        let Some((at, sheet)) = self
            .sheets
            .iter()
            .enumerate()
            .find(|(_, sheet)| sheet.first().is_some())
        else {
            return Ok(None);
        };
        let Some(end) = sheet.end() else {
            bail!("the text of the first <style> ends in a reference, and cannot be added to")
        };
        let text = sheet.text.get(..end).unwrap_or_default();
        let place = text.trim_end().len();
        let last = self.rules.rules.iter().rev().find(|rule| rule.sheet == at);
        // With the same separator as before the last rule.
        let before = last
            .and_then(|rule| text.get(..rule.prelude.start))
            .unwrap_or_default();
        let line = line_start(before);
        let between = line.unwrap_or(" ");
        let blank = match line {
            None if place == 0 => "",
            _ => between,
        };
        let (node, part) = sheet.place(&(place..place))?;
        Ok(Some(Edit {
            node,
            part,
            text: format!("{blank}{}", rules.join(between)),
        }))
    }
}
