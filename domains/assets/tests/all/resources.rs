//! Resources, read by URI.

use fcp::testing::toolbox;
use fcp::tool::{Body, Tools};
use fcp_assets::Assets;

use crate::kit::fixture;

#[test]
fn schemas_and_examples_are_read_by_their_addresses() {
    let tools = toolbox::<Assets>(&fixture());
    let listed = tools.resources();
    let uris: Vec<&str> = listed
        .iter()
        .map(|resource| resource.uri.as_str())
        .collect();
    assert_eq!(
        uris,
        [
            "synesthetic://schema/plain",
            "synesthetic://schema/shader",
            "synesthetic://schema/synesthetic-asset",
            "synesthetic://example/libs/synesthetic-schemas/examples/_skip/Odd_Example.json",
            "synesthetic://example/libs/synesthetic-schemas/examples/Shader_Example.json",
            "synesthetic://example/libs/synesthetic-schemas/examples/SynestheticAsset_Bad.json",
            "synesthetic://example/libs/synesthetic-schemas/examples/SynestheticAsset_Example1.json",
        ]
    );
    for resource in &listed {
        assert_eq!(tools.read(&resource.uri).unwrap().mime, resource.mime);
    }
    let odd = tools
        .read("synesthetic://example/_skip/Odd_Example.json")
        .unwrap();
    assert_eq!(odd.body, Body::Text(r#"{"k":1.50}"#.to_owned()));
    let by_id = tools
        .read("https://schemas.example.test/0.6.2/shader.schema.json")
        .unwrap();
    assert_eq!(
        by_id.body,
        tools.read("synesthetic://schema/shader").unwrap().body
    );
    for uri in [
        "synesthetic://schema/",
        "synesthetic://schema/none",
        "synesthetic://example/../version.json",
        "synesthetic://example//etc/passwd",
        "plain",
        "",
    ] {
        assert!(tools.read(uri).is_none(), "{uri}");
    }
}
