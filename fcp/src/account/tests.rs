//! Tests of accounts, with files of a few pieces.

use std::sync::Arc;

use super::{Account, Owner, Pieces, Touched, Unchanged};
use crate::model::{Id, Slot};

#[derive(crate::FcpModel)]
#[fcp(domain = "none", title = "Nothing")]
struct Lines {
    title: Slot<String>,
}

/// A file of rows, one per line: their ids and texts.
fn file(rows: &[(u32, &str)]) -> Pieces {
    let mut out = Pieces::of::<Lines>();
    out.rest(rows.len().to_string());
    for (id, text) in rows {
        out.neighbours("\n");
        out.row(Id::<()>::new(*id), text);
    }
    out
}

fn account(then: &[(u32, &str)], now: &[(u32, &str)], touched: &[u32]) -> Account {
    let then = file(then);
    let mut rows = Touched::default();
    touched.iter().for_each(|id| rows.row(*id));
    Account::of(&then, &file(now), &rows, |owner| format!("{owner:?}"))
}

fn owners(account: &Account) -> Vec<Owner> {
    account.changes.iter().map(|change| change.owner).collect()
}

#[test]
fn equal_files_have_no_changes() {
    let rows = [(1, "one"), (2, "two")];
    let account = account(&rows, &rows, &[]);
    assert!(account.changes.is_empty() && account.faults.is_empty());
    assert_eq!(account.summary(), "bytes: none changed, 9 the same");
}

#[test]
fn a_touched_row_may_differ_and_is_listed() {
    let account = account(
        &[(1, "one"), (2, "two"), (3, "three")],
        &[(1, "one"), (2, "tw0"), (3, "three")],
        &[2],
    );
    assert!(account.faults.is_empty());
    assert_eq!(owners(&account), [Owner::Row(2)]);
    assert_eq!(
        account.summary(),
        "bytes: 1 changed in 1 place, 14 the same"
    );
}

#[test]
fn an_untouched_row_that_differs_is_a_fault() {
    let account = account(
        &[(1, "one"), (2, "two"), (3, "three")],
        &[(1, "one"), (2, "tw0"), (3, "three ")],
        &[2],
    );
    assert_eq!(account.faults.len(), 1);
    assert_eq!(account.faults[0].owner, Owner::Row(3));
}

#[test]
fn a_lost_row_and_a_new_order_of_untouched_rows_are_faults() {
    let then = [(1, "one"), (2, "two"), (3, "three")];
    for now in [
        &[(1, "one"), (3, "three")][..],
        &[(2, "two"), (1, "one"), (3, "three")],
        &[(1, "one"), (2, "two"), (3, "three"), (4, "four")],
    ] {
        assert!(!account(&then, now, &[]).faults.is_empty(), "{now:?}");
        assert!(!account(&then, now, &[7]).faults.is_empty(), "{now:?}");
    }
}

#[test]
fn added_and_removed_rows_are_listed_with_all_their_bytes() {
    let account = account(
        &[(1, "one"), (2, "two"), (3, "three")],
        &[(1, "one"), (3, "three"), (4, "four")],
        &[2, 4],
    );
    assert!(account.faults.is_empty(), "{:?}", account.faults);
    assert_eq!(owners(&account), [Owner::Row(2), Owner::Row(4)]);
    assert_eq!(account.places, 2);
}

#[test]
fn a_moved_row_is_the_only_one_that_differs() {
    let account = account(
        &[(1, "one"), (2, "two"), (3, "three"), (4, "four")],
        &[(3, "three"), (1, "one"), (2, "two"), (4, "four")],
        &[3],
    );
    assert!(account.faults.is_empty(), "{:?}", account.faults);
    assert_eq!(owners(&account), [Owner::Row(3)]);
}

#[test]
fn a_separator_between_untouched_rows_may_not_differ() {
    let then = file(&[(1, "one"), (2, "two")]);
    let mut now = Pieces::of::<Lines>();
    now.rest("2");
    now.neighbours("\n");
    now.row(Id::<()>::new(1), "one");
    now.neighbours("\r\n");
    now.row(Id::<()>::new(2), "two");
    let mut touched = Touched::default();
    touched.row(9);
    let account = Account::of(&then, &now, &touched, |_| String::new());
    assert_eq!(account.faults.len(), 1);
    assert_eq!(account.faults[0].owner, Owner::Neighbours);
}

/// The id of a section, and its rows.
type Part = (u32, &'static [(u32, &'static str)]);

/// A file of sections.
fn sections(sections: &[Part], unchanged: Option<Unchanged>) -> Pieces {
    let mut out = Pieces::of::<Lines>();
    if let Some(unchanged) = unchanged {
        out.set_unchanged(unchanged);
    }
    for (key, rows) in sections {
        out.row(Id::<()>::new(*key), "section");
        out.rest(rows.len().to_string());
        out.section(Id::<()>::new(*key), |out| {
            let mut before = "";
            for (id, text) in *rows {
                out.neighbours(format!("\n{}", before.len()));
                out.row(Id::<()>::new(*id), text);
                before = text;
            }
        });
    }
    out
}

