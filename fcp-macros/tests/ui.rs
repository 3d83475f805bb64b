//! The message for each mistake of an author. `TRYBUILD=overwrite` takes over a better one.

#[test]
fn mistakes_are_reported_in_place_with_the_legal_form() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
    cases.compile_fail("tests/ui/place/verbs/*.rs");
}
