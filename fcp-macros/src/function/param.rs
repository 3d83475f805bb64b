//! A parameter: its place in the op, and how often it may appear.

use proc_macro2::{Ident, Span};
use syn::{Expr, Pat, Type};

use crate::errors::Errors;
use crate::names::{is_key, is_pair, key};
use crate::options::Form;
use crate::types;
use crate::written_params::Written;

/// The options of a parameter.
pub const FORMS: &[Form] = &[
    Form::word("positional"),
    Form::word("rest"),
    Form::word("flag"),
    Form::maybe_text("key", "key = \"on\""),
    Form::texts("alias", "alias = \"duration\""),
    Form::expr("default", "default = Velocity::MF"),
    Form::word("flatten"),
];

/// The owner of parameters.
#[derive(Clone, Copy)]
pub struct Owner {
    /// Its noun: `verb`.
    pub noun: &'static str,
    /// Keys reserved by the runtime.
    pub reserved: &'static [&'static str],
}

/// A validated parameter.
pub struct Param {
    /// Its name, as the card shows it.
    pub name: String,
    /// Other spellings of the key.
    pub aliases: Vec<String>,
    /// Its place in the op.
    pub place: Place,
    /// The number of times that it appears.
    pub holds: Holds,
    /// Its type: `T` of `T`, `Option<T>` and `Vec<T>`.
    pub ty: Type,
    /// Its default.
    pub default: Option<Expr>,
    /// Its doc comment, on one line.
    pub doc: String,
    /// The name in the function.
    pub ident: Ident,
    /// Whether it takes the op's selectors.
    pub rows: bool,
    /// All its spellings, each with the span of its token.
    pub spellings: Vec<(String, Span)>,
}

/// Place of a parameter in the op.
#[derive(PartialEq, Eq)]
pub enum Place {
    /// `dur:VALUE`.
    Key,
    /// A bare word, under a key as well if it has one.
    Word(Option<String>),
    /// All remaining bare words.
    Rest,
    /// The bare word that is its name.
    Flag,
    /// Every key that no other parameter has.
    Keys,
}

/// Number of times that a parameter appears in the op.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Once.
    One,
    /// At most once.
    Optional,
    /// Any number of times.
    Many,
    /// A flag, which is present or absent.
    Flag,
    /// All remaining keys.
    Keys,
}

impl Param {
    /// Whether it is required.
    pub fn required(&self) -> bool {
        self.holds == Holds::One && self.default.is_none()
    }

    /// Reads one parameter.
    pub fn read(owner: Owner, written: &Written, errors: &Errors) -> Option<Self> {
        let ident = ident(owner, written, errors)?;
        if types::is(&written.ty, "Keys") {
            return Some(Self::keys(written, ident, errors));
        }
        let (holds, ty) = holds(written, errors)?;
        let rows = types::is(&ty, "Rows") || types::is(&ty, "Selection");
        let place = place(written, &ident, rows, holds, errors);
        let own = key(&ident);
        let given_key = written.options.text("key");
        let name = match (&place, given_key) {
            (Place::Key, Some(given_key)) => given_key.value(),
            _ => own.clone(),
        };
        let mut spellings = vec![(name.clone(), ident.span())];
        if let Some(given_key) = given_key {
            match place {
                Place::Rest | Place::Flag | Place::Keys => {}
                Place::Key if given_key.value() == own => {
                    errors.at(
                        given_key,
                        "the parameter's name says this already; leave it out",
                    );
                }
                Place::Word(_) if given_key.value() == own => {
                    errors.at(
                        given_key,
                        "the parameter's name says this already; write `key` alone",
                    );
                }
                Place::Key => spellings = vec![(name.clone(), given_key.span())],
                Place::Word(_) => spellings.push((given_key.value(), given_key.span())),
            }
        }
        let mut aliases = Vec::new();
        for alias in written.options.texts("alias") {
            aliases.push(alias.value());
            if !alias.value().starts_with('{') {
                spellings.push((alias.value(), alias.span()));
            } else if place != Place::Key || !is_pair(&alias.value()) {
                errors.at(
                    alias,
                    "two keys in place of one are written with the text between their values: `alias = \"{x},{y}\"`",
                );
            }
        }
        for (spelling, span) in &spellings {
            if !is_key(spelling) {
                errors.on(
                    *span,
                    format!("`{spelling}` is not a key; a key is a lower-case word: `time-sig`"),
                );
            }
            if owner.reserved.contains(&spelling.as_str()) {
                errors.on(
                    *span,
                    format!(
                        "every {} takes `{spelling}:` already; call it something else",
                        owner.noun
                    ),
                );
            }
        }
        default(written, holds, errors);
        Some(Self {
            name,
            aliases,
            place,
            holds,
            ty,
            default: written.options.expr("default").cloned(),
            doc: written.docs.line(),
            ident,
            rows,
            spellings,
        })
    }

