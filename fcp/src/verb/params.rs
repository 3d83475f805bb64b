//! Parameters that several verbs share, and their joined list.

use super::{Binder, Group, Param, Place, Takes};
use crate::domain::Domain;
use crate::value::ValueSpec;

/// A group of parameters. `#[derive(FcpParams)]` writes it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a parameter group of `{M}`",
    label = "needs `#[derive(FcpParams)]`",
    note = "a group is a struct whose fields are parameters; a parameter alone has no `#[fcp(flatten)]`"
)]
pub trait Params<M: Domain>: Sized {
    /// The parameters, in the order of the fields.
    const LIST: &'static [Param];

    /// Reads them. `at` is the index of the first in the verb's list. `None` if one is wrong or
    /// missing, which the binder reports.
    fn bind(binder: &mut Binder<'_, M>, at: usize) -> Option<Self>;
}

/// The content of a list entry before its parameter is set.
const UNSET: Param = Param {
    name: "",
    aliases: &[],
    place: Place::Key,
    takes: Takes::Value,
    required: false,
    many: false,
    default: None,
    doc: "",
    spec: || ValueSpec::new("", ""),
    group: None,
};

/// The parameters of a group, marked with it.
#[must_use]
pub const fn grouped<const N: usize>(group: Group, mut list: [Param; N]) -> [Param; N] {
    let mut at = 0;
    while at < N {
        list[at].group = Some(group);
        at += 1;
    }
    list
}

/// The number of parameters in the lists.
#[must_use]
pub const fn count(lists: &[&[Param]]) -> usize {
    let (mut count, mut list) = (0, 0);
    while list < lists.len() {
        count += lists[list].len();
        list += 1;
    }
    count
}

/// Joins lists of parameters.
#[must_use]
pub const fn join<const N: usize>(lists: &[&[Param]]) -> [Param; N] {
    let mut all = [UNSET; N];
    let (mut at, mut list) = (0, 0);
    while list < lists.len() {
        let mut ix = 0;
        while ix < lists[list].len() {
            all[at] = lists[list][ix];
            at += 1;
            ix += 1;
        }
        list += 1;
    }
    all
}

/// Fails to compile if a parameter of the list `nth` conflicts with those of the lists before, or
/// has one of the keys `reserved`. Conflicts within a list are found when that list is written.
#[track_caller]
pub const fn agree(lists: &[&[Param]], nth: usize, reserved: &[&str]) {
    let mut ix = 0;
    while ix < lists[nth].len() {
        let param = &lists[nth][ix];
        let mut key = 0;
        while key < reserved.len() {
            if spells(param, reserved[key]) {
                let key = reserved[key];
                refuse(&[
                    "the runtime takes `",
                    key,
                    ":` here itself; call it something else",
                ]);
            }
            key += 1;
        }
        let mut list = 0;
        while list < nth {
            let mut at = 0;
            while at < lists[list].len() {
                pair(&lists[list][at], param);
                at += 1;
            }
            list += 1;
        }
        ix += 1;
    }
}

/// Checks a parameter against an earlier one.
#[track_caller]
const fn pair(before: &Param, param: &Param) {
    let mut nth = 0;
    while let Some(spelling) = spelling(param, nth) {
        if spells(before, spelling) {
            let legal = "` already; call one of them something else: `#[fcp(key = \"…\")]`";
            refuse(&["`", spelling, "` is the parameter `", before.name, legal]);
        }
        nth += 1;
    }
    if matches!((before.takes, param.takes), (Takes::Rows, Takes::Rows)) {
        let legal = "` takes it; name other rows by `Ref<T>`";
        refuse(&["an op has one set of selectors, and `", before.name, legal]);
    }
    match (before.place, param.place) {
        (Place::Fields, Place::Fields) => {
            let legal = "` takes all keys that are left already; leave one of them out";
            refuse(&["`", before.name, legal]);
        }
        (Place::Rest, Place::Rest) => {
            let legal = "` takes all words that are left already; leave one of them out";
            refuse(&["`", before.name, legal]);
        }
        (Place::Rest, Place::Word(_)) => {
            let legal = "`, which takes all; put it before";
            refuse(&[
                "no word is left for `",
                param.name,
                "` after `",
                before.name,
                legal,
            ]);
        }
        (Place::Word(_), Place::Word(_)) if param.required && !before.required => {
            let legal = "`, which may be left out; put it before, or make it a key";
            refuse(&[
                "`",
                param.name,
                "` must be given, but comes after `",
                before.name,
                legal,
            ]);
        }
        _ => {}
    }
}

/// Every spelling of a parameter, one after the other. A parameter that takes the remaining keys
/// has none.
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

/// Ends the compilation with a sentence that names a parameter. A constant cannot format, so the
/// text is put together here. Caller tracking keeps this file's places out of the message.
#[track_caller]
#[allow(clippy::panic, reason = "this runs in the compiler alone")]
const fn refuse(parts: &[&str]) -> ! {
    let mut text = [0; 256];
    let (mut len, mut part) = (0, 0);
    while part < parts.len() {
        let bytes = parts[part].as_bytes();
        let mut ix = 0;
        while ix < bytes.len() && len < text.len() {
            text[len] = bytes[ix];
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
