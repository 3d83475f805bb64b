//! Programs at seams. Each is set again with the bank that was selected when it came, and before a
//! bank that waits for the next one.

use std::collections::{BTreeMap, BTreeSet};

use fcp::prelude::*;

use super::chase::{self, ChasedState, Gone, Held, StateEvent, StateKey};
use super::seam_reply::Carried;
use super::settings_at_start::Coming;
use crate::model::{Chunk, ControlChange, Moment, Program, Rank, Song, part};

/// The controllers that select the halves of a bank.
const SELECTS: [u32; 2] = [0, 32];

/// The halves of a bank, if they were selected.
pub(super) type Banks = [Option<Held>; 2];

/// The halves of the bank of a program.
pub(super) fn halves(what: &StateKey) -> Option<[StateKey; 2]> {
    let (own, track, channel, _) = *what;
    let half = |number| (part::<ControlChange>(), track, channel, number);
    (own == part::<Program>()).then(|| SELECTS.map(half))
}

/// The program that a half of a bank is for.
pub(super) fn program_of(what: &StateKey) -> Option<StateKey> {
    let (own, track, channel, number) = *what;
    let is_half = own == part::<ControlChange>() && SELECTS.contains(&number);
    is_half.then_some((part::<Program>(), track, channel, 0))
}

/// Whether a setting is a program or a half of a bank.
pub(super) fn is_own(what: &StateKey) -> bool {
    own_program(what).is_some()
}

fn own_program(what: &StateKey) -> Option<StateKey> {
    halves(what).map(|_| *what).or_else(|| program_of(what))
}

/// Whether a setting at the start of the song, where `there` are set, gives way to those in
/// `coming`. A bank stays with its program.
pub(super) fn gives_way(what: &StateKey, there: &BTreeSet<StateKey>, coming: &Coming) -> bool {
    match program_of(what) {
        Some(program) if coming.sets(&program) => coming.is_early(what),
        Some(program) => coming.sets(what) && !there.contains(&program),
        None => coming.sets(what),
    }
}

/// The value of a half; 0 if it was never selected.
fn value(held: Option<&Held>) -> i64 {
    held.map_or(0, |(event, _)| event.value())
}

/// A place where a program may be set again.
struct Seam<'a> {
    tick: u64,
    program: StateKey,
    halves: [StateKey; 2],
    /// The rows of the program and its bank at the tick, in order.
    here: Vec<(StateKey, Row)>,
    now: &'a ChasedState,
    coming: &'a Coming,
}

/// A song that changes at a seam, and the settings written there.
struct Writing<'a> {
    song: &'a mut Song,
    gone: &'a mut Gone,
    /// Each with its program.
    carried: Vec<(StateKey, Carried)>,
}

impl Writing<'_> {
    fn moment(&self, row: Row) -> Option<Moment> {
        let key = self.song.key_of(row)?;
        Some((key.tick, key.pos, key.seq))
    }

    fn held(&self, row: Row) -> Option<Held> {
        StateEvent::of(self.song, row).map(|(_, event)| (event, vec![row]))
    }

    /// Removes rows that a setting replaces.
    fn remove(&mut self, rows: &[Row]) -> Result<()> {
        for row in rows {
            self.gone.note(self.song, *row);
            self.song.remove_row(*row)?;
        }
        Ok(())
    }

    /// Sets a setting that replaces another, if that is given.
    fn set(
        &mut self,
        (what, tick): (StateKey, u64),
        (event, mut rows): Held,
        replaced: Option<&Held>,
        order: Option<(Rank, Option<Moment>)>,
    ) -> Result<()> {
        if value(replaced) != event.value() || replaced.is_none() {
            let mut text = event.describe(self.song);
            if let Some((replaced, _)) = replaced {
                text.push_str(&format!(" (replaces {})", replaced.describe(self.song)));
            }
            let program = own_program(&what).unwrap_or(what);
            self.carried.push((program, (tick, text)));
        }
        self.gone.reuse(self.song, what, &event, &mut rows);
        event.write_in(self.song, &rows, tick, order)
    }
}

impl ChasedState {
    /// Restores programs and banks at a tick, as [`Self::restate_by`] does other settings.
    ///
    /// # Errors
    /// A chunk is damaged.
    pub(super) fn restate_programs(
        &self,
        song: &mut Song,
        (chunks, tick): (&[Id<Chunk>], u64),
        now: &Self,
        coming: &Coming,
        gone: &mut Gone,
    ) -> Result<Vec<(StateKey, Carried)>> {
        let own = self.settings.keys().chain(now.settings.keys());
        let programs: BTreeSet<StateKey> = own.filter_map(own_program).collect();
        let mut here: BTreeMap<StateKey, Vec<(StateKey, Row)>> = BTreeMap::new();
        for row in chase::rows(song, chunks, tick, tick + 1) {
            let what = StateEvent::of(song, row).map(|(what, _)| what);
            if let Some((program, what)) = what.and_then(|what| Some((own_program(&what)?, what))) {
                here.entry(program).or_default().push((what, row));
            }
        }
        let mut writing = Writing {
            song,
            gone,
            carried: Vec::new(),
        };
        for program in programs {
            let Some(halves) = halves(&program) else {
                continue;
            };
            let seam = Seam {
                tick,
                program,
                halves,
                here: here.remove(&program).unwrap_or_default(),
                now,
                coming,
            };
            if coming.sets(&program) {
                self.restate_for_the_coming(&seam, &mut writing)?;
            } else {
                let restated = self.restate_program(&seam, &mut writing)?;
                self.restate_waiting(&seam, restated, &mut writing)?;
            }
        }
        Ok(writing.carried)
    }

