//! What an author is told of each mistake. A message that got better is taken over by `TRYBUILD=overwrite`.

#[test]
fn mistakes_are_told_where_they_are_with_the_legal_form() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
    cases.compile_fail("tests/ui/place/verbs/*.rs");
}
