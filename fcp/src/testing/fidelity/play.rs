//! Sessions on a file: calls in turn, with checks after each.

use std::ffi::OsStr;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::check::{self, Complaint};
use super::identity;
use super::ledger::{Claim, Ledger};
use super::reading::{Fact, Judge};
use super::told;
use crate::diag::Diagnostic;
use crate::domain::Domain;
use crate::endpoint::{Answer, Endpoint};
use crate::op::{parse_action, quote};
use crate::script::Call;
use crate::session::Session;
use crate::testing::play::{Scratch, scratch, session};

/// Words of verbs that move rows, in any domain.
const MOVING: &[&str] = &[
    "move", "order", "reorder", "reverse", "shift", "sort", "swap",
];

/// A file on which sessions are played.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Its path, as reports show it.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// The calls that make this content from a new document. If there are any, a session begins with them and its first
    /// save; else it opens the file.
    pub begun: Vec<Call>,
}

impl Sample {
    /// The name of the file that a session opens.
    pub(super) fn file(&self) -> String {
        let ending = self.name.rsplit_once('.').map_or("", |(_, ending)| ending);
        format!("opened.{ending}")
    }
}

/// The state of one session.
pub(super) struct Play<M: Domain> {
    pub session: Session<M>,
    root: Scratch,
    /// The checkpoint of the file that the account compares with; `None` for the opened one.
    opened: Option<&'static str>,
}

/// The size of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Compared {
    /// The bytes of both files.
    pub bytes: usize,
    /// The values of rows that a judge read and `changes` could have told.
    pub values: usize,
}

/// The result of a call.
pub(super) struct Ended {
    pub answer: Answer,
    /// The number of ops it did or undid.
    pub applied: usize,
}

impl<M: Domain> Play<M> {
    pub fn new() -> Self {
        let root = scratch();
        Self {
            session: session(root.path()),
            root,
            opened: None,
        }
    }

    /// Opens a file, or makes it.
    ///
    /// # Errors
    /// The domain rejects it.
    pub fn open(&mut self, sample: &Sample) -> Result<(), String> {
        let name = sample.file();
        self.session.act("close discard");
        // Undo must reach the start, however much the ops do.
        self.session.act("set log-limit:4096");
        self.opened = (!sample.begun.is_empty()).then_some("first-save");
        let answer = if sample.begun.is_empty() {
            let written = std::fs::write(self.root.path().join(&name), &sample.bytes);
            written.map_err(|error| error.to_string())?;
            self.session.act(&format!("open {}", quote(&name)))
        } else {
            self.session.act("new");
            for call in &sample.begun {
                call.play(&mut self.session);
            }
            self.session.act(&format!("save as:{} force", quote(&name)))
        };
        match answer.is_error {
            true => Err(answer.text),
            false => Ok(()),
        }
    }

    fn position(&self) -> usize {
        let reach = self.session.reach();
        reach.undo + reach.dropped
    }

    /// Makes a call and checks the general invariants. `before` holds the judges' readings of the
    /// file as opened.
    ///
    /// # Errors
    /// A check fails.
    pub fn call(
        &mut self,
        call: &Call,
        judges: &mut [Box<dyn Judge>],
        before: &[Option<Vec<Fact>>],
    ) -> Result<Ended, Complaint> {
        let done = catch_unwind(AssertUnwindSafe(|| self.made(call, judges, before)));
        done.unwrap_or_else(|panic| {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or(panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            self.session = session(self.root.path());
            Err(Complaint::new("panic", message.unwrap_or_default()))
        })
    }

    fn made(
        &mut self,
        call: &Call,
        judges: &mut [Box<dyn Judge>],
        opened: &[Option<Vec<Fact>>],
    ) -> Result<Ended, Complaint> {
        let start = self.position();
        let next_id = self.session.model().map_or(0, |model| model.ids().peek());
        let verb = self.verb(call);
        let knows = |judge: &dyn Judge| verb.is_some_and(|verb| judge.laws().contains(&verb));
        let is_known = judges.iter().any(|judge| knows(&**judge));
        let before = is_known.then(|| self.content()).flatten();
        let answer = call.play(&mut self.session);
        let applied = self.position().abs_diff(start);
        if applied == 1 && matches!(call, Call::Ops(_)) {
            let rewriting =
                M::TEXT && verb.is_some_and(|verb| matches!(verb, "replace" | "insert"));
            identity::check(&mut self.session, next_id, (moves(call), rewriting))?;
            if let (Some(verb), Some(before)) = (verb, before)
                && let Some(after) = self.content()
            {
                // A judge that cannot read the opened file may misread the written one too, so it
                // is skipped.
                let read = judges.iter_mut().zip(opened);
                let able = read.filter(|(judge, opened)| opened.is_some() && knows(&***judge));
                for (judge, _) in able {
                    if let (Ok(before), Ok(after)) = (judge.read(&before), judge.read(&after)) {
                        let held = judge.law(verb, &before, &after);
                        held.map_err(|problem| {
                            Complaint::new(judge.name(), format!("{verb} {problem}"))
                        })?;
                    }
                }
            }
        }
        Ok(Ended { answer, applied })
    }

    /// The verb of a call.
    fn verb(&self, call: &Call) -> Option<&'static str> {
        let Call::Ops(ops) = call else { return None };
        let parsed = parse_action(ops.first()?).ok()?;
        self.session
            .registry()
            .verb(&parsed)
            .map(|found| found.verb.phrase)
    }