    /// The bank that was selected when a program came.
    fn bank(&self, program: &StateKey) -> Banks {
        self.banks.get(program).cloned().unwrap_or_default()
    }

    /// Restores the bank that a program at the tick is chosen from.
    fn restate_for_the_coming(&self, seam: &Seam, writing: &mut Writing) -> Result<()> {
        let is_program = |(what, _): &&(StateKey, Row)| *what == seam.program;
        let first = seam.here.iter().find(is_program);
        let before = first.and_then(|(_, row)| writing.moment(*row));
        let early = seam.here.iter().take_while(|row| !is_program(row));
        let early: Vec<&(StateKey, Row)> = early.collect();
        for half in seam.halves {
            if seam.coming.is_early(&half) {
                continue;
            }
            let rows = early.iter().filter(|(what, _)| *what == half);
            let rows: Vec<Row> = rows.map(|(_, row)| *row).collect();
            let there = rows.last().and_then(|row| writing.held(*row));
            let holds = match seam.tick {
                0 => there.clone(),
                _ => seam.now.settings.get(&half).cloned(),
            };
            let wanted = self.settings.get(&half).cloned();
            if value(wanted.as_ref()) == value(holds.as_ref()) {
                continue;
            }
            let unset = || Some((holds?.0.unset()?, Vec::new()));
            if let Some(wanted) = wanted.or_else(unset) {
                writing.remove(&rows)?;
                let order = Some((Rank::Bank, before));
                writing.set((half, seam.tick), wanted, there.as_ref(), order)?;
            }
        }
        Ok(())
    }

    /// Restores a program with its bank, before a bank that is selected at the tick. Returns
    /// whether it differed.
    fn restate_program(&self, seam: &Seam, writing: &mut Writing) -> Result<bool> {
        let now = seam.now.settings.get(&seam.program);
        let unset = || Some((now?.0.unset()?, Vec::new()));
        let wanted = self.settings.get(&seam.program).cloned();
        let Some(wanted) = wanted.or_else(unset) else {
            return Ok(false);
        };
        let holds = now.map_or_else(
            || wanted.0.unset().map(|event| event.value()),
            |(event, _)| Some(event.value()),
        );
        let bank = self.bank(&seam.program);
        let values = |bank: &Banks| bank.each_ref().map(|half| value(half.as_ref()));
        if holds == Some(wanted.0.value()) && values(&bank) == values(&seam.now.bank(&seam.program))
        {
            return Ok(false);
        }
        // At the start of the song these rows would come after the program.
        let later = seam.here.iter().find(|(what, _)| seam.coming.sets(what));
        let later = later.and_then(|(_, row)| writing.moment(*row));
        let order = later.map(|later| (Rank::Song, Some(later)));
        let there = |wanted: &StateKey| -> Vec<Row> {
            let rows = seam.here.iter();
            let rows = rows.filter(|(what, _)| what == wanted && !seam.coming.sets(what));
            rows.map(|(_, row)| *row).collect()
        };
        for (half, wanted) in seam.halves.iter().zip(bank) {
            let rows = there(half);
            let replaced = rows.last().and_then(|row| writing.held(*row));
            let holds = match seam.tick {
                0 => replaced.clone(),
                _ => seam.now.settings.get(half).cloned(),
            };
            let is_there = value(wanted.as_ref()) == value(holds.as_ref());
            if is_there && (later.is_none() || rows.is_empty()) {
                continue;
            }
            writing.remove(&rows)?;
            let unset = || Some((holds?.0.unset()?, Vec::new()));
            if let Some(wanted) = wanted.or_else(unset) {
                writing.set((*half, seam.tick), wanted, replaced.as_ref(), order)?;
            }
        }
        let rows = there(&seam.program);
        let replaced = rows.last().and_then(|row| writing.held(*row));
        writing.remove(&rows)?;
        writing.set((seam.program, seam.tick), wanted, replaced.as_ref(), order)?;
        Ok(true)
    }

    /// Restores the bank that waits for the next program.
    fn restate_waiting(&self, seam: &Seam, restated: bool, writing: &mut Writing) -> Result<()> {
        let mut after: Vec<&(StateKey, Row)> = Vec::new();
        let mut order = restated.then_some((Rank::Program, None));
        for own in &seam.here {
            if own.0 == seam.program {
                after.clear();
                order = Some((Rank::Program, None));
            } else {
                after.push(own);
            }
        }
        let bank = self.bank(&seam.program);
        for (half, own) in seam.halves.iter().zip(&bank) {
            if seam.coming.sets(half) {
                continue;
            }
            let holds = match restated {
                true => own.clone(),
                false => seam.now.settings.get(half).cloned(),
            };
            let wanted = self.settings.get(half).cloned();
            if value(wanted.as_ref()) == value(holds.as_ref()) {
                continue;
            }
            let rows = after.iter().filter(|(what, _)| what == half);
            let rows: Vec<Row> = rows.map(|(_, row)| *row).collect();
            let rows = match seam.tick == 0 && !restated {
                true => rows,
                false => Vec::new(),
            };
            let replaced = rows.last().and_then(|row| writing.held(*row));
            writing.remove(&rows)?;
            let unset = || Some((holds?.0.unset()?, Vec::new()));
            if let Some(wanted) = wanted.or_else(unset) {
                writing.set((*half, seam.tick), wanted, replaced.as_ref(), order)?;
            }
        }
        Ok(())
    }
}
