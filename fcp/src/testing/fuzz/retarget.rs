//! Examples of verbs, with rows of the open document in place of those that the example is about.

use super::grammar::Grammar;
use crate::domain::Domain;
use crate::op::{OpWord, parse, quote, spell_param};
use crate::testing::Walk;
use crate::verb::{Place, Registry, Takes};

impl<M: Domain> Grammar<M> {
    /// An example of a verb on rows of this document.
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
        for (ix, word) in op.words.iter().enumerate() {
            let takes = match word {
                OpWord::Positional(_) if found.skip.contains(&ix) => None,
                OpWord::Positional(_) => places.next().map(|param| param.takes),
                OpWord::Param(word) => {
                    let param = params.iter().find(|param| param.answers_to(&word.key));
                    param.map(|param| param.takes)
                }
                OpWord::Selector(_) => Some(Takes::Rows),
                OpWord::Arrow(_) => None,
            };
            words.push((word, takes));
        }
        // From the last word on, so that the places of those before stay.
        for (word, takes) in words.into_iter().rev() {
            let with = match (word, takes) {
                (OpWord::Selector(_), _) if random.below(2) == 0 => continue,
                (OpWord::Selector(_), _) => self.selector(random, model),
                (OpWord::Param(param), Some(Takes::Reference | Takes::Rows)) => {
                    spell_param(&param.key, &Self::row(random, model, None))
                }
                (_, Some(Takes::Reference | Takes::Rows)) => {
                    let name = Self::row(random, model, None);
                    match name.contains([':', '#', ',']) {
                        true => name,
                        false => quote(&name).into_owned(),
                    }
                }
                _ => continue,
            };
            other = word.span().replace(&other, &with);
        }
        other
    }
}
