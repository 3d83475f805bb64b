//! A domain's server as transports and the command line see it: text in, text out, no model type.

use std::path::PathBuf;

/// How a batch with a failing op ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Everything in the call is taken back; one reply shows every error.
    #[default]
    Atomic,
    /// Failed ops change nothing, the others stay.
    Isolate,
    /// The first failure ends the call; what came before stays.
    Stop,
}

/// What a tool call answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The lines the agent reads.
    pub text: String,
    /// Nothing was applied or answered, because of errors.
    pub is_error: bool,
    /// What follows the text: images and other binary results.
    pub blocks: Vec<Block>,
}

/// A result that is not text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A picture.
    Image {
        /// Such as `image/png`.
        mime: &'static str,
        /// The encoded picture.
        bytes: Vec<u8>,
    },
    /// A sound.
    Audio {
        /// Such as `audio/wav`.
        mime: &'static str,
        /// The encoded sound.
        bytes: Vec<u8>,
    },
}

/// What a server is started with.
#[derive(Clone, Debug)]
pub struct Config {
    /// The folder that every path stays inside.
    pub root: PathBuf,
}

/// One connection's view of a domain: its documents, settings and vocabulary.
///
/// Calls are applied in the order they are made. No call panics, whatever its text.
pub trait Endpoint: Send {
    /// The short identifier that the tool names are made of: `midi`.
    fn domain(&self) -> &'static str;
    /// What the domain edits, for people: `Standard MIDI Files`.
    fn title(&self) -> &'static str;
    /// The compact card, at most 2,048 bytes: the description of the mutation tool.
    fn card(&self) -> String;
    /// A batch of ops. `policy` is the transport's default; the call and the session may say otherwise.
    fn run(&mut self, ops: &[String], policy: Option<Policy>) -> Answer;
    /// A query. Changes nothing.
    fn query(&mut self, query: &str) -> Answer;
    /// A session action.
    fn act(&mut self, action: &str) -> Answer;
    /// The full card, or one topic of it.
    fn help(&mut self, topic: Option<&str>) -> Answer;
    /// The machine-readable vocabulary (`schema_map`) and content (`content_map`).
    fn codebook(&self) -> serde_json::Value;
    /// JSON Schema of the model.
    fn schema(&self) -> serde_json::Value;
    /// The open document as text: what query `map` says, and the digest.
    fn document(&self) -> String;
    /// Opens a file and reports what it holds and whether a save would give it back unharmed.
    fn check(&mut self, path: &str) -> Answer;
}
