// Expansion of the item of this name in items/. Written by `FCP_BLESS=1 cargo test -p fcp-macros`.

impl Figure {
    /// Every value, in the order of cards.
    pub const ALL: &'static [Self] = &[Self::Whole, Self::Half, Self::DottedHalf];
}
#[automatically_derived]
impl ::fcp::__private::FcpValue for Figure {
    const SPEC: ::fcp::__private::ValueSpec = ::fcp::__private::ValueSpec {
        choices: &[
            ::fcp::__private::Choice {
                word: "whole",
                aliases: &[],
                doc: "Four beats.",
            },
            ::fcp::__private::Choice {
                word: "half",
                aliases: &["minim"],
                doc: "",
            },
            ::fcp::__private::Choice {
                word: "dotted",
                aliases: &[],
                doc: "",
            },
        ],
        ..::fcp::__private::ValueSpec::new("DUR", "The figure of a note")
    };
    fn parse(text: &str) -> ::core::result::Result<Self, ::fcp::__private::ValueError> {
        ::fcp::__private::choose(Self::ALL, text)
    }
}
#[automatically_derived]
impl ::core::fmt::Display for Figure {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        f.pad(
            match self {
                Self::Whole => "whole",
                Self::Half => "half",
                Self::DottedHalf => "dotted",
            },
        )
    }
}
