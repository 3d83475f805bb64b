//! A guard: a process that ends the children of a program that died.
//!
//! A killed program cannot end its children itself, and other programs do not follow it. So the first child starts one
//! guard, which is the program itself with a hidden first argument. It reads the numbers of the process groups from a
//! pipe. The pipe closes when the program is gone, however it ended, and the guard kills the groups that are left.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Mutex;

use rustix::process::{Pid, Signal, kill_process_group};

use super::this_program;
use crate::threads::lock;

/// The hidden first argument.
pub(crate) const ARGUMENT: &str = "fcp-guard";

static GUARD: Mutex<Option<Child>> = Mutex::new(None);

/// The process group of a child: the child, and all that it starts. It is killed when this is dropped.
#[derive(Debug)]
pub(super) struct Group {
    leader: Pid,
    guarded: bool,
}

impl Group {
    /// The group of a child that was started as its leader.
    pub(super) fn of(child: &Child, guarded: bool) -> Self {
        let leader = Pid::from_child(child);
        if guarded {
            report(leader.as_raw_nonzero().get());
        }
        Self { leader, guarded }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // It fails if all of them have ended.
        let _ = kill_process_group(self.leader, Signal::KILL);
        if self.guarded {
            report(-self.leader.as_raw_nonzero().get());
        }
    }
}

/// Starts the guard, unless it runs: before the child, so that the child is reported at once.
pub(super) fn begin() {
    let mut guard = lock(&GUARD);
    if guard.is_none() {
        *guard = start();
    }
}

/// Reports a group to the guard: its number, or the negative number at its end. A guard that was killed is replaced.
fn report(number: i32) {
    let mut guard = lock(&GUARD);
    for _ in 0..2 {
        let input = guard.as_mut().and_then(|guard| guard.stdin.as_mut());
        let Some(input) = input else { return };
        if input.write_all(&number.to_ne_bytes()).is_ok() {
            return;
        }
        if let Some(mut dead) = guard.take() {
            // It has ended, so this only removes it from the list of processes.
            let _ = dead.wait();
        }
        *guard = start();
    }
}

/// Starts a guard. `None` if there can be none: the children then still end with their calls.
fn start() -> Option<Child> {
    let program = this_program::program()?.ok()?;
    Command::new(program)
        .arg(ARGUMENT)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // A signal to the group of the program must not end it.
        .process_group(0)
        .spawn()
        .ok()
}

/// The guard itself.
pub(crate) fn run() -> ExitCode {
    let (mut groups, mut number) = (BTreeSet::new(), [0; 4]);
    let mut input = std::io::stdin().lock();
    while input.read_exact(&mut number).is_ok() {
        match i32::from_ne_bytes(number) {
            begun @ 1.. => drop(groups.insert(begun)),
            ended => drop(groups.remove(&ended.saturating_neg())),
        }
    }
    for leader in groups.into_iter().filter_map(Pid::from_raw) {
        // It fails if all of them have ended.
        let _ = kill_process_group(leader, Signal::KILL);
    }
    ExitCode::SUCCESS
}
