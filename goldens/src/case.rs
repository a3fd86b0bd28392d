//! Reading cases. `generate/case.py` says what the lines mean.

use crate::operators::Operators;
use serde_json::{Map, Value};
use std::{
    path::{Path, PathBuf},
    sync::LazyLock,
};
use terrace_tensor::{Dtype, Flags, Scalar, Storage, Tensor, layout};

/// The folder of the cases.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data")
}

/// Calls, what they work on, and what came of them.
#[derive(Debug, Clone)]
pub struct Case {
    /// Schema and number of the attempt.
    pub name: String,
    /// The storages that come in.
    pub storages: Vec<Contents>,
    /// Tensors on them.
    pub tensors: Vec<View>,
    /// What is called, one after another.
    pub calls: Vec<Call>,
    /// The seed of the generator from which the calls draw.
    pub seed: Option<u64>,
    /// What eager came to.
    pub outcome: Outcome,
}

/// Whether a number is a small integer, so that sums and products of a few are exact.
fn is_small(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= 1024.0
}

impl Case {
    /// The operator of the last call.
    pub fn last(&self) -> &str {
        self.calls.last().map_or("", |call| call.operator())
    }

    /// Whether all numbers, given and computed, are small integers.
    pub fn is_whole(&self) -> bool {
        let Outcome::Results(results, changed) = &self.outcome else { return false };
        let all = |elements: &[Scalar]| {
            elements.iter().all(|element| match element {
                Scalar::Complex(re, im) => is_small(*re) && is_small(*im),
                element => is_small(element.to_f64()),
            })
        };
        let computed = |result: &Expected| match result {
            Expected::View(_, Some(elements)) => all(elements),
            Expected::View(_, None) | Expected::Same(_) => true,
        };
        let given = self.calls.iter().flat_map(|call| call.arguments.values());
        let scalars =
            given.flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
        self.storages.iter().all(|contents| all(&contents.elements))
            && changed.iter().all(|(_, contents)| all(&contents.elements))
            && results.iter().all(computed)
            && scalars.into_iter().all(|value| value.as_f64().is_none_or(is_small))
    }

    /// Whether a complex number takes part.
    pub fn has_complex(&self) -> bool {
        let results = match &self.outcome {
            Outcome::Results(results, _) => &results[..],
            Outcome::Error(_) => &[],
        };
        let results = results.iter().filter_map(|result| match result {
            Expected::View(view, _) => Some(view),
            Expected::Same(_) => None,
        });
        self.tensors.iter().chain(results).any(|view| view.dtype.is_complex())
            || self.calls.iter().flat_map(|call| call.arguments.values()).any(Value::is_object)
    }
}

/// A call.
#[derive(Debug, Clone)]
pub struct Call {
    /// The schema without its namespace, such as `add_.Tensor`.
    pub schema: String,
    /// The arguments that are given, as JSON, by the schema's names.
    pub arguments: Map<String, Value>,
}

impl Call {
    /// The operator, without dialect, namespace, overload and the underscore of its in-place form.
    pub fn operator(&self) -> &str {
        static OPERATORS: LazyLock<Operators> = LazyLock::new(Operators::new);
        OPERATORS.operation(&self.schema).map_or("", |operation| operation.operator())
    }
}

/// Elements one after another.
#[derive(Debug, Clone)]
pub struct Contents {
    /// Their dtype.
    pub dtype: Dtype,
    /// Their values.
    pub elements: Vec<Scalar>,
}

/// A view of a storage; strides and offset in elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The number of the storage.
    pub storage: usize,
    /// The device, as torch names it.
    pub device: String,
    /// The element type.
    pub dtype: Dtype,
    /// Elements per dimension.
    pub sizes: Vec<i64>,
    /// Elements of memory between neighbours.
    pub strides: Vec<i64>,
    /// Elements of memory before the first.
    pub offset: i64,
    /// How elements are read.
    pub flags: Flags,
}

/// What came of the calls.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// All results in order, and the storages that changed, as they are afterwards.
    Results(Vec<Expected>, Vec<(usize, Contents)>),
    /// The last call was refused, in these words.
    Error(String),
}

/// A result.
#[derive(Debug, Clone)]
pub enum Expected {
    /// The very tensor of that number.
    Same(usize),
    /// Another tensor; its elements where it lies in a new storage.
    View(View, Option<Vec<Scalar>>),
}

/// All cases of `data/` whose names contain `filter`.
///
/// # Errors
/// A file that cannot be read, or a line that is no case.
pub fn read(filter: &str) -> Result<Vec<Case>, String> {
    read_from(&folder(), filter)
}

/// The same of the cases in another folder.
///
/// # Errors
/// Those of [`read`].
pub fn read_from(folder: &Path, filter: &str) -> Result<Vec<Case>, String> {
    let list = || -> std::io::Result<Vec<PathBuf>> {
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    let mut files = list().map_err(|e| format!("{}: {e}", folder.display()))?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        for (number, line) in text.lines().enumerate() {
            let case = parse(line).ok_or_else(|| format!("{}:{}: no case", file.display(), number + 1))?;
            if case.name.contains(filter) {
                cases.push(case);
            }
        }
    }
    Ok(cases)
}

