//! Inputs and outputs through files, and each way in which they can be wrong.

use std::path::{Path, PathBuf};
use terrace_tensor::{
    Dtype, Scalar, Tensor, Value,
    io::{Inputs, inputs_to_json, outputs_to_json, parse_inputs, read_inputs, write_npy, write_outputs},
};

fn parse(text: &str) -> Inputs {
    parse_inputs(Path::new("in.json"), text).unwrap_or_else(|error| panic!("{error}"))
}

/// The message for a bad text, which must be one line that names the file.
fn error(text: &str) -> String {
    let message = parse_inputs(Path::new("in.json"), text).unwrap_err().to_string();
    assert!(!message.contains('\n'));
    message.strip_prefix("in.json:").expect("the file is named").trim_start().to_owned()
}

/// An empty folder that is this test's own.
fn folder(test: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("terrace-io-{test}-{}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn arguments_share_a_storage_and_see_it_with_another_dtype() {
    let inputs = parse(
        r#"{"storages": {"s0": {"dtype": "f32", "data": [1, 2.5, "nan", "-inf"]}},
            "args": [{"storage": "s0", "sizes": [2, 2], "strides": [1, 2]},
                     {"storage": "s0", "dtype": "i64", "sizes": [1], "offset": 1},
                     {"same_as": "args[0]"}, 1.5, 3, true, "inf", [1, "nan"]]}"#,
    );
    let [Value::Tensor(a), Value::Tensor(b), Value::Tensor(c), scalars @ ..] = inputs.args.as_slice() else {
        panic!("three tensors come first")
    };
    assert_eq!(a.get(&[1, 0]).unwrap(), Scalar::Float(2.5));
    assert_eq!(a.get(&[1, 1]).unwrap(), Scalar::Float(f64::NEG_INFINITY));
    assert_eq!((b.dtype(), b.offset()), (Dtype::I64, 1));
    assert!(a.storage().is_same(b.storage()) && c.is_same(a));
    let scalars: Vec<_> = scalars.iter().map(|value| value.as_scalar().unwrap()).collect();
    assert_eq!(scalars[..4], [1.5.into(), 3.into(), true.into(), f64::INFINITY.into()]);
    assert!(matches!(scalars[4], Scalar::Complex(1.0, im) if im.is_nan()));
}

#[test]
fn flags_are_read() {
    let inputs = parse(
        r#"{"storages": {"z": {"dtype": "c64", "data": [[1, 2], 3]}},
            "args": [{"storage": "z", "sizes": [2], "flags": ["conj", "neg"]}]}"#,
    );
    let tensor = inputs.args[0].as_tensor().unwrap();
    assert_eq!(tensor.to_vec(), [Scalar::Complex(-1.0, 2.0), Scalar::Complex(-3.0, 0.0)]);
}

#[test]
fn syntax_errors_have_line_and_column() {
    assert_eq!(error("{\"args\":\n [1,}"), "2:5: malformed JSON: expected value");
    assert_eq!(error(""), "1:1: malformed JSON: EOF while parsing a value");
    assert_eq!(error("[1e999]"), "1:6: malformed JSON: number out of range");
}

