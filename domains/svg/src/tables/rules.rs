//! `rules`

use std::collections::{BTreeMap, HashMap};

use fcp::op::quote;
use fcp::prelude::*;

use super::styles::declared;
use super::{index, needed, new_value, row, whole};
use crate::css::{self, selector};
use crate::model::Drawing;
use crate::style::{Redeclared, SheetEdit, SheetRule, Styles, line_start, no_selector};
use crate::syntax::declarations::Declarations;

/// A declaration of a style sheet.
#[derive(FcpRow)]
#[fcp(model = Drawing, part = Drawing::NODES)]
pub struct RuleRow {
    pub row: Row,
    /// The line of the file that its rule begins on: what names the rule.
    #[fcp(by = "DELETE and INSERT")]
    pub line: i64,
    /// The selectors of its rule, as written; writing it changes the whole rule.
    #[fcp(set_all = set_selector)]
    pub selector: String,
    /// The property.
    #[fcp(by = "DELETE and INSERT")]
    pub property: String,
    /// Its value, `!important` included; NULL removes the declaration.
    #[fcp(set_all = set_value)]
    pub value: String,
    /// The number of elements that match the rule; NULL where rules are not matched: in at-rules, and with :hover and the like.
    #[fcp(by = "UPDATE rules SET selector")]
    pub matches: Option<i64>,
    /// The at-rules around the rule, such as @media print.
    #[fcp(by = "DELETE and INSERT")]
    pub at: Option<String>,
    /// Which rule of the drawing it is, from 1.
    #[fcp(by = "DELETE and INSERT")]
    pub rule: i64,
    /// Which declaration of its rule it is, from 1.
    #[fcp(by = "DELETE and INSERT")]
    pub nth: i64,
}

/// The declarations of style sheets, in the order of the file; a new one goes into the rule of its line and selector, or a new rule after that of its line.
#[fcp_table(
    insert = "{line} {selector} {property} {value} {at}",
    insert_all = insert,
    delete_all = remove
)]
pub fn rules(drawing: &Drawing, wanted: Wanted<'_>) -> Vec<RuleRow> {
    let styles = drawing.styles();
    let mut rows = Vec::new();
    let all = styles.sheet_rules(wanted.has("matches"));
    for (rule, number) in all.into_iter().zip(1..) {
        for ((property, value), nth) in rule.declared.into_iter().zip(1..) {
            rows.push(RuleRow {
                row: row(rule.element),
                line: whole(rule.line),
                selector: rule.selector.clone(),
                property,
                value,
                matches: rule.matches.map(whole),
                at: rule.at.clone(),
                rule: number,
                nth,
            });
        }
    }
    rows
}

/// All current rules.
fn all(styles: &Styles<'_>) -> Result<Vec<SheetRule>> {
    styles.whole()?;
    Ok(styles.sheet_rules(false))
}

fn set_selector(drawing: &mut Drawing, rows: Vec<(&RuleRow, Text)>) -> Result<Vec<String>> {
    let known = all(&drawing.styles())?;
    let mut new: BTreeMap<usize, &str> = BTreeMap::new();
    for (row, value) in &rows {
        if row.selector.starts_with('@') {
            bail!("{} has no selector", row.selector)
        }
        checked(value.as_str())?;
        let other = new.insert(index(row.rule), value.as_str());
        if other.is_some_and(|other| other != value.as_str()) {
            bail!("the rule of line {} would have two selectors", row.line)
        }
    }
    let edits = new.into_iter().filter_map(|(at, value)| {
        let rule = known.get(at)?;
        Some((rule.sheet, rule.prelude.clone(), value.to_owned()))
    });
    drawing.edit_sheets(edits.collect())?;
    Ok(Vec::new())
}

/// Checks that a text is a selector.
fn checked(text: &str) -> Result<()> {
    let known = css::as_classes(text);
    let list = selector::parse(&known).map_err(|wrong| no_selector(text, wrong).refusal(text))?;
    if text.contains(['{', '}', '@', '<']) {
        bail!("{} is not a selector", quote(text))
    }
    // Text left open at its end would include the following rules.
    let next = selector::parse(&format!("{known},a"));
    let ends = next.is_ok_and(|next| next.len() == list.len() + 1);
    if !ends || !css::is_closed(text) {
        bail!("{} is not a selector: it has no end", quote(text))
    }
    Ok(())
}

fn set_value(drawing: &mut Drawing, rows: Vec<(&RuleRow, Option<Text>)>) -> Result<Vec<String>> {
    let mut edits = Vec::new();
    for (row, value) in rows {
        edits.push((row, new_value(drawing, &row.property, value)?));
    }
    edit(drawing, edits)
}

fn remove(drawing: &mut Drawing, rows: Vec<&RuleRow>) -> Result<Vec<String>> {
    edit(drawing, rows.into_iter().map(|row| (row, None)).collect())
}

