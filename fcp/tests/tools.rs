//! Structured tools inside one process: their schemas, errors and answers.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends by panicking"
)]

#[path = "toolbox/limits.rs"]
mod limits;
#[path = "toolbox/schemas.rs"]
mod schemas;
#[path = "toolbox/serving.rs"]
mod serving;
#[path = "support/shelf.rs"]
mod shelf;
#[path = "toolbox/unsound.rs"]
mod unsound;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

use fcp::endpoint::Config;
use fcp::mcp::{Options, serve_tools};
use fcp::prelude::*;
use fcp::testing::toolbox;
use fcp::tool::{Cancel, Structured, Toolbox, Tools, input, output};
use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop, prop_assert, prop_oneof, proptest,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use shelf::{Missing, Shelf};

fn shelf() -> Toolbox<Shelf> {
    toolbox(Path::new("."))
}

fn call(name: &str, arguments: Value) -> Structured {
    shelf().call(name, arguments).unwrap()
}

/// The error message of a refused call, and its repair.
fn refused(name: &str, arguments: Value) -> (String, Option<Value>) {
    let reply = call(name, arguments);
    assert!(reply.is_error, "{}", reply.text);
    let error = &reply.value().unwrap()["error"];
    (
        error["message"].as_str().unwrap().to_owned(),
        error.get("try").cloned(),
    )
}

