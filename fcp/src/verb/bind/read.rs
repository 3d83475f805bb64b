//! Reads the value of a word bound to a parameter.

use super::{Binder, Problem};
use crate::diag::Span;
use crate::domain::Domain;
use crate::model::Row;
use crate::op::{OpWord, Quoted, Selector, parse, quote, quote_value};
use crate::value::{ValueError, ValueSpec, nearest_word};
use crate::verb::name_errors::MAP;
use crate::verb::reference::reached;
use crate::verb::{Arg, FromArg, Keys, Param, Place, Run, Scope, Takes, qualified};

/// The target of an op.
#[derive(Default)]
pub(crate) struct Target {
    /// The rows.
    pub rows: Vec<Row>,
    /// The words of the op that name or select them.
    pub words: Vec<usize>,
    /// Whether there may be several.
    pub many: bool,
    /// Whether the op takes only one, so that it is called for each.
    pub each: bool,
}

/// Rows of any kind that a word names.
struct Named(Vec<Row>);

impl<M: Domain> FromArg<M> for Named {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        ValueSpec::new("SEL", "a name, #id, or KIND:NAME")
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, M>) -> Result<Self, ValueError> {
        reached(arg, scope, None).map(|(rows, _)| Self(rows))
    }
}

impl<'c, M: Domain> Binder<'c, M> {
    /// Reads a required parameter. `None` if it is missing or wrong.
    pub fn required<T: FromArg<M>>(&mut self, ix: usize) -> Option<T> {
        let found = self.optional(ix)?;
        if found.is_none() && !self.mended.contains(&ix) {
            let param = self.params().get(ix)?;
            if let Some((key, span, meant)) = self.misspelt(param) {
                let message = format!("{} has no {key}:", self.call.verb.phrase);
                self.problem(message, Some(span), Some((span, meant.to_owned())));
                return found;
            }
            let message = format!("{} needs {}", self.call.verb.phrase, param.syntax());
            if let Some(apart) = self.pair(param) {
                self.problem(message, None, Some(apart));
                return found;
            }
            let end = Span::new(self.call.op.raw.len(), self.call.op.raw.len());
            let example = self.example(param).map(|words| (end, format!(" {words}")));
            self.problem(message, None, example);
        }
        found
    }

    /// The last word as two, if it is a name and a value with `=` between and the value is missing: `set a fill=red`.
    fn pair(&self, missing: &Param) -> Option<(Span, String)> {
        let word = match (missing.place, self.call.op.words.last()?) {
            (Place::Word(_), OpWord::Positional(word)) => word,
            _ => return None,
        };
        let (name, value) = word.span.of(self.call.op.raw).split_once('=')?;
        let is_name = name.starts_with(char::is_alphabetic) && !value.is_empty();
        is_name.then(|| (word.span, format!("{name} {value}")))
    }

    /// A missing key of an op that makes something, as the verb's first example with it has it.
    fn example(&self, param: &Param) -> Option<String> {
        let verb = self.call.verb;
        // A name, or a row, is not made up.
        let is_name = (param.spec)().names || param.takes != Takes::Value;
        if param.place != Place::Key || is_name || !verb.makes() {
            return None;
        }
        let lines = verb.examples.iter().flat_map(|example| {
            let lines = example.script.lines();
            // The reply of an op that fails.
            lines.clone().zip(lines.skip(1).chain([""]))
        });
        let fits = |(line, reply): (&str, &str)| {
            let op = parse(line).ok()?;
            let is_own = self.call.registry.verb(&op)?.verb.phrase == verb.phrase;
            let given = op.params().find(|given| param.answers_to(&given.key))?;
            (is_own && !reply.starts_with("> !")).then(|| given.span.of(line).to_owned())
        };
        lines.into_iter().find_map(fits)
    }

    /// Reads an optional parameter. `None` if it is wrong.
    #[allow(clippy::option_option)]
    pub fn optional<T: FromArg<M>>(&mut self, ix: usize) -> Option<Option<T>> {
        if T::TAKES == Takes::Rows && !self.selectors.is_empty() {
            let selectors = std::mem::take(&mut self.selectors);
            let span = selectors
                .iter()
                .map(|s| s.span)
                .reduce(Span::to)
                .unwrap_or_default();
            let (text, quoted) = self.native_text();
            let arg = Arg {
                text,
                kind: None,
                quoted,
                span,
                whole: span,
                op: self.call.op.raw,
                selectors: &selectors,
                picked: self.call.picked,
            };
            return match T::from_arg(&arg, &self.scope) {
                Ok(value) => Some(Some(value)),
                Err(error) => {
                    self.wrong_selector(error, &selectors);
                    None
                }
            };
        }
        match self
            .bound
            .iter()
            .find(|bound| bound.param == ix)
            .map(|bound| bound.word)
        {
            None => Some(None),
            Some(word) => self.read(ix, word).map(Some),
        }
    }

