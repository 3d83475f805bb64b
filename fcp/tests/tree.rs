//! The ordered tree: its content, its recorded changes, and its limits of depth and width.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::collections::{BTreeMap, BTreeSet};

use fcp::model::{Id, Ids, Journaled, Poly, RowIndex, Step, Tree, TreeChange, TreeRow};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Writes its text before its children, and a bracket behind them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Word(String);

impl TreeRow for Word {
    fn head(&self, sink: &mut dyn FnMut(&str)) {
        sink(&self.0);
        sink("(");
    }
    fn tail(&self, sink: &mut dyn FnMut(&str)) {
        sink(")");
    }
    fn heap(&self) -> usize {
        self.0.len()
    }
}

/// The rows by their first letter.
#[derive(Debug, Default, PartialEq)]
struct Letters(BTreeSet<(Option<char>, u32)>);

impl RowIndex<Word> for Letters {
    fn insert(&mut self, id: Id<Word>, row: &Word) {
        assert!(self.0.insert((row.0.chars().next(), id.number())));
    }
    fn remove(&mut self, id: Id<Word>, row: &Word) {
        assert!(self.0.remove(&(row.0.chars().next(), id.number())));
    }
    fn agrees(&self, other: &Self) -> bool {
        self == other
    }
}

type Words = Tree<Word, Letters>;

/// A tree kept as lists.
#[derive(Default)]
struct Naive {
    words: BTreeMap<u32, String>,
    parents: BTreeMap<u32, u32>,
    children: BTreeMap<u32, Vec<u32>>,
}

impl Naive {
    fn attach(&mut self, id: u32, parent: u32, before: Option<u32>) {
        let siblings = self.children.entry(parent).or_default();
        let at = before.map_or(siblings.len(), |before| {
            siblings.iter().position(|id| *id == before).unwrap()
        });
        siblings.insert(at, id);
        self.parents.insert(id, parent);
    }

    fn detach(&mut self, id: u32) {
        let parent = self.parents.remove(&id).unwrap();
        let siblings = self.children.get_mut(&parent).unwrap();
        siblings.retain(|other| *other != id);
    }

    fn order(&self, id: u32, into: &mut Vec<u32>) {
        for child in self.children.get(&id).into_iter().flatten() {
            into.push(*child);
            self.order(*child, into);
        }
    }

    fn within(&self, mut inner: u32, outer: u32) -> bool {
        while inner != outer && inner != 0 {
            inner = self.parents[&inner];
        }
        inner == outer
    }

    fn text(&self, id: u32) -> String {
        let children = self.children.get(&id).into_iter().flatten();
        let inner: String = children.map(|child| self.text(*child)).collect();
        match self.words.get(&id) {
            Some(word) => format!("{word}({inner})"),
            None => inner,
        }
    }
}

/// An edit; its rows are given by numbers, taken modulo the number of rows.
#[derive(Clone, Debug)]
enum Edit {
    Insert(usize, usize, u8),
    Modify(usize, u8),
    Move(usize, usize, usize),
    Remove(usize),
    Drain,
}

fn edit() -> impl Strategy<Value = Edit> {
    let n = || any::<u16>().prop_map(usize::from);
    prop_oneof![
        4 => (n(), n(), any::<u8>()).prop_map(|(a, b, c)| Edit::Insert(a, b, c)),
        2 => (n(), any::<u8>()).prop_map(|(a, b)| Edit::Modify(a, b)),
        3 => (n(), n(), n()).prop_map(|(a, b, c)| Edit::Move(a, b, c)),
        1 => n().prop_map(Edit::Remove),
        1 => Just(Edit::Drain),
    ]
}

fn word(n: u8) -> String {
    ["", "a", "bb", "äö", "\0", "c d"][usize::from(n) % 6].to_owned()
}

/// A row or the root, and one of its children or `None`.
fn pick(naive: &Naive, row: usize, child: usize) -> (u32, Option<u32>) {
    let ids: Vec<u32> = [0].into_iter().chain(naive.words.keys().copied()).collect();
    let parent = ids[row % ids.len()];
    let children = naive.children.get(&parent).map_or(&[][..], Vec::as_slice);
    let at = child % (children.len() + 1);
    (parent, children.get(at).copied())
}

