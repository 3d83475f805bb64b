//! Standard output, with colours where somebody sees them.

use std::io::{self, IsTerminal, Stdout, Write};

use anstyle::{AnsiColor, Style};

use crate::diag::one_line;
use crate::endpoint::{Answer, Block};

/// Where results go. A closed pipe is an error like any other, and the caller's to pass on.
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

    /// Whether somebody sees it as it comes.
    pub(super) fn is_terminal(&self) -> bool {
        self.stdout.is_terminal()
    }

    /// Text, ended by a line's end if it has none.
    pub(super) fn text(&mut self, text: &str) -> io::Result<()> {
        self.stdout.write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            self.stdout.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Text that more follows on the same line.
    pub(super) fn prompt(&mut self, text: &str) -> io::Result<()> {
        self.styled(Style::new().bold(), text)?;
        self.stdout.flush()
    }

    /// What was sent.
    pub(super) fn sent(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            // A script has to stay what it was; a terminal does not.
            let line = match self.is_terminal() {
                true => one_line(line),
                false => line.into(),
            };
            self.styled(Style::new().bold(), &line)?;
            self.stdout.write_all(b"\n")?;
        }
        Ok(())
    }

    /// What an agent sees, each line behind a prefix.
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
            // No part of the text, so a comment in a script.
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
