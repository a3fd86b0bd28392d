//! Whether a case comes to what eager came to.

use crate::{
    bounds::{self, Bound},
    bundles,
    case::{Case, Contents, Expected, Outcome},
    devices::{self, Record},
    fake::{self, Knows, Verdict},
    models::Model,
    operators::Operators,
    program::{self, Failure, Sizes},
};
use melior::Context;
use std::{cell::RefCell, collections::BTreeMap, path::Path, rc::Rc};
use terrace_dialects::{
    definitions::verifiers::GUARD,
    ir::refusal::{INTERNAL, Reason},
};
use terrace_emulator::Order;
use terrace_interpreter::{Interpreter, semantics::random};
use terrace_lowering::pipeline;
use terrace_native::{Cpu, Device, GpuCode};
use terrace_session::{Error, Fallback, OpenSizes, Options, Program, Session};
use terrace_tensor::{Dtype, Scalar, Storage, Tensor, Value};
use terrace_tools::module::{self, Messages};

/// How a case is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// By the interpreter.
    Interpreted,
    /// By the interpreter, of a program that does not know the sizes of what comes in.
    Unsized,
    /// By the interpreter, after mutation removal: as a pure core in the functional dialect and a boundary.
    Functional,
    /// The same of a program that does not know the sizes of what comes in.
    FunctionalUnsized,
    /// As machine code. Cases that eager refuses are refused earlier: there is nothing to run.
    Compiled,
    /// The same of a program that does not know the sizes of what comes in.
    CompiledUnsized,
    /// The same with its kernels on the emulator of a GPU, whose threads get their turns in an order.
    Emulated(Order),
    /// The same of a program that does not know the sizes of what comes in.
    EmulatedUnsized(Order),
}

impl How {
    /// Whether a program becomes machine code that does not know sizes.
    fn is_code_for_any_size(self) -> bool {
        matches!(self, How::CompiledUnsized | How::EmulatedUnsized(_))
    }

    /// How a session compiles for it, and leaves what it refuses.
    pub fn options(self, cpu: &Cpu) -> Options<'static> {
        let emulator = |order: Order| {
            let load = move |code: &GpuCode| {
                let gpu = terrace_emulator::gpu(&code.llvm_ir(), order).map_err(|e| e.to_string())?;
                Ok(Rc::new(gpu) as Rc<dyn Device>)
            };
            terrace_session::Gpu { architecture: ARCHITECTURE.into(), load: Box::new(load) }
        };
        let gpu = match self {
            How::Emulated(order) | How::EmulatedUnsized(order) => Some(emulator(order)),
            _ => None,
        };
        let open_sizes = if self.is_code_for_any_size() { OpenSizes::All } else { OpenSizes::Differing };
        Options { cpu: cpu.clone(), fallback: Fallback::Never, open_sizes, gpu, ..Options::default() }
    }
}

/// The architecture that kernels for the emulator are compiled for.
const ARCHITECTURE: &str = "sm_90";

/// Runs cases, and keeps diagnostics to itself.
pub struct Checker {
    context: Context,
    operators: Operators,
    messages: Messages,
    refused: RefCell<BTreeMap<String, Vec<String>>>,
    /// What code is generated for.
    cpu: Cpu,
}

impl Default for Checker {
    fn default() -> Checker {
        Checker::new()
    }
}

impl Checker {
    /// A checker with a context of its own.
    pub fn new() -> Checker {
        let (context, messages) = module::listening();
        context.load_all_available_dialects();
        Checker {
            context,
            operators: Operators::new(),
            messages,
            refused: RefCell::default(),
            cpu: Cpu::host(),
        }
    }

    /// The same with code for a processor that this one can stand in for.
    #[must_use]
    pub fn on(self, cpu: Cpu) -> Checker {
        Checker { cpu, ..self }
    }

