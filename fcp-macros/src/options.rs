//! Options in the parentheses of an attribute: `category = "Notes", deletes`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, Token};

use crate::errors::Errors;

/// An option of an attribute.
pub struct Form {
    /// Its name.
    pub name: &'static str,
    /// The legal form, as messages show it: `alias = "add note"`.
    pub like: &'static str,
    /// Its kind of value.
    pub takes: Takes,
    /// Whether it may be repeated.
    pub many: bool,
}

/// Kind of value after an option's `=`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// No value: the word alone.
    Nothing,
    /// A text.
    Text,
    /// No value or a text.
    MaybeText,
    /// An expression.
    Expr,
    /// No value, a text or an expression.
    Any,
}

impl Form {
    /// The word alone.
    pub const fn word(name: &'static str) -> Self {
        Self {
            name,
            like: name,
            takes: Takes::Nothing,
            many: false,
        }
    }

    /// A text, given once.
    pub const fn text(name: &'static str, like: &'static str) -> Self {
        Self {
            name,
            like,
            takes: Takes::Text,
            many: false,
        }
    }

    /// A text, given any number of times.
    pub const fn texts(name: &'static str, like: &'static str) -> Self {
        Self {
            many: true,
            ..Self::text(name, like)
        }
    }

    /// The word alone, or a text.
    pub const fn maybe_text(name: &'static str, like: &'static str) -> Self {
        Self {
            takes: Takes::MaybeText,
            ..Self::text(name, like)
        }
    }

    /// The word alone, a text or an expression.
    pub const fn any(name: &'static str, like: &'static str) -> Self {
        Self {
            takes: Takes::Any,
            ..Self::text(name, like)
        }
    }

    /// An expression, a type or a path, given once.
    pub const fn expr(name: &'static str, like: &'static str) -> Self {
        Self {
            takes: Takes::Expr,
            ..Self::text(name, like)
        }
    }
}

/// An option as written.
struct GivenOption {
    form: &'static Form,
    name: Ident,
    value: Option<Expr>,
}

/// The options of one attribute, each valid by itself.
#[derive(Default)]
pub struct Options {
    given: Vec<GivenOption>,
    /// The names of all options, valid or not.
    mentioned: Vec<String>,
}

impl Options {
    /// Reads the arguments of an attribute macro.
    pub fn of_macro(
        attribute: &str,
        forms: &'static [Form],
        tokens: TokenStream,
        errors: &Errors,
    ) -> Self {
        let mut options = Self::default();
        options.read(attribute, forms, tokens, errors);
        options
    }

    /// Takes the `#[fcp(…)]` out of an item's attributes and reads them.
    pub fn take(attrs: &mut Vec<Attribute>, forms: &'static [Form], errors: &Errors) -> Self {
        let options = Self::of_item(attrs, forms, errors);
        attrs.retain(|attr| !attr.path().is_ident("fcp"));
        options
    }

