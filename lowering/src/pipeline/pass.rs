//! Passes and lists of them as values: `[pass("cse"), pass("loop-fuse").with("points", 8)]`.
//!
//! Who leaves one out, measures each alone or runs a part asks the list. MLIR's notation, which `terrace-opt`
//! takes, is what a list displays as: `cse,loop-fuse{points=8}`.

use std::fmt::{self, Display};

/// A pass with its options, or passes for all operations of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pass {
    /// One pass.
    Single {
        /// What it is called on a command line, without dashes in front.
        name: &'static str,
        /// Its options, each as `name=value`.
        options: Vec<String>,
    },
    /// Passes that run on each operation of a name inside of a module.
    Nested {
        /// The operations: `func.func`.
        anchor: &'static str,
        /// The passes.
        passes: Pipeline,
    },
}

/// A pass without options.
pub fn pass(name: &'static str) -> Pass {
    Pass::Single { name, options: vec![] }
}

/// Passes for all operations of a name.
pub fn nested(anchor: &'static str, passes: impl Into<Pipeline>) -> Pass {
    Pass::Nested { anchor, passes: passes.into() }
}

impl Pass {
    /// With a value for one of its options. Passes that are nested have none.
    #[must_use]
    pub fn with(mut self, option: &str, value: impl Display) -> Self {
        if let Pass::Single { options, .. } = &mut self {
            options.push(format!("{option}={value}"));
        }
        self
    }

    /// Its name; of passes that are nested that of the first.
    pub fn name(&self) -> &'static str {
        match self {
            Pass::Single { name, .. } => name,
            Pass::Nested { anchor, passes } => passes.0.first().map_or(anchor, Pass::name),
        }
    }
}

impl Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Pass::Single { name, options } if options.is_empty() => f.write_str(name),
            Pass::Single { name, options } => write!(f, "{name}{{{}}}", options.join(" ")),
            Pass::Nested { anchor, passes } => write!(f, "{anchor}({passes})"),
        }
    }
}

/// Passes that run one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pipeline(Vec<Pass>);

impl Pipeline {
    /// This, then more.
    #[must_use]
    pub fn then(mut self, more: impl Into<Pipeline>) -> Self {
        self.0.extend(more.into().0);
        self
    }

    /// This, then more where a condition holds.
    #[must_use]
    pub fn then_if(self, condition: bool, more: impl Into<Pipeline>) -> Self {
        if condition { self.then(more) } else { self }
    }

    /// This without passes of some names.
    #[must_use]
    pub fn without(mut self, names: &[String]) -> Self {
        self.0.retain(|pass| !names.iter().any(|name| name == pass.name()));
        self
    }

    /// Its passes, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Pass> {
        self.0.iter()
    }
}

impl<const N: usize> From<[Pass; N]> for Pipeline {
    fn from(passes: [Pass; N]) -> Self {
        Pipeline(passes.into())
    }
}

/// Passes without options.
impl<const N: usize> From<[&'static str; N]> for Pipeline {
    fn from(names: [&'static str; N]) -> Self {
        Pipeline(names.map(pass).into())
    }
}

impl From<Pass> for Pipeline {
    fn from(pass: Pass) -> Self {
        Pipeline(vec![pass])
    }
}

impl From<&'static str> for Pipeline {
    fn from(name: &'static str) -> Self {
        pass(name).into()
    }
}

/// Lists, one after the other.
impl FromIterator<Pipeline> for Pipeline {
    fn from_iter<I: IntoIterator<Item = Pipeline>>(lists: I) -> Self {
        Pipeline(lists.into_iter().flat_map(|list| list.0).collect())
    }
}

impl Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, pass) in self.0.iter().enumerate() {
            write!(f, "{}{pass}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_displays_as_mlir_writes_pipelines() {
        let list = Pipeline::from([pass("a").with("x", 1).with("y", true), pass("b")])
            .then(nested("func.func", ["c", "d"]))
            .then_if(false, "e");
        assert_eq!(list.to_string(), "a{x=1 y=true},b,func.func(c,d)");
    }

    #[test]
    fn a_pass_is_left_out_by_its_name_and_not_by_its_options() {
        let list = Pipeline::from([pass("a").with("x", 1), pass("b").with("a", 2)]).without(&["a".into()]);
        assert_eq!(list.to_string(), "b{a=2}");
    }
}
