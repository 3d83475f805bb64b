//! Doc comments: a summary, a text, and examples with their line numbers.

use proc_macro2::{Ident, Span};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use crate::errors::Errors;
use crate::names::capital;

/// A line of a doc comment.
struct Line {
    text: String,
    span: Span,
    /// Its line in the file.
    number: u32,
}

/// A doc comment.
pub struct Docs(Vec<Line>);

/// An example in a doc comment.
pub struct Example {
    /// The script, as written.
    pub script: String,
    /// The line number of its first line in the file.
    pub line: u32,
}

/// The opening fence of an example in ops.
pub const OPS: &str = "```fcp";
/// The opening fence of an example in JSON.
pub const JSON: &str = "```json";

impl Docs {
    /// The doc comment of an item.
    pub fn of(attrs: &[Attribute]) -> Self {
        let mut lines = Vec::new();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
            let Meta::NameValue(doc) = &attr.meta else {
                continue;
            };
            let Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) = &doc.value
            else {
                continue;
            };
            let first = number(text.span(), lines.len());
            for (text_line, number) in text.value().lines().zip(first..) {
                // A line comment starts with a space; a block comment's lines with a space or star.
                let line = text_line.strip_prefix(' ').unwrap_or(text_line);
                lines.push(Line {
                    text: line.trim_end().to_owned(),
                    span: text.span(),
                    number,
                });
            }
            if text.value().is_empty() {
                lines.push(Line {
                    text: String::new(),
                    span: text.span(),
                    number: first,
                });
            }
        }
        Self(lines)
    }

    /// The first line, which must be a sentence. Reports an error at `owner` if it is missing.
    pub fn summary(&self, owner: &Ident, missing: &str, errors: &Errors) -> String {
        let Some(line) = self.0.iter().find(|line| !line.text.is_empty()) else {
            errors.at(owner, missing);
            return String::new();
        };
        let text = line.text.trim();
        if !text.starts_with(char::is_uppercase) || !text.ends_with('.') {
            let better = capital(text.trim_end_matches(['.', ':', ';', ',']));
            errors.on(
                line.span,
                format!(
                    "the first line of a doc comment is a sentence, with a capital letter and a full stop: \
                     `/// {better}.`"
                ),
            );
        }
        text.to_owned()
    }

    /// The first line without its full stop; empty if there is none.
    pub fn phrase(&self) -> String {
        let first = self.0.iter().find(|line| !line.text.is_empty());
        first.map_or_else(String::new, |line| {
            line.text.trim().trim_end_matches('.').to_owned()
        })
    }

    /// The span of its first line that has text.
    pub fn span(&self) -> Option<Span> {
        let mut written = self.0.iter().filter(|line| !line.text.trim().is_empty());
        written.next().map(|line| line.span)
    }

    /// The whole comment, joined into one line.
    pub fn line(&self) -> String {
        let lines: Vec<&str> = self.0.iter().map(|line| line.text.trim()).collect();
        lines.join(" ").trim().to_owned()
    }

    /// The text without its examples, and the examples opened by this fence.
    pub fn split(&self, fence: &str, errors: &Errors) -> (String, Vec<Example>) {
        let mut text: Vec<&str> = Vec::new();
        let mut examples = Vec::new();
        let mut lines = self.0.iter();
        while let Some(line) = lines.next() {
            if line.text.trim() != fence {
                // Leave one empty line in place of an example.
                if !line.text.is_empty() || text.last().is_some_and(|last| !last.is_empty()) {
                    text.push(&line.text);
                }
                continue;
            }
            let mut script: Vec<&str> = Vec::new();
            let mut first = None;
            let closed = loop {
                match lines.next() {
                    None => break false,
                    Some(line) if line.text.trim() == "```" => break true,
                    Some(line) => {
                        first.get_or_insert(line.number);
                        script.push(&line.text);
                    }
                }
            };
            if !closed {
                errors.on(
                    line.span,
                    "this example has no end; close it with a line of three backticks",
                );
            } else if script.iter().all(|line| line.trim().is_empty()) {
                let what = if fence == OPS { "an op" } else { "a call" };
                errors.on(
                    line.span,
                    format!("this example is empty; it shows {what}, and the answer after `> `"),
                );
            }
            examples.push(Example {
                script: script.join("\n"),
                line: first.unwrap_or(line.number),
            });
        }
        (text.join("\n").trim().to_owned(), examples)
    }
}

/// The file line a literal starts on. Outside a compiler, lines count from the comment's first.
fn number(span: Span, before: usize) -> u32 {
    let line = if proc_macro::is_available() {
        span.unwrap().line()
    } else {
        before + 1
    };
    u32::try_from(line).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_leave_the_text_and_know_their_lines() {
        let item: syn::ItemFn = syn::parse_quote! {
            /// Draw.
            ///
            /// ```fcp
            ///   # set up
            /// draw
            /// ```
            ///
            /// More.
            fn draw() {}
        };
        let (errors, docs) = (Errors::default(), Docs::of(&item.attrs));
        let (text, examples) = docs.split(OPS, &errors);
        assert_eq!(text, "Draw.\n\nMore.");
        assert_eq!(examples[0].script, "  # set up\ndraw");
        assert_eq!(examples[0].line, 4);
        assert_eq!(docs.summary(&item.sig.ident, "", &errors), "Draw.");
        assert!(errors.is_empty());
    }

    #[test]
    fn a_block_comment_has_lines_too() {
        let item: syn::ItemFn = syn::parse_quote! {
            /** Draw.

            More. */
            fn draw() {}
        };
        let docs = Docs::of(&item.attrs);
        assert_eq!(docs.phrase(), "Draw");
        assert_eq!(docs.line(), "Draw.  More.");
    }
}