    /// The parameter that takes the remaining keys. It has no key of its own.
    fn keys(written: &Written, ident: Ident, errors: &Errors) -> Self {
        for word in written.options.words() {
            errors.at(
                word,
                "its type is enough: `Keys` takes every key that no other parameter has",
            );
        }
        Self {
            name: key(&ident),
            aliases: Vec::new(),
            place: Place::Keys,
            holds: Holds::Keys,
            ty: written.ty.clone(),
            default: None,
            doc: written.docs.line(),
            ident,
            rows: false,
            spellings: Vec::new(),
        }
    }
}

fn ident(owner: Owner, written: &Written, errors: &Errors) -> Option<Ident> {
    match &written.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.clone()),
        pat => {
            errors.at(
                pat,
                format!(
                    "a {}'s parameter is called by a name, not taken apart: `name: Type`",
                    owner.noun
                ),
            );
            None
        }
    }
}

/// Returns the number of its occurrences in an op, and its type.
fn holds(written: &Written, errors: &Errors) -> Option<(Holds, Type)> {
    let ty = &written.ty;
    let flag = written.options.word("flag");
    if types::is(ty, "bool") {
        if flag.is_none() {
            errors.at(
                ty,
                "a `bool` is a flag: `#[fcp(flag)]`; a value that is on or off is a `Switch`",
            );
        }
        return Some((Holds::Flag, ty.clone()));
    }
    if let Some(flag) = flag {
        errors.at(flag, "a flag is present or absent, so its type is `bool`");
    }
    let (holds, inner) = if let Some(inner) = types::argument(ty, "Option") {
        (Holds::Optional, inner)
    } else if let Some(inner) = types::argument(ty, "Vec") {
        (Holds::Many, inner)
    } else {
        (Holds::One, ty)
    };
    if holds != Holds::One {
        if types::is(inner, "Vec") {
            errors.at(
                ty,
                "a `Vec` may be empty already; it needs no `Option` and no second `Vec`",
            );
            return None;
        }
        if types::is(inner, "Option") {
            errors.at(
                ty,
                "one `Option` or one `Vec` is enough: `Option<T>`, `Vec<T>`",
            );
            return None;
        }
        if types::is(inner, "Keys") {
            errors.at(
                ty,
                "`Keys` may be empty already; it needs no `Option` and no `Vec`",
            );
            return None;
        }
        if types::is(inner, "bool") {
            errors.at(ty, "a flag is present or absent: `#[fcp(flag)] name: bool`");
            return None;
        }
    }
    let wrong = match inner {
        Type::Reference(_) => {
            "a parameter is owned: `Text` for a text, `Ref<T>` for a row, `List<T>` for several values"
        }
        Type::Path(_) | Type::Group(_) | Type::Paren(_) | Type::Macro(_) => {
            return Some((holds, inner.clone()));
        }
        _ => {
            "a parameter is a value, a `Ref<T>`, a `Selection<T>` or `Rows`, or an `Option` or `Vec` of one"
        }
    };
    errors.at(inner, wrong);
    None
}

fn place(written: &Written, ident: &Ident, rows: bool, holds: Holds, errors: &Errors) -> Place {
    let options = &written.options;
    let places: Vec<&Ident> = options
        .words()
        .filter(|word| {
            ["positional", "rest", "flag"]
                .iter()
                .any(|place| *word == place)
        })
        .collect();
    if let [first, others @ ..] = places.as_slice() {
        for other in others {
            errors.at(other, format!("`{first}` and `{other}` exclude each other"));
        }
    }
    if options.word("flag").is_some() || holds == Holds::Flag {
        options.refuse(
            &["key", "alias"],
            errors,
            "a flag is given by its name alone",
        );
        return Place::Flag;
    }
    if let Some(rest) = options.word("rest") {
        options.refuse(
            &["key", "alias"],
            errors,
            "the words that are left have no key",
        );
        if holds != Holds::Many {
            errors.at(
                rest,
                "the words that are left are several, so their type is `Vec<T>`",
            );
        }
        return Place::Rest;
    }
    let own = || {
        options.word("key").map(|_| {
            options
                .text("key")
                .map_or_else(|| key(ident), syn::LitStr::value)
        })
    };
    if rows && holds != Holds::Many {
        options.refuse(
            &["positional"],
            errors,
            "its type says this already: rows are given by selectors or by a bare word",
        );
        return Place::Word(own());
    }
    if let Some(positional) = options.word("positional") {
        if holds == Holds::Many {
            errors.at(
                positional,
                "a `Vec` is a key that may be repeated, or `rest`; several values in one word are a `List<T>`",
            );
        }
        return Place::Word(own());
    }
    if let (Some(word), None) = (options.word("key"), options.text("key")) {
        errors.at(
            word,
            "a parameter is a key by itself; `key` alone is for one that is `positional` too",
        );
    }
    Place::Key
}

fn default(written: &Written, holds: Holds, errors: &Errors) {
    let why = match holds {
        Holds::One => return,
        Holds::Optional => {
            "an `Option` is left out as `None`; give the type itself a default, or no default"
        }
        Holds::Many => "a `Vec` is left out as an empty one; it has no default",
        Holds::Flag | Holds::Keys => "a flag that is left out is `false`; it has no default",
    };
    written.options.refuse(&["default"], errors, why);
}
