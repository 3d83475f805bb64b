//! The child's output: a mark, the outcome, a length, and the payload of that length.
//!
//! The mark distinguishes an answer from the output of a program that is not a worker.

use std::io::{self, Read, Write};

use super::WorkerError;

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

/// Reads an answer of at most `most` bytes. Returns `None` if the input ends before the answer
/// does.
///
/// # Errors
/// The answer is longer.
pub(super) fn read(
    from: &mut impl Read,
    most: u64,
) -> Result<Option<(Outcome, Vec<u8>)>, WorkerError> {
    let mut head = [0; 17];
    if from.read_exact(&mut head).is_err() {
        return Ok(None);
    }
    let (mark, rest) = head.split_at(MARK.len());
    let Some((outcome, length)) = rest.split_first() else {
        return Ok(None);
    };
    let outcome = Outcome::ALL.into_iter().find(|one| one.byte() == *outcome);
    let (Some(outcome), Ok(length)) = (outcome, length.try_into()) else {
        return Ok(None);
    };
    if mark != MARK {
        return Ok(None);
    }
    let length = u64::from_le_bytes(length);
    if length > most {
        return Err(WorkerError::Output(most));
    }
    let mut payload = Vec::new();
    let whole = from.take(length).read_to_end(&mut payload).is_ok();
    Ok((whole && payload.len() as u64 == length).then_some((outcome, payload)))
}