    /// The file that a save would write, unpacked.
    fn content(&self) -> Option<Vec<u8>> {
        M::unpack(self.written("")?, M::FILE_LIMIT).ok()
    }

    /// The file that a save under this name would write.
    pub fn written(&self, name: &str) -> Option<Vec<u8>> {
        self.session.model()?.file(format::<M>(name)).ok()
    }

    /// The account of the changes of a save, or `None` if the document has none.
    fn ledger(&mut self) -> Result<Option<Ledger>, Complaint> {
        let complain = |error: Diagnostic| Complaint::new("account", error.to_string());
        let Some(account) = self.session.account().map_err(complain)? else {
            return Ok(None);
        };
        let excerpt = |bytes: &[u8], range: &Range<usize>| {
            let bytes = bytes.get(range.clone()).unwrap_or_default();
            bytes.get(..60).unwrap_or(bytes).escape_ascii().to_string()
        };
        let faults = account.faults.iter().map(|fault| {
            format!(
                "bytes {:?} -> {:?} belong to {:?}, and no op changed them: {} -> {}",
                fault.before,
                fault.after,
                fault.owner,
                excerpt(&account.before, &fault.before),
                excerpt(&account.after, &fault.after)
            )
        });
        let faults = faults.collect();
        let claims = account.changes.into_iter().map(|change| Claim {
            owner: change.owner,
            name: change.name,
            before: change.before,
            after: change.after,
        });
        let (stirred_before, stirred) = self.session.touched_bytes().map_err(complain)?;
        Ok(Some(Ledger {
            claims: claims.collect(),
            faults,
            stirred_before,
            stirred,
            before: account.before,
            after: account.after,
        }))
    }

    /// Compares the account with the files, and the account and the table `changes` with the
    /// readings of judges that know places. `before` holds their readings of the file as opened.
    ///
    /// # Errors
    /// The account or the table omits something, or claims too much.
    pub fn accounted(
        &mut self,
        judges: &mut [Box<dyn Judge>],
        before: &[Option<Vec<Fact>>],
    ) -> Result<Compared, Complaint> {
        let Some(ledger) = self.ledger()? else {
            return Ok(Compared::default());
        };
        let mut compared = Compared {
            bytes: ledger.before.len() + ledger.after.len(),
            values: 0,
        };
        check::bytes(&ledger)?;
        let is_judged = !judges.is_empty();
        let mut read = Vec::new();
        for (judge, before) in judges.iter_mut().zip(before) {
            if let (None, Some(before)) = (judge.confirms(), before) {
                let after = judge.read(&ledger.after);
                let after = after.map_err(|reason| refuses(&**judge, &reason))?;
                check::facts(&**judge, &ledger, before, &after)?;
                read.push((&**judge, before, after));
            }
        }
        let both: Vec<_> = read
            .iter()
            .map(|(_, before, after)| (&before[..], &after[..]))
            .collect();
        // If no judge reads the file, nothing shows that a row's content has moved.
        if !is_judged || !read.is_empty() {
            let owners = self.session.bytes_by_owner();
            let owners = owners.map_err(|error| Complaint::new("account", error.to_string()))?;
            check::claims(&ledger, &both, &owners)?;
            let told = self.session.differences(self.opened);
            if let Some(told) = told.map_err(|error| Complaint::new("changes", error))? {
                for ((judge, ..), both) in read.iter().zip(&both) {
                    compared.values += told::check(*judge, &ledger, *both, &owners, &told)?;
                }
            }
        }
        Ok(compared)
    }

