//! The universal verbs, derived from the model's shape.
//! Their parameters are bound in `verb`; verbs of a domain are its own.

mod add;
mod copy;
mod modify;
mod remove;
mod rename;
mod repeat;
mod replace_text;
mod text;

use std::marker::PhantomData;

use crate::domain::Domain;
use crate::model::{EntityShape, FieldInput, FieldKind, ModelExt, Row};
use crate::op::{Param as Written, Quoted};
use crate::value::{Name, Text, ValueError};
use crate::verb::{Arg, Binder, FromArg, Param, Place, Rows, Run, Source, Takes, Verb};

/// The verbs that every domain has unless it writes its own, without those that would apply to none
/// of its rows.
#[must_use]
pub fn universal<M: Domain>() -> Vec<&'static Verb<M>> {
    let any = |test: fn(&EntityShape) -> bool| M::kinds().any(|(_, shape)| test(shape));
    let addable = any(|shape| shape.addable);
    let settable = any(|shape| !keys(shape).is_empty());
    let named = any(|shape| shape.fields.iter().any(|field| field.label));
    let verbs = [
        (Of::<M>::ADD, addable),
        (Of::<M>::COPY, addable),
        (Of::<M>::MODIFY, settable),
        (Of::<M>::REMOVE, any(|_| true)),
        (
            Of::<M>::REPEAT,
            any(|shape| shape.addable && shape.position().is_some()),
        ),
        (Of::<M>::RENAME, named),
        (Of::<M>::REPLACE, M::TEXT),
        (Of::<M>::INSERT, M::TEXT),
    ];
    let able = verbs.into_iter().filter(|(_, able)| *able);
    able.map(|(verb, _)| verb).collect()
}

/// Holds constants that depend on the model.
struct Of<M>(PhantomData<M>);

impl<M: Domain> Of<M> {
    const ADD: &'static Verb<M> = &verb(
        "add",
        "Add a row of a type; its name may be bare.",
        &[Self::TYPE, Self::NAME, Self::FIELDS],
        false,
        Run::Edit(add::add::<M>),
    );
    const COPY: &'static Verb<M> = &verb(
        "copy",
        "Copy rows, with other values for some fields.",
        &[Self::ROWS, Self::FIELDS],
        false,
        Run::Edit(copy::copy::<M>),
    );
    const MODIFY: &'static Verb<M> = &verb(
        "modify",
        "Set fields of rows.",
        &[
            Self::ROWS,
            Param {
                required: true,
                ..Self::FIELDS
            },
        ],
        false,
        Run::Edit(modify::modify::<M>),
    );
    const REMOVE: &'static Verb<M> = &verb(
        "remove",
        "Remove rows, and what belongs to them.",
        &[Self::ROWS],
        true,
        Run::Edit(remove::remove::<M>),
    );
    const RENAME: &'static Verb<M> = &verb(
        "rename",
        "Give a row another name.",
        &[
            Self::ROWS,
            Param {
                required: true,
                ..Self::NAME
            },
        ],
        false,
        Run::Edit(rename::rename::<M>),
    );

    const REPEAT: &'static Verb<M> = &verb(
        "repeat",
        "Copy rows several times, each copy one step further; `{n}` in a text is its number, from 2.",
        &[
            Self::ROWS,
            Param {
                required: true,
                doc: "Number of copies.",
                ..key("count", <repeat::Count as FromArg<M>>::spec)
            },
            Param {
                required: true,
                doc: "Distance from each to the next.",
                ..key("every", <repeat::Step as FromArg<M>>::spec)
            },
            Self::FIELDS,
        ],
        false,
        Run::Edit(repeat::repeat::<M>),
    );

    const REPLACE: &'static Verb<M> = &Verb {
        category: "Source text",
        ..verb(
            "replace",
            "Replace exact source text; all else stays byte for byte.",
            &[
                Param {
                    required: true,
                    doc: "The text as the file has it.",
                    ..word("old", <Text as FromArg<M>>::spec)
                },
                Param {
                    required: true,
                    doc: "The text that takes its place.",
                    ..word("new", <Text as FromArg<M>>::spec)
                },
                Param {
                    takes: Takes::Reference,
                    doc: "The row to look in; all of the file if left out.",
                    ..key("in", <Row as FromArg<M>>::spec)
                },
                Param {
                    doc: "Number of occurrences, or all; 1 if left out.",
                    ..key("count", <text::Count as FromArg<M>>::spec)
                },
            ],
            false,
            Run::Edit(text::replace::<M>),
        )
    };
    const INSERT: &'static Verb<M> = &Verb {
        category: "Source text",
        ..verb(
            "insert",
            "Insert source text, with the file's indentation and line ends; at the end if no place is given.",
            &[
                Param {
                    required: true,
                    doc: "The text.",
                    ..word("source", <Text as FromArg<M>>::spec)
                },
                Param {
                    takes: Takes::Reference,
                    doc: "The row it goes into, before all in it.",
                    ..key("first", <Row as FromArg<M>>::spec)
                },
                Param {
                    takes: Takes::Reference,
                    doc: "The row it goes into, after all in it.",
                    ..key("last", <Row as FromArg<M>>::spec)
                },
                Param {
                    takes: Takes::Reference,
                    doc: "The row it goes before.",
                    ..key("before", <Row as FromArg<M>>::spec)
                },
                Param {
                    takes: Takes::Reference,
                    doc: "The row it goes after.",
                    ..key("after", <Row as FromArg<M>>::spec)
                },
            ],
            false,
            Run::Edit(text::insert::<M>),
        )
    };

    const TYPE: Param = Param {
        required: true,
        doc: "The type.",
        ..word("type", <Name as FromArg<M>>::spec)
    };
    const NAME: Param = Param {
        doc: "Its name.",
        ..word("name", <Name as FromArg<M>>::spec)
    };
    const ROWS: Param = Param {
        takes: Takes::Rows,
        required: true,
        doc: "Selectors, a name, #id, or KIND:NAME.",
        ..word("rows", <Rows as FromArg<M>>::spec)
    };
    const FIELDS: Param = Param {
        place: Place::Fields,
        many: true,
        doc: "Fields of the rows.",
        ..word("fields", <Name as FromArg<M>>::spec)
    };
}

