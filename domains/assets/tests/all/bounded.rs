//! Validation takes bounded time and memory with any schema, and finds the same errors.

use std::fs;
use std::time::{Duration, Instant};

use fcp::endpoint::{Config, Flags, WORK_LIMIT};
use fcp::tool::Toolbox;
use fcp_assets::Assets;
use fcp_assets::json::read;
use fcp_assets::library::{Library, Sources};
use fcp_assets::verdict::{Limits, Unjudged, Verdict, judge};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::kit::Served;

/// A library with one schema, `s`.
fn library(schema: &Value) -> (TempDir, Library) {
    let folder = TempDir::new().unwrap();
    let place = folder.path().join("libs/synesthetic-schemas/jsonschema");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("s.json"), schema.to_string()).unwrap();
    let library = Library::load(&Sources::of(folder.path(), |_| None)).unwrap();
    (folder, library)
}

fn judged(library: &Library, asset: &Value, limits: Limits) -> Result<Verdict, Unjudged> {
    let text = asset.to_string();
    let asset = read(&text).unwrap();
    judge(library, library.schema("s").unwrap(), &asset, limits)
}

fn described(verdict: &Verdict) -> Vec<(&str, &str)> {
    let findings = verdict.findings.iter();
    findings
        .map(|finding| (&*finding.path, &*finding.msg))
        .collect()
}

/// Nested alternatives, and an asset that matches none at any depth.
fn nested(depth: usize) -> (Value, Value) {
    let one = |name: &str| json!({ "properties": { "k": { "const": name }, "child": { "$ref": "#/$defs/n" } } });
    let schema = json!({
        "$ref": "#/$defs/n",
        "$defs": { "n": { "anyOf": [{ "$ref": "#/$defs/a" }, { "$ref": "#/$defs/b" }] }, "a": one("a"), "b": one("b") },
    });
    let asset = (0..depth).fold(
        json!({ "k": "c" }),
        |inner, _| json!({ "k": "a", "child": inner }),
    );
    (schema, asset)
}

#[test]
fn alternatives_in_alternatives_are_opened_one_by_one() {
    for depth in [2, 18, 24, 100] {
        let (schema, asset) = nested(depth);
        let served = Served::schemas([("s.json", schema.to_string())]);
        let start = Instant::now();
        let call = json!({ "asset": asset, "schema": "s" });
        let answer = served.answer("validate_asset", &call);
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{depth}: {:?}",
            start.elapsed()
        );
        let error = &answer["errors"][0];
        assert_eq!(error["path"], "", "{answer}");
        assert_eq!(error["msg"], "matches none of 2 alternatives", "{answer}");
        assert_eq!(error["keyword"], "anyOf", "{answer}");
        assert_eq!(error["schema_path"], "/$defs/n/anyOf", "{answer}");
        let alternatives = json!([
            [{ "path": "/child", "msg": "matches none of 2 alternatives" }],
            [
                { "path": "/child", "msg": "matches none of 2 alternatives" },
                { "path": "/k", "msg": "expected \"b\", got \"a\"" },
            ],
        ]);
        assert_eq!(error["alternatives"], alternatives, "{answer}");
    }
}

#[test]
fn schemas_applied_twice_at_each_depth_have_a_verdict() {
    let child = json!({ "properties": { "child": { "$ref": "#" } } });
    let schema = json!({ "required": ["k"], "allOf": [child, child] });
    let (_folder, library) = library(&schema);
    let asset = (0..60).fold(json!({}), |inner, _| json!({ "k": 1, "child": inner }));
    let start = Instant::now();
    let verdict = judged(&library, &asset, Limits::USUAL).unwrap();
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(verdict.total, 1);
    let msg = &verdict.findings[0].msg;
    assert!(
        msg.starts_with("is not valid; to find out why takes more than 10"),
        "{msg}"
    );
}

