//! The full card.

use super::{SIGNS, categories, selectors, values};
use crate::domain::Domain;
use crate::model::{EntityShape, FieldKind, ModelExt};
use crate::verb::{Group, Param, Registry, Run, Verb, WHERE};

/// The full card: every verb, type, value, selector, query and action, and one session from `new` to `save`.
pub fn full<M: Domain>(registry: &Registry<M>) -> String {
    Sections::of(registry).text()
}

/// The parts of the card.
pub(super) struct Sections {
    title: String,
    parts: Vec<Section>,
}

/// A heading with its entries.
struct Section {
    heading: String,
    topic: &'static str,
    intro: Option<String>,
    entries: Vec<Entry>,
}

/// What is told of one thing.
#[derive(Clone)]
struct Entry {
    /// The topic that tells of it alone.
    name: String,
    text: String,
    /// What is told where it stands alone, if that is more.
    alone: Option<String>,
}

/// What the SQL of the runtime is.
const INTRO: &str = "  SQLite's SQL over the tables. SELECT and WITH are queries; the others are ops, and one step of the log each.
  @where:\"CONDITION\" selects the rows for which a condition over their columns is true, @where:\"SELECT ref FROM …\" those
  that a question names. KEY:=EXPR, or KEY:=\"EXPR with blanks\", computes a value for each selected row from its columns as
  they were before the op; NULL leaves a row as it is. random(), dates and what else differs between runs is not there.";

impl Entry {
    fn new(name: &str, text: String) -> Self {
        Self {
            name: name.to_owned(),
            text,
            alone: None,
        }
    }
}

/// So many ops of a verb's examples stand on the card; its topic shows all.
const SHOWN: usize = 2;

