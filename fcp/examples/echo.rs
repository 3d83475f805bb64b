//! A server with a toy domain: a list of lines. It replaces a real one in the tests of servers and
//! command lines.

#![expect(clippy::panic, reason = "servers must survive it")]

use std::{fs, path::PathBuf, process::ExitCode, thread, time::Duration};

use fcp::{
    diag::Result,
    endpoint::{Answer, Block, Config, Endpoint, Flag, FlagValue, Flags, Policy, Program},
};
use serde_json::{Value, json};

const FLAGS: &[Flag] = &[
    Flag {
        name: "shelf",
        takes: FlagValue::Folder,
        doc: "A folder of more lines.",
    },
    Flag {
        name: "loud",
        takes: FlagValue::None,
        doc: "Says more.",
    },
];

struct Echo {
    root: PathBuf,
    lines: Vec<String>,
    shown: Vec<String>,
}

/// The values of the flags.
fn shown(flags: &Flags) -> Vec<String> {
    let shelves = FLAGS.iter().flat_map(|flag| flags.folders(flag));
    let mut shown: Vec<String> = shelves
        .map(|folder| format!("shelf {}", folder.display()))
        .collect();
    let loud = FLAGS.iter().find(|flag| flag.name == "loud");
    shown.extend(
        loud.filter(|flag| flags.has(flag))
            .map(|_| "loud".to_owned()),
    );
    shown
}

impl Echo {
    fn digest(&self) -> String {
        let hash = self
            .lines
            .iter()
            .flat_map(|line| line.bytes())
            .fold(7u32, |hash, byte| {
                hash.wrapping_mul(31).wrapping_add(u32::from(byte))
            });
        format!("[{}l #{:06x}]", self.lines.len(), hash & 0xff_ffff)
    }
}

fn answer(text: impl Into<String>) -> Answer {
    Answer {
        text: text.into(),
        ..Answer::default()
    }
}

fn failed(text: impl Into<String>) -> Answer {
    Answer {
        text: text.into(),
        is_error: true,
        ..Answer::default()
    }
}

impl Endpoint for Echo {
    fn domain(&self) -> &'static str {
        "echo"
    }

    fn title(&self) -> &'static str {
        "Echoes"
    }

    fn card(&self) -> String {
        format!(
            "Each op is kept as a line. Lines so far: {}.",
            self.lines.len()
        )
    }

    fn run(&mut self, ops: &[String], policy: Option<Policy>) -> Answer {
        let mut text = String::new();
        let mut bad = 0;
        for op in ops {
            match op.split_once(' ').unwrap_or((op, "")) {
                ("fail", why) => {
                    bad += 1;
                    text += &format!("! failed {why}\n  try: add {why}\n");
                }
                ("panic", why) => panic!("asked to panic {why}"),
                ("sleep", ms) => thread::sleep(Duration::from_millis(ms.parse().unwrap_or(0))),
                ("policy", _) => text += &format!("= {policy:?}\n"),
                _ => {
                    self.lines.push(op.clone());
                    text += &format!("+ {} {op:?}\n", self.lines.len());
                }
            }
        }
        text += &self.digest();
        Answer {
            text,
            is_error: bad > 0 && bad == ops.len(),
            blocks: Vec::new(),
        }
    }

    fn query(&mut self, query: &str) -> Answer {
        match query.split_once(' ').unwrap_or((query, "")) {
            ("flags", "") => answer(self.shown.join("\n")),
            ("map", "") => answer(if self.lines.is_empty() {
                "nothing".to_owned()
            } else {
                self.lines.join("\n")
            }),
            ("image", "") => Answer {
                text: "a picture".to_owned(),
                is_error: false,
                blocks: vec![
                    Block::Image {
                        mime: "image/png",
                        bytes: vec![0x89, b'P'],
                    },
                    Block::Audio {
                        mime: "audio/wav",
                        bytes: b"RIFF".to_vec(),
                    },
                ],
            },
            ("big", size) => answer("x".repeat(size.parse().unwrap_or(0))),
            ("panic", _) => panic!("asked to panic"),
            _ => failed(format!("! unknown query {query:?}\n  try: ? map")),
        }
    }

    fn act(&mut self, action: &str) -> Answer {
        match action.split_once(' ').unwrap_or((action, "")) {
            ("fail", _) => failed("! failed"),
            ("new", _) => {
                self.lines.clear();
                answer(format!("+ {action}\n{}", self.digest()))
            }
            _ => answer(format!("* {action}\n{}", self.digest())),
        }
    }

    fn help(&mut self, topic: Option<&str>) -> Answer {
        match topic {
            None => answer("# Echoes reference card\n\nEvery op is kept as a line."),
            Some("add") => answer("add TEXT keeps a line"),
            Some(other) => failed(format!("! no topic {other:?}")),
        }
    }

    fn codebook(&self) -> Value {
        json!({ "schema_map": { "verbs": ["add"] }, "content_map": { "lines": self.lines.len() } })
    }

    fn schema(&self) -> Value {
        json!({ "type": "array", "items": { "type": "string" } })
    }

    fn document(&self) -> String {
        format!("{}\n{}", self.lines.join("\n"), self.digest())
    }

    fn check(&mut self, path: &str) -> Answer {
        match fs::read_to_string(self.root.join(path)) {
            Ok(text) => answer(format!("= {path}: {} lines", text.lines().count())),
            Err(problem) => failed(format!("! {path}: {problem}")),
        }
    }
}

fn main() -> ExitCode {
    let make = |config: &Config| -> Result<Box<dyn Endpoint>> {
        Ok(Box::new(Echo {
            root: config.root.clone(),
            lines: Vec::new(),
            shown: shown(&config.flags),
        }))
    };
    fcp::cli::main("9.8.7", Program { flags: FLAGS, make })
}
