//! Repairs that are tried before they are shown.

use super::document::Document;
use crate::diag::{Diagnostic, Repair, Result, Span, breaks};
use crate::domain::Domain;
use crate::model::ModelExt;
use crate::op::Limits;
use crate::sql::write::is_write;
use crate::verb::{Guesses, Place, Registry};

/// The most mistakes repaired in one computed op.
const MOST_MENDED: usize = 4;

impl<M: Domain> Document<M> {
    /// Returns the op itself as the repair if it works, as untried if it makes too many rows to
    /// try; otherwise the error. Leaves the document as it was.
    pub(super) fn rehearse(
        &mut self,
        registry: &Registry<M>,
        text: &str,
        limits: Limits,
    ) -> Result<Repair> {
        let savepoint = self.savepoint();
        self.model.ids().trial(true);
        let result = self.apply(registry, text, limits);
        let is_short = self.model.ids().trial(false);
        self.rollback(savepoint);
        match result {
            Err(_) if is_short => Ok(Repair::Untried(text.to_owned())),
            Err(error) => Err(error),
            Ok(_) => Ok(Repair::Try(text.to_owned())),
        }
    }

    /// Returns the error with a tried repair: the op in another form that works as it is, else its
    /// `try:` line, repaired as far as necessary, else the first guess that works, else the syntax.
    pub(super) fn mend(
        &mut self,
        registry: &Registry<M>,
        op: &str,
        error: Diagnostic,
        limits: Limits,
        spare: &mut Spare,
    ) -> Diagnostic {
        let respelled = [super::computed::with_set, super::computed::quoted];
        for guess in respelled.iter().filter_map(|spell| spell(registry, op)) {
            let tried = spare
                .is_left()
                .then(|| self.rehearse(registry, &guess, limits));
            spare.take(self.effort(&guess));
            if let Some(Ok(repair)) = tried {
                return Diagnostic { repair, ..error };
            }
        }
        if super::computed::syntax(registry, op).is_some() {
            // Guesses replace words; SQL errors come with their own correction.
            return self.mend_computed(registry, op, error, limits, spare);
        }
        for guess in super::computed::signed(registry, op) {
            let tried = spare
                .is_left()
                .then(|| self.rehearse(registry, &guess, limits));
            spare.take(self.effort(&guess));
            if let Some(Ok(repair)) = tried {
                return Diagnostic { repair, ..error };
            }
        }
        let parsed = crate::op::parse(op).ok();
        let found = parsed.and_then(|op| registry.verb(&op));
        let deletes = found.as_ref().is_some_and(|found| found.verb.deletes);
        let mut error = self.amend(registry, op, error, limits, spare);
        // Without one of its words, an op that deletes may delete more.
        if let (true, Repair::Try(text) | Repair::Untried(text)) = (deletes, &error.repair)
            && !is_for_another(text)
            && crate::verb::leaves_out(op, text)
        {
            let syntax = found.map(|found| Repair::Syntax(found.verb.syntax()));
            error.repair = syntax.unwrap_or(Repair::None);
        }
        error
    }

    /// The error of an op with computed rows or values: its repair works, or is replaced by the
    /// syntax.
    fn mend_computed(
        &mut self,
        registry: &Registry<M>,
        op: &str,
        mut error: Diagnostic,
        limits: Limits,
        spare: &mut Spare,
    ) -> Diagnostic {
        let first = match &error.repair {
            Repair::Try(text) => Some(text.clone()),
            _ => None,
        };
        // Each repair fixes one mistake, and there may be several.
        for mended in 0..MOST_MENDED {
            let Repair::Try(text) = &error.repair else {
                if mended > 0 {
                    break;
                }
                return error;
            };
            if is_for_another(text) {
                return error;
            }
            let text = text.clone();
            if !spare.is_left() {
                break;
            }
            let tried = self.rehearse(registry, &text, limits);
            spare.take(self.effort(&text));
            match tried {
                Ok(repair) => return Diagnostic { repair, ..error },
                // The repair of another op than this one would do something else.
                Err(Diagnostic {
                    repair: Repair::Try(next),
                    ..
                }) if is_write(op) && !is_write(&next) => break,
                Err(next) => error.repair = next.repair,
            }
        }
        if let Repair::Try(_) | Repair::None = error.repair {
            let syntax = super::computed::syntax(registry, op);
            error.repair = syntax.map_or(Repair::None, Repair::Syntax);
        }
        // The statement has another fault, but the first one has a name.
        let bare = |text: &str| text.replace('"', " ");
        let word = first.and_then(|first| {
            let word = crate::sql::other_word(op, &first);
            // A condition of one word loses its quotes.
            word.or_else(|| crate::sql::other_word(&bare(op), &bare(&first)))
        });
        if let Some(word) = word {
            error.message = format!("{}; did you mean {word}?", error.message);
        }
        error
    }

