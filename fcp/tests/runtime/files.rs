//! Open, save, export.

use std::fs;

use fcp::prelude::*;

use super::Play;
use super::board::{Board, Card};

/// Note on a card what a file says.
///
/// ```fcp
/// # add lane Todo
/// # add card Paint in:Todo
/// # ! save as:./walls.board
/// jot Paint file:walls.board
/// > * Paint: …
/// jot Paint file:wall.board
/// > ! file "wall.board" not found
/// >   try: jot Paint file:walls.board
/// ```
#[fcp_verb(category = "Cards")]
pub fn jot(
    board: &mut Board,
    /// The card.
    #[fcp(positional)]
    card: Ref<Card>,
    /// The file.
    file: FileBytes,
) -> Result<Reply> {
    let text = String::from_utf8_lossy(file.bytes()).trim().to_owned();
    let reply = changed!("{}: {text}", board.cards.need(card.id())?.name);
    let note = Some(Text::new(text));
    board.cards.modify(card.id(), |card| card.note = note);
    Ok(reply)
}

#[test]
fn an_op_reads_the_file_it_names_once() {
    let mut play = Play::new();
    fs::write(play.file("walls.txt"), "white\n").unwrap();
    assert_eq!(play.ok("jot Paint file:walls.txt"), "* Paint: white");
    let digest = play.digest();
    play.act("undo");
    fs::remove_file(play.file("walls.txt")).unwrap();
    play.act("redo");
    assert_eq!(play.digest(), digest);
    fs::write(play.file("walls.txt"), "blue").unwrap();
    for (file, wanted) in [
        (
            "wals.txt",
            "! file \"wals.txt\" not found\n  try: jot Paint file:walls.txt",
        ),
        ("../walls.txt", "! path leaves the root: \"../walls.txt\""),
        ("/etc/passwd", "! path leaves the root: \"/etc/passwd\""),
        (".", "! \".\" is a folder"),
    ] {
        let error = play.err(&format!("jot Paint file:{file}"));
        assert!(error.starts_with(wanted), "{error}");
        assert_eq!(play.digest(), digest);
    }
    let plan = play.ask("plan jot Paint file:walls.txt");
    assert!(plan.starts_with("* Paint: blue\n"), "{plan}");
}

#[test]
fn save_and_open_take_a_path_either_way() {
    let mut play = Play::new();
    let digest = play.digest();
    assert_eq!(
        play.act_err("save"),
        "! the document has no file yet\n  try: save as:./untitled.board"
    );
    assert!(
        play.act("save as:./a.board")
            .starts_with("* Saved ./a.board (")
    );
    assert!(play.ask("status").contains("unsaved changes: no"));
    play.act("save");
    play.act("save \"./b c.board\"");
    play.act("save as:\"./d e.board\"");
    for action in [
        "open a.board",
        "open:a.board",
        "OPEN ./a.board",
        "open \"b c.board\"",
        "open:\"d e.board\"",
        "open path:a.board",
        "open file:a.board",
    ] {
        let text = play.act(action);
        assert!(text.starts_with("+ Opened "), "{text}");
        assert!(text.ends_with(&digest), "{text}");
        assert_eq!(play.ask("history"), "nothing was done yet");
    }
    assert!(
        play.act_err("open a.board b.board").contains("\n  "),
        "one path"
    );
    let error = play.act_err("open b c.board");
    assert!(error.ends_with("try: open \"b c.board\""), "{error}");
    let error = play.act_err("open path:a.board file:b.board");
    assert!(error.contains("one path"), "{error}");
    assert!(play.act_err("open").ends_with("syntax: open PATH"));
}

#[test]
fn a_file_that_cannot_be_opened_leaves_the_document() {
    let mut play = Play::new();
    let digest = play.digest();
    fs::write(play.file("bad.board"), "no board").unwrap();
    play.act("save as:./good.board");
    assert!(play.act_err("open bad.board").contains("is not a board"));
    let error = play.act_err("open godo.board format:board");
    assert!(
        error.ends_with("try: open good.board format:board"),
        "{error}"
    );
    assert!(
        play.act_err("open ../../etc/passwd")
            .contains("leaves the root")
    );
    let error = play.act_err("open good.board format:bord");
    assert!(
        error.ends_with("try: open good.board format:board"),
        "{error}"
    );
    assert_eq!(play.digest(), digest);
}

#[test]
fn the_file_limit_is_named_with_its_setting() {
    let mut play = Play::new();
    fs::write(play.file("big.board"), vec![b' '; 2 * 1024 * 1024 + 1]).unwrap();
    play.act("set file-limit:1");
    let error = play.act_err("open big.board");
    assert!(
        error.contains("over the limit of 1 MiB") && error.contains("file-limit"),
        "{error}"
    );
    assert!(error.ends_with("try: set file-limit:3"), "{error}");
}

#[test]
fn a_path_after_an_equals_sign_is_not_part_of_the_name() {
    let mut play = Play::new();
    assert_eq!(
        play.act_err("save as=./a.board"),
        "! as=./a.board has = instead of :\n  try: save as:./a.board"
    );
    play.act("save as:./a.board");
    assert_eq!(
        play.act_err("open path=./a.board"),
        "! path=./a.board has = instead of :\n  try: open path:./a.board"
    );
    play.act("save \"as=b.board\"");
    assert!(play.file("as=b.board").exists());
}

