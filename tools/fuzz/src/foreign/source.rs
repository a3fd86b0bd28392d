//! A function of upstream's dialects, line by line, and what it is called with: text of which parts can be
//! taken away.

use crate::{
    campaign::Wrong,
    program::{Argument, Contents, Program},
};
use std::fmt;
use terrace_tensor::{Dtype, Scalar, io::Inputs};
use terrace_tools::random::Random;

/// A function `@main`, and a call of it.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The storages, tensors and numbers of the call, and what is returned; it has no steps.
    pub call: Program,
    /// The names and types of the arguments: tensors and memrefs, then numbers.
    pub names: Vec<(String, String)>,
    /// The lines of its body; what a line opens in braces, later ones close.
    pub lines: Vec<String>,
    /// Whether results are the same in whatever order they are computed.
    pub exact: bool,
    /// Passes that stand before those of Terrace: what they are told is true of this call.
    pub before: &'static str,
}

impl Source {
    /// A new argument on a storage of its own, filled with small whole numbers; gives its name.
    pub fn argument(&mut self, random: &mut Random, dtype: Dtype, sizes: &[i64], ty: String) -> String {
        let strides = terrace_tensor::layout::contiguous_strides(sizes);
        let storage = self.storage(random, dtype, sizes.iter().product());
        self.argument_in(Argument::new(storage, dtype, sizes.to_vec(), strides, 0), ty)
    }

    /// A new argument that lies in a storage; gives its name.
    pub fn argument_in(&mut self, argument: Argument, ty: String) -> String {
        let name = format!("%a{}", self.call.arguments.len());
        self.names.insert(self.call.arguments.len(), (name.clone(), ty));
        self.call.arguments.push(argument);
        name
    }

    /// A new argument that is an index; gives its name.
    pub fn number(&mut self, value: i64) -> String {
        let name = format!("%n{}", self.call.numbers.len());
        self.names.push((name.clone(), "index".into()));
        self.call.numbers.push(Scalar::Int(value));
        name
    }

    /// A new storage; gives its number.
    pub fn storage(&mut self, random: &mut Random, dtype: Dtype, count: i64) -> usize {
        let element = |_| match dtype {
            Dtype::Bool => Scalar::Bool(random.percent(50)),
            _ => Scalar::Int(random.between(-2, 3)).cast(dtype),
        };
        self.call.storages.push(Contents { dtype, elements: (0..count).map(element).collect() });
        self.call.storages.len() - 1
    }

    /// The tensors and numbers that it is called with, anew.
    pub fn inputs(&self) -> Inputs {
        self.call.inputs()
    }

    /// What is wrong with it.
    pub fn wrong(&self, kind: impl Into<String>, what: impl Into<String>) -> Wrong {
        Wrong { kind: kind.into(), what: what.into(), text: self.to_string(), ..Wrong::default() }
    }

    /// Without an argument.
    pub fn without_argument(&self, number: usize) -> Source {
        let mut smaller = self.clone();
        smaller.names.remove(number);
        match number.checked_sub(self.call.arguments.len()) {
            Some(number) => _ = smaller.call.numbers.remove(number),
            None => _ = smaller.call.arguments.remove(number),
        }
        smaller
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<_> = self.names.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        let (names, types): (Vec<_>, Vec<_>) = self.call.returned.iter().cloned().unzip();
        writeln!(f, "func.func @main({}) -> ({}) {{", arguments.join(", "), types.join(", "))?;
        self.lines.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        match names.as_slice() {
            [] => writeln!(f, "  return\n}}"),
            _ => writeln!(f, "  return {} : {}\n}}", names.join(", "), types.join(", ")),
        }
    }
}
