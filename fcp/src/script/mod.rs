//! Recorded sessions: `*.fcp` files.
//!
//! One line is one op. `? query` and `! action` go to the other two tools, `#` starts a comment, a
//! `\` at the end of a line continues it, and `[` and `]` on lines of their own enclose one call of
//! the edit tool: ops, and queries and actions among them. Lines that start with `> ` are the
//! expected reply to the call above them; a script with such lines is a transcript, and can be
//! checked.

mod compare;

use std::{fmt, mem};

pub use compare::{Difference, compare};

use crate::endpoint::{Answer, Endpoint};

/// The call in a step of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// Ops, in one batch.
    Ops(Vec<String>),
    /// A query.
    Query(String),
    /// A session action.
    Action(String),
}

impl Call {
    /// Sends the call.
    pub fn play(&self, endpoint: &mut dyn Endpoint) -> Answer {
        match self {
            Self::Ops(ops) => endpoint.run(ops, None),
            Self::Query(query) => endpoint.query(query),
            Self::Action(action) => endpoint.act(action),
        }
    }
}

/// The form of a script.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ops(ops) if ops.len() == 1 => f.write_str(&ops[0]),
            Self::Ops(ops) => {
                f.write_str("[\n")?;
                ops.iter().try_for_each(|op| writeln!(f, "{op}"))?;
                f.write_str("]")
            }
            Self::Query(query) => write!(f, "? {query}"),
            Self::Action(action) => write!(f, "! {action}"),
        }
    }
}

/// One call of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The line it starts on, from 1.
    pub line: usize,
    /// The call.
    pub call: Call,
    /// The expected lines of the reply, if the script has them.
    pub expected: Option<Vec<String>>,
}

/// A script that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The faulty line, from 1.
    pub line: usize,
    /// The fault.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Error {}

/// Reads a whole script.
///
/// # Errors
///
/// The first line without a meaning at its place.
///
/// ```
/// let steps = fcp::script::parse("! new\nadd circle r:5 # not a comment\n> + circle …\n").unwrap();
/// assert_eq!(steps.len(), 2);
/// assert_eq!(steps[1].call.to_string(), "add circle r:5 # not a comment");
/// assert_eq!(steps[1].expected.as_deref(), Some(&["+ circle …".to_owned()][..]));
/// ```
pub fn parse(text: &str) -> Result<Vec<Step>, Error> {
    let mut reader = Reader::default();
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines() {
        match reader.feed(line)? {
            None => {}
            Some(Item::Call { line, call }) => steps.push(Step {
                line,
                call,
                expected: None,
            }),
            Some(Item::Expected(expected)) => match steps.last_mut() {
                Some(step) => step.expected.get_or_insert_default().push(expected),
                None => {
                    return Err(reader.error("a reply is expected, but no step is above it"));
                }
            },
        }
    }
    reader.finish()?;
    Ok(steps)
}

/// A parsed part of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A call.
    Call {
        /// The line it starts on, from 1.
        line: usize,
        /// The call.
        call: Call,
    },
    /// The next line of the expected reply to the last call.
    Expected(String),
}

/// Reads a script line by line.
#[derive(Debug, Default)]
pub struct Reader {
    line: usize,
    /// A continued line, and the number of its first line.
    partial: Option<(usize, String)>,
    /// The ops of an open batch, and the number of its first line.
    batch: Option<(usize, Vec<String>)>,
}

impl Reader {
    /// Reads the next line, without its line end. A faulty line is dropped, and reading can go on.
    ///
    /// # Errors
    ///
    /// The line has no meaning at its place.
    pub fn feed(&mut self, line: &str) -> Result<Option<Item>, Error> {
        self.line += 1;
        let (start, mut text) = match self.partial.take() {
            Some((start, mut begun)) => {
                begun.push(' ');
                begun.push_str(line.trim());
                (start, begun)
            }
            None => (self.line, line.trim().to_owned()),
        };
        let sent = !text.starts_with(['#', '>']);
        if let (true, Some(begun)) = (sent, text.strip_suffix('\\')) {
            // One copy for each line would cost the square of their number.
            text.truncate(begun.trim_end().len());
            self.partial = Some((start, text));
            return Ok(None);
        }
        self.whole(start, text)
    }