#[test]
fn long_values_are_not_copied_for_each_error() {
    let key = "k".repeat(100_000);
    let schema =
        json!({ "additionalProperties": { "items": { "type": "string" }, "required": ["a"] } });
    let (_folder, library) = library(&schema);
    let asset = json!({ key: vec![0; 100_000] });
    let start = Instant::now();
    let verdict = judged(&library, &asset, Limits::USUAL).unwrap();
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(verdict.total, 1, "{:?}", verdict.findings[0].msg);
}

const KEYS: [&str; 3] = ["a", "b", "c"];

fn leaf() -> BoxedStrategy<Value> {
    prop_oneof![
        Just(json!({ "const": 1 })),
        Just(json!({ "enum": ["x", 2] })),
        Just(json!({ "type": "object" })),
        Just(json!({ "type": ["string", "integer"] })),
        Just(json!({ "required": ["a"] })),
        Just(json!({ "minItems": 2 })),
        Just(json!({ "maximum": 1 })),
        Just(json!({ "additionalProperties": false, "properties": { "a": true } })),
        Just(json!(true)),
        Just(json!(false)),
    ]
    .boxed()
}

/// A schema that refers to the definitions: for any value, or only for values inside this one.
fn schema(of_itself: bool) -> BoxedStrategy<Value> {
    let refers = (0..3_usize, 0..3_usize).prop_map(move |(at, place)| {
        let one = json!({ "$ref": format!("#/$defs/{}", KEYS[at]) });
        match place {
            _ if of_itself => one,
            0 => json!({ "items": one }),
            1 => json!({ "additionalProperties": one }),
            _ => json!({ "properties": { "a": one, "b": { "oneOf": [one] } } }),
        }
    });
    let leaf = prop_oneof![3 => refers, 2 => leaf()];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let some = vec(inner.clone(), 1..4);
        let key = (0..3_usize).prop_map(|at| KEYS[at]);
        prop_oneof![
            some.clone().prop_map(|all| json!({ "anyOf": all })),
            some.clone().prop_map(|all| json!({ "oneOf": all })),
            some.clone().prop_map(|all| json!({ "allOf": all })),
            inner.clone().prop_map(|one| json!({ "not": one })),
            (key.clone(), inner.clone())
                .prop_map(|(key, one)| json!({ "properties": { key: one } })),
            inner.clone().prop_map(|one| json!({ "items": one })),
            inner
                .clone()
                .prop_map(|one| json!({ "additionalProperties": one })),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(one, then, other)| json!({ "if": one, "then": then, "else": other })),
            (some, key).prop_map(|(all, key)| json!({
                "anyOf": all, "required": [key], "type": "object",
            })),
        ]
    })
    .boxed()
}

/// A schema with definitions that refer to each other.
fn whole(of_itself: bool) -> impl Strategy<Value = Value> {
    let one = || schema(of_itself);
    (one(), one(), one(), one())
        .prop_map(|(root, a, b, c)| json!({ "allOf": [root], "$defs": { "a": a, "b": b, "c": c } }))
}

fn asset(depth: u32) -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(json!(1)),
        Just(json!("x")),
        Just(json!(null)),
        Just(json!({})),
        Just(json!([])),
    ];
    leaf.prop_recursive(depth, 24, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            vec((0..3_usize, inner), 1..3).prop_map(|members| {
                members
                    .into_iter()
                    .map(|(at, value)| (KEYS[at].to_owned(), value))
                    .collect()
            }),
        ]
    })
    .boxed()
}

const SMALL: Limits = Limits {
    judging: 200_000,
    finding: 20_000,
    opening: 20_000,
    per_value: 16,
};

