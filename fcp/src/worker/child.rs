//! The child's side of a job: limits first, then the work.

use std::{
    any::Any,
    ffi::OsString,
    io::{self, Read, Write},
    panic,
    process::ExitCode,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use super::{
    Limits, WorkerError, find,
    wire::{self, Outcome},
};

/// Readers and renderers walk trees recursively.
const STACK: u64 = 64 << 20;

/// Runs the job of the arguments and reports its outcome.
pub(super) fn run(arguments: &[OsString]) -> ExitCode {
    let texts: Option<Vec<&str>> = arguments.iter().map(|one| one.to_str()).collect();
    let Some([name, numbers @ ..]) = texts.as_deref() else {
        return refuse();
    };
    let numbers = numbers.iter().map(|number| number.parse().ok());
    let numbers: Option<Vec<u64>> = numbers.collect();
    let Some([memory, time, work]) = numbers.as_deref() else {
        return refuse();
    };
    let (memory, time) = (*memory, Duration::from_millis(*time));
    // The message of a panic becomes part of the answer.
    panic::set_hook(Box::new(|_| {}));
    follow();
    limit(memory, work.div_ceil(1000));
    watch(time);
    let (outcome, payload) = answer(name, memory);
    match wire::write(&mut io::stdout().lock(), outcome, &payload) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn refuse() -> ExitCode {
    // If standard error is closed too, there is no way to report it.
    let _ = writeln!(
        io::stderr(),
        "error: this is for the program itself to call"
    );
    ExitCode::from(2)
}

fn answer(name: &str, memory: u64) -> (Outcome, Vec<u8>) {
    let Some(job) = find(name) else {
        return (Outcome::Died, format!("no job {name}").into_bytes());
    };
    let mut input = Vec::new();
    if let Err(error) = io::stdin().lock().read_to_end(&mut input) {
        return if error.kind() == io::ErrorKind::OutOfMemory {
            (Outcome::NoMemory, Vec::new())
        } else {
            (Outcome::Died, error.to_string().into_bytes())
        };
    }
    let stack = usize::try_from(STACK.min(memory / 8)).unwrap_or(1 << 20);
    let thread = thread::Builder::new()
        .stack_size(stack)
        .spawn(move || (job.run)(&input));
    match thread.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(output))) => (Outcome::Done, output),
        Ok(Ok(Err(message))) => (Outcome::Failed, message.into_bytes()),
        Ok(Err(panic)) => (Outcome::Died, panic_message(panic.as_ref()).into_bytes()),
        // A thread cannot start if its stack does not fit.
        Err(_) => (Outcome::NoMemory, Vec::new()),
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it panicked").to_owned()
}

/// Makes this process end together with its parent.
#[cfg(target_os = "linux")]
fn follow() {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};

    let parent = getppid();
    // If this is not permitted, the watch still checks for the parent.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    // The parent may have ended in between.
    if getppid() != parent {
        std::process::exit(1);
    }
}

#[cfg(not(target_os = "linux"))]
const fn follow() {}

/// The parent process.
#[cfg(unix)]
fn parent() -> Option<rustix::process::Pid> {
    rustix::process::getppid()
}

#[cfg(not(unix))]
const fn parent() -> Option<()> {
    None
}

/// Ends this process when the caller is gone, or some time after the caller would have ended it.
fn watch(time: Duration) {
    const LOOK: Duration = Duration::from_millis(200);

    let late = time
        .saturating_mul(2)
        .saturating_add(Duration::from_secs(1));
    let (begun, started) = (Instant::now(), parent());
    // Without the watch the job still has its limits.
    let _ = thread::Builder::new().stack_size(64 << 10).spawn(move || {
        while begun.elapsed() < late && parent() == started {
            thread::sleep(LOOK);
        }
        std::process::exit(1);
    });
}

/// Limits this process to bytes of memory and seconds of processor time.
#[cfg(unix)]
fn limit(memory: u64, seconds: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};

    let at_most = |bytes| Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    // On systems without this limit, the time limit still applies.
    #[cfg(not(target_os = "openbsd"))]
    let _ = setrlimit(Resource::As, at_most(memory));
    // At the second limit the kernel kills without saying why.
    let _ = setrlimit(
        Resource::Cpu,
        Rlimit {
            current: Some(seconds),
            maximum: Some(seconds.saturating_add(1)),
        },
    );
    // A job that dies leaves no core dump.
    let _ = setrlimit(Resource::Core, at_most(0));
}

#[cfg(not(unix))]
fn limit(_: u64, _: u64) {}

/// Runs a job on a thread of this process. After its time it is abandoned.
pub(super) fn inside(name: &str, input: &[u8], limits: &Limits) -> Result<Vec<u8>, WorkerError> {
    let job = find(name).ok_or_else(|| WorkerError::Died(format!("no job {name}")))?;
    let (sender, receiver) = mpsc::channel();
    let input = input.to_vec();
    let thread = thread::Builder::new()
        .stack_size(STACK as usize)
        .spawn(move || {
            // The caller may have stopped waiting.
            let _ = sender.send((job.run)(&input));
        })
        .map_err(|error| WorkerError::Start(error.to_string()))?;
    match receiver.recv_timeout(limits.time) {
        Ok(Ok(output)) if output.len() as u64 > limits.output => {
            Err(WorkerError::Output(limits.output))
        }
        Ok(answer) => answer.map_err(WorkerError::Job),
        Err(mpsc::RecvTimeoutError::Timeout) => Err(WorkerError::Time(limits.time)),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            let how = thread
                .join()
                .err()
                .map(|panic| panic_message(panic.as_ref()));
            Err(WorkerError::Died(how.unwrap_or_default()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::Job;

    inventory::submit! { Job { name: "double", run: |input| Ok([input, input].concat()) } }
    inventory::submit! { Job { name: "fail", run: |_| Err("no".to_owned()) } }
    inventory::submit! { Job { name: "trip", run: |_| panic!("over a wire") } }
    inventory::submit! { Job { name: "wait", run: |_| { thread::park(); Ok(Vec::new()) } } }

    #[test]
    fn a_job_inside_ends_as_one_outside_does() {
        let limits = Limits {
            output: 4,
            ..Limits::default()
        };
        let call = |name: &str, input: &[u8]| inside(name, input, &limits);
        assert_eq!(call("double", b"ab"), Ok(b"abab".to_vec()));
        assert_eq!(call("double", b"abc"), Err(WorkerError::Output(4)));
        assert_eq!(call("fail", b""), Err(WorkerError::Job("no".to_owned())));
        let died = |how: &str| Err(WorkerError::Died(how.to_owned()));
        assert_eq!(call("trip", b""), died("over a wire"));
        assert_eq!(call("none", b""), died("no job none"));
        let short = Limits {
            time: Duration::from_millis(50),
            ..limits
        };
        assert_eq!(
            inside("wait", b"", &short),
            Err(WorkerError::Time(short.time))
        );
    }
}
