//! What `style` writes to.

use fcp::prelude::*;
use fcp::verb::Takes;

use crate::Drawing;

/// Elements, or the rule of a class.
#[derive(Clone, Debug)]
pub enum StyleTarget {
    /// These elements.
    Elements(Rows),
    /// `.hot`: the rule of this class.
    Class(String),
}

impl FromArg<Drawing> for StyleTarget {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        ValueSpec::new("SEL", "selectors, a name, or .CLASS")
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Drawing>) -> Result<Self, ValueError> {
        let class = arg
            .text
            .strip_prefix('.')
            .filter(|_| arg.selectors.is_empty() && arg.kind.is_none());
        match class.filter(|class| !class.is_empty()) {
            Some(class) => Ok(Self::Class(class.to_owned())),
            None => Rows::from_arg(arg, scope).map(Self::Elements),
        }
    }
}
