//! `humanize`

use fcp::prelude::*;

use crate::edit::notes::random::Dice;
use crate::edit::notes::selection::{self, Kept};
use crate::model::{Note, Song};
use crate::values::Velocity;

/// Move notes a little, and strike them a little harder or softer, as a player would.
///
/// The same seed gives the same result.
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "C4/e D4 E4 F4 G4 A4 B4 C5"
/// humanize @track:Keys seed:7
/// > @ Humanized 8 notes on Keys: time 8, vel 6, seed 7…
/// humanize @track:Keys dur:20 seed:7
/// > @ Humanized 8 notes on Keys: time 8, vel 6, dur 20, seed 7…
/// humanize @track:Keys time:0 vel:0
/// > = time:, vel: and dur: of 0 change nothing
/// ```
#[fcp_verb(category = "Shape")]
pub fn humanize(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// The largest move, in 480ths of a quarter note.
    #[fcp(default = Int::clamped(8))]
    time: Int<0, 480>,
    /// The largest change of velocity.
    #[fcp(alias = "velocity", default = Int::clamped(6))]
    vel: Int<0, 126>,
    /// The largest change of length, in 480ths of a quarter note.
    #[fcp(alias = "duration", default = Int::clamped(0))]
    dur: Int<0, 480>,
    /// Seed of the random numbers.
    #[fcp(default = Int::clamped(1))]
    seed: Int<0, 999_999>,
) -> Result<Reply> {
    if time.get() == 0 && vel.get() == 0 && dur.get() == 0 {
        return Ok(unchanged!("time:, vel: and dur: of 0 change nothing"));
    }
    let rows = selection::chosen(song, &notes)?;
    let ticks = |parts: i64| parts.unsigned_abs() * u64::from(song.ppqn()) / 480;
    let (far, long, hard) = (
        ticks(time.get()),
        ticks(dur.get()),
        vel.get().unsigned_abs(),
    );
    let mut dice = Dice::new(seed.get().unsigned_abs());
    let mut kept = Kept::default();
    let mut changes = Vec::with_capacity(rows.len());
    for (id, note) in &rows {
        let (at, velocity, length) = (dice.around(far), dice.around(hard), dice.around(long));
        let mut after = (*note).clone();
        after.at = note.at.saturating_add_signed(at);
        after.velocity = Velocity::clamped(i64::from(note.velocity.get()) + velocity);
        let lasting = note.dur.map(|dur| dur.saturating_add_signed(length));
        after.dur = lasting.map(|ticks| kept.length(ticks));
        changes.push((*id, after));
    }
    let summary = selection::describe_notes(song, &rows);
    let overlaps = song.change_notes(changes)?;
    let lengths = match dur.get() {
        0 => String::new(),
        most => format!(", dur {most}"),
    };
    let kept = kept.describe().into_iter().collect();
    Ok(bulk!(
        "Humanized {summary}: time {time}, vel {vel}{lengths}, seed {seed}{}",
        overlaps.describe_with(kept)
    ))
}
