//! Deferred initialization: what a function makes, as fake tensors, and each of its results made when it is
//! asked for.
//!
//! The module went through `graph-deferred-init`: `@init.fake` gives fake tensors and names for each the
//! function that makes its storage. A storage is made once: results that share it get views of the one. Draws
//! are those that `@init` would have made.

use crate::{compute::copy, mode::Error};
use melior::ir::{Attribute, AttributeLike, Module, OperationRef, RegionLike, TypeLike};
use std::collections::HashMap;
use terrace_dialects::ir::{
    BlockLike, OperationLike, attributes,
    operations::{arguments, name_of, users},
};
use terrace_interpreter::{Interpreter, semantics::random};
use terrace_tensor::{Scalar, Storage, Tensor, TensorError, Value};

/// The results of a function, made one by one.
///
/// ```
/// # use terrace_dialects::ir::context;
/// # use terrace_fake::DeferredInit;
/// # use terrace_interpreter::Interpreter;
/// # use melior::ir::Module;
/// # let context = terrace_dialects::new_context();
/// // What `graph-deferred-init` makes of a function @init that fills eight exbibytes and a small tensor.
/// let text = "
///   func.func @init.fake() -> (!graph.tensor<2305843009213693951xf32> {graph.materialize = @init.materialize_0},
///                              !graph.tensor<2xf32> {graph.materialize = @init.materialize_1},
///                              i64 {graph.generator_state}, i64 {graph.generator_state}) {
///     %seed, %drawn = graph.generator_state
///     %0 = graph.fake [2305843009213693951] {dtype = f32}
///     %1 = graph.fake [2] {dtype = f32}
///     graph.skip_draws 1
///     return %0, %1, %seed, %drawn : !graph.tensor<2305843009213693951xf32>, !graph.tensor<2xf32>, i64, i64
///   }
///   func.func @init.materialize_1(%seed: i64, %drawn: i64) -> !graph.tensor<2xf32> {
///     %0 = graph.ones [2] {dtype = f32}
///     return %0 : !graph.tensor<2xf32>
///   }";
/// let module = Module::parse(&context, text).unwrap();
/// let mut init = DeferredInit::new(&module, Interpreter::new(&module), "init", vec![])?;
/// assert_eq!(init.results()[0].as_tensor().unwrap().sizes(), [2305843009213693951]);
/// assert_eq!(init.materialize(1)?.to_vec()[0].to_f64(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DeferredInit<'m> {
    module: &'m Module<'m>,
    interpreter: Interpreter<'m>,
    results: Vec<Value>,
    /// The function that makes each result, and its place among the results of that one.
    makers: Vec<Option<(String, usize)>>,
    /// The arguments as they were, of those that are used; the others are fake.
    arguments: Vec<Value>,
    state: Option<(u64, u64)>,
    results_of: HashMap<String, Vec<Tensor>>,
}

impl<'m> DeferredInit<'m> {
    /// Runs `@NAME.fake`: arguments are written, numbers computed, and the generator goes on, as `@NAME`
    /// would have done. The interpreter is one of the module.
    ///
    /// # Errors
    /// The module has no such function, or it refuses its arguments or what they hold. A diagnostic has been
    /// emitted there.
    pub fn new(
        module: &'m Module<'m>,
        interpreter: Interpreter<'m>,
        name: &str,
        given: Vec<Value>,
    ) -> Result<DeferredInit<'m>, Error> {
        let location = module.as_operation().location();
        let name = format!("{name}.fake");
        let function = function(module, &name).ok_or_else(|| {
            Error::at(location, format!("no function is named @{name}: graph-deferred-init makes it"))
        })?;
        let makers = makers(function);
        let used = used(module, &makers, given.len());
        let mut copies = HashMap::new();
        let kept = |(value, used): (&Value, bool)| match value {
            Value::Tensor(tensor) if used => copy(tensor, &mut copies),
            Value::Tensor(tensor) => hollow(tensor),
            number => Ok(number.clone()),
        };
        let arguments = given.iter().zip(used).map(kept).collect::<Result<Vec<_>, _>>();
        let arguments = arguments.map_err(|error| Error::at(location, error.to_string()))?;
        let mut results = interpreter.call(&name, given).map_err(of_run)?;
        let state = match results.get(makers.len()..) {
            Some([Value::Scalar(Scalar::Int(seed)), Value::Scalar(Scalar::Int(drawn))]) => {
                Some((*seed as u64, *drawn as u64))
            }
            _ => None,
        };
        results.truncate(makers.len());
        Ok(DeferredInit {
            module,
            interpreter,
            results,
            makers,
            arguments,
            state,
            results_of: HashMap::new(),
        })
    }

    /// What the function gives: fake tensors; real ones, which are no views of new storages or could not be
    /// put off; numbers.
    pub fn results(&self) -> &[Value] {
        &self.results
    }

    /// Whether a result is made when it is asked for.
    pub fn is_deferred(&self, result: usize) -> bool {
        self.makers.get(result).is_some_and(Option::is_some)
    }

    /// A result with its elements, the same tensor each time; views of one storage are made with it.
    ///
    /// # Errors
    /// There is no such tensor, or an operation that it depends on refuses, at that operation.
    pub fn materialize(&mut self, result: usize) -> Result<Tensor, Error> {
        let location = self.module.as_operation().location();
        let Some(Value::Tensor(own)) = self.results.get(result) else {
            return Err(Error::at(location, format!("there is no tensor as result {result}")));
        };
        let Some((maker, place)) = &self.makers[result] else { return Ok(own.clone()) };
        if !self.results_of.contains_key(maker) {
            let mut copies = HashMap::new();
            let again = |value: &Value| match value {
                Value::Tensor(tensor) if !tensor.storage().is_fake() => copy(tensor, &mut copies),
                other => Ok(other.clone()),
            };
            let arguments = self.arguments.iter().map(again).collect::<Result<Vec<_>, _>>();
            let mut arguments = arguments.map_err(|error| Error::at(location, error.to_string()))?;
            if let Some((seed, drawn)) = self.state {
                arguments.extend([seed, drawn].map(|word| Value::from(Scalar::Int(word as i64))));
            }
            // A function that is refused leaves the generator where it was.
            let before = random::state();
            let made = self.interpreter.call(maker, arguments).map_err(|error| {
                random::set_state(before);
                of_run(error)
            })?;
            let made = made.into_iter().filter_map(|value| value.as_tensor().cloned()).collect();
            self.results_of.insert(maker.clone(), made);
        }
        Ok(self.results_of[maker][*place].clone())
    }
}

