//! Whole models, imported: `models/NAME.mlir`, and in `models/NAME.json` what PyTorch computes with them.
//!
//! Parameters and inputs are not stored but made anew by [`Fill`], as `tools/import/fill.py` made them for PyTorch. A model agrees
//! when every result, and every argument that was written, is within [`TOLERANCE`] times the largest expected value, or 1.

use crate::check::How;
use melior::{Context, ir::Module};
use serde_json::Value as Json;
use std::{fs, path::PathBuf};
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
        let module = Module::parse(context, &self.text).ok_or("is no program")?;
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

    /// Compiles the model once, with the sizes open that its text leaves open, and calls it with a last argument of other sizes; compares with the
    /// interpreter, which may refuse these, too.
    ///
    /// # Errors
    /// What is refused, the first difference, or how often it was compiled.
    pub fn check_sizes(&self, context: &Context, calls: &[&[i64]]) -> Result<(), String> {
        let module = Module::parse(context, &self.text).ok_or("is no program")?;
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
        let module = Module::parse(context, &self.text).ok_or("is no program")?;
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

    fn arguments(&self) -> Result<Vec<Value>, String> {
        let mut arguments: Vec<Value> = Vec::new();
        for (number, described) in self.list("arguments")?.iter().enumerate() {
            if let Some(same) = described["same_as"].as_u64() {
                arguments
                    .push(arguments.get(same as usize).ok_or("'same_as' has an unknown argument")?.clone());
                continue;
            }
            let (dtype, sizes) = (dtype(described)?, integers(&described["sizes"]));
            let fill =
                Fill::of(described, number as u64).ok_or(format!("argument {number} has no contents"))?;
            let count = sizes.iter().product::<i64>() as u64;
            let elements: Vec<Scalar> = (0..count).map(|k| fill.element(k)).collect();
            let tensor = Tensor::from_elements(dtype, &sizes, &elements).map_err(|e| e.to_string())?;
            arguments.push(tensor.into());
        }
        Ok(arguments)
    }
}

/// What an argument holds.
enum Fill<'a> {
    /// Floats from the first to below the second number; the argument's number.
    Real(f64, f64, u64),
    /// Integers from the first to below the second number; the argument's number.
    Integers(i64, i64, u64),
    /// These elements.
    Values(&'a [Json]),
}

impl<'a> Fill<'a> {
    fn of(described: &'a Json, argument: u64) -> Option<Fill<'a>> {
        let pair = |name: &str| Some((described[name].get(0)?, described[name].get(1)?));
        if let Some((low, high)) = pair("real") {
            return Some(Fill::Real(low.as_f64()?, high.as_f64()?, argument));
        }
        if let Some((low, high)) = pair("integers") {
            return Some(Fill::Integers(low.as_i64()?, high.as_i64()?, argument));
        }
        described["values"].as_array().map(|values| Fill::Values(values))
    }

    fn element(&self, k: u64) -> Scalar {
        match *self {
            Fill::Real(low, high, argument) => {
                let unit = (bits(argument, k) >> 40) as f64 / (1u64 << 24) as f64;
                Scalar::Float(low + (high - low) * unit)
            }
            Fill::Integers(low, high, argument) => {
                Scalar::Int(low + (bits(argument, k) % (high - low) as u64) as i64)
            }
            Fill::Values(values) => scalar(&values[k as usize]),
        }
    }
}

/// SplitMix64, as `tools/import/fill.py` says.
fn bits(argument: u64, k: u64) -> u64 {
    let mut z = ((argument << 40) + k + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
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
