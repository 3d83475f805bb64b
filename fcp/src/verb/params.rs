//! Parameters that several verbs share, and the one list that they stand in.

use super::{Binder, Param, Place, Takes};
use crate::domain::Domain;

/// A group of parameters. `#[derive(FcpParams)]` writes it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no group of parameters of `{M}`",
    label = "needs `#[derive(FcpParams)]`",
    note = "a group is a struct whose fields are parameters; a parameter alone has no `#[fcp(flatten)]`"
)]
pub trait Params<M: Domain>: Sized {
    /// The parameters, in the order of the fields.
    const LIST: &'static [Param];

    /// Reads them. `at` is the place of the first in the verb's list. Nothing comes back if one is wrong or missing,
    /// which the binder tells.
    fn bind(binder: &mut Binder<'_, M>, at: usize) -> Option<Self>;
}

/// What a place in a list holds until its parameter is set.
const UNSET: Param = Param {
    name: "",
    aliases: &[],
    place: Place::Key,
    takes: Takes::Value,
    required: false,
    many: false,
    default: None,
    doc: "",
    spec: crate::__private::no_value,
};

/// How many parameters stand in lists.
#[must_use]
pub const fn count(lists: &[&[Param]]) -> usize {
    let (mut count, mut list) = (0, 0);
    while list < lists.len() {
        count += lists[list].len();
        list += 1;
    }
    count
}

/// The parameters of lists in one. It does not compile if they do not go together, or have one of the keys `reserved`.
#[must_use]
#[track_caller]
pub const fn join<const N: usize>(lists: &[&[Param]], reserved: &[&str]) -> [Param; N] {
    let mut all = [UNSET; N];
    let (mut at, mut list) = (0, 0);
    while list < lists.len() {
        let mut ix = 0;
        while ix < lists[list].len() {
            all[at] = lists[list][ix];
            check(&all, at, reserved);
            at += 1;
            ix += 1;
        }
        list += 1;
    }
    all
}

/// Checks a parameter against those before it.
#[track_caller]
const fn check(all: &[Param], at: usize, reserved: &[&str]) {
    let param = &all[at];
    let mut nth = 0;
    while let Some(spelling) = spelling(param, nth) {
        let mut ix = 0;
        while ix < reserved.len() {
            if same(spelling, reserved[ix]) {
                refuse("the runtime takes `", spelling, ":` here itself");
            }
            ix += 1;
        }
        ix = 0;
        while ix < at {
            if spells(&all[ix], spelling) {
                refuse("two parameters are called `", spelling, "`");
            }
            ix += 1;
        }
        nth += 1;
    }
    let mut ix = 0;
    while ix < at {
        let before = &all[ix];
        if matches!((before.takes, param.takes), (Takes::Rows, Takes::Rows)) {
            refuse(
                "an op has one set of selectors, and `",
                before.name,
                "` takes it",
            );
        }
        match (before.place, param.place) {
            (Place::Fields, Place::Fields) => {
                refuse("`", before.name, "` takes all keys that are left already");
            }
            (Place::Rest, Place::Rest | Place::Word(_)) => {
                refuse(
                    "no word is left behind `",
                    before.name,
                    "`, which takes all",
                );
            }
            (Place::Word(_), Place::Word(_)) if param.required && !before.required => refuse(
                "a word that must be given stands behind `",
                before.name,
                "`, which may be left out",
            ),
            _ => {}
        }
        ix += 1;
    }
}

/// Every spelling that a parameter goes by, one after the other. What takes the keys that are left has none.
const fn spelling(param: &Param, nth: usize) -> Option<&'static str> {
    let own = match param.place {
        Place::Fields => return None,
        Place::Word(Some(key)) if !same(key, param.name) => Some(key),
        Place::Word(_) | Place::Key | Place::Rest | Place::Flag => None,
    };
    match (nth, own) {
        (0, _) => Some(param.name),
        (1, Some(key)) => Some(key),
        (nth, own) => {
            let nth = nth - 1 - own.is_some() as usize;
            if nth < param.aliases.len() {
                Some(param.aliases[nth])
            } else {
                None
            }
        }
    }
}

const fn spells(param: &Param, text: &str) -> bool {
    let mut nth = 0;
    while let Some(own) = spelling(param, nth) {
        if same(own, text) {
            return true;
        }
        nth += 1;
    }
    false
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut ix = 0;
    while ix < a.len() {
        if a[ix] != b[ix] {
            return false;
        }
        ix += 1;
    }
    true
}

/// Ends the compilation with a sentence that names a parameter. A constant cannot format, so it is put together here.
#[track_caller]
#[allow(clippy::panic, reason = "this runs in the compiler alone")]
const fn refuse(before: &str, name: &str, after: &str) -> ! {
    let parts = [before.as_bytes(), name.as_bytes(), after.as_bytes()];
    let mut text = [0; 256];
    let (mut len, mut part) = (0, 0);
    while part < parts.len() {
        let mut ix = 0;
        while ix < parts[part].len() && len < text.len() {
            text[len] = parts[part][ix];
            len += 1;
            ix += 1;
        }
        part += 1;
    }
    match std::str::from_utf8(text.split_at(len).0) {
        Ok(text) => panic!("{}", text),
        Err(_) => panic!("the parameters of this verb do not go together"),
    }
}
