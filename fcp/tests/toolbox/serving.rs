//! The choices of a toolset: its bytes, the order of its calls, disabled tools.

use super::*;

/// A toolset that writes its own bytes and takes one call at a time.
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

    /// JSON with its spelling.
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
        /// The key in the lock.
        key: String,
    ) -> Result<Said> {
        bail!("{key} turns")
    }

    /// The number of running calls.
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
        /// The duration.
        ms: u64,
    ) -> Result<Inside> {
        let before = own.inside.fetch_add(1, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(ms));
        own.inside.fetch_sub(1, Ordering::SeqCst);
        Ok(Inside { inside: before + 1 })
    }
}

/// The lines with which a toolset answers calls, over a pipe. They are numbered from 1.
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
    // Over MCP, as an object and as the text of one, which some clients send.
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
fn a_disabled_tool_reports_it_for_any_arguments() {
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
