//! Errors of the query and the session tool, which take no ops.

use super::task::is_query;
use super::{Answer, Session};
use crate::domain::Domain;
use crate::op::parse;
use crate::verb::Role;

impl<M: Domain> Session<M> {
    /// An error with the syntax of an op in place of a repair that is one: neither tool takes it as
    /// it is, and ops have no sign to name their tool.
    pub(super) fn without_ops(&self, answer: Answer, role: Role) -> Answer {
        if !answer.is_error || !answer.text.contains("\n  try: ") {
            return answer;
        }
        let lines = answer.text.lines().map(|line| {
            let repair = line.strip_prefix("  try: ");
            match repair.and_then(|repair| self.syntax_of_op(repair, role)) {
                Some(syntax) => format!("  syntax: {syntax}"),
                None => line.to_owned(),
            }
        });
        Answer {
            text: lines.collect::<Vec<_>>().join("\n"),
            ..answer
        }
    }

    /// The syntax of a repair that is an op, not a query, an action, or what the tool of `role`
    /// takes.
    fn syntax_of_op(&self, repair: &str, role: Role) -> Option<String> {
        if repair.starts_with(['!', '?']) || is_query(repair) {
            return None;
        }
        if let Some(syntax) = super::computed::syntax(&self.registry, repair) {
            return Some(syntax);
        }
        let op = parse(repair).ok()?;
        let found = match role {
            Role::Action => self.registry.action(&op),
            _ => self.registry.query(&op),
        };
        if found.is_some() || self.registry.phrases(role).contains(&&*op.verb.text) {
            return None;
        }
        Some(self.registry.verb(&op)?.verb.syntax())
    }

    /// The error of a line of a query or session tool that has the sign of another tool.
    pub(super) fn foreign(&self, line: &str, role: Role) -> Option<crate::diag::Diagnostic> {
        let (sign, what, tool) = match role {
            Role::Query => ('!', "a session action", "queries"),
            _ => ('?', "a query", "session actions"),
        };
        let line = line.trim_start();
        let text = line.strip_prefix(sign)?.trim();
        let op = parse(text).ok();
        let word = op.as_ref().map_or("", |op| &*op.verb.text);
        let other = match role {
            Role::Query => Role::Action,
            _ => Role::Query,
        };
        let found = op.as_ref().and_then(|op| match other {
            Role::Action => self.registry.action(op),
            _ => self.registry.query(op),
        });
        let builtin = match other {
            Role::Action => super::actions::BUILTIN,
            _ => crate::queries::BUILTIN,
        };
        let own = builtin.iter().map(|(syntax, _)| *syntax);
        let syntax = match found {
            Some(found) => found.verb.syntax(),
            None => own
                .into_iter()
                .find(|syntax| syntax.split(' ').next() == Some(word))
                .unwrap_or_default()
                .to_owned(),
        };
        let message = format!("{sign} begins {what}, and this tool takes {tool}");
        let error = crate::diag::Diagnostic::new(message);
        Some(match &*syntax {
            "" => error,
            _ => error.or_syntax(format!("{sign} {syntax}")),
        })
    }
}
