//! The knowledge about a server for proving rows: its descriptions, and the ops of its examples
//! that turn out to work.
//!
//! Nothing is guessed. Ops come from the workflow and the examples of its codebook, or from a given
//! script, and each is tried on a new document before a row relies on it.

use serde_json::Value;

use crate::op::{OpWord, parse, quote};
use crate::script::{self, Call};

use super::talk::{Reply, Talk};
use super::verdict::{Stop, fail};

/// A name that no row has.
pub(super) const NAME: &str = "Qvonk";
/// A word that is not a verb, key or type.
pub(super) const NONSENSE: &str = "zzqx";

/// The knowledge about a server.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The domain after which its tools are named.
    pub domain: String,
    /// The tools in the reply to `tools/list`.
    pub tools: Vec<Value>,
    /// Whether they are structured tools, not the usual four.
    pub structured: bool,
    /// The codebook, if there is one.
    pub codebook: Option<Value>,
    /// The action that starts a document.
    pub new: String,
    /// Ops that succeed in turn on a new document, each changing it.
    pub good: Vec<String>,
    /// The path to which the workflow saves.
    pub file: String,
    /// The ops that make a row of any name.
    pub named: Option<Named>,
    /// The examples, each as the steps up to one with an expected reply.
    pub examples: Vec<Example>,
}

/// Ops with a name to fill in.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// The ops required before.
    pub before: Vec<String>,
    make: Hole,
    uses: Option<Hole>,
}

#[derive(Clone, Debug)]
struct Hole {
    front: String,
    back: String,
}

impl Hole {
    fn fill(&self, name: &str) -> String {
        format!("{}{}{}", self.front, quote(name), self.back)
    }
}

impl Named {
    /// The op that makes a row with a given name.
    pub fn make(&self, name: &str) -> String {
        self.make.fill(name)
    }

    /// An op that refers to such a row.
    pub fn uses(&self, name: &str) -> Option<String> {
        self.uses.as_ref().map(|hole| hole.fill(name))
    }
}

/// A step of an example of a verb, a query or an action, with the steps before it.
#[derive(Clone, Debug)]
pub(super) struct Example {
    /// The phrase of the verb, query or action.
    pub phrase: String,
    /// The steps before it.
    pub before: Vec<Call>,
    /// The step.
    pub call: Call,
    /// The expected reply in the codebook.
    pub expected: Vec<String>,
}

impl Known {
    /// The tools' names.
    pub fn tool_names(&self) -> Vec<&str> {
        self.tools
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .collect()
    }

    /// The description of the tool that takes ops.
    pub fn card(&self) -> &str {
        let own = self
            .tools
            .iter()
            .find(|tool| tool["name"] == self.domain.as_str());
        own.and_then(|tool| tool["description"].as_str())
            .unwrap_or_default()
    }

    /// The files in whose folder the codebook's examples run, by path.
    pub fn example_files(&self) -> impl Iterator<Item = (&str, &str)> {
        let book = self.codebook.as_ref();
        let files = book.and_then(|book| book["example_files"].as_object());
        let files = files.into_iter().flatten();
        files.filter_map(|(path, text)| Some((path.as_str(), text.as_str()?)))
    }

    /// A list of the codebook's schema map: `verbs`, `types`, …; empty if there is none.
    pub fn map(&self, part: &str) -> &[Value] {
        let book = self.codebook.as_ref();
        let list = book.and_then(|book| book["schema_map"][part].as_array());
        list.map_or(&[], Vec::as_slice)
    }

    /// The phrases of a list of the codebook.
    pub fn phrases(&self, part: &str) -> Vec<&str> {
        let own = self.map(part).iter();
        own.filter_map(|item| item["phrase"].as_str()).collect()
    }

    /// The names of the selectors, without `@`.
    pub fn selectors(&self) -> Vec<&str> {
        let forms = self
            .map("selectors")
            .iter()
            .filter_map(|item| item["form"].as_str());
        forms
            .map(|form| {
                form.trim_start_matches('@')
                    .split([':', '[', ' '])
                    .next()
                    .unwrap_or_default()
            })
            .collect()
    }
}

