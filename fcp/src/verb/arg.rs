//! Reads a word of an op as a value, with access to the model.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::diag::{Diagnostic, Span};
use crate::domain::Domain;
use crate::model::Row;
use crate::op::{Selector, quote, quote_value};
use crate::value::{FcpValue, ValueError, ValueSpec};

use super::{Conditions, Files, RecentRows, Registry};

/// The form of a parameter. It follows from its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// One word.
    Value,
    /// One word that names a row.
    Reference,
    /// The op's selectors, or one word that names a row.
    Rows,
}

/// A word, or the selectors, that a parameter is made from.
#[derive(Clone, Debug)]
pub struct Arg<'a> {
    /// The word, unquoted; empty if there are only selectors.
    pub text: &'a str,
    /// The kind in a word `KIND:NAME`.
    pub kind: Option<&'a str>,
    /// Whether it was quoted.
    pub quoted: bool,
    /// Its place in the op, quotes included.
    pub span: Span,
    /// The whole word, the key included.
    pub whole: Span,
    /// The op that contains it.
    pub op: &'a str,
    /// The op's selectors, for a parameter that takes rows.
    pub selectors: &'a [&'a Selector<'a>],
    /// The target rows, if set, whatever the words and selectors say.
    pub picked: Option<&'a [Row]>,
}

impl<'a> Arg<'a> {
    /// A bare word, for tests and for values inside values.
    #[must_use]
    pub const fn word(text: &'a str) -> Self {
        Self {
            text,
            kind: None,
            quoted: false,
            span: Span::new(0, text.len()),
            whole: Span::new(0, text.len()),
            op: text,
            selectors: &[],
            picked: None,
        }
    }
}

/// The data that is available while a value is read.
pub struct Scope<'m, M: Domain> {
    /// The model.
    pub model: &'m M,
    /// All verbs, queries, actions and selectors.
    pub registry: &'m Registry<M>,
    /// The rows that were touched last according to the log, newest first.
    pub recent: &'m RecentRows<'m>,
    /// The files that the op may read.
    pub files: &'m Files,
    /// Evaluates SQL conditions.
    pub sql: &'m Conditions<'m, M>,
    /// Names must match completely: the verb deletes.
    pub strict: bool,
    /// Selectors may match nothing: the verb is a query.
    pub may_be_empty: bool,
    /// The op, stored once for all values that remember it.
    pub(super) op_text: OpText<'m>,
}

/// The text of an op, shared so that an op of many words is not stored once per word.
pub(super) struct OpText<'m> {
    op: &'m str,
    kept: OnceCell<Arc<str>>,
}

impl<'m> OpText<'m> {
    pub(super) const fn new(op: &'m str) -> Self {
        Self {
            op,
            kept: OnceCell::new(),
        }
    }

    /// The text that contains a word: the op, or another text that a value is read from.
    fn keep(&self, text: &str) -> Arc<str> {
        if std::ptr::eq(self.op, text) {
            return Arc::clone(self.kept.get_or_init(|| text.into()));
        }
        text.into()
    }
}

/// A type that a parameter may have. This is every [`FcpValue`]; a value that needs the model
/// implements it for that model only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter",
    label = "no value, reference or selection",
    note = "a parameter is a value (`#[derive(FcpValue)]`), a `Ref<Kind>`, a `Selection<Kind>`, `Rows`, or an `Option` or `Vec` of one",
    note = "a `Ref<Kind>` or `Selection<Kind>` needs a `Table<Kind>` in the model"
)]
pub trait FromArg<M: Domain>: Sized {
    /// Its form.
    const TAKES: Takes = Takes::Value;

    /// Its name and description.
    fn spec() -> ValueSpec;

    /// Reads it from a word or selectors.
    ///
    /// # Errors
    /// The word is wrong; the error has the correction if one is known.
    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, M>) -> Result<Self, ValueError>;
}

impl<M: Domain, V: FcpValue> FromArg<M> for V {
    fn spec() -> ValueSpec {
        V::SPEC
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, M>) -> Result<Self, ValueError> {
        let value = match arg.kind {
            // `note Piano midi:60`: a word that looks qualified is read whole if a value is
            // expected.
            Some(kind) => V::parse(&format!("{kind}:{}", arg.text)),
            None => V::parse(arg.text),
        }?;
        Ok(if scope.strict {
            value.strictly()
        } else {
            value
        })
    }
}

/// A value that remembers its place in the op, so that a fault that only the verb can find is
/// reported and repaired as if found while reading.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    value: T,
    op: Arc<str>,
    span: Span,
    whole: Span,
}

impl<T> Spanned<T> {
    /// The value.
    pub const fn get(&self) -> &T {
        &self.value
    }

    /// Its place in the op, quotes included.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Its spelling in the op, quotes included.
    #[must_use]
    pub fn text(&self) -> &str {
        self.span.of(&self.op)
    }

    /// The op that contains it.
    #[must_use]
    pub fn op(&self) -> &str {
        &self.op
    }

    /// The error that the value is not allowed here. Its repair is the op without it.
    #[must_use]
    pub fn surplus(&self, error: &ValueError) -> Diagnostic {
        let message = error.about(self.whole.of(&self.op));
        let diagnostic = Diagnostic::new(message).at(self.whole);
        diagnostic.or_try(self.left_out())
    }

    /// The op without the word of this value and its key.
    #[must_use]
    pub fn left_out(&self) -> String {
        let text = &self.op;
        let after = text.get(self.whole.end..).unwrap_or("");
        let blanks = after.len() - after.trim_start().len();
        let word = Span::new(self.whole.start, self.whole.end + blanks);
        word.replace(text, "").trim_end().to_owned()
    }

    /// The text from here to a later word, as one.
    #[must_use]
    pub fn through<U>(&self, last: &Spanned<U>) -> Spanned<()> {
        Spanned {
            value: (),
            op: Arc::clone(&self.op),
            span: self.span.to(last.span),
            whole: self.whole.to(last.whole),
        }
    }

    /// The error that the value is wrong here. Its repair is a corrected op.
    #[must_use]
    pub fn wrong(&self, error: ValueError) -> Diagnostic {
        let message = error.about(self.whole.of(&self.op));
        let diagnostic = Diagnostic::new(message).at(self.span);
        let keyed = self.whole != self.span;
        let spell = |fix: &str| {
            if keyed {
                quote_value(fix).into_owned()
            } else {
                quote(fix).into_owned()
            }
        };
        match (error.fix, error.first) {
            (Some(fix), _) => diagnostic.or_try(self.span.replace(&self.op, &spell(&fix))),
            (None, Some(first)) => diagnostic.or_try(String::from(first)),
            (None, None) => diagnostic,
        }
    }
}

impl<M: Domain, T: FromArg<M>> FromArg<M> for Spanned<T> {
    const TAKES: Takes = T::TAKES;

    fn spec() -> ValueSpec {
        T::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, M>) -> Result<Self, ValueError> {
        let value = T::from_arg(arg, scope)?;
        Ok(Self {
            value,
            op: scope.op_text.keep(arg.op),
            span: arg.span,
            whole: arg.whole,
        })
    }
}
