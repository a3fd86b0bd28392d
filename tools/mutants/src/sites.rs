//! Where a source text can be wrong by a little: comparisons, constants and indices in the bodies of
//! functions.

use proc_macro2::TokenStream;
use std::ops::Range;
use syn::{
    BinOp, Expr, Lit, Token,
    parse::Parser,
    punctuated::Punctuated,
    spanned::Spanned,
    visit::{self, Visit},
};

/// A place, and what stands there instead in the mutant.
#[derive(Debug, Clone)]
pub struct Site {
    /// The bytes of the expression.
    pub range: Range<usize>,
    /// Where it begins: line from 1, column from 0.
    pub at: (usize, usize),
    /// The function or the constant that it is in.
    pub within: String,
    /// The expression of the mutant.
    pub mutant: String,
}

/// The sites of a text.
///
/// # Errors
/// It is no Rust.
pub fn of(text: &str) -> Result<Vec<Site>, String> {
    let file = syn::parse_file(text).map_err(|error| error.to_string())?;
    let mut finder = Finder { text, sites: Vec::new(), within: String::new(), bodies: 0 };
    finder.visit_file(&file);
    Ok(finder.sites)
}

struct Finder<'t> {
    text: &'t str,
    sites: Vec<Site>,
    /// The name of the function or the constant around.
    within: String,
    /// How many bodies that run are around; none in a constant, whose expressions are for the compiler.
    bodies: usize,
}

impl Finder<'_> {
    fn source(&self, node: &impl Spanned) -> &str {
        &self.text[node.span().byte_range()]
    }

    fn add(&mut self, node: &impl Spanned, mutant: String) {
        if self.bodies == 0 {
            return;
        }
        let start = node.span().start();
        let (at, within) = ((start.line, start.column), self.within.clone());
        self.sites.push(Site { range: node.span().byte_range(), at, within, mutant });
    }

    fn inside(&mut self, bodies: usize, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.bodies, bodies);
        visit(self);
        self.bodies = outer;
    }

    fn item(&mut self, name: &syn::Ident, bodies: usize, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.within, name.to_string());
        self.inside(bodies, visit);
        self.within = outer;
    }

    /// The arguments of a macro that are expressions.
    fn arguments(&mut self, tokens: &TokenStream) {
        let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
        for argument in parse.parse2(tokens.clone()).into_iter().flatten() {
            self.visit_expr(&argument);
        }
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        // Tests are not what is tested.
        if !module.attrs.iter().any(|attribute| attribute.path().is_ident("cfg")) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        let runs = usize::from(function.sig.constness.is_none());
        self.item(&function.sig.ident, runs, |finder| visit::visit_block(finder, &function.block));
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        let runs = usize::from(function.sig.constness.is_none());
        self.item(&function.sig.ident, runs, |finder| visit::visit_block(finder, &function.block));
    }

    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.item(&item.ident, 0, |finder| visit::visit_expr(finder, &item.expr));
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        self.item(&item.ident, 0, |finder| visit::visit_expr(finder, &item.expr));
    }

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        self.inside(1, |finder| finder.visit_expr(&closure.body));
    }

    fn visit_expr_repeat(&mut self, repeat: &'a syn::ExprRepeat) {
        // The length is a constant.
        self.visit_expr(&repeat.expr);
    }

    fn visit_pat(&mut self, _: &'a syn::Pat) {}

    fn visit_type(&mut self, _: &'a syn::Type) {}

    fn visit_generic_argument(&mut self, _: &'a syn::GenericArgument) {}

    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.arguments(&call.tokens);
    }

    fn visit_expr_binary(&mut self, binary: &'a syn::ExprBinary) {
        let other = match binary.op {
            BinOp::Eq(_) => "!=",
            BinOp::Ne(_) => "==",
            BinOp::Lt(_) => "<=",
            BinOp::Le(_) => "<",
            BinOp::Gt(_) => ">=",
            BinOp::Ge(_) => ">",
            _ => return visit::visit_expr_binary(self, binary),
        };
        let mutant = format!("{} {other} {}", self.source(&binary.left), self.source(&binary.right));
        self.add(binary, mutant);
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_lit(&mut self, literal: &'a syn::ExprLit) {
        if let Lit::Int(number) = &literal.lit
            && let Ok(value) = number.base10_parse::<u128>()
        {
            self.add(literal, format!("{}{}", value + 1, number.suffix()));
        }
    }

    fn visit_expr_index(&mut self, index: &'a syn::ExprIndex) {
        if matches!(*index.index, Expr::Path(_)) {
            let mutant = format!("{} + 1", self.source(&index.index));
            self.add(&index.index, mutant);
        }
        visit::visit_expr_index(self, index);
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn comparisons_constants_and_indices_of_bodies_are_found() {
        let text = "
            const N: usize = 3;
            fn f(x: &[i64; 4], i: usize) -> bool {
                ensure!(x[i] < 5, \"{}\", 2);
                match i { 7 => true, _ => x[1] == x[i] }
            }
            const ROW: fn(i64) -> i64 = |x| x + 1;
            #[cfg(test)] mod tests { fn g() -> i64 { 1 } }";
        let sites = of(text).unwrap();
        let places: Vec<&str> = sites.iter().map(|site| site.within.as_str()).collect();
        assert_eq!((places[0], places[7]), ("f", "ROW"));
        let mutants: Vec<String> = sites.into_iter().map(|site| site.mutant).collect();
        assert_eq!(mutants, ["x[i] <= 5", "i + 1", "6", "3", "x[1] != x[i]", "2", "i + 1", "2"]);
    }
}
