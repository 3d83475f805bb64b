//! A field of a row: its contents and visibility.

use proc_macro2::{Ident, Span};
use syn::{Expr, Field as Written, LitStr, Type};

use super::FIELD_FORMS;
use crate::docs::Docs;
use crate::errors::Errors;
use crate::names::{is_key, key};
use crate::options::Options;
use crate::types;

/// A validated field.
pub struct Field {
    /// Its name in the struct.
    pub ident: Ident,
    /// Its type.
    pub ty: Type,
    /// Its key in ops.
    pub key: String,
    /// Other spellings of the key.
    pub aliases: Vec<String>,
    /// Its doc comment, on one line.
    pub doc: String,
    /// Its contents: `T` of `T` and `Option<T>`, or the kind of `Id<T>` and `Option<Id<T>>`.
    pub holds: Holds,
    /// Whether it is an `Option`.
    pub option: bool,
    /// Its visibility.
    pub seen: Seen,
    /// Whether it is part of the content.
    pub hashed: bool,
    /// Its default.
    pub default: Option<Expr>,
    /// The selector made from it.
    pub selector: Option<Selector>,
    /// The `label` option, if it is the row's label.
    pub label: Option<Ident>,
    /// The `parent` option, if it refers to the parent row.
    pub parent: Option<Ident>,
    /// The `position` option, if it is the row's position.
    pub position: Option<Ident>,
    /// All its spellings, each with the span of its token.
    pub spellings: Vec<(String, Span)>,
}

/// Contents of a field.
pub enum Holds {
    /// A value.
    Value(Type),
    /// The id of a row.
    Refers(Type),
}

/// Visibility of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Shown, and can be set.
    Settable,
    /// Shown only.
    Shown,
    /// Neither shown nor settable.
    Hidden,
}

/// The comparison of a selector made from a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Selector {
    /// Equal values.
    Equal,
    /// Equal values, ranges and bounds.
    Range,
}

impl Field {
    /// Whether a row can be made without it.
    pub fn may_be_left_out(&self) -> bool {
        self.option || self.default.is_some()
    }

    /// Whether a row can be made from its shown fields alone.
    pub fn allows_adding(&self) -> bool {
        self.seen == Seen::Settable || self.may_be_left_out()
    }

    /// Reads one field.
    pub fn read(written: &Written, errors: &Errors) -> Option<Self> {
        let ident = written.ident.clone()?;
        let options = Options::of_item(&written.attrs, FIELD_FORMS, errors);
        let (option, inner) = match types::argument(&written.ty, "Option") {
            Some(inner) => (true, inner),
            None => (false, &written.ty),
        };
        let holds = match types::argument(inner, "Id") {
            Some(kind) => Holds::Refers(kind.clone()),
            None => Holds::Value(inner.clone()),
        };
        let refers = matches!(holds, Holds::Refers(_));
        let (seen, hashed) = seen(&options, errors);
        if seen == Seen::Hidden {
            options.refuse(
                &["selector", "label", "key", "alias"],
                errors,
                "a hidden field is never shown: it has no key, gives no selector and names no row",
            );
        }
        if seen != Seen::Settable || refers {
            options.refuse(
                &["position"],
                errors,
                "a position is a value that can be set, since `repeat` sets it: `#[fcp(position)] pub day: Int<1, 31>`",
            );
        }
        if refers {
            // A reference is content, unless it follows from the rest; then it is a view.
            options.refuse(
                &["label", "spelling"],
                errors,
                "an id is a reference: it names no row, and is not a spelling",
            );
        } else if let Some(word) = options.word("parent") {
            errors.at(
                word,
                "the row that this one belongs to is given by its id: `Id<Group>` or `Option<Id<Group>>`",
            );
        }
        if let (true, Some(default)) = (option, options.expr("default"))
            && matches!(default, Expr::Path(path) if path.path.is_ident("None"))
        {
            errors.at(
                default,
                "an `Option` that is left out is `None`; leave it out",
            );
        }
        let (key, aliases, spellings) = keys(&ident, &options, errors);
        Some(Self {
            ty: written.ty.clone(),
            key,
            aliases,
            doc: Docs::of(&written.attrs).line(),
            holds,
            option,
            seen,
            hashed,
            default: options.expr("default").cloned(),
            selector: selector(&options, refers, errors),
            label: options.word("label").cloned(),
            parent: options.word("parent").cloned(),
            position: options.word("position").cloned(),
            spellings,
            ident,
        })
    }
}

/// The visibility of a field, and whether it is part of the content.
fn seen(options: &Options, errors: &Errors) -> (Seen, bool) {
    let words: Vec<&Ident> = options
        .words()
        .filter(|word| {
            ["hidden", "spelling", "view", "readonly"]
                .iter()
                .any(|own| *word == own)
        })
        .collect();
    let names: Vec<String> = words.iter().map(ToString::to_string).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names.as_slice() {
        [] => (Seen::Settable, true),
        ["hidden"] => (Seen::Hidden, true),
        ["spelling"] => (Seen::Hidden, false),
        ["view"] => (Seen::Settable, false),
        ["readonly"] => (Seen::Shown, true),
        ["readonly", "view"] | ["view", "readonly"] => (Seen::Shown, false),
        _ => {
            for word in words.iter().skip(1) {
                errors.at(
                    word,
                    "one of these is enough: `hidden` (not shown), `spelling` (not shown, no content), `view` (shown, no \
                     content), `readonly` (shown, not set)",
                );
            }
            (Seen::Hidden, true)
        }
    }
}

fn keys(
    ident: &Ident,
    options: &Options,
    errors: &Errors,
) -> (String, Vec<String>, Vec<(String, Span)>) {
    let own = key(ident);
    let (key, span) = match options.text("key") {
        Some(given) => {
            if given.value() == own {
                errors.at(given, "the field's name says this already; leave it out");
            }
            (given.value(), given.span())
        }
        None => (own, ident.span()),
    };
    let given_aliases = options.texts("alias");
    let aliases: Vec<String> = given_aliases.iter().copied().map(LitStr::value).collect();
    let mut spellings = vec![(key.clone(), span)];
    spellings.extend(
        given_aliases
            .iter()
            .map(|alias| (alias.value(), alias.span())),
    );
    for (spelling, span) in &spellings {
        if !is_key(spelling) {
            errors.on(
                *span,
                format!("`{spelling}` is not a key; a key is a lower-case word: `time-sig`"),
            );
        }
    }
    (key, aliases, spellings)
}

fn selector(options: &Options, refers: bool, errors: &Errors) -> Option<Selector> {
    options.word("selector")?;
    let Some(how) = options.text("selector") else {
        return Some(Selector::Equal);
    };
    if how.value() != "range" {
        errors.at(how, "a selector compares for equal values, `selector`, or for spans too, `selector = \"range\"`");
    } else if refers {
        errors.at(how, "references have no order: `selector`");
    }
    Some(Selector::Range)
}
