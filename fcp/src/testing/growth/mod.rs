//! The growth of every cost on a document four times as large.
//!
//! The measured subjects come from the registry: the examples of each verb, query and action, every
//! selector in them, and the queries and actions of all domains. The large documents are the
//! domain's, [`Domain::LARGE`]. A cost that grows faster than n log n is marked.

mod tools;

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use crate::domain::Domain;
use crate::endpoint::{Answer, Endpoint};
use crate::script::{self, Call};
use crate::session::Session;
use crate::testing::data::say;
use crate::testing::play::{Scratch, by_role, lay, scratch, session};
use crate::testing::time::process_time;
use crate::verb::{Registry, Role};
use crate::work;
pub use tools::tool_growth;

/// Below this time on the larger document, a measurement is too coarse to be judged.
const SHORT: Duration = Duration::from_millis(20);

/// Above this time, a measurement is not repeated.
const LONG: Duration = Duration::from_secs(2);

/// The number of repetitions, of which the fastest counts.
const TRIES: usize = 3;

/// The largest acceptable factor: 4 · log 4n / log n is below 5, and clocks are not exact.
const MOST: f64 = 9.0;

/// The number of times that an op is repeated in one call, to see whether it counts its work.
const TIMES: usize = 20;

/// The time that ops may take without counting it: a call with thousands of them has a limit of its own.
const UNCOUNTED: Duration = Duration::from_millis(4);

/// The longest time of a step, as the fuzz targets demand it.
const STEP: Duration = Duration::from_micros(1);

/// The queries of all domains.
const QUERIES: &[&str] = &[
    "map",
    "status",
    "tables",
    "warnings",
    "warnings limit:100000",
    "history 100",
    "list",
    "list @all limit:1000000",
    "list from:1000",
    "find a",
    "diff open",
    "diff file",
];

/// The cost of a subject on two documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The shape of the documents.
    pub shape: &'static str,
    /// The subject.
    pub what: String,
    /// The time on the smaller document, and on the one four times as large.
    pub took: [Duration; 2],
    /// The steps that the runtime counted on each; see [`work`].
    pub steps: [u64; 2],
    /// The time and the steps that an op adds to a call by 19 repetitions on the larger document, if it can be repeated.
    pub repeated: Option<(Duration, u64)>,
}

impl Growth {
    /// The factor by which the cost grows.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        let [once, four] = self.took.map(|took| took.as_secs_f64());
        four / once.max(1e-6)
    }

    /// Returns whether it grows faster than n log n, and faster than its counted steps: what counts
    /// its steps is bounded by the limit on work.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        let [once, four] = self.steps;
        let counted = four as f64 / once.max(1) as f64;
        self.took[1] > SHORT && self.ratio() > MOST && self.ratio() > 2.0 * counted
    }

    /// Returns whether it is an op that takes longer than its counted steps allow: the limit on work would not end a
    /// call with many of them in time.
    #[must_use]
    pub fn is_uncounted(&self) -> bool {
        self.repeated.is_some_and(is_uncounted)
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [once, four] = self.took.map(|took| took.as_secs_f64() * 1e3);
        let mark = if self.is_marked() { "**" } else { "" };
        let what = self.what.replace('|', "\\|").replace('\n', " ");
        let what: String = what.chars().take(100).collect();
        write!(
            f,
            "| {} | `{what}` | {once:.1} | {four:.1} | {mark}{:.1}{mark} |",
            self.shape,
            self.ratio()
        )
    }
}

/// A measured subject.
#[derive(Clone, Debug)]
struct Subject {
    what: String,
    /// The calls required before.
    before: Vec<Call>,
    calls: Vec<Call>,
}

/// The time and the steps that the repetitions of an op add to a call that took `once`.
fn repeated<M: Domain>(
    stage: &mut Stage<M>,
    subject: &Subject,
    once: (Duration, u64),
) -> Option<(Duration, u64)> {
    let op = match &*subject.calls {
        [Call::Ops(ops)] => ops.first().filter(|_| ops.len() == 1)?,
        _ => return None,
    };
    // Work that takes long by itself counts itself, or the ratio shows it.
    if once.0 > LONG / 10 {
        return None;
    }
    let many = Subject {
        calls: vec![Call::Ops(vec![op.clone(); TIMES])],
        ..subject.clone()
    };
    let mut least = (Duration::MAX, 0);
    for _ in 0..TRIES {
        let (took, steps) = stage.time(&many)?;
        // Neither time is exact.
        let more = took.saturating_sub(once.0 + once.0 / 5);
        least = (more.min(least.0), steps.saturating_sub(once.1));
        if !is_uncounted(least) {
            break;
        }
    }
    Some(least)
}

