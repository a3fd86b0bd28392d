//! Writing what came of a program.

use super::{
    Inputs, IoError, NamedStorage,
    json::{quote, render},
    npy::write_npy,
};
use crate::{storage::Storage, tensor::Tensor, value::Value};
use std::path::Path;
use terrace_layout::dtype::Dtype;

/// More elements than this go to a .npy file.
const INLINE: usize = 1024;

/// Writes results, arguments and storages after a call to a JSON file, and large storages to .npy files
/// beside it (`out.json` gets `out.NAME.npy`).
///
/// # Errors
/// When a file cannot be written.
pub fn write_outputs(file: &Path, inputs: &Inputs, outputs: &[Value], args: &[Value]) -> Result<(), IoError> {
    let text = to_json(inputs, outputs, args, Some(file))?;
    std::fs::write(file, text).map_err(|source| IoError::write(file, source))
}

/// The text that [`write_outputs`] writes, with all data inline.
pub fn outputs_to_json(inputs: &Inputs, outputs: &[Value], args: &[Value]) -> String {
    to_json(inputs, outputs, args, None).expect("nothing is written to files")
}

/// Inputs as the text that [`super::read_inputs`] reads, with all data inline.
pub fn inputs_to_json(inputs: &Inputs) -> String {
    let mut storages = inputs.storages.clone();
    let args = values("args", &inputs.args, &mut Vec::new(), &mut storages);
    let storages =
        storages.iter().map(|named| Ok(format!("    {}: {}", quote(&named.name), contents(named, None)?)));
    let storages = storages.collect::<Result<Vec<_>, IoError>>().expect("nothing is written to files");
    format!(
        "{{\n  \"storages\": {},\n  \"args\": {}\n}}\n",
        list(&storages, ["{", "}"]),
        list(&args, ["[", "]"])
    )
}

fn to_json(
    inputs: &Inputs,
    outputs: &[Value],
    args: &[Value],
    beside: Option<&Path>,
) -> Result<String, IoError> {
    let mut storages = inputs.storages.clone();
    let mut seen = Vec::new();
    // Arguments come first, so that an output names the argument it is.
    let args_text = values("args", args, &mut seen, &mut storages);
    let outputs_text = values("outputs", outputs, &mut seen, &mut storages);
    let storages_text = storages
        .iter()
        .map(|named| Ok(format!("    {}: {}", quote(&named.name), contents(named, beside)?)))
        .collect::<Result<Vec<_>, IoError>>()?;
    Ok(format!(
        "{{\n  \"outputs\": {},\n  \"args\": {},\n  \"storages\": {}\n}}\n",
        list(&outputs_text, ["[", "]"]),
        list(&args_text, ["[", "]"]),
        list(&storages_text, ["{", "}"])
    ))
}

/// Items in brackets, a line each.
fn list(items: &[String], brackets: [&str; 2]) -> String {
    match items {
        [] => brackets.concat(),
        _ => format!("{}\n{}\n  {}", brackets[0], items.join(",\n"), brackets[1]),
    }
}

/// The values of a list, as JSON; tensors are remembered under their place, new storages get a name.
fn values(
    list: &str,
    values: &[Value],
    seen: &mut Vec<(String, Tensor)>,
    storages: &mut Vec<NamedStorage>,
) -> Vec<String> {
    let mut texts = Vec::new();
    for (number, value) in values.iter().enumerate() {
        let text = match value {
            Value::Scalar(scalar) => render(*scalar, Dtype::F64),
            Value::Tensor(tensor) => match seen.iter().find(|(_, earlier)| earlier.is_same(tensor)) {
                Some((place, _)) => format!("{{\"same_as\": {}}}", quote(place)),
                None => {
                    seen.push((format!("{list}[{number}]"), tensor.clone()));
                    view(tensor, &name_of(tensor, storages))
                }
            },
        };
        texts.push(format!("    {text}"));
    }
    texts
}

fn view(tensor: &Tensor, storage: &str) -> String {
    let flags = tensor.flags();
    let flags: Vec<_> =
        [("conj", flags.conj), ("neg", flags.neg)].into_iter().filter(|f| f.1).map(|f| f.0).collect();
    format!(
        "{{\"storage\": {}, \"dtype\": \"{}\", \"sizes\": {:?}, \"strides\": {:?}, \"offset\": {}, \"flags\": {flags:?}}}",
        quote(storage),
        tensor.dtype(),
        tensor.sizes(),
        tensor.strides(),
        tensor.offset(),
    )
}

fn name_of(tensor: &Tensor, storages: &mut Vec<NamedStorage>) -> String {
    if let Some(named) = storages.iter().find(|named| named.storage.is_same(tensor.storage())) {
        return named.name.clone();
    }
    let taken = |name: &String| storages.iter().any(|named| named.name == *name);
    let fresh = (0..).map(|n| format!("new{n}")).find(|name| !taken(name)).expect("names do not run out");
    // The bytes of a storage may not be a whole number of elements; then they are listed as bytes.
    let whole = tensor.storage().len().is_multiple_of(tensor.dtype().bytes());
    let dtype = if whole { tensor.dtype() } else { Dtype::U8 };
    storages.push(NamedStorage { name: fresh.clone(), dtype, storage: tensor.storage().clone() });
    fresh
}

fn contents(named: &NamedStorage, beside: Option<&Path>) -> Result<String, IoError> {
    let (dtype, count) = (named.dtype, named.storage.len() / named.dtype.bytes());
    if named.storage.is_fake() {
        return Ok(format!("{{\"dtype\": \"{dtype}\", \"fake\": {count}}}"));
    }
    if let Some(json) = beside.filter(|_| count > INLINE) {
        let file = json.with_extension(format!("{}.npy", named.name));
        let array = Tensor::new(named.storage.clone(), dtype, vec![count as i64], vec![1], 0);
        write_npy(&file, &array.expect("the whole storage is a tensor"))?;
        let name = file.file_name().expect("a file has a name").to_string_lossy();
        return Ok(format!("{{\"dtype\": \"{dtype}\", \"file\": {}}}", quote(&name)));
    }
    Ok(format!("{{\"dtype\": \"{dtype}\", \"data\": [{}]}}", elements(&named.storage, dtype).join(", ")))
}

fn elements(storage: &Storage, dtype: Dtype) -> Vec<String> {
    let size = dtype.bytes();
    (0..storage.len() / size).map(|number| render(storage.read(dtype, number * size), dtype)).collect()
}
