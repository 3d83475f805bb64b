//! Ops, queries and actions generated from the registry: phrases, parameters, values of examples,
//! and the present names of rows.

use std::collections::BTreeMap;

use crate::domain::Domain;
use crate::model::{EntityShape, FieldKind, ModelExt, Row};
use crate::op::{OpWord, Quoted, parse, parse_action, quote, spell_param};
use crate::script::{self, Call};
use crate::session::Session;
use crate::testing::Walk;
use crate::testing::walk::Author;
use crate::value::ValueSpec;
use crate::verb::{Found, Param, Place, Registry, Takes, Verb};

/// Values that fit many types, and texts that fit none.
const ODD: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "+1",
    "3",
    "5",
    "10",
    "0.5",
    "100%",
    "-0",
    "1e9",
    "99999999999",
    "NaN",
    "inf",
    "",
    "x",
    "a b",
    "none",
    "on",
    "off",
    "all",
    "*",
    "#1",
    "é",
    "~1",
    "\u{0}",
    "1,2",
    "1-2",
    "\"",
    "'",
    "\\",
    "<a>",
    "=1",
    "@all",
    ">5",
];

/// The words of a call, with those that `words_of` gives for each parameter.
pub(super) fn call_words<M: Domain>(
    verb: &Verb<M>,
    mut words_of: impl FnMut(&Param) -> Vec<String>,
) -> Vec<String> {
    let mut words: Vec<String> = verb.phrase.split(' ').map(str::to_owned).collect();
    let behind = match verb.infix {
        true => words.split_off(1),
        false => Vec::new(),
    };
    for (ix, param) in verb.params.iter().enumerate() {
        words.extend(words_of(param));
        if ix == 0 {
            words.extend(behind.iter().cloned());
        }
    }
    words
}

/// The vocabulary of a domain.
pub(in crate::testing) struct Grammar<M: Domain> {
    pub(in crate::testing) registry: Registry<M>,
    /// The openings of sessions: the workflow of the card, and the examples.
    pub starts: Vec<Vec<Call>>,
    pub(super) ops: Vec<String>,
    pub(super) queries: Vec<String>,
    pub(super) actions: Vec<String>,
    /// Values by the name of their kind, from examples and from the descriptions of kinds.
    pub(super) values: BTreeMap<&'static str, Vec<String>>,
    /// Selectors of examples, as written.
    selectors: Vec<String>,
    /// By verb and parameter, the kinds of rows that examples name there.
    pub(super) named: BTreeMap<(&'static str, &'static str), Vec<&'static str>>,
    /// By example, its words that are lists of rows, or rows where values are taken: the kinds of these.
    pub(super) rows: BTreeMap<String, Vec<(usize, Vec<&'static str>)>>,
}

impl<M: Domain> Grammar<M> {
    pub fn new() -> Self {
        let registry = Registry::<M>::build().unwrap_or_else(|error| panic!("{error}"));
        let mut grammar = Self {
            registry,
            starts: Vec::new(),
            ops: Vec::new(),
            queries: Vec::new(),
            actions: Vec::new(),
            values: BTreeMap::new(),
            selectors: Vec::new(),
            named: BTreeMap::new(),
            rows: BTreeMap::new(),
        };
        grammar.start(M::WORKFLOW);
        let verbs = grammar.registry.verbs().chain(grammar.registry.queries());
        let examples = verbs.flat_map(|verb| verb.examples);
        let scripts: Vec<&str> = examples.map(|example| example.script).collect();
        scripts.into_iter().for_each(|script| grammar.start(script));
        grammar.kinds();
        grammar.values.values_mut().for_each(|values| {
            values.sort();
            values.dedup();
        });
        grammar
    }

