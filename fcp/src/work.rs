//! The work of a call, counted in steps, and whether a caller still waits for it.
//!
//! A step takes some tens of nanoseconds: a row read, a change recorded, a condition judged, a pair
//! compared. The runtime counts its own steps; a loop elsewhere that may be long counts its steps
//! by [`spend`]. Steps are counted, not timed, so the same call on the same document succeeds or
//! fails alike on any machine. The one exception is a repair that draws a picture: it is tried for
//! a short time only (`briefly`), and left out of the error if it takes longer.

use std::{
    cell::{Cell, RefCell},
    fmt,
    time::{Duration, Instant},
};

/// The number of steps between two checks whether a caller still waits.
const BETWEEN_LOOKS: u64 = 4096;

/// The reason for ending a call early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    cause: Cause,
    /// Whether the call ended a part before, whose changes are kept.
    kept: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// The call took more than this many steps.
    Limit(u64),
    /// No caller waits for its answer any longer.
    Unwanted,
}

impl Spent {
    /// The most steps of the call, if it took more; `None` if no caller waits any longer.
    #[must_use]
    pub const fn limit(self) -> Option<u64> {
        match self.cause {
            Cause::Limit(most) => Some(most),
            Cause::Unwanted => None,
        }
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nothing = match self.kept {
            true => "",
            false => " and changes nothing",
        };
        match self.cause {
            Cause::Limit(most) => write!(
                f,
                "the call takes more than {} million steps{nothing} (set work-limit:MILLIONS moves it)",
                most / MILLION
            ),
            Cause::Unwanted => write!(f, "the call was cancelled{nothing}"),
        }
    }
}

impl std::error::Error for Spent {}

/// The rows of a table that an iterator passes in the time of one step.
pub(crate) const ROWS_A_STEP: usize = 4;

/// The steps of a change in a tree: the row is copied, its text hashed, and the index of its content changed.
pub(crate) const STEPS_A_CHANGE: usize = 100;

/// The unit of the setting `work-limit`.
pub(crate) const MILLION: u64 = 1_000_000;

/// The steps of a call.
#[derive(Clone, Copy, Debug)]
struct Count {
    most: u64,
    over: Option<Spent>,
    kept: bool,
    /// The time that it waited for jobs.
    waited: Duration,
}

impl Count {
    const NO_END: Self = Self {
        most: u64::MAX,
        over: None,
        kept: false,
        waited: Duration::ZERO,
    };

    /// The number of steps at which to look again, after the first `taken` ones.
    fn next_look(&self, taken: u64) -> u64 {
        let look = (taken / BETWEEN_LOOKS + 1).saturating_mul(BETWEEN_LOOKS);
        match self.over {
            Some(_) => 0,
            None => look.min(self.most.saturating_add(1)),
        }
    }

    /// Counts from `taken` steps on. Returns the count and its steps before.
    fn set(self, taken: u64) -> (Self, u64) {
        LOOK.set(self.next_look(taken));
        (COUNT.replace(self), TAKEN.replace(taken))
    }
}

thread_local! {
    static COUNT: Cell<Count> = const { Cell::new(Count::NO_END) };
    /// The steps taken, apart from the rest: nearly every check reads only these two numbers.
    static TAKEN: Cell<u64> = const { Cell::new(0) };
    /// The number of steps at which to look at the rest.
    static LOOK: Cell<u64> = const { Cell::new(0) };
    static LAST: Cell<u64> = const { Cell::new(0) };
    static END: Cell<Option<Instant>> = const { Cell::new(None) };
    static UNWANTED: RefCell<Option<Box<dyn Fn() -> bool>>> = const { RefCell::new(None) };
}

/// Does the work of a call, within `steps` steps.
pub(crate) fn within<T>(steps: u64, work: impl FnOnce() -> T) -> T {
    struct Restored((Count, u64));

    impl Drop for Restored {
        fn drop(&mut self) {
            let (count, taken) = self.0;
            LAST.set(count.set(taken).1);
        }
    }

    let count = Count {
        most: steps,
        kept: COUNT.get().kept,
        waited: COUNT.get().waited,
        ..Count::NO_END
    };
    let _restored = Restored(count.set(0));
    work()
}

/// The steps that the last call of this thread took.
pub(crate) fn last() -> u64 {
    LAST.get()
}

/// Does work that may become `unwanted` meanwhile. It then ends at the next check, and so does a
/// job that it waits for.
pub fn wanted<T>(unwanted: impl Fn() -> bool + 'static, work: impl FnOnce() -> T) -> T {
    struct Restored(Option<Box<dyn Fn() -> bool>>);

    impl Drop for Restored {
        fn drop(&mut self) {
            UNWANTED.set(self.0.take());
        }
    }

    let _restored = Restored(UNWANTED.replace(Some(Box::new(unwanted))));
    work()
}

/// Does work that is of use only if it ends soon, such as trying a repair. Past `time` it ends at
/// the next check, as if nobody waited for it, and its result is dropped. The call goes on.
pub(crate) fn briefly<T>(time: Duration, work: impl FnOnce() -> T) -> Option<T> {
    struct Restored(Option<Instant>);

    impl Drop for Restored {
        fn drop(&mut self) {
            END.set(self.0);
        }
    }

    let end = Instant::now() + time;
    let result = {
        let _restored = Restored(END.replace(Some(end)));
        within(left(), work)
    };
    (Instant::now() < end).then_some(result)
}