    /// Runs a case and compares.
    ///
    /// # Errors
    /// The first difference, in words.
    pub fn check(&self, case: &Case, how: How) -> Result<(), String> {
        self.messages.borrow_mut().clear();
        let Some(ran) = self.run(case, how)? else { return Ok(()) };
        match (&case.outcome, ran) {
            (Outcome::Results(results, changed), Ok(run)) => {
                run.agrees(results, changed, bounds::of(case), case)
            }
            (Outcome::Results(..), Err(message)) => Err(format!("refused: {message}")),
            (Outcome::Error(message), Ok(_)) => Err(format!("is not refused; eager says: {message}")),
            (Outcome::Error(message), Err(ours)) if ours.contains(message.as_str()) => Ok(()),
            (Outcome::Error(message), Err(ours)) => {
                Err(format!("refused in other words: {ours}; eager says: {message}"))
            }
        }
    }

    /// Writes the bundle of a case.
    ///
    /// # Errors
    /// It has no form on a GPU.
    pub fn bundle(&self, case: &Case, to: (&Path, bool)) -> Result<(), String> {
        bundles::case(&self.context, &self.operators, case, to)
    }

    /// Writes the bundle of a model.
    ///
    /// # Errors
    /// It has no form on a GPU.
    pub fn bundle_of_model(&self, name: &str, (folder, emulated): (&Path, bool)) -> Result<(), String> {
        bundles::model(&self.context, name, folder, emulated)
    }

    /// Propagates fake tensors through the program of a case and compares.
    ///
    /// # Errors
    /// The first difference, in words.
    pub fn fake(&self, case: &Case, knows: Knows) -> Result<Verdict, String> {
        self.messages.borrow_mut().clear();
        fake::check(&self.context, &self.operators, case, knows)
    }

    /// Compares fake tensors on devices with PyTorch's.
    ///
    /// # Errors
    /// The first difference, in words.
    pub fn on_devices(&self, record: &Record, knows: Knows) -> Result<Verdict, String> {
        self.messages.borrow_mut().clear();
        devices::check(&self.context, &self.operators, record, knows, || self.message())
    }

    /// The cases whose programs of unknown sizes were refused so far, by what they were refused for.
    pub fn refused(&self) -> BTreeMap<String, Vec<String>> {
        self.refused.borrow().clone()
    }

    /// Runs a model and compares.
    ///
    /// # Errors
    /// What is refused, or the first difference, in words.
    pub fn model(&self, model: &Model, how: How) -> Result<(), String> {
        model.check(&self.context, how).map_err(|message| [self.message(), message].concat())
    }

    /// The text of the program of a case, where it has one.
    pub fn text(&self, case: &Case) -> Option<String> {
        let module = program::module(&self.context, &self.operators, case, Sizes::Static).ok()?;
        Some(module.as_operation().to_string())
    }

