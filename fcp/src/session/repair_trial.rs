//! Repairs that are tried before they are shown.

use super::document::Document;
use crate::diag::{Diagnostic, Repair, Result, Span, breaks};
use crate::domain::Domain;
use crate::model::ModelExt;
use crate::op::Limits;
use crate::sql::write_statement::is_write;
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
        self.rehearse_counted(registry, text, limits).0
    }

    /// The same, and whether there are fewer rows then.
    fn rehearse_counted(
        &mut self,
        registry: &Registry<M>,
        text: &str,
        limits: Limits,
    ) -> (Result<Repair>, bool) {
        let savepoint = self.savepoint();
        let rows = self.rows();
        self.model.ids().trial(true);
        let result = self.apply(registry, text, limits);
        let is_short = self.model.ids().trial(false);
        let is_fewer = self.rows() < rows;
        self.rollback(savepoint);
        let repair = match result {
            Err(_) if is_short => Ok(Repair::Untried(text.to_owned())),
            Err(error) => Err(error),
            Ok(_) => Ok(Repair::Try(text.to_owned())),
        };
        (repair, is_fewer)
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
        for spell in respelled {
            if spare.is_left()
                && let Some(guess) = spell(registry, op)
            {
                spare.take(self.effort(&guess));
                if let Ok(repair) = self.rehearse(registry, &guess, limits) {
                    return Diagnostic { repair, ..error };
                }
            }
        }
        if super::computed::syntax(registry, op).is_some() {
            // Guesses replace words; SQL errors come with their own correction.
            return self.mend_computed(registry, op, error, limits, spare);
        }
        if spare.is_left() {
            for guess in super::computed::signed(registry, op) {
                let tried = spare
                    .is_left()
                    .then(|| self.rehearse(registry, &guess, limits));
                spare.take(self.effort(&guess));
                if let Some(Ok(repair)) = tried {
                    return Diagnostic { repair, ..error };
                }
            }
        }
        let parsed = crate::op::parse(op).ok();
        let found = parsed.and_then(|op| registry.verb(&op));
        let deletes = found.as_ref().is_some_and(|found| found.verb.deletes);
        let mut error = self.amend(registry, op, error, limits, spare);
        // Without one of its words, or with another number, an op that deletes may delete more.
        if let (true, Repair::Try(text) | Repair::Untried(text)) = (deletes, &error.repair)
            && !is_for_another(text)
            && (crate::verb::leaves_out(op, text) || crate::verb::renumbers(op, text))
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
            let (tried, is_fewer) = self.rehearse_counted(registry, &text, limits);
            spare.take(self.effort(&text));
            match tried {
                // Values that are held to a bound meet there, and rows that meet may become one.
                Ok(_) if is_fewer && holds(&text) > holds(op) => {
                    error.repair = Repair::None;
                    break;
                }
                Ok(repair) => return Diagnostic { repair, ..error },
                // The repair of another op than this one would do something else.
                Err(Diagnostic {
                    repair: Repair::Try(next),
                    ..
                }) if is_write(op) && !is_write(&next) => break,
                Err(next)
                    if !is_write(op)
                        && next.look.is_none()
                        && !goes_on(registry, &text, &next.repair) =>
                {
                    break;
                }
                Err(next) => error.repair = next.repair,
            }
        }
        if let Repair::Try(_) | Repair::None = error.repair {
            let syntax = super::computed::syntax(registry, op);
            error.repair = syntax.map_or(Repair::None, Repair::Syntax);
        }
        // The statement has another fault, but the first one has a name.
        let word = first.and_then(|first| other_word(op, &first));
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
        let mut named = None;
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
            if named.is_none() && renamed.is_none() {
                named = named_fault(op, guess, mended);
            }
        }
        // The op has another fault, but the first one has a name.
        if let Repair::Try(first) = &error.repair
            && renamed.is_none()
        {
            named = match error.look {
                Some(_) => other_word(op, first).map(|word| (word, repair.clone())),
                None => named_fault(op, first, repair.clone()).or(named),
            };
        }
        if let Some((word, syntax)) = named {
            // The message may name it, apart from a list.
            let message = &mut error.message;
            // An unknown name may contain the one that was meant.
            let is_unknown = error.look.is_some();
            let is_named = |it: &str| it.contains(&word) && !is_unknown;
            if !message.split(" (").next().is_some_and(is_named) {
                message.push_str(&format!("; did you mean {word}?"));
            }
            error.repair = syntax;
            return error;
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
        let verb = |op: &str| Some(registry.verb(&crate::op::parse(op).ok()?)?.verb);
        let own = verb(sent);
        mended(repair, |op| {
            let next = match self.rehearse(registry, op, limits) {
                Ok(repair) => return repair,
                Err(next) => next,
            };
            let found = verb(op);
            // An op of another verb is not the sent one with its slip mended, and neither are its
            // repairs. If a key was corrected, its value may not fit the corrected key.
            let is_other = own.is_some_and(|own| found.is_none_or(|it| !std::ptr::eq(own, it)));
            let is_misfit = renamed.is_some() && word_at(op, &next) == renamed;
            // The near name of an unknown one respells it, too.
            let goes_on = next.look.is_some() || goes_on(registry, op, &next.repair);
            if is_other || is_misfit || !goes_on {
                let is_respelt = crate::verb::only_respells(sent, op);
                let verb = own.filter(|_| is_other && !is_respelt).or(found);
                return verb.map_or(Repair::None, |verb| Repair::Syntax(verb.syntax()));
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

/// The number of values that are held to a bound.
fn holds(op: &str) -> usize {
    op.matches("min(").count() + op.matches("max(").count()
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

/// The word by which the repair of a misspelt one differs from the op.
fn other_word(op: &str, repair: &str) -> Option<String> {
    let bare = |text: &str| text.replace('"', " ");
    // A word of a condition in quotes, or one that loses its quotes.
    let word = crate::sql::other_word(&bare(op), &bare(repair));
    word.or_else(|| crate::sql::other_word(op, repair))
}

/// The word that a repair which fails for another reason mends, and the syntax shown with it.
fn named_fault(op: &str, repair: &str, syntax: Repair) -> Option<(String, Repair)> {
    let is_syntax = matches!(syntax, Repair::Syntax(_));
    let word = other_word(op, repair).filter(|_| crate::verb::only_respells(op, repair))?;
    let is_word = word.chars().all(|c| c.is_alphabetic() || c == '-');
    let is_selector = repair.contains(&format!("@{word}"));
    // A short word has many others within a typo or two. Another word for the same is sure.
    let sent = other_word(repair, op).unwrap_or_default();
    let is_guess = sent.chars().count() <= 3 && !word.starts_with(&sent);
    let is_sure = !is_guess || !crate::value::is_typo(&sent, &word);
    Some((word, syntax)).filter(|_| is_syntax && is_word && is_sure && !is_selector)
}

/// Whether the repair of a repair is shown: if it is a look at the document, or the same op with
/// another slip of the pen mended. Any other would do something that was not sent.
fn goes_on<M: Domain>(registry: &Registry<M>, op: &str, next: &Repair) -> bool {
    let verb = |op: &str| Some(registry.verb(&crate::op::parse(op).ok()?)?.verb);
    match next {
        Repair::Try(text) | Repair::Untried(text) => {
            let same = match (verb(op), verb(text)) {
                (Some(own), Some(other)) => std::ptr::eq(own, other),
                (own, _) => own.is_none(),
            };
            text.starts_with("? ") || text != op && same && crate::verb::only_respells(op, text)
        }
        Repair::Syntax(_) => true,
        Repair::None | Repair::Add(_) => false,
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
        let looked = if op.contains('@') { self.rows() } else { 0 };
        GUESS + looked + CHANGE * self.worked
    }

    /// The number of rows in all tables.
    fn rows(&self) -> usize {
        let tables = self.model.tables();
        tables.map(|(_, _, rows)| rows.len()).sum()
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