#[test]
fn arguments_that_do_not_fit_are_reported_and_repaired() {
    let book = || json!({ "pages": 3 });
    for (arguments, message, repair) in [
        (
            json!({ "title": 1, "book": { "pags": 3 } }),
            r#""title" is a number, not a string; "book" takes no "pags", nearest is "pages""#,
            Some(json!({ "title": "1", "book": book() })),
        ),
        (
            json!({ "title": "x", "book": { "pages": -1, "cover": "sofft", "authors": [{ "nam": "y" }] } }),
            r#""book/pages" is -1, below 0; "book/cover" is "sofft", not one of "hard", "soft", nearest is "soft"; "book/authors/0" takes no "nam", nearest is "name""#,
            // A negative number may be meant as no limit.
            None,
        ),
        (
            json!({ "title": "x", "book": { "pages": 3, "cover": "sofft", "authors": [{ "nam": "y" }] } }),
            r#""book/cover" is "sofft", not one of "hard", "soft", nearest is "soft"; "book/authors/0" takes no "nam", nearest is "name""#,
            Some(
                json!({ "title": "x", "book": { "pages": 3, "cover": "soft", "authors": [{ "name": "y" }] } }),
            ),
        ),
        (
            json!({ "title": "x", "book": book(), "q": 1, "zz": 2 }),
            r#"book.add takes no "q", no "zz""#,
            None,
        ),
        (
            json!({ "title": "x", "q": 1 }),
            r#""book" is missing; book.add takes no "q", only book"#,
            None,
        ),
        (json!({}), r#""title" is missing; "book" is missing"#, None),
        (json!([]), "the call is an array, not an object", None),
        (
            json!("{\"title\": 1"),
            "the call is a string, not an object",
            None,
        ),
        (
            json!("{\"title\": \"x\", \"book\": {\"pages\": \"3\"}}"),
            r#""book/pages" is a string, not an integer"#,
            Some(json!({ "title": "x", "book": book() })),
        ),
        (
            json!({ "title": "x", "book": { "pages": 4294967296_u64 } }),
            r#""book/pages" is 4294967296, above 4294967295"#,
            Some(json!({ "title": "x", "book": { "pages": 4294967295_u32 } })),
        ),
        (
            json!({ "title": "x", "book": { "pages": 1, "cover": 7 } }),
            r#""book/cover" is a number, not a string"#,
            None,
        ),
    ] {
        assert_eq!(refused("book.add", arguments), (message.to_owned(), repair));
    }
    let long = "x".repeat(100_000);
    let (message, _) = refused(
        "book.add",
        json!({ "title": long, "book": long.clone(), long: 1 }),
    );
    assert!(message.len() < 400, "{message}");
    let long = "x".repeat(100_000);
    for arguments in [
        json!({ "title": "x", "book": { "pages": 1, long.clone(): 1 } }),
        json!({ "title": long, "book": { "pages": "1" } }),
    ] {
        let reply = call("book.add", arguments);
        assert!(reply.text.len() < 2_000, "{}", reply.text.len());
    }
    let reply = call("find", json!({ long: 1 }));
    assert!(reply.text.len() < 2_000, "{}", reply.text.len());
}

#[test]
fn any_number_of_fields_is_refused_in_short_and_at_once() {
    for field in ["zz", "titl"] {
        let fields = (0..100_000).map(|at| (format!("{field}{at}"), json!(at)));
        let start = std::time::Instant::now();
        let (message, _) = refused("book.add", Value::Object(fields.collect()));
        assert!(message.contains(" and 99980 more"), "{message}");
        assert!(message.len() < 4_000, "{}", message.len());
        assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    }
}

#[test]
fn habits_of_agents_are_tolerated() {
    let full = toolbox::<Shelf>(Path::new("."));
    full.call(
        "book_add",
        json!({ "title": "Emma", "book": { "pages": 1 } }),
    )
    .unwrap();
    for arguments in [
        Value::Null,
        json!({}),
        json!("{}"),
        json!({ "limit": null, "cover": null, "startsWith": null, "from": null }),
        // A schema takes them for integers.
        json!({ "limit": 9.0, "from": 1.0 }),
        json!("{\"limit\": 1e1, \"from\": 1.0}"),
    ] {
        let reply = full.call("titles", arguments).unwrap();
        assert_eq!(reply.text, r#"{"titles":["Emma"]}"#);
    }
    assert!(full.call("no.such", Value::Null).is_none());
}

#[test]
fn a_type_of_the_domain_s_own_holds_every_error() {
    let reply = call("find", json!({ "titl": "x" }));
    assert!(reply.is_error);
    assert_eq!(
        reply.value().unwrap(),
        json!({ "reason": "invalid", "faults": [["/titl", "find takes no \"titl\", nearest is \"title\""]] })
    );
    let trouble = fcp::tool::Trouble::Cancelled;
    let shown = serde_json::to_value(Missing::of(trouble)).unwrap();
    assert_eq!(
        shown,
        json!({ "reason": "broken", "detail": "the call was cancelled, and changed nothing" })
    );
}

#[test]
fn a_panic_and_a_broken_promise_are_errors_and_nothing_else_is_lost() {
    let shelf = shelf();
    for (promise, message) in [
        (13, "internal error, not in what you sent: thirteen"),
        (
            10,
            "internal error, not in what you sent: promise answered what its schema does not allow: \"promise\" is 10, \
             above 9",
        ),
    ] {
        let reply = shelf
            .call("promise", json!({ "promise": promise }))
            .unwrap();
        assert!(reply.is_error);
        assert_eq!(reply.value().unwrap()["error"]["message"], message);
    }
    assert_eq!(
        shelf.call("promise", json!({ "promise": 9 })).unwrap().text,
        r#"{"promise":9}"#
    );
}

/// Any JSON with field names equal or similar to those of tools.
fn json_like() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "title",
        "titl",
        "book",
        "pages",
        "page",
        "cover",
        "cver",
        "hard",
        "authors",
        "name",
        "limit",
        "from",
        "startsWith",
        "starts",
        "q",
        "",
        "/",
        "~0",
        "…",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..100).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..5).prop_map(|fields| {
                let fields = fields.into_iter();
                Value::Object(fields.map(|(key, value)| (key.to_owned(), value)).collect())
            }),
        ]
    })
}

static SHELF: LazyLock<Toolbox<Shelf>> = LazyLock::new(shelf);

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_arguments_are_answered_and_what_is_mended_fits(arguments in json_like()) {
        for name in ["book.add", "find", "titles", "clear"] {
            let tool = SHELF.find(name).unwrap();
            let reply = SHELF.call(name, arguments.clone()).unwrap();
            prop_assert!(!reply.text.contains("internal error"), "{name} {arguments}: {}", reply.text);
            if let Some(mended @ Value::Object(_)) = reply.value().unwrap()["error"].get("try") {
                let schema = Value::Object(tool.input.clone());
                prop_assert!(jsonschema::is_valid(&schema, mended), "{name} {arguments}: {mended}");
                let again = SHELF.call(name, mended.clone()).unwrap();
                prop_assert!(again.value().unwrap()["error"].get("try").is_none_or(Value::is_string));
            }
        }
    }
}
