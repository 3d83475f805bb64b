//! The cost of any text as calls, on large documents.

use std::cell::RefCell;
use std::time::Duration;

use super::calls::calls;
use crate::domain::Domain;
use crate::endpoint::Endpoint;
use crate::script::Call;
use crate::testing::growth::Stage;
use crate::work;

/// The most calls of one text.
const CALLS: usize = 4;

/// The millions of steps that a call may take.
const MILLIONS: u64 = 2;

/// The processor time that any call may take.
const LEAST: Duration = Duration::from_millis(300);

/// The processor time that a step may take, in a build that counts what it covers.
const STEP: Duration = Duration::from_nanos(1_000);

/// The processor time that a byte of the document, the call or its reply may take.
const BYTE: Duration = Duration::from_nanos(2_000);

/// The large documents of a domain, to each of which any text is sent. The first byte of a text chooses among them; the
/// rest spells calls as [`Calls`](super::Calls) does.
pub struct Costs<M: Domain> {
    stages: Vec<RefCell<Stage<M>>>,
}

/// What a call cost.
struct Cost {
    steps: u64,
    took: Duration,
    /// The bytes of the document, the call and its reply.
    bytes: usize,
    /// It has only ops, and took more steps than it may.
    is_over: bool,
    changed: bool,
}

impl<M: Domain> Costs<M> {
    /// Documents of about so many rows.
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

    /// Sends a text. A call that takes more steps than it may changes nothing.
    ///
    /// # Panics
    /// This does not hold.
    pub fn holds(&self, bytes: &[u8]) {
        self.each(bytes, |_, _| ());
    }

    /// Sends a text, and holds the processor time of each call against the steps that were counted and the bytes of
    /// document, call and reply: no work goes uncounted.
    ///
    /// # Panics
    /// This does not hold, or a call that takes more steps than it may changes something.
    pub fn holds_in_time(&self, bytes: &[u8]) {
        self.each(bytes, |call, cost| {
            let steps = u32::try_from(cost.steps).unwrap_or(u32::MAX);
            let all = u32::try_from(cost.bytes).unwrap_or(u32::MAX);
            let most = LEAST + STEP * steps + BYTE * all;
            assert!(
                cost.took <= most,
                "{call}\ntakes {:?} for {} steps and {} bytes, more than {most:?}",
                cost.took,
                cost.steps,
                cost.bytes
            );
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

/// Whether a call has only ops and queries: what an action did is kept.
fn is_edit(call: &Call) -> bool {
    let is_action = |line: &String| {
        let line = line.trim_start();
        line.starts_with('!') || line.starts_with("save ")
    };
    matches!(call, Call::Ops(ops) if !ops.iter().any(is_action))
}

/// The processor time of this thread.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// The time, where a thread's own is not known.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