    /// The op's target rows, and the words that name them: of the first parameter that takes rows,
    /// or else a reference, in whose place several rows may be selected. `None` if it has none or
    /// it is wrong.
    pub(crate) fn target(&mut self) -> Option<Target> {
        let takes = |param: &Param| param.takes != Takes::Value;
        let rows = self
            .params()
            .iter()
            .position(|param| param.takes == Takes::Rows);
        let ix = rows.or_else(|| self.params().iter().position(takes))?;
        let param = self.params().get(ix)?;
        let part = (param.spec)().part;
        if !self.selectors.is_empty() {
            let words = self.call.op.words.iter().enumerate();
            let words = words.filter(|(at, word)| {
                matches!(word, OpWord::Selector(_)) || self.native == Some(*at)
            });
            let words = words.map(|(word, _)| word).collect();
            let selectors = std::mem::take(&mut self.selectors);
            let (text, quoted) = self.native_text();
            let arg = Arg {
                selectors: &selectors,
                op: self.call.op.raw,
                quoted,
                ..Arg::word(text)
            };
            return match reached(&arg, &self.scope, part) {
                // Rows of another kind cannot take the place of the one that the op names.
                Ok((found, _))
                    if rows.is_none()
                        && part.is_some_and(|part| found.iter().any(|row| row.part() != part)) =>
                {
                    None
                }
                Ok((found, _)) => {
                    // That it takes no selectors does not hold here.
                    self.problems.retain(|problem| !problem.is_of_selectors);
                    Some(Target {
                        rows: found,
                        words,
                        many: true,
                        each: rows.is_none(),
                    })
                }
                Err(error) => {
                    self.wrong_selector(error, &selectors);
                    None
                }
            };
        }
        let word = self.bound.iter().find(|bound| bound.param == ix)?.word;
        let named = self.read::<Named>(ix, word)?.0;
        // A row that others refer to represents those.
        let (text, kind) = match self.call.op.words.get(word)? {
            OpWord::Positional(text) => (&text.text, None),
            OpWord::Param(written) => (&written.value, Some(&*written.key)),
            _ => return None,
        };
        let arg = Arg {
            kind: kind.filter(|kind| !param.answers_to(kind)),
            ..Arg::word(text)
        };
        let found = part.and_then(|part| reached(&arg, &self.scope, Some(part)).ok());
        let found = found.map_or(named, |(rows, _)| rows);
        let is_native = || matches!(self.scope.model.select_native(text), Some(Ok(_)));
        let each = rows.is_none() && (found.len() > 1 || is_native());
        Some(Target {
            rows: found,
            words: vec![word],
            many: each || rows.is_some(),
            each,
        })
    }

    /// Reads a parameter that takes several words.
    pub fn many<T: FromArg<M>>(&mut self, ix: usize) -> Option<Vec<T>> {
        let words: Vec<usize> = self
            .bound
            .iter()
            .filter(|b| b.param == ix)
            .map(|b| b.word)
            .collect();
        let mut values = Vec::with_capacity(words.len());
        let mut sound = true;
        for word in words {
            match self.read(ix, word) {
                Some(value) => values.push(value),
                None => sound = false,
            }
        }
        sound.then_some(values)
    }

    /// The keys that do not belong to any other parameter.
    #[must_use]
    pub fn others(&self, ix: usize) -> Keys {
        let words = self.bound.iter().filter(|bound| bound.param == ix);
        let words: Vec<&OpWord<'_>> = words
            .filter_map(|bound| self.call.op.words.get(bound.word))
            .collect();
        if words.is_empty() {
            return Keys::default();
        }
        let params = self.params().iter().enumerate();
        let free = params.filter(|(ix, _)| !self.is_given(*ix));
        let free = free.flat_map(|(_, param)| param.keys()).collect();
        Keys::new(&words, self.call.op.raw, free)
    }

    /// The leftover key that is probably a misspelling of this parameter's key: its spelling, its
    /// place, and the key that was meant.
    fn misspelt(&self, param: &Param) -> Option<(&'c str, Span, &'static str)> {
        if param.place != Place::Key {
            return None;
        }
        self.fields().into_iter().find_map(|written| {
            let meant = nearest_word(&written.key.to_lowercase(), param.keys())?;
            Some((&*written.key, written.key_span, meant))
        })
    }

    /// Returns whether a flag is in the op.
    #[must_use]
    pub fn flag(&self, ix: usize) -> bool {
        self.bound.iter().any(|bound| bound.param == ix)
    }

