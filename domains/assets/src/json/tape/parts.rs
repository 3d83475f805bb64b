//! Contents of a list or an object of a tape.

use jsonschema::json::{Array, Object};

use super::{At, Entry, Tape, Tapes, look, look_at_name};

/// A list or an object, and the number of its items or members.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a>(pub(super) At<'a>, pub(super) usize);

impl<'a> Object<'a, Tapes> for Parts<'a> {
    type Node = At<'a>;
    type MemberName = &'a str;
    type MembersIter = Members<'a>;

    fn len(&self) -> usize {
        self.1
    }

    fn get(&self, key: &String) -> Option<At<'a>> {
        look(1);
        let mut members = self.members();
        members
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    fn members(&self) -> Members<'a> {
        Members {
            tape: self.0.tape,
            at: self.0.at + 1,
            path: self.0.path,
            left: self.1,
        }
    }
}

impl<'a> Array<'a, Tapes> for Parts<'a> {
    type Node = At<'a>;
    type ElementsIter = Elements<'a>;

    fn len(&self) -> usize {
        self.1
    }

    fn elements(&self) -> Elements<'a> {
        Elements {
            tape: self.0.tape,
            at: self.0.at + 1,
            path: self.0.path + 2,
            left: self.1,
        }
    }
}

/// The members of an object.
#[derive(Clone, Debug)]
pub struct Members<'a> {
    pub(super) tape: &'a Tape<'a>,
    pub(super) at: usize,
    pub(super) path: usize,
    pub(super) left: usize,
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, At<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let Some(Entry::String(key)) = self.tape.0.get(self.at) else {
            return None;
        };
        look_at_name(key.len());
        let value = At {
            tape: self.tape,
            at: self.at + 1,
            path: self.path + key.len() + 1,
        };
        self.at = value.end();
        Some((key, value))
    }
}

/// The values of a list.
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    tape: &'a Tape<'a>,
    at: usize,
    path: usize,
    left: usize,
}

impl<'a> Iterator for Elements<'a> {
    type Item = At<'a>;

    fn next(&mut self) -> Option<At<'a>> {
        self.left = self.left.checked_sub(1)?;
        look(1);
        let value = At {
            tape: self.tape,
            at: self.at,
            path: self.path,
        };
        self.at = value.end();
        Some(value)
    }
}