#[test]
fn structure_errors_name_their_path() {
    let storage = |body: &str| format!("{{\"storages\": {{\"s\": {body}}}, \"args\": []}}");
    for (text, expected) in [
        ("[]".into(), "top level: expected an object with \"storages\" and \"args\", found a list"),
        ("{}".into(), "top level: \"args\" is missing"),
        ("{\"args\": [], \"arg\": 1}".into(), "top level: unknown key \"arg\", expected storages, args"),
        ("{\"args\": {}}".into(), "args: expected a list of arguments, found an object"),
        (
            storage("[]"),
            "storages.s: expected a storage, {\"dtype\": .., \"data\": [..]} or {\"file\": \"x.npy\"}, found a list",
        ),
        (storage("{\"data\": []}"), "storages.s: \"dtype\" is missing"),
        (
            storage("{\"dtype\": \"f32\"}"),
            "storages.s: expected a storage, {\"dtype\": .., \"data\": [..]} or {\"file\": \"x.npy\"}",
        ),
        (
            storage("{\"dtype\": \"f31\", \"data\": []}"),
            "storages.s.dtype: unknown dtype \"f31\", expected one of bool, u8, i8, i16, i32, i64, f16, bf16, f32, f64, c64, c128",
        ),
        (
            storage("{\"dtype\": \"i8\", \"data\": [1, 128]}"),
            "storages.s.data[1]: expected an integer of i8 (-128 to 127), found 128",
        ),
        (
            storage("{\"dtype\": \"i64\", \"data\": [1.0]}"),
            "storages.s.data[0]: expected an integer, found 1.0",
        ),
        (
            storage("{\"dtype\": \"bool\", \"data\": [2]}"),
            "storages.s.data[0]: expected true, false, 0 or 1 of bool (0 to 1), found 2",
        ),
        (
            storage("{\"dtype\": \"f32\", \"data\": [1e39]}"),
            "storages.s.data[0]: expected a number in the range of f32, found 1e39",
        ),
        (
            storage("{\"dtype\": \"f32\", \"data\": [\"NaN\"]}"),
            "storages.s.data[0]: expected a number, \"nan\", \"inf\" or \"-inf\", found \"NaN\"",
        ),
        (
            storage("{\"dtype\": \"f32\", \"data\": [[1, 2]]}"),
            "storages.s.data[0]: expected a number, \"nan\", \"inf\" or \"-inf\", found a list",
        ),
        (storage("{\"file\": 3}"), "storages.s.file: expected the path of a .npy file, found 3"),
        (
            "{\"storages\": {\"a/b\": {}}, \"args\": []}".into(),
            "storages.a/b: the name of a storage consists of letters, digits, '_', '-' and '.'",
        ),
    ] {
        assert_eq!(error(&text), expected, "for {text}");
    }
}

#[test]
fn errors_in_arguments_name_their_path() {
    let arg = |body: &str| {
        format!(
            "{{\"storages\": {{\"s\": {{\"dtype\": \"f32\", \"data\": [1, 2, 3, 4]}}}}, \"args\": [{body}]}}"
        )
    };
    for (text, expected) in [
        (
            arg("null"),
            "args[0]: expected a view of a storage, {\"storage\": .., \"sizes\": [..]}, or a number, found null",
        ),
        (
            arg("{\"storage\": \"t\", \"sizes\": []}"),
            "args[0].storage: no storage is named \"t\", there is s",
        ),
        (arg("{\"storage\": \"s\"}"), "args[0]: \"sizes\" is missing"),
        (arg("{\"storage\": \"s\", \"sizes\": [1.5]}"), "args[0].sizes[0]: expected an integer, found 1.5"),
        (
            arg("{\"storage\": \"s\", \"sizes\": [2, -1]}"),
            "args[0]: Trying to create tensor with negative dimension -1: [2, -1]",
        ),
        (arg("{\"storage\": \"s\", \"sizes\": [2], \"strides\": []}"), "args[0]: 1 sizes but 0 strides"),
        (
            arg("{\"storage\": \"s\", \"sizes\": [3], \"strides\": [2]}"),
            "args[0]: setStorage: sizes [3], strides [2], storage offset 0, and itemsize 4 requiring a storage size of 20 are out of bounds for storage of size 16",
        ),
        (
            arg("{\"storage\": \"s\", \"sizes\": [1], \"offset\": -1}"),
            "args[0]: sizes [1], strides [1] and storage offset -1 reach before the start of the storage",
        ),
        (
            arg("{\"storage\": \"s\", \"sizes\": [1], \"flags\": [\"abs\"]}"),
            "args[0].flags[0]: expected \"conj\" or \"neg\", found \"abs\"",
        ),
        (
            arg("{\"storage\": \"s\", \"sizes\": [1], \"stride\": [1]}"),
            "args[0]: unknown key \"stride\", expected storage, dtype, sizes, strides, offset, flags",
        ),
        (arg("{\"same_as\": \"args[0]\"}"), "args[0].same_as: there is no argument before this one"),
    ] {
        assert_eq!(error(&text), expected, "for {text}");
    }
}

