//! JSON for a validator: the values of a text in sequence, in one list.
//!
//! Building it costs little more than reading the text: only strings with escapes are copied.

mod budget;
mod parts;

use std::borrow::Cow;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json as Judged, Node, NodeIdentity, Object};
use jsonschema_value::LazyInstance;
use serde_json::{Number, Value};

use super::read::{Reader, whole};
use super::{Fault, Json};
pub use budget::{BACKTRACKS, Costs, Ended, look_deeper, within};
use budget::{look, look_at_name, look_at_text, look_for_error, look_for_pattern};
use parts::{Members, Parts};

/// Objects of up to this many members are checked for equal keys by comparing all pairs.
const FEW: usize = 16;

/// The values of a text, each before its contents. Each look of a validator at one of them is
/// [counted](within).
#[derive(Debug)]
pub struct Tape<'s>(Vec<Entry<'s>>);

/// A value. An object contains its members, each key before its value.
#[derive(Debug)]
enum Entry<'s> {
    Null,
    Bool(bool),
    /// As written.
    Number(&'s str),
    String(Cow<'s, str>),
    /// The number of values or members in it, and the index after the last.
    Array(usize, usize),
    Object(usize, usize),
}

impl<'s> Tape<'s> {
    /// Reads a text as [`read()`](super::read()) does, without the top-level members that are left
    /// out; `None` if an object has equal keys.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn read(text: &'s str, left_out: &dyn Fn(&str) -> bool) -> Result<Option<Self>, Fault> {
        let mut tape = Self(Vec::with_capacity(text.len() / 12));
        let distinct = whole(text, |reader| tape.value(reader, left_out))?;
        Ok(distinct.then_some(tape))
    }

    /// A value without the top-level members that are left out. Members are ordered by key.
    #[must_use]
    pub fn of(json: &'s Json<'_>, left_out: &dyn Fn(&str) -> bool) -> Self {
        let mut tape = Self(Vec::new());
        tape.add(json, left_out);
        tape
    }

    /// The outermost value.
    #[must_use]
    pub fn root(&self) -> At<'_> {
        At {
            tape: self,
            at: 0,
            path: 0,
        }
    }

    /// The number of values and keys.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Recursion is bounded by the depth of the parsed text.
    fn add(&mut self, json: &'s Json<'_>, left_out: &dyn Fn(&str) -> bool) {
        let entry = match json {
            Json::Null => Entry::Null,
            Json::Bool(given) => Entry::Bool(*given),
            Json::Number(text) => Entry::Number(text),
            Json::String(text) => Entry::String(Cow::Borrowed(text)),
            Json::Array(items) => {
                let at = self.open();
                items.iter().for_each(|item| self.add(item, &|_| false));
                return self.close(at, Entry::Array(items.len(), self.0.len()));
            }
            Json::Object(members) => {
                let at = self.open();
                let members = members.iter().filter(|(key, _)| !left_out(key));
                let mut members: Vec<_> = members.collect();
                members.sort_unstable_by_key(|(key, _)| *key);
                let count = members.len();
                for (key, value) in members {
                    self.0.push(Entry::String(Cow::Borrowed(key)));
                    self.add(value, &|_| false);
                }
                return self.close(at, Entry::Object(count, self.0.len()));
            }
        };
        self.0.push(entry);
    }

    /// Reads a value. Returns whether all keys are distinct. Recursion is bounded by the allowed
    /// depth.
    fn value(
        &mut self,
        reader: &mut Reader<'s>,
        left_out: &dyn Fn(&str) -> bool,
    ) -> Result<bool, Fault> {
        let entry = match reader.peek() {
            Some(b'{') => return reader.inside(|reader| self.object(reader, left_out)),
            Some(b'[') => return reader.inside(|reader| self.array(reader)),
            Some(b'"') => Entry::String(reader.string()?),
            _ => match reader.scalar()? {
                Json::Bool(given) => Entry::Bool(given),
                Json::Number(Cow::Borrowed(text)) => Entry::Number(text),
                _ => Entry::Null,
            },
        };
        self.0.push(entry);
        Ok(true)
    }

    fn array(&mut self, reader: &mut Reader<'s>) -> Result<bool, Fault> {
        let (at, mut count, mut distinct) = (self.open(), 0, true);
        reader.items(b']', "a comma or ] is expected", |reader| {
            count += 1;
            distinct &= self.value(reader, &|_| false)?;
            Ok(())
        })?;
        self.close(at, Entry::Array(count, self.0.len()));
        Ok(distinct)
    }

    fn object(
        &mut self,
        reader: &mut Reader<'s>,
        left_out: &dyn Fn(&str) -> bool,
    ) -> Result<bool, Fault> {
        let (at, mut count, mut distinct) = (self.open(), 0, true);
        reader.items(b'}', "a comma or } is expected", |reader| {
            let key = reader.key(Reader::string)?;
            let (leave, from) = (left_out(&key), self.0.len());
            self.0.push(Entry::String(key));
            distinct &= self.value(reader, &|_| false)?;
            if leave {
                self.0.truncate(from);
            } else {
                count += 1;
            }
            Ok(())
        })?;
        self.close(at, Entry::Object(count, self.0.len()));
        Ok(distinct && self.is_distinct(at, count))
    }

    /// Reserves an entry for an object or a list.
    fn open(&mut self) -> usize {
        self.0.push(Entry::Null);
        self.0.len() - 1
    }

    fn close(&mut self, at: usize, entry: Entry<'s>) {
        if let Some(open) = self.0.get_mut(at) {
            *open = entry;
        }
    }

    /// Whether the keys of an object are distinct.
    fn is_distinct(&self, at: usize, count: usize) -> bool {
        let keys = Members {
            tape: self,
            at: at + 1,
            path: 0,
            left: count,
        };
        if count <= FEW {
            let mut rest = keys;
            while let Some((key, _)) = rest.next() {
                if rest.clone().any(|(other, _)| other == key) {
                    return false;
                }
            }
            return true;
        }
        let mut keys: Vec<&str> = keys.map(|(key, _)| key).collect();
        keys.sort_unstable();
        keys.is_sorted_by(|one, next| one != next)
    }
}

