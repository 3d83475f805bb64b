//! Mostly valid sessions, spelled by bytes.

use super::grammar::Grammar;
use crate::domain::Domain;
use crate::script::Call;
use crate::testing::Walk;
use crate::testing::walk::Walker;

/// The most steps of one session.
const STEPS: usize = 60;

/// The interval of steps that are checked in full.
const EVERY: usize = 3;

/// Sessions spelled by bytes: these choose among the verbs, parameters, values and names in the
/// registry and the document, and among batches, undo, redo, checkpoints, plans, saves, queries and
/// other actions.
pub struct Sessions<M: Domain> {
    grammar: Grammar<M>,
}

impl<M: Domain> Sessions<M> {
    /// Sessions with everything registered for this model.
    ///
    /// # Panics
    /// The registry does not build.
    #[must_use]
    pub fn new() -> Self {
        Self {
            grammar: Grammar::new(),
        }
    }

    /// Plays the session that these bytes spell; checks the invariants of
    /// [`walk`](crate::testing::walk()) at each step.
    ///
    /// # Panics
    /// A check fails.
    pub fn holds(&self, bytes: &[u8]) {
        let mut walker = Walker::<M>::new("session".to_owned(), Walk::spelled(bytes), EVERY);
        let starts = &self.grammar.starts;
        let at = walker.random.below(starts.len() + 1);
        walker.begin(&["new".to_owned()]);
        for call in starts.get(at).into_iter().flatten() {
            call.play(&mut walker.session);
            if matches!(call, Call::Action(_)) {
                walker.start();
            }
        }
        let mut author = &self.grammar;
        while !walker.random.is_over() && walker.tally.steps < STEPS {
            walker.step(&mut author);
        }
        walker.finish();
    }
}

impl<M: Domain> Default for Sessions<M> {
    fn default() -> Self {
        Self::new()
    }
}