    /// Saves and checks the file on disk: it equals what the document said it would write, the
    /// judges agree on it, it opens as the same content, and undoing everything restores the opened
    /// file. Returns the saved file.
    ///
    /// # Errors
    /// A check fails.
    pub fn saved(
        &mut self,
        sample: &Sample,
        judges: &mut [Box<dyn Judge>],
        before: &[Option<Vec<Fact>>],
    ) -> Result<Vec<u8>, Complaint> {
        let name = sample.file().replacen("opened", "saved", 1);
        let expected = self.written(&name);
        let answer = self.session.act(&format!("save as:{} force", quote(&name)));
        if answer.is_error {
            return Err(Complaint::new("save", answer.text));
        }
        let disk = std::fs::read(self.root.path().join(&name)).unwrap_or_default();
        if expected.is_some_and(|expected| expected != disk) {
            return Err(Complaint::new(
                "save",
                "the file on disk is not what the document writes",
            ));
        }
        let limit = M::FILE_LIMIT;
        let inside = M::unpack(disk.clone(), limit).unwrap_or_default();
        agree(judges, before, &inside)?;
        let mut again =
            M::read(&disk, &name).map_err(|error| Complaint::new("open", error.to_string()))?;
        again.forget();
        let written = again.file(format::<M>(&name)).unwrap_or_default();
        if written != disk {
            return Err(Complaint::new(
                "open",
                "the saved file is written differently when it is opened again",
            ));
        }
        self.undone(sample)?;
        Ok(disk)
    }

    /// Undoes everything since the opened file, or the first save, which must restore it.
    fn undone(&mut self, sample: &Sample) -> Result<(), Complaint> {
        let reach = self.session.reach();
        if reach.dropped > 0 {
            return Ok(());
        }
        if sample.begun.is_empty() {
            self.session.act("undo 1000000000");
        } else if self.session.act("undo to:first-save").is_error {
            // Nothing was done since, or the session undid more than that.
            return Ok(());
        }
        let undone = self.written(&sample.name).unwrap_or_default();
        let plain = M::read(&sample.bytes, &sample.name).ok();
        let opened = plain.and_then(|plain| plain.file(format::<M>(&sample.name)).ok());
        if opened.is_some_and(|opened| opened != undone) {
            return Err(Complaint::new(
                "undo",
                "undoing everything gives another file than was opened",
            ));
        }
        let left = self.session.reach().undo;
        self.session
            .act(&format!("redo {}", reach.undo.saturating_sub(left)));
        Ok(())
    }
}

/// The format of this file name; the first one if the extension is unknown.
fn format<M: Domain>(name: &str) -> &'static str {
    let ending = Path::new(name).extension().and_then(OsStr::to_str);
    let by_ending = |ending| {
        M::FORMATS
            .iter()
            .find(|format| format.extensions.contains(&ending))
    };
    let format = ending.and_then(by_ending).or(M::FORMATS.first());
    format.map_or("", |format| format.name)
}

/// Returns whether the words of a verb indicate a move.
fn moves(call: &Call) -> bool {
    let Call::Ops(ops) = call else { return false };
    let op = ops.first().map_or("", String::as_str);
    op.split(' ').take(2).any(|word| MOVING.contains(&word))
}

fn refuses(judge: &dyn Judge, reason: &str) -> Complaint {
    Complaint::new(judge.name(), format!("refuses what is written: {reason}"))
}

/// Checks that the confirming judges read a file as the judges they confirm do. `before` holds
/// their readings of the file as opened: a judge that rejected it is ignored, and one that accepted
/// it must accept this file too.
pub(super) fn agree(
    judges: &mut [Box<dyn Judge>],
    before: &[Option<Vec<Fact>>],
    file: &[u8],
) -> Result<(), Complaint> {
    let mut readings = Vec::new();
    for (judge, before) in judges.iter_mut().zip(before) {
        let read = before.is_some().then(|| judge.read(file));
        let read = read.transpose();
        readings.push(read.map_err(|reason| refuses(&**judge, &reason))?);
    }
    for (at, judge) in judges.iter().enumerate() {
        let first = judges
            .iter()
            .position(|first| Some(first.name()) == judge.confirms());
        let first = first.and_then(|first| readings.get(first)?.as_ref());
        if let (Some(first), Some(Some(read))) = (first, readings.get(at)) {
            check::confirms(&**judge, read, first)?;
        }
    }
    Ok(())
}
