//! A toolset for tests: books on a shelf. It uses all features of toolsets.

#![allow(clippy::panic, missing_docs, reason = "servers must survive it")]

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use fcp::endpoint::{Config, Flag, FlagValue};
use fcp::prelude::*;
use fcp::tool::{Body, Contents, Resource, Template, Toolbox, Transport, Trouble};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Books, by title.
#[derive(Default)]
pub struct Shelf {
    books: BTreeMap<String, Book>,
    met: Mutex<usize>,
    plain: bool,
}

pub const FULL: Flag = Flag {
    name: "full",
    takes: FlagValue::None,
    doc: "Begin with a book.",
};

pub const PLAIN: Flag = Flag {
    name: "plain",
    takes: FlagValue::None,
    doc: "Take calls as plain lines too: the tool, a blank, its arguments.",
};

pub const PRINT: Flag = Flag {
    name: "print",
    takes: FlagValue::Text {
        names: &["TITLE"],
        more: true,
    },
    doc: "Print books and end.",
};

const BOOK: Template = Template {
    start: "shelf://book/",
    variable: "title",
    path: false,
    name: "book",
    about: "A book.",
    mime: "application/json",
};

impl Toolset for Shelf {
    const DOMAIN: &'static str = "shelf";
    const TITLE: &'static str = "Shelves of books";
    const INSTRUCTIONS: &'static str = "Add books with book.add, then find them.";
    const FLAGS: &'static [Flag] = &[FULL, PLAIN, PRINT];
    const TEMPLATES: &'static [Template] = &[BOOK];

    fn open(config: &Config) -> Result<Self> {
        let mut shelf = Self {
            plain: config.flags.has(&PLAIN),
            ..Self::default()
        };
        if config.flags.has(&FULL) {
            shelf.books.insert("Emma".to_owned(), Book::default());
        }
        Ok(shelf)
    }

    fn resources(&self) -> Vec<Resource> {
        let book = |title: &String| Resource {
            uri: BOOK.uri(title),
            name: title.clone(),
            about: format!("{title}, a book."),
            mime: BOOK.mime,
        };
        self.books.keys().map(book).collect()
    }

    fn read(&self, uri: &str) -> Option<Contents> {
        let book = self.books.get(&BOOK.value(uri)?)?;
        let text = serde_json::to_string(book).ok()?;
        Some(Contents::text(text, BOOK.mime, Duration::from_secs(60)))
    }

    fn instead(tools: &Toolbox<Self>, config: &Config) -> io::Result<Option<ExitCode>> {
        let mut titles = config.flags.texts(&PRINT).peekable();
        if titles.peek().is_none() {
            return Ok(None);
        }
        let mut code = ExitCode::SUCCESS;
        for title in titles {
            let uri = BOOK.uri(&title.to_string_lossy());
            match tools.look(|shelf| shelf.read(&uri)) {
                Some(Contents {
                    body: Body::Text(text),
                    ..
                }) => writeln!(io::stdout(), "{text}")?,
                _ => code = ExitCode::FAILURE,
            }
        }
        Ok(Some(code))
    }

    fn front(tools: &Arc<Toolbox<Self>>, mcp: &Transport<'_>) -> io::Result<()> {
        if !tools.look(|shelf| shelf.plain) {
            return mcp(Box::new(io::stdin()), Box::new(io::stdout()));
        }
        let (theirs, mut ours) = io::pipe()?;
        thread::scope(|scope| {
            let served = scope.spawn(|| mcp(Box::new(theirs), Box::new(io::stdout())));
            for line in io::stdin().lock().lines() {
                let line = line?;
                match line.split_once(' ').filter(|_| !line.starts_with('{')) {
                    None => writeln!(ours, "{line}")?,
                    Some((tool, arguments)) => {
                        let arguments = serde_json::from_str(arguments).unwrap_or_default();
                        let reply = tools.call(tool, arguments);
                        let text =
                            reply.map_or_else(|| "no such tool".to_owned(), |reply| reply.text);
                        io::stdout().write_all(format!("{text}\n").as_bytes())?;
                    }
                }
            }
            drop(ours);
            served.join().unwrap_or(Ok(()))
        })
    }
}

/// A book.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Book {
    /// Its pages.
    pub pages: u32,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<Author>,
    /// Its binding.
    #[serde(default)]
    pub cover: Cover,
}

/// Somebody who writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Author {
    /// The whole name.
    pub name: String,
}

/// The binding of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cover {
    /// Boards.
    #[default]
    Hard,
    /// Paper.
    Soft,
}

/// Which part of a list is wanted.
#[derive(Deserialize, JsonSchema)]
pub struct Page {
    /// The most entries.
    #[serde(default = "ten")]
    pub limit: Int<1, 99>,
    /// The first, from 1.
    pub from: Option<u32>,
}

fn ten() -> Int<1, 99> {
    Int::clamped(10)
}

/// The result for a book.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Added {
    /// It is on the shelf now.
    Added(Count),
    /// It was there already, and is unchanged.
    Known {
        /// The known book.
        book: Book,
    },
}

/// The number of books.
#[derive(Serialize, JsonSchema)]
pub struct Count {
    /// On the whole shelf.
    pub books: usize,
}

/// Why a book is not to be had.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Missing {
    /// No book has this title.
    NotFound {
        /// One that has nearly this title.
        #[serde(skip_serializing_if = "Option::is_none")]
        nearest: Option<String>,
    },
    /// The call is wrong.
    Invalid {
        /// The faults, each with its place.
        faults: Vec<(String, String)>,
    },
    /// The server is wrong.
    Broken {
        /// The problem.
        detail: String,
    },
}

