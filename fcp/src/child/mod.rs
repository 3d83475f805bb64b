//! Programs that a call runs: fed and read at the same time, within a limit on their time and
//! output. A child, and all that it starts, ends with the call that asked for it, and with this process.

#[cfg(unix)]
pub(crate) mod guard;
pub(crate) mod this_program;

use std::{
    fmt,
    io::{self, Read, Write},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use crate::work::is_unwanted;

/// The number of last bytes of standard error that are kept.
const COMPLAINTS: usize = 16 << 10;

/// The interval of checks whether the output is still wanted.
const LOOK: Duration = Duration::from_millis(20);

/// A child that was started. It is killed and reaped if nobody waits for its [`end`](Running::end).
#[derive(Debug)]
pub struct Running {
    child: Child,
    #[cfg(unix)]
    group: Option<guard::Group>,
    out: Receiver<io::Result<Vec<u8>>>,
    complaints: Receiver<Vec<u8>>,
    time: Duration,
    deadline: Instant,
    most: u64,
}

/// A child that ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// Its standard output.
    pub out: Vec<u8>,
    /// The last 16 KiB of its standard error.
    pub complaints: String,
}

/// The reason why a child did not end by itself.
#[derive(Debug)]
pub enum ChildError {
    /// It was killed after this time.
    Time(Duration),
    /// It was killed after this many bytes of output.
    Output(u64),
    /// It was killed because nobody waits for the call any more.
    Cancelled,
    /// The system failed.
    Lost(io::Error),
}

impl fmt::Display for ChildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => write!(f, "took over {} s", time.as_secs_f64()),
            Self::Output(most) => write!(f, "gave more than {most} bytes"),
            Self::Cancelled => f.write_str("was cancelled"),
            Self::Lost(problem) => write!(f, "was lost: {problem}"),
        }
    }
}

impl std::error::Error for ChildError {}

/// Starts a program, which reads `input`, and may take this `time` and give at `most` this many
/// bytes.
///
/// # Errors
/// It cannot be started.
pub fn start(command: Command, input: Vec<u8>, time: Duration, most: u64) -> io::Result<Running> {
    #[cfg(unix)]
    guard::begin();
    start_as(command, input, time, most, true)
}

/// [`start`] for a program that ends by itself when this process does.
pub(crate) fn start_follower(
    command: Command,
    input: Vec<u8>,
    time: Duration,
    most: u64,
) -> io::Result<Running> {
    start_as(command, input, time, most, false)
}

#[cfg_attr(not(unix), expect(unused_variables, reason = "there are no guards"))]
fn start_as(
    mut command: Command,
    input: Vec<u8>,
    time: Duration,
    most: u64,
    guarded: bool,
) -> io::Result<Running> {
    let stdin = match input.is_empty() {
        true => Stdio::null(),
        false => Stdio::piped(),
    };
    command
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let deadline = Instant::now() + time;
    let mut child = command.spawn()?;
    #[cfg(unix)]
    let group = Some(guard::Group::of(&child, guarded));
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    // From here on the child is killed if a thread cannot be made.
    let (give_out, out) = mpsc::channel();
    let (give_complaints, complaints) = mpsc::channel();
    let running = Running {
        child,
        #[cfg(unix)]
        group,
        out,
        complaints,
        time,
        deadline,
        most,
    };
    let thread = |work: Box<dyn FnOnce() + Send>| thread::Builder::new().spawn(work);
    if let Some(mut stdin) = stdin {
        // A child that ends early does not read all its input.
        thread(Box::new(move || drop(stdin.write_all(&input))))?;
    }
    if let Some(stdout) = stdout {
        // One byte more shows that the output is too long. The caller may have stopped waiting.
        let all = move || drop(give_out.send(whole(stdout.take(most.saturating_add(1)))));
        thread(Box::new(all))?;
    }
    if let Some(stderr) = stderr {
        let last = move || drop(give_complaints.send(last(stderr)));
        thread(Box::new(last))?;
    }
    Ok(running)
}