    fn amend(
        &mut self,
        registry: &Registry<M>,
        op: &str,
        mut error: Diagnostic,
        limits: Limits,
        spare: &mut Spare,
    ) -> Diagnostic {
        // Trying was too expensive once; do not try many guesses.
        if matches!(error.repair, Repair::Untried(_)) {
            return error;
        }
        let guesses = if spare.is_left() {
            crate::verb::guesses(registry, &self.model, op, &error)
        } else {
            Guesses::default()
        };
        let renamed = renamed_key(op, &error);
        if let Some(parted) = &guesses.glued {
            spare.take(STEPS * self.effort(parted));
            error.repair = self.mended(registry, (op, Repair::Try(parted.clone())), limits, None);
            return error;
        }
        let works = |document: &mut Self, guesses: &[String], spare: &mut Spare| {
            guesses.iter().find_map(|guess| {
                let guess = on_one_line(guess)?;
                if !spare.is_left() {
                    return None;
                }
                let tried = document.rehearse(registry, &guess, limits);
                spare.take(document.effort(&guess));
                tried.ok()
            })
        };
        if let Some(found) = works(self, &guesses.form, spare) {
            error.repair = found;
            return error;
        }
        for guess in &guesses.counted {
            let left = spare
                .is_left()
                .then(|| self.reckoned(registry, guess, limits));
            spare.take(2 * self.effort(&guess.0));
            if let Some(found) = left.flatten() {
                error.repair = found;
                return error;
            }
        }
        // If several work, none is preferred.
        let only = |document: &mut Self, guesses: &[String], spare: &mut Spare| {
            let mut fitting = guesses
                .chunks(1)
                .filter_map(|guess| works(document, guess, spare));
            fitting.next().filter(|_| fitting.next().is_none())
        };
        if let Some(found) = only(self, &guesses.keyed, spare) {
            error.repair = found;
            return error;
        }
        let sent = (op, error.repair.clone());
        let repair = self.mended(registry, sent, limits, renamed);
        if matches!(repair, Repair::Try(_) | Repair::Untried(_)) {
            error.repair = repair;
            return error;
        }
        let found = works(self, &guesses.gaps, spare);
        if let Some(found) = found.or_else(|| only(self, &guesses.surplus, spare)) {
            error.repair = found;
            return error;
        }
        let parsed = crate::op::parse(op).ok();
        let found = parsed.and_then(|op| registry.verb(&op));
        let sets_fields = found.is_some_and(|found| {
            let mut params = found.verb.params.iter();
            params.any(|param| param.place == Place::Fields)
        });
        for guess in &guesses.form {
            if !spare.is_left() {
                break;
            }
            // A key that sets a field was not meant to select, unless the guess works unchanged.
            if sets_fields && selectors(guess) > selectors(op) {
                continue;
            }
            let sent = (op, Repair::Try(guess.clone()));
            let mended = self.mended(registry, sent, limits, renamed);
            spare.take(STEPS * self.effort(guess));
            // The repair of a guess is an op of the same verb.
            if let Repair::Try(found) | Repair::Untried(found) = &mended
                && first_word(found) == first_word(guess)
            {
                error.repair = mended;
                return error;
            }
        }
        error.repair = repair;
        error
    }

    /// A working repair of the sent op, or the syntax if there is none.
    fn mended(
        &mut self,
        registry: &Registry<M>,
        (sent, repair): (&str, Repair),
        limits: Limits,
        renamed: Option<usize>,
    ) -> Repair {
        let mut before = sent.to_owned();
        mended(repair, |op| {
            let verb = |op: &str| Some(registry.verb(&crate::op::parse(op).ok()?)?.verb);
            let own = verb(sent);
            let is_own = first_word(&before) == first_word(op);
            // A verb that was not sent needs nothing made for it.
            let is_guessed = own.is_none();
            let renumbered = is_own && numbers(&before) != numbers(op);
            op.clone_into(&mut before);
            let next = match self.rehearse(registry, op, limits) {
                Ok(repair) => return repair,
                Err(next) => next,
            };
            // A missing row is made first under the name given there, or not at all: under another
            // name, it may exist already.
            if let (Some(own), Some(other)) = (own, verb(op))
                && other.makes()
                && !std::ptr::eq(own, other)
            {
                return Repair::Syntax(own.syntax());
            }
            // Falls back to the syntax in three cases: the repair is the op itself; the key was
            // corrected and its value does not fit the corrected key; or another verb is suggested
            // for a number or a verb that was not sent.
            let other_verb = |next: &Repair| match next {
                Repair::Try(next) => !is_for_another(next) && first_word(next) != first_word(op),
                _ => false,
            };
            if [Repair::None, Repair::Try(op.to_owned())].contains(&next.repair)
                || renamed.is_some() && word_at(op, &next) == renamed
                || (is_guessed || renumbered || is_own && is_other(op, &next.repair))
                    && other_verb(&next.repair)
            {
                let parsed = crate::op::parse(op).ok();
                let found = parsed.and_then(|op| registry.verb(&op));
                return found.map_or(Repair::None, |found| Repair::Syntax(found.verb.syntax()));
            }
            next.repair
        })
    }

