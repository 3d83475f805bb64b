//! Reads arbitrary text as every kind of attribute value: nothing panics, and every repair is
//! valid.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::value::FcpValue;
use fcp_svg::path::{Draw, Path, Target};
use fcp_svg::property;
use fcp_svg::syntax::declarations::Declarations;
use fcp_svg::syntax::href;
use fcp_svg::syntax::id::{ElementId, is_legal, mended};
use fcp_svg::syntax::number::Precision;
use fcp_svg::syntax::paint::Paint;
use fcp_svg::syntax::points::Points;
use fcp_svg::transform::{Syntax, TransformList};
use kurbo::{Point, Vec2};
use proptest::prelude::*;

fn every(text: &str) {
    let path = Path::parse(text);
    let line = Draw::Line(Target::To(Point::new(1.0, 2.0)));
    if let Ok(added) = path.add(&line, None) {
        assert_eq!(
            Path::parse(added).segments().len(),
            path.segments().len() + 1,
            "{text:?}"
        );
    }
    let points = Points::parse(text);
    if let Ok(added) = points.add(Point::new(1.0, 2.0), None) {
        assert_eq!(
            Points::parse(added).vertices().len(),
            points.vertices().len() + 1,
            "{text:?}"
        );
    }
    for syntax in [Syntax::Attribute, Syntax::Css] {
        let list = TransformList::parse(text, syntax);
        if let Ok(moved) = list.translated(Vec2::new(1.0, 2.0), Precision::decimals(3)) {
            assert_eq!(
                TransformList::parse(moved, syntax).fault(),
                None,
                "{text:?}"
            );
        }
    }
    let style = Declarations::of_attribute(text);
    for one in style.all() {
        assert!(text.get(one.span.clone()).is_some(), "{text:?}");
        assert!(style.unset(style.name(one)).is_some(), "{text:?}");
    }
    assert!(style.set("fill", "red").contains("red"), "{text:?}");
    for found in href::urls(text) {
        assert!(
            text.get(found.span).is_some() && text.get(found.id).is_some(),
            "{text:?}"
        );
    }
    assert!(mended(text).is_none_or(|id| is_legal(&id)), "{text:?}");
    if let Err(error) = ElementId::parse(text) {
        assert!(error.fix.is_none_or(|id| is_legal(&id)), "{text:?}");
    }
    if let Err(error) = Paint::parse(text) {
        assert!(
            error.fix.is_none_or(|fix| Paint::parse(&fix).is_ok()),
            "{text:?}"
        );
    }
    for name in [
        "opacity",
        "stroke-dasharray",
        "clip-path",
        "font-family",
        "filter",
        "font-size",
    ] {
        let property = property::named(name).unwrap();
        if let Err(error) = property.check(text) {
            assert!(
                error.fix.is_none_or(|fix| property.check(&fix).is_ok()),
                "{name}: {text:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        every(&text);
    }

    #[test]
    fn nearly_valid_text_is_read(
        text in "([MmLlCcAaZz]|[0-9]{1,2}|[-+.,; e!:#(){}/*'\"\\\\é]|translate|scale|url\\(#|fill|px|!important){0,14}",
    ) {
        every(&text);
    }
}