#[test]
fn sections_without_a_touched_row_are_copied_and_the_others_are_compared() {
    let then: [Part; 3] = [
        (1, &[(11, "one"), (12, "two")]),
        (2, &[(21, "three"), (22, "four")]),
        (3, &[]),
    ];
    let base = Arc::new(sections(&then, None));
    type Case<'a> = (&'a [Part], &'a [u32], &'a [u32], &'a [Owner]);
    let cases: [Case<'_>; 5] = [
        (&then, &[], &[], &[]),
        // Changed, and removed at the start of its section.
        (
            &[then[0], (2, &[(21, "3"), (22, "four")]), then[2]],
            &[21],
            &[21, 2],
            &[Owner::Row(21)],
        ),
        (
            &[(1, &[(12, "two")]), then[1], then[2]],
            &[11],
            &[11],
            &[Owner::Rest, Owner::Row(11)],
        ),
        // Added in an empty section, and moved from one to another.
        (
            &[then[0], then[1], (3, &[(31, "five")])],
            &[31],
            &[31, 3],
            &[Owner::Rest, Owner::Row(31)],
        ),
        (
            &[
                (1, &[(12, "two")]),
                (2, &[(21, "three"), (22, "four"), (11, "one")]),
                then[2],
            ],
            &[11],
            &[11, 2],
            &[Owner::Rest, Owner::Row(11)],
        ),
    ];
    for (now, touched, inside, owned) in cases {
        let mut rows = Touched::default();
        touched.iter().for_each(|id| rows.row(*id));
        let unchanged = Unchanged::of(&base, &rows, &inside.iter().copied().collect());
        let copied = sections(now, Some(unchanged));
        let written = sections(now, None);
        assert_eq!(copied.file(), written.file(), "{now:?}");
        let name = |owner| format!("{owner:?}");
        let account = Account::of(&base, &copied, &rows, name);
        let whole = Account::of(&base, &written, &rows, name);
        assert!(account.faults.is_empty(), "{now:?}: {:?}", account.faults);
        let mut seen = owners(&account);
        seen.sort_by_key(|owner| format!("{owner:?}"));
        assert_eq!(seen, owned, "{now:?}");
        assert_eq!(account.summary(), whole.summary(), "{now:?}");
    }
}

#[test]
fn whitespace_that_a_removed_row_hands_to_the_next_is_the_same() {
    let (then, now) = ([(1, "\n one"), (2, "two")], [(2, "\n two")]);
    let file = |rows: &[(u32, &str)]| {
        let mut out = Pieces::of::<Lines>();
        for (id, text) in rows {
            out.row(Id::<()>::new(*id), text);
        }
        out
    };
    for (then, now, sign) in [(&then[..], &now[..], "gone"), (&now, &then, "new")] {
        let mut touched = Touched::default();
        [1, 2].into_iter().for_each(|id| touched.row(id));
        let account = Account::of(&file(then), &file(now), &touched, |owner| {
            format!("{owner:?}")
        });
        assert_eq!(owners(&account), [Owner::Row(1)], "{sign}");
        let bytes = [account.gone_bytes, account.new_bytes, account.same_bytes];
        let wanted = if sign == "gone" { [3, 0, 5] } else { [0, 3, 5] };
        assert_eq!(bytes, wanted, "{sign}");
        // The claimed bytes are those of the row, without the whitespace that stays.
        let change = &account.changes[0];
        let claimed = [change.before.first(), change.after.first()];
        let row = Some(&(2..5));
        let wanted = if sign == "gone" {
            [row, None]
        } else {
            [None, row]
        };
        assert_eq!(claimed, wanted, "{sign}");
    }
}

/// The id of a section, that of the row whose content it holds, and the rows in it.
type Held = (u32, u32, &'static [(u32, &'static str)]);

/// Sections, the rows that no op changed, the owners of changes, and the line about bytes.
type Moved<'m> = (&'m [Held], &'m [u32], &'m [Owner], &'m str);

