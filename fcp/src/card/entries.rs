//! The card's entries for verbs and for their shared parameters.

use super::full::{Entry, SHOWN, forms};
use crate::domain::Domain;
use crate::verb::{Group, Param, Registry, Run, Verb, WHERE};

/// Every group of parameters, with its parameters.
pub(super) fn groups<M: Domain>(registry: &Registry<M>) -> Vec<(Group, Vec<&'static Param>)> {
    let mut groups: Vec<(Group, Vec<&'static Param>)> = Vec::new();
    let verbs = registry.verbs().chain(registry.queries());
    let verbs = verbs.chain(registry.actions());
    for param in verbs.flat_map(|verb| verb.params) {
        let Some(group) = param.group else {
            continue;
        };
        let at = groups.iter().position(|(known, _)| *known == group);
        let at = at.unwrap_or_else(|| {
            groups.push((group, Vec::new()));
            groups.len() - 1
        });
        if let Some((_, params)) = groups.get_mut(at)
            && !params.iter().any(|known| known.name == param.name)
        {
            params.push(param);
        }
    }
    groups
}

pub(super) fn takes<M: Domain>(verb: &Verb<M>, group: &Group) -> bool {
    verb.params.iter().any(|param| param.group == Some(*group))
}

/// The full entry of a group.
pub(super) fn shared(group: &Group, params: &[&Param]) -> String {
    let keys: Vec<String> = params.iter().map(|param| param.syntax()).collect();
    let mut text = format!(
        "  {}\n      {}\n      {}",
        group.name,
        group.doc,
        keys.join(" ")
    );
    for param in params {
        text.push_str(&about(param));
    }
    text
}

/// The full entry of a parameter.
pub(super) fn about(param: &Param) -> String {
    if param.doc.is_empty() {
        return String::new();
    }
    let single = param.keys().filter(|key| *key != param.name);
    let mut keys: Vec<String> = single.map(|key| format!("{key}:")).collect();
    keys.extend(
        param
            .pairs()
            .map(|pair| format!("{}: {}:", pair.keys[0], pair.keys[1])),
    );
    let aliases = if keys.is_empty() {
        String::new()
    } else {
        format!(" ({})", keys.join(", "))
    };
    let default = param
        .default
        .map_or(String::new(), |default| format!(" Default {}.", default()));
    format!("\n      {}{aliases}: {}{default}", param.name, param.doc)
}

/// A verb's entry: the card only names its groups of parameters and shows a few examples, its topic
/// shows all.
pub(super) fn verb_entry<M: Domain>(
    verb: &'static Verb<M>,
    groups: &[(Group, Vec<&'static Param>)],
) -> Entry {
    let opening = without_examples(verb);
    let steps = verb
        .examples
        .first()
        .map_or(Vec::new(), |example| steps(example.script));
    // Examples of errors are shown only in the topic.
    let works = |step: &&String| !step.contains("\n> ! ");
    let shown: String = steps
        .iter()
        .filter(works)
        .take(SHOWN)
        .map(|step| indented(step))
        .collect();
    let own = groups.iter().filter(|(group, _)| takes(verb, group));
    let own = own.map(|(group, params)| format!("\n{}", shared(group, params)));
    // Examples first: a reader of a verb's topic wants an op to send.
    let examples: String = steps.iter().map(|step| indented(step)).collect();
    let all: String = std::iter::once(examples).chain(own).collect();
    let (syntax, rest) = opening.split_once('\n').unwrap_or((&opening, ""));
    let (doc, params) = rest.split_at(rest.find(&params_of(verb)).unwrap_or(rest.len()));
    let syntaxes = [
        super::compact::short(verb, super::compact::Detail::Required),
        super::compact::short(verb, super::compact::Detail::Keys),
    ];
    Entry {
        name: verb.phrase.to_owned(),
        also: verb
            .aliases
            .iter()
            .map(|alias| (*alias).to_owned())
            .collect(),
        text: format!("{opening}{shown}"),
        forms: forms(&syntaxes, verb.summary),
        alone: Some(
            format!(
                "{syntax}\n{}{}\n{params}",
                doc.trim_end_matches('\n'),
                all.trim_end_matches('\n')
            )
            .trim_end()
            .to_owned(),
        ),
    }
}

/// The beginning of the entry of a verb's first parameter.
pub(super) fn params_of<M: Domain>(verb: &Verb<M>) -> String {
    let mut params = verb.params.iter().filter(|param| param.group.is_none());
    let first = params.find(|param| !param.doc.is_empty());
    first.map_or("\0".to_owned(), |param| {
        format!("      {}", about(param).trim())
    })
}

/// The steps of an example, each with its reply. A batch stays in one step.
pub(super) fn steps(script: &str) -> Vec<String> {
    let mut steps: Vec<String> = Vec::new();
    let mut batch = false;
    for line in script.lines().filter(|line| !line.starts_with("# ")) {
        match steps.last_mut() {
            Some(step) if batch || line.starts_with("> ") => {
                step.push('\n');
                step.push_str(line);
            }
            _ => steps.push(line.to_owned()),
        }
        batch = (batch || line == "[") && line != "]";
    }
    steps
}

pub(super) fn indented(step: &str) -> String {
    step.lines()
        .map(|line| format!("\n        {line}"))
        .collect()
}

/// A verb's entry without examples, with its groups of parameters only named.
pub(super) fn without_examples<M: Domain>(verb: &Verb<M>) -> String {
    let (mut text, params) = verb.opening();
    text.insert_str(0, "  ");
    let mut last = None;
    for param in params {
        match param.group {
            None => text.push_str(&format!(" {}", param.syntax())),
            Some(group) if last == Some(group) => {}
            Some(group) => {
                let own = verb.params.iter().filter(|own| own.group == Some(group));
                match own.clone().any(|own| own.required) {
                    true => text.push_str(&format!(" {}", group.name)),
                    false => text.push_str(&format!(" [{}]", group.name)),
                }
            }
        }
        last = param.group;
    }
    if let Run::Export(_) = verb.run
        && !verb.params.iter().any(|param| param.answers_to("as"))
    {
        text.push_str(WHERE);
    }
    if !verb.aliases.is_empty() {
        text.push_str(&format!("   (or {})", verb.aliases.join(", ")));
    }
    let doc = if verb.doc.is_empty() {
        verb.summary
    } else {
        verb.doc
    };
    for line in doc.lines().filter(|line| !line.trim().is_empty()) {
        text.push_str(&format!("\n      {line}"));
    }
    for param in verb.params.iter().filter(|param| param.group.is_none()) {
        text.push_str(&about(param));
    }
    text
}
