//! Reads the ids in a style sheet or a value, by its tokens.

use std::ops::Range;

use super::escape::escaped_len;
use super::fragment::decoded;
use super::mention::{ByValue, Form, Mention, Sheet};
use super::part_of_id::PartOfId;
use super::selector::Compare;
use super::token::{Kind, Token, tokens};
use super::unescaped;

/// The ids in a style sheet.
#[must_use]
pub fn in_sheet(text: &str) -> Sheet {
    if !text.contains(['#', '[', '\\']) {
        return Sheet::default();
    }
    let mut reader = Reader::new(text);
    reader.read(reader.whole(), Mode::Rules { select: true });
    reader.finished()
}

/// The ids that the declarations of a `style` attribute refer to.
#[must_use]
pub fn in_declarations(text: &str) -> Vec<Mention> {
    if !text.contains(['#', '\\']) || !text.contains('(') {
        return Vec::new();
    }
    let mut reader = Reader::new(text);
    reader.read(reader.whole(), Mode::Block { select: false });
    reader.finished().mentions
}

/// The ids that a value refers to with `url(#id)`.
#[must_use]
pub fn in_value(text: &str) -> Vec<Mention> {
    if !text.contains(['#', '\\']) || !text.contains('(') {
        return Vec::new();
    }
    let mut reader = Reader::new(text);
    reader.value(reader.whole());
    reader.finished().mentions
}

/// The bytes between the braces of the innermost block around each of some offsets, which are in
/// order; `None` for one outside all blocks.
#[must_use]
pub fn blocks_around(text: &str, offsets: &[usize]) -> Vec<Option<Range<usize>>> {
    let reader = Reader::new(text);
    let tokens = reader.tokens.iter().enumerate();
    let mut opening = tokens
        .filter(|(_, token)| token.kind == Kind::Sign(b'{'))
        .peekable();
    let mut around: Vec<Range<usize>> = Vec::new();
    let innermost = |at: &usize| {
        while let Some((open, token)) = opening.next_if(|(_, token)| token.span.end <= *at) {
            let close = reader.closed.get(open);
            let close = close.and_then(|close| reader.tokens.get(*close));
            let end = close.map_or(text.len(), |close| close.span.start);
            while around
                .pop_if(|outer| outer.end <= token.span.start)
                .is_some()
            {}
            around.push(token.span.end..end);
        }
        while around.pop_if(|outer| outer.end <= *at).is_some() {}
        around.last().cloned()
    };
    offsets.iter().map(innermost).collect()
}