#[test]
fn a_section_that_moved_is_one_change_and_others_stay() {
    let file = |sections: &[Held]| {
        let mut out = Pieces::of::<Lines>();
        out.part("title", "all ");
        for (key, of, rows) in sections {
            out.row(Id::<()>::new(*key), "section ");
            out.rest(rows.len().to_string());
            out.section_of(Id::<()>::new(*key), Some(Id::<()>::new(*of)), |out| {
                for (id, text) in *rows {
                    out.neighbours(";");
                    out.row(Id::<()>::new(*id), text);
                }
                out.neighbours(".");
            });
        }
        out.part("title", " end");
        out
    };
    let (a, b, c) = (
        &[(11, "one"), (12, "two")],
        &[(21, "three")],
        &[(31, "four"), (32, "five"), (33, "six")],
    );
    let then: [Held; 3] = [(1, 101, a), (2, 102, b), (3, 103, c)];
    let base = file(&then);
    let moved = [Owner::Row(103)];
    let cases: [Moved; 5] = [
        (
            &[(1, 103, c), (2, 101, a), (3, 102, b)],
            &[],
            &moved,
            "bytes: 24 changed in 2 places, 42 the same",
        ),
        (
            &[(1, 101, a), (2, 103, c), (3, 102, b)],
            &[],
            &moved,
            "bytes: 24 changed in 2 places, 42 the same",
        ),
        // A row of it changed too, and one of a section that stayed.
        (
            &[
                (1, 103, &[(31, "four"), (32, "5"), (33, "six")]),
                (2, 101, &[(11, "one"), (12, "2")]),
                (3, 102, b),
            ],
            &[],
            &[Owner::Row(103), Owner::Row(12), Owner::Row(32)],
            "bytes: 27 changed in 3 places, 39 the same",
        ),
        // A row that no op changed differs in a section that moved, or in one that stayed.
        (
            &[
                (1, 103, &[(31, "4"), (32, "five"), (33, "six")]),
                (2, 101, a),
                (3, 102, b),
            ],
            &[31],
            &[],
            "",
        ),
        (
            &[
                (1, 103, c),
                (2, 101, &[(11, "1"), (12, "two")]),
                (3, 102, b),
            ],
            &[11],
            &[],
            "",
        ),
    ];
    for (now, untouched, owned, summary) in cases {
        let mut rows = Touched::default();
        let all = [1, 2, 3, 11, 12, 21, 31, 32, 33, 101, 102, 103];
        let touched = all.iter().filter(|id| !untouched.contains(id));
        touched.for_each(|id| rows.row(*id));
        let account = Account::of(&base, &file(now), &rows, |owner| format!("{owner:?}"));
        let faults: Vec<Owner> = account.faults.iter().map(|fault| fault.owner).collect();
        let wanted: Vec<Owner> = untouched.iter().map(|id| Owner::Row(*id)).collect();
        assert_eq!(faults, wanted, "{now:?}");
        if untouched.is_empty() {
            let mut seen = owners(&account);
            seen.sort_by_key(|owner| format!("{owner:?}"));
            let mut owned = owned.to_vec();
            owned.sort_by_key(|owner| format!("{owner:?}"));
            assert_eq!(seen, owned, "{now:?}");
            assert_eq!(account.summary(), summary, "{now:?}");
            let account = account.with_bytes(&base, &file(now));
            // Outside of the changes, both files are equal.
            let rest = |bytes: &[u8], ranges: Vec<std::ops::Range<usize>>| -> Vec<u8> {
                let kept = bytes.iter().enumerate();
                let kept = kept.filter(|(at, _)| !ranges.iter().any(|range| range.contains(at)));
                kept.map(|(_, byte)| *byte).collect()
            };
            let changes = || account.changes.iter();
            assert_eq!(
                rest(
                    &account.before,
                    changes().flat_map(|own| own.before.clone()).collect()
                ),
                rest(
                    &account.after,
                    changes().flat_map(|own| own.after.clone()).collect()
                ),
                "{now:?}"
            );
        }
    }
}

#[test]
fn the_bytes_of_a_row_follow_the_section_that_it_has_now() {
    let file = |order: [(u32, &str); 3]| {
        let mut out = Pieces::of::<Lines>();
        for (key, (of, text)) in (1..).zip(order) {
            out.row(Id::<()>::new(key), "section ");
            out.section_of(Id::<()>::new(key), Some(Id::<()>::new(of)), |out| {
                out.row(Id::<()>::new(of + 10), text);
                out.row(Id::<()>::new(key), ".");
            });
        }
        out
    };
    let (a, b, c) = ((101, "one"), (102, "three"), (103, "sixteen"));
    let (before, after) = (file([a, b, c]), file([c, a, b]));
    let mut touched = Touched::default();
    touched.row(1);
    let of = |file: &Pieces, ranges: Vec<std::ops::Range<usize>>| -> Vec<(usize, String)> {
        let bytes = |at: std::ops::Range<usize>| String::from_utf8(file.content()[at].to_vec());
        let ranges = ranges.into_iter();
        ranges.map(|at| (at.start, bytes(at).unwrap())).collect()
    };
    let (then, now) = touched.in_both(&before, &after);
    let pieces = |at: [usize; 2]| vec![(at[0], "section ".to_owned()), (at[1], ".".to_owned())];
    // The third section, which comes first.
    assert_eq!(of(&before, then), pieces([26, 41]));
    assert_eq!(of(&after, now), pieces([0, 15]));
}
