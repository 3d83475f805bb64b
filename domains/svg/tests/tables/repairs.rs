//! Errors of SQL: each has a repair, which runs as it is.

use super::server;

#[test]
fn unknown_columns_are_repaired_or_shown_in_every_form_of_sql() {
    let (mut server, _root) = server();
    let elements = "? tables elements";
    for (sent, repair) in [
        ("? SELECT foo FROM elements", elements),
        (
            "? SELECT ref, opacty FROM elements",
            "SELECT ref, opacity FROM elements",
        ),
        ("style @where:\"foo > 10\" fill:red", elements),
        ("remove @where:\"foo='red'\"", elements),
        ("style @all opacity:=foo", elements),
        (
            "style @where:\"tagg='rect'\" opacity:=opacty/2",
            "style @where:tag='rect' opacity:=opacity/2",
        ),
        ("move @where:\"tagg='path'\" by:10,0", elements),
        ("UPDATE elements SET foo='red'", elements),
        ("UPDATE elements SET id='a' WHERE foo=1", elements),
        (
            "INSERT INTO attributes(ref,nam,value) VALUES ('sun','rx','3')",
            "INSERT INTO attributes(ref,name,value) VALUES ('sun','rx','3')",
        ),
        (
            "INSERT INTO attributes(ref,foo,value) VALUES ('sun','rx','3')",
            "? tables attributes",
        ),
        (
            "each \"SELECT ref, fill FROM elements WHERE tag='rect'\" \"style {ref} stroke:{fil}\"",
            "each \"SELECT ref, fill FROM elements WHERE tag='rect'\" \"style {ref} stroke:{fill}\"",
        ),
        (
            "style @where:\"stroke='red'\" fill:blue",
            "style @where:stroke=color('red') fill:blue",
        ),
    ] {
        server.repaired(sent, repair);
    }
}

#[test]
fn columns_that_cannot_be_empty_show_their_form() {
    let (mut server, _root) = server();
    let refused = server.refused(&["UPDATE elements SET x=NULL WHERE tag='rect'"]);
    assert!(refused.starts_with("! x cannot be NULL: "), "{refused}");
    server.run(&["UPDATE attributes SET value=NULL WHERE name='class'"]);
}
