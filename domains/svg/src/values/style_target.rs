//! What `style` writes to.

use fcp::prelude::*;
use fcp::value::Color;
use fcp::verb::Takes;

use crate::Drawing;
use crate::paper::BACKGROUND;

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
            .filter(|_| arg.selectors.is_empty() && arg.kind.is_none() && !arg.quoted);
        match class.filter(|class| !class.is_empty()) {
            Some(class) => Ok(Self::Class(class.to_owned())),
            None => Rows::from_arg(arg, scope)
                .map(Self::Elements)
                .map_err(|error| match behind(arg) {
                    Some(op) => error.maybe_fix(None::<String>).first(op),
                    None => error,
                }),
        }
    }
}

/// The op that puts the colour behind everything that an op wants of a background that is not there.
fn behind(arg: &Arg<'_>) -> Option<String> {
    if arg.text != BACKGROUND || arg.kind.is_some() || !arg.selectors.is_empty() {
        return None;
    }
    let word = arg
        .op
        .split_ascii_whitespace()
        .find_map(|word| word.strip_prefix("fill:"));
    let color = word
        .filter(|word| Color::parse(word).is_ok())
        .unwrap_or("#eee");
    Some(format!("canvas background:{color}"))
}
