//! Style sheets found by `roxmltree`, read by `tinycss2`.

use std::path::Path;

use fcp::testing::fidelity::{Fact, Judge};
use roxmltree::{Document, ParsingOptions};
use serde_json::Value;

use super::Process;
use crate::decoded::Decoded;
use crate::renaming::{Renaming, differ};

/// `tinycss2`: rules and declarations of style elements, with their places.
pub struct Css {
    process: Process,
    /// The ids of the document read last.
    ids: Vec<String>,
    /// The ids of the document read before it.
    before: Vec<String>,
}

impl Css {
    /// Starts the process.
    ///
    /// # Errors
    /// Python does not start.
    pub fn start(python: &Path) -> Result<Self, String> {
        let process = Process::start(python)?;
        Ok(Self {
            process,
            ids: Vec::new(),
            before: Vec::new(),
        })
    }
}

impl Judge for Css {
    fn name(&self) -> &'static str {
        "tinycss2"
    }

    fn nests(&self) -> bool {
        true
    }

    fn read(&mut self, bytes: &[u8]) -> Result<Vec<Fact>, String> {
        let decoded = Decoded::of(bytes)?;
        let options = ParsingOptions {
            allow_dtd: true,
            ..ParsingOptions::default()
        };
        let document = Document::parse_with_options(&decoded.text, options);
        let document = document.map_err(|error| error.to_string())?;
        let ids = document
            .descendants()
            .filter_map(|node| node.attribute("id"));
        let ids = ids.map(str::to_owned).collect();
        self.before = std::mem::replace(&mut self.ids, ids);
        let styles = document
            .descendants()
            .filter(|node| node.tag_name().name() == "style");
        let mut facts = Vec::new();
        for text in styles
            .flat_map(|style| style.children())
            .filter(roxmltree::Node::is_text)
        {
            let range = text.range();
            let raw = decoded.text.get(range.clone()).unwrap_or_default();
            let bare = raw
                .strip_prefix("<![CDATA[")
                .and_then(|raw| raw.strip_suffix("]]>"));
            // References change a text's spelling, so its places do not match the style sheet's.
            if bare.is_none() && raw.contains('&') || raw.contains("<![CDATA[") != bare.is_some() {
                continue;
            }
            let start = range.start + bare.map_or(0, |_| "<![CDATA[".len());
            let sheet = bare.unwrap_or(raw);
            for fact in self.process.ask("tinycss2", sheet.as_bytes())? {
                let at = |ix: usize| -> usize {
                    let chars = fact[ix].as_u64().unwrap_or(0) as usize;
                    let at = sheet
                        .char_indices()
                        .nth(chars)
                        .map_or(sheet.len(), |(at, _)| at);
                    start + at
                };
                if let Value::String(content) = &fact[0] {
                    facts.push(Fact::at(content.clone(), decoded.place(at(1)..at(2))));
                }
            }
        }
        Ok(facts)
    }
    fn laws(&self) -> &[&'static str] {
        &["rename"]
    }

    /// A renaming changes selectors of and references to the id, and nothing else.
    fn law(&mut self, _verb: &str, before: &[Fact], after: &[Fact]) -> Result<(), String> {
        let named = |ids: &[String]| -> Vec<(&str, String)> {
            ids.iter().map(|id| ("id", id.clone())).collect()
        };
        let (was, is) = (named(&self.before), named(&self.ids));
        let Some(renaming) = Renaming::between(&was, &is) else {
            return Ok(());
        };
        let expected: Vec<String> = before
            .iter()
            .map(|fact| renaming.rule(&fact.content))
            .collect();
        let found: Vec<String> = after.iter().map(|fact| fact.content.clone()).collect();
        differ(&expected, &found)
    }
}
