//! Typos in the ops of the card's examples: none is misinterpreted, and almost all get a repair.

#[test]
fn a_typo_is_reported_and_repaired() {
    fcp::testing::repairs::<fcp_svg::Drawing>(1, 12);
}

#[test]
fn a_file_name_gets_its_key_and_a_pair_is_taken_apart() {
    let (mut server, _root) = crate::support::opened(
        "<svg xmlns='http://www.w3.org/2000/svg'><rect id='a' width='9' height='9'/></svg>",
    );
    for (action, repair) in [
        ("export png out.png", "try: export png as:out.png"),
        ("export out.png", "try: export as:out.png"),
    ] {
        let refused = server.no_act(action);
        assert!(refused.contains(repair), "{refused}");
    }
    for op in ["set a fill=red", "set a fill=\"red\""] {
        let refused = server.refused(&[op]);
        assert!(refused.contains("try: set a fill "), "{refused}");
    }
}
