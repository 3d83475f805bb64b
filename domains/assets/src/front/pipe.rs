//! The input and output of the protocol's server.

use std::io::{self, Read, Write};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::message::Id;
use super::out::Out;
use super::request_queue::Desk;

/// Maximum number of lines on their way to the server.
const UNDER_WAY: usize = 64;

/// The input of the server. A sender records each line under the same lock that sends it, so that
/// records and lines have the same order.
#[derive(Debug)]
pub(super) struct Feed(Mutex<Option<SyncSender<String>>>);

/// The reader given to the server.
#[derive(Debug)]
pub(super) struct Inlet {
    lines: Receiver<String>,
    rest: io::Cursor<String>,
}

pub(super) fn pipe() -> (Feed, Inlet) {
    let (feed, lines) = mpsc::sync_channel(UNDER_WAY);
    let rest = io::Cursor::default();
    (Feed(Mutex::new(Some(feed))), Inlet { lines, rest })
}

impl Feed {
    /// Sends the server a line if `note` returns true. A server that has ended receives nothing.
    pub(super) fn send_line(&self, mut line: String, note: impl FnOnce() -> bool) {
        let feed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if note()
            && let Some(feed) = feed.as_ref()
        {
            line.push('\n');
            // If the server has ended, the desk reports that to whoever waits for the answer.
            let _ = feed.send(line);
        }
    }

    /// Ends the server's input.
    pub(super) fn close(&self) {
        let mut feed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        feed.take();
    }
}

impl Read for Inlet {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.rest.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            match self.lines.recv() {
                Ok(line) => self.rest = io::Cursor::new(line),
                Err(_) => return Ok(0),
            }
        }
    }
}

/// The writer given to the server. Its frames go out one by one.
pub(super) struct Outlet<W: Write> {
    desk: Arc<Desk>,
    out: Arc<Out<W>>,
    part: Vec<u8>,
}

impl<W: Write> Outlet<W> {
    pub(super) fn new(desk: Arc<Desk>, out: Arc<Out<W>>) -> Self {
        let part = Vec::new();
        Self { desk, out, part }
    }

    fn frame(&self, frame: &[u8]) -> io::Result<()> {
        match answered(frame) {
            None => self.out.write(frame),
            Some(id) => {
                if !self.desk.claim(id.as_ref()) {
                    return Ok(());
                }
                let sent = self.out.write(frame);
                self.desk.answered();
                sent
            }
        }
    }
}

impl<W: Write> Write for Outlet<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, behind) = rest.split_at(end);
            rest = behind.get(1..).unwrap_or_default();
            if self.part.is_empty() {
                self.frame(line)?;
            } else {
                self.part.extend_from_slice(line);
                let frame = std::mem::take(&mut self.part);
                self.frame(&frame)?;
            }
        }
        self.part.extend_from_slice(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The id of the request that a frame answers; null answers a line that could not be read.
fn answered(frame: &[u8]) -> Option<Option<Id>> {
    #[derive(Deserialize)]
    struct Frame {
        id: Option<Id>,
        method: Option<IgnoredAny>,
    }
    let frame: Frame = serde_json::from_slice(frame).ok()?;
    frame.method.is_none().then_some(frame.id)
}
