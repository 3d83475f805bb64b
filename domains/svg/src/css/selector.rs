//! CSS selectors, read from style sheets and from ops.
//!
//! Selectors of style sheets are read by the renderer's parser, so that matches agree with the
//! picture. Ops accept more: lists, `:not()`, `:is()`, `:nth-child()`, `~` and all attribute
//! comparisons (Selectors Level 4).

use simplecss::{AttributeOperator, SelectorToken, SelectorTokenizer};

use super::escape::unescaped;

/// The most parts of a selector in an op.
const MOST_PARTS: usize = 256;

/// The maximum nesting of selectors in an op.
const DEEPEST: usize = 16;

/// The pseudo-classes that ops accept.
pub const PSEUDO: &[&str] = &[
    "empty",
    "first-child",
    "first-of-type",
    "is",
    "last-child",
    "last-of-type",
    "not",
    "nth-child",
    "nth-last-child",
    "nth-last-of-type",
    "nth-of-type",
    "only-child",
    "only-of-type",
    "root",
    "where",
];

/// A selector: tests of an element, and of elements before or around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Selector {
    /// From the outermost element to the matched one, each with its relation to the previous one.
    pub parts: Vec<(Combinator, Vec<Test>)>,
}

/// The relation of an element to that of the previous part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Combinator {
    /// A descendant of it.
    Descendant,
    /// Its child.
    Child,
    /// Its next sibling.
    Next,
    /// A later sibling.
    Later,
}

/// A test of one element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// Has this local name.
    Type(Box<str>),
    /// Has this class.
    Class(Box<str>),
    /// Has this id.
    Id(Box<str>),
    /// Has an attribute with such a value.
    Attribute(Box<str>, Compare, Box<str>),
    /// Has no elements and no text.
    Empty,
    /// Is the outermost element.
    Root,
    /// Is at `step * n + first` among its siblings, counted from 1.
    Nth {
        /// `a` of `an+b`.
        step: i64,
        /// `b` of `an+b`.
        first: i64,
        /// Whether only siblings of its type count.
        of_type: bool,
        /// Whether to count from the last sibling.
        from_end: bool,
    },
    /// Matches one of these selectors, or none of them if the flag is set.
    Any(Vec<Selector>, bool),
}

/// The comparison of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// The attribute exists.
    Exists,
    /// `=`
    Is,
    /// `~=`: one of the words.
    Word,
    /// `|=`: the value, alone or followed by a hyphen.
    Dash,
    /// `^=`
    Begins,
    /// `$=`
    Ends,
    /// `*=`
    Contains,
}

impl Compare {
    /// Whether a value passes this comparison.
    pub fn holds(self, value: &str, wanted: &str) -> bool {
        match self {
            Self::Exists => true,
            Self::Is => value == wanted,
            Self::Word => value.split(' ').any(|word| word == wanted),
            Self::Dash => value
                .strip_prefix(wanted)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
            Self::Begins => !wanted.is_empty() && value.starts_with(wanted),
            Self::Ends => !wanted.is_empty() && value.ends_with(wanted),
            Self::Contains => !wanted.is_empty() && value.contains(wanted),
        }
    }
}

impl Test {
    /// The first or last, among all siblings or those of its type.
    const fn edge(of_type: bool, from_end: bool) -> Self {
        Self::Nth {
            step: 0,
            first: 1,
            of_type,
            from_end,
        }
    }
}

