//! All operations of a domain, found by phrase.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::domain::Domain;
use crate::model::ModelExt;
use crate::op::{OpWord, ParsedOp, Quoted};
use crate::table::TableDef;
use crate::value::{fold, meant_act, nearest_word};

use super::{Lint, Registered, Role, SelectorDef, Verb, select};

/// The verbs, queries, actions, selectors and warnings of a domain, including the runtime's.
pub struct Registry<M: Domain> {
    verbs: Phrases<M>,
    queries: Phrases<M>,
    actions: Phrases<M>,
    selectors: Vec<&'static SelectorDef<M>>,
    lints: Vec<&'static Lint<M>>,
    tables: Vec<&'static TableDef<M>>,
}

/// Verbs of one role, in the order of cards: by category, then by phrase.
struct Phrases<M: Domain> {
    list: Vec<&'static Verb<M>>,
    by_phrase: BTreeMap<&'static str, usize>,
}

/// The verb of an op.
pub struct Found<M: Domain> {
    /// The verb.
    pub verb: &'static Verb<M>,
    /// The range of words, after the first, that belong to the phrase.
    pub skip: Range<usize>,
    /// The phrase's last word came from a qualified target: `modify track:Drums` calls `modify track`.
    pub qualified: bool,
}

impl<M: Domain> Registry<M> {
    /// Gathers all items registered for this model, and the runtime's own unless the domain
    /// replaces them.
    ///
    /// # Errors
    /// Two items of a role share a phrase; the error names both places.
    pub fn build() -> Result<Self, String> {
        let mut verbs = Vec::new();
        let mut queries = Vec::new();
        let mut actions = Vec::new();
        let mut selectors: Vec<&'static SelectorDef<M>> = Vec::new();
        let mut lints: Vec<&'static Lint<M>> = Vec::new();
        let mut tables: Vec<&'static TableDef<M>> = Vec::new();
        for registered in inventory::iter::<Registered> {
            let verb = || registered.item.downcast_ref::<Verb<M>>();
            match registered.role {
                Role::Verb => verbs.extend(verb()),
                Role::Query => queries.extend(verb()),
                Role::Action => actions.extend(verb()),
                Role::Selector => {
                    selectors.extend(registered.item.downcast_ref::<SelectorDef<M>>());
                }
                Role::Lint => lints.extend(registered.item.downcast_ref::<Lint<M>>()),
                Role::Table => tables.extend(registered.item.downcast_ref::<TableDef<M>>()),
            }
        }
        selectors.sort_by_key(|selector| selector.name);
        lints.sort_by_key(|lint| (-lint.weight, lint.code));
        tables.sort_by_key(|table| table.name);
        for pair in tables.windows(2) {
            if pair[0].name == pair[1].name {
                let source = |table: &TableDef<M>| super::Source {
                    file: table.file,
                    line: table.line,
                };
                return Err(twice(
                    "table ",
                    pair[0].name,
                    source(pair[0]),
                    source(pair[1]),
                ));
            }
        }
        for pair in selectors.windows(2) {
            if pair[0].name == pair[1].name {
                return Err(twice(
                    "selector @",
                    pair[0].name,
                    pair[0].source,
                    pair[1].source,
                ));
            }
        }
        for pair in lints.windows(2) {
            if pair[0].code == pair[1].code {
                return Err(twice(
                    "warning ",
                    pair[0].code,
                    pair[0].source,
                    pair[1].source,
                ));
            }
        }
        Ok(Self {
            verbs: Phrases::new(verbs, crate::verbs::universal())?,
            queries: Phrases::new(queries, crate::queries::universal())?,
            actions: Phrases::new(actions, Vec::new())?,
            selectors,
            lints,
            tables,
        })
    }

