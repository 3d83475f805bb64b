//! Structured tools inside one process: their schemas, what they refuse, what they answer.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends by panicking"
)]

#[path = "support/shelf.rs"]
mod shelf;

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

/// What a call is refused with, and what to send instead.
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
fn arguments_have_a_closed_schema_with_the_words_of_the_author() {
    let shelf = shelf();
    let tool = shelf.find("titles").unwrap();
    assert_eq!(
        Value::Object(tool.input.clone()),
        json!({
            "type": "object",
            "properties": {
                "limit": { "type": "integer", "minimum": 1, "maximum": 99, "description": "How many at most.", "default": 10 },
                "from": { "type": ["integer", "null"], "minimum": 0, "maximum": 4294967295_u32, "description": "The first, from 1." },
                "cover": {
                    "anyOf": [{ "$ref": "#/$defs/Cover" }, { "type": "null" }],
                    "description": "Only those bound like this.",
                },
                "startsWith": { "type": "string", "default": "", "description": "Only those that begin so." },
            },
            "$defs": { "Cover": {
                "description": "How a book is bound.",
                "oneOf": [
                    { "type": "string", "const": "hard", "description": "Boards." },
                    { "type": "string", "const": "soft", "description": "Paper." },
                ],
            } },
            "additionalProperties": false,
        })
    );
    assert_eq!(
        Value::Object(shelf.find("clear").unwrap().input.clone()),
        json!({ "type": "object", "properties": {}, "additionalProperties": false })
    );
    assert_eq!(
        tool.input["properties"]
            .as_object()
            .unwrap()
            .keys()
            .collect::<Vec<_>>(),
        ["limit", "from", "cover", "startsWith"]
    );
}

#[test]
fn an_enum_of_objects_is_one_of_several_with_constants_beside_the_error() {
    let schema = Value::Object(shelf().find("book.add").unwrap().output.clone());
    assert_eq!(
        schema["oneOf"],
        json!([{ "$ref": "#/$defs/Added" }, { "$ref": "#/$defs/Error" }])
    );
    let forms = schema["$defs"]["Added"]["oneOf"].as_array().unwrap();
    let constants: Vec<_> = forms
        .iter()
        .map(|form| &form["properties"]["status"]["const"])
        .collect();
    assert_eq!(constants, ["added", "known"]);
    // What a variant takes from another type is its own, or that type would refuse the tag.
    assert_eq!(forms[0]["properties"]["books"]["type"], "integer");
    assert!(
        forms
            .iter()
            .all(|form| form["additionalProperties"] == false)
    );
    assert_eq!(
        schema["$defs"]["Error"]["properties"]["error"]["required"],
        json!(["message"])
    );
    let text = schema.to_string();
    for gone in ["anyOf", "format", "default", "$schema", "title\""] {
        assert!(!text.contains(gone), "{gone}: {text}");
    }
}