impl Selector {
    /// A selector of a style sheet as the renderer reads it, with its specificity; `None` if it
    /// cannot.
    pub fn of_sheet(text: &str) -> Option<(Self, [u8; 3])> {
        let weight = simplecss::Selector::parse(text)?.specificity();
        let mut parts: Vec<(Combinator, Vec<Test>)> = Vec::new();
        let mut next = Some(Combinator::Descendant);
        for token in SelectorTokenizer::from(text) {
            let test = match token.ok()? {
                SelectorToken::DescendantCombinator => {
                    next = Some(Combinator::Descendant);
                    continue;
                }
                SelectorToken::ChildCombinator => {
                    next = Some(Combinator::Child);
                    continue;
                }
                SelectorToken::AdjacentCombinator => {
                    next = Some(Combinator::Next);
                    continue;
                }
                SelectorToken::UniversalSelector => None,
                SelectorToken::TypeSelector(name) => Some(Test::Type(name.into())),
                SelectorToken::IdSelector(id) => Some(Test::Id(id.into())),
                SelectorToken::ClassSelector(class) => Some(Test::Class(class.into())),
                SelectorToken::AttributeSelector(name, operator) => {
                    let (compare, value) = match operator {
                        AttributeOperator::Exists => (Compare::Exists, ""),
                        AttributeOperator::Matches(value) => (Compare::Is, value),
                        AttributeOperator::Contains(value) => (Compare::Word, value),
                        AttributeOperator::StartsWith(value) => (Compare::Dash, value),
                    };
                    Some(Test::Attribute(name.into(), compare, value.into()))
                }
                SelectorToken::PseudoClass("first-child") => Some(Test::edge(false, false)),
                SelectorToken::PseudoClass(_) | SelectorToken::LangPseudoClass(_) => return None,
            };
            if let Some(combinator) = next.take() {
                parts.push((combinator, Vec::new()));
            }
            if let Some((_, tests)) = parts.last_mut() {
                tests.extend(test);
            }
        }
        Some((Self { parts }, weight))
    }

    /// Whether it consists of element names only.
    pub fn is_words(&self) -> bool {
        let words = |(combinator, tests): &(Combinator, Vec<Test>)| {
            *combinator == Combinator::Descendant && matches!(tests.as_slice(), [Test::Type(_)])
        };
        self.parts.iter().all(words)
    }
}

/// The reason why a text is not a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError {
    /// The offset.
    pub at: usize,
    /// The reason.
    pub reason: String,
    /// A word of the text, and its replacement.
    pub mend: Option<(String, String)>,
}