/// Whether ops take longer than their counted steps allow.
fn is_uncounted((took, steps): (Duration, u64)) -> bool {
    let steps = u32::try_from(steps).unwrap_or(u32::MAX);
    took > UNCOUNTED + STEP.saturating_mul(steps)
}

/// Measures everything in a domain on documents of about `rows` rows and of four times as many.
///
/// # Panics
/// A large document cannot be opened.
#[must_use]
pub fn growth<M: Domain>(rows: usize) -> Vec<Growth> {
    let registry = Registry::<M>::build().unwrap_or_else(|error| panic!("{error}"));
    let mut all = Vec::new();
    for shape in M::LARGE {
        let mut stages = [rows, 4 * rows].map(|rows| Stage::<M>::new((shape.make)(rows)));
        let openings = stages.each_mut().map(Stage::opening);
        say(shape.name);
        all.push(Growth {
            shape: shape.name,
            what: "open".to_owned(),
            took: openings,
            steps: [0; 2],
            repeated: None,
        });
        for subject in subjects(&registry, rows) {
            let (mut took, mut steps) = ([Duration::MAX; 2], [0; 2]);
            // Subjects that work on only one of the documents are not compared.
            let mut measured = || {
                for (at, stage) in stages.iter_mut().enumerate() {
                    let (time, count) = stage.time(&subject)?;
                    took[at] = took[at].min(time);
                    steps[at] = count;
                }
                Some(())
            };
            let mut known = measured();
            for _ in 1..TRIES {
                known = known.and_then(|()| measured());
            }
            let growth = Growth {
                shape: shape.name,
                repeated: known
                    .and_then(|()| repeated(&mut stages[1], &subject, (took[1], steps[1]))),
                what: subject.what,
                took,
                steps,
            };
            if known.is_some() {
                if growth.is_marked() || growth.is_uncounted() {
                    say(&growth.to_string());
                }
                all.push(growth);
            }
        }
    }
    all
}

/// The document of a shape, and its file.
pub(in crate::testing) struct Stage<M: Domain> {
    pub(in crate::testing) session: Session<M>,
    file: String,
    pub(in crate::testing) bytes: Vec<u8>,
    root: Scratch,
}

impl<M: Domain> Stage<M> {
    pub(in crate::testing) fn new(bytes: Vec<u8>) -> Self {
        let root = scratch();
        let ending = M::FORMATS
            .first()
            .and_then(|format| format.extensions.first());
        let file = format!("large.{}", ending.unwrap_or(&"txt"));
        Self {
            session: session::<M>(root.path()),
            file,
            bytes,
            root,
        }
    }

    /// Opens the document, even if its file was changed, and returns the time taken.
    pub(in crate::testing) fn open(&mut self) -> Duration {
        lay(self.root.path(), [(&*self.file, &self.bytes)]);
        self.session = session::<M>(self.root.path());
        let start = process_time();
        let answer = self.session.act(&format!("open {}", self.file));
        let took = process_time().saturating_sub(start);
        assert!(!answer.is_error, "{}", answer.text);
        self.session.act("checkpoint growth");
        took
    }

    /// Restores the document to its state when opened or last measured.
    pub(in crate::testing) fn reset(&mut self) {
        let back = self.session.act("undo to:growth");
        if back.is_error && !back.text.contains("nothing") {
            self.open();
        }
    }

    /// The fastest of several openings. The document stays open.
    fn opening(&mut self) -> Duration {
        let mut least = Duration::MAX;
        for _ in 0..TRIES {
            least = least.min(self.open());
            if least > LONG {
                break;
            }
        }
        least
    }

    fn play(&mut self, call: &Call) -> Answer {
        call.play(&mut self.session)
    }

    /// The time of a subject and its steps; `None` if it does not work here. Leaves the document as
    /// it was.
    fn time(&mut self, subject: &Subject) -> Option<(Duration, u64)> {
        self.session.act("checkpoint growth");
        let ready = subject.before.iter().all(|call| !self.play(call).is_error);
        let start = process_time();
        let mut steps = 0;
        let done = ready
            && subject.calls.iter().all(|call| {
                let answer = self.play(call);
                steps += work::last();
                !call_failed(&answer)
            });
        let took = process_time().saturating_sub(start);
        self.reset();
        done.then_some((took, steps))
    }
}

/// Returns whether a call failed as a whole, which would spoil its measurement.
fn call_failed(answer: &Answer) -> bool {
    answer.is_error && !answer.text.contains("Unknown verb")
}