impl Sections {
    pub fn of<M: Domain>(registry: &Registry<M>) -> Self {
        let domain = M::SHAPE.domain;
        let groups = groups(registry);
        let mut parts = Vec::new();
        for (category, verbs) in categories(registry.verbs()) {
            parts.push(Section {
                heading: category.to_owned(),
                topic: "verbs",
                intro: None,
                entries: verbs.into_iter().map(|verb| told(verb, &groups)).collect(),
            });
        }
        parts.push(Section {
            heading: "One call".to_owned(),
            topic: "batch",
            intro: Some(
                "  The ops of a call run in order; if one fails, all are taken back.".to_owned(),
            ),
            entries: builtin(crate::session::STEERING),
        });
        parts.push(Section {
            heading: "SQL".to_owned(),
            topic: "sql",
            intro: Some(INTRO.to_owned()),
            entries: builtin(crate::session::COMPUTED),
        });
        let tables = crate::sql::tables_of(registry).into_iter().map(|table| {
            let text = format!("  {}\n      {}", table.outline, table.doc);
            let columns: Vec<String> = table
                .columns
                .iter()
                .map(|own| format!("      {own}"))
                .collect();
            Entry {
                alone: Some(format!(
                    "  {}\n      {}\n{}",
                    table.outline,
                    table.doc,
                    columns.join("\n")
                )),
                ..Entry::new(&table.name, text)
            }
        });
        parts.push(Section {
            heading: "Tables".to_owned(),
            topic: "tables",
            intro: Some("  Read by SELECT; ref is the word by which ops name a row.".to_owned()),
            entries: tables.collect(),
        });
        if !groups.is_empty() {
            let told = |(group, params): &(Group, Vec<&Param>)| {
                Entry::new(&group.name.to_lowercase(), shared(group, params))
            };
            parts.push(Section {
                heading: "What several verbs take".to_owned(),
                topic: "groups",
                intro: None,
                entries: groups.iter().map(told).collect(),
            });
        }
        let types =
            M::kinds().filter(|(part, _)| M::SHAPE.parts.get(*part).is_some_and(|part| !part.view));
        parts.push(Section {
            heading: "Types".to_owned(),
            topic: "types",
            intro: None,
            entries: types
                .map(|(_, shape)| Entry::new(shape.kind, kind(shape)))
                .collect(),
        });
        let values = values(registry).into_iter().map(|spec| {
            let mut text = format!("  {}\n      {}", spec.name, spec.doc);
            for choice in spec.choices {
                let aliases = if choice.aliases.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", choice.aliases.join(", "))
                };
                let doc = if choice.doc.is_empty() {
                    String::new()
                } else {
                    format!(": {}", choice.doc)
                };
                text.push_str(&format!("\n      {}{aliases}{doc}", choice.word));
            }
            Entry::new(spec.name, text)
        });
        parts.push(Section {
            heading: "Values".to_owned(),
            topic: "values",
            intro: None,
            entries: values.collect(),
        });
        let forms = selectors(registry).into_iter().map(|(form, doc)| {
            let name = form.split([':', '[']).next().unwrap_or_default();
            Entry::new(name, format!("  {form}\n      {doc}"))
        });
        parts.push(Section {
            heading: "Selectors".to_owned(),
            topic: "selectors",
            intro: Some("  All that stand in an op must match; @not: before one negates it; A|B inside one is either.".to_owned()),
            entries: forms.collect(),
        });
        let queries = registry.queries().map(|verb| told(verb, &groups));
        parts.push(Section {
            heading: format!("Queries ({domain}_query)"),
            topic: "queries",
            intro: Some("  Long answers page: limit:N, from:N.".to_owned()),
            entries: queries.chain(builtin(crate::queries::BUILTIN)).collect(),
        });
        let actions = registry.actions().map(|verb| told(verb, &groups));
        let own: Vec<Entry> = actions.collect();
        let mut builtin_actions = builtin(crate::session::actions::BUILTIN);
        let saves = builtin_actions
            .iter_mut()
            .filter(|entry| entry.name == "save");
        saves.for_each(|save| {
            for (key, doc) in M::SAVING {
                save.text.push_str(&format!("\n      {key}: {doc}"));
            }
        });
        let rest = builtin_actions
            .into_iter()
            .filter(|entry| !own.iter().any(|own| own.name == entry.name));
        let formats = M::FORMATS
            .iter()
            .map(|f| format!("{} (.{}): {}", f.name, f.extensions.join(", ."), f.doc));
        parts.push(Section {
            heading: format!("Session ({domain}_session)"),
            topic: "session",
            intro: Some(format!(
                "  Formats: {}",
                formats.collect::<Vec<_>>().join("; ")
            )),
            entries: own.iter().cloned().chain(rest).collect(),
        });
        parts.push(Section {
            heading: "Settings (set KEY:VALUE)".to_owned(),
            topic: "settings",
            intro: None,
            entries: [builtin(crate::session::SETTINGS), builtin(M::SETTINGS)].concat(),
        });
        let lints: Vec<Entry> = registry
            .lints()
            .map(|lint| {
                Entry::new(
                    lint.code,
                    format!("  {}\n      {}", lint.code, lint.summary),
                )
            })
            .collect();
        if !lints.is_empty() {
            parts.push(Section {
                heading: "Warnings".to_owned(),
                topic: "warnings",
                intro: None,
                entries: lints,
            });
        }
        parts.push(Section {
            heading: "Replies".to_owned(),
            topic: "replies",
            intro: Some(format!(
                "  {SIGNS}\n  Under an error stands try: (send it as it is) or syntax:. The last line is the digest:\n  \
                 counts, metrics and a hash that is equal for equal contents."
            )),
            entries: Vec::new(),
        });
        parts.push(Section {
            heading: "Example".to_owned(),
            topic: "examples",
            intro: Some(indent(M::WORKFLOW)),
            entries: Vec::new(),
        });
        let title = format!(
            "# {} ({domain})\n\nAn op is VERB TARGET [key:value]…; a value with blanks is quoted. Rows are named by NAME, \
             #id or KIND:NAME,\nor picked by @selectors. In a script ? marks a query and ! a session action. \
             {domain}_help TOPIC shows\nall examples of a verb, query or action.",
            M::SHAPE.title
        );
        Self { title, parts }
    }

    pub fn text(&self) -> String {
        let mut text = self.title.clone();
        for part in &self.parts {
            text.push_str("\n\n");
            text.push_str(&part.text());
        }
        text.push('\n');
        text
    }

    /// Every topic with its text: sections, then entries.
    pub fn topics(&self) -> Vec<(String, String)> {
        let mut topics: Vec<(String, String)> = Vec::new();
        for part in &self.parts {
            match topics.iter_mut().find(|(name, _)| name == part.topic) {
                Some((_, text)) => {
                    text.push_str("\n\n");
                    text.push_str(&part.text());
                }
                None => topics.push((part.topic.to_owned(), part.text())),
            }
        }
        let entries = self.parts.iter().flat_map(|part| &part.entries);
        topics.extend(entries.map(|entry| {
            let text = entry.alone.as_ref().unwrap_or(&entry.text);
            (entry.name.clone(), text.clone())
        }));
        topics
    }
}

