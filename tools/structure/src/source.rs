//! The source as modules: what each defines, what it imports, which paths stand in it.

use proc_macro2::{TokenStream, TokenTree};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};
use syn::{Attribute, Item, UseTree, visit::Visit};

/// A path of Rust, segment by segment.
pub type Segments = Vec<String>;

/// One module.
#[derive(Default)]
pub struct Module {
    /// Its file, from the root on. Generated modules have none.
    pub file: Option<String>,
    /// What it defines.
    pub items: BTreeSet<String>,
    /// What it imports: the name that stands for it here, and its path.
    pub names: BTreeMap<String, Segments>,
    /// The modules of which it imports everything.
    pub globs: Vec<Segments>,
    /// The paths of two segments or more that stand in it.
    pub paths: BTreeSet<Segments>,
}

/// The modules of a crate by their paths.
pub type Crate = BTreeMap<Segments, Module>;

/// All crates of a workspace that have a library, by the names that Rust gives them, and the exported macros
/// of all with their files.
pub struct Crates {
    /// The crates.
    pub modules: BTreeMap<String, Crate>,
    /// The files of exported macros, by crate and name.
    pub macros: BTreeMap<(String, String), String>,
}

/// Reads the workspace in a folder.
pub fn crates(root: &Path) -> Result<Crates, String> {
    let mut manifests = vec![];
    find(root, root, &mut manifests)?;
    let mut found = Crates { modules: BTreeMap::new(), macros: BTreeMap::new() };
    for manifest in manifests {
        let text = read(&manifest)?;
        let name = text.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
        let folder = manifest.parent().unwrap_or(root).join("src");
        let Some(name) = name.filter(|_| folder.join("lib.rs").is_file()) else { continue };
        let mut reading = Reading { root, name: name.replace('-', "_"), found: &mut found };
        reading.folder(&folder, &[])?;
    }
    Ok(found)
}

/// The manifests below a folder.
fn find(root: &Path, folder: &Path, manifests: &mut Vec<PathBuf>) -> Result<(), String> {
    for path in entries(folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && !(folder == root && name == "target") {
            find(root, &path, manifests)?;
        } else if name == "Cargo.toml" {
            manifests.push(path);
        }
    }
    Ok(())
}

/// What is in a folder, in order.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |e| format!("{}: {e}", folder.display());
    let paths = fs::read_dir(folder).map_err(failed)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    paths.sort();
    Ok(paths)
}

/// The text of a file.
pub fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))
}

struct Reading<'a> {
    root: &'a Path,
    name: String,
    found: &'a mut Crates,
}

impl Reading<'_> {
    fn folder(&mut self, folder: &Path, module: &[String]) -> Result<(), String> {
        for path in entries(folder)? {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let inner = || [module, &[stem.to_string()]].concat();
            if path.is_dir() && stem != "bin" {
                self.folder(&path, &inner())?;
            } else if path.extension().is_some_and(|extension| extension == "rs") && stem != "main" {
                let own = if matches!(stem, "mod" | "lib") { module.to_vec() } else { inner() };
                let syntax =
                    syn::parse_file(&read(&path)?).map_err(|e| format!("{}: {e}", path.display()))?;
                let file = path.strip_prefix(self.root).unwrap_or(&path).display().to_string();
                self.items(&syntax.items, &file, own);
            }
        }
        Ok(())
    }

    fn items(&mut self, items: &[Item], file: &str, path: Segments) {
        let mut module = Module { file: Some(file.to_string()), ..Module::default() };
        for item in items.iter().filter(|item| !attributes(item).iter().any(is_test)) {
            match item {
                Item::Use(import) => module.import(&import.tree, &mut vec![]),
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        self.items(items, file, [&path[..], &[inner.ident.to_string()]].concat());
                    }
                    continue;
                }
                Item::Macro(definition) => {
                    let name = definition.ident.as_ref().map(ToString::to_string);
                    if definition.mac.path.is_ident("include") {
                        module.file = None;
                    }
                    let exported = definition.attrs.iter().any(|a| a.path().is_ident("macro_export"));
                    if let Some(name) = name.filter(|_| exported) {
                        self.found.macros.insert((self.name.clone(), name), file.to_string());
                    }
                }
                _ => module.items.extend(name(item)),
            }
            Paths(&mut module.paths).visit_item(item);
        }
        self.found.modules.entry(self.name.clone()).or_default().insert(path, module);
    }
}

fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|what| what == "test")
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(i) => &i.attrs,
        Item::Enum(i) => &i.attrs,
        Item::Fn(i) => &i.attrs,
        Item::Impl(i) => &i.attrs,
        Item::Macro(i) => &i.attrs,
        Item::Mod(i) => &i.attrs,
        Item::Static(i) => &i.attrs,
        Item::Struct(i) => &i.attrs,
        Item::Trait(i) => &i.attrs,
        Item::Type(i) => &i.attrs,
        Item::Use(i) => &i.attrs,
        _ => &[],
    }
}

fn name(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(i) => i.ident.to_string(),
        Item::Enum(i) => i.ident.to_string(),
        Item::Fn(i) => i.sig.ident.to_string(),
        Item::Static(i) => i.ident.to_string(),
        Item::Struct(i) => i.ident.to_string(),
        Item::Trait(i) => i.ident.to_string(),
        Item::Type(i) => i.ident.to_string(),
        _ => return None,
    })
}

impl Module {
    fn import(&mut self, tree: &UseTree, path: &mut Segments) {
        let mut named = |name: String, path: Segments| drop(self.names.insert(name, path));
        let with = |path: &Segments, last: String| match last.as_str() {
            "self" => path.clone(),
            _ => [&path[..], &[last]].concat(),
        };
        match tree {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.import(&inner.tree, path);
                path.pop();
            }
            UseTree::Name(own) => {
                let full = with(path, own.ident.to_string());
                named(full.last().cloned().unwrap_or_default(), full);
            }
            UseTree::Rename(own) => named(own.rename.to_string(), with(path, own.ident.to_string())),
            UseTree::Glob(_) => self.globs.push(path.clone()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, path)),
        }
    }
}

/// Collects paths, those in the arguments of macros too.
struct Paths<'a>(&'a mut BTreeSet<Segments>);

impl<'s> Visit<'s> for Paths<'_> {
    fn visit_path(&mut self, path: &'s syn::Path) {
        let segments: Segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if segments.len() > 1 {
            self.0.insert(segments);
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'s syn::Macro) {
        self.visit_path(&call.path);
        self.tokens(call.tokens.clone());
    }
}

impl Paths<'_> {
    fn tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons) = (vec![], 0);
        for token in tokens {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Ident(own) if colons == 2 && !path.is_empty() => {
                    path.push(own.to_string());
                    colons = 0;
                }
                other => {
                    self.end(&mut path);
                    colons = 0;
                    match other {
                        TokenTree::Ident(own) => path.push(own.to_string()),
                        TokenTree::Group(group) => self.tokens(group.stream()),
                        _ => {}
                    }
                }
            }
        }
        self.end(&mut path);
    }

    fn end(&mut self, path: &mut Segments) {
        let path = std::mem::take(path);
        if path.len() > 1 {
            self.0.insert(path);
        }
    }
}
