//! The account of a document: the changes that a save would make to the opened file.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::document::Document;
use super::excerpt::{excerpt, place};
use super::first_save::FIRST_SAVE;
use crate::account::{
    Account, ByOwner, Fault, InBoth, Owner, Pieces, Touched, Unchanged, by_owner,
};
use crate::diag::{Diagnostic, Result};
use crate::domain::{Content, Domain};
use crate::model::{ModelExt, Part, Row};
use crate::queries::show;
use crate::work;

/// The bytes that are written and compared in the time of one step.
pub(super) const BYTES_A_STEP: usize = 8;

/// The bytes of a file for each change, with fewer of which it is written whole: finding the sections that did not
/// change would take longer.
const BYTES_A_CHANGE: usize = 32;

/// Why the changes since a state are only counted.
const REPLACED: &str =
    "what they were is not in the log any more (the first save was undone and replaced)";

/// The state that a document is compared with: of the file that was opened, or of the first save of a new document.
pub(super) struct Opened {
    pub(super) base: Base,
    /// The [id](crate::event::EventLog::state_id) of this state, or of the last one before it that the log still has.
    pub(super) state: u64,
    pub(super) reached: Reached,
    /// Hashes of the single-value parts.
    pub(super) parts: Vec<Option<u64>>,
    /// Rows changed by entries that the log has no more.
    pub(super) dropped: Touched,
    pub(super) format: &'static str,
    /// The file's path.
    pub(super) path: String,
    /// The file's length on disk, in bytes.
    pub(super) len: usize,
}

/// The origin of the state that a document is compared with.
pub(super) enum Reached {
    Opened,
    /// By the first save of a new document.
    Saved,
    /// By such a save, which was then undone and replaced by an op.
    Replaced,
}

/// The bytes that a document is compared with.
pub(super) enum Base {
    /// The file's content, unpacked. Nothing has changed since it was read.
    Read(Content),
    /// The document as it was written before its first change.
    Written {
        pieces: Arc<Pieces>,
        /// Bytes that were read but are not written back, even if nothing has changed.
        lost: Option<Fault>,
        /// The file's content, if it differs from `pieces` because some of it is lost.
        original: Option<Content>,
    },
}

impl Opened {
    /// The file's content, unpacked.
    pub fn content(&self) -> &[u8] {
        match &self.base {
            Base::Read(content) => (**content).as_ref(),
            Base::Written {
                pieces, original, ..
            } => match original {
                Some(content) => (**content).as_ref(),
                None => pieces.content(),
            },
        }
    }

    /// The document as it would have been written right after it was opened. `now` is what is
    /// written now.
    pub fn base<'a>(&'a self, now: &'a Pieces) -> &'a Pieces {
        match &self.base {
            Base::Read(_) => now,
            Base::Written { pieces, .. } => pieces,
        }
    }

    /// The bytes that were read and are not written back, even if nothing has changed. `now` is
    /// what is written now.
    fn lost(&self, now: &Pieces) -> Option<Fault> {
        match &self.base {
            Base::Read(content) => difference((**content).as_ref(), now.content()),
            Base::Written { lost, .. } => lost.clone(),
        }
    }

    /// Returns whether writing the document loses some of what was read. `now` is what is written
    /// now.
    pub fn is_lossy(&self, now: &Pieces) -> bool {
        match &self.base {
            Base::Read(content) => (**content).as_ref() != now.content(),
            Base::Written { original, .. } => original.is_some(),
        }
    }

    /// The file's path and its length on disk.
    pub fn file(&self) -> (&str, usize) {
        (&self.path, self.len)
    }

    /// The format it was read from.
    pub const fn format(&self) -> &'static str {
        self.format
    }

    /// The id of this state in the log, or why the log does not have it.
    pub const fn state(&self) -> Result<u64, Cow<'static, str>> {
        match self.reached {
            Reached::Replaced => Err(Cow::Borrowed(REPLACED)),
            Reached::Opened | Reached::Saved => Ok(self.state),
        }
    }

    /// The checkpoint that names this state.
    pub const fn name(&self) -> &'static str {
        match self.reached {
            Reached::Opened => "open",
            Reached::Saved | Reached::Replaced => FIRST_SAVE,
        }
    }
}

