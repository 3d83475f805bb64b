//! The caller's side of a job: starts the child, feeds it, and ends it.

use std::{
    env,
    path::Path,
    process::{Command, ExitStatus},
};

use super::{
    ARGUMENT, Limits, WorkerError,
    wire::{self, Outcome},
};
use crate::child::{self, ChildError};

/// Variables that systems use to find fonts. No others are passed on.
const KEPT: &[&str] = &[
    "HOME",
    "SYSTEMROOT",
    "USERPROFILE",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
];

/// The signal that ends a process at its limit of processor time.
#[cfg(unix)]
const OUT_OF_TIME: i32 = rustix::process::Signal::XCPU.as_raw();

pub(super) fn call(
    program: &Path,
    name: &str,
    input: &[u8],
    limits: &Limits,
) -> Result<Vec<u8>, WorkerError> {
    let mut command = Command::new(program);
    command
        .args([ARGUMENT, name])
        .arg(limits.memory.to_string())
        .arg(limits.time.as_millis().to_string())
        .arg(limits.work.as_millis().to_string())
        .env_clear()
        .envs(
            KEPT.iter()
                .filter_map(|name| Some((name, env::var_os(name)?))),
        );
    let most = limits.output.saturating_add(wire::HEAD);
    let ended = child::start_follower(command, input.to_vec(), limits.time, most)
        .map_err(|problem| WorkerError::Start(problem.to_string()))?
        .end()
        .map_err(|error| match error {
            ChildError::Time(time) => WorkerError::Time(time),
            ChildError::Output(_) => WorkerError::Output(limits.output),
            ChildError::Cancelled => WorkerError::Cancelled,
            ChildError::Lost(_) => WorkerError::Died(error.to_string()),
        })?;
    let Some((outcome, payload)) = wire::read(&ended.out) else {
        return Err(death(ended.status, &ended.complaints, limits));
    };
    let text = || String::from_utf8_lossy(payload).into_owned();
    match outcome {
        Outcome::Done => Ok(payload.to_vec()),
        Outcome::Failed => Err(WorkerError::Job(text())),
        Outcome::NoMemory => Err(WorkerError::Memory(limits.memory)),
        Outcome::Died => Err(WorkerError::Died(text())),
    }
}

/// The cause of death of a child without an answer.
fn death(status: ExitStatus, complaints: &str, limits: &Limits) -> WorkerError {
    #[cfg(unix)]
    if std::os::unix::process::ExitStatusExt::signal(&status) == Some(OUT_OF_TIME) {
        return WorkerError::Work(limits.work);
    }
    // The standard library prints this before it aborts.
    if complaints.contains("memory allocation of") {
        return WorkerError::Memory(limits.memory);
    }
    if complaints.contains("overflowed its stack") {
        return WorkerError::Died("it went too deep for its stack".to_owned());
    }
    WorkerError::Died(format!("it ended with {status}"))
}