    /// The verbs, by category and phrase.
    pub fn verbs(&self) -> impl Iterator<Item = &'static Verb<M>> {
        self.verbs.list.iter().copied()
    }

    /// The queries, by category and phrase.
    pub fn queries(&self) -> impl Iterator<Item = &'static Verb<M>> {
        self.queries.list.iter().copied()
    }

    /// The session actions, by category and phrase.
    pub fn actions(&self) -> impl Iterator<Item = &'static Verb<M>> {
        self.actions.list.iter().copied()
    }

    /// The domain's own selectors, by name.
    pub fn selectors(&self) -> impl Iterator<Item = &'static SelectorDef<M>> {
        self.selectors.iter().copied()
    }

    /// The domain's warnings, the weightiest first.
    pub fn lints(&self) -> impl Iterator<Item = &'static Lint<M>> {
        self.lints.iter().copied()
    }

    /// The domain's own tables, by name.
    pub fn tables(&self) -> impl Iterator<Item = &'static TableDef<M>> {
        self.tables.iter().copied()
    }

    /// The verb that an op calls.
    #[must_use]
    pub fn verb(&self, op: &ParsedOp<'_>) -> Option<Found<M>> {
        self.verbs.find(op)
    }

    /// The query that an op calls.
    #[must_use]
    pub fn query(&self, op: &ParsedOp<'_>) -> Option<Found<M>> {
        self.queries.find(op)
    }

    /// The session action that an op calls.
    #[must_use]
    pub fn action(&self, op: &ParsedOp<'_>) -> Option<Found<M>> {
        self.actions.find(op)
    }

    /// The first words of all phrases of a role, including the runtime's own.
    #[must_use]
    pub fn phrases(&self, role: Role) -> Vec<&'static str> {
        let (phrases, builtin) = match role {
            Role::Query => (&self.queries, crate::queries::BUILTIN),
            Role::Action => (&self.actions, crate::session::actions::BUILTIN),
            _ => (&self.verbs, crate::session::STEERING),
        };
        let own = phrases.by_phrase.keys().copied();
        let all = own.chain(builtin.iter().map(|(syntax, _)| *syntax));
        let mut words: Vec<&str> = all.filter_map(|phrase| phrase.split(' ').next()).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// The first word of a role that was probably meant by an unknown one.
    #[must_use]
    pub fn near(&self, role: Role, op: &ParsedOp<'_>) -> Option<&'static str> {
        let phrases = self.phrases(role);
        match role {
            Role::Verb => meant_act(&op.verb.text, phrases.iter().copied()),
            _ => nearest_word(&op.verb.text, phrases),
        }
    }

    /// The words that complete a phrase of a role after this first word: `add`, `remove` and
    /// `rename` for `track`.
    pub fn following<'a>(
        &'a self,
        role: Role,
        first: &'a str,
    ) -> impl Iterator<Item = &'static str> + 'a {
        let phrases = match role {
            Role::Query => &self.queries,
            Role::Action => &self.actions,
            _ => &self.verbs,
        };
        let phrases = phrases.by_phrase.keys();
        phrases.filter_map(move |phrase| {
            let (word, second) = phrase.split_once(' ')?;
            (word == first).then_some(second)
        })
    }

    /// The verb with this phrase.
    #[must_use]
    pub(crate) fn called(&self, phrase: &str) -> Option<&'static Verb<M>> {
        self.verbs.get(phrase)
    }

    /// Returns whether the domain or the runtime has a verb with this phrase: it takes precedence
    /// over words that steer a batch.
    #[must_use]
    pub fn owns_verb(&self, phrase: &str) -> bool {
        self.verbs.get(phrase).is_some()
    }

    /// Returns whether the domain has its own query with this phrase.
    #[must_use]
    pub fn owns_query(&self, phrase: &str) -> bool {
        self.queries.get(phrase).is_some()
    }

    /// Returns whether the domain has its own session action with this phrase.
    #[must_use]
    pub fn owns_action(&self, phrase: &str) -> bool {
        self.actions.get(phrase).is_some()
    }

    /// The domain's own selector of this name.
    #[must_use]
    pub fn selector(&self, name: &str) -> Option<&'static SelectorDef<M>> {
        self.selectors()
            .find(|def| def.name == name || def.aliases.contains(&name))
    }

    /// The names of all selectors.
    pub fn selector_names(&self) -> impl Iterator<Item = &'static str> {
        let own = self.selectors().map(|def| def.name);
        let fields = M::kinds()
            .flat_map(|(_, shape)| shape.fields)
            .filter_map(|f| f.selector)
            .map(|(name, _)| name);
        select::UNIVERSAL
            .iter()
            .map(|(name, _)| *name)
            .chain(own)
            .chain(fields)
    }
}

