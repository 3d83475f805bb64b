//! The event log: the fixtures in `fixtures/events`, and random walks compared with a naive model.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends by panicking"
)]

use std::collections::HashMap;
use std::path::Path;

use fcp::event::{CheckpointError, Entry, EventLog, Place, Since};
use serde_json::{Map, Value, json};

type Log = EventLog<String>;

fn names<'a>(entries: impl IntoIterator<Item = &'a Entry<String>>) -> Value {
    entries
        .into_iter()
        .map(|entry| entry.event.clone())
        .collect()
}

fn failed(error: &CheckpointError) -> Value {
    match error {
        CheckpointError::Unknown { nearest: None, .. } => json!({"error": "unknown"}),
        CheckpointError::Unknown {
            nearest: Some(nearest),
            ..
        } => json!({"error": "unknown", "nearest": nearest}),
        CheckpointError::NothingToUndo { .. } => json!({"error": "nothing"}),
        CheckpointError::Dropped { .. } => json!({"error": "dropped"}),
    }
}

fn run(input: &[Value]) -> Map<String, Value> {
    let mut log = Log::default();
    let mut savepoints = HashMap::new();
    let mut results = Vec::new();
    for step in input {
        let step = step.as_object().expect("a step is an object");
        let (action, value) = step.iter().next().expect("a step has an action");
        let count = || usize::try_from(value.as_u64().expect("a count")).unwrap();
        let text = || value.as_str().expect("a name");
        match action.as_str() {
            "append" => {
                let weight = step.get("weight").map_or(1, |weight| {
                    usize::try_from(weight.as_u64().unwrap()).unwrap()
                });
                log.append(text().to_owned(), weight);
            }
            "checkpoint" => log.checkpoint(text()),
            "mark" => log.mark(text()),
            "batch" => {
                log.begin_batch();
            }
            "undo" => results.push(names(log.undo(count()))),
            "undoBatch" => results.push(names(log.undo_batch())),
            "undoTo" => results.push(match log.undo_to(text()) {
                Ok(entries) => names(entries),
                Err(error) => failed(&error),
            }),
            "redo" => results.push(names(log.redo(count()))),
            "recent" => results.push(names(log.recent(count()))),
            "since" => results.push(match log.since(text()) {
                Ok(Since::Done(entries)) => json!({"done": names(entries)}),
                Ok(Since::Undone(entries)) => json!({"undone": names(entries)}),
                Err(error) => failed(&error),
            }),
            "savepoint" => {
                let savepoint = log.savepoint();
                savepoints.insert(text(), savepoint);
            }
            "rollback" => log.rollback(savepoints.remove(text()).unwrap()),
            "release" => log.release(savepoints.remove(text()).unwrap()),
            "limit" => log.set_limit(count()),
            other => panic!("unknown step {other}"),
        }
    }
    let checkpoints: Value = log
        .checkpoints()
        .iter()
        .map(|checkpoint| match checkpoint.place {
            Place::Back(0) => json!([checkpoint.name, 0]),
            Place::Back(n) => json!([checkpoint.name, -i64::try_from(n).unwrap()]),
            Place::Ahead(n) => json!([checkpoint.name, n]),
            Place::Dropped => json!([checkpoint.name, "dropped"]),
        })
        .collect();
    let found = json!({
        "results": results,
        "applied": names(log.applied()),
        "undone": names(log.undone()),
        "cursor": log.cursor(),
        "len": log.len(),
        "undoable": log.undoable(),
        "redoable": log.redoable(),
        "dropped": log.reach().dropped,
        "state": log.state_id(),
        "checkpoints": checkpoints,
    });
    found.as_object().unwrap().clone()
}

/// Runs a fixture file; returns the number of its tests.
fn fixture(name: &str) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures/events")
        .join(name);
    let suite: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let tests = suite["tests"].as_array().unwrap();
    for test in tests {
        let found = run(test["input"].as_array().unwrap());
        for (key, expected) in test["expected"].as_object().unwrap() {
            assert_eq!(found.get(key), Some(expected), "{}: {key}", test["name"]);
        }
    }
    tests.len()
}

#[test]
fn cursor_fixtures() {
    assert!(fixture("cursor.json") >= 30);
}

