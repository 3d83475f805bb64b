//! The steps of a validator.
//!
//! A validator is a library that looks at values through [`Tapes`](super::Tapes), so its looks are
//! counted. The look after the last step unwinds to [`within`]: the library knows no other way to
//! end early.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use fcp::work;

#[cfg(not(panic = "unwind"))]
compile_error!("validators are ended by unwinding: build without `panic = \"abort\"`");

/// The number of looks in the time of one step of a call.
const LOOKS_A_STEP: usize = 8;

/// The number of looks between two counts of the call's steps.
const BETWEEN_COUNTS: usize = 1 << 15;

/// The stack that a validator may use, in bytes: half of a thread's.
const STACK: usize = 1 << 20;

/// The number of looks that an error costs, besides those of its path.
const ERROR_LOOKS: usize = 8;

/// The steps that making and dropping an error takes.
const STEPS_AN_ERROR: usize = 24;

/// The number of bytes of a text that cost one look.
const LOOK_BYTES: usize = 64;

/// The number of bytes of a text, times the backtracks of a pattern on it, that cost one look.
const BACKTRACK_BYTES: usize = 16;

/// Backtracks of a pattern with look-around or back-references on one text; more are an error.
pub const BACKTRACKS: usize = 10_000;

/// Work that schemas add to a look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Bytes of the largest part of a schema that an error holds a copy of.
    pub copied: usize,
    /// Bytes of the longest pattern.
    pub pattern: usize,
    /// The most patterns that a name is compared with.
    pub names: usize,
    /// Whether a pattern backtracks.
    pub backtracks: bool,
}

/// The looks that are allowed.
#[derive(Clone, Copy)]
struct Budget {
    /// All of them.
    most: usize,
    /// Those after the next count.
    later: usize,
    /// Those that the call has counted.
    counted: usize,
    /// Those that schemas add.
    costs: Costs,
}

impl Budget {
    const NO_END: Self = Self {
        most: usize::MAX,
        later: usize::MAX,
        counted: 0,
        costs: Costs {
            copied: 0,
            pattern: 0,
            names: 0,
            backtracks: false,
        },
    };
}

thread_local! {
    /// The looks until the next count.
    static NOW: Cell<usize> = const { Cell::new(usize::MAX) };
    /// The patterns that a name is compared with.
    static NAMES: Cell<usize> = const { Cell::new(0) };
    /// The place on the stack where the validator was called; 0 outside.
    static TOP: Cell<usize> = const { Cell::new(0) };
    static BUDGET: Cell<Budget> = const { Cell::new(Budget::NO_END) };
}

/// The reason for ending a validator early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Its looks, or the steps of the call, do not suffice.
    Looks,
    /// Its schemas refer to each other too deeply.
    Depth,
}

/// Runs a validator within a number of looks. Returns the result, or why it was ended, and the
/// number of looks taken.
pub fn within<T>(looks: usize, costs: Costs, run: impl FnOnce() -> T) -> (Result<T, Ended>, usize) {
    if looks == 0 || work::over().is_some() {
        return (Err(Ended::Looks), 0);
    }
    TOP.set(stack());
    NAMES.set(costs.names);
    let now = looks.min(BETWEEN_COUNTS);
    NOW.set(now);
    BUDGET.set(Budget {
        most: looks,
        later: looks - now,
        counted: 0,
        costs,
    });
    let result = catch_unwind(AssertUnwindSafe(run));
    TOP.set(0);
    NAMES.set(0);
    let budget = BUDGET.replace(Budget::NO_END);
    let taken = budget.most - budget.later - NOW.replace(usize::MAX);
    // If the call is over, it fails at its next check.
    let _ = work::spend((taken - budget.counted).div_ceil(LOOKS_A_STEP));
    match result {
        Ok(result) => (Ok(result), taken),
        Err(panic) => match panic.downcast_ref::<Ended>() {
            Some(ended) => (Err(*ended), taken),
            None => resume_unwind(panic),
        },
    }
}

/// Takes looks.
#[inline]
pub fn look(looks: usize) {
    let now = NOW.get();
    if looks < now {
        NOW.set(now - looks);
    } else {
        count(looks - now);
    }
}

/// Takes looks where schemas apply others. Every recursion leads here, so the stack is checked.
#[inline]
pub fn look_deeper(looks: usize) {
    let top = TOP.get();
    if top != 0 && top.abs_diff(stack()) > STACK {
        resume_unwind(Box::new(Ended::Depth));
    }
    look(looks);
}

/// The current place on the stack.
fn stack() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

/// Takes the looks of an error, by the length of its path, and counts its steps. A call that is
/// over ends at the next count.
pub(super) fn look_for_error(path: usize) {
    let _ = work::spend(STEPS_AN_ERROR);
    let copied = BUDGET.get().costs.copied;
    look(ERROR_LOOKS + path / LOOK_BYTES + copied / LOOK_BYTES);
}

/// Takes the looks of a text, by its length.
pub(super) fn look_at_text(length: usize) {
    look(length / LOOK_BYTES);
}

/// Takes the looks of a text that may be compared with patterns, by its length.
pub(super) fn look_for_pattern(length: usize) {
    let costs = BUDGET.get().costs;
    look(match costs.backtracks {
        true => length.saturating_mul(length.min(BACKTRACKS)) / BACKTRACK_BYTES,
        false => length / LOOK_BYTES,
    });
    look(costs.pattern / LOOK_BYTES);
}

/// Takes the looks of a name, by its length.
#[inline]
pub(super) fn look_at_name(length: usize) {
    look(1);
    for _ in 0..NAMES.get() {
        look(1);
        look_for_pattern(length);
    }
}

/// Counts the looks taken as steps of the call, and allows some more.
#[cold]
fn count(missing: usize) {
    let budget = BUDGET.get();
    if budget.most == usize::MAX {
        NOW.set(usize::MAX);
        return;
    }
    let taken = budget.most - budget.later;
    let spent = work::spend((taken - budget.counted) / LOOKS_A_STEP);
    let later = budget.later.saturating_sub(missing);
    let now = later.min(BETWEEN_COUNTS);
    NOW.set(now);
    BUDGET.set(Budget {
        later: later - now,
        counted: taken,
        ..budget
    });
    if now == 0 || spent.is_err() {
        resume_unwind(Box::new(Ended::Looks));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_look_after_the_last_ends_the_run() {
        for looks in [
            1,
            2,
            100,
            BETWEEN_COUNTS,
            BETWEEN_COUNTS + 1,
            3 * BETWEEN_COUNTS,
        ] {
            let run =
                |most: usize| within(looks, Costs::default(), || (0..most).for_each(|_| look(1)));
            assert_eq!(run(looks - 1), (Ok(()), looks - 1));
            assert_eq!(run(usize::MAX), (Err(Ended::Looks), looks));
            assert_eq!(
                within(looks, Costs::default(), || look(looks + 1)),
                (Err(Ended::Looks), looks)
            );
        }
        // Outside, there is no end.
        look(usize::MAX);
        look(usize::MAX);
    }
}
