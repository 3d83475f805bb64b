//! Replies about written styles.

use fcp::prelude::*;

use crate::model::{Drawing, NodeId, Nodes};
use crate::syntax::href::url_id;

use super::{RuleWritten, Written};

/// The most elements to name in a reply.
const NAMED: usize = 5;

impl Nodes {
    /// A value as ops spell it: `gradient:sunset` for `url(#sunset)`.
    #[must_use]
    pub fn shown_value(&self, value: &str) -> String {
        let id = url_id(value).filter(|_| value.trim_end().ends_with(')'));
        let kind = id.and_then(|id| {
            let found = self.tree().index().first_with_id(id)?;
            let kind = self.kind_name(NodeId::new(found));
            matches!(kind, "gradient" | "pattern").then_some(kind)
        });
        match (kind, id) {
            (Some(kind), Some(id)) => format!("{kind}:{id}"),
            _ => value.to_owned(),
        }
    }
}

impl Drawing {
    /// The reply about properties written on elements.
    #[must_use]
    pub fn restyled(&self, all: &[Written]) -> Reply {
        let done: Vec<&Written> = all.iter().filter(|one| one.place.is_some()).collect();
        let mut ids: Vec<NodeId> = done.iter().map(|one| one.id).collect();
        ids.dedup();
        let shown = |value: &str| self.nodes.shown_value(value);
        let reply = match ids.as_slice() {
            [] => unchanged!("no change"),
            [id] => {
                let parts = done.iter().filter_map(|one| {
                    let after = shown(&one.after);
                    // Equal to what it had from elsewhere, it declares what nothing did.
                    let before = match one.before == one.after {
                        true => "nothing".to_owned(),
                        false => shown(&one.before),
                    };
                    let place = one.place.as_ref()?;
                    Some(format!("{} {before} -> {after} ({place})", one.property))
                });
                let parts: Vec<String> = parts.collect();
                changed!(
                    "{} {} {}",
                    self.nodes.kind_name(*id),
                    self.nodes.name(*id),
                    parts.join(", ")
                )
            }
            _ => {
                let mut values: Vec<String> = Vec::new();
                for one in &done {
                    let value = format!("{} -> {}", one.property, shown(&one.after));
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
                let names = ids.iter().map(|id| {
                    let mut places: Vec<String> = Vec::new();
                    for place in done
                        .iter()
                        .filter(|one| one.id == *id)
                        .filter_map(|one| one.place.as_ref())
                    {
                        let place = place.to_string();
                        if !places.contains(&place) {
                            places.push(place);
                        }
                    }
                    format!("{} ({})", self.nodes.name(*id), places.join(", "))
                });
                let names = folded(names);
                changed!("{} objects {}: {names}", ids.len(), values.join(", "))
            }
        };
        let unsure = all.iter().find_map(|one| one.unsure.as_ref());
        match unsure {
            Some(rule) => reply.note(format!(
                "? rule {rule} is !important, and conditions of at-rules are not evaluated"
            )),
            None => reply,
        }
    }

    /// The reply about properties written in the rule of a class.
    #[must_use]
    pub fn rule_restyled(&self, class: &str, all: &[RuleWritten]) -> Reply {
        let done: Vec<&RuleWritten> = all
            .iter()
            .filter(|one| one.before.as_ref() != Some(&one.after))
            .collect();
        let Some(last) = done.last() else {
            return unchanged!("no change");
        };
        let shown = |value: &str| self.nodes.shown_value(value);
        let parts = done.iter().map(|one| {
            let before = one
                .before
                .as_deref()
                .map_or(String::new(), |before| format!(" {}", shown(before)));
            format!("{}{before} -> {}", one.property, shown(&one.after))
        });
        let parts: Vec<String> = parts.collect();
        let held = done.iter().map(|one| one.held).min().unwrap_or(0);
        let noun = if last.matches == 1 {
            "object"
        } else {
            "objects"
        };
        let count = if held == last.matches {
            format!("{held} {noun}")
        } else {
            format!("{held} of {} {noun}", last.matches)
        };
        changed!("rule .{class} {} ({count})", parts.join(", "))
    }
}

/// The first few names, and the number of others.
pub(crate) fn folded(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(NAMED);
    let mut shown = names.take(NAMED).collect::<Vec<_>>().join(", ");
    if more > 0 {
        shown.push_str(&format!(", … {more} more"));
    }
    shown
}
