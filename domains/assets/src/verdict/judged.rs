//! Verdicts on assets, as replies.

use fcp::work;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::constant::{False, True, ValidationFailed};
use crate::answer::failure::{Answer, Failure};
use crate::json::{Json, Raw};
use crate::library::{Library, Schema};
use crate::verdict::{self, Finding, Limits, Unjudged, Verdict, meant, nearest};

/// The bytes of an asset that are read in a step.
const BYTES_A_STEP: usize = 32;

/// Whether an asset is valid.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Judged {
    /// Nothing is wrong with it.
    Valid {
        /// It is valid.
        ok: True,
        /// Nothing.
        #[schemars(length(max = 0))]
        errors: Vec<Wrong>,
    },
    /// Something is wrong with it.
    Invalid(Invalid),
}

/// An asset that is not valid.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Invalid {
    /// It is not valid.
    ok: False,
    /// Why.
    reason: ValidationFailed,
    /// The problems, sorted by path and message: at most 1,000.
    #[schemars(length(min = 1))]
    errors: Vec<Wrong>,
    /// There are more problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<True>,
    /// Number of problems, if not all of them are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
}

/// Something wrong with an asset.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Wrong {
    /// Place, as a JSON pointer into the asset; empty for all of it.
    pub path: String,
    /// The problem.
    #[schemars(extend("not" = { "pattern": "^arguments?[ :]" }))]
    pub msg: String,
    /// The keyword of the schema that is not kept; like all that follows, unless `detail` is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    keyword: Option<String>,
    /// Its place in the schema, as a JSON pointer.
    #[serde(skip_serializing_if = "Option::is_none")]
    schema_path: Option<String>,
    /// The expected value.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    /// The value there.
    #[serde(skip_serializing_if = "Option::is_none")]
    got: Option<String>,
    /// The probable intent.
    #[serde(skip_serializing_if = "Option::is_none")]
    suggest: Option<String>,
    /// The first errors of each alternative, if none matches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alternatives: Vec<Vec<Brief>>,
}

/// Problem by an alternative.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Brief {
    /// Place, as a JSON pointer into the asset.
    path: String,
    /// The problem.
    msg: String,
}

impl Judged {
    /// A single error about the whole asset.
    #[must_use]
    pub fn whole(msg: String) -> Invalid {
        let wrong = Wrong {
            msg,
            ..Wrong::default()
        };
        Invalid::of(vec![wrong], 1)
    }

    /// The reply for a valid asset.
    pub const VALID: Self = Self::Valid {
        ok: True,
        errors: Vec::new(),
    };

    /// A verdict as a reply; with details if they are wanted.
    #[must_use]
    pub fn of(verdict: Verdict, detail: bool) -> Self {
        if verdict.findings.is_empty() {
            return Self::VALID;
        }
        let findings = verdict.findings.into_iter();
        let errors = findings.map(|finding| Wrong::of(finding, detail)).collect();
        Self::Invalid(Invalid::of(errors, verdict.total))
    }

    /// Judges an asset by a schema. `argument` is the place of the schema's name in the arguments.
    ///
    /// # Errors
    /// The schema does not compile, takes too many steps, or the asset is too deep to read.
    pub fn by(
        library: &Library,
        schema: &Schema,
        asset: &Raw,
        detail: bool,
        argument: &str,
    ) -> Answer<Self> {
        let unjudged = |why| {
            let what = match why {
                Unjudged::Schema(why) => format!("does not compile: {why}"),
                Unjudged::Depth => "applies its schemas too deeply to judge this asset".to_owned(),
                Unjudged::Steps(limit) => {
                    format!("takes more than {limit} steps to judge this asset")
                }
            };
            Failure::argument(argument, &format!(": \"{}\" {what}", schema.name))
        };
        work::spend(asset.text().len() / BYTES_A_STEP)?;
        if verdict::passes(schema, asset.text()).map_err(unjudged)? {
            return Ok(Self::VALID);
        }
        let asset = asset.json()?;
        let verdict = verdict::judge(library, schema, &asset, Limits::USUAL).map_err(unjudged)?;
        // An asset of a call that is over has no verdict.
        work::spend(0)?;
        Ok(Self::of(verdict, detail))
    }

    /// Whether the asset is valid.
    #[must_use]
    pub const fn is_valid(&self) -> bool {
        matches!(self, Self::Valid { .. })
    }

    /// Its errors.
    #[must_use]
    pub fn into_errors(self) -> Vec<Wrong> {
        match self {
            Self::Valid { errors, .. } | Self::Invalid(Invalid { errors, .. }) => errors,
        }
    }
}

impl Invalid {
    fn of(errors: Vec<Wrong>, total: usize) -> Self {
        let cut = total > errors.len();
        Self {
            ok: False,
            reason: ValidationFailed,
            errors,
            truncated: cut.then_some(True),
            total: cut.then_some(total),
        }
    }
}

impl Wrong {
    fn of(finding: Finding, detail: bool) -> Self {
        let invalid = Self {
            path: finding.path,
            msg: finding.msg,
            ..Self::default()
        };
        if !detail {
            return invalid;
        }
        let more = finding.detail;
        let brief = |(path, msg)| Brief { path, msg };
        let branches = more.branches.into_iter();
        Self {
            keyword: Some(more.keyword),
            schema_path: Some(more.schema_path),
            expected: more.expected,
            got: more.got,
            suggest: more.suggest,
            alternatives: branches
                .map(|branch| branch.into_iter().map(brief).collect())
                .collect(),
            ..invalid
        }
    }
}

/// The schema named by an argument.
///
/// # Errors
/// There is no schema of this name.
pub fn named<'l>(library: &'l Library, name: &str, argument: &str) -> Answer<&'l Schema> {
    library.schema(name).ok_or_else(|| {
        let shown = Json::String(name.into());
        let near = nearest(name, library.schema_names()).map_or_else(String::new, |it| meant(&it));
        Failure::argument(argument, &format!(": no schema named {shown}{near}"))
    })
}