impl Section {
    fn text(&self) -> String {
        let mut text = format!("## {}", self.heading);
        let entries = self.entries.iter().map(|entry| entry.text.as_str());
        for part in self.intro.as_deref().into_iter().chain(entries) {
            text.push('\n');
            text.push_str(part);
        }
        text
    }
}

fn builtin(table: &[(&str, &str)]) -> Vec<Entry> {
    let entry = |(syntax, doc): &(&str, &str)| {
        let name = syntax.split(' ').next().unwrap_or_default();
        Entry::new(name, format!("  {syntax}\n      {doc}"))
    };
    table.iter().map(entry).collect()
}

/// Every group of parameters, with them.
fn groups<M: Domain>(registry: &Registry<M>) -> Vec<(Group, Vec<&'static Param>)> {
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

fn takes<M: Domain>(verb: &Verb<M>, group: &Group) -> bool {
    verb.params.iter().any(|param| param.group == Some(*group))
}

/// A group with all that is said about it.
fn shared(group: &Group, params: &[&Param]) -> String {
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

/// A parameter with all that is said about it.
fn about(param: &Param) -> String {
    if param.doc.is_empty() {
        return String::new();
    }
    let keys: Vec<&str> = param.keys().filter(|key| *key != param.name).collect();
    let aliases = if keys.is_empty() {
        String::new()
    } else {
        format!(" ({}:)", keys.join(":, "))
    };
    let default = param
        .default
        .map_or(String::new(), |default| format!(" Default {}.", default()));
    format!("\n      {}{aliases}: {}{default}", param.name, param.doc)
}

/// A verb: on the card its groups of parameters are only named and a few examples shown, alone all is.
fn told<M: Domain>(verb: &Verb<M>, groups: &[(Group, Vec<&'static Param>)]) -> Entry {
    let opening = without_examples(verb);
    let steps = verb
        .examples
        .first()
        .map_or(Vec::new(), |example| steps(example.script));
    // What fails is for those who ask for it.
    let works = |step: &&String| !step.contains("\n> ! ");
    let shown: String = steps
        .iter()
        .filter(works)
        .take(SHOWN)
        .map(|step| indented(step))
        .collect();
    let own = groups.iter().filter(|(group, _)| takes(verb, group));
    let own = own.map(|(group, params)| format!("\n{}", shared(group, params)));
    let all: String = steps.iter().map(|step| indented(step)).chain(own).collect();
    Entry {
        name: verb.phrase.to_owned(),
        text: format!("{opening}{shown}"),
        alone: Some(format!("{opening}{all}")),
    }
}

/// The steps of an example, each with its reply. Batches, and what is between them, stay together.
fn steps(script: &str) -> Vec<String> {
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

fn indented(step: &str) -> String {
    step.lines()
        .map(|line| format!("\n        {line}"))
        .collect()
}

/// What is said about a verb, its groups of parameters only named.
fn without_examples<M: Domain>(verb: &Verb<M>) -> String {
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

/// A type with its fields.
fn kind(shape: &EntityShape) -> String {
    let mut text = format!("  {}\n      {}", shape.kind, shape.doc);
    for field in shape.fields {
        let value = match field.kind {
            FieldKind::Hidden => continue,
            FieldKind::Refers(kind) => kind.to_uppercase(),
            FieldKind::Value | FieldKind::ReadOnly => (field.spec)().name.to_owned(),
        };
        let read_only = if field.kind == FieldKind::ReadOnly {
            " (shown only)"
        } else {
            ""
        };
        text.push_str(&format!(
            "\n      {}:{value}{read_only}  {}",
            field.name, field.doc
        ));
    }
    text
}

fn indent(text: &str) -> String {
    text.trim()
        .lines()
        .map(|line| format!("  {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}
