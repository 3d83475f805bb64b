//! Syntax lines: a verb and its parameters as the reference card and errors show them.

use super::{Param, Place, Run, Takes, Verb, WHERE};
use crate::domain::Domain;

impl Param {
    /// The parameter in a syntax line: `PITCH`, `dur:DUR`, `[vel:V]`.
    #[must_use]
    pub fn syntax(&self) -> String {
        let spec = (self.spec)();
        let form = match (self.takes, self.place) {
            (Takes::Rows, _) => "SEL".to_owned(),
            (_, Place::Key) => format!("{}:{}", self.name, spec.name),
            (_, Place::Word(_))
                if spec.free || spec.name == "N" || self.takes == Takes::Reference =>
            {
                self.name.to_uppercase()
            }
            (_, Place::Word(_)) => spec.name.to_owned(),
            (_, Place::Rest) => format!("{}…", spec.name),
            (_, Place::Flag) => self.name.to_owned(),
            (_, Place::Fields) => "KEY:VALUE…".to_owned(),
        };
        if self.required {
            form
        } else {
            format!("[{form}]")
        }
    }
}

impl<M: Domain> Verb<M> {
    /// The beginning of its syntax line, and the parameters that follow: `modify PATH close`, with
    /// the target inside if the phrase surrounds it.
    pub(crate) fn opening(&self) -> (String, &'static [Param]) {
        if self.infix
            && let Some((word, second)) = self.phrase.split_once(' ')
            && let Some((target, params)) = self.params.split_first()
        {
            return (format!("{word} {} {second}", target.syntax()), params);
        }
        (self.phrase.to_owned(), self.params)
    }

    /// The syntax line: `note TRACK PITCH [at:POS] [dur:DUR]`.
    #[must_use]
    pub fn syntax(&self) -> String {
        let (mut line, params) = self.opening();
        for param in params {
            line.push(' ');
            line.push_str(&param.syntax());
        }
        let says_where = self.params.iter().any(|param| param.answers_to("as"));
        if matches!(self.run, Run::Export(_)) && !says_where {
            line.push_str(WHERE);
        }
        line
    }
}
