//! Time that other programs on the machine do not lengthen.

use std::time::Duration;

/// The processor time of this thread.
#[cfg(unix)]
#[must_use]
pub fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// The processor time of this process: all its threads, without its children.
#[cfg(unix)]
#[must_use]
pub(in crate::testing) fn process_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// The elapsed time, on systems without a process's processor time.
#[cfg(not(unix))]
#[must_use]
pub(in crate::testing) fn process_time() -> Duration {
    processor_time()
}

/// The elapsed time, on systems without a thread's processor time.
#[cfg(not(unix))]
#[must_use]
pub fn processor_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
