//! Renders messages with a SoundFont to a wave, in a separate process: a SoundFont may come from
//! anywhere.

use std::sync::Arc;
use std::time::Duration;

use fcp::prelude::*;
use fcp::worker::{self, Job, Limits};
use rustysynth::{SoundFont, Synthesizer, SynthesizerSettings};

use super::part::Part;
use crate::model::Song;

const JOB: &str = "wave";

inventory::submit! { Job { name: JOB, run } }

/// The longest part to play, in seconds. As a wave of 96 kHz it takes 230 MB.
pub const LONGEST: f64 = 600.0;
/// The longest time to let sounds fade out, in seconds.
const TAIL: usize = 5;
/// The wall-clock time for the longest part.
const TIME: Duration = Duration::from_secs(60);
/// Number of frames to render at once.
const BLOCK: usize = 4096;
/// Number of simultaneous voices.
const VOICES: usize = 128;

/// The format of a wave.
#[derive(Clone, Copy, Debug)]
pub struct Wave {
    /// Samples per second.
    pub rate: u32,
    /// Whether there is one channel instead of two.
    pub mono: bool,
}

impl Song {
    /// Renders a part as a 16-bit RIFF WAVE, including sounds that fade out after its end.
    ///
    /// # Errors
    /// No SoundFont is loaded, it cannot be played, or a limit of time or memory is exceeded.
    pub fn wave(&self, part: &Part, wave: &Wave) -> Result<Vec<u8>> {
        let Some(font) = &self.sound.font else {
            bail!("no SoundFont is loaded; the session action load-soundfont PATH does it")
        };
        let messages = self.messages(part.ticks, wave.rate);
        // At most LONGEST seconds at a rate below 2^20.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let frames = (part.seconds * f64::from(wave.rate)).round() as u64;
        let head = [
            u64::from(wave.rate),
            u64::from(wave.mono),
            frames,
            messages.len() as u64,
        ];
        let mut input: Vec<u8> = head.iter().flat_map(|n| n.to_le_bytes()).collect();
        for message in &messages {
            input.extend(message.frame.to_le_bytes());
            input.extend(message.bytes);
        }
        input.extend_from_slice(&font.bytes);
        let limits = Limits {
            time: TIME,
            ..Limits::default()
        };
        worker::call(JOB, &input, &limits).map_err(|error| {
            let message = format!("playing on {} {error}", font.path);
            Diagnostic::new(message.replace(" failed: ", " failed, the SoundFont may be broken: "))
        })
    }
}

fn run(input: &[u8]) -> Result<Vec<u8>, String> {
    let mut rest = input;
    let mut number = || {
        let (first, after) = rest.split_first_chunk::<8>()?;
        rest = after;
        Some(u64::from_le_bytes(*first))
    };
    let cut = || "the input is cut off".to_owned();
    let mut next = || number().ok_or_else(cut);
    let (rate, mono, frames, count) = (next()?, next()?, next()?, next()?);
    let count = usize::try_from(count).map_err(|_| cut())?;
    let (messages, font) = rest.split_at_checked(count * 11).ok_or_else(cut)?;
    let refused = |why: String| format!("is not possible: {why}");
    let font = SoundFont::new(&mut &*font).map_err(|error| refused(error.to_string()))?;
    let mut settings = SynthesizerSettings::new(i32::try_from(rate).unwrap_or(0));
    settings.maximum_polyphony = VOICES;
    let synthesizer = Synthesizer::new(&Arc::new(font), &settings);
    let mut player = Player {
        synthesizer: synthesizer.map_err(|error| refused(error.to_string()))?,
        mono: mono != 0,
        done: 0,
        samples: Vec::new(),
    };
    for message in messages.as_chunks::<11>().0 {
        let [frame @ .., status, first, second] = message;
        player.to(u64::from_le_bytes(*frame).min(frames));
        let (channel, command) = (i32::from(status & 15), i32::from(status & 0xf0));
        let (first, second) = (i32::from(*first), i32::from(*second));
        let synthesizer = &mut player.synthesizer;
        synthesizer.process_midi_message(channel, command, first, second);
    }
    player.to(frames);
    // Notes without an end, or with one after the part, end here.
    for channel in 0..16 {
        player
            .synthesizer
            .process_midi_message(channel, 0xb0, 64, 0);
        player
            .synthesizer
            .process_midi_message(channel, 0xb0, 123, 0);
    }
    let rate = usize::try_from(rate).unwrap_or(0);
    for _ in 0..(TAIL * rate).div_ceil(BLOCK) {
        let before = player.samples.len();
        player.to(player.done + BLOCK as u64);
        if player
            .samples
            .iter()
            .skip(before)
            .all(|sample| *sample == 0)
        {
            player.samples.truncate(before);
            break;
        }
    }
    Ok(file(&player.samples, rate, if mono == 0 { 2 } else { 1 }))
}

struct Player {
    synthesizer: Synthesizer,
    mono: bool,
    /// Frames rendered so far.
    done: u64,
    samples: Vec<i16>,
}

impl Player {
    /// Renders up to a frame.
    fn to(&mut self, frame: u64) {
        let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
        while self.done < frame {
            let count = usize::try_from(frame - self.done)
                .unwrap_or(BLOCK)
                .min(BLOCK);
            let (left, right) = (&mut left[..count], &mut right[..count]);
            self.synthesizer.render(left, right);
            for (left, right) in left.iter().zip(&*right) {
                if self.mono {
                    self.samples.push(whole((left + right) / 2.0));
                } else {
                    self.samples.extend([whole(*left), whole(*right)]);
                }
            }
            self.done += count as u64;
        }
    }
}

/// A 16-bit sample.
fn whole(sample: f32) -> i16 {
    // The cast saturates.
    #[allow(clippy::cast_possible_truncation)]
    let sample = (sample * f32::from(i16::MAX)).round() as i16;
    sample
}

/// A 16-bit RIFF WAVE.
fn file(samples: &[i16], rate: usize, channels: u16) -> Vec<u8> {
    let four = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes();
    let (bytes, frame) = (samples.len() * 2, usize::from(channels) * 2);
    let mut file = Vec::with_capacity(44 + bytes);
    file.extend(b"RIFF");
    file.extend(four(36 + bytes));
    file.extend(b"WAVEfmt ");
    file.extend(four(16));
    file.extend(1_u16.to_le_bytes());
    file.extend(channels.to_le_bytes());
    file.extend(four(rate));
    file.extend(four(rate * frame));
    file.extend(u16::to_le_bytes(channels * 2));
    file.extend(16_u16.to_le_bytes());
    file.extend(b"data");
    file.extend(four(bytes));
    file.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    file
}