    /// Runs a case; the inner error is a refusal. None where a program that knows no sizes is refused, and
    /// may be.
    fn run(&self, case: &Case, how: How) -> Result<Option<Result<Run, String>>, String> {
        let sizes = match how {
            How::Unsized => Sizes::Dynamic,
            How::FunctionalUnsized | How::CompiledUnsized | How::EmulatedUnsized(_) => Sizes::Strided,
            _ => Sizes::Static,
        };
        let mut module = match program::module(&self.context, &self.operators, case, sizes) {
            Ok(module) => module,
            Err(Failure::Case(message)) => return Err(message),
            Err(Failure::Refused) => {
                let said = self.message();
                let excused = how == How::Unsized && needs_sizes(case, &said)
                    || how != How::Unsized && sizes != Sizes::Static;
                return Ok((!excused).then_some(Err(said)));
            }
        };
        let storages = case.storages.iter().map(Contents::storage).collect::<Result<Vec<_>, _>>()?;
        let tensors =
            case.tensors.iter().map(|view| view.tensor(&storages)).collect::<Result<Vec<_>, _>>()?;
        let arguments: Vec<Value> = tensors.iter().cloned().map(Value::from).collect();
        if let Some(seed) = case.seed {
            random::manual_seed(seed);
        }
        let results = match how {
            How::Interpreted | How::Unsized => {
                Interpreter::new(&module).call("main", arguments).map_err(|_| self.message())
            }
            How::Functional | How::FunctionalUnsized => {
                // Once: for other sizes than the usual ones the function is interpreted as it is written.
                let passes = pipeline::values().then(pipeline::canonicalize()).then("functional-reinplace");
                pipeline::run(&self.context, &mut module, &passes).map_err(|_| self.message()).and_then(
                    |_| Interpreter::new(&module).call("main", arguments).map_err(|_| self.message()),
                )
            }
            How::Compiled | How::CompiledUnsized | How::Emulated(_) | How::EmulatedUnsized(_) => {
                let session = Session::new(&self.context, how.options(&self.cpu));
                session.manual_seed(case.seed.unwrap_or_default());
                let program = session.program(module);
                let results = program.call("main", &arguments);
                if how.is_code_for_any_size() && !self.is_comparable(case, &program, &arguments, &results) {
                    return Ok(None);
                }
                results.map_err(|e| e.to_string())
            }
        };
        let refused = matches!(case.outcome, Outcome::Error(_));
        let untold = |said: &String| said.contains("computes what its type does not say");
        if how == How::FunctionalUnsized && results.as_ref().is_err_and(|said| !said.contains(INTERNAL)) {
            // What holds for the usual sizes is made functional; a call with others is refused by a guard, or
            // the program is.
            let said = results.as_ref().err().cloned().unwrap_or_default();
            let guard = said.contains(GUARD);
            let reason = match (refused, guard) {
                (true, _) => "are refused by eager, too",
                (_, true) => "are refused by a guard",
                _ => "are refused for any sizes",
            };
            self.refuse(case, reason);
            return Ok(None);
        }
        if matches!(how, How::Unsized | How::CompiledUnsized)
            && results.as_ref().is_err_and(|said| untold(said) && needs_sizes(case, said))
        {
            return Ok(None);
        }
        Ok(Some(results.and_then(|results| {
            let results = results.iter().map(tensor).collect::<Result<Vec<_>, _>>()?;
            let tensors = tensors.into_iter().chain(results).collect();
            let bounded = !matches!(how, How::Compiled | How::Emulated(_)) && !how.is_code_for_any_size();
            Ok(Run {
                storages,
                tensors,
                bounded,
                any_size: how.is_code_for_any_size() || how == How::FunctionalUnsized,
            })
        })))
    }

    /// Counts a program of unknown sizes that is refused.
    fn refuse(&self, case: &Case, reason: &str) {
        self.refused.borrow_mut().entry(reason.to_owned()).or_default().push(case.name.clone());
    }

    /// Whether what came of a call of a program with open sizes can be compared; counts those that sizes of
    /// the call were needed for.
    fn is_comparable(
        &self,
        case: &Case,
        program: &Program,
        arguments: &[Value],
        results: &Result<Vec<Value>, Error>,
    ) -> bool {
        let made = program.variant("main", arguments);
        let reason = match (&case.outcome, results, made) {
            // Other sizes are another program's: what eager refuses may be refused in other words.
            (Outcome::Error(_), Err(_), _) => {
                self.refuse(case, "are refused by eager, too");
                return false;
            }
            (_, Ok(_), Ok(variant)) if !variant.pattern().is_exact() && program.variants("main") == 1 => {
                return true;
            }
            (_, Ok(_), Ok(_)) if program.variants("main") > 1 => {
                "are refused by a guard, and compiled for their sizes"
            }
            (_, Ok(_), Ok(_)) if program.closed("main") => {
                "are refused with open sizes, and compiled for their sizes"
            }
            (_, Ok(_), Ok(_)) => "have no size that may be open",
            _ => return true,
        };
        self.refuse(case, reason);
        true
    }

    fn message(&self) -> String {
        self.messages.borrow_mut().drain(..).collect::<Vec<_>>().join("; ")
    }
}