/// A value of a tape.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    tape: &'a Tape<'a>,
    at: usize,
    /// The approximate length of its path.
    path: usize,
}

impl<'a> At<'a> {
    fn entry(self) -> &'a Entry<'a> {
        look(1);
        self.raw()
    }

    fn raw(self) -> &'a Entry<'a> {
        self.tape.0.get(self.at).unwrap_or(&Entry::Null)
    }

    /// The index after it.
    fn end(self) -> usize {
        match self.raw() {
            Entry::Array(_, end) | Entry::Object(_, end) => *end,
            _ => self.at + 1,
        }
    }

    /// The value at a path from here.
    #[must_use]
    pub fn below(self, keys: &[String]) -> Option<Self> {
        keys.iter().try_fold(self, |at, key| match at.raw() {
            Entry::Object(count, _) => Parts(at, *count).get(key),
            Entry::Array(count, _) => {
                let ix = super::pointer_index(key, *count)?;
                Parts(at, *count).elements().nth(ix)
            }
            _ => None,
        })
    }
}

/// The validator's access to a tape.
pub struct Tapes;

impl Judged for Tapes {
    type Node<'a> = At<'a>;
    type PreparedKey = String;
    type StringBuffer = TextBuffer;

    // A lookup goes through the members one by one.
    const KEYS_PER_LOOKUP: usize = 8;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(
        buffer: &mut TextBuffer,
        string: &str,
        f: impl FnOnce(At<'_>) -> T,
    ) -> T {
        look_at_text(string.len());
        buffer.0.0 = vec![Entry::String(Cow::Owned(string.to_owned()))];
        f(buffer.0.root())
    }
}

/// A string by itself.
pub struct TextBuffer(Tape<'static>);

impl Default for TextBuffer {
    fn default() -> Self {
        Self(Tape(Vec::new()))
    }
}

impl<'a> Node<'a, Tapes> for At<'a> {
    type Object = Parts<'a>;
    type Array = Parts<'a>;
    type Number = Number;

    fn as_object(&self) -> Option<Parts<'a>> {
        match self.entry() {
            Entry::Object(count, _) => Some(Parts(*self, *count)),
            _ => None,
        }
    }

    fn as_array(&self) -> Option<Parts<'a>> {
        match self.entry() {
            Entry::Array(count, _) => Some(Parts(*self, *count)),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self.entry() {
            Entry::String(text) => {
                look_for_pattern(text.len());
                Some(Cow::Borrowed(text))
            }
            _ => None,
        }
    }

    fn string_length(&self) -> Option<u64> {
        match self.entry() {
            Entry::String(text) => {
                look_at_text(text.len());
                Some(text.chars().count() as u64)
            }
            _ => None,
        }
    }

