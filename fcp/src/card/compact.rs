//! The compact card: the description of the mutation tool, which clients cut at 2,048 bytes.

use super::{SIGNS, categories, selectors, values};
use crate::domain::Domain;
use crate::verb::{Param, Place, Registry, Takes, Verb};

/// The part of a tool's description that clients show, in bytes.
pub const CARD_BYTES: usize = 2048;

/// The languages that every domain has and that need no learning.
const SQL: &str = "ONE CALL does a whole task, in order: [\"! open F\", \"? SELECT …\", \"UPDATE TABLE SET …\", \"! save \
                   as:F\"]; a failed op ends it unsaved. SQL on tables (? tables): SELECT; ops UPDATE, INSERT INTO, \
                   DELETE FROM; @where:\"COND\" selects; KEY:=EXPR computes; each \"SELECT …\" \"OP {column}\"";

/// The level of detail of each verb.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// The phrase.
    Phrase,
    /// The phrase and the required parameters, or a typical key.
    Required,
    /// Also the keys that a family of verbs shares.
    Shared,
    /// Also the optional keys.
    Keys,
    /// The syntax line.
    Syntax,
}

/// A line of the card, in each of its lengths, the shortest first.
struct Line {
    heading: String,
    forms: Vec<(Detail, String)>,
}

impl Line {
    fn new(heading: impl Into<String>, forms: impl IntoIterator<Item = (Detail, String)>) -> Self {
        Self {
            heading: heading.into(),
            forms: forms.into_iter().collect(),
        }
    }

    /// The longest form up to a level of detail.
    fn text(&self, detail: Detail) -> Option<String> {
        let mut fitting = self.forms.iter().filter(|(own, _)| *own <= detail);
        let (_, text) = fitting.next_back()?;
        Some(format!("{}: {text}", self.heading))
    }
}

/// The most detailed card that fits: every line begins with its shortest form, and gets longer ones
/// in turn while there is room.
pub fn compact<M: Domain>(registry: &Registry<M>) -> String {
    let lines = lines(registry);
    let mut details = vec![Detail::Phrase; lines.len()];
    let mut card = render::<M>(&lines, &details);
    for detail in [
        Detail::Required,
        Detail::Shared,
        Detail::Keys,
        Detail::Syntax,
    ] {
        for ix in 0..lines.len() {
            let mut longer = details.clone();
            if let Some(own) = longer.get_mut(ix) {
                *own = detail;
            }
            let text = render::<M>(&lines, &longer);
            if text.len() <= CARD_BYTES {
                (details, card) = (longer, text);
            }
        }
    }
    card
}

fn render<M: Domain>(lines: &[Line], details: &[Detail]) -> String {
    let mut card = format!(
        "{} as tables. {SQL}\nOp: VERB TARGET [key:value]; more keys: {}_help VERB.",
        M::SHAPE.title,
        M::SHAPE.domain
    );
    if !M::HINT.is_empty() {
        card.push(' ');
        card.push_str(M::HINT);
    }
    for line in lines
        .iter()
        .zip(details)
        .filter_map(|(line, detail)| line.text(*detail))
    {
        card.push('\n');
        card.push_str(&line);
    }
    let domain = M::SHAPE.domain;
    card.push_str(&format!(
        "\nSigns: {SIGNS}: send its try: line. Last line: digest. {domain}_help: all words"
    ));
    card
}

/// The card's lines.
fn lines<M: Domain>(registry: &Registry<M>) -> Vec<Line> {
    const ALL: [Detail; 5] = [
        Detail::Phrase,
        Detail::Required,
        Detail::Shared,
        Detail::Keys,
        Detail::Syntax,
    ];
    let mut lines = Vec::new();
    for (category, verbs) in categories(registry.verbs()) {
        let forms = ALL.map(|detail| (detail, families(&verbs, detail)));
        lines.push(Line::new(category.to_uppercase(), forms));
    }
    let steering = crate::session::STEERING.iter().map(|(syntax, _)| *syntax);
    let steering = steering.collect::<Vec<_>>().join(" | ");
    lines.push(Line::new("CALL", [(Detail::Phrase, steering)]));
    let forms: Vec<String> = selectors(registry)
        .into_iter()
        .map(|(form, _)| form)
        .collect();
    let names = forms
        .iter()
        .map(|form| form.split([':', '[']).next().unwrap_or_default());
    let names = names.collect::<Vec<_>>().join(" ");
    lines.push(Line::new(
        "SEL (ANDed, @not: negates)",
        [(Detail::Phrase, names), (Detail::Shared, forms.join(" "))],
    ));
    let values: Vec<String> = values(registry)
        .into_iter()
        .map(|spec| format!("{} {}", spec.name, spec.doc))
        .collect();
    let values = (!values.is_empty()).then(|| (Detail::Keys, values.join("; ")));
    lines.push(Line::new("VALUES", values));
    let queries = ALL.map(|detail| {
        // A query with an alias may be searched for by either name.
        let own = registry.queries().map(|verb| {
            let names = [&[verb.phrase], verb.aliases].concat().join("|");
            short(verb, detail.min(Detail::Required)).replacen(verb.phrase, &names, 1)
        });
        let builtin = crate::queries::BUILTIN.iter();
        let all = own.chain(builtin.map(|(syntax, _)| plain(syntax, detail)));
        (detail, all.collect::<Vec<_>>().join(" | "))
    });
    lines.push(Line::new("QUERY", queries));
    let own: Vec<_> = registry.actions().collect();
    let actions = ALL.map(|detail| {
        let listed = families(&own, detail);
        let builtin = crate::session::actions::BUILTIN
            .iter()
            .map(|(syntax, _)| *syntax);
        // A word that begins an action of the domain is already there.
        let names = |word: &str| own.iter().any(|verb| head(verb).0 == word);
        let builtin = builtin.filter(|syntax| !names(syntax.split(' ').next().unwrap_or_default()));
        let own = Some(listed).filter(|listed| !listed.is_empty()).into_iter();
        let all = own.chain(builtin.map(|syntax| plain(syntax, detail)));
        (detail, all.collect::<Vec<_>>().join(" | "))
    });
    lines.push(Line::new("SESSION", actions));
    lines
}

