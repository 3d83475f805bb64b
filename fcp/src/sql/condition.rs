//! Conditions of `@where`.

use super::engine::Use;
use super::{Fault, Table, View, aggregate, expression, lex, write_statement};
use crate::domain::Domain;
use crate::model::ModelExt;
use crate::value::{Cell, SqlType, ValueError, nearest_word};
use crate::verb::Chosen;

/// The most values of a column in which a misspelled one is looked for.
const VALUES: usize = 1000;

/// The beginning of a question about an expression in each row.
const HEAD: &str = "SELECT rowid, (";

impl Fault {
    /// The error of an expression of which each row is asked.
    pub fn of_expression(&self, text: &str) -> ValueError {
        self.of_value(text, HEAD.len())
    }
}

impl<M: Domain> View<'_, M> {
    /// The rows for which a condition is true, or those whose `ref` a question returns.
    ///
    /// # Errors
    /// The condition is wrong, or fits no table.
    pub fn choose(&self, condition: &str, part: Option<usize>) -> Result<Chosen, ValueError> {
        if !write_statement::is_question(condition) {
            expression(condition)?;
            return self.hold(condition, part);
        }
        let found = self.ask(condition);
        let found = found.map_err(|fault| fault.of_value(condition, 0))?;
        let own = |name: &String| name.eq_ignore_ascii_case("ref");
        let Some(at) = found.columns.iter().position(own) else {
            return Err(ValueError::sentence(
                "@where:\"SELECT …\" needs a column ref",
            ));
        };
        let mut chosen = Chosen::default();
        for name in found.rows.iter().filter_map(|cells| cells.get(at)?.word()) {
            // The names of the tables read so far are at hand; ops take others, too.
            match self.named(&name) {
                Some(row) => chosen.rows.push(row),
                None => chosen.named.push(name.into_owned()),
            }
        }
        Ok(chosen)
    }

    /// The matching rows of the tables that have the columns of a condition.
    fn hold(&self, condition: &str, part: Option<usize>) -> Result<Chosen, ValueError> {
        let tables = Table::all(self.registry);
        let entities = || tables.iter().filter(|table| table.is_entity);
        let universe = |part: usize| M::SHAPE.parts.get(part).is_some_and(|part| part.universe);
        let any = M::SHAPE.parts.iter().any(|part| part.universe);
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        let mut fitting: Vec<&Table<M>> = Vec::new();
        let mut first: Option<((usize, bool), Fault)> = None;
        // First the table of the wanted part, else those that selectors reach by default, else all
        // others.
        let fits = |own: &&Table<M>| part.is_none() || own.part.is_none() || own.part == part;
        let is_near = |own: usize| part.is_some() || !any || universe(own);
        let fit = entities().filter(fits);
        let (near, others): (Vec<_>, Vec<_>) = fit.partition(|own| own.part.is_some_and(is_near));
        for tables in [near, others] {
            if !fitting.is_empty() {
                break;
            }
            for table in tables {
                let of = lex::name(&table.name);
                let sql = format!("{HEAD}{condition})+0<>0 FROM {of}");
                match self.numbered(&table.name, &sql, Use::Each) {
                    Ok(rows) => {
                        if let Some((message, call)) = aggregate(condition) {
                            let of = format!("(SELECT {call} FROM {})", table.name);
                            let fix = condition.replace(call, &of);
                            return Err(ValueError::sentence(message).fix(fix));
                        }
                        fitting.push(table);
                        for own in rows {
                            let Some(row) = own.row else { continue };
                            match own.cells.first() {
                                Some(Cell::Integer(0)) => no.push(row),
                                Some(Cell::Integer(_)) => yes.push(row),
                                _ => {}
                            }
                        }
                    }
                    Err(fault) if fault.is_of_columns => {
                        // The table that has most of the columns was probably meant.
                        let names = lex::tokens(condition).into_iter();
                        let names = names.filter_map(lex::Token::name);
                        let known = names.filter(|name| table.column(name).is_some()).count();
                        let rank = (known, fault.fix.is_some());
                        if first.as_ref().is_none_or(|(best, _)| *best < rank) {
                            first = Some((rank, fault));
                        }
                    }
                    Err(fault) => return Err(fault.of_expression(condition)),
                }
            }
        }
        if fitting.is_empty() {
            return Err(match first {
                Some((_, fault)) => fault.of_expression(condition),
                None => ValueError::sentence("no table has these rows"),
            });
        }
        let out = yes.iter().filter(|own| !self.model.in_universe(**own));
        let left_out = self.tables.left_out.get() + out.count();
        self.tables.left_out.set(left_out);
        let mut empty = fitting.iter().filter(|_| yes.is_empty());
        let hint = empty.find_map(|table| self.absent(table, condition));
        Ok(Chosen {
            rows: yes,
            others: Some(no),
            named: Vec::new(),
            table: (fitting.len() == 1).then(|| fitting[0].name.clone()),
            hint,
        })
    }

    /// The form of the values in a column, if a condition compares it with a text that none of its
    /// rows has; and the condition with this form, if a function of the domain makes it of the text.
    pub fn absent(&self, table: &Table<M>, condition: &str) -> Option<(String, Option<String>)> {
        let mut compared = lex::compared(condition).into_iter();
        compared.find_map(|(name, text)| {
            let column = table.named(&name)?;
            let name = &column.name;
            let (of, own) = (lex::name(&table.name), lex::name(name));
            let first = |what: &str, which: &str| {
                let sql = format!("SELECT {what} FROM {of} WHERE {which} LIMIT 1");
                self.ask(&sql).ok()?.rows.pop()?.pop()
            };
            let (mut meant, number) = (None, text.trim_matches('\'').parse::<f64>());
            let problem = match column.sql {
                SqlType::Text => {
                    let sql = format!(
                        "SELECT DISTINCT {own} FROM {of} WHERE {own} <> '' AND NOT EXISTS(SELECT 1 FROM {of} \
                         WHERE {own} = {text}) ORDER BY {own} = {text} COLLATE NOCASE DESC LIMIT {VALUES}"
                    );
                    let all = self.ask(&sql).ok()?.rows.into_iter().flatten();
                    let all: Vec<String> = all.map(|own| own.shown().into_owned()).collect();
                    let typo = nearest_word(text.trim_matches('\''), all.iter().map(String::as_str));
                    let like = typo.or(all.first().map(String::as_str))?.chars().take(40);
                    let like = lex::text(&like.collect::<String>());
                    let is_meant = typo.is_some() || like.eq_ignore_ascii_case(text);
                    meant = is_meant.then(|| like.clone());
                    format!("no {name} is {text}; one is {like}")
                }
                _ if number.is_ok() => return None,
                _ => format!("{name} is a number, not {text}"),
            };
            let calls = self.model.sql_functions().into_iter();
            let mut calls = calls.map(|own| format!("{}({text})", own.name));
            let call = calls.find(|call| first("1", &format!("{own} = {call}")).is_some());
            let instead = call.iter().map(|call| format!("; {name}={call} has rows"));
            let message = instead.fold(problem, |problem, own| problem + &own);
            let fix = call
                .or(meant)
                .map(|own| lex::renamed(condition, text, &own));
            Some((message, fix))
        })
    }
}
