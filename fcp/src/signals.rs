//! SIGINT, SIGTERM and SIGHUP: a server finishes the current call, answers it and exits with 0; any
//! other program ends at once. On other systems than Unix they end the process as usual.
//!
//! SIGXFSZ, which comes with a write beyond the file-size limit, no longer ends the process: the
//! write then fails like one on a full disk.
#![cfg_attr(not(unix), allow(dead_code, reason = "nobody hears signals there"))]

use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use std::{fmt, io};

/// The time that a new process has to set its purpose.
const START: Duration = Duration::from_secs(1);

/// The purpose of the process.
#[derive(Default)]
enum Purpose {
    #[default]
    Unknown,
    /// It ends at a signal.
    Command,
    Serving(Leave),
}

/// The two ways to end a server.
pub struct Leave {
    /// At the first signal: it finishes its current work.
    pub stop: Box<dyn Fn() + Send>,
    /// At the second signal, before the process exits.
    pub drop: Box<dyn Fn() + Send>,
}

static PURPOSE: Mutex<Purpose> = Mutex::new(Purpose::Unknown);
static KNOWN: Condvar = Condvar::new();

fn known(purpose: Purpose) {
    *PURPOSE.lock().unwrap_or_else(PoisonError::into_inner) = purpose;
    KNOWN.notify_all();
}

impl fmt::Debug for Leave {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Leave")
    }
}

/// From now on a signal ends the process at once.
pub fn command() {
    known(Purpose::Command);
}

/// From now on a signal ends a server in order. One that came since [`watch`] does so now.
pub fn serving(leave: Leave) {
    known(Purpose::Serving(leave));
}

/// Handles signals from now on. Repeated calls do nothing.
///
/// # Errors
/// The system does not allow it; signals then end the process at once.
pub fn watch() -> io::Result<()> {
    static WATCH: OnceLock<()> = OnceLock::new();
    let mut outcome = Ok(());
    WATCH.get_or_init(|| {
        #[cfg(unix)]
        {
            outcome = unix::watch();
        }
    });
    outcome
}

#[cfg(unix)]
mod unix {
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, PoisonError};
    use std::{io, process, thread};

    use rustix::process::Signal;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use super::{KNOWN, PURPOSE, Purpose, START};

    pub(super) fn watch() -> io::Result<()> {
        let seen = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(Signal::XFSZ.as_raw(), seen)?;
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        let thread = thread::Builder::new().name("signals".to_owned());
        thread.spawn(move || {
            let mut before = false;
            for signal in signals.forever() {
                taken(signal, before);
                before = true;
            }
        })?;
        Ok(())
    }

    fn taken(signal: i32, before: bool) {
        let purpose = PURPOSE.lock().unwrap_or_else(PoisonError::into_inner);
        let unknown = |purpose: &mut Purpose| matches!(purpose, Purpose::Unknown);
        let waited = KNOWN.wait_timeout_while(purpose, START, unknown);
        let (purpose, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match &*purpose {
            Purpose::Serving(leave) if !before => (leave.stop)(),
            Purpose::Serving(leave) => {
                (leave.drop)();
                process::exit(128 + signal);
            }
            Purpose::Unknown | Purpose::Command => process::exit(128 + signal),
        }
    }
}
