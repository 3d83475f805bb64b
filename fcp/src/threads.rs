//! Independent pieces of one job, worked on by several threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// The most threads for one job.
const MOST: usize = 8;

/// Locks a mutex, even if a thread panicked while it held it.
pub fn lock<T: ?Sized>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes `count` pieces on as many threads as there are processors, and returns them in order. A
/// thread takes `batch` pieces at a time, so that neighbours stay together, and keeps what `own`
/// made for it from piece to piece.
///
/// # Errors
/// That of the first piece that fails, whatever the threads do. Pieces that no thread has begun by
/// then are not made.
pub fn side_by_side<T: Send, E: Send, S>(
    count: usize,
    batch: usize,
    own: impl Fn() -> S + Sync,
    piece: impl Fn(&mut S, usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let batch = batch.max(1);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(MOST).min(count.div_ceil(batch));
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let done = Mutex::new(Vec::new());
    let work = || {
        let (mut kept, mut all) = (own(), Vec::new());
        while !has_failed.load(Ordering::Relaxed) {
            let start = next.fetch_add(batch, Ordering::Relaxed);
            if start >= count {
                break;
            }
            let end = count.min(start.saturating_add(batch));
            let mut made = Vec::with_capacity(end - start);
            for at in start..end {
                made.push(piece(&mut kept, at));
                if made.last().is_some_and(Result::is_err) {
                    has_failed.store(true, Ordering::Relaxed);
                    break;
                }
            }
            all.push((start, made));
        }
        lock(&done).extend(all);
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(start, _)| *start);
    let mut all = Vec::with_capacity(count);
    for made in done.into_iter().flat_map(|(_, made)| made) {
        all.push(made?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn pieces_come_back_in_order() {
        for batch in [0, 1, 3, 1000] {
            let all = side_by_side(100, batch, || (), |(), at| Ok::<_, ()>(at * 2)).unwrap();
            assert!(all.into_iter().eq((0..100).map(|at| at * 2)));
        }
        assert_eq!(
            side_by_side(0, 4, || (), |(), _| Ok::<u8, ()>(1)),
            Ok(Vec::new())
        );
    }

    #[test]
    fn the_first_failure_ends_the_job() {
        let made = AtomicUsize::new(0);
        for _ in 0..100 {
            let failed = side_by_side(
                100_000,
                4,
                || (),
                |(), at| {
                    made.fetch_add(1, Ordering::Relaxed);
                    if at == 10 || at > 12 { Err(at) } else { Ok(at) }
                },
            );
            assert_eq!(failed, Err(10));
        }
        assert!(made.into_inner() < 100 * 100);
    }
}