fn apply(tree: &mut Words, naive: &mut Naive, edit: &Edit) {
    let ids: Vec<u32> = naive.words.keys().copied().collect();
    let row = |n: usize| ids.get(n % ids.len().max(1)).copied();
    match edit {
        Edit::Insert(parent, child, text) => {
            let (parent, before) = pick(naive, *parent, *child);
            let id = tree
                .insert(Word(word(*text)), Id::new(parent), before.map(Id::new))
                .unwrap();
            naive.words.insert(id.number(), word(*text));
            naive.attach(id.number(), parent, before);
        }
        Edit::Modify(n, text) => {
            let Some(id) = row(*n) else { return };
            let changed = tree.modify(Id::new(id), |row| row.0 = word(*text));
            let old = naive.words.insert(id, word(*text)).unwrap();
            assert_eq!(changed, old != word(*text));
        }
        Edit::Move(n, parent, child) => {
            let Some(id) = row(*n) else { return };
            let (parent, before) = pick(naive, *parent, *child);
            let result = tree.relocate(Id::new(id), Id::new(parent), before.map(Id::new));
            if naive.within(parent, id) {
                assert!(result.is_err());
                return;
            }
            let old = naive.text(0);
            let mut order = Vec::new();
            naive.order(0, &mut order);
            if before != Some(id) {
                naive.detach(id);
                naive.attach(id, parent, before);
            }
            let mut now = Vec::new();
            naive.order(0, &mut now);
            if !result.unwrap() {
                assert_eq!((naive.text(0), now), (old, order));
            }
        }
        Edit::Remove(n) => {
            let Some(id) = row(*n) else { return };
            let mut gone = vec![id];
            naive.order(id, &mut gone);
            assert!(tree.remove(Id::new(id)));
            naive.detach(id);
            for id in gone {
                naive.words.remove(&id);
                naive.children.remove(&id);
                naive.parents.remove(&id);
                assert!(!tree.contains(Id::new(id)));
            }
        }
        Edit::Drain => {}
    }
}

fn agree(tree: &Words, naive: &Naive) {
    assert_eq!(tree.text(), naive.text(0));
    assert_eq!(tree.hash(), Poly::of(&tree.text()).finish());
    let mut order = Vec::new();
    naive.order(0, &mut order);
    let ids: Vec<u32> = tree.ids().map(Id::number).collect();
    assert_eq!(ids, order);
    tree.audit().unwrap();
    for (at, id) in ids.iter().enumerate() {
        let parent = naive.parents[id];
        let siblings = &naive.children[&parent];
        let place = siblings.iter().position(|other| other == id).unwrap();
        let own = Id::new(*id);
        assert_eq!(tree.parent(own), Some(Id::new(parent)));
        assert_eq!(tree.index_of(own), Some(place));
        assert_eq!(tree.nth_child(Id::new(parent), place), Some(own));
        let sibling = |at: usize| siblings.get(at).copied().map(Id::new);
        assert_eq!(tree.next_sibling(own), sibling(place + 1));
        assert_eq!(tree.previous_sibling(own), sibling(place.wrapping_sub(1)));
        let text = naive.text(*id);
        assert_eq!(tree.hash_of(own), Poly::of(&text).finish());
        assert_eq!(tree.text_of(own), text);
        for (other_at, other) in ids.iter().enumerate().skip(at % 7).step_by(5) {
            assert_eq!(tree.order(own, Id::new(*other)), at.cmp(&other_at));
            let within = naive.within(*id, *other);
            assert_eq!(tree.is_within(own, Id::new(*other)), within);
        }
    }
}

proptest! {
    #[test]
    fn any_edits_agree_with_lists_and_are_undone_and_redone(
        edits in prop::collection::vec(edit(), 1..80)
    ) {
        let mut tree = Words::attach(&Ids::default());
        let mut naive = Naive::default();
        let mut ids: Vec<u32> = Vec::new();
        let mut batches: Vec<(String, Vec<u32>, Vec<TreeChange<Word>>)> = Vec::new();
        let mut before = String::new();
        for edit in edits.iter().chain([&Edit::Drain]) {
            apply(&mut tree, &mut naive, edit);
            agree(&tree, &naive);
            if matches!(edit, Edit::Drain) {
                let changes = tree.drain();
                let json = serde_json::to_string(&changes).unwrap();
                let changes: Vec<TreeChange<Word>> = serde_json::from_str(&json).unwrap();
                batches.push((before, ids, changes));
                before = tree.text();
                ids = tree.ids().map(Id::number).collect();
            }
        }
        let (after, last) = (before, ids);
        for (text, ids, changes) in batches.iter().rev() {
            changes.iter().rev().for_each(|change| tree.reverse(change));
            prop_assert_eq!(&tree.text(), text);
            prop_assert_eq!(&tree.ids().map(Id::number).collect::<Vec<_>>(), ids);
            tree.audit().unwrap();
        }
        for (_, _, changes) in &batches {
            changes.iter().for_each(|change| tree.replay(change));
            tree.audit().unwrap();
        }
        prop_assert_eq!(tree.text(), after);
        prop_assert_eq!(tree.ids().map(Id::number).collect::<Vec<_>>(), last);
        prop_assert!(tree.drain().is_empty());
    }
}

