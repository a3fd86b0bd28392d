//! A program with its inputs, in parts that can be taken away.

use crate::{
    dtypes::element_type,
    flow::{Body, Flow},
};
use std::fmt;
use terrace_tensor::{
    Dtype, Scalar, Storage, Tensor, Value,
    io::{Inputs, NamedStorage},
};

/// A function of the graph dialect, and what it is called with.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// The contents of the storages of its arguments.
    pub storages: Vec<Contents>,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Its arguments that are numbers, after the others: `%n0`, `%n1`, ...
    pub numbers: Vec<Scalar>,
    /// The functions that it calls.
    pub functions: Vec<Body>,
    /// Its operations, in order.
    pub steps: Vec<Step>,
    /// What it returns: names and their types.
    pub returned: Vec<(String, String)>,
}

/// What a storage holds before the call.
#[derive(Debug, Clone)]
pub struct Contents {
    /// The dtype it is listed in.
    pub dtype: Dtype,
    /// Its elements.
    pub elements: Vec<Scalar>,
}

/// A view of a storage that comes in, under the name `%aN`.
#[derive(Debug, Clone)]
pub struct Argument {
    /// The number of the storage.
    pub storage: usize,
    /// The element type.
    pub dtype: Dtype,
    /// Elements per dimension.
    pub sizes: Vec<i64>,
    /// Elements of memory between neighbours.
    pub strides: Vec<i64>,
    /// Elements of memory before the first.
    pub offset: i64,
    /// What it declares of its layout.
    pub declared: Declared,
    /// Whether it names its storage.
    pub named: bool,
    /// The number of an earlier argument that is the same tensor.
    pub same: Option<usize>,
    /// The sizes that stand as `?` where sizes are symbols.
    pub open: Vec<bool>,
}

/// What an argument declares of its layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declared {
    /// Strides and offset.
    Numbers,
    /// Nothing: it is row-major at offset 0.
    Nothing,
    /// `"any"`.
    Any,
    /// Strides and an offset, but for those that are true here: they stand as `?`.
    Some(Vec<bool>),
}

/// An operation, with the constants that belong to it.
#[derive(Debug, Clone, Default)]
pub struct Step {
    /// Its lines; none where it is control flow.
    pub text: String,
    /// The tensors and numbers it uses; what control flow uses stands there.
    pub operands: Vec<String>,
    /// The tensors and numbers it makes.
    pub results: Vec<String>,
    /// What it is made of, where it is control flow.
    pub flow: Option<Box<Flow>>,
}

impl Argument {
    /// A view of a storage that is named, with its strides and offset declared.
    pub fn new(storage: usize, dtype: Dtype, sizes: Vec<i64>, strides: Vec<i64>, offset: i64) -> Argument {
        let open = vec![true; sizes.len()];
        let declared = Declared::Numbers;
        Argument { storage, dtype, sizes, strides, offset, declared, named: true, same: None, open }
    }
}

impl Program {
    /// The type of a tensor of the graph dialect.
    pub fn type_of(dtype: Dtype, sizes: &[i64]) -> String {
        let sizes: String = sizes.iter().map(|size| format!("{size}x")).collect();
        format!("!graph.tensor<{sizes}{}>", element_type(dtype))
    }

    /// The inputs, on storages of their own.
    ///
    /// # Panics
    /// When an argument does not fit its storage, which generation rules out.
    pub fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::default();
        for (number, contents) in self.storages.iter().enumerate() {
            let size = contents.dtype.bytes();
            let storage = Storage::zeroed(contents.elements.len() * size).expect("inputs are small");
            for (at, &element) in contents.elements.iter().enumerate() {
                storage.write(contents.dtype, at * size, element);
            }
            inputs.storages.push(NamedStorage { name: format!("s{number}"), dtype: contents.dtype, storage });
        }
        for argument in &self.arguments {
            if let Some(same) = argument.same {
                let same = inputs.args[same].clone();
                inputs.args.push(same);
                continue;
            }
            let storage = inputs.storages[argument.storage].storage.clone();
            let (sizes, strides) = (argument.sizes.clone(), argument.strides.clone());
            let tensor = Tensor::new(storage, argument.dtype, sizes, strides, argument.offset);
            inputs.args.push(tensor.expect("an argument fits its storage").into());
        }
        inputs.args.extend(self.numbers.iter().map(|number| Value::from(*number)));
        inputs
    }

    /// With arguments that declare strides and offset; None where they do.
    pub fn with_numbers(&self) -> Option<Program> {
        let mut program = self.clone();
        program.arguments.iter_mut().for_each(|argument| argument.declared = Declared::Numbers);
        self.arguments.iter().any(|argument| argument.declared != Declared::Numbers).then_some(program)
    }

    /// Without a returned value.
    pub fn without_result(&self, number: usize) -> Program {
        let mut program = self.clone();
        program.returned.remove(number);
        program
    }
}

