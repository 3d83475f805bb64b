//! Jobs in a child process of the same binary, with limits on time and memory.
//!
//! What is drawn or decoded may come from anywhere, and a file of 300 bytes can ask for hours. A job that runs in a
//! process of its own can be ended, and takes nothing along when it dies.
//!
//! A job is registered where it is written, and called by its name. The program must begin with [`dispatch`], as
//! [`cli::main`](crate::cli::main) does: the child is the same program with a hidden first argument.
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
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// The hidden first argument. No test is called like this, so a test program that is started with it runs none.
const ARGUMENT: &str = "fcp-worker";

/// Something that runs in a process of its own.
pub struct Job {
    /// What [`call`] names it by.
    pub name: &'static str,
    /// From the whole input to the whole output, or to what went wrong. It may panic.
    pub run: fn(&[u8]) -> Result<Vec<u8>, String>,
}

inventory::collect!(Job);

/// What a job may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall time from the start of the process to the end of its answer.
    pub time: Duration,
    /// Bytes of address space, the program itself included. Held on Linux and other systems that count it; macOS and
    /// Windows do not, and there memory is not limited.
    pub memory: u64,
    /// Bytes of the answer.
    pub output: u64,
}

impl Default for Limits {
    /// 20 seconds, 2 GiB of memory, 256 MiB of answer.
    fn default() -> Self {
        Self {
            time: Duration::from_secs(20),
            memory: 2 << 30,
            output: 256 << 20,
        }
    }
}

/// Why a call has no answer. As text it goes on where the name of what was done stands: `render` `stopped after 20 s`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerError {
    /// The job said so.
    Job(String),
    /// It was ended after this time.
    Time(Duration),
    /// It asked for more memory than this many bytes.
    Memory(u64),
    /// Its answer was longer than this many bytes.
    Output(u64),
    /// It ended without an answer.
    Died(String),
    /// It could not be started.
    Start(String),
    /// Nobody waits for its answer any longer.
    Cancelled,
}

impl fmt::Display for WorkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Job(message) => f.write_str(message),
            Self::Time(time) => write!(f, "stopped after {} s", time.as_secs_f64()),
            Self::Memory(bytes) => write!(f, "ran out of {}", Size(*bytes)),
            Self::Output(bytes) => write!(f, "gave more than {}", Size(*bytes)),
            Self::Died(how) => write!(f, "failed: {how}"),
            Self::Start(why) => write!(f, "could not be started: {why}"),
            Self::Cancelled => f.write_str("was cancelled"),
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

/// This program begins with [`dispatch`], so it can be its own worker.
static READY: AtomicBool = AtomicBool::new(false);
/// Jobs run on a thread of this process.
static INSIDE: AtomicBool = AtomicBool::new(false);
/// Another program that begins with [`dispatch`].
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Where jobs are run.
enum Place {
    Program(PathBuf),
    Inside,
}

/// Runs the job this process was started for, if it was: then the exit code is to be returned from `main` at once.
#[must_use]
pub fn dispatch() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == ARGUMENT) {
        let rest: Vec<OsString> = arguments.take(4).collect();
        return Some(child::run(&rest));
    }
    READY.store(true, Ordering::Relaxed);
    None
}

/// Lets another program run the jobs, one that begins with [`dispatch`] and holds the same jobs. For tests, whose own
/// `main` is not theirs. The first call counts.
pub fn use_program(path: impl Into<PathBuf>) {
    PROGRAM.get_or_init(|| path.into());
}

/// Lets jobs run on a thread of this process where no program can run them. For tests only, and
/// [`testing`](crate::testing) does it: memory is not limited, and a job that takes too long is left to itself.
pub fn stay_inside() {
    INSIDE.store(true, Ordering::Relaxed);
}

/// Runs the job `name` on `input` in a process of its own, and waits for it no longer than `limits.time`.
///
/// # Errors
/// See [`WorkerError`]. Whatever it is, the process is gone.
pub fn call(name: &str, input: &[u8], limits: &Limits) -> Result<Vec<u8>, WorkerError> {
    match place()? {
        Place::Program(program) => parent::call(&program, name, input, limits),
        Place::Inside => child::inside(name, input, limits),
    }
}

fn place() -> Result<Place, WorkerError> {
    if let Some(program) = PROGRAM.get() {
        return Ok(Place::Program(program.clone()));
    }
    if READY.load(Ordering::Relaxed) {
        // The name by which the kernel knows this very program, even when its file has been replaced meanwhile.
        if cfg!(target_os = "linux") {
            return Ok(Place::Program(PathBuf::from("/proc/self/exe")));
        }
        let program = env::current_exe().map_err(|error| WorkerError::Start(error.to_string()))?;
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