impl ToolError for Missing {
    fn of(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Arguments(refused) => {
                let faults = refused.faults.into_iter();
                let faults = faults.map(|fault| (fault.path, fault.message));
                Self::Invalid {
                    faults: faults.collect(),
                }
            }
            other => Self::Broken {
                detail: other.to_string(),
            },
        }
    }
}

/// Add a book.
///
/// A title is there once.
///
/// ```json
/// {"title": "Emma", "book": {"pages": 474}}
/// > {"status": "added", "books": 1}
/// {"title": "Emma", "book": {"pages": 1}}
/// > {"status": "known", "book": {"pages": 474, "cover": "hard"}}
/// {"titel": "Ulysses", "book": {"pages": 1}}
/// ! {"error": {
/// !   "message": "book.add takes no \"titel\", nearest is \"title\"",
/// !   "try": {"title": "Ulysses", "book": {"pages": 1}}
/// ! }}
/// ```
#[fcp_tool(name = "book.add", alias = "book_add", idempotent)]
pub fn book_add(
    shelf: &mut Shelf,
    /// The title on the spine.
    title: String,
    /// The book.
    book: Book,
) -> Result<Added> {
    if title.is_empty() {
        bail!("a book has a title"; try: "give it one");
    }
    if let Some(book) = shelf.books.get(&title).cloned() {
        return Ok(Added::Known { book });
    }
    shelf.books.insert(title, book);
    let books = shelf.books.len();
    Ok(Added::Added(Count { books }))
}

/// Find a book by its title.
///
/// ```json
/// book.add {"title": "Emma", "book": {"pages": 474}}
/// {"title": "Emma"}
/// > {"pages": 474, "cover": "hard"}
/// {"title": "Ema"}
/// ! {"reason": "not_found", "nearest": "Emma"}
/// ```
#[fcp_tool(read_only, idempotent)]
pub fn find(
    shelf: &Shelf,
    /// As printed on the spine.
    title: String,
) -> std::result::Result<Book, Missing> {
    shelf.books.get(&title).cloned().ok_or_else(|| {
        let titles = shelf.books.keys().map(String::as_str);
        let nearest = fcp::value::nearest_word(&title, titles).map(str::to_owned);
        Missing::NotFound { nearest }
    })
}

/// Titles, in order.
#[derive(Serialize, JsonSchema)]
pub struct Titles {
    /// Those of this page.
    pub titles: Vec<String>,
}

/// List the titles.
///
/// ```json
/// book.add {"title": "Emma", "book": {"pages": 474}}
/// {"limit": 1}
/// > {"titles": ["Emma"]}
/// ```
#[fcp_tool(read_only)]
pub fn titles(
    shelf: &Shelf,
    #[fcp(flatten)] page: Page,
    /// Only those bound like this.
    cover: Option<Cover>,
    /// Only those that begin so.
    #[fcp(key = "startsWith", default = String::new())]
    start: String,
) -> Result<Titles> {
    let from = page.from.unwrap_or(1).max(1) as usize;
    let limit = usize::try_from(page.limit.get()).unwrap_or(1);
    let books = shelf.books.iter();
    let books = books.filter(|(_, book)| cover.is_none_or(|cover| cover == book.cover));
    let titles = books
        .map(|(title, _)| title)
        .filter(|title| title.starts_with(&start));
    let titles = titles.skip(from - 1).take(limit).cloned().collect();
    Ok(Titles { titles })
}

/// Take all books away.
///
/// ```json
/// {}
/// > {"books": 0}
/// ```
#[fcp_tool(destructive)]
pub fn clear(shelf: &mut Shelf) -> Result<Count> {
    let books = shelf.books.len();
    shelf.books.clear();
    Ok(Count { books })
}

/// Wait for somebody else who waits too.
///
/// ```json
/// {"for_ms": 0, "others": 0}
/// > {"books": 0}
/// ```
#[fcp_tool(read_only, open_world)]
pub fn meet(
    shelf: &Shelf,
    /// The duration.
    for_ms: u64,
    /// The number of others.
    others: usize,
    cancel: &Cancel,
) -> Result<Count> {
    *lock(shelf) += 1;
    let end = Instant::now() + Duration::from_millis(for_ms);
    while *lock(shelf) <= others && Instant::now() < end && !cancel.is_cancelled() {
        thread::sleep(Duration::from_millis(1));
    }
    if *lock(shelf) <= others {
        bail!("nobody came");
    }
    Ok(Count {
        books: shelf.books.len(),
    })
}

fn lock(shelf: &Shelf) -> std::sync::MutexGuard<'_, usize> {
    shelf
        .met
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A reply that may break its promise.
#[derive(Serialize, JsonSchema)]
pub struct Kept {
    /// Not more than 9.
    #[schemars(range(max = 9))]
    pub promise: u32,
}

/// Break a promise, or all.
///
/// ```json
/// {"promise": 9}
/// > {"promise": 9}
/// {"promise": 10}
/// ! {"error": {"message": "…"}}
/// ```
#[fcp_tool]
pub fn promise(
    _shelf: &Shelf,
    /// The answer; 13 panics.
    promise: u32,
) -> Result<Kept> {
    assert!(promise != 13, "thirteen");
    Ok(Kept { promise })
}