    /// Reads the `#[fcp(…)]` of an item.
    pub fn of_item(attrs: &[Attribute], forms: &'static [Form], errors: &Errors) -> Self {
        let mut options = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("fcp")) {
            match &attr.meta {
                Meta::List(list) if !list.tokens.is_empty() => {
                    options.read("fcp", forms, list.tokens.clone(), errors);
                }
                _ => errors.at(attr, format!("this is empty; {}", legal("fcp", forms))),
            }
        }
        options
    }

    fn read(
        &mut self,
        attribute: &str,
        forms: &'static [Form],
        tokens: TokenStream,
        errors: &Errors,
    ) {
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                if let Err(error) = self.option(attribute, forms, input, errors) {
                    errors.push(error);
                    // The next option may be valid; the error of this one is reported.
                    while !input.is_empty() && !input.peek(Token![,]) {
                        input.parse::<TokenTree>()?;
                    }
                }
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        if let Err(error) = parser.parse2(tokens) {
            errors.push(error);
        }
    }

    fn option(
        &mut self,
        attribute: &str,
        forms: &'static [Form],
        input: ParseStream<'_>,
        errors: &Errors,
    ) -> syn::Result<()> {
        if !input.peek(Ident::peek_any) {
            return Err(input.error(legal(attribute, forms)));
        }
        let name = input.call(Ident::parse_any)?;
        self.mentioned.push(name.to_string());
        let value = match input.parse::<Option<Token![=]>>()? {
            Some(_) if input.is_empty() || input.peek(Token![,]) => {
                errors.at(
                    &name,
                    format!("`{name}` lacks its value; {}", legal(attribute, forms)),
                );
                return Ok(());
            }
            Some(_) => Some(input.parse::<Expr>()?),
            None => None,
        };
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error(format!(
                "a comma belongs after `{name}`; {}",
                legal(attribute, forms)
            )));
        }
        let Some(form) = forms.iter().find(|form| name == form.name) else {
            errors.at(
                &name,
                format!("no option `{name}` here; {}", legal(attribute, forms)),
            );
            return Ok(());
        };
        if !form.many && self.given.iter().any(|given| given.form.name == form.name) {
            errors.at(&name, format!("`{name}` is given twice"));
            return Ok(());
        }
        let fits = match (&value, form.takes) {
            (None, takes) => matches!(takes, Takes::Nothing | Takes::MaybeText | Takes::Any),
            (Some(value), Takes::Text | Takes::MaybeText) => {
                text(value).is_some_and(|text| !text.value().is_empty())
            }
            (Some(_), takes) => takes != Takes::Nothing,
        };
        if fits {
            self.given.push(GivenOption { form, name, value });
        } else if form.takes == Takes::Nothing {
            errors.at(&name, format!("`{name}` takes no value"));
        } else {
            errors.at(&name, format!("`{name}` is written `{}`", form.like));
        }
        Ok(())
    }

    /// Whether an option was written, valid or not.
    pub fn mentions(&self, name: &str) -> bool {
        self.mentioned.iter().any(|mentioned| mentioned == name)
    }

    fn given(&self, name: &str) -> Option<&GivenOption> {
        self.given.iter().find(|given| given.form.name == name)
    }

    /// The name token of an option, if it was given.
    pub fn word(&self, name: &str) -> Option<&Ident> {
        self.given(name).map(|given| &given.name)
    }

    /// The text of an option, if it was given with one.
    pub fn text(&self, name: &str) -> Option<&LitStr> {
        self.given(name)
            .and_then(|given| text(given.value.as_ref()?))
    }

    /// The texts of a repeatable option.
    pub fn texts(&self, name: &str) -> Vec<&LitStr> {
        let given = self.given.iter().filter(|given| given.form.name == name);
        given
            .filter_map(|given| text(given.value.as_ref()?))
            .collect()
    }

    /// The expression of an option, if it was given with one.
    pub fn expr(&self, name: &str) -> Option<&Expr> {
        self.given(name).and_then(|given| given.value.as_ref())
    }

    /// The names of all given options, in the order written.
    pub fn words(&self) -> impl Iterator<Item = &Ident> {
        self.given.iter().map(|given| &given.name)
    }

    /// Rejects options that conflict with the others; `why` is the message.
    pub fn refuse(&self, names: &[&str], errors: &Errors, why: &str) {
        for name in names {
            if let Some(word) = self.word(name) {
                errors.at(word, why);
            }
        }
    }
}

fn text(value: &Expr) -> Option<&LitStr> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text),
        _ => None,
    }
}

/// The sentence "`#[fcp_verb]` takes …".
fn legal(attribute: &str, forms: &[Form]) -> String {
    let likes: Vec<String> = forms
        .iter()
        .map(|form| format!("`{}`", form.like))
        .collect();
    format!("`#[{attribute}]` takes {}", likes.join(", "))
}
