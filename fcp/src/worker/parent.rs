//! The caller's side of a job: starts the child, feeds it, and ends it.

use std::{
    env,
    io::{Read, Write},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use super::{
    ARGUMENT, Limits, WorkerError,
    wire::{self, Outcome},
};
use crate::work::is_unwanted;

/// Variables that systems use to find fonts. No others are passed on.
const KEPT: &[&str] = &[
    "HOME",
    "SYSTEMROOT",
    "USERPROFILE",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
];

/// The number of last bytes of standard error that are kept.
const COMPLAINTS: usize = 16 << 10;

/// The interval of checks whether the answer is still wanted.
const LOOK: Duration = Duration::from_millis(20);

/// A child that is ended and waited for in every case.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        // Both only fail if the process is already gone.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Guard {
    /// The exit status of the child, if it ends before `end`.
    fn ended(&mut self, end: Instant) -> Option<ExitStatus> {
        loop {
            match self.0.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }
}

pub(super) fn call(
    program: &Path,
    name: &str,
    input: &[u8],
    limits: &Limits,
) -> Result<Vec<u8>, WorkerError> {
    let start = |error: std::io::Error| WorkerError::Start(error.to_string());
    let mut command = Command::new(program);
    command
        .args([ARGUMENT, name])
        .arg(limits.memory.to_string())
        .arg(limits.time.as_millis().to_string())
        .env_clear()
        .envs(
            KEPT.iter()
                .filter_map(|name| Some((name, env::var_os(name)?))),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let end = Instant::now() + limits.time;
    let mut child = Guard(command.spawn().map_err(start)?);
    let pipes = (
        child.0.stdin.take(),
        child.0.stdout.take(),
        child.0.stderr.take(),
    );
    let (Some(mut stdin), Some(mut stdout), Some(stderr)) = pipes else {
        return Err(WorkerError::Start("it has no pipes".to_owned()));
    };
    thread::scope(|scope| {
        // Moved into this scope: the child must end before the threads, which read until it does.
        let mut child = child;
        let (sender, receiver) = mpsc::channel();
        let builder = thread::Builder::new;
        builder()
            .spawn_scoped(scope, move || {
                // A child that dies or answers early does not read all its input.
                let _ = stdin.write_all(input);
            })
            .map_err(start)?;
        let most = limits.output;
        builder()
            .spawn_scoped(scope, move || {
                // The caller may have stopped waiting.
                let _ = sender.send(wire::read(&mut stdout, most));
            })
            .map_err(start)?;
        let complaints = builder()
            .spawn_scoped(scope, move || last(stderr))
            .map_err(start)?;
        let answer = loop {
            let left = end.saturating_duration_since(Instant::now());
            match receiver.recv_timeout(left.min(LOOK)) {
                Err(mpsc::RecvTimeoutError::Timeout) if is_unwanted() => {
                    return Err(WorkerError::Cancelled);
                }
                Err(mpsc::RecvTimeoutError::Timeout) if left > LOOK => {}
                answer => break answer,
            }
        };
        match answer {
            Err(_) => Err(WorkerError::Time(limits.time)),
            Ok(Err(problem)) => Err(problem),
            Ok(Ok(Some((outcome, payload)))) => {
                let text = || String::from_utf8_lossy(&payload).into_owned();
                match outcome {
                    Outcome::Done => Ok(payload),
                    Outcome::Failed => Err(WorkerError::Job(text())),
                    Outcome::NoMemory => Err(WorkerError::Memory(limits.memory)),
                    Outcome::Died => Err(WorkerError::Died(text())),
                }
            }
            Ok(Ok(None)) => {
                let status = child.ended(end);
                drop(child);
                let complaints = complaints.join().unwrap_or_default();
                Err(death(status, &complaints, limits))
            }
        }
    })
}

/// Reads to the end and keeps the last part.
fn last(mut from: impl Read) -> String {
    let mut kept = Vec::new();
    let mut chunk = [0; 4096];
    while let Ok(length @ 1..) = from.read(&mut chunk) {
        kept.extend_from_slice(chunk.get(..length).unwrap_or_default());
        if kept.len() > 2 * COMPLAINTS {
            kept.drain(..kept.len() - COMPLAINTS);
        }
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// The cause of death of a child without an answer.
fn death(status: Option<ExitStatus>, complaints: &str, limits: &Limits) -> WorkerError {
    let Some(status) = status else {
        return WorkerError::Time(limits.time);
    };
    // The standard library prints this before it aborts.
    if complaints.contains("memory allocation of") {
        return WorkerError::Memory(limits.memory);
    }
    if complaints.contains("overflowed its stack") {
        return WorkerError::Died("it went too deep for its stack".to_owned());
    }
    WorkerError::Died(format!("it ended with {status}"))
}
