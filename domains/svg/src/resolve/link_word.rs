//! Words of a chain of links: objects, and the arrows between them.

use fcp::op::ArrowKind;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// A word of a chain: `api -> db <-> cache`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkWord {
    /// An object.
    End(NodeId),
    /// An arrow.
    Arrow(ArrowKind),
}

impl FromArg<Drawing> for LinkWord {
    fn spec() -> ValueSpec {
        ValueSpec::new(
            "REF ARROW REF",
            "objects with ->, <-> or -- between them: api -> db -> disk",
        )
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Drawing>) -> Result<Self, ValueError> {
        let kinds = [ArrowKind::Forward, ArrowKind::Both, ArrowKind::Line];
        let arrow = kinds.into_iter().find(|kind| kind.as_str() == arg.text);
        if let Some(arrow) = arrow.filter(|_| !arg.quoted && arg.kind.is_none()) {
            return Ok(Self::Arrow(arrow));
        }
        let row = Row::from_arg(arg, scope)?;
        Ok(Self::End(NodeId::new(row.id())))
    }
}