/// Operators whose dtypes depend on sizes: nothing is converted where nothing is filled, and sums over one
/// element are none.
const DECIDED_BY_SIZES: [&str; 3] = ["einsum", "fill_diagonal", "index_put"];

/// Whether a refusal of a program that knows no sizes is as it should be: there are other words for sizes
/// that are not known, some rules need them, and the others suppose that there are elements.
fn needs_sizes(case: &Case, said: &str) -> bool {
    match &case.outcome {
        Outcome::Error(_) => true,
        Outcome::Results(..) => {
            Reason::of(said) == Some(Reason::Size)
                || case.tensors.iter().any(|view| view.sizes.contains(&0))
                || case.calls.iter().any(|call| DECIDED_BY_SIZES.contains(&call.operator()))
        }
    }
}

/// A result; of a number the tensor that the cases have in its place.
fn tensor(value: &Value) -> Result<Tensor, String> {
    match value {
        Value::Tensor(tensor) => Ok(tensor.clone()),
        Value::Scalar(number) => {
            let dtype = match number {
                Scalar::Bool(_) => Dtype::Bool,
                Scalar::Int(_) => Dtype::I64,
                Scalar::Float(_) => Dtype::F64,
                Scalar::Complex(..) => Dtype::C128,
            };
            Tensor::from_elements(dtype, &[], &[*number]).map_err(|error| error.to_string())
        }
    }
}

/// What came of a run.
struct Run {
    /// The storages that came in.
    storages: Vec<Storage>,
    /// The tensors that came in, then the results.
    tensors: Vec<Tensor>,
    /// Whether elements have error bounds: compiled code leaves none.
    bounded: bool,
    /// Whether it is code for any size: strides along a size of 1, and of a tensor without elements, are not
    /// compared.
    any_size: bool,
}

impl Run {
    fn agrees(
        mut self,
        results: &[Expected],
        changed: &[(usize, Contents)],
        bound: Option<Bound>,
        case: &Case,
    ) -> Result<(), String> {
        let given = case.tensors.len();
        let whole = case.is_whole() && bound.is_none_or(|bound| bound.ulps == 0.0);
        if self.tensors.len() != given + results.len() {
            return Err(format!("expected {} results, got {}", results.len(), self.tensors.len() - given));
        }
        for (number, expected) in results.iter().enumerate() {
            let tensor = self.tensors[given + number].clone();
            let same = self.tensors[..given + number].iter().position(|known| known.is_same(&tensor));
            self.result(&tensor, same, expected, bound, whole)
                .map_err(|difference| format!("result {number}: {difference}"))?;
        }
        for (number, before) in case.storages.iter().enumerate() {
            let expected =
                changed.iter().find(|(storage, _)| *storage == number).map_or(before, |(_, after)| after);
            let size = expected.dtype.bytes();
            for (at, expected_element) in expected.elements.iter().enumerate() {
                let actual = self.storages[number].read(expected.dtype, at * size);
                // Each part of a complex number has one.
                let parts = [0, size / 2].into_iter().take(1 + usize::from(expected.dtype.is_complex()));
                let own = parts.map(|part| self.storages[number].bound(at * size + part)).fold(0.0, f64::max);
                let own = self.bounded.then_some(own);
                equal(*expected_element, actual, expected.dtype, bound)
                    .and_then(|_| covered(*expected_element, actual, expected.dtype, own, whole))
                    .map_err(|difference| {
                        format!("storage {number} at {at} after the calls: {difference}")
                    })?;
            }
        }
        Ok(())
    }

