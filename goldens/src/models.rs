//! Whole models, imported: `models/NAME.mlir`, and in `models/NAME.json` what PyTorch computes with them.
//!
//! Parameters and inputs are not stored but made anew by [`Generated`], as `tools/import/fill.py` made them
//! for PyTorch. A model agrees when every result, and every argument that was written, is within
//! [`TOLERANCE`] times the largest expected value, or 1.

use crate::check::How;
use melior::{Context, ir::Module};
use serde_json::Value as Json;
use std::{fs, path::PathBuf};
use terrace_bundle::{Generated, generate};
use terrace_fake::{FakeMode, Operand, Options as FakeOptions, Sizes};
use terrace_interpreter::Interpreter;
use terrace_native::Cpu;
use terrace_session::{Fallback, OpenSizes, Options, Session};
use terrace_size::Size;
use terrace_tensor::{
    Dtype, Scalar, Tensor, Value,
    compare::{Tolerance, compare},
};
use terrace_tools::run;

/// The largest absolute difference, per unit of the largest expected value or of 1.
pub const TOLERANCE: f64 = 2e-5;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("models")
}

/// The models' names.
///
/// # Errors
/// The folder cannot be read.
pub fn names() -> Result<Vec<String>, String> {
    let files = fs::read_dir(folder()).map_err(|e| format!("{}: {e}", folder().display()))?;
    let mut names: Vec<String> = files
        .filter_map(|file| Some(file.ok()?.file_name().to_str()?.strip_suffix(".mlir")?.to_owned()))
        .collect();
    names.sort_unstable();
    Ok(names)
}

/// A model, and what PyTorch computed.
pub struct Model {
    text: String,
    data: Json,
}