fn of_run(error: terrace_interpreter::Error) -> Error {
    Error { location: error.location, message: error.message }
}

/// A tensor of the same sizes on a storage without memory.
fn hollow(tensor: &Tensor) -> Result<Value, TensorError> {
    let (sizes, strides) = (tensor.sizes().to_vec(), tensor.strides().to_vec());
    let storage = Storage::fake(tensor.storage().len());
    Ok(Tensor::new(storage, tensor.dtype(), sizes, strides, tensor.offset())?
        .with_flags(tensor.flags())
        .into())
}

fn function<'m>(module: &'m Module<'m>, name: &str) -> Option<OperationRef<'m, 'm>> {
    let mut all = std::iter::successors(module.body().first_operation(), |op| op.next_in_block());
    all.find(|op| {
        name_of(*op) == "func.func"
            && op.attribute("sym_name").is_ok_and(|own| attributes::string(own) == name)
    })
}

/// The function that makes each result, and its place among those that it makes; without the state of the
/// generator.
fn makers(function: OperationRef) -> Vec<Option<(String, usize)>> {
    let mut makers: Vec<Option<(String, usize)>> = vec![];
    let mut counts: HashMap<String, usize> = HashMap::new();
    for entry in result_attributes(function) {
        let maker = entry.map(|name| {
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            (name, *count - 1)
        });
        makers.push(maker);
    }
    makers
}

/// The name that `graph.materialize` gives to each result of the function that was deferred: all but
/// `graph.generator_state`.
fn result_attributes(function: OperationRef) -> Vec<Option<String>> {
    let Ok(ty) = function.attribute("function_type") else { return vec![] };
    let list = function.attribute("res_attrs").ok();
    // SAFETY: the type of a function is a function type, and its attributes of results are a list of
    // dictionaries.
    unsafe {
        let count = mlir_sys::mlirFunctionTypeGetNumResults(attributes::ty(ty).to_raw());
        let found = |number: isize, name: &str| {
            let entry = mlir_sys::mlirArrayAttrGetElement(list?.to_raw(), number);
            let name = melior::StringRef::new(name);
            let found = mlir_sys::mlirDictionaryAttrGetElementByName(entry, name.to_raw());
            (!found.ptr.is_null()).then(|| Attribute::from_raw(found))
        };
        let own = (0..count).filter(|number| found(*number, "graph.generator_state").is_none());
        own.map(|number| found(number, "graph.materialize").map(attributes::symbol)).collect()
    }
}

/// Which of so many arguments any of the functions uses.
fn used(module: &Module, makers: &[Option<(String, usize)>], count: usize) -> Vec<bool> {
    let mut used = vec![false; count];
    for (name, _) in makers.iter().flatten().filter(|(_, place)| *place == 0) {
        let Some(block) =
            function(module, name).and_then(|op| op.region(0).ok()).and_then(|region| region.first_block())
        else {
            continue;
        };
        for (used, argument) in used.iter_mut().zip(arguments(block)) {
            *used |= users(argument).next().is_some();
        }
    }
    used
}