impl<M: Domain> Phrases<M> {
    fn new(own: Vec<&'static Verb<M>>, universal: Vec<&'static Verb<M>>) -> Result<Self, String> {
        let mut by_phrase: BTreeMap<&'static str, &'static Verb<M>> = BTreeMap::new();
        for verb in own {
            for phrase in std::iter::once(&verb.phrase).chain(verb.aliases) {
                if let Some(other) = by_phrase.insert(phrase, verb) {
                    return Err(twice("", phrase, other.source, verb.source));
                }
            }
        }
        let own: Vec<&'static str> = by_phrase.keys().copied().collect();
        for verb in universal {
            // The domain's own verbs replace the runtime's; aliases of the runtime's are replaced
            // one by one.
            for phrase in std::iter::once(&verb.phrase).chain(verb.aliases) {
                if own.binary_search(phrase).is_err() {
                    by_phrase.insert(phrase, verb);
                }
            }
        }
        let mut list: Vec<&'static Verb<M>> = Vec::new();
        for (phrase, verb) in &by_phrase {
            if verb.phrase == *phrase {
                list.push(verb);
            }
        }
        list.sort_by_key(|verb| (verb.category, verb.phrase));
        let place =
            |verb: &'static Verb<M>| list.iter().position(|other| std::ptr::eq(*other, verb));
        let by_phrase = by_phrase
            .into_iter()
            .filter_map(|(phrase, verb)| Some((phrase, place(verb)?)))
            .collect();
        Ok(Self { list, by_phrase })
    }

    fn get(&self, phrase: &str) -> Option<&'static Verb<M>> {
        self.by_phrase
            .get(phrase)
            .and_then(|ix| self.list.get(*ix))
            .copied()
    }

    /// The verb with the longest phrase that the op starts with. A kind that qualifies the target
    /// counts as a word of the phrase, and still qualifies the target.
    fn find(&self, op: &ParsedOp<'_>) -> Option<Found<M>> {
        let first: &str = &op.verb.text;
        let second = match op.words.first() {
            Some(OpWord::Positional(word)) if word.quoted == Quoted::No => {
                Some((word.text.to_lowercase(), false))
            }
            Some(OpWord::Param(param)) if M::kind(&param.key).is_some() => {
                Some((fold(&param.key), true))
            }
            _ => None,
        };
        // Phrases have at most two words; longer ones would need support here.
        if let Some((second, qualified)) = second
            && let Some(verb) = self.get(&format!("{first} {second}"))
            && !verb.infix
            && !(qualified && self.takes_more(first, verb, op))
        {
            return Some(Found {
                verb,
                skip: 0..usize::from(!qualified),
                qualified,
            });
        }
        if let Some(found) = self.around_target(op) {
            return Some(found);
        }
        self.get(first).map(|verb| Found {
            verb,
            skip: 0..0,
            qualified: false,
        })
    }

    /// Returns whether a verb of one word takes an op's keys while the one of two words that names
    /// a kind does not: `copy track:Piano to:5` concerns the rows of that track.
    fn takes_more(&self, first: &str, own: &Verb<M>, op: &ParsedOp<'_>) -> bool {
        let takes = |verb: &Verb<M>| {
            let any = |key: &str| verb.params.iter().any(|param| param.answers_to(key));
            let open = verb
                .params
                .iter()
                .any(|param| param.place == super::Place::Fields);
            open || op.params().skip(1).all(|written| any(&written.key))
        };
        !takes(own) && self.get(first).is_some_and(takes)
    }

    /// The verb whose second word follows the target: one word, or selectors.
    fn around_target(&self, op: &ParsedOp<'_>) -> Option<Found<M>> {
        let selectors = op.words.iter();
        let selectors = selectors.take_while(|word| matches!(word, OpWord::Selector(_)));
        let at = selectors.count().max(1);
        let Some(OpWord::Positional(word)) = op.words.get(at) else {
            return None;
        };
        if word.quoted != Quoted::No {
            return None;
        }
        let phrase = format!("{} {}", op.verb.text, word.text.to_lowercase());
        let verb = self.get(&phrase).filter(|verb| verb.infix)?;
        Some(Found {
            verb,
            skip: at..at + 1,
            qualified: false,
        })
    }
}

fn twice(what: &str, name: &str, one: super::Source, other: super::Source) -> String {
    format!(
        "{what}{name} is written twice: {}:{} and {}:{}",
        one.file, one.line, other.file, other.line
    )
}
