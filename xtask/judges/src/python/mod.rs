//! Python libraries as judges, in one long-lived process.

mod css;
mod process;

use std::path::{Path, PathBuf};

use fcp::testing::fidelity::{Fact, Judge};
use serde_json::Value;

pub use css::Css;
pub use process::Process;

/// The packages required by the process, in pip's format.
pub const REQUIREMENTS: &str = include_str!("requirements.txt");

/// The Python made by `cargo xtask judges` next to cargo's build output, in a folder above a
/// program of the workspace. `None` if it was not made.
#[must_use]
pub fn made(program: &Path) -> Option<PathBuf> {
    let mut above = program.ancestors();
    above
        .find_map(|folder| Some(folder.join("judges/bin/python")).filter(|python| python.is_file()))
}

/// A library that confirms the reading of another judge.
pub struct Python {
    process: Process,
    library: Library,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Library {
    Mido,
    Lxml,
}

impl Python {
    /// `mido`, which confirms `midly`.
    ///
    /// # Errors
    /// Python does not start.
    pub fn mido(python: &Path) -> Result<Self, String> {
        Self::start(python, Library::Mido)
    }

    /// `lxml`, which confirms `roxmltree`.
    ///
    /// # Errors
    /// Python does not start.
    pub fn lxml(python: &Path) -> Result<Self, String> {
        Self::start(python, Library::Lxml)
    }

    fn start(python: &Path, library: Library) -> Result<Self, String> {
        let process = Process::start(python)?;
        Ok(Self { process, library })
    }
}

impl Judge for Python {
    fn name(&self) -> &'static str {
        match self.library {
            Library::Mido => "mido",
            Library::Lxml => "lxml",
        }
    }

    fn confirms(&self) -> Option<&'static str> {
        Some(match self.library {
            Library::Mido => "midly",
            Library::Lxml => "roxmltree",
        })
    }

    fn read(&mut self, bytes: &[u8]) -> Result<Vec<Fact>, String> {
        let facts = self.process.ask(self.name(), bytes)?;
        let fact = |fact: &Value| match fact {
            Value::String(content) => Some(Fact::new(content.clone())),
            fact => Some(Fact::new(fact[0].as_str()?.to_owned()).with_position(fact[1].as_u64()?)),
        };
        Ok(facts.iter().filter_map(fact).collect())
    }

    fn comparable(&self, facts: &[Fact]) -> Vec<String> {
        match self.library {
            Library::Lxml => joined(facts),
            Library::Mido => facts.iter().map(plain_message).collect(),
        }
    }
}

/// XML without its DOCTYPE, which `lxml` reports differently, and with each text in one piece.
fn joined(facts: &[Fact]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for fact in facts
        .iter()
        .filter(|fact| !fact.content.starts_with("doctype "))
    {
        let text = fact.content.strip_prefix("text \"");
        let last = lines.last_mut().filter(|last| last.starts_with("text "));
        match (text, last) {
            (Some(text), Some(last)) => {
                last.pop();
                last.push_str(text);
            }
            _ => lines.push(fact.content.clone()),
        }
    }
    lines
}

/// A message as `mido` reports it: packets of system exclusive data look alike and lack their end.
fn plain_message(fact: &Fact) -> String {
    let Some(tick) = fact.position else {
        // A division by frames is a plain number to it.
        return fact
            .content
            .split(',')
            .next()
            .unwrap_or_default()
            .to_owned();
    };
    let content = &fact.content;
    match content.strip_prefix("f0").or(content.strip_prefix("f7")) {
        Some(data) => format!("@{tick} f0{}", data.strip_suffix("f7").unwrap_or(data)),
        None => format!("@{tick} {content}"),
    }
}