impl Model {
    /// Reads a model.
    ///
    /// # Errors
    /// A file that is not there, or is no JSON.
    pub fn read(name: &str) -> Result<Model, String> {
        let read = |extension: &str| {
            let file = folder().join(format!("{name}.{extension}"));
            fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))
        };
        let data = serde_json::from_str(&read("json")?).map_err(|e| format!("{name}.json: {e}"))?;
        Ok(Model { text: read("mlir")?, data })
    }

    /// Runs the model and compares.
    ///
    /// # Errors
    /// What is refused, or the first difference.
    pub fn check(&self, context: &Context, how: How) -> Result<(), String> {
        let module = self.module(context)?;
        let arguments = self.arguments()?;
        let results = match how {
            How::Interpreted | How::Unsized | How::Functional | How::FunctionalUnsized => {
                Interpreter::new(&module)
                    .call("main", arguments.clone())
                    .map_err(|error| error.to_string())?
            }
            _ => {
                let options = how.options(&Cpu::host());
                run::compiled(context, module, "main", &arguments, options).map_err(|e| e.to_string())?
            }
        };
        let expected = self.list("results")?;
        if results.len() != expected.len() {
            return Err(format!("expected {} results, got {}", expected.len(), results.len()));
        }
        for (number, (result, expected)) in results.iter().zip(expected).enumerate() {
            let sizes = integers(&expected["sizes"]);
            let tensor = result.as_tensor().ok_or("a result is a number")?;
            if tensor.dtype() != dtype(expected)? || tensor.sizes() != sizes {
                return Err(format!(
                    "result {number}: expected {}{sizes:?}, got {}{:?}",
                    expected["dtype"],
                    tensor.dtype(),
                    tensor.sizes()
                ));
            }
            agree(tensor, &expected["elements"]).map_err(|e| format!("result {number}: {e}"))?;
        }
        for (number, elements) in self.data["after"].as_object().into_iter().flatten() {
            let argument = number.parse().ok().and_then(|number: usize| arguments.get(number)?.as_tensor());
            agree(argument.ok_or("'after' has an unknown argument")?, elements)
                .map_err(|e| format!("argument {number} after the call: {e}"))?;
        }
        Ok(())
    }

    /// Compiles the model once, with the sizes open that its text leaves open, and calls it with a last
    /// argument of other sizes; compares with the interpreter, which may refuse these, too.
    ///
    /// # Errors
    /// What is refused, the first difference, or how often it was compiled.
    pub fn check_sizes(&self, context: &Context, calls: &[&[i64]]) -> Result<(), String> {
        let module = self.module(context)?;
        let options =
            Options { fallback: Fallback::Never, open_sizes: OpenSizes::Declared, ..Options::default() };
        let session = Session::new(context, options);
        let program = session.program(module);
        for sizes in calls {
            let mut data = self.data.clone();
            let last = data["arguments"].as_array_mut().and_then(|all| all.last_mut());
            last.ok_or("has no arguments")?["sizes"] = sizes.to_vec().into();
            let arguments = Model { text: String::new(), data }.arguments()?;
            let at = |what: String| format!("{sizes:?}: {what}");
            let results = program.call("main", &arguments);
            let expected = Interpreter::new(program.module()).call("main", arguments);
            match (results, expected) {
                (Ok(results), Ok(expected)) => {
                    for (result, expected) in results.iter().zip(&expected) {
                        compare(expected, result, Tolerance::default()).map_err(|m| at(m.to_string()))?;
                    }
                }
                (Err(_), Err(_)) => {}
                (Err(why), Ok(_)) => return Err(at(why.to_string())),
                (Ok(_), Err(why)) => return Err(at(format!("only the interpreter refuses it: {why}"))),
            }
        }
        match program.variants("main") {
            1 => Ok(()),
            several => Err(format!("compiled {several} times")),
        }
    }

    /// Follows the model with fake tensors for its arguments, and compares with what the interpreter makes.
    ///
    /// # Errors
    /// What is refused, or the first difference.
    pub fn check_fake(&self, context: &Context, sizes: Sizes) -> Result<(), String> {
        let module = self.module(context)?;
        let arguments = self.arguments()?;
        let mut mode = FakeMode::new(context, FakeOptions { sizes, ..FakeOptions::default() });
        let tensors: Vec<&Tensor> = arguments.iter().filter_map(Value::as_tensor).collect();
        let operands: Vec<Operand> = tensors.iter().map(|tensor| Operand::Real(tensor)).collect();
        let made = mode.propagate(&module, "main", &operands).map_err(|error| error.to_string())?;
        let mut fakes: Vec<_> = tensors.iter().map(|tensor| mode.fake(tensor)).collect();
        let mut reals: Vec<Tensor> = tensors.into_iter().cloned().collect();
        let results =
            Interpreter::new(&module).call("main", arguments.clone()).map_err(|error| error.to_string())?;
        for (number, result) in results.iter().enumerate() {
            let fake = made.tensor(number).map_err(|error| error.to_string())?;
            let real = result.as_tensor().ok_or("a result is a number")?;
            let layout = mode.get(fake).known.layout.clone();
            let hints =
                |sizes: &[Size]| sizes.iter().map(|size| mode.hint(*size)).collect::<Option<Vec<_>>>();
            let own = (hints(&layout.sizes), hints(&layout.strides), mode.hint(layout.offset));
            let wanted = (Some(real.sizes().to_vec()), Some(real.strides().to_vec()), Some(real.offset()));
            let dtype = mode.get(fake).known.dtype;
            if own != wanted || dtype != real.dtype() {
                return Err(format!(
                    "result {number}: expected {}{wanted:?}, got {dtype}{own:?}",
                    real.dtype()
                ));
            }
            for (other, (fake_of_other, real_of_other)) in fakes.iter().zip(&reals).enumerate() {
                let found = (fake == *fake_of_other, mode.is_alias(fake, *fake_of_other));
                // The object that changed its sizes is the same one, of which the interpreter has two values.
                let changed = found.0 && real.sizes() != real_of_other.sizes();
                let same = changed || real.is_same(real_of_other);
                let expected = (same, real.storage().is_same(real_of_other.storage()));
                if expected != found {
                    return Err(format!(
                        "result {number} and tensor {other}: same and alias {expected:?}, got {found:?}"
                    ));
                }
            }
            fakes.push(fake);
            reals.push(real.clone());
        }
        Ok(())
    }

    fn list(&self, name: &str) -> Result<&[Json], String> {
        self.data[name].as_array().map(Vec::as_slice).ok_or(format!("has no '{name}'"))
    }

    /// The program.
    ///
    /// # Errors
    /// It is none.
    pub fn module<'c>(&self, context: &'c Context) -> Result<Module<'c>, String> {
        Module::parse(context, &self.text).ok_or_else(|| "is no program".to_owned())
    }

    /// What the model is called with.
    ///
    /// # Errors
    /// What is said of an argument is no argument.
    pub fn generators(&self) -> Result<Vec<Generated>, String> {
        let one = |(number, described): (usize, &Json)| {
            if let Some(same) = described["same_as"].as_u64() {
                return Ok(Generated::Same(same as usize));
            }
            let (dtype, sizes) = (dtype(described)?, integers(&described["sizes"]));
            let pair =
                |name: &str| Some((described[name].get(0)?.as_f64()?, described[name].get(1)?.as_f64()?));
            match (pair("real").or_else(|| pair("integers")), described["values"].as_array()) {
                (Some(range), _) => Ok(Generated::Tensor { dtype, sizes, range }),
                (None, Some(values)) => {
                    Ok(Generated::Listed { dtype, sizes, elements: values.iter().map(scalar).collect() })
                }
                (None, None) => Err(format!("argument {number} has no contents")),
            }
        };
        self.list("arguments")?.iter().enumerate().map(one).collect()
    }

    fn arguments(&self) -> Result<Vec<Value>, String> {
        generate(&self.generators()?).map_err(|e| e.to_string())
    }
}

fn scalar(json: &Json) -> Scalar {
    match json {
        Json::Bool(truth) => Scalar::Bool(*truth),
        Json::Number(number) if number.is_i64() => Scalar::Int(number.as_i64().unwrap_or_default()),
        json => Scalar::Float(json.as_f64().unwrap_or(f64::NAN)),
    }
}

fn integers(json: &Json) -> Vec<i64> {
    json.as_array().into_iter().flatten().filter_map(Json::as_i64).collect()
}

fn dtype(described: &Json) -> Result<Dtype, String> {
    let name = described["dtype"].as_str().ok_or("has no dtype")?;
    name.parse().map_err(|_| format!("'{name}' is no dtype"))
}

/// Whether elements are near enough to those that are expected.
fn agree(tensor: &Tensor, expected: &Json) -> Result<(), String> {
    let expected: Vec<f64> =
        expected.as_array().ok_or("has no elements")?.iter().map(|json| scalar(json).to_f64()).collect();
    let actual = tensor.to_vec();
    if actual.len() != expected.len() {
        return Err(format!("expected {} elements, got {}", expected.len(), actual.len()));
    }
    let largest = expected.iter().fold(1.0, |largest: f64, x| largest.max(x.abs()));
    let exact = !tensor.dtype().is_float();
    for (at, (expected, actual)) in expected.iter().zip(actual).enumerate() {
        let difference = (expected - actual.to_f64()).abs();
        let allowed = if exact { 0.0 } else { TOLERANCE * largest };
        if difference.is_nan() || difference > allowed {
            return Err(format!("element {at}: expected {expected}, got {actual}; allowed is {allowed:e}"));
        }
    }
    Ok(())
}
