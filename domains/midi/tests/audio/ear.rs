//! Finds notes in a wave: their pitches, onsets and lengths.

use std::f64::consts::TAU;

/// A wave, with its channels mixed into one.
pub struct Heard {
    pub rate: u32,
    pub channels: u16,
    pub samples: Vec<f64>,
}

/// A sound: pitch as a key number, onset and length in seconds.
pub type Sound = (u8, f64, f64);

/// The pitches to detect: above A4, two semitones differ by more than 26 Hz, which the window can
/// separate.
pub const PITCHES: std::ops::RangeInclusive<u8> = 69..=93;
/// Length of the analysis window in seconds. A Hann window of that length does not respond 25 Hz
/// away from a tone.
const WINDOW: f64 = 0.08;
/// Seconds between windows.
const STEP: f64 = 0.001;
/// Tolerance of onsets and lengths, in seconds: the synthesizer works in blocks of 64 samples (3 ms
/// at 22,050 Hz) and releases in 10 ms, and windows are `STEP` apart.
pub const TOLERANCE: f64 = 0.010;

impl Heard {
    /// Reads a 16-bit RIFF WAVE.
    pub fn read(wave: &[u8]) -> Self {
        assert_eq!(&wave[..4], b"RIFF");
        assert_eq!(&wave[8..16], b"WAVEfmt ");
        let half = |at: usize| u16::from_le_bytes([wave[at], wave[at + 1]]);
        let word = |at: usize| u32::from_le_bytes(wave[at..at + 4].try_into().unwrap());
        assert_eq!(word(4) as usize, wave.len() - 8);
        assert_eq!((half(20), half(34)), (1, 16), "whole numbers of 16 bits");
        let (channels, rate) = (half(22), word(24));
        assert_eq!(word(28), rate * u32::from(channels) * 2);
        assert_eq!(&wave[36..40], b"data");
        assert_eq!(word(40) as usize, wave.len() - 44);
        let all = wave[44..].as_chunks::<2>().0.iter();
        let all: Vec<f64> = all
            .map(|bytes| f64::from(i16::from_le_bytes(*bytes)) / 32768.0)
            .collect();
        let frames = all.chunks(usize::from(channels));
        let samples = frames.map(|frame| frame.iter().sum::<f64>() / frame.len() as f64);
        Self {
            rate,
            channels,
            samples: samples.collect(),
        }
    }

    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(self.rate)
    }

    /// The level of a frequency around a time.
    pub fn level(&self, frequency: f64, around: f64) -> f64 {
        let rate = f64::from(self.rate);
        let count = (WINDOW * rate) as usize;
        let first = ((around - WINDOW / 2.0) * rate).round() as i64;
        let (mut real, mut imaginary, mut weight) = (0.0, 0.0, 0.0);
        for n in 0..count {
            let window = 0.5 - 0.5 * (TAU * n as f64 / count as f64).cos();
            weight += window;
            let at = usize::try_from(first + n as i64).ok();
            let sample = at.and_then(|at| self.samples.get(at)).unwrap_or(&0.0);
            let angle = TAU * frequency * n as f64 / rate;
            real += window * sample * angle.cos();
            imaginary += window * sample * angle.sin();
        }
        2.0 * real.hypot(imaginary) / weight
    }

    /// The notes of pure tones, by onset and pitch. A tone reaches half its level when the middle
    /// of the window is at its onset.
    pub fn sounds(&self) -> Vec<Sound> {
        let steps = (self.seconds() / STEP) as usize;
        let mut levels: Vec<(u8, Vec<f64>)> = Vec::new();
        for pitch in PITCHES {
            levels.push((pitch, self.levels(frequency(pitch), steps)));
        }
        let most = levels.iter().flat_map(|(_, levels)| levels);
        let half = most.fold(0.0_f64, |most, level| most.max(*level)) / 2.0;
        let mut sounds = Vec::new();
        for (pitch, levels) in levels {
            let mut start = None;
            for (step, level) in levels.iter().chain([&0.0]).enumerate() {
                let time = step as f64 * STEP;
                match start {
                    None if *level > half => start = Some(time),
                    Some(from) if *level <= half => {
                        sounds.push((pitch, from, time - from));
                        start = None;
                    }
                    _ => {}
                }
            }
        }
        sounds.sort_by(|a, b| (a.1, a.0).partial_cmp(&(b.1, b.0)).unwrap());
        sounds
    }

    /// The level of a frequency at each step: the wave is shifted down by that frequency once, and
    /// averaged in windows.
    fn levels(&self, frequency: f64, steps: usize) -> Vec<f64> {
        let rate = f64::from(self.rate);
        let turned: Vec<(f64, f64)> = self
            .samples
            .iter()
            .enumerate()
            .map(|(n, sample)| {
                let angle = TAU * frequency * n as f64 / rate;
                (sample * angle.cos(), sample * angle.sin())
            })
            .collect();
        // A Hann window is the sum of three plain ones, two of them shifted by one period: their
        // sums are differences of running sums.
        let count = (WINDOW * rate) as usize;
        let turn = TAU / count as f64;
        let running = |by: f64| {
            let mut sum = (0.0, 0.0);
            let mut sums = vec![sum];
            for (n, (real, imaginary)) in turned.iter().enumerate() {
                let (sin, cos) = (turn * by * n as f64).sin_cos();
                sum.0 += real * cos - imaginary * sin;
                sum.1 += real * sin + imaginary * cos;
                sums.push(sum);
            }
            sums
        };
        let [plain, up, down] = [0.0, 1.0, -1.0].map(running);
        let last = self.samples.len() as i64;
        let level = |step: usize| {
            let first = ((step as f64 * STEP - WINDOW / 2.0) * rate).round() as i64;
            let place = |at: i64| usize::try_from(at.clamp(0, last)).unwrap_or(0);
            let (from, to) = (place(first), place(first + count as i64));
            let part = |sums: &[(f64, f64)], by: f64| {
                let (real, imaginary) = (sums[to].0 - sums[from].0, sums[to].1 - sums[from].1);
                // The phase of the window starts at its beginning.
                let (sin, cos) = (-turn * by * first as f64).sin_cos();
                (real * cos - imaginary * sin, real * sin + imaginary * cos)
            };
            let (p, u, d) = (part(&plain, 0.0), part(&up, 1.0), part(&down, -1.0));
            let real = 0.5 * p.0 - 0.25 * (u.0 + d.0);
            let imaginary = 0.5 * p.1 - 0.25 * (u.1 + d.1);
            2.0 * real.hypot(imaginary) / (0.5 * count as f64)
        };
        (0..steps).map(level).collect()
    }
}

/// The frequency of a key in equal temperament, A4 = 440 Hz.
pub fn frequency(pitch: u8) -> f64 {
    440.0 * 2_f64.powf((f64::from(pitch) - 69.0) / 12.0)
}

/// Checks that the detected notes match the written ones.
pub fn same(heard: &[Sound], written: &[Sound]) {
    let near = |a: f64, b: f64| (a - b).abs() <= TOLERANCE;
    let same = heard.len() == written.len()
        && heard
            .iter()
            .zip(written)
            .all(|(a, b)| a.0 == b.0 && near(a.1, b.1) && near(a.2, b.2));
    assert!(same, "heard   {heard:.3?}\nwritten {written:.3?}");
}
