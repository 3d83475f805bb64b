//! Queries, session actions and settings generated from the registry.

use super::grammar::Grammar;
use crate::domain::Domain;
use crate::op::{quote, spell_param};
use crate::session::{SETTINGS, actions};
use crate::testing::Walk;
use crate::testing::walk::file_name;
use crate::verb::Run;

impl<M: Domain> Grammar<M> {
    pub(super) fn query(&self, random: &mut Walk, model: Option<&M>) -> String {
        let verbs: Vec<_> = self.registry.queries().collect();
        let query = match random.below(8) {
            0 => Self::one(random, &self.queries),
            1 => {
                let known = Self::one(random, &self.queries);
                self.varied(random, &known, model)
            }
            2 => random
                .pick(&[
                    "history",
                    "history 3",
                    "history limit:2 from:2",
                    "diff checkpoint:c1",
                    "diff batch",
                    "diff 3",
                    "warnings limit:1",
                    "status",
                    "find a",
                    "list @recent:3ops",
                ])
                .unwrap_or_default()
                .to_owned(),
            _ => Self::verb(random, &verbs)
                .map_or(String::new(), |verb| self.call(random, verb, model)),
        };
        match random.below(8) {
            0 => format!("{query} limit:{}", random.below(5)),
            1 => format!("{query} from:{}", random.below(5)),
            _ => query,
        }
    }

    /// The name of a file, which may exist.
    fn path(random: &mut Walk) -> String {
        let stems = ["walk", "a", "b", "sub/c", "../d", "/e", "", "a b"];
        let stem = random.pick(&stems).unwrap_or_default();
        match random.below(8) {
            0 => quote(stem).into_owned(),
            _ => quote(&file_name::<M>(stem)).into_owned(),
        }
    }

    pub(super) fn action(&self, random: &mut Walk, model: Option<&M>) -> String {
        if model.is_none() {
            return random
                .pick(&["new", "resume"])
                .unwrap_or_default()
                .to_owned();
        }
        let verbs: Vec<_> = self.registry.actions().collect();
        match random.below(10) {
            0 => format!("open {}", Self::path(random)),
            1 => format!("save as:{}", Self::path(random)),
            2 => random
                .pick(&[
                    "save",
                    "save force",
                    "close",
                    "close discard",
                    "resume",
                    "new",
                    "status",
                ])
                .unwrap_or_default()
                .to_owned(),
            3 => self.setting(random),
            4 => format!("export as:{} force", Self::path(random)),
            5 => Self::one(random, &self.actions),
            6 => {
                let known: Vec<&str> = actions::BUILTIN.iter().map(|(syntax, _)| *syntax).collect();
                let syntax = random.pick(&known).unwrap_or_default();
                let word = syntax.split(' ').next().unwrap_or_default();
                format!("{word} {}", Self::odd(random))
            }
            _ => Self::verb(random, &verbs).map_or("status".to_owned(), |verb| {
                let call = self.call(random, verb, model);
                match verb.run {
                    Run::Export(_) => format!("{call} as:{} force", Self::path(random)),
                    _ => call,
                }
            }),
        }
    }

    fn setting(&self, random: &mut Walk) -> String {
        let known = SETTINGS.iter().chain(M::SETTINGS).map(|(key, _)| *key);
        // A log that drops ops breaks no promise, but then the checks cannot verify it.
        let keys: Vec<&str> = known.filter(|key| *key != "log-limit").collect();
        let key = random.pick(&keys).unwrap_or_default();
        let codes: Vec<&str> = self.registry.lints().map(|lint| lint.code).collect();
        let value = match (key, random.below(4)) {
            (_, 0) => Self::odd(random),
            ("batch", _) => random
                .pick(&["atomic", "isolate", "stop", "default"])
                .unwrap_or_default()
                .to_owned(),
            ("echo", _) => random
                .pick(&["full", "runs"])
                .unwrap_or_default()
                .to_owned(),
            ("warn", _) => format!(
                "{}{}",
                random.pick(&["+", "-", ""]).unwrap_or_default(),
                random.pick(&codes).unwrap_or("all")
            ),
            (_, 1) => "default".to_owned(),
            _ => format!("{}", random.below(30)),
        };
        format!("set {}", spell_param(key, &value))
    }
}
