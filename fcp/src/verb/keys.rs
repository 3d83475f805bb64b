//! Keys that do not belong to any parameter of a verb, which the verb reads itself.

use std::sync::Arc;

use super::bind::Problem;
use super::{Arg, FromArg, Scope};
use crate::diag::{Diagnostic, Result, Span};
use crate::domain::Domain;
use crate::op::{OpWord, Quoted, quote, quote_value};
use crate::value::{FcpValue, ValueError, ValueSpec};

/// Every key that does not belong to another parameter, in the order written, each once: the
/// properties of a style.
///
/// As a parameter it is `style: Keys`; the syntax line shows `[KEY:VALUE…]`. A verb has at most
/// one. The verb interprets the keys; the faults it reports are repaired in place, as if the
/// runtime had found them.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/drawing.rs"));
/// /// Paint all shapes.
/// ///
/// /// ```fcp
/// /// # add shape name:dot r:5
/// /// paint fill:red
/// /// > * 1
/// /// paint fil:red
/// /// > ! a shape has no fil:
/// /// >   try: paint fill:red
/// /// paint fill:crimsom
/// /// > ! fill:crimsom is not one of the words here (black, red, sky)
/// /// >   try: paint fill:crimson
/// /// ```
/// #[fcp_verb(category = "Shapes")]
/// pub fn paint(drawing: &mut Drawing, style: Keys) -> Result<Reply> {
///     let ids: Vec<_> = drawing.shapes.iter().map(|(id, _)| id).collect();
///     for property in style.iter() {
///         if property.key() != "fill" {
///             return Err(property.unknown("a shape", ["fill"].into_iter()));
///         }
///         let fill: Paint = property.parse()?;
///         for id in &ids {
///             drawing.shapes.modify(*id, |shape| shape.fill = fill);
///         }
///     }
///     Ok(changed!("{}", ids.len()))
/// }
/// # fn main() {
/// # fcp::testing::examples::<Drawing>(fcp::verb::Role::Verb, "paint");
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Keys(Vec<Keyed>);

/// A key and its value, with their places in the op.
#[derive(Clone, Debug)]
pub struct Keyed {
    key: Box<str>,
    value: Box<str>,
    quoted: bool,
    key_span: Span,
    value_span: Span,
    span: Span,
    within: Arc<Within>,
}

/// Data shared by the keys of an op.
#[derive(Debug)]
struct Within {
    op: Box<str>,
    /// Keys of the parameters that the op does not give.
    free: Vec<&'static str>,
}

impl Keys {
    pub(super) fn new(words: &[&OpWord<'_>], op: &str, free: Vec<&'static str>) -> Self {
        let within = Arc::new(Within {
            op: op.into(),
            free,
        });
        let keyed = words.iter().filter_map(|word| match word {
            OpWord::Param(written) => Some(Keyed {
                key: (&*written.key).into(),
                value: (&*written.value).into(),
                quoted: written.quoted == Quoted::Whole,
                key_span: written.key_span,
                value_span: written.value_span,
                span: written.span,
                within: Arc::clone(&within),
            }),
            _ => None,
        });
        Self(keyed.collect())
    }

    /// The keys, in the order written.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Keyed> {
        self.0.iter()
    }

    /// The key of this name, if given. Case matters, as for all keys.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Keyed> {
        self.0.iter().find(|keyed| keyed.key() == key)
    }

    /// Their number.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Keyed {
    /// The key, as written.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The value, without its quotes.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The value as a word of the op, for parsers of words.
    #[must_use]
    pub fn arg(&self) -> Arg<'_> {
        Arg {
            text: &self.value,
            kind: None,
            quoted: self.quoted,
            span: self.value_span,
            whole: self.span,
            op: &self.within.op,
            selectors: &[],
            picked: None,
        }
    }

    /// Reads the value.
    ///
    /// # Errors
    /// The value is not valid for this type: [`Self::wrong`].
    pub fn parse<V: FcpValue>(&self) -> Result<V> {
        V::parse(&self.value).map_err(|error| self.wrong(error))
    }

    /// The error that `what` has no such key. The repair is the nearest of the known keys, or of
    /// the verb's unused keys.
    #[must_use]
    pub fn unknown<'a>(&self, what: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
        let known = known.chain(self.within.free.iter().copied());
        self.report(Problem::unknown(&self.key, self.key_span, what, known))
    }

    /// The error that `what` has no such key, which another verb takes as words: the repair is
    /// `set card data-k v` for `modify card data-k:v`.
    #[must_use]
    pub fn of_verb(&self, what: &str, verb: &str) -> Diagnostic {
        let error = Diagnostic::new(format!("{what} has no {}:; {verb} writes it", self.key));
        let op = &*self.within.op;
        let words = format!("{} {}", quote(&self.key), quote(&self.value));
        let other = self.span.replace(op, &words);
        match other.split_once(char::is_whitespace) {
            Some((_, rest)) => error.or_try(format!("{verb} {rest}")),
            None => error,
        }
    }

    /// The error that the value is wrong here. Its repair is a corrected op.
    #[must_use]
    pub fn wrong(&self, error: ValueError) -> Diagnostic {
        let text = format!("{}:{}", self.key, self.value);
        let spell = |fix: &str| quote_value(fix).into_owned();
        self.report(Problem::wrong(&text, self.value_span, error, spell))
    }

    fn report(&self, problem: Problem) -> Diagnostic {
        Problem::report(vec![problem], &self.within.op)
    }
}

/// A parameter whose value is read later, when its owner is known.
impl<M: Domain> FromArg<M> for Keyed {
    fn spec() -> ValueSpec {
        ValueSpec::new("VALUE", "what the object takes")
    }

    fn from_arg(arg: &Arg<'_>, _: &Scope<'_, M>) -> Result<Self, ValueError> {
        let key_span = Span::new(
            arg.whole.start,
            arg.span.start.saturating_sub(1).max(arg.whole.start),
        );
        let value = match arg.kind {
            Some(kind) => format!("{kind}:{}", arg.text),
            None => arg.text.to_owned(),
        };
        Ok(Self {
            key: key_span.of(arg.op).into(),
            value: value.into(),
            quoted: arg.quoted,
            key_span,
            value_span: arg.span,
            span: arg.whole,
            within: Arc::new(Within {
                op: arg.op.into(),
                free: Vec::new(),
            }),
        })
    }
}
