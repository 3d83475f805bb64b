//! Standard output, with colours on a terminal.

use std::io::{self, IsTerminal, Stdout, Write};

use anstyle::{AnsiColor, Style};

use crate::diag::{one_line, uncontrolled};
use crate::endpoint::{Answer, Block};

/// The output for results. A closed pipe is an error like any other, for the caller to handle.
pub(super) struct Out {
    stdout: Stdout,
    colour: bool,
}

impl Out {
    /// This process's standard output.
    pub(super) fn stdout() -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let plain =
            set("NO_COLOR").is_some() || set("TERM").is_some_and(|terminal| terminal == "dumb");
        let stdout = io::stdout();
        let colour = stdout.is_terminal() && !plain;
        Self { stdout, colour }
    }

    /// Whether the output is a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.stdout.is_terminal()
    }

    /// Writes a text, with a line end if it has none.
    pub(super) fn text(&mut self, text: &str) -> io::Result<()> {
        self.stdout.write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            self.stdout.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Writes a text that is continued on the same line.
    pub(super) fn prompt(&mut self, text: &str) -> io::Result<()> {
        self.styled(Style::new().bold(), text)?;
        self.stdout.flush()
    }

    /// Writes a call that was sent.
    pub(super) fn sent(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            // A script keeps the invisible characters of its texts unless a terminal shows it, but never a control.
            let line = match self.is_terminal() {
                true => one_line(line),
                false => uncontrolled(line),
            };
            self.styled(Style::new().bold(), &line)?;
            self.stdout.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Writes a reply, with a prefix before each line.
    pub(super) fn reply(&mut self, answer: &Answer, prefix: &str) -> io::Result<()> {
        for line in answer.text.lines() {
            let style = match line.chars().next() {
                Some('!') => Style::new().fg_color(Some(AnsiColor::Red.into())),
                Some('?') => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
                Some('[') if line.ends_with(']') => Style::new().dimmed(),
                _ => Style::new(),
            };
            self.stdout.write_all(prefix.as_bytes())?;
            self.styled(style, &one_line(line))?;
            self.stdout.write_all(b"\n")?;
        }
        for block in &answer.blocks {
            let (Block::Image { mime, bytes } | Block::Audio { mime, bytes }) = block;
            // Not part of the text, so a comment in a script.
            let size = bytes.len();
            self.text(&format!("# {mime}, {size} bytes"))?;
        }
        Ok(())
    }

    fn styled(&mut self, style: Style, text: &str) -> io::Result<()> {
        if self.colour && style != Style::new() {
            write!(self.stdout, "{style}{text}{style:#}")
        } else {
            self.stdout.write_all(text.as_bytes())
        }
    }
}