    fn as_number(&self) -> Option<Number> {
        match self.entry() {
            Entry::Number(text) => Some(number(text)),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self.entry() {
            Entry::Bool(given) => Some(*given),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self.entry(), Entry::Null)
    }

    fn is_number(&self) -> bool {
        matches!(self.entry(), Entry::Number(_))
    }

    fn json_type(&self) -> JsonType {
        match self.entry() {
            Entry::Null => JsonType::Null,
            Entry::Bool(_) => JsonType::Boolean,
            Entry::Number(_) => JsonType::Number,
            Entry::String(_) => JsonType::String,
            Entry::Array(..) => JsonType::Array,
            Entry::Object(..) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match (self.entry(), expected) {
            (Entry::String(text), expected) => expected.as_str() == Some(text),
            (Entry::Null, expected) => expected.is_null(),
            (Entry::Bool(given), expected) => expected.as_bool() == Some(*given),
            _ => jsonschema::json::cmp::equal(&self.to_value(), expected),
        }
    }

    /// Recursion is bounded by the depth of the parsed text.
    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(match self.entry() {
            Entry::Null => Value::Null,
            Entry::Bool(given) => Value::Bool(*given),
            Entry::Number(text) => Value::Number(number(text)),
            Entry::String(text) => Value::String(text.clone().into_owned()),
            Entry::Array(count, _) => {
                let items = Parts(*self, *count).elements();
                Value::Array(items.map(|item| item.to_value().into_owned()).collect())
            }
            Entry::Object(count, _) => {
                let members = Parts(*self, *count).members();
                let members =
                    members.map(|(key, value)| (key.to_owned(), value.to_value().into_owned()));
                Value::Object(members.collect())
            }
        })
    }

    /// An error carries only the length of its value: that of a string in characters, of a list or
    /// an object in items. The value itself is in the asset.
    fn lazy_value(&self) -> LazyInstance<'a> {
        look_for_error(self.path);
        let length = match self.raw() {
            Entry::String(text) => {
                look_at_text(text.len());
                text.chars().count()
            }
            Entry::Array(count, _) | Entry::Object(count, _) => *count,
            _ => 0,
        };
        LazyInstance::Ready(Cow::Owned(length.into()))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        look_deeper(1);
        let tag = u32::try_from(self.at).ok()?;
        Some(NodeIdentity::tagged(self.tape.0.as_ptr() as usize, tag))
    }
}

/// A number for the validator: whole 64-bit numbers as such, others as doubles.
fn number(text: &str) -> Number {
    // The text was parsed as a number before.
    text.parse().unwrap_or_else(|_| 0.into())
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    const TEXTS: [&str; 9] = [
        "null",
        " [ ] ",
        "{}",
        "-1.50e3",
        r#""a\u00e9\n""#,
        r#"[1, [2, {"a": []}], "x", true]"#,
        r#"{"b": {"d": [null, false]}, "a": 18446744073709551615, "c": {}}"#,
        r#"{"$schema": "x", "a": {"$schema": 1}}"#,
        "[[[[0]]]]",
    ];

    #[test]
    fn a_tape_holds_what_its_text_says() {
        for text in TEXTS {
            let json = read(text).unwrap();
            let tape = Tape::read(text, &|_| false).unwrap().unwrap();
            assert_eq!(*tape.root().to_value(), json.to_value(), "{text}");
            assert_eq!(
                *Tape::of(&json, &|_| false).root().to_value(),
                json.to_value()
            );
        }
    }

    #[test]
    fn members_at_the_top_can_be_left_out() {
        let (text, left_out) = (TEXTS[7], |key: &str| key == "$schema");
        let left = serde_json::json!({ "a": { "$schema": 1 } });
        let tape = Tape::read(text, &left_out).unwrap().unwrap();
        assert_eq!(*tape.root().to_value(), left);
        let json = read(text).unwrap();
        assert_eq!(*Tape::of(&json, &left_out).root().to_value(), left);
    }

    #[test]
    fn a_duplicate_key_is_noticed_at_any_depth() {
        let crowd: Vec<String> = (0..40).map(|n| format!("\"{}\":0", n % 39)).collect();
        let crowd = format!("{{{}}}", crowd.join(","));
        for text in [
            r#"{"a":1,"b":2,"a":3}"#,
            r#"[{"x":{"a":1,"\u0061":2}}]"#,
            &crowd,
        ] {
            assert!(Tape::read(text, &|_| false).unwrap().is_none(), "{text}");
        }
    }

    #[test]
    fn it_is_as_strict_as_reading_is() {
        let deep = format!("{}{}", "[".repeat(129), "]".repeat(129));
        for text in [
            "",
            "[1,]",
            "{\"a\" 1}",
            "1 2",
            "1e999",
            "\"\\ud800\"",
            &deep,
        ] {
            assert_eq!(
                Tape::read(text, &|_| false).err(),
                read(text).err(),
                "{text}"
            );
        }
    }
}
