//! From paths to the files that define what they name.

use crate::source::{Crate, Crates, Module, Segments};
use std::collections::BTreeSet;

/// One file that uses another.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    /// The file that uses.
    pub from: String,
    /// The file that is used.
    pub to: String,
    /// The path that stands in the one and leads to the other.
    pub path: String,
}

/// The imports of all files.
pub fn imports(crates: &Crates) -> BTreeSet<Import> {
    let mut imports = BTreeSet::new();
    for (name, modules) in &crates.modules {
        for (path, module) in modules {
            let Some(file) = &module.file else { continue };
            let place = Place { crates, name, modules, path };
            // An imported module is used by the paths that start with it.
            let named = module.names.values().filter(|path| !place.is_module(path));
            for path in named.chain(&module.paths) {
                if let Some(to) = place.file(path).filter(|target| target != file) {
                    imports.insert(Import { from: file.clone(), to, path: path.join("::") });
                }
            }
        }
    }
    imports
}

/// What paths are resolved from.
#[derive(Clone, Copy)]
struct Place<'a> {
    crates: &'a Crates,
    name: &'a str,
    modules: &'a Crate,
    path: &'a [String],
}

/// What a path leads to: a module, or something that a file defines.
enum Found<'a> {
    Module(Place<'a>),
    File(String),
}

/// How many imports of imports are followed.
const DEPTH: usize = 8;

impl<'a> Place<'a> {
    fn module(&self) -> Option<&'a Module> {
        self.modules.get(self.path)
    }

    fn at(&self, path: &[String]) -> Option<Self> {
        let (path, _) = self.modules.get_key_value(path)?;
        Some(Self { path, ..*self })
    }

    fn is_module(&self, path: &Segments) -> bool {
        matches!(self.resolve(path, DEPTH), Some(Found::Module(_)))
    }

    /// The file that defines what a path names; None where that is generated, or of another workspace.
    fn file(&self, path: &Segments) -> Option<String> {
        match self.resolve(path, DEPTH)? {
            Found::File(file) => Some(file),
            Found::Module(place) => place.module()?.file.clone(),
        }
    }

    fn resolve(&self, path: &[String], depth: usize) -> Option<Found<'a>> {
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => self.at(&[])?,
            "self" => *self,
            "super" => self.at(self.path.split_last()?.1)?,
            other => match self.crates.modules.get_key_value(other) {
                Some((name, modules)) => {
                    Place { name, modules, path: modules.get_key_value(&[][..])?.0, ..*self }
                }
                None => return self.lookup(path, depth, false),
            },
        };
        start.walk(rest, depth)
    }

    /// What a path leads to from a module on.
    fn walk(&self, path: &[String], depth: usize) -> Option<Found<'a>> {
        match path.first().map(String::as_str) {
            None => Some(Found::Module(*self)),
            Some("super") => self.at(self.path.split_last()?.1)?.walk(&path[1..], depth),
            Some(_) => self.lookup(path, depth, true),
        }
    }

    /// What the name at the start of a path stands for in this module; `surely`: where nothing else is found,
    /// the module's own file.
    fn lookup(&self, path: &[String], depth: usize, surely: bool) -> Option<Found<'a>> {
        let (first, rest) = path.split_first()?;
        let module = self.module()?;
        if let Some(inner) = self.at(&[self.path, std::slice::from_ref(first)].concat()) {
            return inner.walk(rest, depth);
        }
        let own = || module.file.clone().map(Found::File);
        if module.items.contains(first) {
            return own();
        }
        let depth = depth.checked_sub(1)?;
        if let Some(path) = module.names.get(first) {
            return self.resolve(&[&path[..], rest].concat(), depth);
        }
        for glob in &module.globs {
            if let Some(Found::Module(place)) = self.resolve(glob, depth)
                && place.path != self.path
                && let Some(found) = place.lookup(path, depth, false)
            {
                return Some(found);
            }
        }
        let exported = self.crates.macros.get(&(self.name.to_string(), first.clone()));
        match exported.filter(|_| self.path.is_empty()) {
            Some(file) => Some(Found::File(file.clone())),
            None => surely.then(own).flatten(),
        }
    }
}
