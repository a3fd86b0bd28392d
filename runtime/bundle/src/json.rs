//! `bundle.json`: a [`Bundle`] as text, and back.

use crate::{Bundle, BundleError, CodeFor, Expected, Generated, Place, Work};
use serde_json::{Value as Json, json};
use terrace_call::{Kernel, MemRefType, Offset, Signature, ValueType};
use terrace_tensor::Dtype;

/// The version of the format; who reads another one says so.
const VERSION: u64 = 1;

fn type_of(ty: &ValueType) -> Json {
    match ty {
        ValueType::Scalar(dtype) => json!(dtype.name()),
        ValueType::MemRef(m) => json!({
            "dtype": m.dtype.name(), "sizes": m.sizes, "strides": m.strides, "offset": m.offset, "plain": m.plain,
        }),
    }
}

fn expected(value: &Expected) -> Json {
    let place = match value.place {
        Place::Result(number) => json!({ "result": number }),
        Place::Argument(number) => json!({ "argument": number }),
    };
    json!({
        "value": place, "dtype": value.dtype.map(Dtype::name), "sizes": value.sizes, "bytes": value.values.len(),
        "sum": value.sum, "infinite": value.infinite, "largest": value.largest,
    })
}

/// The text, and the bytes of `expected.bin`.
pub(crate) fn write(bundle: &Bundle) -> (String, Vec<u8>) {
    let types = |types: &[ValueType]| types.iter().map(type_of).collect::<Vec<_>>();
    let code = |code: &CodeFor| {
        let kernel = |kernel: &Kernel| json!({ "name": kernel.name, "writes": kernel.writes });
        json!({
            "architecture": code.architecture, "images": code.images,
            "kernels": code.kernels.iter().map(kernel).collect::<Vec<_>>(),
            "host": code.host, "functions": code.functions,
        })
    };
    let signature = &bundle.signature;
    let made =
        bundle.generated.as_ref().map(|list| list.iter().map(Generated::to_string).collect::<Vec<_>>());
    let text = json!({
        "version": VERSION,
        "name": bundle.name,
        "entry": {
            "name": signature.name, "arguments": types(&signature.arguments), "results": types(&signature.results),
        },
        "arguments": made,
        "rebased": bundle.offsets.iter().map(|own| *own == Offset::Rebased).collect::<Vec<_>>(),
        "codes": bundle.codes.iter().map(code).collect::<Vec<_>>(),
        "expected": bundle.expected.iter().map(expected).collect::<Vec<_>>(),
        "bytes": bundle.work.bytes,
        "flops": bundle.work.flops,
    });
    let bytes = bundle.expected.iter().flat_map(|value| value.values.iter().copied()).collect();
    (format!("{text:#}\n"), bytes)
}

/// A place in the text, by its name.
struct At<'a>(&'a Json, &'a str);

impl<'a> At<'a> {
    fn wrong(&self) -> BundleError {
        BundleError(format!("\"{}\" is missing, or not what it should be", self.1))
    }