/// A schema that refers twice to the one below it, by any keyword that applies schemas.
fn link(kind: usize, below: &str) -> Value {
    let one = json!({ "$ref": below });
    let within = json!({ "a": one });
    match kind {
        0 => json!({ "oneOf": [one, { "not": one }], "unevaluatedProperties": one }),
        1 => json!({ "anyOf": [one, { "required": ["a"] }], "unevaluatedItems": one }),
        2 => json!({ "$ref": below, "unevaluatedProperties": false }),
        3 => json!({ "anyOf": [one, one] }),
        4 => json!({ "oneOf": [one, one] }),
        5 => json!({ "allOf": [one, one] }),
        6 => json!({ "not": one, "$ref": below }),
        7 => json!({ "if": one, "then": one, "else": one }),
        8 => json!({ "dependentSchemas": within, "not": { "not": one } }),
        9 => json!({ "contains": one, "allOf": [one] }),
        10 => json!({ "patternProperties": { "a": one, "b": one, "(?=a)b": one }, "$ref": below }),
        11 => json!({ "properties": within, "additionalProperties": one, "propertyNames": one }),
        12 => json!({ "items": one, "prefixItems": [one], "anyOf": [one, one] }),
        13 => json!({ "$dynamicRef": below, "oneOf": [one] }),
        _ => json!({ "not": { "anyOf": [one, one] } }),
    }
}

/// A chain of links, the first one at its end.
fn linked(kinds: &[usize], end: Value) -> Value {
    let links = kinds.iter().enumerate();
    let links = links.map(|(at, kind)| (at + 1, link(*kind, &format!("#/$defs/{at}"))));
    let all = links.chain([(0, end)]);
    let all: serde_json::Map<String, Value> = all.map(|(at, one)| (at.to_string(), one)).collect();
    json!({ "$ref": format!("#/$defs/{}", kinds.len()), "$defs": all })
}

/// A chain of references, so that the schema at its end is applied very often, and rarely to
/// another value.
fn chain() -> impl Strategy<Value = Value> {
    let end = prop_oneof![
        Just(json!(true)),
        Just(json!(false)),
        Just(json!({})),
        leaf(),
        Just(json!({ "$dynamicAnchor": "x", "minimum": 2 })),
        Just(json!({ "pattern": "(?<=a.*)b" })),
    ];
    // A schema of a single kind of link is the worst.
    let kinds = prop_oneof![
        vec(0..15_usize, 40),
        (0..15_usize).prop_map(|kind| vec![kind; 40])
    ];
    (kinds, end).prop_map(|(kinds, end)| linked(&kinds, end))
}

#[test]
fn schemas_that_look_at_nothing_are_counted() {
    for end in [json!(true), json!(false), json!({ "$comment": "x" })] {
        for kind in 0..15 {
            let (_folder, library) = library(&linked(&[kind; 40], end.clone()));
            let judged = judged(&library, &json!({ "a": [1] }), SMALL);
            if let Ok(verdict) = judged {
                assert!(verdict.steps < 1_000_000, "{kind}: {}", verdict.steps);
            }
        }
    }
}

#[test]
fn schemas_that_are_compiled_on_too_many_ways_are_not() {
    let mut kinds = vec![3; 20];
    kinds.push(0);
    let (_folder, library) = library(&linked(&kinds, json!({ "type": "string" })));
    let Err(Unjudged::Schema(why)) = judged(&library, &json!({}), SMALL) else {
        panic!("it is compiled");
    };
    assert!(why.contains("more than 100000 ways of references"), "{why}");
}

#[test]
fn schemas_that_apply_each_other_too_deeply_have_no_verdict() {
    let asset = (0..120).fold(json!({}), |inner, _| json!({ "a": inner }));
    let end = json!({ "properties": { "a": { "$ref": "#/$defs/300" } } });
    let (_folder, library) = library(&linked(&[5; 300], end));
    let judged = judged(&library, &asset, Limits::USUAL);
    assert_eq!(judged, Err(Unjudged::Depth));
}