    fn result(
        &mut self,
        tensor: &Tensor,
        same: Option<usize>,
        expected: &Expected,
        bound: Option<Bound>,
        whole: bool,
    ) -> Result<(), String> {
        let (view, elements) = match expected {
            Expected::Same(number) if same == Some(*number) => return Ok(()),
            Expected::Same(number) => return Err(format!("expected %{number} itself, got another tensor")),
            Expected::View(view, elements) => (view, elements),
        };
        if let Some(number) = same {
            return Err(format!("expected another tensor, got %{number} itself"));
        }
        let (dtype, sizes) = (tensor.dtype(), tensor.sizes());
        if dtype != view.dtype || sizes != view.sizes {
            return Err(format!("expected {}{:?}, got {dtype}{sizes:?}", view.dtype, view.sizes));
        }
        // Strides that lead to no other element.
        let is_nothing = |size: i64| self.any_size && (size == 1 || sizes.contains(&0));
        let strides = tensor.strides().iter().zip(&view.strides).zip(sizes);
        let differ = strides.into_iter().any(|((own, theirs), size)| own != theirs && !is_nothing(*size));
        if differ || tensor.offset() != view.offset {
            let (strides, offset) = (tensor.strides(), tensor.offset());
            return Err(format!(
                "expected strides {:?} and offset {}, got {strides:?} and {offset}",
                view.strides, view.offset
            ));
        }
        if tensor.flags() != view.flags {
            return Err(format!("expected {:?}, got {:?}", view.flags, tensor.flags()));
        }
        match self.storages.iter().position(|storage| storage.is_same(tensor.storage())) {
            Some(number) if number == view.storage => {}
            None if view.storage == self.storages.len() => self.storages.push(tensor.storage().clone()),
            found => return Err(format!("expected a view of storage {}, got {found:?}", view.storage)),
        }
        let bounded = self.bounded;
        let own = |offset| bounded.then(|| tensor.bound(offset));
        let elements = elements.iter().flatten().zip(tensor.offsets()).zip(tensor.to_vec());
        for (at, ((expected, offset), actual)) in elements.enumerate() {
            equal(*expected, actual, dtype, bound)
                .and_then(|_| covered(*expected, actual, dtype, own(offset), whole))
                .map_err(|difference| format!("element {at}: {difference}"))?;
        }
        Ok(())
    }
}

/// Whether two elements are equal within the bound; without one, floats that are 0 have equal signs. The
/// bound of either part of a complex number is that of the larger one.
fn equal(expected: Scalar, actual: Scalar, dtype: Dtype, bound: Option<Bound>) -> Result<(), String> {
    let close = |expected: f64, actual: f64, magnitude: f64| match bound {
        _ if expected.is_nan() => actual.is_nan(),
        None => expected.to_bits() == actual.to_bits(),
        Some(bound) => {
            let near = (expected - actual).abs() <= bound.allowed(magnitude, dtype.epsilon());
            expected == actual || expected.is_finite() && near
        }
    };
    let same = match (expected.cast(dtype), actual) {
        (Scalar::Float(expected), Scalar::Float(actual)) => close(expected, actual, expected),
        (Scalar::Complex(re, im), Scalar::Complex(re2, im2)) => {
            let magnitude = re.abs().max(im.abs());
            close(re, re2, magnitude) && close(im, im2, magnitude)
        }
        (expected, actual) => expected == actual,
    };
    if same { Ok(()) } else { Err(format!("expected {expected}, got {actual}")) }
}

/// Whether the interpreter's own error bound covers what eager computes, another implementation, and is 0
/// where operations that are exact on every path make whole numbers of whole numbers.
fn covered(
    expected: Scalar,
    actual: Scalar,
    dtype: Dtype,
    own: Option<f64>,
    whole: bool,
) -> Result<(), String> {
    let Some(own) = own else { return Ok(()) };
    if whole && own != 0.0 {
        return Err(format!("{actual} of whole numbers has an error bound, {own:e}"));
    }
    let away = match (expected.cast(dtype), actual) {
        (Scalar::Float(expected), Scalar::Float(actual)) => (expected - actual).abs(),
        (Scalar::Complex(re, im), Scalar::Complex(re2, im2)) => (re - re2).abs().max((im - im2).abs()),
        _ => 0.0,
    };
    if away > own {
        return Err(format!(
            "eager's {expected} is {away:e} away from {actual}, more than the error bound {own:e}"
        ));
    }
    Ok(())
}
