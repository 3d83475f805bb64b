//! The cost of calls from any text, on large documents.

use std::cell::RefCell;
use std::fmt::Display;
use std::time::Duration;

use super::calls::calls;
use crate::domain::Domain;
use crate::endpoint::Endpoint;
use crate::script::Call;
use crate::testing::growth::Stage;
use crate::testing::processor_time;
use crate::work;

/// The most calls of one text.
const CALLS: usize = 4;

/// The step limit of a call, in millions.
pub(super) const MILLIONS: u64 = 2;

/// The processor time allowed for any call.
const LEAST: Duration = Duration::from_millis(300);

/// The processor time allowed per step, in a build with coverage counters.
const STEP: Duration = Duration::from_nanos(1_000);

/// The processor time allowed per byte of the document, the call or its reply.
const BYTE: Duration = Duration::from_nanos(2_000);

/// Checks the processor time of a call against its counted steps and bytes.
///
/// # Panics
/// It took longer than these allow.
pub(super) fn in_time(call: &dyn Display, took: Duration, (steps, bytes): (u64, usize)) {
    let [of_steps, of_bytes] =
        [steps, bytes as u64].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    let most = LEAST + STEP * of_steps + BYTE * of_bytes;
    assert!(
        took <= most,
        "{call}\ntakes {took:?} for {steps} steps and {bytes} bytes, more than {most:?}"
    );
}

/// The large documents of a domain, which receive any text. The first byte of a text chooses one;
/// the rest spells calls as in [`Calls`](super::Calls).
pub struct Costs<M: Domain> {
    stages: Vec<RefCell<Stage<M>>>,
}

/// The cost of a call.
struct Cost {
    steps: u64,
    took: Duration,
    /// The bytes of the document, the call and its reply.
    bytes: usize,
    /// Whether it has only ops and exceeded its steps.
    is_over: bool,
    changed: bool,
}

impl<M: Domain> Costs<M> {
    /// Documents of about `rows` rows.
    ///
    /// # Panics
    /// A large document cannot be opened.
    #[must_use]
    pub fn new(rows: usize) -> Self {
        let stages = M::LARGE.iter().map(|shape| {
            let mut stage = Stage::new((shape.make)(rows));
            stage.open();
            RefCell::new(stage)
        });
        Self {
            stages: stages.collect(),
        }
    }

    /// Sends a text. Checks that a call that exceeds its steps changes nothing.
    ///
    /// # Panics
    /// The check fails.
    pub fn holds(&self, bytes: &[u8]) {
        self.each(bytes, |_, _| ());
    }

    /// Sends a text, and compares the processor time of each call with the counted steps and the
    /// bytes of document, call and reply, to find uncounted work.
    ///
    /// # Panics
    /// The comparison fails, or a call that exceeds its steps changes something.
    pub fn holds_in_time(&self, bytes: &[u8]) {
        self.each(bytes, |call, cost| {
            in_time(call, cost.took, (cost.steps, cost.bytes));
        });
    }

    fn each(&self, bytes: &[u8], judge: impl Fn(&Call, &Cost)) {
        let Some((first, rest)) = bytes.split_first() else {
            return;
        };
        let Some(at) = usize::from(*first).checked_rem(self.stages.len()) else {
            return;
        };
        let mut stage = self.stages[at].borrow_mut();
        for call in calls(&String::from_utf8_lossy(rest))
            .into_iter()
            .take(CALLS)
        {
            let cost = stage.cost(&call);
            assert!(
                !cost.is_over || !cost.changed,
                "{call}\ntakes too many steps and changes the document"
            );
            judge(&call, &cost);
        }
        stage.reset();
    }
}

impl<M: Domain> Stage<M> {
    fn cost(&mut self, call: &Call) -> Cost {
        self.session.act(&format!("set work-limit:{MILLIONS}"));
        let before = self.session.digest();
        let start = processor_time();
        let answer = call.play(&mut self.session);
        let took = processor_time().saturating_sub(start);
        let steps = work::last();
        Cost {
            steps,
            took,
            bytes: self.bytes.len() + call.to_string().len() + answer.text.len(),
            is_over: steps > MILLIONS * work::MILLION && is_edit(call),
            changed: self.session.digest() != before,
        }
    }
}

/// Returns whether a call has only ops and queries: the effects of an action are kept.
fn is_edit(call: &Call) -> bool {
    let is_action = |line: &String| {
        let line = line.trim_start();
        line.starts_with('!') || line.starts_with("save ")
    };
    matches!(call, Call::Ops(ops) if !ops.iter().any(is_action))
}
