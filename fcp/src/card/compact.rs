//! The compact card: the description of the mutation tool, cut by clients beyond 2,048 bytes.

use super::{SIGNS, categories, selectors, values};
use crate::domain::Domain;
use crate::verb::{Place, Registry, Takes, Verb};

/// What clients show of a tool's description, in bytes.
pub const CARD_BYTES: usize = 2048;

/// How much of each verb is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    /// The phrase.
    Phrases,
    /// The phrase and what must be given.
    Required,
    /// And the keys of what may be given.
    Keys,
    /// The syntax line.
    Syntax,
}

/// The most telling card that fits.
pub fn compact<M: Domain>(registry: &Registry<M>) -> String {
    let mut shortest = String::new();
    for (detail, told) in [
        (Detail::Syntax, true),
        (Detail::Keys, true),
        (Detail::Keys, false),
        (Detail::Required, false),
        (Detail::Phrases, false),
    ] {
        shortest = card(registry, detail, told);
        if shortest.len() <= CARD_BYTES {
            break;
        }
    }
    shortest
}

fn card<M: Domain>(registry: &Registry<M>, detail: Detail, told: bool) -> String {
    let domain = M::SHAPE.domain;
    let mut lines = vec![format!("{}. Op: VERB TARGET [key:value]", M::SHAPE.title)];
    for (category, verbs) in categories(registry.verbs()) {
        let verbs: Vec<String> = verbs.into_iter().map(|verb| short(verb, detail)).collect();
        lines.push(format!(
            "{}: {}",
            category.to_uppercase(),
            verbs.join(" | ")
        ));
    }
    let steering: Vec<&str> = crate::session::STEERING
        .iter()
        .map(|(syntax, _)| *syntax)
        .collect();
    lines.push(format!("CALL: {}", steering.join(" | ")));
    let forms: Vec<String> = selectors(registry)
        .into_iter()
        .map(|(form, _)| {
            if told {
                form
            } else {
                form.split([':', '[']).next().unwrap_or_default().to_owned()
            }
        })
        .collect();
    lines.push(format!("SEL (ANDed, @not: negates): {}", forms.join(" ")));
    if told {
        let values: Vec<String> = values(registry)
            .into_iter()
            .map(|spec| format!("{} {}", spec.name, spec.doc))
            .collect();
        if !values.is_empty() {
            lines.push(format!("VALUES: {}", values.join("; ")));
        }
    }
    let queries = registry
        .queries()
        .map(|verb| short(verb, detail.min(Detail::Required)));
    let queries = queries.chain(
        crate::queries::BUILTIN
            .iter()
            .map(|(syntax, _)| plain(syntax, detail)),
    );
    lines.push(format!(
        "QUERY: {}",
        queries.collect::<Vec<_>>().join(" | ")
    ));
    let actions = registry.actions().map(|verb| short(verb, detail));
    let builtin = crate::session::actions::BUILTIN
        .iter()
        .map(|(syntax, _)| *syntax);
    let builtin =
        builtin.filter(|syntax| !registry.owns_action(syntax.split(' ').next().unwrap_or("")));
    let actions = actions.chain(builtin.map(|syntax| plain(syntax, detail)));
    lines.push(format!(
        "SESSION: {}",
        actions.collect::<Vec<_>>().join(" | ")
    ));
    lines.push(format!(
        "Signs: {SIGNS}: send its try: line. Last line: digest. {domain}_help: full card"
    ));
    lines.join("\n")
}

fn plain(syntax: &str, detail: Detail) -> String {
    if detail >= Detail::Keys {
        syntax.to_owned()
    } else {
        syntax.split(' ').next().unwrap_or_default().to_owned()
    }
}

fn short<M: Domain>(verb: &Verb<M>, detail: Detail) -> String {
    if detail == Detail::Syntax {
        return verb.syntax();
    }
    if detail == Detail::Phrases {
        return verb.phrase.to_owned();
    }
    let (mut line, params) = verb.opening();
    for param in params.iter().filter(|param| param.required) {
        line.push(' ');
        line.push_str(&param.syntax());
    }
    if detail == Detail::Keys {
        for param in params.iter().filter(|param| !param.required) {
            line.push(' ');
            match (param.place, param.takes) {
                (Place::Key, _) => line.push_str(&format!("{}:", param.name)),
                _ => line.push_str(&param.syntax()),
            }
        }
    } else if params
        .iter()
        .any(|param| !param.required && param.takes != Takes::Rows)
    {
        line.push('…');
    }
    line
}