#[test]
fn the_steps_of_all_assets_of_a_call_are_counted_together() {
    let (schema, asset) = nested(60);
    let (folder, _) = library(&schema);
    let limit = Flags::default().with(&WORK_LIMIT, Some("2".into()));
    let config = Config {
        flags: limit,
        ..Config::at(folder.path())
    };
    let tools = Toolbox::<Assets>::open(&config).unwrap();
    let of = |count: usize| {
        let items = vec![json!({ "asset": asset, "schema": "s" }); count];
        let answer = tools.call("validate_many", json!({ "items": items }));
        answer.unwrap().value().unwrap()
    };
    assert_eq!(of(1)["invalid"], 1);
    let msg = &of(10)["errors"][0]["msg"];
    let msg = msg.as_str().unwrap();
    assert!(
        msg.starts_with("arguments: the call takes more than 2 million steps"),
        "{msg}"
    );
}

#[test]
fn many_options_are_compared_with_few_texts() {
    let options: Vec<String> = (0..20_000).map(|at| format!("v{at}")).collect();
    let (_folder, library) = library(&json!({ "items": { "enum": options } }));
    let asset: Vec<String> = (0..2_000).map(|at| format!("v{at}x")).collect();
    let verdict = judged(&library, &json!(asset), Limits::USUAL).unwrap();
    assert_eq!(verdict.total, 2_000);
    let suggested = verdict
        .findings
        .iter()
        .filter(|finding| finding.detail.suggest.is_some());
    assert!(suggested.count() <= 10);
}

#[test]
fn a_pattern_that_backtracks_takes_steps() {
    let (_folder, library) = library(&json!({ "items": { "pattern": "(?<=a.*)b(a|b)*c" } }));
    let asset = json!([format!("{}b", "a".repeat(50_000)), "abc"]);
    let judged = judged(&library, &asset, SMALL);
    assert!(matches!(judged, Err(Unjudged::Steps(_))), "{judged:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// References that lead to one schema on many ways.
    #[test]
    fn any_chain_takes_bounded_work(schema in chain(), asset in asset(4)) {
        let (_folder, library) = library(&schema);
        let values = 2 * asset.to_string().len();
        if let Ok(verdict) = judged(&library, &asset, SMALL) {
            let most = SMALL.judging + SMALL.finding + SMALL.opening + 3 * SMALL.per_value * values;
            prop_assert!(verdict.steps <= most, "{} of {most} steps", verdict.steps);
        }
    }

    /// The deepest assets are the most expensive.
    #[test]
    fn any_schema_takes_bounded_work(schema in whole(true), asset in asset(24), more in 0..60_usize, by in 0..3_usize) {
        let (_folder, library) = library(&schema);
        let asset = (0..more).fold(asset, |inner, _| json!({ KEYS[by]: inner }));
        let values = 2 * asset.to_string().len();
        let start = Instant::now();
        let verdict = judged(&library, &asset, SMALL);
        let took = start.elapsed();
        prop_assert!(took < Duration::from_secs(10), "{took:?}");
        if let Ok(verdict) = verdict {
            let most = SMALL.judging + SMALL.finding + SMALL.opening + 3 * SMALL.per_value * values;
            prop_assert!(verdict.steps <= most, "{} of {most} steps", verdict.steps);
            prop_assert!(verdict.total <= most / 8, "{} findings", verdict.total);
        }
    }

    /// Alternatives have the same errors, whether opened one by one or all at once. Schemas that
    /// refer to themselves at the same value are excluded, as they are meaningless.
    #[test]
    fn opening_finds_what_is_found_at_once(schema in whole(false), asset in asset(5)) {
        let (_folder, library) = library(&schema);
        let one_by_one = Limits { finding: 0, per_value: 0, ..Limits::USUAL };
        let (Ok(all), Ok(some)) = (
            judged(&library, &asset, Limits::USUAL),
            judged(&library, &asset, one_by_one),
        ) else {
            return Ok(());
        };
        prop_assert_eq!(described(&all), described(&some));
        let branches = |verdict: &Verdict| -> Vec<_> {
            let findings = verdict.findings.iter();
            findings.map(|finding| finding.detail.branches.clone()).collect()
        };
        prop_assert_eq!(branches(&all), branches(&some));
    }
}