/// The grammar for reading tokens.
#[derive(Clone, Copy)]
enum Mode {
    /// Rules, whose preludes may be selectors.
    Rules { select: bool },
    /// Declarations, with nested rules whose preludes may be selectors.
    Block { select: bool },
}

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    /// The index of each opening bracket's closing one; for every other token, its own index.
    closed: Vec<usize>,
    sheet: Sheet,
    pending: Vec<(Range<usize>, Mode)>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        let tokens = tokens(text);
        let mut closed: Vec<usize> = (0..tokens.len()).collect();
        let mut open: Vec<(usize, u8)> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Function | Kind::Sign(b'(') => open.push((at, b')')),
                Kind::Sign(b'[') => open.push((at, b']')),
                Kind::Sign(b'{') => open.push((at, b'}')),
                Kind::Sign(sign @ (b')' | b']' | b'}')) => {
                    // A closing bracket that does not match the innermost opening one closes
                    // nothing.
                    if let Some((start, _)) = open.pop_if(|(_, close)| *close == sign)
                        && let Some(end) = closed.get_mut(start)
                    {
                        *end = at;
                    }
                }
                _ => {}
            }
        }
        for (start, _) in open {
            if let Some(end) = closed.get_mut(start) {
                *end = tokens.len();
            }
        }
        Self {
            text,
            tokens,
            closed,
            sheet: Sheet::default(),
            pending: Vec::new(),
        }
    }

    const fn whole(&self) -> Range<usize> {
        0..self.tokens.len()
    }

    fn finished(mut self) -> Sheet {
        self.sheet
            .mentions
            .sort_by_key(|mention| mention.span.start);
        self.sheet
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn inner(&self, at: usize) -> &'t str {
        let token = self.tokens.get(at);
        token
            .and_then(|token| self.text.get(token.inner.clone()))
            .unwrap_or_default()
    }

    fn name(&self, at: usize) -> String {
        unescaped(self.inner(at)).to_ascii_lowercase()
    }

    /// The next token that is neither whitespace nor a comment.
    fn next(&self, mut at: usize, end: usize) -> usize {
        while at < end && matches!(self.kind(at), Some(Kind::White | Kind::Comment)) {
            at += 1;
        }
        at
    }

    /// The index after a token and the content of its brackets.
    fn after(&self, at: usize, end: usize) -> usize {
        let closed = self.closed.get(at).copied().unwrap_or(at);
        (closed.max(at) + 1).min(end).max(at + 1)
    }

    /// The next of some signs outside brackets, or else the end.
    fn sign(&self, mut at: usize, end: usize, wanted: &[u8]) -> usize {
        while at < end {
            match self.kind(at) {
                Some(Kind::Sign(sign)) if wanted.contains(&sign) => return at,
                _ => at = self.after(at, end),
            }
        }
        end
    }

    fn read(&mut self, range: Range<usize>, mode: Mode) {
        self.pending.push((range, mode));
        while let Some((range, mode)) = self.pending.pop() {
            match mode {
                Mode::Rules { select } => self.rules(range, select),
                Mode::Block { select } => self.block(range, select),
            }
        }
    }

    fn rules(&mut self, range: Range<usize>, select: bool) {
        let (mut at, end) = (range.start, range.end);
        while at < end {
            match self.kind(at) {
                Some(Kind::White | Kind::Comment | Kind::Fence) => at += 1,
                Some(Kind::At) => at = self.at_rule(at, end, Mode::Rules { select }),
                _ => {
                    let open = self.sign(at, end, b"{");
                    at = self.rule(at..open, end, select);
                }
            }
        }
    }

    /// Reads a rule whose prelude is known. Returns the index after it.
    fn rule(&mut self, prelude: Range<usize>, end: usize, select: bool) -> usize {
        let open = prelude.end;
        if open >= end {
            return end;
        }
        if select {
            self.selectors(prelude);
        }
        let close = self.closed.get(open).copied().unwrap_or(end).min(end);
        self.pending.push((open + 1..close, Mode::Block { select }));
        close + 1
    }

    fn at_rule(&mut self, at: usize, end: usize, outer: Mode) -> usize {
        let stop = self.sign(at + 1, end, b";{");
        if self.kind(stop) != Some(Kind::Sign(b'{')) || stop >= end {
            return stop + 1;
        }
        let close = self.closed.get(stop).copied().unwrap_or(end).min(end);
        let name = self.name(at);
        let inner = match name.as_str() {
            "scope" | "nest" => {
                self.selectors(at + 1..stop);
                outer
            }
            "media" | "supports" | "container" | "layer" | "starting-style" | "document"
            | "-moz-document" => outer,
            name if name.ends_with("keyframes") => Mode::Rules { select: false },
            _ => Mode::Block { select: false },
        };
        self.pending.push((stop + 1..close, inner));
        close + 1
    }

    fn block(&mut self, range: Range<usize>, select: bool) {
        let (mut at, end) = (range.start, range.end);
        while at < end {
            match self.kind(at) {
                Some(Kind::White | Kind::Comment | Kind::Fence | Kind::Sign(b';')) => at += 1,
                Some(Kind::At) => at = self.at_rule(at, end, Mode::Block { select }),
                kind => {
                    let stop = self.sign(at, end, b";");
                    let open = self.sign(at, stop, b"{");
                    let colon = self.next(at + 1, stop);
                    let named =
                        kind == Some(Kind::Ident) && self.kind(colon) == Some(Kind::Sign(b':'));
                    let custom = self.inner(at).starts_with("--");
                    at = if named && (open == stop || custom) {
                        self.value(colon + 1..stop);
                        stop + 1
                    } else if open < stop {
                        self.rule(at..open, end, select)
                    } else {
                        stop + 1
                    };
                }
            }
        }
    }

    fn value(&mut self, range: Range<usize>) {
        for at in range.clone() {
            let (place, form) = match self.kind(at) {
                Some(Kind::Url) => (at, Form::Url),
                Some(Kind::Function) if self.name(at) == "url" => {
                    let text = self.next(at + 1, range.end);
                    if text >= range.end || self.kind(text) != Some(Kind::Text) {
                        continue;
                    }
                    let quote = self.quote(text);
                    (text, Form::UrlQuoted(quote))
                }
                _ => continue,
            };
            let Some(token) = self.tokens.get(place) else {
                continue;
            };
            let inside = self.inner(place);
            // The number sign may be an escape.
            let hash = escaped_len(inside);
            let (hash, id) = inside.split_at_checked(hash).unwrap_or_default();
            let id = (unescaped(hash) == "#").then(|| decoded(&unescaped(id)));
            if let Some(id) = id.filter(|id| !id.is_empty()) {
                let span = token.inner.start + hash.len()..token.inner.end;
                self.sheet.mentions.push(Mention { id, span, form });
            }
        }
    }

    fn quote(&self, at: usize) -> char {
        let start = self.tokens.get(at).map_or(0, |token| token.span.start);
        match self.text.as_bytes().get(start) {
            Some(b'\'') => '\'',
            _ => '"',
        }
    }

    fn selectors(&mut self, range: Range<usize>) {
        let (mut at, end) = (range.start, range.end);
        while at < end {
            match self.kind(at) {
                Some(Kind::Hash { id: true }) => {
                    self.push(at, Form::Selector);
                    at += 1;
                }
                Some(Kind::Sign(b'[')) => {
                    let after = self.after(at, end);
                    let close = self.closed.get(at).copied().unwrap_or(end).min(end);
                    self.attribute(at + 1..close);
                    at = after;
                }
                _ => at += 1,
            }
        }
    }

    fn push(&mut self, at: usize, form: Form) {
        if let Some(token) = self.tokens.get(at) {
            let id = unescaped(self.inner(at)).into_owned();
            let span = token.inner.clone();
            self.sheet.mentions.push(Mention { id, span, form });
        }
    }

    /// Reads the tokens between the brackets of `[id=…]`.
    fn attribute(&mut self, range: Range<usize>) {
        let end = range.end;
        let mut at = self.next(range.start, end);
        // A namespace may precede the name: `*|id`, `|id`.
        let mut name = None;
        while at < end {
            match self.kind(at) {
                Some(Kind::Ident) => name = Some(at),
                Some(Kind::Sign(b'*')) if self.kind(at + 1) == Some(Kind::Sign(b'|')) => {}
                Some(Kind::Sign(b'|')) if self.kind(at + 1) == Some(Kind::Ident) => {}
                _ => break,
            }
            at += 1;
        }
        let name = name.map_or(String::new(), |name| {
            unescaped(self.inner(name)).into_owned()
        });
        let links = name == "href" || name.ends_with(":href");
        at = self.next(at, end);
        let compare = match self.kind(at) {
            Some(Kind::Sign(b'=')) => Compare::Is,
            Some(Kind::Sign(b'~')) => Compare::Word,
            Some(Kind::Sign(b'|')) => Compare::Dash,
            Some(Kind::Sign(b'^')) => Compare::Begins,
            Some(Kind::Sign(b'$')) => Compare::Ends,
            Some(Kind::Sign(b'*')) => Compare::Contains,
            _ => return,
        };
        at += usize::from(compare != Compare::Is);
        let value = self.next(at + 1, end);
        if name != "id" && !links {
            if matches!(compare, Compare::Is | Compare::Word) && value < end {
                self.by_value(name, value);
            }
            return;
        }
        let folded = matches!(self.kind(self.next(value + 1, end)), Some(Kind::Ident))
            && self.next(value + 1, end) < end
            && self.name(self.next(value + 1, end)) == "i";
        // An id has no whitespace, so `~=` compares all of it.
        let is_part = folded || !matches!(compare, Compare::Is | Compare::Word);
        let part = is_part.then(|| PartOfId {
            compare,
            value: unescaped(self.inner(value)).into_owned(),
            folded,
            links,
        });
        if links {
            self.link(value..end, part);
            return;
        }
        if part.is_some() {
            self.sheet.by_parts.extend(part);
            return;
        }
        match self.kind(value).filter(|_| value < end) {
            Some(Kind::Ident) => self.push(value, Form::Selector),
            Some(Kind::Text) => {
                let quote = self.quote(value);
                self.push(value, Form::Quoted(quote));
            }
            _ => {}
        }
    }

    fn by_value(&mut self, name: String, value: usize) {
        let quote = match self.kind(value) {
            Some(Kind::Ident) => None,
            Some(Kind::Text) => Some(self.quote(value)),
            _ => return,
        };
        if let Some(token) = self.tokens.get(value)
            && !self.inner(value).contains('\\')
        {
            let span = token.inner.clone();
            self.sheet.by_values.push(ByValue { name, span, quote });
        }
    }

    /// Reads the value of `[href=…]`, which names an id if it is a fragment. `part` is the test if
    /// only a part of it is compared.
    fn link(&mut self, range: Range<usize>, part: Option<PartOfId>) {
        let at = range.start;
        let Some(token) = self.tokens.get(at).filter(|_| at < range.end) else {
            return;
        };
        let inside = self.inner(at);
        let (hash, id) = inside
            .split_at_checked(escaped_len(inside))
            .unwrap_or_default();
        let (is_fragment, id) = (unescaped(hash) == "#", decoded(&unescaped(id)));
        if let Some(part) = part {
            // No id contains a slash, and no fragment begins otherwise.
            let is_apart = match part.compare == Compare::Begins {
                true => !is_fragment || id.is_empty(),
                false => inside.is_empty() || inside.contains('/'),
            };
            self.sheet.by_parts.extend(Some(part).filter(|_| !is_apart));
        } else if is_fragment && !id.is_empty() {
            let form = match self.kind(at) {
                Some(Kind::Text) => Form::Link(self.quote(at)),
                _ => Form::Selector,
            };
            let span = token.inner.start + hash.len()..token.inner.end;
            self.sheet.mentions.push(Mention { id, span, form });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(mentions: &[Mention], text: &str) -> Vec<(String, String)> {
        let each = mentions.iter();
        each.map(|one| (one.id.clone(), text[one.span.clone()].to_owned()))
            .collect()
    }

    #[test]
    fn only_selectors_and_urls_name_ids() {
        for (sheet, ids) in [
            ("#fab{fill:#fab}", vec!["fab"]),
            ("/* #a */ .b{fill:#fab;stroke:#bad}", vec![]),
            ("a#b>c #d:not(#e, .f){}", vec!["b", "d", "e"]),
            (".a{fill:url(#g) #fff;filter:url( '#h' )}", vec!["g", "h"]),
            (".a{content:'url(#g) #h'}", vec![]),
            ("@media (min-width:1px){#a{fill:#fab}}", vec!["a"]),
            ("@supports (fill:url(#x)){#a{}}", vec!["a"]),
            (
                "@media print{@supports (a:b){#a{b:url(#c)}}}",
                vec!["a", "c"],
            ),
            (
                "@keyframes fab{from{fill:#fab}to{filter:url(#g)}}",
                vec!["g"],
            ),
            ("@font-face{src:url(#font)}", vec!["font"]),
            ("@import url(#a); #b{}", vec!["b"]),
            ("@layer a,b; @layer a{#b{}}", vec!["b"]),
            ("@scope (#a) to (.b #c){img{fill:#fab}}", vec!["a", "c"]),
            (
                ".a{color:#bad; &#b{x:y} #c d{fill:#fab} e:hover #f{}}",
                vec!["b", "c", "f"],
            ),
            (".a{--x:{#b};fill:#fab}", vec![]),
            (r"#\31 23,#a\:b{}", vec!["123", "a:b"]),
            ("#123{}", vec![]),
            (
                "[id=a],[id='b'],[ id = \"c\" ],[*|id=d],[id~=e],[class='#f']{}",
                vec!["a", "b", "c", "d", "e"],
            ),
            (".a{fill:url(x.svg#b)}", vec![]),
            (".a{fill:url(#a%20b)}", vec!["a b"]),
            (
                "[href='#a'],a[href=\"#b\"],[xlink|href='#c'],[*|href~='#d'],[href='x.svg#e'],[xlink\\:href='#f']{}",
                vec!["a", "b", "c", "d", "f"],
            ),
            ("a[href^='http'],a[href^='#'],[href*='/x']{}", vec![]),
            ("<!-- #a{} -->", vec!["a"]),
            ("#a{fill:red", vec!["a"]),
            ("} #a{}", vec!["a"]),
            (".a{b:(};c:url(#d)}", vec!["d"]),
        ] {
            let read = in_sheet(sheet);
            let have: Vec<&str> = read.mentions.iter().map(|one| one.id.as_str()).collect();
            assert_eq!(have, ids, "{sheet}");
            assert!(read.by_parts.is_empty(), "{sheet}");
        }
        for sheet in [
            "[id^=a]{}",
            "[id*='a']{}",
            "[id=a i]{}",
            "[id|=a]{}",
            "[href^='#a']{}",
            "[href$='a']{}",
            "[xlink|href*='a']{}",
            "[href='#a' i]{}",
        ] {
            assert!(!in_sheet(sheet).by_parts.is_empty(), "{sheet}");
        }
        let apart = in_sheet("[class^=a]{} a{b:'[id^=a]'}");
        assert!(apart.by_parts.is_empty());
        assert!(in_sheet(&"@media{".repeat(100_000)).mentions.is_empty());
        assert_eq!(
            in_sheet(&format!("#a{}{{}}", "(".repeat(100_000)))
                .mentions
                .len(),
            0
        );
    }

    #[test]
    fn the_bytes_are_those_of_the_id() {
        let text = "a{fill: url( \"#a\\:b\" ) ; b: url(#c )}";
        let read = in_sheet(text);
        assert_eq!(
            found(&read.mentions, text),
            [("a:b".into(), "a\\:b".into()), ("c".into(), "c".into())]
        );
        assert_eq!(read.mentions[0].form.spelled("x\"y"), "x\\\"y");
        assert_eq!(read.mentions[1].form.spelled("x(y"), "x\\(y");
        assert_eq!(Form::Selector.spelled("1.a"), "\\31 \\.a");
        let style = "fill:#fab;filter:url(#g) /* url(#h) */";
        assert_eq!(
            found(&in_declarations(style), style),
            [("g".into(), "g".into())]
        );
    }
}
