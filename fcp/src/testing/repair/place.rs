//! The places for mistakes: the parsed ops of a domain's examples.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::diag::Span;
use crate::domain::Domain;
use crate::model::{Level, ModelExt};
use crate::op::{OpWord, Quoted};
use crate::script::{self, Call};
use crate::session::Session;
use crate::testing::play::by_role;
use crate::value::ValueSpec;
use crate::verb::{self, Binder, Files, Param, Place, Registry, Role, Takes};

/// A valid op, and the script that makes its document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    pub script: String,
    pub op: String,
}

/// The kind of a word in an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word without a key, or `KIND:NAME`.
    Bare,
    /// `key:value` with a key of the verb.
    Keyed,
    /// `key:value` with a key of the row, or one that the verb interprets.
    Field,
    /// `@type:value`
    Selector,
    /// `->`
    Arrow,
}

/// A word of an op after its phrase.
#[derive(Clone, Debug)]
pub struct Piece {
    pub kind: Kind,
    /// The whole word.
    pub span: Span,
    /// The key; the type of a selector; the kind that qualifies a name.
    pub key: Option<Span>,
    /// The value, with its quotes.
    pub value: Span,
    /// The value, without its quotes.
    pub text: String,
    pub quoted: bool,
    pub param: Option<&'static Param>,
    /// The description of the value, if known.
    pub spec: Option<ValueSpec>,
    /// Whether the value is the name of a row in the document.
    pub names: bool,
    /// Whether a meaningless word is accepted in its place.
    pub any: bool,
}

/// A parsed op, and its context.
#[derive(Clone, Debug)]
pub struct Facts {
    pub op: String,
    pub verb: Span,
    /// The second word of the phrase.
    pub second: Option<Span>,
    pub pieces: Vec<Piece>,
    /// The keys of its verb.
    pub keys: Vec<&'static str>,
    /// Whether the verb takes any key.
    pub open: bool,
    /// The names of rows in the document.
    pub names: BTreeSet<String>,
    pub lexicon: Rc<Lexicon>,
}

/// The words of a domain.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    pub domain: &'static str,
    /// The phrases of verbs, including aliases.
    pub phrases: BTreeSet<String>,
    /// Every word of a phrase, every key, every selector.
    pub words: BTreeSet<String>,
    /// Types of rows and their plurals.
    pub kinds: BTreeSet<String>,
}

/// The ops in the examples of verbs and in the workflow on the card: all that succeed, including
/// set-up lines, each once.
pub fn examples<M: Domain>(registry: &Registry<M>) -> Vec<Example> {
    let mut scripts = Vec::new();
    for verb in by_role(registry, Role::Verb) {
        for example in verb.examples {
            let lines = example.script.lines();
            let lines = lines.map(|line| line.strip_prefix("# ").unwrap_or(line));
            scripts.push(lines.flat_map(|line| [line, "\n"]).collect::<String>());
        }
    }
    scripts.push(M::WORKFLOW.to_owned());
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for text in scripts {
        let steps = script::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let mut before = String::new();
        for step in steps {
            let refused = step.expected.iter().flatten().next();
            if refused.is_some_and(|line| line.starts_with('!')) {
                continue;
            }
            if let Call::Ops(ops) = &step.call
                && let [op] = ops.as_slice()
                && seen.insert(op.clone())
            {
                found.push(Example {
                    script: before.clone(),
                    op: op.clone(),
                });
            }
            before.push_str(&format!("{}\n", step.call));
        }
    }
    found
}

/// The words of a domain.
pub fn lexicon<M: Domain>(registry: &Registry<M>) -> Lexicon {
    let mut lexicon = Lexicon {
        domain: M::SHAPE.domain,
        ..Lexicon::default()
    };
    for verb in by_role(registry, Role::Verb) {
        for phrase in std::iter::once(&verb.phrase).chain(verb.aliases) {
            lexicon.phrases.insert((*phrase).to_owned());
            lexicon.words.extend(phrase.split(' ').map(str::to_owned));
        }
        let keys = verb.params.iter().flat_map(Param::keys);
        lexicon.words.extend(keys.map(str::to_owned));
    }
    for (_, shape) in M::kinds() {
        let sorts = shape.sorts.iter().map(|sort| sort.name);
        let names = [shape.kind, shape.plural].into_iter().chain(sorts);
        lexicon.kinds.extend(names.map(str::to_owned));
        for field in shape.fields {
            let names = std::iter::once(field.name).chain(field.aliases.iter().copied());
            lexicon.words.extend(names.map(str::to_owned));
        }
    }
    let selectors = registry.selector_names().map(str::to_owned);
    lexicon.words.extend(selectors);
    lexicon.words.extend(lexicon.kinds.clone());
    lexicon
}

