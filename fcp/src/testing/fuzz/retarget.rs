//! Examples of verbs, applied to rows of the open document instead of the example's own.

use super::grammar::{Grammar, call_words};
use crate::domain::Domain;
use crate::endpoint::Endpoint;
use crate::model::{ModelExt, Row};
use crate::op::{OpWord, parse, quote, spell_param};
use crate::script::Call;
use crate::testing::Walk;
use crate::testing::play::{scratch, session};
use crate::verb::{Param, Place, Registry, Takes, Verb};

/// The most rows of a table searched for one of a kind.
const LOOKED_AT: usize = 1000;

/// The number of rows tried for one that the op does not name yet.
const TARGETS: usize = 4;

/// The largest number given to an op on purpose.
const MOST: f64 = 300.0;

/// The name of a row as a word: quoted, unless that would turn an id or a list of rows into a name.
fn spelled(name: &str) -> String {
    match name.contains([':', '#', ',']) && !name.contains([' ', '"', '\\', '\'']) {
        true => name.to_owned(),
        false => quote(name).into_owned(),
    }
}

/// The kinds of the rows with this name, one a table.
fn kinds_of<M: Domain>(model: &M, name: &str) -> impl Iterator<Item = &'static str> {
    model.tables().filter_map(move |(part, _, rows)| {
        let ids = rows.ids().take(64);
        let mut rows = ids.map(|id| Row::new(part, id));
        let row = rows.find(|row| model.name_of(*row) == name);
        row.map(|row| model.kind_of(row))
    })
}

impl<M: Domain> Grammar<M> {
    /// Plays the examples, and learns the kinds of the rows that they name.
    pub(in crate::testing) fn learn_rows(&mut self) {
        let root = scratch();
        let mut session = session::<M>(root.path());
        for calls in self.starts.clone() {
            session.act("new");
            for call in calls {
                if let (Call::Ops(ops), Some(model)) = (&call, session.model()) {
                    ops.iter().for_each(|op| self.learn_row(op, model));
                }
                call.play(&mut session);
            }
            session.act("close discard");
        }
    }