#[test]
fn missing_files_are_named() {
    let missing = folder("missing").join("in.json");
    let message = read_inputs(&missing).unwrap_err().to_string();
    assert_eq!(
        message,
        format!("{}: cannot read: No such file or directory (os error 2)", missing.display())
    );
    let text = r#"{"storages": {"s": {"file": "gone.npy"}}, "args": []}"#;
    let message = parse_inputs(&missing, text).unwrap_err().to_string();
    let array = missing.with_file_name("gone.npy");
    assert_eq!(message, format!("{}: cannot read: No such file or directory (os error 2)", array.display()));
}

#[test]
fn a_file_and_its_dtype_must_agree() {
    let folder = folder("dtype");
    write_npy(&folder.join("x.npy"), &Tensor::zeros(Dtype::I32, &[2]).unwrap()).unwrap();
    let text = r#"{"storages": {"s": {"dtype": "f32", "file": "x.npy"}}, "args": []}"#;
    let message = parse_inputs(&folder.join("in.json"), text).unwrap_err().to_string();
    assert!(message.ends_with("storages.s.file: \"dtype\" says f32, but x.npy holds i32"), "{message}");
}

#[test]
fn outputs_say_what_they_alias() {
    let inputs = parse(
        r#"{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 0.1]}},
            "args": [{"storage": "s0", "sizes": [2, 2]}, 7]}"#,
    );
    let arg = inputs.args[0].as_tensor().unwrap();
    let row = arg.view(vec![2], vec![1], 2).unwrap();
    let fresh = Tensor::from_elements(Dtype::I64, &[2], &[5, 6]).unwrap();
    let part = fresh.view(vec![1], vec![1], 1).unwrap();
    arg.set(&[0, 0], Scalar::Float(f64::NAN)).unwrap();
    let outputs: Vec<Value> = vec![
        arg.clone().into(),
        row.into(),
        fresh.clone().into(),
        part.into(),
        fresh.into(),
        Scalar::Float(2.0).into(),
    ];
    let text = outputs_to_json(&inputs, &outputs, &inputs.args);
    let expected = r#"{
  "outputs": [
    {"same_as": "args[0]"},
    {"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 2, "flags": []},
    {"storage": "new0", "dtype": "i64", "sizes": [2], "strides": [1], "offset": 0, "flags": []},
    {"storage": "new0", "dtype": "i64", "sizes": [1], "strides": [1], "offset": 1, "flags": []},
    {"same_as": "outputs[2]"},
    2.0
  ],
  "args": [
    {"storage": "s0", "dtype": "f32", "sizes": [2, 2], "strides": [2, 1], "offset": 0, "flags": []},
    7
  ],
  "storages": {
    "s0": {"dtype": "f32", "data": ["nan", 2.0, 3.0, 0.1]},
    "new0": {"dtype": "i64", "data": [5, 6]}
  }
}
"#;
    assert_eq!(text, expected);
}

#[test]
fn inputs_are_read_as_they_were_written() {
    let text = r#"{"storages": {"s0": {"dtype": "f64", "data": [1, "nan", 3]}},
                   "args": [{"storage": "s0", "sizes": [2], "strides": [2]}, {"same_as": "args[0]"}, true, 2, 0.5]}"#;
    let written = inputs_to_json(&parse(text));
    let again = parse(&written);
    assert_eq!(inputs_to_json(&again), written);
    assert_eq!(again.args[0].as_tensor().unwrap().strides(), [2]);
    assert!(again.args[1].as_tensor().unwrap().is_same(again.args[0].as_tensor().unwrap()));
}

#[test]
fn large_data_goes_beside_and_comes_back() {
    let folder = folder("large");
    let big = Tensor::zeros(Dtype::F64, &[2000]).unwrap();
    big.set(&[1999], Scalar::Float(0.5)).unwrap();
    let file = folder.join("out.json");
    write_outputs(&file, &Inputs::default(), &[big.into()], &[]).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(r#""new0": {"dtype": "f64", "file": "out.new0.npy"}"#), "{text}");
    let storage =
        r#"{"storages": {"s": {"file": "out.new0.npy"}}, "args": [{"storage": "s", "sizes": [2000]}]}"#;
    let inputs = parse_inputs(&file, storage).unwrap();
    assert_eq!(inputs.args[0].as_tensor().unwrap().get(&[1999]).unwrap(), Scalar::Float(0.5));
}
