//! Reading the inputs of a program.

use super::{
    Inputs, IoError, NamedStorage,
    json::{self, Node},
    npy::read_npy,
};
use crate::{
    layout,
    storage::Storage,
    tensor::{Flags, Tensor},
    value::Value,
};
use std::path::Path;

/// Reads a JSON file of storages and arguments, and the .npy files it names.
///
/// # Errors
/// When a file cannot be read or does not say what the module's text asks for.
pub fn read_inputs(file: &Path) -> Result<Inputs, IoError> {
    let text = std::fs::read_to_string(file).map_err(|source| IoError::read(file, source))?;
    parse_inputs(file, &text)
}

/// Reads JSON text as if it stood in `file`.
///
/// # Errors
/// As [`read_inputs`].
pub fn parse_inputs(file: &Path, text: &str) -> Result<Inputs, IoError> {
    let json = json::parse(file, text)?;
    let root = Node::root(file, &json);
    root.object("an object with \"storages\" and \"args\"", &["storages", "args"])?;
    let mut inputs = Inputs::default();
    if let Some(storages) = root.member("storages") {
        for (name, node) in storages.members("an object from names to storages")? {
            inputs.storages.push(storage(name, &node, file)?);
        }
    }
    for node in root.required("args")?.items("a list of arguments")? {
        let arg = argument(&node, &inputs)?;
        inputs.args.push(arg);
    }
    Ok(inputs)
}

fn storage(name: &str, node: &Node, file: &Path) -> Result<NamedStorage, IoError> {
    let usable = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    if name.is_empty() || !name.chars().all(usable) {
        return Err(node.error("the name of a storage consists of letters, digits, '_', '-' and '.'"));
    }
    let what = "a storage, {\"dtype\": .., \"data\": [..]} or {\"file\": \"x.npy\"}";
    node.object(what, &["dtype", "data", "file"])?;
    let dtype = node.member("dtype").map(|dtype| dtype.dtype()).transpose()?;
    let (dtype, storage) = match (node.member("data"), node.member("file")) {
        (Some(data), None) => {
            let dtype = match dtype {
                Some(dtype) => dtype,
                None => node.required("dtype")?.dtype()?,
            };
            let items = data.items("a list of elements")?;
            let storage =
                Storage::zeroed(items.len() * dtype.bytes()).map_err(|e| data.error(e.to_string()))?;
            for (number, item) in items.enumerate() {
                storage.write(dtype, number * dtype.bytes(), item.element(dtype)?);
            }
            (dtype, storage)
        }
        (None, Some(path)) => {
            let relative = path.string("the path of a .npy file")?;
            let array = read_npy(&file.parent().unwrap_or(Path::new("")).join(relative))?;
            if let Some(dtype) = dtype.filter(|&dtype| dtype != array.dtype()) {
                return Err(
                    path.error(format!("\"dtype\" says {dtype}, but {relative} holds {}", array.dtype()))
                );
            }
            (array.dtype(), array.storage().clone())
        }
        _ => return Err(node.error(format!("expected {what}"))),
    };
    Ok(NamedStorage { name: name.to_owned(), dtype, storage })
}

fn argument(node: &Node, inputs: &Inputs) -> Result<Value, IoError> {
    if !node.is_object() {
        let what = "a view of a storage, {\"storage\": .., \"sizes\": [..]}, or a number";
        return node.number().map(Value::Scalar).ok_or_else(|| node.expected(what));
    }
    if let Some(same) = node.member("same_as") {
        node.object("an argument", &["same_as"])?;
        let name = same.string("the place of an earlier argument")?;
        let index = name.strip_prefix("args[").and_then(|rest| rest.strip_suffix(']'));
        let earlier = index.and_then(|index| inputs.args.get(index.parse::<usize>().ok()?));
        return earlier.cloned().ok_or_else(|| match inputs.args.len() {
            0 => same.error("there is no argument before this one"),
            count => same.expected(&format!("an earlier argument, \"args[0]\" to \"args[{}]\"", count - 1)),
        });
    }
    node.object("an argument", &["storage", "dtype", "sizes", "strides", "offset", "flags"])?;
    let storage_node = node.required("storage")?;
    let name = storage_node.string("the name of a storage")?;
    let named = inputs.storages.iter().find(|named| named.name == name).ok_or_else(|| {
        let names: Vec<_> = inputs.storages.iter().map(|named| named.name.as_str()).collect();
        let known = if names.is_empty() {
            "there is none".to_owned()
        } else {
            format!("there is {}", names.join(", "))
        };
        storage_node.error(format!("no storage is named \"{name}\", {known}"))
    })?;
    let dtype = node.member("dtype").map_or(Ok(named.dtype), |dtype| dtype.dtype())?;
    let sizes = node.required("sizes")?.integers("a list of sizes")?;
    let strides = match node.member("strides") {
        Some(strides) => strides.integers("a list of strides")?,
        None => layout::contiguous_strides(&sizes),
    };
    let offset = node.member("offset").map_or(Ok(0), |offset| offset.integer("an offset in elements"))?;
    let flags = node.member("flags").map_or(Ok(Flags::default()), |flags| parse_flags(&flags))?;
    let tensor = Tensor::new(named.storage.clone(), dtype, sizes, strides, offset);
    Ok(tensor.map_err(|error| node.error(error.to_string()))?.with_flags(flags).into())
}

fn parse_flags(node: &Node) -> Result<Flags, IoError> {
    let mut flags = Flags::default();
    for item in node.items("a list of flags")? {
        let flag = match item.string("\"conj\" or \"neg\"")? {
            "conj" => &mut flags.conj,
            "neg" => &mut flags.neg,
            _ => return Err(item.expected("\"conj\" or \"neg\"")),
        };
        *flag = true;
    }
    Ok(flags)
}
