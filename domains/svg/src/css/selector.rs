//! CSS selectors, read from style sheets and from ops.
//!
//! Both are read and matched in the same way: lists, `:not()`, `:is()`, `:nth-child()`, `~` and all
//! attribute comparisons (Selectors Level 4). The renderer knows fewer; query `css` names those
//! that it leaves out.

use super::escape::unescaped;

/// The most parts of a selector.
const MOST_PARTS: usize = 256;

/// The maximum nesting of selectors.
const DEEPEST: usize = 16;

/// The pseudo-classes that are matched.
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
    /// Matches one of these selectors, or none of them with `:not()`.
    Any(Vec<Selector>, Listed),
}

/// The pseudo-class of a list of selectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Listed {
    /// `:is()`
    Is,
    /// `:where()`, which adds nothing to the specificity.
    Where,
    /// `:not()`
    Not,
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
    /// Its specificity: ids; classes, attributes and pseudo-classes; types.
    pub fn specificity(&self) -> [usize; 3] {
        let mut sum = [0; 3];
        for test in self.parts.iter().flat_map(|(_, tests)| tests) {
            let own = match test {
                Test::Id(_) => [1, 0, 0],
                Test::Class(_)
                | Test::Attribute(..)
                | Test::Empty
                | Test::Root
                | Test::Nth { .. } => [0, 1, 0],
                Test::Type(_) => [0, 0, 1],
                Test::Any(_, Listed::Where) => [0; 3],
                Test::Any(list, Listed::Is | Listed::Not) => {
                    let each = list.iter().map(Self::specificity);
                    each.max().unwrap_or_default()
                }
            };
            for (sum, own) in sum.iter_mut().zip(own) {
                *sum += own;
            }
        }
        sum
    }

    /// Whether matches depend on more than an element, its attributes and its ancestors.
    pub fn hangs_on_others(&self) -> bool {
        self.parts.iter().any(|(combinator, tests)| {
            matches!(combinator, Combinator::Next | Combinator::Later)
                || tests.iter().any(|test| match test {
                    Test::Nth { .. } | Test::Empty => true,
                    Test::Any(list, _) => list.iter().any(Self::hangs_on_others),
                    _ => false,
                })
        })
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

/// The selectors of a list.
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
        let name = self.name()?.to_ascii_lowercase();
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
            let listed = match name.as_str() {
                "not" => Listed::Not,
                "where" => Listed::Where,
                _ => Listed::Is,
            };
            tests.push(Test::Any(self.list(depth + 1)?, listed));
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
    fn specificity_is_that_of_the_renderer_where_both_read_a_selector() {
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
            let own = list.first().unwrap().specificity();
            let theirs = simplecss::Selector::parse(text).unwrap().specificity();
            assert_eq!(own, theirs.map(usize::from), "{text}");
        }
        for (text, wanted) in [
            (":is(#a, b).c", [1, 1, 0]),
            (":where(#a).c", [0, 1, 0]),
            ("rect:not(.k, .k .k)", [0, 2, 1]),
            ("a ~ b:nth-child(2)", [0, 1, 2]),
        ] {
            let list = parse(text).unwrap();
            assert_eq!(list.first().unwrap().specificity(), wanted, "{text}");
        }
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
