//! Jobs in a child process of the same binary, with limits on time and memory.
//!
//! Drawn or decoded content may come from anywhere, and a file of 300 bytes can demand hours of
//! work. A job in its own process can be ended, and takes nothing along if it dies.
//!
//! A job is registered where it is defined, and called by its name. The program must begin with
//! [`dispatch`], as [`cli::main`](crate::cli::main) does: the child is the same program with a
//! hidden first argument.
//!
//! ```standalone_crate
//! use fcp::worker::{self, Job};
//!
//! # use fcp::__private::inventory;
//! fn shout(input: &[u8]) -> Result<Vec<u8>, String> {
//!     Ok(input.to_ascii_uppercase())
//! }
//! inventory::submit! { Job { name: "shout", run: shout } }
//!
//! fn main() -> std::process::ExitCode {
//!     if let Some(code) = worker::dispatch() {
//!         return code;
//!     }
//!     let answer = worker::call("shout", b"hey", &worker::Limits::default());
//!     assert_eq!(answer.unwrap(), b"HEY");
//!     std::process::ExitCode::SUCCESS
//! }
//! ```

mod child;
mod parent;
mod wire;

use std::{
    env,
    ffi::OsString,
    fmt,
    path::PathBuf,
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

#[cfg(unix)]
use crate::child::guard;
use crate::child::this_program;
use crate::work::{self, Spent};

/// The hidden first argument. No test has this name, so a test program that is started with it runs
/// none.
const ARGUMENT: &str = "fcp-worker";

/// A job that runs in its own process.
pub struct Job {
    /// Its name for [`call`].
    pub name: &'static str,
    /// Turns the whole input into the whole output, or an error message. It may panic.
    pub run: fn(&[u8]) -> Result<Vec<u8>, String>,
}

inventory::collect!(Job);

/// The limits of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall time from the start of the process to the end of its answer.
    pub time: Duration,
    /// Processor time of the process, rounded up to seconds. On Windows only the wall time is limited.
    pub work: Duration,
    /// Bytes of address space, including the program itself. Enforced on Linux and other systems
    /// that count it; on macOS and Windows memory is not limited.
    pub memory: u64,
    /// Bytes of the answer.
    pub output: u64,
}

impl Default for Limits {
    /// 20 seconds of either time, 2 GiB of memory, 256 MiB of answer.
    fn default() -> Self {
        Self {
            time: Duration::from_secs(20),
            work: Duration::from_secs(20),
            memory: 2 << 30,
            output: 256 << 20,
        }
    }
}

/// The reason why a call has no answer. Its text continues a sentence that starts with the name of
/// the job: `render` `stopped after 20 s`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerError {
    /// The error message of the job itself.
    Job(String),
    /// It was ended after this wall time.
    Time(Duration),
    /// It was ended after this processor time.
    Work(Duration),
    /// It asked for more memory than this many bytes.
    Memory(u64),
    /// Its answer was longer than this many bytes.
    Output(u64),
    /// It ended without an answer.
    Died(String),
    /// It could not be started.
    Start(String),
    /// Its answer is no longer wanted.
    Cancelled,
    /// The call has no steps left for it.
    Spent(Spent),
}

impl fmt::Display for WorkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Job(message) => f.write_str(message),
            Self::Time(time) | Self::Work(time) => {
                write!(f, "stopped after {} s", time.as_secs_f64())
            }
            Self::Memory(bytes) => write!(f, "ran out of {}", Size(*bytes)),
            Self::Output(bytes) => write!(f, "gave more than {}", Size(*bytes)),
            Self::Died(how) => write!(f, "failed: {how}"),
            Self::Start(why) => write!(f, "could not be started: {why}"),
            Self::Cancelled => f.write_str("was cancelled"),
            Self::Spent(spent) => write!(f, "was not started: {spent}"),
        }
    }
}

impl std::error::Error for WorkerError {}

/// A number of bytes, in the largest unit that leaves a whole number.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] {
            if self.0 != 0 && self.0.is_multiple_of(1 << shift) {
                return write!(f, "{} {unit}", self.0 >> shift);
            }
        }
        write!(f, "{} bytes", self.0)
    }
}

/// Whether jobs run on a thread of this process.
static INSIDE: AtomicBool = AtomicBool::new(false);

/// The place where jobs run.
enum Place {
    Program(PathBuf),
    Inside,
}

/// Does the work for which this program started itself, if any, such as a job: `main` must then return the exit code at
/// once.
#[must_use]
pub fn dispatch() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    let first = arguments.next();
    if first.as_ref().is_some_and(|first| first == ARGUMENT) {
        let rest: Vec<OsString> = arguments.take(4).collect();
        return Some(child::run(&rest));
    }
    #[cfg(unix)]
    if first.is_some_and(|first| first == guard::ARGUMENT) {
        return Some(guard::run());
    }
    this_program::set_ready();
    None
}

/// Lets jobs run on a thread of this process if no program can run them. For tests only, and
/// [`testing`](crate::testing) does so: memory is not limited, and a job that takes too long is
/// abandoned.
pub fn stay_inside() {
    INSIDE.store(true, Ordering::Relaxed);
}

/// The steps of a job for the call that waits for it: the start of a process, and its input.
const STEPS_TO_START: usize = 400_000;

/// Runs the job `name` on `input` in its own process, and waits for it at most `limits.time`. All jobs of a call share this
/// time.
///
/// # Errors
/// See [`WorkerError`]. In each case the process has ended.
pub fn call(name: &str, input: &[u8], limits: &Limits) -> Result<Vec<u8>, WorkerError> {
    work::spend(STEPS_TO_START).map_err(WorkerError::Spent)?;
    let place = place()?;
    let done = work::wait(limits.time, |time| {
        if time.is_zero() {
            return Err(WorkerError::Time(time));
        }
        let limits = &Limits { time, ..*limits };
        match place {
            Place::Program(program) => parent::call(&program, name, input, limits),
            Place::Inside => child::inside(name, input, limits),
        }
    });
    done.map_err(|error| match error {
        WorkerError::Time(_) => WorkerError::Time(limits.time),
        error => error,
    })
}

fn place() -> Result<Place, WorkerError> {
    if let Some(program) = this_program::program() {
        let program = program.map_err(|error| WorkerError::Start(error.to_string()))?;
        return Ok(Place::Program(program));
    }
    if INSIDE.load(Ordering::Relaxed) {
        return Ok(Place::Inside);
    }
    Err(WorkerError::Start(
        "this program does not begin with worker::dispatch".to_owned(),
    ))
}

fn find(name: &str) -> Option<&'static Job> {
    inventory::iter::<Job>
        .into_iter()
        .find(|job| job.name == name)
}
