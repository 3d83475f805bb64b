//! Any text as calls of a session's tools.

use std::fs;
use std::path::Path;

use crate::domain::Domain;
use crate::script::Call;
use crate::testing::Walk;
use crate::testing::play::play;
use crate::testing::walk::{Walker, file_name};

/// The most calls of one text.
const CALLS: usize = 12;

/// A document that receives any text. A line is an op, a query after `? `, or a session action
/// after `! `; lines between `[` and `]` are ops of one call.
pub struct Calls<M: Domain> {
    set_up: String,
    /// The name of a file of the domain that exists both inside and outside the root.
    file: String,
    _model: std::marker::PhantomData<fn() -> M>,
}

impl<M: Domain> Calls<M> {
    /// Texts are sent to a new document after a script.
    #[must_use]
    pub fn new(set_up: &str) -> Self {
        Self {
            set_up: set_up.to_owned(),
            file: file_name::<M>("kept"),
            _model: std::marker::PhantomData,
        }
    }

    /// Sends a text. Checks that a refused call leaves no trace, that successful ones can be undone
    /// and redone, that queries change nothing, that answers are bounded, and that no file outside
    /// the root is touched.
    ///
    /// # Panics
    /// A check fails.
    pub fn holds(&self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let mut walker = Walker::<M>::new("text".to_owned(), Walk::spelled(&[]), 1);
        let outside = walker.root().to_owned();
        let root = outside.join("above/root");
        let around = Around::of(&outside, &root, &self.file);
        walker.move_to(&root);
        walker.begin(&["new".to_owned()]);
        if let Err((line, failure)) = play(&mut walker.session, &self.set_up) {
            panic!("the set-up fails in its line {line}:\n{failure}");
        }
        for call in calls(&text).into_iter().take(CALLS) {
            walker.next();
            match &call {
                Call::Ops(ops) => drop(walker.ops(ops, None)),
                Call::Query(query) => drop(walker.query(query)),
                Call::Action(action) => drop(walker.action(action)),
            }
            walker.settled(&call.to_string());
        }
        walker.finish();
        around.untouched(&outside, &root);
    }
}

/// The calls that a text spells. Any text is valid.
pub(super) fn calls(text: &str) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut batch: Option<Vec<String>> = None;
    for line in text.split('\n') {
        match (line, &mut batch) {
            ("[", None) => batch = Some(Vec::new()),
            ("]", Some(_)) => calls.extend(batch.take().map(Call::Ops)),
            (line, Some(ops)) => ops.push(line.to_owned()),
            (line, None) => calls.push(match line.split_at_checked(2) {
                Some(("? ", query)) => Call::Query(query.to_owned()),
                Some(("! ", action)) => Call::Action(action.to_owned()),
                _ => Call::Ops(vec![line.to_owned()]),
            }),
        }
    }
    calls.extend(batch.map(Call::Ops));
    calls
}

/// The files around the root.
struct Around(Vec<(String, Vec<u8>)>);

impl Around {
    /// Makes a root with a file, a folder, and a link that leads out of it to a file and a folder outside.
    fn of(outside: &Path, root: &Path, file: &str) -> Self {
        let made = fs::create_dir_all(root.join("sub"))
            .and_then(|()| fs::write(outside.join(file), "outside"))
            .and_then(|()| fs::write(root.join(file), "inside"));
        made.unwrap_or_else(|error| panic!("{}: {error}", root.display()));
        #[cfg(unix)]
        for (link, to) in [("out", ".."), ("up", "../../kept")] {
            std::os::unix::fs::symlink(to, root.join(link))
                .unwrap_or_else(|error| panic!("{}: {error}", root.display()));
        }
        Self(files(outside, root))
    }

    fn untouched(&self, outside: &Path, root: &Path) {
        let now = files(outside, root);
        assert_eq!(now, self.0, "something outside of the root was touched");
    }
}

/// Every file and folder below a folder, except one folder.
fn files(below: &Path, but: &Path) -> Vec<(String, Vec<u8>)> {
    let (mut found, mut folders) = (Vec::new(), vec![below.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            found.push((
                path.display().to_string(),
                fs::read(&path).unwrap_or_default(),
            ));
            if path.is_dir() && path != but {
                folders.push(path);
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_spells_calls() {
        let ops = |ops: &[&str]| Call::Ops(ops.iter().map(|op| (*op).to_owned()).collect());
        assert_eq!(
            calls("add a\n? map\n! undo\n[\nadd b\n? c\n]\n[\nd"),
            [
                ops(&["add a"]),
                Call::Query("map".to_owned()),
                Call::Action("undo".to_owned()),
                ops(&["add b", "? c"]),
                ops(&["d"]),
            ]
        );
        assert_eq!(calls(""), [ops(&[""])]);
        assert_eq!(calls("]"), [ops(&["]"])]);
    }

    #[test]
    fn changes_outside_the_root_are_noticed() {
        let scratch = crate::testing::play::scratch();
        let root = scratch.path().join("above/root");
        let around = Around::of(scratch.path(), &root, "kept.x");
        fs::write(root.join("new"), "x").unwrap();
        around.untouched(scratch.path(), &root);
        fs::write(scratch.path().join("above/new"), "x").unwrap();
        let seen = std::panic::catch_unwind(|| around.untouched(scratch.path(), &root));
        assert!(seen.is_err());
    }
}
