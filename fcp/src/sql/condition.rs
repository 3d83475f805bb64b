//! Conditions of `@where`.

use super::{Fault, Table, Tables, expression, lex, write};
use crate::domain::Domain;
use crate::value::{Cell, SqlType, ValueError};
use crate::verb::{Chosen, Registry};

impl<M: Domain> Tables<M> {
    /// The rows for which a condition is true, or those whose `ref` a question returns.
    ///
    /// # Errors
    /// The condition is wrong, or fits no table.
    pub fn choose(
        &self,
        (model, registry, log): (&M, &Registry<M>, u64),
        condition: &str,
        part: Option<usize>,
    ) -> Result<Chosen, ValueError> {
        if write::is_question(condition) {
            let found = self
                .ask(model, registry, log, condition)
                .map_err(|fault| fault.of_value(condition, 0))?;
            let own = |name: &String| name.eq_ignore_ascii_case("ref");
            let Some(at) = found.columns.iter().position(own) else {
                return Err(ValueError::sentence(
                    "@where:\"SELECT …\" needs a column ref",
                ));
            };
            let mut chosen = Chosen::default();
            for cell in found.rows.iter().filter_map(|cells| cells.get(at)) {
                let Some(name) = cell.word() else { continue };
                // The names of the tables read so far are at hand; ops take others, too.
                match self.named(&name) {
                    Some(row) => chosen.rows.push(row),
                    None => chosen.named.push(name.into_owned()),
                }
            }
            return Ok(chosen);
        }
        expression(condition)?;
        self.hold((model, registry, log), condition, part)
    }

    /// The matching rows of the tables that have the columns of a condition.
    fn hold(
        &self,
        (model, registry, log): (&M, &Registry<M>, u64),
        condition: &str,
        part: Option<usize>,
    ) -> Result<Chosen, ValueError> {
        let tables = Table::all(registry);
        let universe = |part: usize| M::SHAPE.parts.get(part).is_some_and(|part| part.universe);
        let any = M::SHAPE.parts.iter().any(|part| part.universe);
        let (mut yes, mut no, mut fits) = (Vec::new(), Vec::new(), false);
        let mut first: Option<((usize, bool), Fault)> = None;
        // First the table of the wanted part, else those that selectors reach by default, else all
        // others.
        let mut rounds: Vec<Vec<&Table<M>>> = vec![Vec::new(), Vec::new()];
        for table in tables.iter().filter(|table| table.is_entity()) {
            let near = match (part, table.part()) {
                (Some(part), Some(own)) if part == own => true,
                (Some(_), Some(_)) => continue,
                (None, Some(own)) => !any || universe(own),
                (_, None) => false,
            };
            rounds[usize::from(!near)].push(table);
        }
        for tables in &rounds {
            if fits {
                break;
            }
            for table in tables {
                let sql = format!(
                    "SELECT rowid, ({condition}) FROM {}",
                    lex::name(&table.name)
                );
                let answer = self.each_row(model, registry, log, (&table.name, &sql));
                match answer {
                    Ok((written, rows)) => {
                        fits = true;
                        for ((_, values), row) in written.rows.iter().zip(rows) {
                            let Some(row) = row else { continue };
                            match values.first().map(is_true) {
                                Some(Some(true)) => yes.push(row),
                                Some(Some(false)) => no.push(row),
                                _ => {}
                            }
                        }
                    }
                    Err(fault) if fault.is_of_columns => {
                        // The table that has most of the columns was probably meant.
                        let names = lex::tokens(condition);
                        let names = names.iter().filter_map(|token| token.name());
                        let known = names.filter(|name| table.column(name).is_some()).count();
                        let rank = (known, fault.is_mended());
                        if first.as_ref().is_none_or(|(best, _)| *best < rank) {
                            first = Some((rank, fault));
                        }
                    }
                    Err(fault) => return Err(fault.of_value(condition, "SELECT rowid, (".len())),
                }
            }
        }
        if !fits {
            return Err(match first {
                Some((_, fault)) => fault.of_value(condition, "SELECT rowid, (".len()),
                None => ValueError::sentence("no table has these rows"),
            });
        }
        let all = || tables.iter().filter(|table| table.is_entity());
        let hint = match yes.is_empty() {
            true => all().find_map(|table| self.absent((model, registry, log), table, condition)),
            false => None,
        };
        Ok(Chosen {
            rows: yes,
            others: Some(no),
            named: Vec::new(),
            hint,
        })
    }

    /// The form of the values in a column of texts, if a condition compares it with a text that
    /// none of its rows has.
    fn absent(
        &self,
        (model, registry, log): (&M, &Registry<M>, u64),
        table: &Table<M>,
        condition: &str,
    ) -> Option<String> {
        let column = |name: &String| {
            let ix = table.column(name)?;
            let column = table.columns.get(ix)?;
            (column.sql == SqlType::Text).then_some(&column.name)
        };
        let compared = lex::compared(condition).into_iter();
        let mut compared = compared.filter_map(|(name, text)| Some((column(&name)?, text)));
        compared.find_map(|(name, text)| {
            let (of, own) = (lex::name(&table.name), lex::name(name));
            let sql = format!(
                "SELECT {own} FROM {of} WHERE {own} <> '' AND NOT EXISTS(SELECT 1 FROM {of} WHERE {own} = {text}) LIMIT 1"
            );
            let found = self.ask(model, registry, log, &sql).ok()?;
            let like = found.rows.first()?.first()?.shown().into_owned();
            let like: String = like.chars().take(40).collect();
            Some(format!("no {name} is {text}; one is {}", lex::text(&like)))
        })
    }
}

/// The truth of a value in SQL; `None` if unknown.
fn is_true(cell: &Cell) -> Option<bool> {
    match cell {
        Cell::Null => None,
        Cell::Integer(number) => Some(*number != 0),
        Cell::Real(number) => Some(*number != 0.0),
        Cell::Text(text) => Some(text.trim().parse::<f64>().is_ok_and(|number| number != 0.0)),
    }
}