    /// The guess that joins a number and its unit, or the guess with the number that they come to,
    /// if one of them works.
    fn reckoned(
        &mut self,
        registry: &Registry<M>,
        (guess, place): &(String, Span),
        limits: Limits,
    ) -> Option<Repair> {
        let next = match self.rehearse(registry, guess, limits) {
            Ok(repair) => return Some(repair),
            Err(next) => next.repair,
        };
        let Repair::Try(next) = next else { return None };
        let (before, behind) = (guess.get(..place.start)?, guess.get(place.end..)?);
        let number = next.strip_prefix(before)?.strip_suffix(behind)?;
        let digits = number.strip_prefix(['+', '-']).unwrap_or(number);
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit());
        let found = is_number.then(|| self.rehearse(registry, &next, limits));
        found?.ok()
    }
}

/// The first word of an op.
fn first_word(op: &str) -> Option<&str> {
    op.split_whitespace().next()
}

/// The number of words in an op that look like selectors.
fn selectors(op: &str) -> usize {
    op.split_whitespace()
        .filter(|word| word.starts_with('@'))
        .count()
}

/// The digits of an op.
fn numbers(op: &str) -> Vec<u8> {
    op.bytes().filter(u8::is_ascii_digit).collect()
}

/// Returns whether a repair shares no word with the op.
fn is_other(op: &str, repair: &Repair) -> bool {
    match repair {
        Repair::Try(next) => !op
            .split_whitespace()
            .any(|word| next.split_whitespace().any(|own| own == word)),
        _ => false,
    }
}

/// Whether a repair is for another tool: an action or a query.
fn is_for_another(text: &str) -> bool {
    text.starts_with("! ") || text.starts_with("? ")
}

/// The start of the word that an error is about.
fn word_at(op: &str, error: &Diagnostic) -> Option<usize> {
    let before = op.get(..error.span?.start)?;
    Some(
        before
            .rfind(char::is_whitespace)
            .map_or(0, |blank| blank + 1),
    )
}

/// The start of the word whose key is unknown, if that is the error.
fn renamed_key(op: &str, error: &Diagnostic) -> Option<usize> {
    let span = error.span?;
    let keyed = op.get(span.end..)?.starts_with(':');
    (keyed && word_at(op, error) == Some(span.start)).then_some(span.start)
}

/// The effort allowed for trying guesses in one call, so that errors stay cheap. It is counted, not
/// timed, so that an error has the same repair on every machine.
const SPARE: usize = 512 * GUESS;

/// The effort of a failed guess, as a number of rows checked.
const GUESS: usize = 20_000;

/// The number of rows that can be checked in the time of one change and its undo.
const CHANGE: usize = 10;

/// The most steps from a repair to one that works.
const STEPS: usize = 4;

impl<M: Domain> Document<M> {
    /// The approximate effort of trying the last op.
    fn effort(&self, op: &str) -> usize {
        let tables = self.model.tables();
        let rows = || tables.map(|(_, _, rows)| rows.len()).sum::<usize>();
        let looked = if op.contains('@') { rows() } else { 0 };
        GUESS + looked + CHANGE * self.worked
    }
}

/// The effort left for trying guesses in one call.
pub(super) struct Spare(usize);

impl Spare {
    /// The full allowance of a call.
    pub const fn new() -> Self {
        Self(SPARE)
    }

    const fn is_left(&self) -> bool {
        self.0 > 0
    }

    fn take(&mut self, effort: usize) {
        self.0 = self.0.saturating_sub(effort);
    }
}

/// Finds a repair that works: `rehearse` returns the text itself if it works, or else its repair.
pub(super) fn mended(repair: Repair, mut rehearse: impl FnMut(&str) -> Repair) -> Repair {
    let mut last = repair;
    for _ in 0..STEPS {
        let Repair::Try(text) = &last else {
            return last;
        };
        let Some(text) = on_one_line(text) else {
            return Repair::None;
        };
        // A repair for another tool cannot be tried here.
        if is_for_another(&text) {
            return Repair::Try(text);
        }
        match rehearse(&text) {
            Repair::Try(next) if next == text => return Repair::Try(text),
            next => last = next,
        }
    }
    match last {
        repair @ (Repair::Syntax(_) | Repair::Untried(_)) => repair,
        _ => Repair::None,
    }
}

/// The text of an op, query or action on one line, if possible.
fn on_one_line(text: &str) -> Option<String> {
    if !text.contains(breaks) {
        return Some(text.to_owned());
    }
    let (sign, text) = match text.strip_prefix("! ").or(text.strip_prefix("? ")) {
        Some(rest) => text.split_at(text.len() - rest.len()),
        None => ("", text),
    };
    let line = crate::op::parse_action(text).ok()?.to_string();
    (!line.contains(breaks)).then(|| format!("{sign}{line}"))
}
