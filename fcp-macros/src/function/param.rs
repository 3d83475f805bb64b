//! A parameter: where it stands in the op, and how often.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};
use syn::{Expr, Pat, Type};

use super::Role;
use super::input::Written;
use crate::errors::Errors;
use crate::names::{is_key, key};
use crate::options::Form;
use crate::types;

/// The options of a parameter.
pub const FORMS: &[Form] = &[
    Form::word("positional"),
    Form::word("rest"),
    Form::word("flag"),
    Form::maybe_text("key", "key = \"on\""),
    Form::texts("alias", "alias = \"duration\""),
    Form::expr("default", "default = Velocity::MF"),
];

/// A parameter that was found legal.
pub struct Param {
    /// Its name, as the card shows it.
    pub name: String,
    /// Other spellings of the key.
    pub aliases: Vec<String>,
    /// Where it stands in the op.
    pub place: Place,
    /// How often it stands there.
    pub holds: Holds,
    /// What it holds: `T` of `T`, `Option<T>` and `Vec<T>`.
    pub ty: Type,
    /// What it is when left out.
    pub default: Option<Expr>,
    /// Its doc comment, on one line.
    pub doc: String,
    /// The name in the function.
    pub ident: Ident,
    /// It takes the op's selectors.
    pub rows: bool,
    /// Every spelling it goes by, with the token that says so.
    pub spellings: Vec<(String, Span)>,
}

/// Where a parameter stands in the op.
#[derive(PartialEq, Eq)]
pub enum Place {
    /// `dur:VALUE`.
    Key,
    /// A bare word, under a key as well if it has one.
    Word(Option<String>),
    /// All bare words that are left.
    Rest,
    /// The bare word that is its name.
    Flag,
}

/// How often a parameter stands in the op.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Once.
    One,
    /// Once or not at all.
    Optional,
    /// As often as wanted.
    Many,
    /// A flag, which stands there or does not.
    Flag,
}

impl Param {
    /// It must be given.
    pub fn required(&self) -> bool {
        self.holds == Holds::One && self.default.is_none()
    }

    /// Reads one parameter.
    pub fn read(role: &Role, written: &Written, errors: &Errors) -> Option<Self> {
        let ident = ident(role, written, errors)?;
        let (holds, ty) = holds(written, errors)?;
        let rows = types::is(&ty, "Rows") || types::is(&ty, "Selection");
        let place = place(written, &ident, rows, holds, errors);
        let own = key(&ident);
        let said = written.options.text("key");
        let name = match (&place, said) {
            (Place::Key, Some(said)) => said.value(),
            _ => own.clone(),
        };
        let mut spellings = vec![(name.clone(), ident.span())];
        if let Some(said) = said {
            match place {
                Place::Rest | Place::Flag => {}
                Place::Key if said.value() == own => {
                    errors.at(said, "the parameter's name says this already; leave it out");
                }
                Place::Word(_) if said.value() == own => {
                    errors.at(
                        said,
                        "the parameter's name says this already; write `key` alone",
                    );
                }
                Place::Key => spellings = vec![(name.clone(), said.span())],
                Place::Word(_) => spellings.push((said.value(), said.span())),
            }
        }
        let mut aliases = Vec::new();
        for alias in written.options.texts("alias") {
            aliases.push(alias.value());
            spellings.push((alias.value(), alias.span()));
        }
        for (spelling, span) in &spellings {
            if !is_key(spelling) {
                errors.on(
                    *span,
                    format!("`{spelling}` is no key; a key is a lower-case word: `time-sig`"),
                );
            }
            if role.reserved.contains(&spelling.as_str()) {
                errors.on(
                    *span,
                    format!(
                        "every {} takes `{spelling}:` already; call it something else",
                        role.noun
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
}

fn ident(role: &Role, written: &Written, errors: &Errors) -> Option<Ident> {
    match &*written.typed.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.clone()),
        pat => {
            errors.at(
                pat,
                format!(
                    "a {}'s parameter is called by a name, not taken apart: `name: Type`",
                    role.noun
                ),
            );
            None
        }
    }
}

/// How often it stands in the op, and what it holds.
fn holds(written: &Written, errors: &Errors) -> Option<(Holds, Type)> {
    let ty = written.ty();
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
        errors.at(
            flag,
            "a flag stands there or does not, so its type is `bool`",
        );
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
                "one `Option` or one `Vec` says all: `Option<T>`, `Vec<T>`",
            );
            return None;
        }
        if types::is(inner, "bool") {
            errors.at(
                ty,
                "a flag stands there or does not: `#[fcp(flag)] name: bool`",
            );
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
        Holds::Flag => "a flag that is left out is `false`; it has no default",
    };
    written.options.refuse(&["default"], errors, why);
}

/// Refuses parameters that do not go together.
pub fn together(role: &Role, params: &[Param], errors: &Errors) {
    let mut spellings: BTreeMap<&str, &Param> = BTreeMap::new();
    let (mut rest, mut optional, mut rows) = (None, None, None);
    for param in params {
        for (spelling, span) in &param.spellings {
            if let Some(other) = spellings.insert(spelling, param) {
                errors.on(
                    *span,
                    if std::ptr::eq(other, param) {
                        format!("`{spelling}` is said twice")
                    } else {
                        format!("`{spelling}` is the parameter `{}` already", other.ident)
                    },
                );
            }
        }
        if param.rows
            && let Some(other) = rows.replace(&param.ident)
        {
            errors.at(
                &param.ty,
                format!(
                    "an op has one set of selectors, and `{other}` takes it; name other rows by `Ref<T>`"
                ),
            );
        }
        match param.place {
            Place::Rest => {
                if let Some(other) = rest.replace(&param.ident) {
                    errors.at(
                        &param.ident,
                        format!("`{other}` takes all words that are left already"),
                    );
                }
            }
            Place::Word(_) => {
                if let Some(other) = rest {
                    errors.at(
                        &param.ident,
                        format!("no word is left behind `{other}`, which takes all; put it before"),
                    );
                }
                match (param.required(), optional) {
                    (true, Some(other)) => errors.at(
                        &param.ident,
                        format!(
                            "a {} is given `{}` before `{other}`, which may be left out; put it before, or make it \
                             a key",
                            role.noun, param.ident
                        ),
                    ),
                    (true, None) => {}
                    (false, _) => optional = optional.or(Some(&param.ident)),
                }
            }
            Place::Key | Place::Flag => {}
        }
    }
}