/// Changes the values of declarations, or removes them. Also removes a rule that has none left.
fn edit(drawing: &mut Drawing, rows: Vec<(&RuleRow, Option<String>)>) -> Result<Vec<String>> {
    let styles = drawing.styles();
    let known = all(&styles)?;
    let mut by_rule: BTreeMap<usize, Vec<Redeclared>> = BTreeMap::new();
    for (row, new) in rows {
        let own = by_rule.entry(index(row.rule)).or_default();
        own.push((index(row.nth), new));
    }
    let mut edits: Vec<SheetEdit> = Vec::new();
    for (at, changes) in by_rule {
        let Some(rule) = known.get(at) else {
            bail!("the rule is gone")
        };
        let text = styles.sheet_text(rule.sheet);
        let gone = changes.iter().filter(|(_, new)| new.is_none()).count();
        if gone == rule.declared.len() {
            // Including the whitespace before it.
            let start = rule.prelude.start;
            let before = text.get(..start).unwrap_or_default();
            let kept = before.trim_end_matches([' ', '\t', '\r', '\n']).len();
            let end = (rule.block.end + 1).min(text.len());
            edits.push((rule.sheet, kept..end, String::new()));
            continue;
        }
        let all = Declarations::within(text, rule.block.clone());
        let changes = all.changes(&changes).into_iter();
        let changes = changes.filter(|(range, new)| text.get(range.clone()) != Some(new.as_str()));
        edits.extend(changes.map(|(range, new)| (rule.sheet, range, new)));
    }
    drawing.edit_sheets(edits)?;
    Ok(Vec::new())
}

/// The rule for new declarations: its line, its selector, and the at-rules around it, as given.
type Key = (Option<usize>, Option<String>, Option<String>);

/// Checks that a text is the head of one at-rule with rules in its block.
fn at_rule(text: &str) -> Result<()> {
    const GROUPING: &[&str] = &["@media", "@supports", "@container", "@layer", "@scope"];
    let bad = text.contains(['{', '}', ';', '<']) || !css::is_closed(text);
    let name = text.split([' ', '(']).next().unwrap_or_default();
    let is_one = text.matches('@').count() == 1 && text.len() > name.len();
    if bad || !is_one || !GROUPING.contains(&name.to_ascii_lowercase().as_str()) {
        bail!("{} is not one at-rule like '@media print'", quote(text))
    }
    Ok(())
}

/// Parses a line number.
fn line_of(text: &str) -> Result<usize> {
    match text.parse() {
        Ok(line) if line > 0 => Ok(line),
        _ => {
            let text = quote(text);
            bail!("{text} is not a line: lines are whole numbers from 1")
        }
    }
}

fn insert(drawing: &mut Drawing, rows: &[NewRow<'_>]) -> Result<Vec<String>> {
    let styles = drawing.styles();
    let known = all(&styles)?;
    let mut new: Vec<(Key, Vec<String>)> = Vec::new();
    let mut places: HashMap<Key, usize> = HashMap::new();
    for row in rows {
        let line = row.text("line").map(|line| line_of(&line)).transpose()?;
        let selector = row.text("selector");
        if line.is_none() && selector.is_none() {
            bail!("a new row needs selector, or the line of a rule")
        }
        selector.as_deref().map_or(Ok(()), checked)?;
        let name = needed(row, "property")?;
        let value = declared(drawing, &name, &needed(row, "value")?)?;
        let declaration = format!("{name}: {value}");
        let at = row.text("at");
        at.as_deref().map_or(Ok(()), at_rule)?;
        let key = (line, selector, at);
        let at = *places.entry(key.clone()).or_insert(new.len());
        match new.get_mut(at) {
            Some((_, own)) => own.push(declaration),
            None => new.push((key, vec![declaration])),
        }
    }
    let (mut edits, mut last, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for ((line, selector, around), declarations) in new {
        let Some(line) = line else {
            let selector = selector.unwrap_or_default();
            let rule = format!("{selector} {{ {} }}", declarations.join("; "));
            last.push(match around {
                Some(around) => format!("{around} {{ {rule} }}"),
                None => rule,
            });
            continue;
        };
        let mut on_line = known.iter().filter(|rule| rule.line == line);
        let same = |rule: &&SheetRule| selector.as_ref().is_none_or(|own| *own == rule.selector);
        let Some(after) = on_line.clone().next_back() else {
            let near = known.iter().map(|rule| rule.line);
            let Some(near) = near.min_by_key(|own| own.abs_diff(line)) else {
                bail!("there are no rules, so leave out line")
            };
            bail!("no rule begins on line {line}; the nearest begins on line {near}")
        };
        if let Some(around) = around.filter(|around| after.at.as_ref() != Some(around)) {
            bail!(
                "the rule on line {line} is not in {around}; leave out line for a new at-rule at the end"
            )
        }
        let text = styles.sheet_text(after.sheet);
        let edit = match on_line.rfind(same) {
            Some(rule) => {
                let (selector, declared) = (&rule.selector, declarations.join("; "));
                notes.push(format!("* rule {selector}: {declared}"));
                let all = Declarations::within(text, rule.block.clone());
                let (range, new) = all.addition(&declarations);
                (rule.sheet, range, new)
            }
            None => {
                let selector = selector.unwrap_or_default();
                notes.push(format!("+ rule {selector}"));
                let end = (after.block.end + 1).min(text.len());
                let before = text.get(..after.prelude.start).unwrap_or_default();
                let blank = line_start(before).unwrap_or(" ");
                let rule = format!("{blank}{selector} {{ {} }}", declarations.join("; "));
                (after.sheet, end..end, rule)
            }
        };
        edits.push(edit);
    }
    drawing.edit_sheets(edits)?;
    let mut new = drawing.add_rules(&last)?;
    for rule in last {
        notes.push(format!("+ rule {rule}{}", std::mem::take(&mut new)));
    }
    Ok(notes)
}
