//! The sessions of `fidelity`, with everything they need built in.

use std::path::Path;

use fcp::domain::Domain;
use fcp::script::Call;
use fcp::testing::fidelity::{Effort, Judge, Sample, fidelity, made, samples};
use fcp_judges::{Midly, Python, Roxmltree, python::Css, samples as own};
use serde_json::json;

use super::Args;
use crate::{
    python,
    server::Server,
    workspace::{self, Result},
};

/// One session in this many is also played through the program.
const OUTSIDE: usize = 25;

/// One op in this many is an SQL statement that writes.
const SQL: usize = 5;

/// The number of ops of a session between comparisons of the account.
const EVERY: usize = 4;

/// Plays sessions, and prints the figures.
pub fn play(root: &Path, program: &Path, args: &Args) -> Result<bool> {
    let mut judges: Vec<Box<dyn Judge>> = match &*args.domain {
        "midi" => vec![Box::new(Midly)],
        _ => vec![Box::new(Roxmltree)],
    };
    if args.no_python {
        println!("NOT EVERYTHING IS CHECKED: the readers in Python are left out");
    } else {
        let metadata = workspace::metadata(root, false)?;
        let python = python::with(&metadata, "judges", fcp_judges::python::REQUIREMENTS)?;
        if args.domain == "midi" {
            judges.push(Box::new(Python::mido(&python)?));
        } else {
            judges.push(Box::new(Python::lxml(&python)?));
            judges.push(Box::new(Css::start(&python)?));
        }
    }
    match &*args.domain {
        "midi" => run::<fcp_midi::Song>(root, program, args, judges, own::smf()),
        _ => run::<fcp_svg::Drawing>(root, program, args, judges, own::xml()),
    }
}

fn run<M: Domain>(
    root: &Path,
    program: &Path,
    args: &Args,
    mut judges: Vec<Box<dyn Judge>>,
    own: Vec<Sample>,
) -> Result<bool> {
    let shared = || root.join("../shared/data").join(&args.domain);
    let folder = args.folder.clone().unwrap_or_else(shared);
    let mut files = samples::<M>(&folder);
    if files.is_empty() {
        let folder = folder.display();
        println!(
            "ONLY THE PROJECT'S OWN FILES ARE CHECKED: {folder} has no file of {}",
            args.domain
        );
    }
    files.extend(own);
    files.extend(made::<M>());
    let effort = Effort {
        seed: args.seed,
        ops: args.ops,
        session: args.session,
        every: EVERY,
        sql: SQL,
    };
    // Sessions in this process do not depend on the machine either.
    let alike = M::FLAGS.iter().filter(|flag| flag.name.starts_with("no-"));
    let alike: Vec<String> = alike.map(|flag| format!("--{}", flag.name)).collect();
    let alike: Vec<&str> = alike.iter().map(String::as_str).collect();
    let mut outside = |sample: &Sample, calls: &[Call]| {
        let played = through((program, &alike), &args.domain, sample, calls);
        played.map_err(|error| error.to_string())
    };
    let outcome = fidelity::<M>(&files, &mut judges, effort, Some((OUTSIDE, &mut outside)));
    println!("{outcome}");
    Ok(outcome.is_clean())
}

/// Plays a session through the domain's program, like a client.
fn through(
    (program, flags): (&Path, &[&str]),
    domain: &str,
    sample: &Sample,
    calls: &[Call],
) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let ending = sample
        .name
        .rsplit_once('.')
        .map_or("", |(_, ending)| ending);
    let (opened, saved) = (format!("opened.{ending}"), format!("saved.{ending}"));
    if sample.begun.is_empty() {
        std::fs::write(folder.path().join(&opened), &sample.bytes)?;
    }
    let mut server = Server::with(program, folder.path(), flags)?;
    let mut send = |call: &Call| {
        let (tool, arguments) = match call {
            Call::Ops(ops) => (domain.to_owned(), json!({ "ops": ops })),
            Call::Query(query) => (format!("{domain}_query"), json!({ "q": query })),
            Call::Action(action) => (format!("{domain}_session"), json!({ "action": action })),
        };
        server.call(&tool, arguments)
    };
    send(&Call::Action("set log-limit:4096".to_owned()))?;
    if sample.begun.is_empty() {
        send(&Call::Action(format!("open {opened}")))?;
    } else {
        send(&Call::Action("new".to_owned()))?;
        for call in &sample.begun {
            send(call)?;
        }
        send(&Call::Action(format!("save as:{opened}")))?;
    }
    for call in calls {
        send(call)?;
    }
    send(&Call::Action(format!("save as:{saved} force")))?;
    Ok(std::fs::read(folder.path().join(&saved))?)
}
