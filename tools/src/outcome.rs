//! What came of a run, and whether it is what came of another.

use terrace_interpreter::semantics::random;
use terrace_tensor::{
    Tensor, Value,
    compare::{Tolerance, compare, compare_tensors},
    io::Inputs,
};

/// The storages after a call, and its results.
pub struct Outcome {
    /// The inputs, as they are afterwards.
    pub inputs: Inputs,
    /// What was returned.
    pub results: Vec<Value>,
    /// The state of the generator afterwards: its seed, and how many operations have drawn.
    generator: (u64, u64),
}

impl Outcome {
    /// What a call of the reference that has just returned came to.
    pub fn new(inputs: Inputs, results: Vec<Value>) -> Outcome {
        Outcome { inputs, results, generator: random::state() }
    }

    /// The same of a call of compiled code, which leaves the generator of its session in this state.
    pub fn compiled(inputs: Inputs, results: Vec<Value>, generator: (u64, u64)) -> Outcome {
        Outcome { inputs, results, generator }
    }

    /// Whether another run of the same program came to the same: elements within their bounds, layouts, which
    /// result lies in which storage, the contents of every storage that came in, and the state of the
    /// generator.
    ///
    /// # Errors
    /// The first difference, in words.
    pub fn agrees_with(&self, actual: &Outcome) -> Result<(), String> {
        self.agrees(actual, false)
    }

    /// The same of code for any size, which may have other strides where a tensor has no elements: they lead
    /// to nothing.
    ///
    /// # Errors
    /// The first difference, in words.
    pub fn agrees_for_any_size(&self, actual: &Outcome) -> Result<(), String> {
        self.agrees(actual, true)
    }

    fn agrees(&self, actual: &Outcome, any_size: bool) -> Result<(), String> {
        if self.generator != actual.generator {
            let [(_, expected), (_, found)] = [self.generator, actual.generator];
            return Err(format!("expected {expected} operations to have drawn, got {found}"));
        }
        if self.results.len() != actual.results.len() {
            return Err(format!("expected {} results, got {}", self.results.len(), actual.results.len()));
        }
        for (number, (expected, result)) in self.results.iter().zip(&actual.results).enumerate() {
            let at = |difference: String| format!("result {number}: {difference}");
            compare(expected, result, Tolerance::default()).map_err(|mismatch| at(mismatch.to_string()))?;
            if let (Some(expected_tensor), Some(tensor)) = (expected.as_tensor(), result.as_tensor()) {
                same_layout(expected_tensor, tensor, any_size).map_err(at)?;
                let (wanted, found) = (self.place(number, expected_tensor), actual.place(number, tensor));
                if wanted != found {
                    return Err(at(format!("expected {wanted}, got {found}")));
                }
                // Equal views may have become one object, but one object may not have become two.
                let objects = self.objects(number).zip(actual.objects(number));
                for ((name, one), (_, other)) in objects {
                    if one.is_same(expected_tensor) && !other.is_same(tensor) {
                        return Err(at(format!("expected {name} itself, got another tensor")));
                    }
                }
            }
        }
        for (expected, found) in self.inputs.storages.iter().zip(&actual.inputs.storages) {
            let whole = |storage: &terrace_tensor::Storage| {
                let count = (storage.len() / expected.dtype.bytes()) as i64;
                Tensor::new(storage.clone(), expected.dtype, vec![count], vec![1], 0)
                    .map_err(|e| e.to_string())
            };
            let (wanted, contents) = (whole(&expected.storage)?, whole(&found.storage)?);
            compare_tensors(&wanted, &contents, Tolerance::default())
                .map_err(|mismatch| format!("storage {} after the call: {mismatch}", expected.name))?;
        }
        Ok(())
    }

    /// The tensors that a result may be: arguments and earlier results.
    fn objects(&self, number: usize) -> impl Iterator<Item = (String, &Tensor)> {
        let arguments =
            self.inputs.args.iter().enumerate().map(|(k, value)| (format!("argument {k}"), value));
        let results =
            self.results[..number].iter().enumerate().map(|(k, value)| (format!("result {k}"), value));
        arguments.chain(results).filter_map(|(name, value)| Some((name, value.as_tensor()?)))
    }

    /// Where a result lies, in words that do not depend on addresses.
    fn place(&self, number: usize, tensor: &Tensor) -> String {
        let storage = tensor.storage();
        if let Some(named) = self.inputs.storages.iter().find(|named| named.storage.is_same(storage)) {
            return format!("a view of storage {}", named.name);
        }
        let shares = |other: &Value| other.as_tensor().is_some_and(|other| other.storage().is_same(storage));
        match self.results[..number].iter().position(shares) {
            Some(earlier) => format!("a view of the storage of result {earlier}"),
            None => "a tensor on a storage of its own".to_owned(),
        }
    }
}

/// Whether strides and offset are the same; the stride of a dimension of size 1 is never used.
fn same_layout(expected: &Tensor, actual: &Tensor, any_size: bool) -> Result<(), String> {
    let mut dims = expected.sizes().iter().zip(expected.strides().iter().zip(actual.strides()));
    let leads_to_nothing = any_size && expected.is_empty();
    let same = leads_to_nothing || dims.all(|(&size, (expected, actual))| size == 1 || expected == actual);
    if same && expected.offset() == actual.offset() {
        return Ok(());
    }
    Err(format!(
        "expected strides {:?} at offset {}, got {:?} at {}",
        expected.strides(),
        expected.offset(),
        actual.strides(),
        actual.offset(),
    ))
}
