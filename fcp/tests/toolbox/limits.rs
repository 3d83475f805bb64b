//! Limits of calls and answers.

use fcp::tool::{Hints, Run, Tool, trouble};
use fcp::work;

use super::*;

struct Bounded;

impl Toolset for Bounded {
    const DOMAIN: &'static str = "bounded";
    const TITLE: &'static str = "Limits";
    const INSTRUCTIONS: &'static str = "";
    const CHECKED: bool = false;

    fn open(_: &Config) -> Result<Self> {
        Ok(Self)
    }

    fn shorter(_: &str) -> &'static str {
        "name fewer books"
    }
}

#[derive(Serialize, JsonSchema)]
struct Nothing {}

const STEPS: usize = 20_000_000;

const REPLY: usize = 4 << 20;

fn tool(
    name: &'static str,
    read_only: bool,
    run: fn(&Bounded, &str, &Cancel) -> Structured,
) -> Tool<Bounded> {
    Tool {
        name,
        aliases: &[],
        summary: "Limited.",
        doc: "Limited.",
        hints: Hints {
            read_only,
            ..Hints::default()
        },
        examples: &[],
        source: fcp::verb::Source {
            file: "limits.rs",
            line: 1,
        },
        input: input::<Nothing>,
        output: output::<Result<Nothing>>,
        trouble: trouble::<Bounded, Result<Nothing>>,
        run: Run::Shared(run),
    }
}

/// A tool that takes one step more than it may, and goes on.
fn busy(_: &Bounded, _: &str, _: &Cancel) -> Structured {
    assert!(work::spend(STEPS).is_ok());
    let is_error = work::spend(1).is_err();
    Structured {
        text: "{}".to_owned(),
        is_error,
    }
}

fn careless(state: &Bounded, arguments: &str, cancel: &Cancel) -> Structured {
    Structured {
        is_error: false,
        ..busy(state, arguments, cancel)
    }
}

/// A tool that works for a while.
fn patient(_: &Bounded, _: &str, _: &Cancel) -> Structured {
    Structured {
        text: "{}".to_owned(),
        is_error: work::spend(1 << 20).is_err(),
    }
}

/// A tool whose answer has one byte more than it may.
fn long(_: &Bounded, _: &str, _: &Cancel) -> Structured {
    Structured {
        text: format!("{{}}{}", " ".repeat(REPLY - 1)),
        is_error: false,
    }
}

static TOOLS: LazyLock<[Tool<Bounded>; 6]> = LazyLock::new(|| {
    [
        tool("busy", false, busy),
        tool("careless", true, careless),
        tool("wrote", false, careless),
        tool("long", true, long),
        tool("listed", false, long),
        tool("patient", true, patient),
    ]
});

#[test]
fn a_call_over_a_limit_fails_with_its_name() {
    let tools = Toolbox::of(Bounded, TOOLS.iter().collect()).unwrap();
    let message = |name: &str| {
        let reply = tools.call(name, json!({})).unwrap();
        let message = reply.value().unwrap()["error"]["message"].clone();
        message.as_str().map(str::to_owned)
    };
    let steps = "the call takes more than 20 million steps and changes nothing (--work-limit MILLIONS moves it)";
    assert_eq!(message("busy").unwrap(), steps);
    assert_eq!(message("careless").unwrap(), steps);
    let reply = "the answer has 4194305 bytes, more than 4194304: name fewer books (--reply-limit KIB moves it)";
    assert_eq!(message("long").unwrap(), reply);
    // They changed something, so their caller needs the answer.
    assert_eq!(message("wrote"), None);
    assert_eq!(message("listed"), None);
    // A call starts with all its steps.
    assert_eq!(work::over(), None);
    assert_eq!(message("busy").unwrap(), steps);
}

#[test]
fn a_cancelled_call_ends_where_it_counts_its_steps() {
    let tools = Toolbox::of(Bounded, TOOLS.iter().collect()).unwrap();
    let call = |cancel: &Cancel| tools.carry_out("patient", "{}", cancel).unwrap();
    assert_eq!(call(&Cancel::never()).text, "{}");
    let message = &call(&Cancel::when(|| true)).value().unwrap()["error"]["message"];
    assert_eq!(*message, "the call was cancelled, and changed nothing");
}

#[test]
fn limits_are_set_by_flags() {
    let flags = fcp::endpoint::Flags::default();
    let flags = flags.with(&fcp::endpoint::REPLY_LIMIT, Some("2".into()));
    let config = Config {
        flags,
        ..Config::at(".")
    };
    assert_eq!(fcp::tool::reply_limit(&config), 2048);
    assert_eq!(fcp::tool::reply_limit(&Config::at(".")), REPLY);
}
