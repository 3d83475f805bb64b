//! A toolset that repeats words, and the front that serves it.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::time::{Duration, Instant};

use fcp::endpoint::Config;
use fcp::mcp::{self, Options};
use fcp::prelude::*;
use fcp::tool::{Cancel, Toolbox, Tools};
use fcp_assets::front::{Desk, Ended, serve};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The timeout of all waits.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Counts the words that were said.
#[derive(Default)]
pub struct Parrot {
    pub spoken: Mutex<BTreeMap<String, usize>>,
    pub open: AtomicUsize,
    gate: Arc<Gate>,
}

/// Blocks `wait` until it is opened.
#[derive(Default)]
pub struct Gate(Mutex<bool>, Condvar);

impl Gate {
    pub fn open(&self) {
        *self.0.lock().unwrap() = true;
        self.1.notify_all();
    }
}

impl Toolset for Parrot {
    const DOMAIN: &'static str = "parrot";
    const TITLE: &'static str = "Parrots";
    const INSTRUCTIONS: &'static str = "Say something.";
    const SEQUENTIAL: bool = true;

    fn open(_: &Config) -> Result<Self> {
        Ok(Self::default())
    }
}

/// The word spoken.
#[derive(Serialize, JsonSchema)]
pub struct Said {
    ok: bool,
    word: String,
    detail: bool,
}

/// Say a word back.
///
/// ```json
/// {"word": "hello"}
/// > {"ok": true, "word": "hello", "detail": true}
/// ```
#[fcp_tool(alias = "repeat")]
pub fn say(
    parrot: &Parrot,
    /// The word to speak.
    #[fcp(default = String::new())]
    word: String,
    /// Whether to add details.
    #[fcp(default = true)]
    detail: bool,
) -> Result<Said> {
    *parrot
        .spoken
        .lock()
        .unwrap()
        .entry(word.clone())
        .or_default() += 1;
    let ok = true;
    Ok(Said { ok, word, detail })
}

/// Wait until the gate is open.
///
/// ```json
/// {"word": "hello", "patient": false}
/// > {"ok": false, "word": "hello", "detail": false}
/// ```
#[fcp_tool]
pub fn wait(
    parrot: &Parrot,
    /// The word to speak then.
    word: String,
    /// Whether to wait at all.
    #[fcp(default = true)]
    patient: bool,
    cancel: &Cancel,
) -> Result<Said> {
    parrot.open.fetch_add(1, Ordering::SeqCst);
    let start = Instant::now();
    let mut open = parrot.gate.0.lock().unwrap();
    while patient && !*open && !cancel.is_cancelled() && start.elapsed() < PATIENCE {
        let waited = parrot.gate.1.wait_timeout(open, Duration::from_millis(5));
        open = waited.unwrap().0;
    }
    let ok = *open;
    let detail = false;
    Ok(Said { ok, word, detail })
}

/// A running front.
pub struct Stage {
    pub tools: Arc<Toolbox<Parrot>>,
    pub gate: Arc<Gate>,
    pub desk: Arc<Desk>,
    input: Option<io::PipeWriter>,
    lines: mpsc::Receiver<String>,
    ended: mpsc::Receiver<Ended>,
}

/// Sends each frame on; a write has whole frames, each with a line feed at its end.
struct Frames(mpsc::Sender<String>);

impl Write for Frames {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        for frame in text.strip_suffix('\n').unwrap().split('\n') {
            let sent = self.0.send(frame.to_owned());
            sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stage {
    pub fn new() -> Self {
        let (reader, writer) = io::pipe().unwrap();
        let mut stage = Self::over(reader);
        stage.input = Some(writer);
        stage
    }

    /// A front over an input.
    pub fn over(input: impl Read + Send + 'static) -> Self {
        let tools = Arc::new(Toolbox::<Parrot>::open(&Config::at(".")).unwrap());
        let desk = Arc::new(Desk::default());
        let (frames, lines) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let (shared, stop) = (Arc::clone(&tools) as Arc<dyn Tools>, Arc::clone(&desk));
        std::thread::spawn(move || {
            let served = Arc::clone(&shared);
            let transport = move |input: Box<dyn Read + Send>, output: Box<dyn Write + Send>| {
                mcp::serve_tools(Arc::clone(&served), Options::new("1"), input, output)
            };
            let streams = (input, Frames(frames));
            serve(&stop, &shared, streams, &transport, |how| {
                end.send(how).unwrap();
            })
            .unwrap();
        });
        Self {
            gate: tools.look(|parrot| Arc::clone(&parrot.gate)),
            tools,
            desk,
            input: None,
            lines,
            ended,
        }
    }

    pub fn say(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    pub fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    pub fn hear_json(&self) -> Value {
        serde_json::from_str(&self.hear()).unwrap()
    }

    pub fn is_silent(&self) -> bool {
        self.lines.recv_timeout(Duration::from_millis(100)).is_err()
    }

    /// Waits until `count` calls of `wait` have begun.
    pub fn waits(&self, count: usize) {
        let start = Instant::now();
        while self.tools.look(|parrot| parrot.open.load(Ordering::SeqCst)) < count {
            assert!(start.elapsed() < PATIENCE);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub fn close(&mut self) {
        self.input.take();
    }

    pub fn unread(self) -> (Option<io::PipeWriter>, mpsc::Receiver<Ended>) {
        (self.input, self.ended)
    }

    /// The reason for the end, and the replies not yet read.
    pub fn ended(&mut self) -> (Ended, Vec<String>) {
        let ended = self.ended.recv_timeout(PATIENCE).unwrap();
        (ended, self.lines.try_iter().collect())
    }

    /// The number of times that a word was said.
    pub fn spoken(&self, word: &str) -> usize {
        let count = |parrot: &Parrot| parrot.spoken.lock().unwrap().get(word).copied();
        self.tools.look(count).unwrap_or_default()
    }
}

/// All replies to an input.
pub fn replies(input: &[u8]) -> Vec<String> {
    let mut stage = Stage::over(io::Cursor::new(input.to_vec()));
    let (ended, replies) = stage.ended();
    assert_eq!(ended, Ended::Input);
    replies
}