    /// Whether a continued line or a batch is still open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.partial.is_some() || self.batch.is_some()
    }

    /// Checks that nothing is open at the end of the script.
    ///
    /// # Errors
    ///
    /// A continued line or a batch is still open.
    pub fn finish(&self) -> Result<(), Error> {
        if let Some((line, _)) = self.partial {
            return Err(Error {
                line,
                message: "the line ends with \\ but nothing follows".to_owned(),
            });
        }
        if let Some((line, _)) = self.batch {
            return Err(Error {
                line,
                message: "the batch is not closed by a ]".to_owned(),
            });
        }
        Ok(())
    }

    fn error(&self, message: &str) -> Error {
        Error {
            line: self.line,
            message: message.to_owned(),
        }
    }

    fn whole(&mut self, line: usize, text: String) -> Result<Option<Item>, Error> {
        let error = |message: &str| {
            Err(Error {
                line,
                message: message.to_owned(),
            })
        };
        let call = |call: Call| Ok(Some(Item::Call { line, call }));
        let rest = |text: &str| text[1..].trim().to_owned();
        match (text.chars().next(), &mut self.batch) {
            (None | Some('#'), _) => Ok(None),
            (Some('['), Some(_)) if text == "[" => error("a batch cannot contain a batch"),
            (Some('>'), Some(_)) => error("a batch holds ops, queries and actions, and no replies"),
            (Some(']'), Some((start, ops))) if text == "]" => {
                let (line, ops) = (*start, mem::take(ops));
                if ops.is_empty() {
                    return error("the batch is empty");
                }
                self.batch = None;
                Ok(Some(Item::Call {
                    line,
                    call: Call::Ops(ops),
                }))
            }
            (_, Some((_, ops))) => {
                ops.push(text);
                Ok(None)
            }
            (Some('['), None) if text == "[" => {
                self.batch = Some((line, Vec::new()));
                Ok(None)
            }
            (Some(']'), None) if text == "]" => error("there is no batch to close"),
            (Some('?'), None) if text.len() == 1 => error("a query is missing after the ?"),
            (Some('!'), None) if text.len() == 1 => error("an action is missing after the !"),
            (Some('?'), None) => call(Call::Query(rest(&text))),
            (Some('!'), None) => call(Call::Action(rest(&text))),
            (Some('>'), None) => {
                // The reply's own indentation is kept.
                let reply = &text[1..];
                Ok(Some(Item::Expected(
                    reply.strip_prefix(' ').unwrap_or(reply).to_owned(),
                )))
            }
            (Some(_), None) => call(Call::Ops(vec![text])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_has_ops_batches_queries_and_actions() {
        let steps = parse(
            "# a session\n! new \"My Song\"\n\n[\n  add a\n  # inside\n\n  add b \\\n    at:1\n]\n> + a\n>   more\n>\n? map\n\
             add \\\nc\\\n d\n  ?plan add e\n",
        )
        .unwrap();
        let step = |line, call, expected| Step {
            line,
            call,
            expected,
        };
        assert_eq!(
            steps,
            [
                step(2, Call::Action("new \"My Song\"".into()), None),
                step(
                    4,
                    Call::Ops(vec!["add a".into(), "add b at:1".into()]),
                    Some(vec!["+ a".into(), "  more".into(), String::new()])
                ),
                step(14, Call::Query("map".into()), None),
                step(15, Call::Ops(vec!["add c d".into()]), None),
                step(18, Call::Query("plan add e".into()), None),
            ]
        );
        assert_eq!(steps[1].call.to_string(), "[\nadd a\nadd b at:1\n]");
        assert_eq!(
            parse(&steps[1].call.to_string()).unwrap()[0].call,
            steps[1].call
        );
        assert_eq!(parse("").unwrap(), []);
        assert_eq!(
            parse("\r\nadd a\r\n> + a\r\n").unwrap()[0].expected,
            Some(vec!["+ a".to_owned()])
        );
    }

    #[test]
    fn lines_without_meaning_are_reported_with_their_number() {
        for (script, message) in [
            (
                "> + a",
                "line 1: a reply is expected, but no step is above it",
            ),
            ("add a\n[\nadd b", "line 2: the batch is not closed by a ]"),
            ("add a\n]", "line 2: there is no batch to close"),
            ("[\n[", "line 2: a batch cannot contain a batch"),
            (
                "[\nadd a\n> + a\n]",
                "line 3: a batch holds ops, queries and actions, and no replies",
            ),
            ("[\n]", "line 2: the batch is empty"),
            (
                "add a \\",
                "line 1: the line ends with \\ but nothing follows",
            ),
            ("?", "line 1: a query is missing after the ?"),
            ("!  ", "line 1: an action is missing after the !"),
        ] {
            assert_eq!(parse(script).unwrap_err().to_string(), message, "{script}");
        }
    }
}
