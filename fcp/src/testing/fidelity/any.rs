//! The sessions of any domain, on files that it makes of its own examples.

use super::play::Sample;
use super::run::{Effort, fidelity};
use crate::domain::Domain;
use crate::model::ModelExt;
use crate::script::Call;
use crate::testing::fuzz::Grammar;
use crate::testing::play::{scratch, session};
use crate::testing::walk::file_name;

/// The most files that are made.
const FILES: usize = 40;

/// Random sessions on the files that a domain's examples make: no byte changes that no op accounts for, what moves stays the
/// same row, what is saved opens as it was, and undoing everything gives the file back. `known` are faults that wait to be
/// mended: the check that fails, and the verb.
///
/// # Panics
/// One of these does not hold; the fewest ops that show it are named.
pub fn any_edits<M: Domain>(known: &[(&str, &str)]) {
    let files = made::<M>();
    let outcome = fidelity::<M>(&files, &mut [], Effort::TEST, None);
    let new = outcome.faults().filter(|fault| !known.contains(fault));
    assert_eq!(new.count(), 0, "{outcome}");
    assert!(outcome.applied > 0, "no op applied: {outcome}");
}

/// The files that the examples of a domain make, in its usual format.
#[must_use]
pub fn made<M: Domain>() -> Vec<Sample> {
    let grammar = Grammar::<M>::new();
    let root = scratch();
    let mut files: Vec<Sample> = Vec::new();
    for (at, calls) in grammar.starts.iter().enumerate() {
        let mut session = session::<M>(root.path());
        Call::Action("new".to_owned()).play(&mut session);
        for call in calls {
            call.play(&mut session);
        }
        let format = M::FORMATS.first().map_or("", |format| format.name);
        let holds = session.model().filter(|model| {
            let rows = model.tables().map(|(_, _, rows)| rows.len());
            rows.sum::<usize>() > 0
        });
        let Some(bytes) = holds.and_then(|model| model.file(format).ok()) else {
            continue;
        };
        if files.iter().all(|file| file.bytes != bytes) {
            let name = file_name::<M>(&format!("example-{}", at + 1));
            files.push(Sample { name, bytes });
        }
    }
    // Examples from all parts of the card.
    let step = files.len().div_ceil(FILES).max(1);
    files.into_iter().step_by(step).collect()
}
