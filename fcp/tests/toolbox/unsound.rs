//! Inconsistent toolsets.

use super::*;

/// Two tools with the same name, and one whose answer is not an object.
mod wrong {
    use super::super::schemas::shapes;
    use super::*;

    macro_rules! toolset {
        ($name:ident) => {
            pub struct $name;

            impl Toolset for $name {
                const DOMAIN: &'static str = "wrong";
                const TITLE: &'static str = "Wrong";
                const INSTRUCTIONS: &'static str = "";

                fn open(_: &Config) -> Result<Self> {
                    Ok(Self)
                }
            }
        };
    }

    toolset!(Twice);
    toolset!(Bare);

    fn tool<S: Toolset, T: Serialize + JsonSchema>(
        name: &'static str,
        aliases: &'static [&'static str],
        line: u32,
    ) -> fcp::tool::Tool<S> {
        fcp::tool::Tool {
            name,
            aliases,
            summary: "Wrong.",
            doc: "Wrong.",
            hints: fcp::tool::Hints::default(),
            examples: &[],
            source: fcp::verb::Source {
                file: "wrong.rs",
                line,
            },
            input: input::<shapes::Inner>,
            output: output::<Result<T>>,
            trouble: fcp::tool::trouble::<S, Result<T>>,
            run: fcp::tool::Run::Shared(|_, _, _| {
                fcp::tool::trouble::<S, Result<T>>(fcp::tool::Trouble::Cancelled)
            }),
        }
    }

    pub fn twice() {
        static TOOLS: LazyLock<[fcp::tool::Tool<Twice>; 2]> = LazyLock::new(|| {
            [
                tool::<_, shapes::Inner>("a", &["b"], 1),
                tool::<_, shapes::Inner>("b", &[], 2),
            ]
        });
        assert_eq!(
            Toolbox::of(Twice, TOOLS.iter().collect())
                .unwrap_err()
                .message,
            "the tool b occurs twice: wrong.rs:1 and wrong.rs:2"
        );
    }

    pub fn bare() {
        static TOOLS: LazyLock<fcp::tool::Tool<Bare>> =
            LazyLock::new(|| tool::<_, u8>("a", &[], 1));
        let error = Toolbox::of(Bare, vec![&*TOOLS]).unwrap_err().message;
        assert!(
            error.starts_with("wrong.rs:1: the tool a answers with a value that is not an object"),
            "{error}"
        );
    }
}

#[test]
fn inconsistent_tools_are_reported_with_their_places() {
    wrong::twice();
    wrong::bare();
}