/// The selectors of a list, in the syntax of ops.
///
/// # Errors
/// If the text is not one.
pub fn parse(text: &str) -> Result<Vec<Selector>, SelectorError> {
    let mut reader = Reader { text, at: 0 };
    let list = reader.list(0)?;
    match reader.rest().is_empty() {
        true => Ok(list),
        false => Err(reader.wrong("is left over")),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, sign: char) -> bool {
        let is_there = self.peek() == Some(sign);
        self.at += if is_there { sign.len_utf8() } else { 0 };
        is_there
    }

    /// Skips whitespace and comments. Returns whether there were any.
    fn blanks(&mut self) -> bool {
        let start = self.at;
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if !self.rest().starts_with("/*") {
                return self.at > start;
            }
            self.at = crate::syntax::href::comment_end(self.text, self.at);
        }
    }

    fn wrong(&self, reason: &str) -> SelectorError {
        let rest: String = self.rest().chars().take(20).collect();
        let reason = match rest.is_empty() {
            true => format!("the end {reason}"),
            false => format!("\"{rest}\" {reason}"),
        };
        SelectorError {
            at: self.at,
            reason,
            mend: None,
        }
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Selector>, SelectorError> {
        if depth > DEEPEST {
            return Err(self.wrong("is too deep"));
        }
        let mut list = Vec::new();
        loop {
            list.push(self.selector(depth)?);
            if !self.take(',') {
                return Ok(list);
            }
        }
    }

    fn selector(&mut self, depth: usize) -> Result<Selector, SelectorError> {
        self.blanks();
        let (mut parts, mut combinator) = (Vec::new(), Combinator::Descendant);
        loop {
            parts.push((combinator, self.compound(depth)?));
            if parts.len() > MOST_PARTS {
                return Err(self.wrong("is too long"));
            }
            let blank = self.blanks();
            combinator = match self.peek() {
                None | Some(',' | ')') => return Ok(Selector { parts }),
                Some('>') => Combinator::Child,
                Some('+') => Combinator::Next,
                Some('~') => Combinator::Later,
                Some(_) if blank => Combinator::Descendant,
                Some(_) => return Err(self.wrong("does not belong there")),
            };
            if combinator != Combinator::Descendant {
                self.at += 1;
                self.blanks();
            }
        }
    }

    fn compound(&mut self, depth: usize) -> Result<Vec<Test>, SelectorError> {
        let (start, mut tests) = (self.at, Vec::new());
        if !self.take('*') && self.begins_name() {
            tests.push(Test::Type(self.name()?.into()));
        }
        if self.peek() == Some('|') && !self.rest().starts_with("|=") {
            self.at += 1;
            tests.clear();
            if !self.take('*') {
                tests.push(Test::Type(self.name()?.into()));
            }
        }
        loop {
            match self.peek() {
                Some('.') => {
                    self.at += 1;
                    tests.push(Test::Class(self.name()?.into()));
                }
                Some('#') => {
                    self.at += 1;
                    tests.push(Test::Id(self.name()?.into()));
                }
                Some('[') => tests.push(self.attribute()?),
                Some(':') => {
                    self.at += 1;
                    self.pseudo(&mut tests, depth)?;
                }
                _ if self.at == start => return Err(self.wrong("is not a selector")),
                _ => return Ok(tests),
            }
        }
    }

    fn begins_name(&self) -> bool {
        let first = |c: char| c.is_alphabetic() || matches!(c, '_' | '-' | '\\') || !c.is_ascii();
        self.peek().is_some_and(first)
    }

    /// A name, with escapes decoded.
    fn name(&mut self) -> Result<String, SelectorError> {
        let text = self.rest();
        let (mut len, mut chars) = (0, text.char_indices().peekable());
        while let Some((at, c)) = chars.next() {
            if c == '\\' {
                let hex = text.get(at + 1..).unwrap_or_default();
                let digits = hex
                    .bytes()
                    .take(6)
                    .take_while(u8::is_ascii_hexdigit)
                    .count();
                let next = hex.chars().next().map_or(0, char::len_utf8);
                len = at + 1 + digits.max(next);
                let blank = text.get(len..).is_some_and(|rest| rest.starts_with(' '));
                len += usize::from(digits > 0 && blank);
                while chars.peek().is_some_and(|(at, _)| *at < len) {
                    chars.next();
                }
            } else if c.is_alphanumeric() || matches!(c, '_' | '-') || !c.is_ascii() {
                len = at + c.len_utf8();
            } else {
                break;
            }
        }
        let name = text.get(..len).unwrap_or_default();
        if name.is_empty() {
            return Err(self.wrong("is not a name"));
        }
        let name = unescaped(name).into_owned();
        self.at += len;
        Ok(name)
    }

    fn attribute(&mut self) -> Result<Test, SelectorError> {
        self.at += 1;
        self.blanks();
        let mut name = self.name()?;
        if self.peek() == Some('|') && !self.rest().starts_with("|=") {
            self.at += 1;
            name = format!("{name}:{}", self.name()?);
        }
        self.blanks();
        let compare = match self.peek() {
            Some(']') => Compare::Exists,
            Some('=') => Compare::Is,
            Some('~') => Compare::Word,
            Some('|') => Compare::Dash,
            Some('^') => Compare::Begins,
            Some('$') => Compare::Ends,
            Some('*') => Compare::Contains,
            _ => return Err(self.wrong("is not a comparison: = ~= |= ^= $= *=")),
        };
        let mut value = String::new();
        if compare != Compare::Exists {
            self.at += usize::from(compare != Compare::Is);
            if !self.take('=') {
                return Err(self.wrong("is not a comparison: = ~= |= ^= $= *="));
            }
            self.blanks();
            value = match self.peek() {
                Some('"' | '\'') => {
                    let end = crate::syntax::href::string_end(self.text.as_bytes(), self.at);
                    let inner = self.text.get(self.at + 1..end.saturating_sub(1));
                    let inner = unescaped(inner.unwrap_or_default()).into_owned();
                    self.at = end;
                    inner
                }
                _ => self.name()?,
            };
            self.blanks();
        }
        match self.take(']') {
            true => Ok(Test::Attribute(name.into(), compare, value.into())),
            false => Err(self.wrong("is where ] should be")),
        }
    }

    fn pseudo(&mut self, tests: &mut Vec<Test>, depth: usize) -> Result<(), SelectorError> {
        let start = self.at;
        let name = self.name()?;
        let simple = match name.as_str() {
            "first-child" => vec![Test::edge(false, false)],
            "last-child" => vec![Test::edge(false, true)],
            "only-child" => vec![Test::edge(false, false), Test::edge(false, true)],
            "first-of-type" => vec![Test::edge(true, false)],
            "last-of-type" => vec![Test::edge(true, true)],
            "only-of-type" => vec![Test::edge(true, false), Test::edge(true, true)],
            "empty" => vec![Test::Empty],
            "root" => vec![Test::Root],
            _ => Vec::new(),
        };
        if !simple.is_empty() {
            tests.extend(simple);
            return Ok(());
        }
        if !PSEUDO.contains(&name.as_str()) {
            let near = fcp::value::nearest_word(&name, PSEUDO.iter().copied());
            return Err(SelectorError {
                at: start,
                reason: format!(":{name} is not known"),
                mend: near.map(|near| (format!(":{name}"), format!(":{near}"))),
            });
        }
        if !self.take('(') {
            return Err(self.wrong(&format!("is where ( should follow :{name}")));
        }
        if name.starts_with("nth") {
            let end = self.rest().find(')').unwrap_or(self.rest().len());
            let text = self.rest().get(..end).unwrap_or_default().trim();
            let Some((step, first)) = formula(text) else {
                return Err(self.wrong("is not a number, odd, even or 2n+1"));
            };
            self.at += end;
            tests.push(Test::Nth {
                step,
                first,
                of_type: name.ends_with("of-type"),
                from_end: name.contains("last"),
            });
        } else {
            tests.push(Test::Any(self.list(depth + 1)?, name == "not"));
        }
        match self.take(')') {
            true => Ok(()),
            false => Err(self.wrong("is where ) should be")),
        }
    }
}

