//! Checks of a tool.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Expr, ItemFn, Pat, ReturnType, Type};

use super::LEGAL;
use crate::docs::{Docs, Example, JSON};
use crate::errors::Errors;
use crate::function::{plain, wrong_output};
use crate::options::Options;
use crate::place;
use crate::types;
use crate::written_params::Written;

/// A validated tool.
pub struct Tool {
    /// Its name in calls.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// The first sentence of its doc comment.
    pub summary: String,
    /// The doc comment without its examples.
    pub doc: String,
    /// The examples.
    pub examples: Vec<Example>,
    /// The given hints.
    pub hints: Vec<Ident>,
    /// The toolset.
    pub state: Type,
    /// Whether it takes the toolset as `&mut`.
    pub exclusive: bool,
    /// Its parameters, in order, without the toolset.
    pub params: Vec<Param>,
    /// Its return type.
    pub returned: Type,
}

/// A parameter.
pub enum Param {
    /// The cancellation of the call, which is not a field of the arguments.
    Cancel,
    /// A field.
    Field(Box<Field>),
}

/// A field of the arguments.
pub struct Field {
    /// The name in the function.
    pub ident: Ident,
    /// The name in JSON.
    pub key: String,
    /// Its type.
    pub ty: Type,
    /// Its doc comment, on one line.
    pub doc: String,
    /// Its default.
    pub default: Option<Expr>,
    /// Whether the fields of its type are fields of the arguments.
    pub flatten: bool,
}

/// The hints.
const HINTS: [&str; 4] = ["read_only", "destructive", "idempotent", "open_world"];

/// The longest name that the protocol allows.
const LONGEST: usize = 128;

/// Reports every mistake.
pub fn check(
    function: &ItemFn,
    options: &Options,
    params: Vec<Written>,
    errors: &Errors,
) -> Option<Tool> {
    let sig = &function.sig;
    // Blocking is allowed: a tool that takes its toolset as `&` has a thread of its own.
    plain(sig, "tool", LEGAL, errors);
    let (name, aliases) = names(&sig.ident, options, errors);
    let docs = Docs::of(&function.attrs);
    let missing = "a tool needs a doc comment: `/// Find a book by its title.`";
    let summary = docs.summary(&sig.ident, missing, errors);
    let (doc, examples) = docs.split(JSON, errors);
    let mut params = params.into_iter();
    let state = params
        .next()
        .and_then(|first| state(&first, sig.receiver().is_some(), errors));
    if sig.inputs.is_empty() {
        errors.at(
            &sig.ident,
            format!("a tool's first parameter is its toolset: `{LEGAL}`"),
        );
    }
    let params: Vec<Param> = params
        .filter_map(|written| param(&written, errors))
        .collect();
    together(&params, errors);
    if examples.is_empty() {
        errors.at(&sig.ident, no_example(&params));
    }
    let hints = hints(
        options,
        state.as_ref().is_some_and(|(_, exclusive)| *exclusive),
        errors,
    );
    let returned = match &sig.output {
        ReturnType::Type(_, ty) if types::result(&sig.output).is_some() => Some((**ty).clone()),
        _ => {
            wrong_output(
                sig,
                "a tool answers with a type of its own, or fails: `-> Result<Book>`",
                errors,
            );
            None
        }
    };
    place::check(&sig.ident, "tools", "tool", errors);
    let (state, exclusive) = state?;
    Some(Tool {
        name,
        aliases,
        summary,
        doc,
        examples,
        hints,
        state,
        exclusive,
        params,
        returned: returned?,
    })
}

/// The toolset, and whether the tool takes it exclusively.
fn state(first: &Written, method: bool, errors: &Errors) -> Option<(Type, bool)> {
    for word in first.options.words() {
        errors.at(
            word,
            "the toolset is not a field of a tool's arguments and takes no options",
        );
    }
    // The error about a method's first parameter is reported already.
    if method {
        return None;
    }
    if let Some(state) = types::shared(&first.ty) {
        return Some((state.clone(), false));
    }
    if let Some(state) = types::exclusive(&first.ty) {
        return Some((state.clone(), true));
    }
    errors.at(
        &first.ty,
        format!(
            "a tool's first parameter is its toolset: `&Shelf` to run along with others, `&mut Shelf` to run \
             alone: `{LEGAL}`"
        ),
    );
    None
}

fn names(ident: &Ident, options: &Options, errors: &Errors) -> (String, Vec<String>) {
    let mut own = ident.unraw().to_string();
    if let Some(name) = options.text("name") {
        let given = name.value();
        if given == own {
            errors.at(name, "the function's name says this already; leave it out");
        } else if given.replace(['.', '-'], "_") != own {
            errors.at(
                name,
                format!(
                    "`{given}` is not the function's name; call the function `{}`, or make this an `alias`",
                    given.replace(['.', '-', ' '], "_")
                ),
            );
        }
        own = given;
    }
    let mut aliases: Vec<String> = Vec::new();
    for (given, place) in options
        .texts("alias")
        .into_iter()
        .map(|alias| (alias.value(), alias.span()))
        .chain(options.text("name").map(|name| (name.value(), name.span())))
    {
        let legal = (1..=LONGEST).contains(&given.len())
            && given.starts_with(|c: char| c.is_ascii_alphabetic())
            && given
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
        if !legal {
            errors.on(
                place,
                format!(
                    "`{given}` is not a tool name; it has letters, digits, `_`, `-` and `.`, a letter first: \
                     `snapshot.list`"
                ),
            );
        }
    }
    for alias in options.texts("alias") {
        let given = alias.value();
        if given == own || aliases.contains(&given) {
            errors.at(alias, format!("`{given}` is given twice; leave it out"));
        }
        aliases.push(given);
    }
    (own, aliases)
}