    fn read<T: FromArg<M>>(&mut self, ix: usize, word: usize) -> Option<T> {
        let op_word = self.call.op.words.get(word)?;
        let param = self.params().get(ix)?;
        let by_key = matches!(op_word, OpWord::Param(written) if param.answers_to(&written.key));
        let arg = match op_word {
            OpWord::Param(written) if by_key => Arg {
                text: &written.value,
                kind: None,
                quoted: written.quoted == Quoted::Whole,
                span: written.value_span,
                whole: written.span,
                op: self.call.op.raw,
                selectors: &[],
                picked: None,
            },
            OpWord::Param(written) => Arg {
                text: &written.value,
                kind: Some(&written.key),
                quoted: written.quoted != Quoted::No,
                span: written.span,
                whole: written.span,
                op: self.call.op.raw,
                selectors: &[],
                picked: None,
            },
            OpWord::Positional(text) => Arg {
                text: &text.text,
                kind: None,
                quoted: text.quoted != Quoted::No,
                span: text.span,
                whole: text.span,
                op: self.call.op.raw,
                selectors: &[],
                picked: None,
            },
            OpWord::Arrow(arrow) => Arg {
                span: arrow.span,
                whole: arrow.span,
                op: self.call.op.raw,
                ..Arg::word(arrow.kind.as_str())
            },
            OpWord::Selector(_) => return None,
        };
        match T::from_arg(&arg, &self.scope) {
            Ok(value) => Some(value),
            Err(error) => {
                let subject = match arg.kind {
                    Some(kind) => format!("{kind}:{}", arg.text),
                    None if by_key => format!("{}:{}", param.name, arg.text),
                    None => arg.text.to_owned(),
                };
                let kind = arg.kind.filter(|_| T::TAKES != Takes::Value);
                let fix = error.fix.as_deref().map(|fix| {
                    // A qualified word stays qualified: the phrase may depend on the kind.
                    let kind = kind.filter(|_| !fix.contains([':', '#']));
                    let fix = kind.map_or_else(|| fix.to_owned(), |kind| format!("{kind}:{fix}"));
                    (arg.span, Self::respell(&fix, T::TAKES, by_key))
                });
                let name = fix.is_none().then(|| self.file_name(word)).flatten();
                self.mended.extend(name.as_ref().map(|(ix, _)| *ix));
                let fix = fix.or_else(|| Some((arg.span, name?.1)));
                self.problems.push(Problem {
                    message: error.about(&subject),
                    span: Some(arg.span),
                    fix,
                    first: self.first(
                        &error,
                        by_key || matches!(param.place, Place::Word(Some(_))),
                    ),
                    missing: error.missing.map(Into::into),
                    look: error.look,
                    is_of_selectors: false,
                });
                None
            }
        }
    }

    /// The op to send before an op that names a missing row. It makes the row if the op puts
    /// something on it, which a key like `on:` shows too; otherwise it shows the existing rows.
    fn first(&self, error: &ValueError, puts: bool) -> Option<String> {
        let edits = matches!(self.call.verb.run, Run::Edit(_));
        let looks = error.makes && edits && !puts;
        let first = error.first.as_deref();
        first.map(|first| if looks { MAP } else { first }.to_owned())
    }

    /// A fix as a word of its own, or after a key. A reference `db:Orders` keeps its kind; other
    /// text is quoted if it would be misread.
    pub(super) fn respell(fix: &str, takes: Takes, by_key: bool) -> String {
        // A selector takes the place of a name of rows.
        if takes == Takes::Rows && fix.starts_with('@') {
            return fix.to_owned();
        }
        let reference = qualified::<M>(fix).filter(|_| takes != Takes::Value);
        reference.unwrap_or_else(|| match by_key {
            true => quote_value(fix).into_owned(),
            false => quote(fix).into_owned(),
        })
    }

    pub(super) fn wrong_selector(&mut self, error: ValueError, selectors: &[&Selector<'_>]) {
        // The fix or the message shows which selector is wrong; a single one needs no mention.
        let at = error.selector.map(usize::from);
        let span = at
            .and_then(|at| selectors.get(at))
            .map(|selector| selector.span);
        // A number that was not sent must not delete anything.
        let guessed = |fix: &str| {
            let value = fix.rsplit(':').next().unwrap_or_default();
            let sent = at
                .and_then(|at| selectors.get(at))
                .is_some_and(|own| own.value == value);
            let number = value.bytes().all(|byte| byte.is_ascii_digit());
            self.scope.strict && number && !sent
        };
        let fix = error.selector_fix.as_deref().filter(|fix| !guessed(fix));
        let fix = span.zip(fix.map(str::to_owned));
        let subject = span.map_or("", |span| span.of(self.call.op.raw));
        self.problems.push(Problem {
            message: error.about(subject),
            span,
            fix,
            first: self.first(&error, false),
            missing: error.missing.map(Into::into),
            look: error.look,
            is_of_selectors: false,
        });
    }
}
