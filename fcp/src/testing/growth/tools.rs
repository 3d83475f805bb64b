//! Growth measurements of structured tools: their examples in a large folder, and large calls.

use std::collections::BTreeSet;
use std::time::Duration;

use super::{Growth, TRIES};
use crate::endpoint::Config;
use crate::testing::play::{Scratch, lay, scratch};
use crate::testing::time::process_time;
use crate::tool::{Cancel, LargeFolder, Toolbox, Tools, Toolset, steps};
use crate::work;

/// Timed calls, and untimed ones before them.
struct Subject {
    what: String,
    before: Vec<(String, String)>,
    calls: Vec<(String, String)>,
}

/// Measures all tools of a toolset in folders of about `rows` things and of four times as many.
///
/// # Panics
/// The toolset cannot be opened in a large folder.
#[must_use]
pub fn tool_growth<S: Toolset>(rows: usize) -> Vec<Growth> {
    let mut all = Vec::new();
    for shape in S::LARGE {
        let folders = [rows, 4 * rows].map(|rows| (shape.make)(rows));
        let open = |at: usize| opening::<S>(&folders[at].files);
        all.push(Growth {
            shape: shape.name,
            what: "open".to_owned(),
            took: [0, 1].map(|at| (0..TRIES).map(|_| open(at).2).min().unwrap_or_default()),
            steps: [0; 2],
            repeated: None,
        });
        let mut subjects = [examples::<S>(), examples::<S>()];
        for (subjects, folder) in subjects.iter_mut().zip(&folders) {
            subjects.extend(calls(folder));
        }
        let [once, four] = &subjects;
        for pair in once.iter().zip(four) {
            let (mut took, mut steps) = ([Duration::MAX; 2], [0; 2]);
            let mut works = true;
            for _ in 0..TRIES {
                for (at, subject) in [pair.0, pair.1].into_iter().enumerate() {
                    let (_root, tools, _) = open(at);
                    let ready = subject.before.iter().all(|call| answers(&tools, call));
                    let start = process_time();
                    steps[at] = 0;
                    works &= ready
                        && subject.calls.iter().all(|call| {
                            let answered = answers(&tools, call);
                            steps[at] += work::last();
                            answered
                        });
                    took[at] = took[at].min(process_time().saturating_sub(start));
                }
            }
            if works {
                let what = pair.0.what.clone();
                all.push(Growth {
                    shape: shape.name,
                    what,
                    took,
                    steps,
                    repeated: None,
                });
            }
        }
    }
    all
}

/// Opens the toolset in its own folder, and measures the time.
fn opening<S: Toolset>(files: &[(String, Vec<u8>)]) -> (Scratch, Toolbox<S>, Duration) {
    let root = scratch();
    lay(root.path(), S::EXAMPLE_FILES.iter().copied());
    lay(
        root.path(),
        files.iter().map(|(path, bytes)| (&**path, bytes)),
    );
    let start = process_time();
    let tools = Toolbox::open(&Config::at(root.path()));
    let tools = tools.unwrap_or_else(|error| panic!("{error}"));
    (root, tools, process_time().saturating_sub(start))
}

/// Returns whether there is an answer. An error counts too: it is measured as well.
fn answers<S: Toolset>(tools: &Toolbox<S>, (name, arguments): &(String, String)) -> bool {
    tools.carry_out(name, arguments, &Cancel::never()).is_some()
}

/// Each call of each example, with those before it.
fn examples<S: Toolset>() -> Vec<Subject> {
    let (root, tools, _) = opening::<S>(&[]);
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for tool in tools.list() {
        for example in tool.examples {
            let steps = steps(example.script);
            let steps = steps.unwrap_or_else(|(line, error)| panic!("{line}: {error}"));
            let mut before: Vec<(String, String)> = Vec::new();
            for step in steps {
                let name = step.tool.as_deref().unwrap_or(tool.name).to_owned();
                let call = (name, step.arguments.to_string());
                let what = format!("{} {}", call.0, call.1);
                if seen.insert(what.clone()) {
                    all.push(Subject {
                        what,
                        before: before.clone(),
                        calls: vec![call.clone()],
                    });
                }
                before.push(call);
            }
        }
    }
    drop(root);
    all
}

/// The calls of a large folder.
fn calls(folder: &LargeFolder) -> Vec<Subject> {
    let own = |calls: &[(&'static str, String)]| Subject {
        what: calls.first().map_or_else(String::new, |(name, arguments)| {
            format!("{} × {name} {arguments}", calls.len())
        }),
        before: Vec::new(),
        calls: calls
            .iter()
            .map(|(name, arguments)| ((*name).to_owned(), arguments.clone()))
            .collect(),
    };
    folder.calls.iter().map(|calls| own(calls)).collect()
}