/// Does work that a call can do without. If it takes more than `steps` steps, it ends at the next check, and its result
/// is dropped; the call goes on. Its steps count.
pub fn at_most<T>(steps: u64, work: impl FnOnce() -> T) -> Option<T> {
    if over().is_some() || steps > left() {
        return None;
    }
    let (result, over, taken) = within(steps, || (work(), over(), TAKEN.get()));
    let taken = usize::try_from(taken.min(steps)).unwrap_or(usize::MAX);
    (spend(taken).is_ok() && over.is_none()).then_some(result)
}

/// Whether no caller waits any longer.
pub(crate) fn is_unwanted() -> bool {
    END.get().is_some_and(|end| Instant::now() >= end)
        || UNWANTED.with_borrow(|unwanted| unwanted.as_ref().is_some_and(|unwanted| unwanted()))
}

/// Counts steps. Call it before a loop with the number of its steps, or in between with the number
/// since the last call.
///
/// # Errors
/// The call has taken too many steps, or no caller waits for it any longer; from then on every
/// check fails. Outside of calls there is no limit.
#[inline]
pub fn spend(steps: usize) -> Result<(), Spent> {
    let before = TAKEN.get();
    let taken = before.saturating_add(steps as u64);
    if taken < LOOK.get() {
        TAKEN.set(taken);
        return Ok(());
    }
    look(before, taken)
}

/// Counts steps up to `taken`, and looks whether the call ends there.
#[cold]
fn look(before: u64, taken: u64) -> Result<(), Spent> {
    let mut count = COUNT.get();
    if let Some(over) = count.over {
        return Err(over);
    }
    let cause = if taken > count.most {
        Some(Cause::Limit(count.most))
    } else if taken / BETWEEN_LOOKS != before / BETWEEN_LOOKS && is_unwanted() {
        Some(Cause::Unwanted)
    } else {
        None
    };
    let kept = count.kept;
    count.over = cause.map(|cause| Spent { cause, kept });
    count.set(taken);
    count.over.map_or(Ok(()), Err)
}

/// From now on changes of the call are kept even if it ends early: an action has run.
pub(crate) fn keep() {
    COUNT.set(Count {
        kept: true,
        ..COUNT.get()
    });
}

/// The steps that the call may still take; outside of calls there is no limit.
#[must_use]
pub fn left() -> u64 {
    COUNT.get().most.saturating_sub(TAKEN.get())
}

/// Waits for a job, with what is left of the `most` time that all jobs of a call may take together.
pub(crate) fn wait<T>(most: Duration, job: impl FnOnce(Duration) -> T) -> T {
    let left = most.saturating_sub(COUNT.get().waited);
    let start = Instant::now();
    let result = job(left);
    let mut count = COUNT.get();
    // Outside of calls, jobs have nothing in common.
    if count.most < u64::MAX {
        count.waited += start.elapsed();
        COUNT.set(count);
    }
    result
}

/// The reason to end the call, if there is one.
pub fn over() -> Option<Spent> {
    COUNT.get().over
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_jobs_of_a_call_share_their_time() {
        let most = Duration::from_secs(9);
        let job = |left: Duration| {
            std::thread::sleep(Duration::from_millis(5));
            left
        };
        within(10, || {
            assert_eq!(wait(most, job), most);
            assert!(wait(most, job) <= most.saturating_sub(Duration::from_millis(5)));
            assert!(within(5, || wait(most, job)) < most);
            assert_eq!(wait(Duration::from_millis(1), job), Duration::ZERO);
        });
        assert_eq!([wait(most, job), wait(most, job)], [most; 2]);
    }

    #[test]
    fn a_call_fails_at_the_step_after_its_last() {
        let spent = |cause| Err(Spent { cause, kept: false });
        let over = spent(Cause::Limit(10));
        within(10, || {
            assert_eq!(spend(10), Ok(()));
            assert_eq!(spend(1), over);
            assert_eq!(spend(0), over);
            assert_eq!(within(1, || spend(1)), Ok(()));
            assert_eq!(super::over(), over.err());
        });
        assert_eq!(spend(usize::MAX), Ok(()));
        assert_eq!(super::over(), None);
    }

    #[test]
    fn a_count_without_limit_does_not_overflow() {
        within(u64::MAX, || {
            assert_eq!(spend(usize::MAX), Ok(()));
            assert_eq!(spend(usize::MAX), Ok(()));
            assert_eq!((left(), over()), (0, None));
        });
        assert_eq!(last(), u64::MAX);
    }

    #[test]
    fn a_call_that_nobody_waits_for_ends_at_the_next_check() {
        wanted(
            || true,
            || {
                within(MILLION, || {
                    assert_eq!(spend(1), Ok(()));
                    keep();
                    let spent = spend(BETWEEN_LOOKS as usize).unwrap_err();
                    assert_eq!(spent.cause, Cause::Unwanted);
                    assert_eq!(spent.to_string(), "the call was cancelled");
                });
            },
        );
    }
}
