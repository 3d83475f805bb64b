//! Parsing borrows: it allocates only the list of words, and text if a word differs from its
//! source.

// Counting allocations requires an allocator, which requires unsafe code.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use fcp::op::{parse, parse_action, quote, split_verb};

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations<T>(work: impl FnOnce() -> T) -> usize {
    let before = COUNT.get();
    let result = work();
    let after = COUNT.get();
    drop(result);
    after - before
}

#[test]
fn an_op_without_escapes_allocates_its_list() {
    for (op, most) in [
        ("undo", 0),
        ("note Piano C4 at:1.1 dur:quarter vel:mf", 1),
        ("  note\tPiano\nC4  ", 1),
        (
            "connect \"Auth Service\" -> db:Orders <-> X -- Y label:\"reads from\" style:'a b'",
            1,
        ),
        (
            "remove @track:Piano @not:pitch:C4 @all @track:\"Two Words\" @not:track:'Two Words'",
            1,
        ),
        ("fill Sheet2!A1:B10 =SUM(A1:B2) A1:F1 1:5 \"\" k:\"\"", 1),
        ("add \"C:\\Program Files\\x\" path:\"a\\.b\"", 1),
        ("добавить \"Два слова\" имя:x @тип:б", 1),
    ] {
        assert_eq!(allocations(|| parse(op).unwrap()), most, "{op}");
    }
}

#[test]
fn a_word_that_differs_from_its_source_allocates_itself() {
    for (op, most) in [
        ("add \"a\\nb\"", 2),
        ("add k:\"a\\nb\" \"c\" @name:\"\\u{e9}\"", 3),
        ("ADD x", 2),
        ("add @Track:x", 2),
        ("add on:track:\"Two Words\"", 2),
    ] {
        assert_eq!(allocations(|| parse(op).unwrap()), most, "{op}");
    }
}

#[test]
fn an_action_allocates_no_more_than_an_op() {
    assert_eq!(
        allocations(|| parse_action("open:./a.mid,./b.mid").unwrap()),
        1
    );
    assert_eq!(allocations(|| parse_action("save as:./b.mid").unwrap()), 1);
}

#[test]
fn free_text_after_a_verb_allocates_nothing() {
    assert_eq!(
        allocations(|| split_verb("find 6\" pipe, \"bent").unwrap()),
        0
    );
}

#[test]
fn a_long_op_allocates_a_growing_list_and_no_words() {
    let op = "note ".repeat(4096);
    assert!(allocations(|| parse(&op).unwrap()) <= 8);
}

#[test]
fn a_word_that_needs_no_quotes_is_borrowed() {
    assert_eq!(allocations(|| quote("Piano")), 0);
    assert_eq!(allocations(|| quote("Grand Piano")), 1);
}
