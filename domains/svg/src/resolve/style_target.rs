//! Targets of `style`.

use fcp::op::{OpWord, ParsedOp, Quoted};
use fcp::prelude::*;
use fcp::verb::Takes;

use crate::canvas::BACKGROUND;
use crate::model::Drawing;

/// Elements, or the rule of a class.
#[derive(Clone, Debug)]
pub enum StyleTarget {
    /// These elements.
    Elements(Rows),
    /// `.hot`: the rule of this class.
    Class(String),
    /// The background, if nothing is called `background`.
    Background,
}

impl StyleTarget {
    /// Checks that the values of an op of `style` are not computed for a rule, which has no
    /// columns; as a selector `.CLASS` would set the elements instead.
    pub(crate) fn check_computed(op: &ParsedOp<'_>) -> Result<()> {
        let target = match op.words.first() {
            Some(OpWord::Positional(word)) if word.quoted == Quoted::No => word,
            _ => return Ok(()),
        };
        if &*op.verb.text != "style" || !target.text.starts_with('.') {
            return Ok(());
        }
        let rule = &target.text;
        Err(Diagnostic::new(format!(
            "{rule} is a rule, whose values are not computed; '{rule}' in quotes is its elements"
        ))
        .or_syntax(format!("style {rule} PROPERTY:VALUE")))
    }
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
            .filter(|_| arg.selectors.is_empty() && arg.kind.is_none() && !arg.quoted);
        match class.filter(|class| !class.is_empty()) {
            Some(class) => Ok(Self::Class(class.to_owned())),
            None => match Rows::from_arg(arg, scope) {
                Err(error) if error.missing.is_some() && is_background(arg) => Ok(Self::Background),
                rows => rows.map(Self::Elements),
            },
        }
    }
}

fn is_background(arg: &Arg<'_>) -> bool {
    arg.text == BACKGROUND && arg.kind.is_none() && arg.selectors.is_empty()
}
