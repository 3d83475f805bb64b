//! Sessions of any domain, on files made from its own examples.

use super::play::Sample;
use super::run::{Effort, fidelity};
use crate::domain::Domain;
use crate::model::ModelExt;
use crate::script::Call;
use crate::testing::fuzz::Grammar;
use crate::testing::play::{scratch, session};
use crate::testing::walk::file_name;

/// The most files made.
const FILES: usize = 40;

/// Random sessions on the files that a domain's examples make. They check that every changed byte
/// is accounted for by an op, that a moved row keeps its identity, that a saved file opens as it
/// was, and that undoing everything restores the file. `known` holds faults that are not fixed yet:
/// the failing check, and the verb.
///
/// # Panics
/// A check fails; the message has the fewest ops that show it.
pub fn any_edits<M: Domain>(known: &[(&str, &str)]) {
    let files = made::<M>();
    let outcome = fidelity::<M>(&files, &mut [], Effort::TEST, None);
    let new = outcome.faults().filter(|fault| !known.contains(fault));
    assert_eq!(new.count(), 0, "{outcome}");
    assert!(outcome.applied > 0, "no op applied: {outcome}");
}

/// The files made by a domain's examples, in its usual format. Every other one is made in the session that changes it.
#[must_use]
pub fn made<M: Domain>() -> Vec<Sample> {
    let grammar = Grammar::<M>::new();
    let root = scratch();
    let mut files: Vec<Sample> = Vec::new();
    for (at, calls) in grammar.starts.iter().enumerate() {
        let mut session = session::<M>(root.path());
        Call::Action("new".to_owned()).play(&mut session);
        // An example may show an error.
        let good = calls
            .iter()
            .filter(|call| !call.play(&mut session).is_error);
        let good: Vec<Call> = good.cloned().collect();
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
            let begun = match files.len() % 2 {
                0 => Vec::new(),
                _ => good,
            };
            files.push(Sample { name, bytes, begun });
        }
    }
    // Picks examples from all parts of the card.
    let step = files.len().div_ceil(FILES).max(1);
    files.into_iter().step_by(step).collect()
}