fn parse(line: &str) -> Option<Case> {
    let object: Value = serde_json::from_str(line).ok()?;
    let texts = |key: &str| object[key].as_array()?.iter().map(Value::as_str).collect::<Option<Vec<_>>>();
    let call = |call: &Value| {
        Some(Call { schema: call[0].as_str()?.to_owned(), arguments: call[1].as_object()?.clone() })
    };
    let outcome = match object["error"].as_str() {
        Some(message) => Outcome::Error(message.to_owned()),
        None => {
            let changed = object["after"].as_object().into_iter().flatten();
            let changed = changed.map(|(key, text)| Some((key.parse().ok()?, contents(text.as_str()?)?)));
            Outcome::Results(
                texts("results")?.into_iter().map(expected).collect::<Option<_>>()?,
                changed.collect::<Option<_>>()?,
            )
        }
    };
    Some(Case {
        name: object["case"].as_str()?.to_owned(),
        storages: texts("storages")?.into_iter().map(contents).collect::<Option<_>>()?,
        tensors: texts("tensors")?.into_iter().map(view).collect::<Option<_>>()?,
        calls: object["calls"].as_array()?.iter().map(call).collect::<Option<_>>()?,
        seed: object["seed"].as_u64(),
        outcome,
    })
}

/// `f32 1 -0 nan`.
fn contents(text: &str) -> Option<Contents> {
    let (dtype, rest) = text.split_once(' ').unwrap_or((text, ""));
    let dtype = dtype.parse().ok()?;
    Some(Contents { dtype, elements: numbers(dtype, rest)? })
}

fn numbers(dtype: Dtype, text: &str) -> Option<Vec<Scalar>> {
    if dtype.is_complex() {
        let parts = numbers(dtype.part(), text)?;
        let pair = |pair: &[Scalar]| Scalar::Complex(pair[0].to_f64(), pair[1].to_f64());
        return Some(parts.chunks_exact(2).map(pair).collect());
    }
    let number = |word: &str| match dtype {
        Dtype::Bool => Some(Scalar::Bool(word == "1")),
        dtype if dtype.is_integer() => word.parse().ok().map(Scalar::Int),
        _ => word.parse().ok().map(Scalar::Float),
    };
    text.split_whitespace().map(number).collect()
}

/// `%3`, or a view and its elements: `@1 f32[2,3] strides [1,2] offset 4: 1 2 3`.
fn expected(text: &str) -> Option<Expected> {
    if let Some(number) = text.strip_prefix('%') {
        return number.parse().ok().map(Expected::Same);
    }
    match text.split_once(':') {
        None => Some(Expected::View(view(text)?, None)),
        Some((place, elements)) => {
            let view = view(place)?;
            let elements = numbers(view.dtype, elements)?;
            Some(Expected::View(view, Some(elements)))
        }
    }
}

pub(crate) fn view(text: &str) -> Option<View> {
    let mut words = text.split(' ');
    let storage = words.next()?.strip_prefix('@')?.parse().ok()?;
    let (dtype, sizes) = words.next()?.split_once('[')?;
    let (dtype, sizes) = (dtype.parse().ok()?, ints(sizes)?);
    let (mut strides, mut offset) = (layout::contiguous_strides(&sizes), 0);
    let mut flags = Flags::default();
    while let Some(word) = words.next() {
        match word {
            "strides" => strides = ints(words.next()?.strip_prefix('[')?)?,
            "offset" => offset = words.next()?.parse().ok()?,
            "conj" => flags.conj = true,
            "neg" => flags.neg = true,
            _ => return None,
        }
    }
    Some(View { storage, device: "cpu".into(), dtype, sizes, strides, offset, flags })
}

/// What follows an opening bracket.
fn ints(text: &str) -> Option<Vec<i64>> {
    let inner = text.strip_suffix(']')?;
    inner.split(',').filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect()
}

impl Contents {
    /// A new storage that has them.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn storage(&self) -> Result<Storage, String> {
        let size = self.dtype.bytes();
        let storage = Storage::zeroed(self.elements.len() * size).map_err(|e| e.to_string())?;
        for (at, &element) in self.elements.iter().enumerate() {
            storage.write(self.dtype, at * size, element);
        }
        Ok(storage)
    }
}

impl View {
    /// The tensor, on the storages that are given.
    ///
    /// # Errors
    /// When it does not fit its storage.
    pub fn tensor(&self, storages: &[Storage]) -> Result<Tensor, String> {
        let storage = storages.get(self.storage).ok_or("a tensor without a storage")?.clone();
        let tensor = Tensor::new(storage, self.dtype, self.sizes.clone(), self.strides.clone(), self.offset);
        Ok(tensor.map_err(|e| e.to_string())?.with_flags(self.flags))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_read() {
        let line = r#"{"case":"add_.Tensor/7","storages":["f32 1 -0 nan 2","bool 0 1"],
            "tensors":["@0 f32[1,3] strides [3,1] offset 1","@1 bool[]"],"calls":[["add_.Tensor",{"self":"%0","other":"%1"}]],
            "results":["%0","@2 f32[2] strides [2]: 1 inf"],"after":{"0":"f32 1 0 nan 2"}}"#;
        let case = parse(line).unwrap();
        assert_eq!(case.storages[0].elements.len(), 4);
        assert_eq!((&case.tensors[0].strides[..], case.tensors[0].offset), (&[3, 1][..], 1));
        assert_eq!(case.tensors[1].sizes, [0i64; 0]);
        let Outcome::Results(results, changed) = case.outcome else { panic!() };
        assert!(matches!(results[0], Expected::Same(0)));
        assert!(
            matches!(&results[1], Expected::View(view, Some(elements)) if view.strides == [2] && elements[1] == Scalar::Float(f64::INFINITY))
        );
        assert_eq!(changed[0].0, 0);
    }
}