    fn learn_row(&mut self, op: &str, model: &M) {
        let Ok(op) = parse(op) else { return };
        let Some(found) = self.registry.verb(&op) else {
            return;
        };
        let params = found.verb.params;
        let mut places = params
            .iter()
            .filter(|param| matches!(param.place, Place::Word(_) | Place::Rest));
        let mut last = None;
        for (ix, word) in op.words.iter().enumerate() {
            let (param, name) = match word {
                OpWord::Positional(_) if found.skip.contains(&ix) => continue,
                OpWord::Positional(word) => {
                    last = places.next().or(last);
                    (last, &word.text)
                }
                OpWord::Param(word) => {
                    let param = params.iter().find(|param| param.answers_to(&word.key));
                    (param, &word.value)
                }
                OpWord::Selector(_) | OpWord::Arrow(_) => continue,
            };
            let Some(param) = param else { continue };
            // A value may be the name of a row too: `with:dot`.
            if param.takes == Takes::Value || name.contains(',') {
                let all = name.split(',').map(|name| kinds_of(model, name).next());
                let rows = self.rows.entry(op.raw.to_owned()).or_default();
                rows.extend(all.collect::<Option<_>>().map(|kinds| (ix, kinds)));
            }
            if param.takes == Takes::Value {
                continue;
            }
            let bare = name.rsplit(':').next().unwrap_or(name);
            let kinds = self
                .named
                .entry((found.verb.phrase, param.name))
                .or_default();
            for kind in kinds_of(model, bare) {
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
    }

    /// A row of a kind, or any row if there is none.
    fn row_of(random: &mut Walk, model: Option<&M>, kind: &str) -> String {
        let Some(model) = model else {
            return "none".to_owned();
        };
        let ids = model.tables().flat_map(|(part, _, rows)| {
            let ids = rows.ids().take(LOOKED_AT);
            let ids = ids.filter(|id| rows.kind(*id) == kind);
            ids.map(move |id| Row::new(part, id))
        });
        let rows: Vec<Row> = ids.collect();
        match rows.get(random.below(rows.len())) {
            Some(row) => model.name_of(*row),
            None => Self::row(random, Some(model), None),
        }
    }

    /// A row for a parameter: usually of a kind that examples name there.
    pub(super) fn row_for(
        &self,
        random: &mut Walk,
        verb: &Verb<M>,
        param: &Param,
        model: Option<&M>,
    ) -> String {
        let known = self.named.get(&(verb.phrase, param.name));
        let known = known.map_or(&[][..], Vec::as_slice);
        if known.is_empty() || random.below(8) == 0 {
            return Self::row(random, model, None);
        }
        match random.pick(known) {
            Some(kind) => Self::row_of(random, model, kind),
            None => Self::row(random, model, None),
        }
    }

    /// Learns from a refusal that a verb wants rows of a kind.
    pub(in crate::testing) fn wants(&mut self, verb: &Verb<M>, kind: &str) {
        let mut kinds = M::kinds().map(|(_, shape)| shape.kind);
        let Some(kind) = kinds.find(|own| *own == kind) else {
            return;
        };
        for param in verb
            .params
            .iter()
            .filter(|param| param.takes != Takes::Value)
        {
            let kinds = self.named.entry((verb.phrase, param.name)).or_default();
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }

    /// A call of a verb that is probably valid: with its required parameters, few optional ones,
    /// and values of examples.
    pub(in crate::testing) fn probable(
        &self,
        random: &mut Walk,
        verb: &Verb<M>,
        model: Option<&M>,
    ) -> String {
        let words = call_words(verb, |param| {
            let there = param.required || param.takes == Takes::Rows || random.below(5) == 0;
            let words = there.then(|| self.right(random, verb, param, model));
            words.flatten().into_iter().collect()
        });
        words.join(" ")
    }

    /// The words of a parameter, as in examples.
    fn right(
        &self,
        random: &mut Walk,
        verb: &Verb<M>,
        param: &Param,
        model: Option<&M>,
    ) -> Option<String> {
        let value = match param.takes {
            Takes::Rows => return Some(self.rows_for(random, verb, param, model)),
            Takes::Reference => self.row_for(random, verb, param, model),
            Takes::Value => {
                let known = self.values.get((param.spec)().name);
                let known = known.into_iter().flatten();
                // The documented upper bounds of numbers make documents that are too large to check
                // often.
                let large = |value: &&String| value.parse().is_ok_and(|n: f64| n > MOST);
                let known: Vec<&str> = known
                    .filter(|value| !large(value))
                    .map(String::as_str)
                    .collect();
                let any = || "n".to_owned();
                random.pick(&known).map_or_else(any, str::to_owned)
            }
        };
        Some(match param.place {
            Place::Flag => param.name.to_owned(),
            Place::Key => spell_param(param.name, &value),
            Place::Fields => self.field(random, model),
            Place::Word(_) | Place::Rest if param.takes == Takes::Value => {
                quote(&value).into_owned()
            }
            Place::Word(_) | Place::Rest => spelled(&value),
        })
    }

    /// Rows for a parameter: by their numbers, or by a selector.
    fn rows_for(
        &self,
        random: &mut Walk,
        verb: &Verb<M>,
        param: &Param,
        model: Option<&M>,
    ) -> String {
        match random.below(8) {
            0 => "@all".to_owned(),
            1 => format!("@recent:{}", random.below(3) + 1),
            2 => self.selector(random, model),
            3 => {
                // A kind that has a selector: `@track:Keys`.
                let names: Vec<&str> = self.registry.selector_names().collect();
                let kinds = M::kinds().map(|(_, shape)| shape.kind);
                let kinds: Vec<&str> = kinds.filter(|kind| names.contains(kind)).collect();
                let Some(kind) = random.pick(&kinds) else {
                    return "@all".to_owned();
                };
                format!("@{kind}:{}", quote(&Self::row_of(random, model, kind)))
            }
            _ => {
                let rows = (0..=random.below(3)).map(|_| self.row_for(random, verb, param, model));
                let rows: Vec<String> = rows.collect();
                spelled(&rows.join(","))
            }
        }
    }

    /// An example of a verb, on rows of this document.
    pub(in crate::testing) fn example(
        &self,
        random: &mut Walk,
        phrase: &str,
        model: Option<&M>,
    ) -> String {
        let calls = |op: &&String| {
            let parsed = parse(op).ok();
            let found = parsed.and_then(|parsed| self.registry.verb(&parsed));
            found.is_some_and(|found| found.verb.phrase == phrase)
        };
        let known: Vec<&String> = self.ops.iter().filter(calls).collect();
        match known.get(random.below(known.len())) {
            Some(op) => self.retargeted(random, op, model),
            None => Self::one(random, &self.ops),
        }
    }

    /// An op on other rows.
    fn retargeted(&self, random: &mut Walk, text: &str, model: Option<&M>) -> String {
        let Ok(op) = parse(text) else {
            return text.to_owned();
        };
        let Some(found) = Registry::verb(&self.registry, &op) else {
            return text.to_owned();
        };
        let params = found.verb.params;
        let mut places = params
            .iter()
            .filter(|param| matches!(param.place, Place::Word(_) | Place::Rest));
        let mut other = text.to_owned();
        let mut words = Vec::new();
        let rows = self.rows.get(text).map_or(&[][..], Vec::as_slice);
        for (ix, word) in op.words.iter().enumerate() {
            let kinds = rows.iter().find(|(at, _)| *at == ix);
            let param = match word {
                OpWord::Positional(_) if found.skip.contains(&ix) => None,
                OpWord::Positional(_) => places.next(),
                OpWord::Param(word) => params.iter().find(|param| param.answers_to(&word.key)),
                OpWord::Selector(_) | OpWord::Arrow(_) => None,
            };
            let param = param.filter(|param| param.takes != Takes::Value);
            words.push((word, param, kinds.map(|(_, kinds)| kinds)));
        }
        let mut taken: Vec<String> = Vec::new();
        let mut other_row = |random: &mut Walk, kind: &str| {
            let mut name = Self::row_of(random, model, kind);
            for _ in 0..TARGETS {
                if !taken.contains(&name) {
                    break;
                }
                name = Self::row_of(random, model, kind);
            }
            taken.push(name.clone());
            name
        };
        // From the last word on, so that earlier spans remain valid.
        for (word, param, kinds) in words.into_iter().rev() {
            let with = match (word, param, kinds) {
                (_, _, Some(kinds)) => {
                    let names = kinds.iter().map(|kind| other_row(random, kind));
                    let names = names.collect::<Vec<_>>().join(",");
                    match word {
                        OpWord::Param(word) => spell_param(&word.key, &names),
                        _ => spelled(&names),
                    }
                }
                (OpWord::Selector(_), ..) if random.below(2) == 0 => continue,
                (OpWord::Selector(_), ..) => self.selector(random, model),
                (OpWord::Param(word), Some(param), _) => {
                    spell_param(&word.key, &self.row_for(random, found.verb, param, model))
                }
                (_, Some(param), _) => spelled(&self.row_for(random, found.verb, param, model)),
                _ => continue,
            };
            other = word.span().replace(&other, &with);
        }
        other
    }
}