fn whole(mut from: impl Read) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    from.read_to_end(&mut all)?;
    Ok(all)
}

/// Reads to the end and keeps the last part.
fn last(mut from: impl Read) -> Vec<u8> {
    let (mut kept, mut chunk) = (Vec::new(), [0; 4096]);
    while let Ok(length @ 1..) = from.read(&mut chunk) {
        kept.extend_from_slice(chunk.get(..length).unwrap_or_default());
        if kept.len() > 2 * COMPLAINTS {
            kept.drain(..kept.len() - COMPLAINTS);
        }
    }
    kept
}

impl Running {
    /// Waits for the child to end.
    ///
    /// # Errors
    /// See [`ChildError`]. The child is killed.
    pub fn end(mut self) -> Result<Ended, ChildError> {
        let out = self.received(&self.out)?;
        let out = out.map_err(ChildError::Lost)?;
        if out.len() as u64 > self.most {
            return Err(ChildError::Output(self.most));
        }
        let complaints = self.received(&self.complaints)?;
        let status = loop {
            match self.child.try_wait().map_err(ChildError::Lost)? {
                Some(status) => break status,
                None if Instant::now() >= self.deadline => {
                    return Err(ChildError::Time(self.time));
                }
                // It closed its output, so it ends soon.
                None => thread::sleep(Duration::from_micros(50)),
            }
        };
        Ok(Ended {
            status,
            out,
            complaints: String::from_utf8_lossy(&complaints).into_owned(),
        })
    }

    /// The answer of a thread that reads, if it comes in time and is wanted until then.
    fn received<T>(&self, from: &Receiver<T>) -> Result<T, ChildError> {
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            match from.recv_timeout(left.min(LOOK)) {
                Ok(all) => return Ok(all),
                Err(RecvTimeoutError::Timeout) if is_unwanted() => {
                    return Err(ChildError::Cancelled);
                }
                Err(RecvTimeoutError::Timeout) if left > LOOK => {}
                Err(RecvTimeoutError::Timeout) => return Err(ChildError::Time(self.time)),
                Err(RecvTimeoutError::Disconnected) => {
                    let problem = io::Error::other("a thread that reads its output ended early");
                    return Err(ChildError::Lost(problem));
                }
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The others of its group. If there are none, its number is not in use, and no new process has it so soon.
        #[cfg(unix)]
        drop(self.group.take());
        // Both only fail if the process is already gone. One that ended is only reaped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::work::wanted;

    const LONG: Duration = Duration::from_secs(60);

    fn shell(script: &str, input: &[u8], time: Duration, most: u64) -> Result<Ended, ChildError> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        start(command, input.to_vec(), time, most).unwrap().end()
    }

    #[test]
    fn a_child_is_fed_and_read() {
        let input = vec![b'x'; 1 << 20];
        let ended = shell("cat; echo no >&2; exit 3", &input, LONG, 1 << 20).unwrap();
        assert_eq!(ended.out, input);
        assert_eq!((ended.status.code(), &*ended.complaints), (Some(3), "no\n"));
        let early = shell("exit 0", &input, LONG, 1 << 20).unwrap();
        assert!(early.status.success() && early.out.is_empty());
    }

    #[test]
    fn a_child_that_does_not_end_is_killed() {
        let time = Duration::from_millis(100);
        for script in ["sleep 60", "exec >&- 2>&-; sleep 60"] {
            let error = shell(script, b"", time, 9).unwrap_err();
            assert_eq!(error.to_string(), "took over 0.1 s");
        }
        let error = shell("yes", b"", LONG, 1000).unwrap_err();
        assert_eq!(error.to_string(), "gave more than 1000 bytes");
        let error = wanted(|| true, || shell("sleep 60", b"", LONG, 9)).unwrap_err();
        assert_eq!(error.to_string(), "was cancelled");
    }
}