/// All subjects.
fn subjects<M: Domain>(registry: &Registry<M>, rows: usize) -> Vec<Subject> {
    let query = |text: &str| Subject {
        what: format!("? {text}"),
        before: Vec::new(),
        calls: vec![Call::Query(text.to_owned())],
    };
    let ops = |what: &str, before: Vec<Call>, ops: Vec<String>| Subject {
        what: what.to_owned(),
        before,
        calls: vec![Call::Ops(ops)],
    };
    let mut all: Vec<Subject> = QUERIES.iter().map(|text| query(text)).collect();
    let format = M::FORMATS.iter();
    all.extend(format.filter_map(|format| {
        let ending = format.extensions.first()?;
        let text = format!("save as:copy-{}.{ending} force", format.name);
        Some(Subject {
            what: format!("! {text}"),
            before: Vec::new(),
            calls: vec![Call::Action(text)],
        })
    }));
    let remove = vec![Call::Ops(vec!["remove @all".to_owned()])];
    all.push(ops(
        "remove @all",
        Vec::new(),
        vec!["remove @all".to_owned()],
    ));
    all.push(Subject {
        what: "undo of remove @all, and redo".to_owned(),
        before: remove,
        calls: vec![
            Call::Action("undo".to_owned()),
            Call::Action("redo".to_owned()),
            Call::Action("undo".to_owned()),
        ],
    });
    let failing = |op: fn(usize) -> String| (0..rows).map(op).collect::<Vec<_>>();
    all.push(ops(
        "one op that fails",
        Vec::new(),
        vec!["bogus".to_owned()],
    ));
    all.push(ops(
        "many ops that fail",
        Vec::new(),
        failing(|n| format!("bogus{n} x{n}")),
    ));
    let mut selectors: BTreeSet<String> = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for role in [Role::Verb, Role::Query, Role::Action] {
        for verb in by_role(registry, role) {
            for example in verb.examples {
                let lines = example.script.lines();
                let lines = lines.map(|line| line.strip_prefix("# ").unwrap_or(line));
                let text: String = lines.flat_map(|line| [line, "\n"]).collect();
                let steps = script::parse(&text).unwrap_or_else(|error| panic!("{error}"));
                let mut before: Vec<Call> = Vec::new();
                for step in steps {
                    let shown = step.call.to_string();
                    let words = shown.split_whitespace();
                    selectors.extend(
                        words
                            .filter(|word| word.starts_with('@'))
                            .map(str::to_owned),
                    );
                    let leaves = matches!(&step.call, Call::Action(text) if text.starts_with("new") || text.starts_with("open") || text.starts_with("save"));
                    if leaves {
                        break;
                    }
                    let refused = step.expected.iter().flatten().next();
                    let is_refused = refused.is_some_and(|line| line.starts_with('!'));
                    if !is_refused && seen.insert(shown.clone()) {
                        all.push(Subject {
                            what: shown,
                            before: before.clone(),
                            calls: vec![step.call.clone()],
                        });
                    }
                    if !is_refused && matches!(step.call, Call::Ops(_)) {
                        before.push(step.call);
                    }
                }
            }
        }
    }
    all.extend(
        selectors
            .iter()
            .map(|selector| query(&format!("list {selector}"))),
    );
    all
}

/// The table of results: all marked rows, the most expensive of the others, and the ops that do not count their work.
#[must_use]
pub fn growth_table(all: &[Growth]) -> String {
    let mut rows: Vec<&Growth> = all.iter().filter(|row| row.took[1] > SHORT).collect();
    rows.sort_by(|a, b| {
        (a.shape, b.ratio())
            .partial_cmp(&(b.shape, a.ratio()))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let marked = rows.iter().filter(|row| row.is_marked()).count();
    let mut text = format!(
        "{} measured, {} longer than {} ms, {marked} marked\n\n| Shape | What | n, ms | 4n, ms | Ratio |\n|---|---|---|---|---|\n",
        all.len(),
        rows.len(),
        SHORT.as_millis()
    );
    for row in rows {
        text.push_str(&format!("{row}\n"));
    }
    let uncounted: Vec<&Growth> = all.iter().filter(|row| row.is_uncounted()).collect();
    text.push_str(&format!(
        "\n{} ops do not count all of their work\n",
        uncounted.len()
    ));
    for row in uncounted {
        let (took, steps) = row.repeated.unwrap_or_default();
        let millis = took.as_secs_f64() * 1e3;
        let times = TIMES - 1;
        text.push_str(&format!(
            "{row} {millis:.1} ms and {steps} steps for {times} more\n"
        ));
    }
    text
}