#[test]
fn checkpoint_fixtures() {
    assert!(fixture("checkpoint.json") >= 30);
}

#[test]
fn entries_survive_serde() {
    let mut log = Log::default();
    log.begin_batch();
    log.append("add".to_owned(), 7);
    let text = serde_json::to_string(&log.recent(1)).unwrap();
    assert_eq!(text, r#"[{"serial":1,"batch":1,"weight":7,"event":"add"}]"#);
    let back: Vec<Entry<String>> = serde_json::from_str(&text).unwrap();
    assert_eq!(&back[0], log.recent(1)[0]);
}

#[test]
fn events_need_not_be_clone() {
    struct Once(u8);
    let mut log = EventLog::new(100);
    let savepoint = log.savepoint();
    log.append(Once(3), 1);
    log.rollback(savepoint);
    log.append(Once(4), 1);
    assert_eq!(log.undo(1)[0].event.0, 4);
}

#[test]
fn a_savepoint_that_ended_with_an_outer_one_does_nothing() {
    let mut log = Log::default();
    let outer = log.savepoint();
    let inner = log.savepoint();
    log.append("A".to_owned(), 1);
    log.release(outer);
    let other = log.savepoint();
    log.append("B".to_owned(), 1);
    log.rollback(inner);
    assert_eq!(log.undoable(), 2);
    log.rollback(other);
    assert_eq!(log.undoable(), 1);
}

#[test]
fn weights_add_up_without_overflow() {
    let mut log = Log::new(usize::MAX - 1);
    log.append("A".to_owned(), usize::MAX);
    log.append("B".to_owned(), usize::MAX);
    assert_eq!((log.undoable(), log.reach().dropped), (1, 1));
}

#[test]
fn errors_read_well() {
    let mut log = Log::new(1);
    log.checkpoint("start");
    log.append("A".to_owned(), 1);
    log.append("B".to_owned(), 1);
    let say = |error: CheckpointError| fcp::diag::Diagnostic::from(error).to_string();
    assert_eq!(
        say(log.undo_to("strat").unwrap_err()),
        "! checkpoint \"strat\" not found"
    );
    assert_eq!(
        say(log.undo_to("start").unwrap_err()),
        "! checkpoint \"start\" is out of reach: the log dropped its oldest entries"
    );
    log.checkpoint("now");
    assert_eq!(
        say(log.undo_to("now").unwrap_err()),
        "! nothing to undo since checkpoint \"now\""
    );
}

/// The log as one vector and an index, copied whole for every savepoint.
mod naive {
    #[derive(Clone, Debug, PartialEq)]
    pub enum Item {
        Entry {
            serial: u64,
            batch: u64,
            weight: usize,
        },
        Sentinel {
            weight: usize,
        },
    }

    #[derive(Clone, Debug, Default)]
    pub struct Model {
        pub items: Vec<Item>,
        pub cursor: usize,
        /// Items before this one were dropped.
        pub floor: usize,
        /// Name, position, and whether it is a sentinel.
        pub marks: Vec<(String, usize, bool)>,
        pub serials: u64,
        pub batch: u64,
    }

    impl Model {
        pub fn serials_in(&self, from: usize, to: usize) -> Vec<u64> {
            let serial = |item: &Item| match item {
                Item::Entry { serial, .. } => Some(*serial),
                Item::Sentinel { .. } => None,
            };
            if from > to {
                return Vec::new();
            }
            self.items[from..to].iter().filter_map(serial).collect()
        }

        fn is_entry(&self, at: usize) -> bool {
            matches!(self.items[at], Item::Entry { .. })
        }

        fn cut(&mut self) {
            if self.cursor == self.items.len() {
                return;
            }
            let before = self.clone();
            self.marks.retain_mut(|(_, at, sentinel)| {
                if *sentinel {
                    return *at < before.cursor;
                }
                let same_state = before.serials_in(before.cursor, *at).is_empty();
                *at = (*at).min(before.cursor);
                same_state
            });
            self.items.truncate(self.cursor);
        }

        pub fn append(&mut self, weight: usize) {
            self.cut();
            self.serials += 1;
            let (serial, batch) = (self.serials, self.batch);
            self.items.push(Item::Entry {
                serial,
                batch,
                weight,
            });
            self.cursor += 1;
        }

        pub fn name(&mut self, name: &str, sentinel: bool) {
            if sentinel {
                self.cut();
            }
            self.marks.retain(|(other, ..)| other != name);
            self.marks.push((name.to_owned(), self.cursor, sentinel));
            if sentinel {
                let weight = 64 + name.len();
                self.items.push(Item::Sentinel { weight });
                self.cursor += 1;
            }
        }

        pub fn undo(&mut self, n: usize) -> Vec<u64> {
            let entries: Vec<_> = (self.floor..self.cursor)
                .rev()
                .filter(|at| self.is_entry(*at))
                .take(n)
                .collect();
            let end = self.cursor;
            self.cursor = entries.last().copied().unwrap_or(self.cursor);
            self.serials_in(self.cursor, end)
                .into_iter()
                .rev()
                .collect()
        }

        pub fn undo_batch(&mut self) -> Vec<u64> {
            let batches: Vec<u64> = self.items[self.floor..self.cursor]
                .iter()
                .rev()
                .filter_map(|item| match item {
                    Item::Entry { batch, .. } => Some(*batch),
                    Item::Sentinel { .. } => None,
                })
                .collect();
            let n = batches.iter().take_while(|b| **b == batches[0]).count();
            self.undo(n)
        }

        pub fn is_dropped(&self, at: usize) -> bool {
            !self.serials_in(at, self.floor).is_empty()
        }

        /// `None` stands for any error.
        pub fn undo_to(&mut self, name: &str) -> Option<Vec<u64>> {
            let (_, at, _) = self.marks.iter().find(|(other, ..)| other == name)?.clone();
            let undone = self.serials_in(at, self.cursor);
            if self.is_dropped(at) || undone.is_empty() {
                return None;
            }
            self.cursor = at.max(self.floor);
            Some(undone.into_iter().rev().collect())
        }

        pub fn redo(&mut self, n: usize) -> Vec<u64> {
            let entries: Vec<_> = (self.cursor..self.items.len())
                .filter(|at| self.is_entry(*at))
                .take(n)
                .collect();
            let start = self.cursor;
            if let Some(last) = entries.last() {
                self.cursor = last + 1;
                while self.cursor < self.items.len() && !self.is_entry(self.cursor) {
                    self.cursor += 1;
                }
            }
            self.serials_in(start, self.cursor)
        }

        pub fn weight(&self) -> usize {
            let weight = |item: &Item| match item {
                Item::Entry { weight, .. } | Item::Sentinel { weight } => *weight,
            };
            self.items[self.floor..].iter().map(weight).sum()
        }

        pub fn spill(&mut self, limit: usize) {
            while self.weight() > limit && self.serials_in(self.floor, self.cursor).len() > 1 {
                self.floor += 1;
            }
        }
    }
}

mod walk {
    use super::{Place, Since, naive::Model};
    use fcp::event::{Entry, EventLog, Reach, Savepoint};
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Act {
        Append(usize),
        Checkpoint(u8),
        Mark(u8),
        Batch,
        Undo(usize),
        UndoBatch,
        UndoTo(u8),
        Redo(usize),
        Savepoint,
        Rollback,
        Release,
    }

    fn act() -> impl Strategy<Value = Act> {
        prop_oneof![
            8 => (0usize..40).prop_map(Act::Append),
            3 => (0u8..4).prop_map(Act::Checkpoint),
            1 => (0u8..4).prop_map(Act::Mark),
            2 => Just(Act::Batch),
            4 => (0usize..6).prop_map(Act::Undo),
            1 => Just(Act::UndoBatch),
            2 => (0u8..5).prop_map(Act::UndoTo),
            4 => (0usize..6).prop_map(Act::Redo),
            2 => Just(Act::Savepoint),
            2 => Just(Act::Rollback),
            1 => Just(Act::Release),
        ]
    }

    fn serials(entries: Vec<&Entry<()>>) -> Vec<u64> {
        entries.into_iter().map(|entry| entry.serial).collect()
    }

    fn name(n: u8) -> String {
        format!("c{n}")
    }

    fn same(log: &EventLog<()>, model: &Model) -> Result<(), TestCaseError> {
        let applied = model.serials_in(model.floor, model.cursor);
        let undone = model.serials_in(model.cursor, model.items.len());
        prop_assert_eq!(serials(log.applied().collect()), applied.clone());
        prop_assert_eq!(serials(log.undone().collect()), undone.clone());
        prop_assert_eq!(log.len(), model.items.len() - model.floor);
        prop_assert_eq!(log.cursor(), model.cursor - model.floor);
        prop_assert_eq!(log.weight(), model.weight());
        let reach = Reach {
            undo: applied.len(),
            redo: undone.len(),
            dropped: model.serials_in(0, model.floor).len(),
        };
        prop_assert_eq!(log.reach(), reach);
        let state = model.serials_in(0, model.cursor).last().copied();
        prop_assert_eq!(log.state_id(), state.unwrap_or(0));

        let mut marks = model.marks.clone();
        marks.sort_by_key(|(name, at, _)| (model.serials_in(0, *at).len(), *at, name.clone()));
        let listed: Vec<_> = log
            .checkpoints()
            .iter()
            .map(|checkpoint| (checkpoint.name.to_owned(), checkpoint.place))
            .collect();
        let expected: Vec<_> = marks
            .iter()
            .map(|(name, at, _)| {
                let back = model.serials_in(*at, model.cursor).len();
                let ahead = model.serials_in(model.cursor, *at).len();
                let place = match (model.is_dropped(*at), ahead) {
                    (true, _) => Place::Dropped,
                    (_, 0) => Place::Back(back),
                    _ => Place::Ahead(ahead),
                };
                (name.clone(), place)
            })
            .collect();
        prop_assert_eq!(listed, expected);
        for (name, at, _) in &marks {
            let since = match log.since(name) {
                Ok(Since::Done(entries)) => Some((true, serials(entries))),
                Ok(Since::Undone(entries)) => Some((false, serials(entries))),
                Err(_) => None,
            };
            let ahead = model.serials_in(model.cursor, *at);
            let expected = match (model.is_dropped(*at), ahead.is_empty()) {
                (true, _) => None,
                (_, true) => Some((true, model.serials_in(*at, model.cursor))),
                _ => Some((false, ahead)),
            };
            prop_assert_eq!(since, expected);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn agrees_with_the_naive_model(acts in prop::collection::vec(act(), 1..80), limit in 100usize..800) {
            let mut log = EventLog::new(limit);
            let mut model = Model::default();
            let mut open: Vec<(Savepoint, Model)> = Vec::new();
            for act in acts {
                let released = matches!(act, Act::Release) && !open.is_empty();
                let spills = released || matches!(act, Act::Append(_) | Act::Checkpoint(_));
                match act {
                    Act::Append(weight) => {
                        let serial = log.append((), weight);
                        model.append(weight);
                        prop_assert_eq!(serial, model.serials);
                    }
                    Act::Checkpoint(n) => {
                        log.checkpoint(&name(n));
                        model.name(&name(n), true);
                    }
                    Act::Mark(n) => {
                        log.mark(&name(n));
                        model.name(&name(n), false);
                    }
                    Act::Batch => {
                        model.batch += 1;
                        prop_assert_eq!(log.begin_batch(), model.batch);
                    }
                    Act::Undo(n) => prop_assert_eq!(serials(log.undo(n)), model.undo(n)),
                    Act::UndoBatch => prop_assert_eq!(serials(log.undo_batch()), model.undo_batch()),
                    Act::UndoTo(n) => {
                        let undone = log.undo_to(&name(n)).ok().map(serials);
                        prop_assert_eq!(undone, model.undo_to(&name(n)));
                    }
                    Act::Redo(n) => prop_assert_eq!(serials(log.redo(n)), model.redo(n)),
                    Act::Savepoint => open.push((log.savepoint(), model.clone())),
                    Act::Rollback => if let Some((savepoint, before)) = open.pop() {
                        log.rollback(savepoint);
                        model = before;
                    },
                    Act::Release => if let Some((savepoint, _)) = open.pop() {
                        log.release(savepoint);
                    },
                }
                if spills && open.is_empty() {
                    model.spill(limit);
                }
                same(&log, &model)?;
            }
            // The outermost savepoint takes everything back, including those inside it.
            if !open.is_empty() {
                let (savepoint, before) = open.swap_remove(0);
                log.rollback(savepoint);
                same(&log, &before)?;
            }
        }
    }
}