    fn get(&self, key: &'a str) -> At<'a> {
        At(&self.0[key], key)
    }

    fn text(&self) -> Result<String, BundleError> {
        self.0.as_str().map(str::to_owned).ok_or_else(|| self.wrong())
    }

    fn count(&self) -> Result<usize, BundleError> {
        self.0.as_u64().map(|count| count as usize).ok_or_else(|| self.wrong())
    }

    /// A float; what JSON has no number for is infinite.
    fn float(&self) -> Result<f64, BundleError> {
        if self.0.is_null() { Ok(f64::INFINITY) } else { self.0.as_f64().ok_or_else(|| self.wrong()) }
    }

    fn truth(&self) -> Result<bool, BundleError> {
        self.0.as_bool().ok_or_else(|| self.wrong())
    }

    fn dtype(&self) -> Result<Dtype, BundleError> {
        self.text()?.parse().map_err(|_| self.wrong())
    }

    fn number(&self) -> Result<i64, BundleError> {
        self.0.as_i64().ok_or_else(|| self.wrong())
    }

    /// A number that may be open.
    fn open(&self) -> Result<Option<i64>, BundleError> {
        if self.0.is_null() { Ok(None) } else { self.number().map(Some) }
    }

    fn list<T>(&self, each: impl Fn(At<'a>) -> Result<T, BundleError>) -> Result<Vec<T>, BundleError> {
        let list = self.0.as_array().ok_or_else(|| self.wrong())?;
        list.iter().map(|own| each(At(own, self.1))).collect()
    }

    fn value_type(self) -> Result<ValueType, BundleError> {
        if self.0.is_string() {
            return self.dtype().map(ValueType::Scalar);
        }
        Ok(ValueType::MemRef(MemRefType {
            dtype: self.get("dtype").dtype()?,
            sizes: self.get("sizes").list(|own| own.open())?,
            strides: self.get("strides").list(|own| own.open())?,
            offset: self.get("offset").open()?,
            plain: self.get("plain").truth()?,
        }))
    }

    fn code(self) -> Result<CodeFor, BundleError> {
        let kernel = |own: At<'a>| {
            let (name, writes) = (own.get("name").text()?, own.get("writes").list(|own| own.truth())?);
            Ok(Kernel { name, writes })
        };
        Ok(CodeFor {
            architecture: self.get("architecture").text()?,
            images: self.get("images").list(|own| own.text())?,
            kernels: self.get("kernels").list(kernel)?,
            host: self.get("host").text()?,
            functions: self.get("functions").list(|own| own.text())?,
        })
    }

    fn place(&self) -> Result<Place, BundleError> {
        match self.0["result"].is_null() {
            false => self.get("result").count().map(Place::Result),
            true => self.get("argument").count().map(Place::Argument),
        }
    }
}

/// The bundle of a text and of the bytes of `expected.bin`.
pub(crate) fn read(text: &str, mut bytes: &[u8]) -> Result<Bundle, BundleError> {
    let json: Json = serde_json::from_str(text).map_err(|e| BundleError(e.to_string()))?;
    let all = At(&json, "bundle");
    let version = all.get("version").count()?;
    if version as u64 != VERSION {
        return Err(BundleError(format!("has version {version}, this reads version {VERSION}")));
    }
    let entry = all.get("entry");
    let mut values = vec![];
    for own in all.get("expected").list(Ok)? {
        let count = own.get("bytes").count()?;
        let (values_of, rest) = bytes.split_at_checked(count).ok_or_else(|| own.get("bytes").wrong())?;
        bytes = rest;
        let dtype = own.get("dtype");
        values.push(Expected {
            place: own.get("value").place()?,
            dtype: if dtype.0.is_null() { None } else { Some(dtype.dtype()?) },
            sizes: own.get("sizes").list(|size| size.number())?,
            values: values_of.to_vec(),
            sum: own.get("sum").float()?,
            infinite: own.get("infinite").count()?,
            largest: own.get("largest").float()?,
        });
    }
    let made = all.get("arguments");
    let rebased = |own: At| Ok(if own.truth()? { Offset::Rebased } else { Offset::Passed });
    Ok(Bundle {
        name: all.get("name").text()?,
        signature: Signature {
            name: entry.get("name").text()?,
            arguments: entry.get("arguments").list(At::value_type)?,
            results: entry.get("results").list(At::value_type)?,
        },
        generated: if made.0.is_null() { None } else { Some(made.list(|own| own.text()?.parse())?) },
        offsets: all.get("rebased").list(rebased)?,
        codes: all.get("codes").list(At::code)?,
        expected: values,
        work: Work { bytes: all.get("bytes").float()?, flops: all.get("flops").float()? },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let memref = MemRefType {
            dtype: Dtype::F32,
            sizes: vec![Some(2), None],
            strides: vec![None, Some(1)],
            offset: Some(0),
            plain: false,
        };
        let value = |place, count| Expected {
            place,
            dtype: Some(Dtype::BF16),
            sizes: vec![2, 3],
            values: vec![7; count],
            sum: -0.25,
            infinite: 1,
            largest: 1e300,
        };
        let kernel = Kernel { name: "k".into(), writes: vec![true, false] };
        let bundle = Bundle {
            name: "add".into(),
            signature: Signature {
                name: "main".into(),
                arguments: vec![ValueType::MemRef(memref), ValueType::Scalar(Dtype::I64)],
                results: vec![],
            },
            generated: Some(vec!["f32[2x3]:0..1".parse().unwrap(), "4".parse().unwrap()]),
            offsets: vec![Offset::Rebased, Offset::Passed],
            codes: vec![CodeFor {
                architecture: "sm_90".into(),
                images: vec!["a".into()],
                kernels: vec![kernel],
                host: "host.so".into(),
                functions: vec!["f".into()],
            }],
            expected: vec![value(Place::Result(0), 3), value(Place::Argument(1), 5)],
            work: Work { bytes: 24.0, flops: 1e12 },
        };
        let (text, bytes) = write(&bundle);
        assert_eq!(read(&text, &bytes).unwrap(), bundle);
        let why = read(&text, &bytes[..4]).unwrap_err().to_string();
        assert_eq!(why, "\"bytes\" is missing, or not what it should be");
        let why = read(&text.replace("\"version\": 1", "\"version\": 2"), &bytes).unwrap_err().to_string();
        assert_eq!(why, "has version 2, this reads version 1");
    }
}