    /// Learns from a script.
    fn start(&mut self, script: &str) {
        let lines = script.lines();
        // Lines hidden on the card are still part of the script.
        let lines = lines.map(|line| line.strip_prefix("# ").unwrap_or(line));
        let text: String = lines.flat_map(|line| [line, "\n"]).collect();
        let steps = script::parse(&text).unwrap_or_default();
        let calls: Vec<Call> = steps.into_iter().map(|step| step.call).collect();
        for call in &calls {
            match call {
                Call::Ops(ops) => ops.iter().for_each(|op| self.learn(op, Registry::verb)),
                Call::Query(query) => self.learn(query, Registry::query),
                Call::Action(action) => self.learn(action, Registry::action),
            }
            match call {
                Call::Ops(ops) => self.ops.extend(ops.iter().cloned()),
                Call::Query(query) => self.queries.push(query.clone()),
                Call::Action(action) => self.actions.push(action.clone()),
            }
        }
        let alters = |call: &Call| match call {
            Call::Ops(_) => true,
            Call::Query(_) => false,
            Call::Action(action) => action.starts_with("new"),
        };
        self.starts.push(calls.into_iter().filter(alters).collect());
    }

    /// Records the values of an example by their kinds.
    #[allow(clippy::type_complexity)]
    fn learn(
        &mut self,
        text: &str,
        find: fn(&Registry<M>, &crate::op::ParsedOp<'_>) -> Option<Found<M>>,
    ) {
        let Ok(op) = parse_action(text) else { return };
        let Some(found) = find(&self.registry, &op) else {
            return;
        };
        let params = found.verb.params;
        let mut places = params
            .iter()
            .filter(|param| matches!(param.place, Place::Word(_) | Place::Rest));
        let mut last: Option<&Param> = None;
        for (ix, word) in op.words.iter().enumerate() {
            match word {
                OpWord::Positional(_) if found.skip.contains(&ix) => {}
                OpWord::Positional(word) => {
                    last = places.next().or(last);
                    if let Some(param) = last.filter(|param| param.takes == Takes::Value) {
                        self.value((param.spec)().name, &word.text);
                    }
                }
                OpWord::Param(word) => {
                    if let Some(param) = params.iter().find(|param| param.answers_to(&word.key)) {
                        self.value((param.spec)().name, &word.value);
                    }
                    let fields = M::kinds().flat_map(|(_, shape)| shape.fields);
                    for field in fields.filter(|field| field.name == word.key) {
                        self.value((field.spec)().name, &word.value);
                    }
                }
                OpWord::Selector(selector) => {
                    self.selectors.push(selector.span.of(op.raw).to_owned());
                    last = last.or_else(|| places.next());
                }
                OpWord::Arrow(_) => {}
            }
        }
    }

    fn value(&mut self, kind: &'static str, text: &str) {
        self.values.entry(kind).or_default().push(text.to_owned());
    }

    /// Learns from the description of each kind of value: its words, and the examples in its line.
    fn kinds(&mut self) {
        let verbs = self.registry.verbs().chain(self.registry.queries());
        let verbs = verbs.chain(self.registry.actions());
        let specs = verbs
            .flat_map(|verb| verb.params)
            .map(|param| (param.spec)());
        let fields = M::kinds().flat_map(|(_, shape)| shape.fields);
        let specs: Vec<ValueSpec> = specs.chain(fields.map(|field| (field.spec)())).collect();
        for spec in specs {
            for choice in spec.choices {
                self.value(spec.name, choice.word);
                choice
                    .aliases
                    .iter()
                    .for_each(|alias| self.value(spec.name, alias));
            }
            for piece in spec.doc.split(", ").flat_map(|piece| piece.split(" or ")) {
                if !piece.contains(' ') {
                    self.value(spec.name, piece);
                }
            }
        }
    }

    /// One of these texts.
    pub(super) fn one(random: &mut Walk, texts: &[String]) -> String {
        texts
            .get(random.below(texts.len()))
            .cloned()
            .unwrap_or_default()
    }

    pub(super) fn odd(random: &mut Walk) -> String {
        random.pick(ODD).unwrap_or_default().to_owned()
    }

    /// Usually a value of this kind.
    fn value_of(&self, random: &mut Walk, spec: &ValueSpec, model: Option<&M>) -> String {
        match (random.below(12), self.values.get(spec.name)) {
            (0, _) | (_, None) if spec.name != "NAME" => Self::odd(random),
            (1, _) => {
                let kinds: Vec<&Vec<String>> = self.values.values().collect();
                let kind = kinds.get(random.below(kinds.len()));
                kind.map_or(String::new(), |kind| Self::one(random, kind))
            }
            (2..=5, _) if spec.name == "NAME" => {
                let kinds: Vec<&str> = M::kinds().map(|(_, shape)| shape.kind).collect();
                random.pick(&kinds).unwrap_or_default().to_owned()
            }
            (6..=8, _) if spec.name == "NAME" => format!("n{}", random.below(4)),
            (9, _) if spec.free || spec.name == "NAME" => Self::row(random, model, None),
            (_, Some(known)) => Self::one(random, known),
            (_, None) => format!("n{}", random.below(4)),
        }
    }

    /// The name of a row, in one of its forms.
    pub(super) fn row(random: &mut Walk, model: Option<&M>, kind: Option<&str>) -> String {
        let Some(model) = model else {
            return "none".to_owned();
        };
        let tables = model.tables();
        let tables: Vec<_> = tables
            .filter(|(_, _, rows)| !rows.is_empty())
            .filter(|(_, _, rows)| kind.is_none_or(|kind| rows.shape().kind == kind))
            .collect();
        let Some((part, _, rows)) = tables.get(random.below(tables.len())) else {
            return format!("n{}", random.below(4));
        };
        let Some(id) = rows.ids().nth(random.below(rows.len().min(64))) else {
            return "#0".to_owned();
        };
        let row = Row::new(*part, id);
        match random.below(8) {
            0 => format!("#{id}"),
            1 => format!("{}:{}", rows.kind(id), model.name_of(row)),
            2 => "none".to_owned(),
            3 => format!(
                "{},{}",
                model.name_of(row),
                Self::row(random, Some(model), kind)
            ),
            _ => model.name_of(row),
        }
    }

    pub(super) fn selector(&self, random: &mut Walk, model: Option<&M>) -> String {
        let names: Vec<&str> = self.registry.selector_names().collect();
        match random.below(8) {
            0 => "@all".to_owned(),
            1 => format!("@recent:{}", random.below(4)),
            2 => {
                let name = random.pick(&names).unwrap_or_default();
                format!("@{name}:{}", quote(&Self::odd(random)))
            }
            3 => {
                let name = random.pick(&names).unwrap_or_default();
                format!("@{name}:{}", quote(&Self::row(random, model, None)))
            }
            4 => {
                let known = Self::one(random, &self.selectors);
                format!("@not:{}", known.trim_start_matches('@'))
            }
            _ => Self::one(random, &self.selectors),
        }
    }

    /// The words of a parameter.
    fn param(
        &self,
        random: &mut Walk,
        verb: &Verb<M>,
        param: &Param,
        model: Option<&M>,
    ) -> Vec<String> {
        let spec = (param.spec)();
        let value = |random: &mut Walk| match param.takes {
            Takes::Value => self.value_of(random, &spec, model),
            Takes::Reference | Takes::Rows => self.row_for(random, verb, param, model),
        };
        if param.takes == Takes::Rows && random.below(3) > 0 {
            let more = usize::from(random.below(4) == 0);
            return (0..=more).map(|_| self.selector(random, model)).collect();
        }
        match param.place {
            Place::Word(Some(key)) if random.below(8) == 0 => {
                vec![spell_param(key, &value(random))]
            }
            Place::Word(_) => vec![quote(&value(random)).into_owned()],
            Place::Rest => (0..=random.below(4))
                .map(|_| quote(&value(random)).into_owned())
                .collect(),
            Place::Flag => vec![param.name.to_owned()],
            Place::Key => {
                let times = match param.many {
                    true => random.below(3) + 1,
                    false => 1,
                };
                (0..times)
                    .map(|_| spell_param(param.name, &value(random)))
                    .collect()
            }
            Place::Fields => (0..=random.below(3))
                .map(|_| self.field(random, model))
                .collect(),
        }
    }

    /// A field of some kind of row, as `key:value`.
    pub(super) fn field(&self, random: &mut Walk, model: Option<&M>) -> String {
        let shapes: Vec<&EntityShape> = M::kinds().map(|(_, shape)| shape).collect();
        let shape = shapes.get(random.below(shapes.len()));
        let field = shape.and_then(|shape| shape.fields.get(random.below(shape.fields.len())));
        let Some(field) = field else {
            return "name:x".to_owned();
        };
        let value = match field.kind {
            FieldKind::Refers(kind) => Self::row(random, model, Some(kind)),
            _ => self.value_of(random, &(field.spec)(), model),
        };
        spell_param(field.name, &value)
    }

    /// A call of a verb, with its required parameters and some optional ones.
    pub(in crate::testing) fn call(
        &self,
        random: &mut Walk,
        verb: &Verb<M>,
        model: Option<&M>,
    ) -> String {
        let mut words = call_words(verb, |param| {
            let there = match param.required {
                true => random.below(16) > 0,
                false => random.below(3) == 0,
            };
            match there {
                true => self.param(random, verb, param, model),
                false => Vec::new(),
            }
        });
        match random.below(32) {
            0 => drop(words.pop()),
            1 => words.push(quote(&Self::odd(random)).into_owned()),
            2 => words.extend(words.last().cloned()),
            3 => words.push(Self::odd(random)),
            _ => {}
        }
        words.join(" ")
    }

    /// An example with one word replaced.
    pub(in crate::testing) fn varied(
        &self,
        random: &mut Walk,
        text: &str,
        model: Option<&M>,
    ) -> String {
        let Ok(op) = parse(text) else {
            return text.to_owned();
        };
        let Some(word) = op.words.get(random.below(op.words.len())) else {
            return text.to_owned();
        };
        let with = match word {
            OpWord::Selector(_) => self.selector(random, model),
            OpWord::Param(param) => {
                let all: Vec<&Vec<String>> = self.values.values().collect();
                let value = match random.below(4) {
                    0 => Self::odd(random),
                    1 => Self::row(random, model, None),
                    _ => all
                        .get(random.below(all.len()))
                        .map_or(String::new(), |kind| Self::one(random, kind)),
                };
                spell_param(&param.key, &value)
            }
            OpWord::Positional(word) if word.quoted != Quoted::No => {
                quote(&Self::odd(random)).into_owned()
            }
            _ => quote(&Self::row(random, model, None)).into_owned(),
        };
        word.span().replace(op.raw, &with)
    }

    pub(super) fn verb(random: &mut Walk, verbs: &[&'static Verb<M>]) -> Option<&'static Verb<M>> {
        verbs.get(random.below(verbs.len())).copied()
    }
}

impl<M: Domain> Author<M> for &Grammar<M> {
    fn op(&mut self, random: &mut Walk, session: &Session<M>) -> String {
        let verbs: Vec<_> = self.registry.verbs().collect();
        let model = session.model();
        match random.below(8) {
            0 => Grammar::<M>::one(random, &self.ops),
            1 => {
                let known = Grammar::<M>::one(random, &self.ops);
                self.varied(random, &known, model)
            }
            _ => Grammar::verb(random, &verbs)
                .map_or(String::new(), |verb| self.call(random, verb, model)),
        }
    }

    fn other(&mut self, random: &mut Walk, session: &Session<M>) -> Option<Call> {
        let model = session.model();
        Some(match random.below(2) {
            0 => Call::Query(self.query(random, model)),
            _ => Call::Action(self.action(random, model)),
        })
    }
}