#[test]
fn save_refuses_to_overwrite_unknown_files() {
    let mut play = Play::new();
    play.act("save as:./a.board");
    fs::write(play.file("b.board"), "other").unwrap();
    let error = play.act_err("save as:./b.board format:board");
    assert_eq!(
        error,
        "! \"./b.board\" exists already; force overwrites it\n  try: save as:./b-2.board format:board"
    );
    fs::write(play.file("a.board"), "changed").unwrap();
    play.ok("zoom 3");
    let error = play.act_err("save");
    assert_eq!(
        error,
        "! \"./a.board\" changed on disk since it was opened; force overwrites it\n  try: save as:./a-2.board"
    );
    assert!(play.ask("status").contains("unsaved changes: yes"));
    assert_eq!(fs::read_to_string(play.file("a.board")).unwrap(), "changed");
    let reply = play.act("save force");
    assert!(
        reply.contains("replaced ./a.board as it was on disk: it had changed since it was opened"),
        "{reply}"
    );
    assert!(play.ask("status").contains("unsaved changes: no"));
    play.ok("zoom 4");
    assert!(!play.act("save force").contains("replaced"));
    fs::remove_file(play.file("a.board")).unwrap();
    assert!(play.act_err("save").ends_with("try: save force"));
}

#[test]
fn save_after_new_never_overwrites_the_opened_file() {
    let mut play = Play::new();
    play.act("save as:./a.board");
    play.act("new");
    assert!(play.act_err("save").contains("has no file yet"));
    assert!(play.act_err("save as:./a.board").contains("exists already"));
}

#[test]
fn a_failed_save_keeps_the_old_path() {
    let mut play = Play::new();
    play.act("save as:./a.board");
    play.ok("zoom 3");
    let error = play.act_err("save as:./nowhere/b.board");
    assert!(error.contains("no folder"), "{error}");
    assert!(error.ends_with("try: save as:./b.board"), "{error}");
    let error = play.act_err("save as:./x.zzz");
    assert!(error.ends_with("try: save as:./x.board"), "{error}");
    let error = play.act_err("save as:./x.zzz force");
    assert!(error.ends_with("try: save as:./x.board force"), "{error}");
    let error = play.act_err("save ./x");
    assert!(error.ends_with("try: save ./x.board"), "{error}");
    let status = play.ask("status");
    assert!(
        status.starts_with("file: ./a.board (board)\nunsaved changes: yes"),
        "{status}"
    );
}

#[test]
fn open_and_save_set_checkpoints_of_their_names() {
    let mut play = Play::new();
    play.act("save as:./a.board");
    let saved = play.digest();
    play.ok("add lane X");
    assert!(play.ask("diff checkpoint:save").contains("lane X"));
    assert!(play.act("undo to:save").ends_with(&saved));
    play.act("open a.board");
    play.ok("add lane Y");
    assert!(play.act("undo to:open").ends_with(&saved));
    play.act("redo");
    play.act("save");
    assert!(
        play.act("undo").starts_with("* undone 1 op: add"),
        "the log stays"
    );
}

#[test]
fn export_writes_another_format_and_moves_nothing() {
    let mut play = Play::new();
    play.ok("title Plan");
    let before = play.ask("status");
    let text = play.act("export outline as:./a.txt");
    assert_eq!(text, "* Exported ./a.txt (15 bytes)");
    assert_eq!(
        fs::read_to_string(play.file("a.txt")).unwrap(),
        "Paint\nHang\nBuy\n"
    );
    play.act("export as:./b.txt");
    play.act("export format:board as:./c.x");
    let text = play.act("shout as:./loud.txt");
    assert!(text.starts_with("* Exported ./loud.txt"), "{text}");
    assert_eq!(play.ask("status"), before);
    let error = play.act_err("export outline as:./a.txt");
    assert!(
        error.ends_with("try: export outline as:./a-2.txt"),
        "{error}"
    );
    let error = play.act_err("export outlin as:./d.txt");
    assert!(error.ends_with("try: export outline as:./d.txt"), "{error}");
    let error = play.act_err("export as:./d.zzz");
    assert!(error.ends_with("try: export as:./d.board"), "{error}");
    assert!(play.act_err("export").contains("export needs as:PATH"));
    let error = play.act_err("shout");
    assert!(error.contains("as:"), "{error}");
}

#[test]
fn a_flag_may_be_bound_as_a_key() {
    let mut play = Play::new();
    play.act("save as:./a.board");
    play.act("new");
    play.act_err("save as:./a.board force:false");
    play.act("save as:./a.board force:true");
    play.ok("zoom 3");
    play.act("close discard:true");
}

#[test]
fn words_an_action_does_not_know_are_refused() {
    let mut play = Play::new();
    for action in [
        "close now",
        "close close:yes",
        "resume it",
        "checkpoint a b",
        "checkpoint a level:3",
        "save as:a.board to:b",
        "undo undo:3",
        "status x:1",
        "new lanes:2 undo:3",
        "save @all",
        "save as:./a.board as:./b.board",
        "export outline board as:./x.txt",
    ] {
        let error = play.act_err(action);
        assert!(
            error.contains("\n  try: ") || error.contains("\n  syntax: "),
            "{error}"
        );
    }
    let error = play.act_err("save As:./x.board");
    assert!(error.ends_with("try: save as:./x.board"), "{error}");
    let error = play.act_err("save as:./x.board froce");
    assert!(error.ends_with("try: save as:./x.board force"), "{error}");
    let error = play.act_err("checkpoint one two three");
    assert!(
        error.ends_with("try: checkpoint \"one two three\""),
        "{error}"
    );
}

#[test]
fn check_reports_whether_a_save_reproduces_the_file() {
    use fcp::endpoint::Endpoint;
    let mut play = Play::new();
    play.act("save as:./a.board");
    let answer = play.session.check("a.board");
    assert!(
        !answer.is_error && answer.text.contains("byte by byte"),
        "{}",
        answer.text
    );
    let answer = play.session.check("b.board");
    assert!(answer.is_error, "{}", answer.text);
}