const fn word(name: &'static str, spec: fn() -> crate::value::ValueSpec) -> Param {
    Param {
        name,
        aliases: &[],
        place: Place::Word(None),
        takes: Takes::Value,
        required: false,
        many: false,
        default: None,
        doc: "",
        spec,
        group: None,
    }
}

const fn key(name: &'static str, spec: fn() -> crate::value::ValueSpec) -> Param {
    Param {
        place: Place::Key,
        ..word(name, spec)
    }
}

const fn verb<M: Domain>(
    phrase: &'static str,
    summary: &'static str,
    params: &'static [Param],
    deletes: bool,
    run: Run<M>,
) -> Verb<M> {
    Verb {
        phrase,
        aliases: &[],
        category: "Any type",
        summary,
        doc: summary,
        params,
        examples: &[],
        source: Source {
            file: file!(),
            line: line!(),
        },
        deletes,
        infix: false,
        run,
    }
}

/// The keys that can be set on rows of a kind.
fn keys(shape: &EntityShape) -> Vec<&'static str> {
    let settable = |kind: FieldKind| matches!(kind, FieldKind::Value | FieldKind::Refers(_));
    let fields = shape.fields.iter().filter(|field| settable(field.kind));
    fields
        .flat_map(|field| std::iter::once(field.name).chain(field.aliases.iter().copied()))
        .collect()
}

/// The field that a key sets, if it can be set on rows of this kind.
fn field(shape: &EntityShape, key: &str) -> Option<usize> {
    let ix = shape.field(key)?;
    match shape.fields.get(ix)?.kind {
        FieldKind::Value | FieldKind::Refers(_) => Some(ix),
        FieldKind::ReadOnly | FieldKind::Hidden => None,
    }
}

/// The input for a key's field: the text, or the row that it names.
fn input<M: Domain>(
    binder: &Binder<'_, M>,
    shape: &EntityShape,
    ix: usize,
    written: &Written<'_>,
) -> Result<FieldInput<'static>, ValueError> {
    let text = written.value.to_string();
    let Some(FieldKind::Refers(kind)) = shape.fields.get(ix).map(|field| field.kind) else {
        return Ok(FieldInput::Text(text.into()));
    };
    let part = M::kind(kind)
        .ok_or_else(|| ValueError::sentence(format!("there are no rows of {kind}")))?;
    if text == "none" && shape.fields.get(ix).is_some_and(|field| field.optional) {
        return Ok(FieldInput::Text(text.into()));
    }
    let arg = Arg {
        quoted: written.quoted == Quoted::Whole,
        span: written.value_span,
        ..Arg::word(&text)
    };
    crate::verb::resolve(binder.scope(), &arg, &[part]).map(|row| FieldInput::Row(row.id()))
}

/// The fields that the op's keys set on rows of one kind. Faults are recorded in the binder.
fn inputs<M: Domain>(
    binder: &mut Binder<'_, M>,
    shape: &'static EntityShape,
) -> Vec<(usize, FieldInput<'static>)> {
    let mut inputs = Vec::new();
    for written in binder.fields() {
        match field(shape, &written.key) {
            // The column of SQL is another word for the field.
            None => match shape.fields.iter().find(|own| own.column == written.key) {
                Some(own) if keys(shape).contains(&own.name) => {
                    binder.no_field(written, shape.kind, &[own.name], true);
                }
                _ => binder.no_field(written, shape.kind, &keys(shape), false),
            },
            Some(ix) => match input(binder, shape, ix, written) {
                Ok(input) => inputs.push((ix, input)),
                Err(error) => binder.wrong_field(written, error),
            },
        }
    }
    inputs
}

/// The syntax line of `add` for one kind.
fn add_syntax(shape: &EntityShape) -> String {
    let mut line = format!("add {}", shape.kind);
    for field in shape.fields {
        let form = match field.kind {
            FieldKind::Value if field.label => field.name.to_uppercase(),
            FieldKind::Value => format!("{}:{}", field.name, (field.spec)().name),
            FieldKind::Refers(kind) => format!("{}:{}", field.name, kind.to_uppercase()),
            FieldKind::ReadOnly | FieldKind::Hidden => continue,
        };
        line.push(' ');
        line.push_str(&if field.optional {
            format!("[{form}]")
        } else {
            form
        });
    }
    line
}

/// `1 note`, or `3 notes, 1 tempo`.
fn counted<M: Domain>(rows: impl Iterator<Item = Row> + Clone) -> String {
    let mut kinds = Vec::new();
    for (part, shape) in M::kinds() {
        let n = rows.clone().filter(|row| row.part() == part).count();
        if n > 0 {
            kinds.push(shape.count(n));
        }
    }
    kinds.join(", ")
}