fn hints(options: &Options, exclusive: bool, errors: &Errors) -> Vec<Ident> {
    if let Some(reads) = options.word("read_only") {
        if exclusive {
            errors.at(
                reads,
                "a tool that only reads takes its toolset as `&`, and runs along with others",
            );
        }
        options.refuse(
            &["destructive"],
            errors,
            "a tool that only reads destroys nothing; leave one of `read_only` and `destructive` out",
        );
    }
    let words = options
        .words()
        .filter(|word| HINTS.iter().any(|hint| *word == hint));
    words.cloned().collect()
}

fn param(written: &Written, errors: &Errors) -> Option<Param> {
    if types::shared(&written.ty).is_some_and(|ty| types::is(ty, "Cancel")) {
        for word in written.options.words() {
            errors.at(
                word,
                "`&Cancel` is not a field of the arguments and takes no options",
            );
        }
        return Some(Param::Cancel);
    }
    field(written, errors).map(|field| Param::Field(Box::new(field)))
}

fn field(written: &Written, errors: &Errors) -> Option<Field> {
    let ident = match &written.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => pat.ident.clone(),
        pat => {
            errors.at(
                pat,
                "a tool's parameter is called by a name, not taken apart: `name: Type`",
            );
            return None;
        }
    };
    let (ty, options) = (&written.ty, &written.options);
    if types::reference(ty).is_some() {
        errors.at(
            ty,
            "a field of the arguments is owned: `String` for a text, `Vec<T>` for several; only the toolset \
             and `&Cancel` are borrowed",
        );
        return None;
    }
    if types::is(ty, "Cancel") {
        errors.at(ty, "a tool borrows its cancellation: `cancel: &Cancel`");
        return None;
    }
    let flatten = options.word("flatten");
    let own = ident.unraw().to_string();
    if let Some(key) = options.text("key") {
        if key.value() == own {
            errors.at(key, "the parameter's name says this already; leave it out");
        }
        let legal = |c: char| c.is_ascii_alphanumeric() || "_-$".contains(c);
        if !key.value().chars().all(legal) {
            errors.at(
                key,
                "a field of the arguments is called by letters, digits, `_`, `-` and `$`",
            );
        }
    }
    let default = options.expr("default").cloned();
    if default.is_some() && types::is(ty, "Option") {
        options.refuse(
            &["default"],
            errors,
            "an `Option` is left out as `None`; give the type itself a default, or no default",
        );
    }
    if let Some(word) = flatten {
        options.refuse(
            &["key", "default"],
            errors,
            "the fields of a flattened type have their own options; `flatten` takes no others",
        );
        if let Some(doc) = written.docs.span() {
            errors.on(
                doc,
                "the fields of a flattened type have doc comments of their own; this one would never be shown; \
                 leave it out",
            );
        }
        if types::is(ty, "Option") || types::is(ty, "Vec") {
            errors.at(
                word,
                "a flattened type is a struct whose fields are the arguments' own: `#[fcp(flatten)] page: Page`",
            );
        }
    } else if written.docs.span().is_none() {
        errors.at(
            &ident,
            format!("a field of the arguments needs a doc comment, all that an agent sees of it: `/// The {own}.`"),
        );
    }
    let given = options.text("key").map(syn::LitStr::value);
    let key = given.unwrap_or_else(|| own.trim_end_matches('_').to_owned());
    Some(Field {
        key,
        ty: ty.clone(),
        doc: written.docs.line(),
        default,
        flatten: flatten.is_some(),
        ident,
    })
}

/// Rejects fields of the same name.
fn together(params: &[Param], errors: &Errors) {
    let mut known: Vec<&Field> = Vec::new();
    for param in params {
        let Param::Field(field) = param else { continue };
        let same = known
            .iter()
            .find(|other| other.key == field.key && !field.flatten);
        if let Some(other) = same {
            errors.at(
                &field.ident,
                format!("`{}` is the parameter `{}` already", field.key, other.ident),
            );
        }
        if !field.flatten {
            known.push(field);
        }
    }
}

/// The error for a missing example, with one to write.
fn no_example(params: &[Param]) -> String {
    let fields = params.iter().filter_map(|param| match param {
        Param::Field(field) if field.default.is_none() && !types::is(&field.ty, "Option") => {
            (!field.flatten).then(|| format!("\"{}\": …", field.key))
        }
        _ => None,
    });
    let call = fields.collect::<Vec<_>>().join(", ");
    format!(
        "a tool shows an example in its doc comment, which runs as a test:\n\n/// ```json\n/// {{{call}}}\n/// > {{…}}\n/// \
         ```"
    )
}
