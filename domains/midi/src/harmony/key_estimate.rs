//! The key of notes, estimated.

use crate::values::KeySig;

/// Fit of each pitch class in a major and a minor key on C, as rated by listeners (Krumhansl and Kessler, 1982).
const PROFILES: [[f64; 12]; 2] = [
    [
        6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88,
    ],
    [
        6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17,
    ],
];

/// The key that best matches pitch classes, by how long each sounds.
#[must_use]
#[allow(
    clippy::cast_precision_loss,
    reason = "a guess needs no more than a few digits"
)]
pub fn key_guess(weights: &[u64; 12]) -> Option<KeySig> {
    if weights.iter().filter(|own| **own > 0).count() < 3 {
        return None;
    }
    let mean = weights.iter().map(|own| *own as f64).sum::<f64>() / 12.0;
    let mut best: Option<(f64, KeySig)> = None;
    for (mode, profile) in PROFILES.iter().enumerate() {
        let level = profile.iter().sum::<f64>() / 12.0;
        for sharps in -5..=6_i8 {
            let Some(key) = KeySig::new(sharps, mode == 1) else {
                continue;
            };
            let tonic = usize::from(key.tonic().semitone());
            let (mut both, mut own) = (0.0, 0.0);
            for (class, weight) in weights.iter().enumerate() {
                let fit = profile
                    .get((class + 12 - tonic) % 12)
                    .copied()
                    .unwrap_or(0.0)
                    - level;
                both += (*weight as f64 - mean) * fit;
                own += fit * fit;
            }
            let score = both / own.sqrt();
            if best.is_none_or(|(found, _)| score > found) {
                best = Some((score, key));
            }
        }
    }
    best.map(|(_, key)| key)
}