impl Argument {
    /// Its attributes: the storage that it names, and what it declares of its layout.
    pub fn declaration(&self) -> String {
        let unknown = |place: usize| matches!(&self.declared, Declared::Some(unknown) if unknown[place]);
        let number = |(place, number): (usize, &i64)| {
            if unknown(place) { "?".to_owned() } else { number.to_string() }
        };
        let strides: Vec<String> = self.strides.iter().enumerate().map(number).collect();
        let offset = number((strides.len(), &self.offset));
        let mut attributes = vec![];
        if self.named {
            attributes.push(format!("graph.storage = \"s{}\"", self.storage));
        }
        match self.declared {
            Declared::Any => attributes.push("graph.layout = \"any\"".to_owned()),
            Declared::Nothing => {}
            Declared::Numbers | Declared::Some(_) => {
                attributes
                    .push(format!("graph.layout = strided<[{}], offset: {offset}>", strides.join(", ")));
            }
        }
        if attributes.is_empty() { String::new() } else { format!(" {{{}}}", attributes.join(", ")) }
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Program::type_of(self.dtype, &self.sizes), self.declaration())
    }
}

/// The text of the program, as `@main`.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<_> =
            self.arguments.iter().enumerate().map(|(n, argument)| format!("%a{n}: {argument}")).collect();
        let (names, types): (Vec<_>, Vec<_>) = self.returned.iter().cloned().unzip();
        writeln!(f, "func.func @main({}) -> ({}) {{", arguments.join(", "), types.join(", "))?;
        for step in &self.steps {
            for line in step.text.lines() {
                writeln!(f, "  {line}")?;
            }
        }
        match names.as_slice() {
            [] => writeln!(f, "  return\n}}"),
            _ => writeln!(f, "  return {} : {}\n}}", names.join(", "), types.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_a_step_goes_with_it() {
        let step = |text: &str, operands: &[&str], result: &str| Step {
            text: text.to_owned(),
            operands: operands.iter().map(|name| name.to_string()).collect(),
            results: vec![result.to_owned()],
            flow: None,
        };
        let program = Program {
            steps: vec![step("one", &[], "%v0"), step("two", &["%v0"], "%v1"), step("three", &[], "%v2")],
            returned: ["%v1", "%v2"].map(|name| (name.to_owned(), "t".to_owned())).to_vec(),
            ..Program::default()
        };
        let smaller = program.without_step(0);
        assert_eq!(smaller.steps.iter().map(|step| step.text.as_str()).collect::<Vec<_>>(), ["three"]);
        assert_eq!(smaller.returned, [("%v2".to_owned(), "t".to_owned())]);
        assert_eq!(program.without_result(0).returned.len(), 1);
    }

    #[test]
    fn arguments_declare_storage_and_layout() {
        let declared = |declared: Declared| {
            let (sizes, strides) = (vec![2, 1], vec![3, 1]);
            Argument { declared, ..Argument::new(0, Dtype::Bool, sizes, strides, 2) }.to_string()
        };
        let text = |layout: &str| {
            format!("!graph.tensor<2x1xi1> {{graph.storage = \"s0\", graph.layout = {layout}}}")
        };
        assert_eq!(declared(Declared::Numbers), text("strided<[3, 1], offset: 2>"));
        assert_eq!(declared(Declared::Any), text("\"any\""));
        assert_eq!(declared(Declared::Some(vec![true, false, true])), text("strided<[?, 1], offset: ?>"));
    }
}