/// Shapes that `serde` has and a closed schema must not forget.
mod shapes {
    use super::*;

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub struct Inner {
        pub a: u8,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    pub enum Tagged {
        Holds(Inner),
        Says { text: String },
        Nothing,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    pub enum Either {
        Inner(Inner),
        Many { many: Vec<Inner> },
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub struct Whole {
        pub name: String,
        #[serde(flatten)]
        pub tagged: Tagged,
        #[serde(flatten)]
        pub inner: Option<Inner>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub struct Loose {
        pub any: Value,
        pub map: BTreeMap<String, Inner>,
        pub boxed: Option<Box<Loose>>,
    }
}

/// Whether a value fits, and one with another field does not.
fn fits(schema: &Value, value: &Value) -> (bool, bool) {
    let checker = jsonschema::validator_for(schema).unwrap();
    let mut more = value.clone();
    more["more"] = json!(1);
    (checker.is_valid(value), checker.is_valid(&more))
}

#[test]
fn every_shape_takes_its_own_fields_and_no_others() {
    use shapes::{Either, Inner, Loose, Tagged, Whole};
    fn both<T: Serialize + JsonSchema>() -> [Value; 2] {
        [input::<T>(), output::<Result<T>>()]
    }
    for (schemas, value) in [
        (both::<Tagged>(), json!({ "kind": "holds", "a": 1 })),
        (both::<Tagged>(), json!({ "kind": "says", "text": "x" })),
        (both::<Tagged>(), json!({ "kind": "nothing" })),
        (both::<Either>(), json!({ "a": 1 })),
        (both::<Either>(), json!({ "many": [{ "a": 1 }] })),
        (
            both::<Whole>(),
            json!({ "name": "x", "kind": "says", "text": "x" }),
        ),
        (
            both::<Whole>(),
            json!({ "name": "x", "kind": "nothing", "a": 1 }),
        ),
        (
            both::<Whole>(),
            json!({ "name": "x", "kind": "holds", "a": 1 }),
        ),
        (
            both::<Loose>(),
            json!({ "any": { "b": 1 }, "map": { "x": { "a": 1 } }, "boxed": null }),
        ),
        (
            both::<Loose>(),
            json!({ "any": 1, "map": {}, "boxed": { "any": [], "map": {}, "boxed": null } }),
        ),
    ] {
        for schema in schemas {
            assert_eq!(fits(&schema, &value), (true, false), "{value}\n{schema:#}");
        }
    }
    let nested = json!({ "any": 1, "map": { "x": { "a": 1, "b": 2 } }, "boxed": null });
    assert!(!fits(&input::<Loose>(), &nested).0);
    assert!(fits(&input::<Inner>(), &json!({ "a": 255 })).0);
    assert!(!fits(&input::<Inner>(), &json!({ "a": 256 })).0);
}

#[test]
fn what_does_not_fit_is_told_and_mended() {
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
            Some(
                json!({ "title": "x", "book": { "pages": 0, "cover": "soft", "authors": [{ "name": "y" }] } }),
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
}

#[test]
fn any_number_of_fields_is_refused_in_short_and_at_once() {
    for (field, more) in [("zz", " and 99980 more"), ("titl", "nearest is \"title\"")] {
        let fields = (0..100_000).map(|at| (format!("{field}{at}"), json!(at)));
        let start = std::time::Instant::now();
        let (message, _) = refused("book.add", Value::Object(fields.collect()));
        assert!(message.contains(more), "{message}");
        assert!(message.len() < 4_000, "{}", message.len());
        assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    }
}

#[test]
fn what_agents_send_besides_is_understood() {
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
    let told = serde_json::to_value(Missing::of(trouble)).unwrap();
    assert_eq!(
        told,
        json!({ "reason": "broken", "detail": "cancelled before it was carried out" })
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

/// Where a toolset writes its own bytes, and takes one call at a time.
mod own {
    use super::*;

    #[derive(Default)]
    pub struct Own {
        inside: AtomicUsize,
    }

    impl Toolset for Own {
        const DOMAIN: &'static str = "own";
        const TITLE: &'static str = "Own bytes";
        const INSTRUCTIONS: &'static str = "Call say.";
        const SEQUENTIAL: bool = true;

        fn open(_: &Config) -> Result<Self> {
            Ok(Self::default())
        }

        fn disabled(&self, tool: &str) -> Option<String> {
            (tool == "shut").then(|| "the door is locked".to_owned())
        }

        fn text(reply: &impl Serialize) -> serde_json::Result<String> {
            let text = serde_json::to_string(reply)?;
            let sorted: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&text)?;
            serde_json::to_string(&sorted)
        }
    }

    #[derive(Serialize, JsonSchema)]
    pub struct Said {
        pub z: u8,
        pub a: u8,
    }

    /// Say two numbers.
    ///
    /// ```json
    /// {}
    /// > {"z": 1, "a": 2}
    /// ```
    #[fcp_tool]
    pub fn say(_own: &Own) -> Result<Said> {
        Ok(Said { z: 1, a: 2 })
    }

    /// JSON as it is spelled.
    #[derive(Serialize, Deserialize)]
    pub struct Kept(Box<RawValue>);

    impl JsonSchema for Kept {
        fn schema_name() -> Cow<'static, str> {
            "Kept".into()
        }

        fn inline_schema() -> bool {
            true
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            true.into()
        }
    }

    #[derive(Serialize, JsonSchema)]
    pub struct Any {
        pub any: Kept,
    }

    /// Give back what was sent.
    ///
    /// ```json
    /// {"any": [1.50]}
    /// > {"any": [1.5]}
    /// ```
    #[fcp_tool(read_only)]
    pub fn keep(
        _own: &Own,
        /// Whatever it is.
        any: Kept,
    ) -> Result<Any> {
        Ok(Any { any })
    }

    /// Open the door.
    ///
    /// ```json
    /// {"key": "gold"}
    /// ! {"error": {"message": "disabled here: the door is locked"}}
    /// ```
    #[fcp_tool]
    pub fn shut(
        _own: &Own,
        /// What turns in it.
        key: String,
    ) -> Result<Said> {
        bail!("{key} turns")
    }

    /// How many calls run.
    #[derive(Serialize, JsonSchema)]
    pub struct Inside {
        pub inside: usize,
    }

    /// Stay for a while.
    ///
    /// ```json
    /// {"ms": 0}
    /// > {"inside": 1}
    /// ```
    #[fcp_tool(read_only)]
    pub fn stay(
        own: &Own,
        /// How long.
        ms: u64,
    ) -> Result<Inside> {
        let before = own.inside.fetch_add(1, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(ms));
        own.inside.fetch_sub(1, Ordering::SeqCst);
        Ok(Inside { inside: before + 1 })
    }
}

/// The lines that a toolset answers calls with, over a pipe. They are numbered from 1.
fn served(tools: Toolbox<own::Own>, calls: &[String]) -> Vec<String> {
    let (theirs, mut input) = io::pipe().unwrap();
    let (output, mine) = io::pipe().unwrap();
    let tools = Arc::new(tools);
    let serving = thread::spawn(move || serve_tools(tools, Options::new("0"), theirs, mine));
    let about = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    writeln!(
        input,
        "{}",
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about })
    )
    .unwrap();
    writeln!(
        input,
        "{}",
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
    )
    .unwrap();
    for (id, call) in (1..).zip(calls) {
        writeln!(
            input,
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{call}}}"#
        )
        .unwrap();
    }
    drop(input);
    let lines = io::BufReader::new(output).lines().skip(1);
    let lines = lines.map(|line| line.unwrap()).collect();
    serving.join().unwrap().unwrap();
    lines
}

#[test]
fn a_domain_may_take_one_call_at_a_time_and_answer_in_order() {
    let own = Toolbox::open(&Config::at(".")).unwrap();
    let calls = (1..=20_u64).map(|id| json!({ "name": "stay", "arguments": { "ms": 20 - id } }));
    let calls: Vec<String> = calls.map(|call| call.to_string()).collect();
    let replies = served(own, &calls);
    assert_eq!(replies.len(), 20);
    for (reply, id) in replies.iter().zip(1..) {
        let reply: Value = serde_json::from_str(reply).unwrap();
        let inside = &reply["result"]["structuredContent"]["inside"];
        assert_eq!((&reply["id"], inside), (&json!(id), &json!(1)));
    }
}

#[test]
fn numbers_are_spelled_as_they_were_sent() {
    let own = Toolbox::<own::Own>::open(&Config::at(".")).unwrap();
    let any = r#"{"z": 1.50,"a":[12345678901234567890123,1e3]}"#;
    let again = format!(r#"{{"any":{any}}}"#);
    let reply = own.carry_out("keep", &again, &Cancel::never()).unwrap();
    assert_eq!(reply.text, again);
    // As MCP, as an object and as the text of one, which some clients send.
    let quoted = Value::from(again.as_str());
    let calls = [
        format!(r#"{{"name":"keep","arguments":{again}}}"#),
        format!(r#"{{"name":"keep","arguments":{quoted}}}"#),
    ];
    for reply in served(own, &calls) {
        let reply: Value = serde_json::from_str(&reply).unwrap();
        assert_eq!(
            reply["result"]["content"][0]["text"],
            again.as_str(),
            "{reply}"
        );
        assert_eq!(reply["result"]["structuredContent"]["any"]["z"], 1.5);
    }
}

#[test]
fn a_tool_that_does_nothing_here_says_so_whatever_it_is_sent() {
    let own = Toolbox::<own::Own>::open(&Config::at(".")).unwrap();
    for arguments in ["{}", r#"{"key":"gold"}"#, "[", r#"{"no":1}"#] {
        let reply = own.carry_out("shut", arguments, &Cancel::never()).unwrap();
        let expected = r#"{"error":{"message":"disabled here: the door is locked"}}"#;
        assert_eq!((reply.text.as_str(), reply.is_error), (expected, true));
    }
    let shut = own.find("shut").unwrap();
    assert_eq!(
        shut.description,
        "Open the door.\n\nDisabled here: the door is locked."
    );
}

#[test]
fn a_domain_writes_its_own_bytes() {
    let own = Toolbox::<own::Own>::open(&Config::at(".")).unwrap();
    let reply = own.call("say", Value::Null).unwrap();
    assert_eq!(reply.text, r#"{"a":2,"z":1}"#);
    assert_eq!(reply.value().unwrap(), json!({ "z": 1, "a": 2 }));
}

/// Two tools of one name, and one whose answer is no object.
mod wrong {
    use super::*;

    macro_rules! toolset {
        ($name:ident) => {
            pub struct $name;

            impl Toolset for $name {
                const DOMAIN: &'static str = "wrong";
                const TITLE: &'static str = "Wrong";
                const INSTRUCTIONS: &'static str = "";

                fn open(_: &Config) -> Result<Self> {
                    Ok(Self)
                }
            }
        };
    }

    toolset!(Twice);
    toolset!(Bare);

    fn tool<S: Toolset, T: Serialize + JsonSchema>(
        name: &'static str,
        aliases: &'static [&'static str],
        line: u32,
    ) -> fcp::tool::Tool<S> {
        fcp::tool::Tool {
            name,
            aliases,
            summary: "Wrong.",
            doc: "Wrong.",
            hints: fcp::tool::Hints::default(),
            examples: &[],
            source: fcp::verb::Source {
                file: "wrong.rs",
                line,
            },
            input: input::<shapes::Inner>,
            output: output::<Result<T>>,
            trouble: fcp::tool::trouble::<S, Result<T>>,
            run: fcp::tool::Run::Shared(|_, _, _| {
                fcp::tool::trouble::<S, Result<T>>(fcp::tool::Trouble::Cancelled)
            }),
        }
    }

    pub fn twice() {
        static TOOLS: LazyLock<[fcp::tool::Tool<Twice>; 2]> = LazyLock::new(|| {
            [
                tool::<_, shapes::Inner>("a", &["b"], 1),
                tool::<_, shapes::Inner>("b", &[], 2),
            ]
        });
        assert_eq!(
            Toolbox::of(Twice, TOOLS.iter().collect())
                .unwrap_err()
                .message,
            "the tool b is there twice: wrong.rs:1 and wrong.rs:2"
        );
    }

    pub fn bare() {
        static TOOLS: LazyLock<fcp::tool::Tool<Bare>> =
            LazyLock::new(|| tool::<_, u8>("a", &[], 1));
        let error = Toolbox::of(Bare, vec![&*TOOLS]).unwrap_err().message;
        assert!(
            error.starts_with("wrong.rs:1: the tool a answers with what is no object"),
            "{error}"
        );
    }
}

#[test]
fn tools_that_do_not_hold_together_are_told_with_their_places() {
    wrong::twice();
    wrong::bare();
}

/// Any JSON whose fields are called as tools call theirs, or nearly.
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
