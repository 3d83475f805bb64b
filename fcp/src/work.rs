//! The work of a call, counted in steps, and whether somebody still waits for it.
//!
//! A step is a row looked at, a change recorded, a condition judged, a pair compared: what takes some tens of nanoseconds. The
//! runtime counts its own; whoever writes a loop that may be long counts it by [`spend`]. Steps are counted and not clocked,
//! so the same call on the same document fails or not on any machine.

use std::{
    cell::{Cell, RefCell},
    fmt,
};

/// How many steps pass between two looks at whether somebody still waits.
const BETWEEN_LOOKS: u64 = 4096;

/// Why a call is to end before it is done. It changes nothing then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    /// It took more than this many steps.
    Limit(u64),
    /// Nobody waits for its answer any longer.
    Unwanted,
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(most) => write!(
                f,
                "the call takes more than {} million steps and changes nothing (set work-limit:MILLIONS moves it)",
                most / MILLION
            ),
            Self::Unwanted => f.write_str("the call was cancelled and changes nothing"),
        }
    }
}

impl std::error::Error for Spent {}

/// A setting counts in millions.
pub(crate) const MILLION: u64 = 1_000_000;

/// The count of a call.
#[derive(Clone, Copy, Debug)]
struct Count {
    most: u64,
    taken: u64,
    over: Option<Spent>,
}

impl Count {
    const NO_END: Self = Self {
        most: u64::MAX,
        taken: 0,
        over: None,
    };
}

thread_local! {
    static COUNT: Cell<Count> = const { Cell::new(Count::NO_END) };
    static LAST: Cell<u64> = const { Cell::new(0) };
    static UNWANTED: RefCell<Option<Box<dyn Fn() -> bool>>> = const { RefCell::new(None) };
}

/// Does the work of a call, of at most so many steps.
pub(crate) fn within<T>(steps: u64, work: impl FnOnce() -> T) -> T {
    struct Restored(Count);

    impl Drop for Restored {
        fn drop(&mut self) {
            LAST.set(COUNT.replace(self.0).taken);
        }
    }

    let count = Count {
        most: steps,
        ..Count::NO_END
    };
    let _restored = Restored(COUNT.replace(count));
    work()
}

/// The steps that the last call of this thread took.
pub(crate) fn last() -> u64 {
    LAST.get()
}

/// Does something for a call that may become `unwanted` meanwhile. It ends at the next look then, and so does a job that
/// it waits for.
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

/// Whether nobody waits any longer.
pub(crate) fn is_unwanted() -> bool {
    UNWANTED.with_borrow(|unwanted| unwanted.as_ref().is_some_and(|unwanted| unwanted()))
}

/// Counts steps. Call it before they are taken, with how many there will be, or now and then with how many there were.
///
/// # Errors
/// The call has taken more steps than it may, or nobody waits for it any longer; from then on each look fails. Outside of
/// calls there is no limit.
pub fn spend(steps: usize) -> Result<(), Spent> {
    let mut count = COUNT.get();
    if let Some(over) = count.over {
        return Err(over);
    }
    let before = count.taken;
    count.taken = before.saturating_add(steps as u64);
    count.over = if count.taken > count.most {
        Some(Spent::Limit(count.most))
    } else if count.taken / BETWEEN_LOOKS != before / BETWEEN_LOOKS && is_unwanted() {
        Some(Spent::Unwanted)
    } else {
        None
    };
    COUNT.set(count);
    count.over.map_or(Ok(()), Err)
}

/// Why the call is to end, if it is.
pub fn over() -> Option<Spent> {
    COUNT.get().over
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_fails_at_the_step_after_its_last() {
        within(10, || {
            assert_eq!(spend(10), Ok(()));
            assert_eq!(spend(1), Err(Spent::Limit(10)));
            assert_eq!(spend(0), Err(Spent::Limit(10)));
            assert_eq!(within(1, || spend(1)), Ok(()));
            assert_eq!(over(), Some(Spent::Limit(10)));
        });
        assert_eq!(spend(usize::MAX), Ok(()));
        assert_eq!(over(), None);
    }

    #[test]
    fn a_call_that_nobody_waits_for_ends_at_the_next_look() {
        wanted(
            || true,
            || {
                within(MILLION, || {
                    assert_eq!(spend(1), Ok(()));
                    assert_eq!(spend(BETWEEN_LOOKS as usize), Err(Spent::Unwanted));
                });
            },
        );
    }
}