/// The rows that are written inside a row.
pub(super) fn inside<M: Domain>(model: &M, row: Row) -> Vec<u32> {
    let rows = model.rows(row.part());
    rows.map_or_else(Vec::new, |rows| rows.inside(row.id()))
}

/// Hashes of the single-value parts, by part index.
pub(super) fn values<M: Domain>(model: &M) -> Vec<Option<u64>> {
    let value = |ix| match model.part(ix) {
        Some(Part::Value(hash)) => Some(hash),
        _ => None,
    };
    (0..M::SHAPE.parts.len()).map(value).collect()
}

impl<M: Domain> Document<M> {
    /// Keeps the file's path, its length on disk and its unpacked content for later comparison.
    pub(super) fn begin_account(
        &mut self,
        (path, len): (&str, usize),
        content: Vec<u8>,
        format: &'static str,
    ) {
        let shared = self.model.content_read();
        let shared = shared.filter(|shared| (**shared).as_ref() == content);
        self.opened = Some(Opened {
            base: Base::Read(shared.unwrap_or_else(|| Arc::new(content))),
            state: self.log.state_id(),
            reached: Reached::Opened,
            parts: values(&self.model),
            dropped: Touched::default(),
            format,
            path: path.to_owned(),
            len,
        });
    }

    /// Writes the document in memory before its first change, to know which bytes are whose: a
    /// document that is only read never pays for this. Everything that changes a model calls it
    /// first.
    ///
    /// # Errors
    /// The document cannot be written.
    pub(super) fn keep_base(&mut self) -> Result<()> {
        let Some(opened) = &mut self.opened else {
            return Ok(());
        };
        let Base::Read(content) = &opened.base else {
            return Ok(());
        };
        let bytes = (**content).as_ref();
        let mut pieces = Pieces::of::<M>();
        pieces.reserve(bytes.len(), 0);
        self.model.write(opened.format, &mut pieces)?;
        let lost = difference(bytes, pieces.content());
        let original = lost.is_some().then(|| Arc::clone(content));
        opened.base = Base::Written {
            pieces: Arc::new(pieces.into_base()),
            lost,
            original,
        };
        Ok(())
    }

    /// Records the rows of entries that the log has dropped.
    pub(super) fn note_dropped(&mut self) {
        let dropped = self.log.take_spilled();
        if let Some(opened) = &mut self.opened {
            let since = dropped.iter().filter(|entry| entry.serial > opened.state);
            let events = since.flat_map(|entry| &entry.event.events);
            for (row, fate) in events.filter_map(M::row_of) {
                opened
                    .dropped
                    .event(row, fate, &|row| inside(&self.model, row));
            }
        }
    }

