//! `repeat`

use super::copy::{Names, named, one};
use super::inputs;
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::{EntityShape, FieldInput, FieldShape, ModelExt, Row};
use crate::queries::line_of;
use crate::reply::Reply;
use crate::value::{FcpValue, Int, Steps, Text, ValueError, ValueSpec};
use crate::verb::{Arg, Binder, Call, FromArg, Rows, Scope};
use crate::{bulk, created};

/// The number of copies of each row.
pub(super) type Count = Int<1, 10_000>;

/// The most rows that one op makes.
const MOST: usize = 100_000;

/// The distance between copies; its meaning depends on the type of position.
pub(super) struct Step(Text);

impl<M: Domain> FromArg<M> for Step {
    fn spec() -> ValueSpec {
        ValueSpec::new("STEP", "how far")
    }

    fn from_arg(arg: &Arg<'_>, _: &Scope<'_, M>) -> Result<Self, ValueError> {
        Text::parse(arg.text).map(Self)
    }
}

/// The repetition of one kind: the position field of its rows, and the values given to the copies.
struct Of {
    part: usize,
    ix: usize,
    field: &'static FieldShape,
    steps: Steps,
    given: Vec<(usize, FieldInput<'static>)>,
}

/// Copies rows several times, each copy one step further than the one before.
pub(super) fn repeat<M: Domain>(model: &mut M, call: &Call<'_, M>) -> Result<Reply> {
    let mut binder = Binder::new(&*model, call);
    let rows = binder.required::<Rows>(0);
    let count = binder.required::<Count>(1);
    let step = binder.required::<Step>(2);
    let (Some(rows), Some(count), Some(Step(step))) = (rows, count, step) else {
        return Err(binder.error());
    };
    let mut kinds: Vec<Of> = Vec::new();
    for (part, shape) in M::kinds().filter(|(part, _)| rows.iter().any(|row| row.part() == *part)) {
        match kind(&mut binder, part, shape) {
            Some(kind) => kinds.push(kind),
            None => binder.wrong(without(shape), None, None),
        }
    }
    if !binder.is_sound() {
        return Err(binder.error());
    }
    let count = usize::try_from(count.get()).unwrap_or(1);
    let all = rows.len().saturating_mul(count);
    if all > MOST {
        let message = format!("that would be {all} rows; an op makes at most {MOST}");
        let fewer = (MOST / rows.len().max(1)).to_string();
        return Err(mended(&*model, call, "count", message, Some(fewer)));
    }
    if !model.ids().have_room(all as u64) {
        return Err(Diagnostic::new(format!("there is no room for {all} rows")));
    }
    let (mut copies, mut names) = (Vec::with_capacity(all), Names::default());
    for time in 1..=u32::try_from(count).unwrap_or(u32::MAX) {
        for row in rows.iter() {
            let Some(kind) = kinds.iter().find(|kind| kind.part == row.part()) else {
                continue;
            };
            let place = kind.place(&*model, call, row, step.as_str(), time)?;
            let mut inputs: Vec<(usize, FieldInput<'static>)> = kind.given.clone();
            for (_, input) in &mut inputs {
                if let FieldInput::Text(text) = input {
                    *text = text.replace("{n}", &(time + 1).to_string()).into();
                }
            }
            inputs.push((kind.ix, FieldInput::Text(place.into())));
            copies.push(one(model, call, row, inputs, &mut names)?);
        }
    }
    let originals: Vec<Row> = rows.iter().collect();
    Ok(match copies.as_slice() {
        [row] => created!("{}", line_of(model, *row)),
        _ => {
            let (of, to) = (named(model, &originals), named(model, &copies));
            bulk!("{count} copies of {of}: {to}")
        }
    })
}

/// The repetition of a kind; `None` if its rows have no position.
fn kind<M: Domain>(
    binder: &mut Binder<'_, M>,
    part: usize,
    shape: &'static EntityShape,
) -> Option<Of> {
    let (ix, field, steps) = shape.position()?;
    let given = inputs(binder, shape);
    if given.iter().any(|(own, _)| *own == ix) {
        let message = format!(
            "every: already places the copies; leave out {}:",
            field.name
        );
        binder.wrong(message, None, None);
    }
    Some(Of {
        part,
        ix,
        field,
        steps,
        given,
    })
}

fn without(shape: &EntityShape) -> String {
    format!(
        "{} have no position to go on from; copy makes one",
        shape.plural
    )
}

impl Of {
    /// The position of a row's copy.
    fn place<M: Domain>(
        &self,
        model: &M,
        call: &Call<'_, M>,
        row: Row,
        step: &str,
        time: u32,
    ) -> Result<String> {
        let rows = model.rows(row.part());
        let Some(from) = rows.and_then(|rows| rows.field(row.id(), self.ix)) else {
            let (name, field) = (model.name_of(row), self.field.name);
            return Err(Diagnostic::new(format!(
                "{name} has no {field} to go on from"
            )));
        };
        match (self.steps.moved)(&from, step, time) {
            Ok(Some(place)) => Ok(place),
            Ok(None) => {
                let name = model.name_of(row);
                let message = format!(
                    "copy {time} of {name} would be beyond what {}: can be",
                    self.field.name
                );
                let fewer = (time > 1).then(|| (time - 1).to_string());
                Err(mended(model, call, "count", message, fewer))
            }
            Err(error) => {
                let fix = error.fix.clone();
                let message = error.about(&format!("every:{step}"));
                Err(mended(model, call, "every", message, fix))
            }
        }
    }
}

/// An error whose repair sets a key to another value.
fn mended<M: Domain>(
    model: &M,
    call: &Call<'_, M>,
    key: &str,
    message: String,
    fix: Option<String>,
) -> Diagnostic {
    let mut binder = Binder::new(model, call);
    let written = call.op.params().find(|param| param.key == key);
    let span = written.map(|param| param.value_span);
    binder.wrong(message, span, span.zip(fix));
    binder.error()
}
