//! `validate_many`

use fcp::prelude::*;
use fcp::work;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::constant::True;
use crate::answer::failure::{Answer, Arguments, Failure};
use crate::json::Raw;
use crate::library::Example;
use crate::state::Assets;
use crate::verdict::judged::{Judged, named};

/// The maximum number of assets in a call.
const ITEMS: usize = 1_000;

/// An asset and its schema.
#[derive(Deserialize, JsonSchema)]
pub struct Item {
    /// Any JSON.
    asset: Raw,
    /// The name of the schema.
    schema: String,
}

/// Results for many assets.
#[derive(Serialize, JsonSchema)]
pub struct Many {
    /// It worked.
    ok: True,
    /// Of each what `validate_asset` answers, in the order of the assets.
    results: Vec<Single>,
    /// Number of valid ones.
    valid: usize,
    /// Number of others.
    invalid: usize,
}

/// Result for one.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Single {
    Judged(Judged),
    Refused(Arguments),
}

/// Validate many assets at once: those that are sent, or examples.
///
/// ```json
/// {"items": [{"asset": {"name": "Wave", "stage": "vertex"}, "schema": "shader"}]}
/// > {"ok": true, "results": [{"ok": true, "errors": []}], "valid": 1, "invalid": 0}
/// {"examples": "all"}
/// > {"ok": true, "results": [{"ok": true, "errors": []}], "valid": 1, "invalid": 0}
/// ```
#[fcp_tool(read_only, idempotent)]
pub fn validate_many(
    assets: &Assets,
    /// Assets and the names of their schemas: at most 1,000.
    items: Option<Vec<Item>>,
    /// Examples instead, in the order of `list_examples`: `all` or a component.
    examples: Option<String>,
    /// Whether each error comes with its keyword, what would do, and what is there.
    #[fcp(default = true)]
    detail: bool,
) -> Result<Many, Failure> {
    let results: Vec<Single> = match (items, examples) {
        (Some(items), None) => {
            few("items", items.len())?;
            let singles = items.iter();
            let singles = singles.map(|item| single(assets, &item.schema, &item.asset, detail));
            singles.collect::<Answer<_>>()?
        }
        (None, Some(component)) => {
            let all: Vec<&Example> = assets.library.examples_of(&component).collect();
            few("examples", all.len())?;
            let singles = all.iter().map(|example| match &example.served {
                Ok(served) => single(assets, &example.schema, served, detail),
                Err(why) => Ok(Single::Judged(Judged::Invalid(Judged::whole(why.clone())))),
            });
            singles.collect::<Answer<_>>()?
        }
        (None, None) => return Err(Failure::argument("/items", " is required, or examples")),
        (Some(_), Some(_)) => {
            return Err(Failure::argument("/examples", ": items are given too"));
        }
    };
    let good = |single: &&Single| matches!(single, Single::Judged(judged) if judged.is_valid());
    let valid = results.iter().filter(good).count();
    Ok(Many {
        ok: True,
        invalid: results.len() - valid,
        valid,
        results,
    })
}

fn few(argument: &str, count: usize) -> Answer<()> {
    if count <= ITEMS {
        return Ok(());
    }
    let what = format!(": expected at most {ITEMS}, got {count}");
    Err(Failure::argument(&format!("/{argument}"), &what))
}

/// The result of `validate_asset` for one asset.
fn single(assets: &Assets, schema: &str, asset: &Raw, detail: bool) -> Answer<Single> {
    let library = &assets.library;
    let judged = named(library, schema, "/schema")
        .and_then(|schema| Judged::by(library, schema, asset, detail, "/schema"));
    match judged {
        Ok(judged) => Ok(Single::Judged(judged)),
        // The call as a whole is over.
        Err(failure) if work::over().is_some() => Err(failure),
        Err(Failure::Arguments(refused)) => Ok(Single::Refused(refused)),
        Err(other) => Err(other),
    }
}