/// A parsed op; `None` if it calls no verb.
pub fn facts<M: Domain>(session: &Session<M>, op: &str, lexicon: &Rc<Lexicon>) -> Option<Facts> {
    let model = session.model()?;
    let registry = session.registry();
    let parsed = crate::op::parse(op).ok()?;
    let found = registry.verb(&parsed)?;
    let verb = found.verb;
    let call = verb::Call {
        op: &parsed,
        skip: found.skip.clone(),
        qualified: found.qualified,
        verb,
        registry,
        recent: &|_, _| Vec::new(),
        files: &Files::default(),
        sql: &verb::no_conditions,
        picked: None,
    };
    let binder = Binder::new(model, &call);
    let named = |text: &str| {
        let mut tables = model.tables();
        tables.any(|(_, _, rows)| !rows.labelled(text, Level::Exact).is_empty())
    };
    let labels = model.tables().flat_map(|(_, _, rows)| rows.labels());
    let mut pieces = Vec::new();
    for (at, word) in parsed.words.iter().enumerate() {
        if found.skip.contains(&at) {
            continue;
        }
        let param = binder.param_of(at);
        let spec = param.map(|param| (param.spec)());
        let piece = |kind, key, value: Span, text: &str, quoted| Piece {
            kind,
            span: word.span(),
            key,
            value,
            text: text.to_owned(),
            quoted: quoted != Quoted::No,
            param,
            spec,
            names: named(text),
            any: false,
        };
        pieces.push(match word {
            OpWord::Positional(word) => piece(Kind::Bare, None, word.span, &word.text, word.quoted),
            OpWord::Arrow(arrow) => piece(
                Kind::Arrow,
                None,
                arrow.span,
                arrow.kind.as_str(),
                Quoted::No,
            ),
            OpWord::Selector(selector) => Piece {
                spec: None,
                ..piece(
                    Kind::Selector,
                    Some(selector.kind_span),
                    selector.value_span,
                    &selector.value,
                    selector.quoted,
                )
            },
            OpWord::Param(written) => {
                let kind = match param {
                    Some(param) if param.answers_to(&written.key) => Kind::Keyed,
                    Some(param) if param.place == Place::Fields => Kind::Field,
                    _ => Kind::Bare,
                };
                let own = field_spec::<M>(&written.key).filter(|_| kind == Kind::Field);
                Piece {
                    spec: if kind == Kind::Field { own } else { spec },
                    ..piece(
                        kind,
                        Some(written.key_span),
                        written.value_span,
                        &written.value,
                        written.quoted,
                    )
                }
            }
        });
    }
    let second = parsed.words.get(found.skip.start);
    Some(Facts {
        op: op.to_owned(),
        verb: parsed.verb.span,
        second: second.filter(|_| !found.skip.is_empty()).map(OpWord::span),
        pieces,
        keys: verb.params.iter().flat_map(Param::keys).collect(),
        open: verb.params.iter().any(|param| param.place == Place::Fields),
        names: labels.map(std::borrow::Cow::into_owned).collect(),
        lexicon: Rc::clone(lexicon),
    })
}

/// The description of a field's values, in whichever kind of row has it.
fn field_spec<M: Domain>(key: &str) -> Option<ValueSpec> {
    let fields = M::kinds().flat_map(|(_, shape)| shape.fields);
    let mut specs = fields
        .filter(|field| field.name == key || field.aliases.contains(&key))
        .map(|field| (field.spec)());
    let first = specs.next()?;
    specs.all(|spec| spec.name == first.name).then_some(first)
}

impl Piece {
    /// Returns whether any text is valid here, so that no text is a mistake.
    pub fn is_free(&self) -> bool {
        let value = self.param.is_none_or(|param| param.takes == Takes::Value);
        self.any || value && self.spec.is_some_and(|spec| spec.free)
    }

    /// Returns whether it refers to a row by name, rather than naming a new one.
    pub fn refers(&self) -> bool {
        self.names && !self.is_free()
    }

    /// Returns whether it is a word that the card shows for the value: `piano`, but not `C4`, where
    /// a typo makes another valid value.
    pub fn is_shown(&self) -> bool {
        let letters = self.text.chars().all(|c| c.is_alphabetic() || c == '-');
        letters && !self.quoted && self.shows(&self.text)
    }

    /// Returns whether the card shows a word for the value.
    pub fn shows(&self, word: &str) -> bool {
        let doc = self.spec.map_or("", |spec| spec.doc);
        doc.split([' ', ',', ';']).any(|shown| shown == word)
    }

    /// Returns whether it is one of a few words.
    pub fn is_choice(&self) -> bool {
        let choices = self.spec.map_or(&[][..], |spec| spec.choices);
        !self.quoted && choices.iter().any(|choice| answers(choice, &self.text))
    }

    /// Its number, if it is only a number.
    pub fn number(&self) -> Option<f64> {
        let digits = self
            .text
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'));
        (digits && !self.quoted).then(|| self.text.parse().ok())?
    }
}

/// Returns whether a choice has this name.
pub fn answers(choice: &crate::value::Choice, text: &str) -> bool {
    let fold = crate::value::fold;
    let mut words = std::iter::once(&choice.word).chain(choice.aliases);
    words.any(|word| fold(word) == fold(text))
}

impl Facts {
    /// The op with some of its bytes replaced.
    pub fn with(&self, span: Span, with: &str) -> String {
        span.replace(&self.op, with)
    }

    /// The text of a span.
    pub fn at(&self, span: Span) -> &str {
        span.of(&self.op)
    }

    /// The words that pass a test.
    pub fn pieces(&self, test: impl Fn(&Piece) -> bool) -> Vec<&Piece> {
        self.pieces.iter().filter(|piece| test(piece)).collect()
    }
}