/// The domain after which the tools are named: one of them is its name with `_session`. Otherwise
/// the first tool's name, so that the first row can report the fault.
fn domain_of(tools: &[Value]) -> String {
    let names = || tools.iter().filter_map(|tool| tool["name"].as_str());
    let session = names().find_map(|name| name.strip_suffix("_session"));
    session
        .or_else(|| names().next())
        .unwrap_or_default()
        .to_owned()
}

/// Returns whether a server has structured tools: none opens documents, and at least one describes
/// its output.
fn is_structured(tools: &[Value]) -> bool {
    let named = |end: &str| {
        let mut names = tools.iter().filter_map(|tool| tool["name"].as_str());
        names.any(|name| name.ends_with(end))
    };
    !named("_session") && tools.iter().any(|tool| tool.get("outputSchema").is_some())
}

/// The domain that has a codebook among the resources, and its URI.
fn codebook_of(listed: &Value) -> (String, String) {
    let resources = listed["resources"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let mut uris = resources
        .iter()
        .filter_map(|resource| resource["uri"].as_str());
    let uri = uris
        .find(|uri| uri.ends_with("/codebook"))
        .unwrap_or_default();
    let domain = uri
        .strip_prefix("fcp://")
        .and_then(|rest| rest.split('/').next());
    (domain.unwrap_or_default().to_owned(), uri.to_owned())
}

/// Learns about a server, trying every op on new documents. `fresh` begins a connection.
pub(super) fn learn(
    samples: Option<&str>,
    fresh: &mut dyn FnMut(&str) -> Result<Talk, Stop>,
) -> Result<Known, Stop> {
    let mut talk = fresh("")?;
    let listed = talk
        .request("tools/list", serde_json::json!({}))?
        .map_err(fail)?;
    let tools = listed["tools"].as_array().cloned().unwrap_or_default();
    let structured = is_structured(&tools);
    let (domain, uri) = if structured {
        let listed = talk.request("resources/list", serde_json::json!({}))?;
        codebook_of(&listed.unwrap_or_default())
    } else {
        let domain = domain_of(&tools);
        let uri = format!("fcp://{domain}/codebook");
        (domain, uri)
    };
    let read = talk.request("resources/read", serde_json::json!({ "uri": uri }))?;
    let codebook = read.ok().and_then(|result| {
        let text = result["contents"][0]["text"].as_str()?;
        serde_json::from_str::<Value>(text).ok()
    });
    let mut known = Known {
        domain: domain.clone(),
        tools,
        structured,
        codebook,
        new: "new \"Untitled\"".to_owned(),
        file: "untitled".to_owned(),
        ..Known::default()
    };
    let workflow = known
        .codebook
        .as_ref()
        .and_then(|book| book["schema_map"]["example"].as_str());
    let script = samples.or(workflow).filter(|_| !structured);
    let Some(script) = script.map(str::to_owned) else {
        return Ok(known);
    };
    let steps =
        script::parse(&script).map_err(|error| fail(format!("the script of samples: {error}")))?;
    let calls: Vec<Call> = steps.into_iter().map(|step| step.call).collect();
    for call in &calls {
        let Call::Action(action) = call else { continue };
        if action.starts_with("new") {
            known.new.clone_from(action);
        } else if let Some(path) = action.strip_prefix("save as:") {
            known.file = path.trim().trim_start_matches("./").to_owned();
        }
    }
    known.good = good(&known.new, &calls, &mut fresh(&domain)?)?;
    known.named = named(&known, &mut || fresh(&domain))?;
    known.examples = examples(&known);
    Ok(known)
}

/// The ops of a script that succeed without its other steps, and change something.
fn good(new: &str, calls: &[Call], talk: &mut Talk) -> Result<Vec<String>, Stop> {
    let started = talk.act(new)?;
    let mut digest = started.digest().map(str::to_owned);
    let mut good = Vec::new();
    for call in calls {
        let Call::Ops(ops) = call else { continue };
        for op in ops {
            let reply = talk.op(op)?;
            let now = reply.digest().map(str::to_owned);
            let changed = now.is_none() || now != digest;
            let done = reply
                .signs()
                .trim_start_matches('?')
                .starts_with(['+', '~', '*', '-', '@']);
            if done && changed && !reply.error {
                good.push(op.clone());
                digest = now;
            }
        }
    }
    Ok(good)
}

/// The first op that makes a row of any name, and a later one that refers to it.
fn named(
    known: &Known,
    fresh: &mut dyn FnMut() -> Result<Talk, Stop>,
) -> Result<Option<Named>, Stop> {
    let ops = known.good.as_slice();
    for (at, op) in ops.iter().enumerate() {
        for (hole, word) in holes(op) {
            let (mut talk, before) = (fresh()?, ops.get(..at).unwrap_or_default());
            talk.act(&known.new)?;
            if !before.is_empty() {
                talk.ops(before)?;
            }
            if !made(&talk.op(&hole.fill(NAME))?) || talk.query(&format!("describe {NAME}"))?.error
            {
                continue;
            }
            let mut other = talk.op(&hole.fill("Zwilm"))?;
            other.error |= talk.query("describe Zwilm")?.error;
            if !made(&other) || !talk.query("describe Qqvzzonk")?.error {
                continue;
            }
            let mut uses = None;
            for later in ops.iter().skip(at + 1) {
                let Some((hole, _)) = holes(later).into_iter().find(|(_, own)| *own == word) else {
                    continue;
                };
                if !talk.op(&hole.fill(NAME))?.error {
                    uses = Some(hole);
                    break;
                }
            }
            let before = before.to_vec();
            return Ok(Some(Named {
                before,
                make: hole,
                uses,
            }));
        }
    }
    Ok(None)
}

fn made(reply: &Reply) -> bool {
    !reply.error && reply.signs().starts_with('+')
}

/// An op with each of its words left out in turn, and those words.
fn holes(op: &str) -> Vec<(Hole, String)> {
    let Ok(parsed) = parse(op) else {
        return Vec::new();
    };
    let text = op.trim();
    let mut holes = Vec::new();
    for word in &parsed.words {
        let (span, own) = match word {
            OpWord::Positional(word) => (word.span, &word.text),
            OpWord::Param(param) => (param.value_span, &param.value),
            OpWord::Selector(_) | OpWord::Arrow(_) => continue,
        };
        let (Some(front), Some(back)) = (text.get(..span.start), text.get(span.end..)) else {
            continue;
        };
        // A name: not a number, a place or a list.
        if own.starts_with(char::is_alphabetic) && own.chars().all(char::is_alphanumeric) {
            let (front, back) = (front.to_owned(), back.to_owned());
            holes.push((Hole { front, back }, own.clone().into_owned()));
        }
    }
    holes
}

/// Every step of the codebook's examples with an expected reply.
fn examples(known: &Known) -> Vec<Example> {
    let mut examples = Vec::new();
    for part in ["verbs", "queries", "session"] {
        for item in known.map(part) {
            let phrase = item["phrase"].as_str().unwrap_or_default();
            let scripts = item["examples"].as_array().map_or(&[][..], Vec::as_slice);
            for script in scripts.iter().filter_map(Value::as_str) {
                // Lines hidden on the card are still part of the script.
                let lines = script
                    .lines()
                    .map(|line| line.strip_prefix("# ").unwrap_or(line));
                let Ok(steps) = script::parse(&lines.collect::<Vec<_>>().join("\n")) else {
                    continue;
                };
                let starts = matches!(steps.first().map(|step| &step.call),
                    Some(Call::Action(action)) if action.starts_with("new") || action.starts_with("open"));
                let mut before = Vec::new();
                if !starts {
                    before.push(Call::Action("new".to_owned()));
                }
                for step in steps {
                    if let Some(expected) = step.expected {
                        examples.push(Example {
                            phrase: phrase.to_owned(),
                            before: before.clone(),
                            call: step.call.clone(),
                            expected,
                        });
                    }
                    before.push(step.call);
                }
            }
        }
    }
    examples
}
