//! The child's output: a mark, the outcome, a length, and the payload of that length.
//!
//! The mark distinguishes an answer from the output of a program that is not a worker.

use std::io::{self, Write};

const MARK: [u8; 8] = *b"fcp\x00job\x01";

/// The outcome of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    Failed,
    /// No memory was left before the job began.
    NoMemory,
    Died,
}

impl Outcome {
    const ALL: [Self; 4] = [Self::Done, Self::Failed, Self::NoMemory, Self::Died];

    fn byte(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::NoMemory => 2,
            Self::Died => 3,
        }
    }
}

/// Writes an answer.
///
/// # Errors
/// The reader has closed the stream.
pub(super) fn write(out: &mut impl Write, outcome: Outcome, payload: &[u8]) -> io::Result<()> {
    out.write_all(&MARK)?;
    out.write_all(&[outcome.byte()])?;
    out.write_all(&(payload.len() as u64).to_le_bytes())?;
    out.write_all(payload)?;
    out.flush()
}

/// The bytes before the payload.
pub(super) const HEAD: u64 = 17;

/// Reads an answer. Returns `None` if the output is not an answer, or ends before it does.
pub(super) fn read(output: &[u8]) -> Option<(Outcome, &[u8])> {
    let (outcome, rest) = output.strip_prefix(&MARK)?.split_first()?;
    let outcome = Outcome::ALL
        .into_iter()
        .find(|one| one.byte() == *outcome)?;
    let (length, rest) = rest.split_first_chunk()?;
    let payload = rest.get(..usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    Some((outcome, payload))
}
