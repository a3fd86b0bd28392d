//! Words that names do without, because the field has better ones: words.txt.
//!
//! Looked at are the names of files and folders of the source, of what Rust declares (items, variants,
//! fields) and of options and attributes in TableGen, and headings of pages. A name is parted at `_`, `-` and
//! capitals: `is_apart` has the word `apart`. Names of tests are sentences, and free.

use crate::source;
use std::{collections::BTreeMap, path::Path};
use syn::{Attribute, Field, ImplItemFn, Item, TraitItemFn, Variant, visit::Visit};

/// Words, what to say instead, and folders where they have another meaning.
pub struct Words(BTreeMap<String, (String, Vec<String>)>);

impl Words {
    /// Reads lines such as `window: dynamic view | dialects/src/aten reference`.
    pub fn read(text: &str) -> Result<Self, String> {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let entry = |line: &str| {
            let (words, rest) = line.split_once(": ").ok_or(format!("words.txt: '{line}' has no ': '"))?;
            let (instead, folders) = rest.split_once(" | ").unwrap_or((rest, ""));
            let folders: Vec<String> = folders.split_whitespace().map(String::from).collect();
            Ok(words
                .split(' ')
                .map(move |word| (word.to_string(), (instead.to_string(), folders.clone())))
                .collect())
        };
        let all: Result<Vec<Vec<_>>, String> = lines.map(entry).collect();
        Ok(Self(all?.into_iter().flatten().collect()))
    }

    /// A line for a name of a file if it has one of the words.
    fn refuses(&self, file: &str, name: &str) -> Option<String> {
        let found = parts(name).into_iter().find_map(|part| Some((self.0.get(&part)?, part)));
        let ((instead, folders), part) = found?;
        let free = folders.iter().any(|folder| file.starts_with(folder));
        (!free).then(|| format!("{file}: '{name}' has the word '{part}': say '{instead}'"))
    }

    /// A line for each name below a folder that has one of the words.
    pub fn check(&self, root: &Path, folder: &Path) -> Result<Vec<String>, String> {
        let mut wrong = vec![];
        for path in source::entries(folder)? {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let file = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            if name.starts_with('.') || file == "target" || file == "docs/dialects" || file == "docs/passes" {
                continue;
            }
            let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
            let names = match ending {
                _ if path.is_dir() => {
                    wrong.extend(self.check(root, &path)?);
                    vec![]
                }
                "rs" => declared(&source::read(&path)?).map_err(|e| format!("{file}: {e}"))?,
                "td" => options(&source::read(&path)?),
                "md" => headings(&source::read(&path)?),
                _ => continue,
            };
            let is_claim = file.contains("tests/") || file.starts_with("lit-tests");
            let own = (!is_claim).then(|| stem.to_string());
            wrong.extend(own.into_iter().chain(names).filter_map(|name| self.refuses(&file, &name)));
        }
        Ok(wrong)
    }
}

/// The words of a name, in lower case.
fn parts(name: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for letter in name.chars() {
        if !letter.is_alphanumeric() || letter.is_uppercase() {
            all.push(String::new());
        }
        if letter.is_alphanumeric() {
            all.last_mut().expect("one is there").extend(letter.to_lowercase());
        }
    }
    all
}

/// The names that a file of Rust declares outside of tests.
fn declared(text: &str) -> Result<Vec<String>, String> {
    let mut names = Names(vec![]);
    names.visit_file(&syn::parse_file(text).map_err(|e| e.to_string())?);
    Ok(names.0)
}

struct Names(Vec<String>);

/// Whether attributes say that something is a test.
fn is_test(attributes: &[Attribute]) -> bool {
    let says = |attribute: &Attribute, name: &str| attribute.path().is_ident(name);
    let condition = |a: &Attribute| a.parse_args::<syn::Ident>().is_ok_and(|ident| ident == "test");
    attributes.iter().any(|a| says(a, "test") || says(a, "cfg") && condition(a))
}

impl Visit<'_> for Names {
    fn visit_item(&mut self, item: &Item) {
        let (name, attributes) = match item {
            Item::Fn(item) => (&item.sig.ident, &item.attrs),
            Item::Struct(item) => (&item.ident, &item.attrs),
            Item::Enum(item) => (&item.ident, &item.attrs),
            Item::Trait(item) => (&item.ident, &item.attrs),
            Item::Type(item) => (&item.ident, &item.attrs),
            Item::Mod(item) => (&item.ident, &item.attrs),
            Item::Const(item) => (&item.ident, &item.attrs),
            Item::Static(item) => (&item.ident, &item.attrs),
            _ => return syn::visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            self.0.push(name.to_string());
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &ImplItemFn) {
        self.0.push(item.sig.ident.to_string());
        syn::visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &TraitItemFn) {
        self.0.push(item.sig.ident.to_string());
    }

    fn visit_variant(&mut self, variant: &Variant) {
        self.0.push(variant.ident.to_string());
        syn::visit::visit_variant(self, variant);
    }

    fn visit_field(&mut self, field: &Field) {
        self.0.extend(field.ident.as_ref().map(|ident| ident.to_string()));
    }
}

/// The names of options of passes, and of operands, attributes and results of operations: after `:$`.
fn options(text: &str) -> Vec<String> {
    let option =
        |line: &str| Some(line.trim_start().strip_prefix("Option<\"")?.split('"').nth(2)?.to_string());
    let list =
        |line: &str| Some(line.trim_start().strip_prefix("ListOption<\"")?.split('"').nth(2)?.to_string());
    let operand = |part: &str| {
        part.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_string()
    };
    let mut names: Vec<String> =
        text.lines().filter_map(|line| option(line).or_else(|| list(line))).collect();
    names.extend(text.split(":$").skip(1).map(operand));
    names
}

/// The headings of a page.
fn headings(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| Some(line.strip_prefix('#')?.trim_start_matches('#').trim().to_string()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Words, declared, options};

    #[test]
    fn a_word_is_found_in_names_of_any_form() {
        let words = Words::read("apart: disjoint\nwindow windows: dynamic view | dialects").unwrap();
        assert_eq!(
            words.refuses("a.rs", "is_apart").unwrap(),
            "a.rs: 'is_apart' has the word 'apart': say 'disjoint'"
        );
        assert!(words.refuses("a.rs", "IsApart").is_some() && words.refuses("a.rs", "apartment").is_none());
        assert!(
            words.refuses("a.rs", "windows").is_some() && words.refuses("dialects/a.rs", "windows").is_none()
        );
    }

    #[test]
    fn what_is_declared_is_named_and_tests_are_not() {
        let text = "mod a; struct B { c: u8 } enum D { E(u8) } impl B { fn f(&self) {} } \
                    #[test] fn g() {} #[cfg(test)] mod tests { fn h() {} }";
        assert_eq!(declared(text).unwrap(), ["a", "B", "c", "D", "E", "f"]);
        assert_eq!(
            options("Option<\"a_b\", \"a-b\", \"bool\">\n(ins AnyType:$own, I64:$dim)"),
            ["a-b", "own", "dim"]
        );
    }
}
