//! Targets of `style`.

use fcp::domain::SharedRows;
use fcp::op::{OpWord, ParsedOp, Quoted};
use fcp::prelude::*;
use fcp::value::nearest_word;
use fcp::verb::Takes;

use crate::canvas::BACKGROUND;
use crate::model::Drawing;
use crate::property;

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
    /// The elements of the rule that an op of `style` changes: a value computed for a rule must be the same for all of
    /// them. `None` if it changes elements.
    pub(crate) fn shared_rows(
        drawing: &Drawing,
        op: &ParsedOp<'_>,
        key: &str,
    ) -> Option<Result<SharedRows>> {
        let target = match op.words.first() {
            Some(OpWord::Positional(word)) if word.quoted == Quoted::No => word,
            _ => return None,
        };
        let class = target
            .text
            .strip_prefix('.')
            .filter(|class| !class.is_empty())?;
        if &*op.verb.text != "style" || op.selectors().next().is_some() {
            return None;
        }
        let styles = drawing.styles();
        let property = property::find(key).map_or(key, |property| property.name);
        let rule = &target.text;
        let Some(matched) = styles.matched_by_class(class, property) else {
            let near = nearest_word(class, styles.classes());
            let error = Diagnostic::new(format!("no rule {rule}")).at(target.span);
            return Some(Err(match near {
                Some(near) => error.or_try(target.span.replace(op.raw, &format!(".{near}"))),
                None => error.or_syntax(format!("define class id:{class} PROPERTY:VALUE")),
            }));
        };
        let rows = matched
            .iter()
            .map(|id| Row::new(Drawing::NODES, id.number()));
        Some(Ok(SharedRows {
            owner: format!("rule {rule}"),
            rows: rows.collect(),
            // In quotes it selects the elements of the class.
            each: Some(target.span.replace(op.raw, &format!("'{rule}'"))),
        }))
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
