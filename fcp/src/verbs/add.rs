//! `add`

use super::{add_syntax, inputs};
use crate::created;
use crate::diag::{Diagnostic, Repair, Result};
use crate::domain::Domain;
use crate::model::{Build, EntityShape, FieldInput, Row};
use crate::queries::line_of;
use crate::reply::Reply;
use crate::verb::{Binder, Call};

/// Adds a row of a type.
pub(super) fn add<M: Domain>(model: &mut M, call: &Call<'_, M>) -> Result<Reply> {
    let (part, given) = bind(model, call)?;
    let shape = M::SHAPE.parts.get(part).and_then(|part| part.shape);
    let (Some(rows), Some(shape)) = (model.rows_mut(part), shape) else {
        return Err(Diagnostic::new("there are no rows of this type"));
    };
    let get = |ix: usize| {
        given
            .iter()
            .find(|(own, _)| *own == ix)
            .map(|(_, input)| input.clone())
    };
    match rows.build(&get) {
        Ok(id) => Ok(created!("{}", line_of(model, Row::new(part, id)))),
        Err(Build::Missing(ix)) => {
            let name = shape.fields.get(ix).map_or("a field", |field| field.name);
            Err(Diagnostic::new(format!("add {} needs {name}:", shape.kind))
                .or_syntax(add_syntax(shape)))
        }
        Err(Build::NotAddable) => Err(Diagnostic::new(format!("add makes no {}", shape.plural))),
        Err(Build::Invalid(ix, error)) => {
            let mut binder = Binder::new(&*model, call);
            let name = shape.fields.get(ix).map_or("", |field| field.name);
            let fields = binder.fields();
            match fields
                .into_iter()
                .find(|written| shape.field(&written.key) == Some(ix))
            {
                Some(written) => binder.wrong_field(written, *error),
                None if shape.fields.get(ix).is_some_and(|field| field.label) => {
                    binder.wrong_word(1, *error);
                }
                None => binder.wrong(error.about(name), None, None),
            }
            Err(of_kind(binder.error(), shape))
        }
    }
}

/// The table to add to, and the given field values.
#[allow(clippy::type_complexity)]
fn bind<M: Domain>(
    model: &M,
    call: &Call<'_, M>,
) -> Result<(usize, Vec<(usize, FieldInput<'static>)>)> {
    let mut binder = Binder::new(model, call);
    let kind = binder.required::<Kind>(0);
    let name = binder.optional::<crate::value::Text>(1);
    let (Some(Kind(part)), Some(name)) = (kind, name) else {
        return Err(binder.error());
    };
    let Some(shape) = M::SHAPE.parts.get(part).and_then(|part| part.shape) else {
        return Err(binder.error());
    };
    let mut given = inputs(&mut binder, shape);
    if let Some(name) = name {
        match shape.fields.iter().position(|field| field.label) {
            Some(ix) if given.iter().any(|(own, _)| *own == ix) => {
                binder.wrong(format!("the {} is named twice", shape.kind), None, None);
            }
            Some(ix) => given.push((ix, FieldInput::Text(name.to_string().into()))),
            None => binder.wrong(
                format!("a {} has no name, so {name} means nothing here", shape.kind),
                None,
                None,
            ),
        }
    }
    if binder.is_sound() {
        Ok((part, given))
    } else {
        Err(of_kind(binder.error(), shape))
    }
}

/// An error that shows a syntax, narrowed to the syntax for one kind.
fn of_kind(mut error: Diagnostic, shape: &EntityShape) -> Diagnostic {
    if let Repair::Syntax(line) = &mut error.repair {
        *line = add_syntax(shape);
    }
    error
}

/// A type of row.
struct Kind(usize);

impl<M: Domain> crate::verb::FromArg<M> for Kind {
    fn spec() -> crate::value::ValueSpec {
        crate::value::ValueSpec::new("TYPE", "a type of row")
    }

    fn from_arg(
        arg: &crate::verb::Arg<'_>,
        scope: &crate::verb::Scope<'_, M>,
    ) -> Result<Self, crate::value::ValueError> {
        crate::verb::kind::<M>(arg.text, scope.strict).map(Self)
    }
}
