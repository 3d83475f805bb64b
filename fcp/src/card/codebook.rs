//! The codebook: the vocabulary and the content as JSON, for programs.

use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::{selectors, values};
use crate::domain::Domain;
use crate::model::{EntityShape, FieldKind, ModelExt, Row};
use crate::queries::line_of;
use crate::verb::{Param, Place, Registry, Takes, Verb};

/// The number of named rows of each type in the content map.
const TOP_LEVEL: usize = 100;

/// `schema_map`: the vocabulary. `content_map`: the document's content.
pub fn codebook<M: Domain>(registry: &Registry<M>, model: Option<&M>) -> Value {
    let forms: Vec<Value> = selectors(registry)
        .into_iter()
        .map(|(form, doc)| json!({ "form": form, "doc": doc }))
        .collect();
    let lints: Vec<Value> = registry
        .lints()
        .map(|lint| json!({ "code": lint.code, "doc": lint.summary }))
        .collect();
    let types =
        M::kinds().filter(|(part, _)| M::SHAPE.parts.get(*part).is_some_and(|part| !part.view));
    let formats = M::FORMATS.iter();
    json!({
        "domain": M::SHAPE.domain,
        "title": M::SHAPE.title,
        "schema_map": {
            "verbs": registry
                .verbs()
                .map(verb)
                .chain(builtin(crate::session::STEERING))
                .chain(builtin(crate::session::COMPUTED))
                .collect::<Vec<_>>(),
            "tables": crate::sql::tables_of(registry)
                .into_iter()
                .map(|table| json!({
                    "name": table.name,
                    "doc": table.doc,
                    "columns": table.columns,
                    "added": table.added,
                    "own": table.is_own,
                }))
                .collect::<Vec<_>>(),
            "types": types.map(|(_, shape)| kind(shape)).collect::<Vec<_>>(),
            "values": values(registry),
            "selectors": forms,
            "queries": registry.queries().map(verb).chain(builtin(crate::queries::BUILTIN)).collect::<Vec<_>>(),
            "session": registry
                .actions()
                .map(verb)
                .chain(builtin(crate::session::actions::BUILTIN).filter(|b| !owned(registry, b)))
                .collect::<Vec<_>>(),
            "settings": builtin(crate::session::SETTINGS).chain(builtin(M::SETTINGS)).collect::<Vec<_>>(),
            "warnings": lints,
            "formats": formats
                .map(|format| json!({ "name": format.name, "extensions": format.extensions, "doc": format.doc }))
                .collect::<Vec<_>>(),
            "example": M::WORKFLOW.trim(),
            "examples": examples(registry),
        },
        "content_map": model.map(content),
    })
}

/// Lines that can be sent unchanged: those of the workflow, and the first example of each verb and
/// query.
fn examples<M: Domain>(registry: &Registry<M>) -> Vec<String> {
    let is_sent = |line: &&str| {
        let ends = ["#", ">", "[", "]"];
        !line.is_empty() && !ends.iter().any(|end| line.starts_with(end))
    };
    let workflow = M::WORKFLOW.lines().map(str::trim).filter(is_sent);
    let verbs = registry.verbs().chain(registry.queries());
    let of_verbs = verbs.filter_map(|verb| {
        let example = verb.examples.first()?;
        example.script.lines().map(str::trim).find(is_sent)
    });
    let mut lines: Vec<String> = Vec::new();
    for line in workflow.chain(of_verbs) {
        if !lines.iter().any(|known| known == line) {
            lines.push(line.to_owned());
        }
    }
    lines
}

fn owned<M: Domain>(registry: &Registry<M>, builtin: &Value) -> bool {
    builtin
        .get("phrase")
        .and_then(Value::as_str)
        .is_some_and(|phrase| registry.owns_action(phrase))
}

fn builtin(table: &'static [(&str, &str)]) -> impl Iterator<Item = Value> {
    table.iter().map(|(syntax, doc)| {
        json!({ "phrase": syntax.split(' ').next(), "syntax": syntax, "summary": doc })
    })
}

fn verb<M: Domain>(verb: &'static Verb<M>) -> Value {
    json!({
        "phrase": verb.phrase,
        "aliases": verb.aliases,
        "category": verb.category,
        "syntax": verb.syntax(),
        "summary": verb.summary,
        "doc": verb.doc,
        "params": verb.params.iter().map(param).collect::<Vec<_>>(),
        "examples": verb.examples.iter().map(|example| example.script).collect::<Vec<_>>(),
        "deletes": verb.deletes,
        "infix": verb.infix,
    })
}

fn param(param: &Param) -> Value {
    let place = match param.place {
        Place::Key => "key",
        Place::Word(_) => "word",
        Place::Rest => "rest",
        Place::Flag => "flag",
        Place::Fields => "fields",
    };
    let takes = match param.takes {
        Takes::Value => "value",
        Takes::Reference => "reference",
        Takes::Rows => "rows",
    };
    json!({
        "name": param.name,
        "keys": param.keys().collect::<Vec<_>>(),
        "place": place,
        "takes": takes,
        "required": param.required,
        "repeats": param.many,
        "default": param.default.map(|default| default()),
        "doc": param.doc,
        "value": (param.spec)().name,
    })
}

fn kind(shape: &EntityShape) -> Value {
    let fields = shape
        .fields
        .iter()
        .filter(|field| field.kind != FieldKind::Hidden);
    json!({
        "kind": shape.kind,
        "plural": shape.plural,
        "doc": shape.doc,
        "belongs_to": shape.parent,
        "named": shape.labelled,
        "fields": fields
            .map(|field| {
                let refers = match field.kind {
                    FieldKind::Refers(kind) => Some(kind),
                    _ => None,
                };
                json!({
                    "name": field.name,
                    "aliases": field.aliases,
                    "doc": field.doc,
                    "optional": field.optional,
                    "settable": field.kind != FieldKind::ReadOnly,
                    "refers_to": refers,
                    "value": (field.spec)().name,
                })
            })
            .collect::<Vec<_>>(),
    })
}

fn content<M: Domain>(model: &M) -> Value {
    let mut counts = Map::new();
    let mut top = Map::new();
    for (part, shape, rows) in model.tables().filter(|(_, shape, _)| !shape.view) {
        let Some(entity) = shape.shape else { continue };
        counts.insert(entity.plural.to_owned(), json!(rows.len()));
        if entity.labelled {
            let lines = rows
                .ids()
                .take(TOP_LEVEL)
                .map(|id| line_of(model, Row::new(part, id)));
            top.insert(entity.plural.to_owned(), json!(lines.collect::<Vec<_>>()));
        }
    }
    json!({
        "title": model.title(),
        "headline": model.headline(),
        "metrics": model.digest_metrics(),
        "counts": counts,
        "top_level": top,
    })
}

/// JSON Schema of the model.
pub fn schema<M: Domain>() -> Value {
    let mut generator = SchemaGenerator::default();
    let properties: Map<String, Value> = M::schemas(&mut generator)
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema.to_value()))
        .collect();
    let definitions = generator.take_definitions(true);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": M::SHAPE.title,
        "type": "object",
        "properties": properties,
        "$defs": definitions,
    })
}