/// `a` and `b` of `an+b`. Whitespace is only allowed around the sign of `b`.
fn formula(text: &str) -> Option<(i64, i64)> {
    let number = |text: &str| text.parse::<i32>().ok().map(i64::from);
    let text = text.trim().to_ascii_lowercase();
    match text.as_str() {
        "odd" => return Some((2, 1)),
        "even" => return Some((2, 0)),
        _ => {}
    }
    let Some((step, first)) = text.split_once('n') else {
        return Some((0, number(&text)?));
    };
    let step = match step {
        "" | "+" => 1,
        "-" => -1,
        step => number(step)?,
    };
    let first = match first.trim_start() {
        "" => 0,
        first => {
            let sign = first.get(..1).filter(|sign| matches!(*sign, "+" | "-"))?;
            let digits = first.get(1..)?.trim_start();
            let digits = digits
                .starts_with(|c: char| c.is_ascii_digit())
                .then_some(digits)?;
            number(&format!("{sign}{digits}"))?
        }
    };
    Some((step, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parsers_agree_on_the_selectors_of_the_renderer() {
        for text in [
            "*",
            "rect",
            ".a",
            "#a",
            "rect.a.b",
            "g > .a #b",
            "a+b  c",
            "[x]",
            "[x=\"y z\"]",
            "g [x~=y]:first-child",
            "*.a",
        ] {
            let list = parse(text).unwrap();
            let (own, _) = Selector::of_sheet(text).unwrap();
            assert_eq!(Some(&own), list.first(), "{text}");
        }
        assert_eq!(Selector::of_sheet("a:hover"), None);
        assert_eq!(Selector::of_sheet("a:not(b)"), None);
    }

    #[test]
    fn faults_in_selectors_have_positions() {
        for (text, at) in [
            ("", 0),
            ("a >", 3),
            ("a,", 2),
            ("a:nth-child(x)", 12),
            ("[a", 2),
            ("[a!=b]", 2),
            ("a:not(b", 7),
            ("a)", 1),
            ("a]", 1),
            ("1a", 0),
        ] {
            assert_eq!(parse(text).unwrap_err().at, at, "{text}");
        }
        let mend = parse("a:frist-child").unwrap_err().mend;
        assert_eq!(mend, Some((":frist-child".into(), ":first-child".into())));
        assert!(parse(&"a ".repeat(300)).is_err());
        assert!(parse(&":not(".repeat(300)).is_err());
    }

    #[test]
    fn formulas_are_read() {
        for (text, wanted) in [
            ("odd", Some((2, 1))),
            ("3", Some((0, 3))),
            ("2n + 1", Some((2, 1))),
            ("-n+3", Some((-1, 3))),
            ("n", Some((1, 0))),
            (
                "-2147483648n-2147483648",
                Some((-0x8000_0000, -0x8000_0000)),
            ),
            ("-n-9223372036854775807", None),
            ("1 2", None),
            ("2n1", None),
            ("x", None),
        ] {
            assert_eq!(formula(text), wanted, "{text}");
        }
    }
}