    /// The events of the entries that are between the opened state and the present one, whichever comes first, as far
    /// as the log has them.
    fn events_since<'a>(&'a self, opened: &Opened) -> impl Iterator<Item = &'a M::Event> {
        let state = opened.state;
        let done = self.log.spilled().chain(self.log.applied());
        let done = done.filter(move |entry| entry.serial > state);
        let undone = self.log.undone();
        let undone = undone.take_while(move |entry| entry.serial <= state);
        done.chain(undone).flat_map(|entry| &entry.event.events)
    }

    /// The rows and parts that differ from the opened document.
    fn touched_since_open(&self, opened: &Opened) -> Touched {
        let mut touched = opened.dropped.clone();
        let events = self.events_since(opened);
        for (row, fate) in events.filter_map(M::row_of) {
            touched.event(row, fate, &|row| inside(&self.model, row));
        }
        let now = values(&self.model);
        for (ix, (then, now)) in opened.parts.iter().zip(&now).enumerate() {
            if then != now {
                touched.part(ix);
            }
        }
        touched
    }

    /// Compares the written pieces with the opened file; the changes have no names. Returns `None`
    /// if the document was not opened from a file, or from another format.
    pub(super) fn account(&self, pieces: &Pieces, format: &str) -> Option<Account> {
        self.account_with(pieces, format, |_| String::new())
    }

    fn account_with(
        &self,
        pieces: &Pieces,
        format: &str,
        name: impl Fn(Owner) -> String,
    ) -> Option<Account> {
        let opened = self.opened.as_ref()?;
        if opened.format != format {
            return None;
        }
        let touched = self.touched_since_open(opened);
        let mut account = Account::of(opened.base(pieces), pieces, &touched, name);
        account.faults.extend(opened.lost(pieces));
        Some(account)
    }

    /// Compares the opened file with one that leaves out rows of the document, as if these were removed. `whole` is the
    /// document as written.
    pub(super) fn account_of_part(&self, whole: &Pieces, part: &Pieces) -> Option<Account> {
        let opened = self.opened.as_ref()?;
        let mut touched = self.touched_since_open(opened);
        let left_out = whole.rows_without(part);
        left_out.into_iter().for_each(|id| touched.row(id));
        let base = opened.base(whole);
        Some(Account::of(base, part, &touched, |_| String::new()))
    }

    /// The account with the bytes of both states.
    pub(super) fn whole_account(&self) -> Result<Option<Account>> {
        let Some(opened) = self.opened.as_ref() else {
            return Ok(None);
        };
        let pieces = self.pieces(opened.format)?;
        let name = |owner| self.owner_name(owner);
        let account = self.account_with(&pieces, opened.format, name);
        Ok(account.map(|account| account.with_bytes(opened.base(&pieces), &pieces)))
    }

    /// The bytes of the rows and parts that ops changed since the file was opened: their places in
    /// that file and in what a save would write.
    pub(super) fn touched_bytes(&self) -> Result<InBoth> {
        self.in_both(|opened, base, now| {
            let touched = self.touched_since_open(opened).through(base, now);
            touched.in_both(base, now)
        })
    }

    /// The bytes of each row and part in the file as opened and in what a save would write.
    pub(super) fn bytes_by_owner(&self) -> Result<ByOwner> {
        self.in_both(|_, base, now| by_owner(base, now))
    }

    fn in_both<R: Default>(&self, of: impl FnOnce(&Opened, &Pieces, &Pieces) -> R) -> Result<R> {
        let Some(opened) = self.opened.as_ref() else {
            return Ok(R::default());
        };
        let pieces = self.pieces(opened.format)?;
        Ok(of(opened, opened.base(&pieces), &pieces))
    }

    /// Compares the bytes before and after the last ops, by the rows that these ops changed.
    /// `before` holds what was written then, and the single values of the model.
    pub(crate) fn account_of_last(
        &self,
        ops: usize,
        (before, values): &(Pieces, Vec<Option<u64>>),
    ) -> Result<Account> {
        let mut touched = Touched::default();
        for entry in self.log.recent(ops) {
            for (row, fate) in entry.event.events.iter().filter_map(M::row_of) {
                touched.event(row, fate, &|row| inside(&self.model, row));
            }
        }
        let (now, values_now) = self.written_now()?;
        for (ix, (then, now)) in values.iter().zip(&values_now).enumerate() {
            if then != now {
                touched.part(ix);
            }
        }
        Ok(
            Account::of(before, &now, &touched, |owner| self.owner_name(owner))
                .with_bytes(before, &now),
        )
    }

    /// The pieces that a save would write, and the hashes of the model's single values.
    pub(crate) fn written_now(&self) -> Result<(Pieces, Vec<Option<u64>>)> {
        let pieces = self.pieces(self.written_format())?;
        Ok((pieces, values(&self.model)))
    }

    /// The document as written in a format.
    ///
    /// # Errors
    /// The document cannot be written in it.
    pub(super) fn pieces(&self, format: &str) -> Result<Pieces> {
        let mut pieces = self.empty_pieces(format);
        self.model.write(format, &mut pieces)?;
        work::spend(pieces.file().len() / BYTES_A_STEP)?;
        Ok(pieces)
    }

    /// An empty file with room for what the opened file holds: it seldom grows much. Sections that no op changed are
    /// taken from there.
    pub(super) fn empty_pieces(&self, format: &str) -> Pieces {
        let opened = self.opened.as_ref();
        match opened.map(|opened| (&opened.base, opened)) {
            None => Pieces::of::<M>(),
            Some((Base::Written { pieces, .. }, opened)) => {
                let mut alike = pieces.empty_alike();
                if opened.format == format
                    && let Some(unchanged) = self.unchanged(pieces, opened)
                {
                    alike.set_unchanged(unchanged);
                }
                alike
            }
            Some((Base::Read(content), _)) => {
                let len = (**content).as_ref().len();
                let mut pieces = Pieces::of::<M>();
                pieces.reserve(len + len / 64, 0);
                pieces
            }
        }
    }

    /// The sections of the opened file in which no op changed a row, if it has sections and few rows changed.
    fn unchanged(&self, base: &Arc<Pieces>, opened: &Opened) -> Option<Unchanged> {
        // Of rows whose entries were dropped, it is not known what they are inside of.
        if !base.has_sections() || opened.dropped.any() {
            return None;
        }
        if self.events_since(opened).count() > base.len() / BYTES_A_CHANGE {
            return None;
        }
        // Hidden tables count too.
        let row_of = |id: u32| {
            let parts = 0..M::SHAPE.parts.len();
            let of = |part: &usize| self.model.rows(*part).is_some_and(|rows| rows.contains(id));
            parts.into_iter().find(of).map(|part| Row::new(part, id))
        };
        let mut changed = FxHashSet::default();
        let rows = self.events_since(opened).filter_map(M::row_of);
        for (mut row, _) in rows {
            // The sections of all rows that it is inside now.
            changed.insert(row.id());
            while let Some(parent) = self
                .model
                .rows(row.part())
                .and_then(|rows| rows.parent(row.id()))
                && changed.insert(parent)
                && let Some(above) = row_of(parent)
            {
                row = above;
            }
        }
        let touched = self.touched_since_open(opened);
        Some(Unchanged::of(base, &touched, &changed))
    }

    /// The format that the document was opened from, or else the domain's first one.
    pub(crate) fn written_format(&self) -> &'static str {
        let format = self.opened.as_ref().map(|opened| opened.format);
        let format = format.or_else(|| M::FORMATS.first().map(|format| format.name));
        format.unwrap_or_default()
    }

    /// Marks the loss that a forced save wrote as known: it is not reported again. `now` is what
    /// was written.
    ///
    /// # Errors
    /// The document cannot be written.
    pub(super) fn accept_loss(&mut self, now: &Pieces) -> Result<()> {
        if self
            .opened
            .as_ref()
            .is_some_and(|opened| opened.is_lossy(now))
        {
            self.keep_base()?;
        }
        if let Some(opened) = &mut self.opened
            && let Base::Written { lost, .. } = &mut opened.base
        {
            *lost = None;
        }
        Ok(())
    }

    pub(super) fn owner_name(&self, owner: Owner) -> String {
        match owner {
            Owner::Row(id) => match show(&self.model, id) {
                Some(shown) => shown.title(),
                None => format!("row #{id}"),
            },
            Owner::Part(ix) => {
                let name = M::SHAPE.parts.get(ix).map_or("", |part| part.name);
                format!("{name} of the {}", M::NOUN)
            }
            Owner::Neighbours | Owner::Rest => "the rest of the file".to_owned(),
        }
    }

    /// Rejects a save that would change bytes for which no op accounts. Returns the account of
    /// any other, if there is one.
    ///
    /// # Errors
    /// There are such bytes; the first ones are named.
    pub(super) fn audit_bytes(&self, pieces: &Pieces, format: &str) -> Result<Option<Account>> {
        let Some(account) = self.account(pieces, format) else {
            return Ok(None);
        };
        let Some(fault) = account.faults.first() else {
            return Ok(Some(account));
        };
        let before = self.opened.as_ref().map_or(&[][..], Opened::content);
        let place = place(before, fault.before.start);
        let count = match account.faults.len() {
            1 => String::new(),
            n => format!(" ({n} such places)"),
        };
        Err(Diagnostic::new(format!(
            "{} would change at {place}, and no op changed it: {} -> {}{count}",
            self.owner_name(fault.owner),
            excerpt(before, &fault.before),
            excerpt(pieces.content(), &fault.after),
        )))
    }
}

/// The range where two states differ, or `None` if they are equal: all between their common start
/// and end.
fn difference(then: &[u8], now: &[u8]) -> Option<Fault> {
    if then == now {
        return None;
    }
    let head = then.iter().zip(now).take_while(|(a, b)| a == b).count();
    let tails = then.iter().rev().zip(now.iter().rev());
    let most = then.len().min(now.len()) - head;
    let tail = tails.take_while(|(a, b)| a == b).count().min(most);
    Some(Fault {
        owner: Owner::Rest,
        before: head..then.len() - tail,
        after: head..now.len() - tail,
    })
}