/// `a(b() c() d())` and the rows.
fn small() -> (Words, [Id<Word>; 4]) {
    let mut tree = Words::attach(&Ids::default());
    let mut add = |text: &str, parent| tree.insert(Word(text.into()), parent, None).unwrap();
    let a = add("a", Words::ROOT);
    let rows = [a, add("b", a), add("c", a), add("d", a)];
    tree.drain();
    (tree, rows)
}

#[test]
fn edits_without_effect_leave_no_change() {
    type Case = (&'static str, fn(&mut Words, [Id<Word>; 4]), usize);
    let cases: [Case; 9] = [
        (
            "moved away and back",
            |tree, [a, b, c, _]| {
                tree.relocate(b, Words::ROOT, None).unwrap();
                tree.relocate(b, a, Some(c)).unwrap();
            },
            0,
        ),
        (
            "two moved away and back",
            |tree, [a, b, c, d]| {
                tree.relocate(b, Words::ROOT, None).unwrap();
                tree.relocate(c, Words::ROOT, None).unwrap();
                tree.relocate(c, a, Some(d)).unwrap();
                tree.relocate(b, a, Some(c)).unwrap();
            },
            0,
        ),
        (
            "changed and changed back",
            |tree, [_, b, ..]| {
                tree.modify(b, |row| row.0 = "x".into());
                tree.modify(b, |row| row.0 = "b".into());
            },
            0,
        ),
        (
            "a subtree added and removed, another change between",
            |tree, [_, b, c, _]| {
                let x = tree.insert(Word("x".into()), b, None).unwrap();
                tree.insert(Word("y".into()), x, None).unwrap();
                tree.modify(c, |row| row.0 = "z".into());
                tree.remove(x);
            },
            1,
        ),
        (
            "added, changed, moved: added there",
            |tree, [a, b, ..]| {
                let x = tree.insert(Word("x".into()), b, None).unwrap();
                tree.modify(x, |row| row.0 = "y".into());
                tree.relocate(x, a, None).unwrap();
            },
            1,
        ),
        (
            "changed and removed: removed",
            |tree, [_, b, ..]| {
                tree.modify(b, |row| row.0 = "y".into());
                tree.remove(b);
            },
            1,
        ),
        (
            "moved and removed: removed",
            |tree, [_, b, ..]| {
                tree.relocate(b, Words::ROOT, None).unwrap();
                tree.remove(b);
            },
            1,
        ),
        (
            "added and removed, but a row was put before it",
            |tree, [a, _, c, _]| {
                let x = tree.insert(Word("x".into()), a, Some(c)).unwrap();
                tree.insert(Word("y".into()), a, Some(x)).unwrap();
                tree.remove(x);
            },
            3,
        ),
        (
            "moved to its own place",
            |tree, [a, b, c, _]| {
                assert!(!tree.relocate(b, a, Some(c)).unwrap());
                assert!(!tree.relocate(b, a, Some(b)).unwrap());
            },
            0,
        ),
    ];
    for (name, change, count) in cases {
        let (mut tree, rows) = small();
        change(&mut tree, rows);
        let after = tree.text();
        let changes = tree.drain();
        assert_eq!(changes.len(), count, "{name}: {changes:?}");
        changes.iter().rev().for_each(|change| tree.reverse(change));
        assert_eq!(tree.text(), "a(b()c()d())", "{name}");
        changes.iter().for_each(|change| tree.replay(change));
        assert_eq!(tree.text(), after, "{name}");
        tree.audit().unwrap();
    }
}

#[test]
fn the_hash_does_not_depend_on_chunking() {
    let (tree, _) = small();
    let mut other = Words::attach(&Ids::default());
    other
        .insert(Word("a(b()c".into()), Words::ROOT, None)
        .unwrap();
    assert_ne!(tree.hash(), other.hash());
    let id = other.ids().next().unwrap();
    other.remove(id);
    let outer = other.insert(Word("a".into()), Words::ROOT, None).unwrap();
    other.insert(Word("b()c()d".into()), outer, None).unwrap();
    assert_eq!(tree.text(), other.text());
    assert_eq!(tree.hash(), other.hash());
}

#[test]
fn swapping_siblings_is_another_hash() {
    let (mut tree, [a, b, c, _]) = small();
    let hash = tree.hash();
    tree.relocate(c, a, Some(b)).unwrap();
    assert_ne!(tree.hash(), hash);
    tree.drain().iter().for_each(|change| tree.reverse(change));
    assert_eq!(tree.hash(), hash);
}

#[test]
fn impossible_edits_are_refused_and_change_nothing() {
    let (mut tree, [a, b, c, _]) = small();
    let gone = Id::new(99);
    let new = || Word("x".into());
    let refused = [
        tree.insert(new(), gone, None).unwrap_err(),
        tree.insert(new(), a, Some(gone)).unwrap_err(),
        tree.insert(new(), b, Some(c)).unwrap_err(),
        tree.relocate(gone, a, None).unwrap_err(),
        tree.relocate(Words::ROOT, a, None).unwrap_err(),
        tree.relocate(a, a, None).unwrap_err(),
        tree.relocate(a, b, None).unwrap_err(),
        tree.relocate(b, Words::ROOT, Some(c)).unwrap_err(),
        tree.need(gone).unwrap_err(),
    ];
    let messages: Vec<String> = refused.into_iter().map(|error| error.message).collect();
    assert_eq!(
        messages,
        [
            "#99 is gone",
            "#99 is gone",
            "#3 is not in #2",
            "#99 is gone",
            "#0 is gone",
            "#1 cannot be moved into itself",
            "#1 cannot be moved into itself",
            "#3 is not in #0",
            "#99 is gone",
        ]
    );
    assert!(!tree.remove(gone) && !tree.remove(Words::ROOT));
    assert!(!tree.modify(Words::ROOT, |row| row.0.clear()));
    assert!(tree.drain().is_empty());
    assert_eq!(tree.text(), "a(b()c()d())");
}

#[test]
fn a_walk_comes_by_each_row_twice() {
    let (tree, [a, b, c, d]) = small();
    let (enter, leave) = (Step::Enter, Step::Leave);
    let steps: Vec<_> = tree.walk(a).collect();
    let inner = [b, c, d].map(|id| [enter(id), leave(id)]);
    let expected: Vec<_> = [enter(a)]
        .into_iter()
        .chain(inner.into_iter().flatten())
        .chain([leave(a)])
        .collect();
    assert_eq!(steps, expected);
    assert_eq!(tree.walk(Words::ROOT).count(), 10);
    assert_eq!(tree.walk(Id::new(99)).count(), 0);
    assert_eq!(tree.ancestors(d).collect::<Vec<_>>(), [a]);
    assert_eq!(tree.descendants(a).collect::<Vec<_>>(), [b, c, d]);
    assert_eq!((tree.depth(a), tree.depth(d)), (0, 1));
}

/// The number of edits to big trees: large enough that any cost above logarithmic would be noticed.
const MANY: u32 = 100_000;

#[test]
fn a_hundred_thousand_siblings_are_fast() {
    let mut tree = Words::attach(&Ids::default());
    for n in 0..MANY {
        tree.insert(Word(n.to_string()), Words::ROOT, None).unwrap();
    }
    tree.drain();
    let ids: Vec<_> = tree.ids().collect();
    assert_eq!(ids.len(), MANY as usize);
    let before = tree.hash();
    // Reversed by moving each to the front, with queries for positions and the hash in between.
    for id in &ids {
        let first = tree.first_child(Words::ROOT);
        tree.relocate(*id, Words::ROOT, first).unwrap();
        assert_eq!(tree.index_of(*id), Some(0));
        assert_ne!(tree.hash(), 0);
    }
    assert!(tree.ids().eq(ids.iter().rev().copied()));
    assert!(tree.order(ids[5], ids[7]).is_gt());
    let changes = tree.drain();
    changes.iter().rev().for_each(|change| tree.reverse(change));
    assert_eq!(tree.hash(), before);
    for id in ids.iter().step_by(2) {
        tree.remove(*id);
    }
    assert_eq!(tree.len(), MANY as usize / 2);
    tree.audit().unwrap();
}

#[test]
fn two_hundred_thousand_levels_overflow_nothing() {
    let mut tree = Words::attach(&Ids::default());
    let mut at = Words::ROOT;
    for _ in 0..2 * MANY {
        at = tree.insert(Word("x".into()), at, None).unwrap();
    }
    let top = tree.ids().next().unwrap();
    let text = tree.text();
    assert_eq!(text.len(), 6 * MANY as usize);
    assert_eq!(tree.hash(), Poly::of(&text).finish());
    assert_eq!(tree.depth(at), 2 * MANY as usize - 1);
    assert!(tree.is_within(at, top) && tree.order(top, at).is_lt());
    assert_eq!(tree.walk(top).count(), 4 * MANY as usize);
    tree.audit().unwrap();
    tree.drain();
    tree.remove(top);
    assert!(tree.is_empty());
    let changes = tree.drain();
    changes.iter().rev().for_each(|change| tree.reverse(change));
    assert_eq!(tree.text(), text);
}