/// The number of verbs with the same first word from which they share that word.
const FAMILY: usize = 3;

/// Verbs in a line. Those with the same beginning and parameters are joined: `add circle|star r:`.
fn families<M: Domain>(verbs: &[&'static Verb<M>], detail: Detail) -> String {
    let mut families: Vec<(String, Vec<&'static Verb<M>>)> = Vec::new();
    for verb in verbs {
        let first = head(verb).0;
        match families.iter_mut().find(|(own, _)| *own == first) {
            Some((_, family)) => family.push(verb),
            None => families.push((first, vec![verb])),
        }
    }
    let texts = families.into_iter().map(|(first, family)| {
        if family.len() < FAMILY {
            let short = family.into_iter().map(|verb| short(verb, detail));
            return short.collect::<Vec<_>>().join(" | ");
        }
        let mut members: Vec<(Vec<String>, String)> = Vec::new();
        for verb in &family {
            let (_, second) = head(verb);
            let rest = rest(verb, detail);
            match members.iter_mut().find(|(_, own)| *own == rest) {
                Some((words, _)) => words.push(second),
                None => members.push((vec![second], rest)),
            }
        }
        let members = members
            .into_iter()
            .map(|(words, rest)| format!("{}{rest}", words.join("|")));
        let mut line = format!("{first} {}", members.collect::<Vec<_>>().join(" / "));
        if detail >= Detail::Shared {
            line.push_str(&groups(&family));
        }
        line
    });
    texts.collect::<Vec<_>>().join(" | ")
}

/// The part of a phrase that others may share, and the rest: `add` and `circle`, `modify PATH` and
/// `close`.
fn head<M: Domain>(verb: &Verb<M>) -> (String, String) {
    let (word, second) = verb.phrase.split_once(' ').unwrap_or((verb.phrase, ""));
    match verb.params.first().filter(|_| verb.infix) {
        Some(target) => (format!("{word} {}", target.syntax()), second.to_owned()),
        None => (word.to_owned(), second.to_owned()),
    }
}

/// The keys that belong to groups, each group once.
fn groups<M: Domain>(verbs: &[&'static Verb<M>]) -> String {
    let mut forms: Vec<String> = Vec::new();
    for param in verbs.iter().flat_map(|verb| verb.params) {
        let form = key(param);
        if param.group.is_some() && !forms.contains(&form) {
            forms.push(form);
        }
    }
    if forms.is_empty() {
        return String::new();
    }
    format!(" + {}", forms.join(" "))
}

/// Whether a parameter is required and not a target: a key, or a word of its own.
fn is_keyed(param: &Param) -> bool {
    param.required && param.takes == Takes::Value
}

fn key(param: &Param) -> String {
    match (param.place, param.takes) {
        (Place::Key, _) => format!("{}:", param.name),
        _ => param.syntax(),
    }
}

fn plain(syntax: &str, detail: Detail) -> String {
    if detail >= Detail::Keys {
        syntax.to_owned()
    } else {
        syntax.split(' ').next().unwrap_or_default().to_owned()
    }
}

pub(super) fn short<M: Domain>(verb: &'static Verb<M>, detail: Detail) -> String {
    if detail == Detail::Syntax {
        return verb.syntax();
    }
    let (first, second) = head(verb);
    let second = if second.is_empty() {
        second
    } else {
        format!(" {second}")
    };
    let mut line = format!("{first}{second}{}", rest(verb, detail));
    if detail == Detail::Keys {
        line.push_str(&groups(&[verb]));
    }
    line
}

/// The text after a phrase, without groups.
fn rest<M: Domain>(verb: &Verb<M>, detail: Detail) -> String {
    let mut line = String::new();
    if detail == Detail::Phrase {
        return line;
    }
    let params = if verb.infix {
        verb.opening().1
    } else {
        verb.params
    };
    let own = params.iter().filter(|param| param.group.is_none());
    let (required, optional): (Vec<_>, Vec<_>) = own.partition(|param| param.required);
    for param in required {
        line.push(' ');
        match detail {
            Detail::Required | Detail::Shared => line.push_str(&key(param)),
            _ => line.push_str(&param.syntax()),
        }
    }
    // If no key is required, an optional one shows what the verb is about.
    let is_open = !verb.infix && !params.iter().any(is_keyed);
    if is_open && detail <= Detail::Shared {
        let fields = optional.iter().any(|param| param.place == Place::Fields);
        let first = optional.first().filter(|param| param.place == Place::Key);
        match first {
            _ if fields => line.push_str(" KEY:VALUE"),
            Some(param) => {
                line.push(' ');
                line.push_str(&key(param));
            }
            None => {}
        }
    }
    if detail > Detail::Shared {
        for param in optional {
            line.push(' ');
            line.push_str(&key(param));
        }
    }
    line
}
