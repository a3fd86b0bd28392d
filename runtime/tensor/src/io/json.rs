//! JSON with its place: every question asked of a node answers with the value or with an error that names the
//! file and the path.

use std::path::Path;

use serde_json::{Map, Value as Json};

use super::IoError;
use crate::scalar::Scalar;
use terrace_layout::dtype::Dtype;

/// A node of a JSON file.
#[derive(Clone)]
pub(super) struct Node<'a> {
    file: &'a Path,
    path: String,
    json: &'a Json,
}

/// Parses a whole text.
pub(super) fn parse(file: &Path, text: &str) -> Result<Json, IoError> {
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        // An error at the end of the text has column 0 of a line that is not there.
        IoError::Syntax {
            file: file.to_owned(),
            line: error.line().max(1),
            column: error.column().max(1),
            message,
        }
    })
}

impl<'a> Node<'a> {
    pub(super) fn root(file: &'a Path, json: &'a Json) -> Node<'a> {
        Node { file, path: String::new(), json }
    }

    /// An error at this node.
    pub(super) fn error(&self, message: impl Into<String>) -> IoError {
        let path = if self.path.is_empty() { "top level".to_owned() } else { self.path.clone() };
        IoError::Content { file: self.file.to_owned(), path, message: message.into() }
    }

    /// An error that says what stands here and what should.
    pub(super) fn expected(&self, what: &str) -> IoError {
        let found = match self.json {
            Json::Null => "null".to_owned(),
            Json::Bool(_) | Json::Number(_) | Json::String(_) => self.json.to_string(),
            Json::Array(_) => "a list".to_owned(),
            Json::Object(_) => "an object".to_owned(),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    pub(super) fn is_object(&self) -> bool {
        self.json.is_object()
    }

    /// An object that has no other keys than these.
    pub(super) fn object(&self, what: &str, keys: &[&str]) -> Result<&'a Map<String, Json>, IoError> {
        let object = self.json.as_object().ok_or_else(|| self.expected(what))?;
        match object.keys().find(|key| !keys.contains(&key.as_str())) {
            Some(key) => Err(self.error(format!("unknown key \"{key}\", expected {}", keys.join(", ")))),
            None => Ok(object),
        }
    }

    /// The members of an object, whatever their keys.
    pub(super) fn members(&self, what: &str) -> Result<Vec<(&'a str, Node<'a>)>, IoError> {
        let object = self.json.as_object().ok_or_else(|| self.expected(what))?;
        Ok(object.iter().map(|(key, json)| (key.as_str(), self.child(format!(".{key}"), json))).collect())
    }

    /// The member of an object, if it is there.
    pub(super) fn member(&self, key: &str) -> Option<Node<'a>> {
        let json = self.json.as_object()?.get(key)?;
        Some(self.child(format!(".{key}"), json))
    }

    /// The member of an object that must be there.
    pub(super) fn required(&self, key: &str) -> Result<Node<'a>, IoError> {
        self.member(key).ok_or_else(|| self.error(format!("\"{key}\" is missing")))
    }

    /// The items of a list.
    pub(super) fn items(&self, what: &str) -> Result<impl ExactSizeIterator<Item = Node<'a>>, IoError> {
        let list = self.json.as_array().ok_or_else(|| self.expected(what))?;
        let node = self.clone();
        Ok(list.iter().enumerate().map(move |(i, json)| node.child(format!("[{i}]"), json)))
    }

    pub(super) fn string(&self, what: &str) -> Result<&'a str, IoError> {
        self.json.as_str().ok_or_else(|| self.expected(what))
    }

    pub(super) fn integer(&self, what: &str) -> Result<i64, IoError> {
        self.json.as_i64().ok_or_else(|| self.expected(what))
    }

    pub(super) fn integers(&self, what: &str) -> Result<Vec<i64>, IoError> {
        self.items(what)?.map(|item| item.integer("an integer")).collect()
    }

    pub(super) fn dtype(&self) -> Result<Dtype, IoError> {
        let name = self.string("the name of a dtype")?;
        name.parse().map_err(|error: crate::UnknownDtype| self.error(error.to_string()))
    }

    /// A number of no particular dtype; `None` for what is none.
    pub(super) fn number(&self) -> Option<Scalar> {
        match self.json {
            Json::Bool(value) => Some(Scalar::Bool(*value)),
            Json::Number(number) => match number.as_i64() {
                Some(value) => Some(Scalar::Int(value)),
                None => number.as_f64().map(Scalar::Float),
            },
            Json::String(name) => special(name).map(Scalar::Float),
            Json::Array(parts) => match parts.as_slice() {
                [_, _] => {
                    let part = |i: usize| self.child(String::new(), &parts[i]).number();
                    match (part(0)?, part(1)?) {
                        (Scalar::Complex(..), _) | (_, Scalar::Complex(..)) => None,
                        (re, im) => Some(Scalar::Complex(re.to_f64(), im.to_f64())),
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The element of a dtype; a number that the dtype cannot hold is an error.
    pub(super) fn element(&self, dtype: Dtype) -> Result<Scalar, IoError> {
        let what = match dtype {
            Dtype::Bool => "true, false, 0 or 1",
            _ if dtype.is_integer() => "an integer",
            _ if dtype.is_float() => "a number, \"nan\", \"inf\" or \"-inf\"",
            _ => "a number or [re, im]",
        };
        let number = self.number().ok_or_else(|| self.expected(what))?;
        if let Some((low, high)) = dtype.integer_range() {
            return match number {
                Scalar::Int(value) if (low..=high).contains(&value) => Ok(number),
                Scalar::Bool(_) if dtype == Dtype::Bool => Ok(number),
                Scalar::Int(_) => Err(self.expected(&format!("{what} of {dtype} ({low} to {high})"))),
                _ => Err(self.expected(what)),
            };
        }
        if matches!(number, Scalar::Bool(_)) || (dtype.is_float() && matches!(number, Scalar::Complex(..))) {
            return Err(self.expected(what));
        }
        let overflows = |value: f64, stored: f64| value.is_finite() && stored.is_infinite();
        let ((re, im), (stored_re, stored_im)) = (number.to_complex(), number.cast(dtype).to_complex());
        if overflows(re, stored_re) || overflows(im, stored_im) {
            return Err(self.expected(&format!("a number in the range of {dtype}")));
        }
        Ok(number)
    }

    fn child(&self, step: String, json: &'a Json) -> Node<'a> {
        let path = format!("{}{step}", self.path);
        Node { file: self.file, path: path.trim_start_matches('.').to_owned(), json }
    }
}

/// The float that JSON has no number for.
fn special(name: &str) -> Option<f64> {
    match name {
        "nan" => Some(f64::NAN),
        "inf" => Some(f64::INFINITY),
        "-inf" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// A number as JSON text; `dtype` decides how many digits a float needs.
pub(super) fn render(number: Scalar, dtype: Dtype) -> String {
    let real = |value: f64| {
        if value.is_nan() {
            return "\"nan\"".to_owned();
        }
        if value.is_infinite() {
            return if value > 0.0 { "\"inf\"".to_owned() } else { "\"-inf\"".to_owned() };
        }
        // Debug formats keep a decimal point or an exponent, so that a float is read as one.
        match dtype.part() {
            Dtype::F64 => format!("{value:?}"),
            _ => format!("{:?}", value as f32),
        }
    };
    match number {
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Float(value) => real(value),
        Scalar::Complex(re, im) => format!("[{}, {}]", real(re), real(im)),
    }
}

/// A string as JSON text.
pub(super) fn quote(text: &str) -> String {
    Json::String(text.to_owned()).to_string()
}
