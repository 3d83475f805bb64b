//! The only writer of standard output.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::request_queue::Desk;

/// Writes frames, each as a whole and at once.
#[derive(Debug)]
pub(super) struct Out<W: Write> {
    desk: Arc<Desk>,
    output: Mutex<W>,
}

impl<W: Write> Out<W> {
    pub(super) fn new(desk: Arc<Desk>, output: W) -> Self {
        let output = Mutex::new(output);
        Self { desk, output }
    }

    /// Writes a frame and its line ending. Reports a closed output to the desk.
    pub(super) fn write(&self, frame: impl Into<Vec<u8>>) -> io::Result<()> {
        let mut frame = frame.into();
        frame.push(b'\n');
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let written = output.write_all(&frame).and_then(|()| output.flush());
        if written.is_err() {
            self.desk.unread();
        }
        written
    }
}
