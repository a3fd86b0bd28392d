//! NumPy's .npy files (format versions 1 to 3).
//!
//! A header in the syntax of a Python dictionary, `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3),
//! }`, then the elements. Either byte order is read, little-endian is written. NumPy has no bfloat16: its
//! elements are `V2`, two bytes of no type, as ml_dtypes writes them. A file in Fortran order gives a tensor
//! with column-major strides, so that its storage holds the elements as they lie in the file.
//!
//! Source: numpy.lib.format.

use super::IoError;
use crate::{layout, storage::Storage, tensor::Tensor};
use std::{io::Write, path::Path};
use terrace_layout::dtype::Dtype;

const MAGIC: &[u8] = b"\x93NUMPY";

/// Reads a .npy file into a tensor on a storage of its own.
///
/// # Errors
/// When the file cannot be read, is no .npy file, or holds elements of a type that is no dtype.
pub fn read_npy(file: &Path) -> Result<Tensor, IoError> {
    let bytes = std::fs::read(file).map_err(|source| IoError::read(file, source))?;
    parse(&bytes).map_err(|message| IoError::npy(file, message))
}

/// Writes the elements of a tensor to a .npy file, in row-major order.
///
/// # Errors
/// When the file cannot be written.
pub fn write_npy(file: &Path, tensor: &Tensor) -> Result<(), IoError> {
    tensor.within().map_err(|missing| IoError::npy(file, missing.to_string()))?;
    let write = || -> std::io::Result<()> {
        let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
        out.write_all(&header(tensor))?;
        for offset in tensor.offsets() {
            let (mut element, size) = tensor.read(offset).to_bytes(tensor.dtype());
            to_little_endian(&mut element[..size], tensor.dtype());
            out.write_all(&element[..size])?;
        }
        out.flush()
    };
    write().map_err(|source| IoError::write(file, source))
}

fn header(tensor: &Tensor) -> Vec<u8> {
    let shape: String = tensor.sizes().iter().map(|size| format!("{size}, ")).collect();
    let shape = if tensor.rank() == 1 { shape.trim_end() } else { shape.trim_end_matches(", ") };
    let mut text =
        format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}", descr(tensor.dtype()));
    // Elements start at a multiple of 64 bytes: magic, version and length take 10, the header ends in a
    // newline.
    let padding = (64 - (text.len() + 11) % 64) % 64;
    text.push_str(&" ".repeat(padding));
    text.push('\n');
    let mut bytes = MAGIC.to_vec();
    bytes.extend([1, 0]);
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}

fn descr(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::Bool => "|b1",
        Dtype::U8 => "|u1",
        Dtype::I8 => "|i1",
        Dtype::I16 => "<i2",
        Dtype::I32 => "<i4",
        Dtype::I64 => "<i8",
        Dtype::F16 => "<f2",
        Dtype::BF16 => "<V2",
        Dtype::F32 => "<f4",
        Dtype::F64 => "<f8",
        Dtype::C64 => "<c8",
        Dtype::C128 => "<c16",
    }
}

fn parse(bytes: &[u8]) -> Result<Tensor, String> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("not a .npy file, it does not start with \\x93NUMPY")?;
    let cut = || "the header is cut off".to_owned();
    let (version, rest) = rest.split_at_checked(2).ok_or_else(cut)?;
    let (length, rest) = match version[0] {
        1 => rest
            .split_at_checked(2)
            .map(|(length, rest)| (u16::from_le_bytes([length[0], length[1]]).into(), rest)),
        2 | 3 => {
            rest.split_first_chunk::<4>().map(|(length, rest)| (u32::from_le_bytes(*length) as usize, rest))
        }
        other => return Err(format!("format version {other} is not supported, expected 1, 2 or 3")),
    }
    .ok_or_else(cut)?;
    let (header, data) = rest.split_at_checked(length).ok_or_else(cut)?;
    let text = std::str::from_utf8(header).map_err(|_| "the header is not text")?;
    let Header { dtype, big_endian, fortran, sizes } = parse_header(text)?;

    let too_large = || format!("an array of shape {sizes:?} is larger than any memory");
    let count = layout::element_count(&sizes).ok_or_else(too_large)? as usize;
    let expected = count.checked_mul(dtype.bytes()).ok_or_else(too_large)?;
    if data.len() != expected {
        return Err(format!(
            "shape {sizes:?} of {dtype} takes {expected} bytes, the file has {}",
            data.len()
        ));
    }
    let mut data = data.to_vec();
    for element in data.chunks_exact_mut(dtype.bytes()) {
        to_native(element, dtype, big_endian);
        if dtype == Dtype::Bool && element[0] > 1 {
            return Err(format!("a bool is 0 or 1, the file has {}", element[0]));
        }
    }
    let mut strides = layout::contiguous_strides(&sizes);
    if fortran {
        let reversed: Vec<_> = sizes.iter().rev().copied().collect();
        strides = layout::contiguous_strides(&reversed);
        strides.reverse();
    }
    let storage = Storage::from_bytes(&data).map_err(|error| error.to_string())?;
    Tensor::new(storage, dtype, sizes, strides, 0).map_err(|error| error.to_string())
}

/// Reverses the bytes of each part of an element whose byte order is not the machine's.
fn to_native(element: &mut [u8], dtype: Dtype, big_endian: bool) {
    if big_endian != cfg!(target_endian = "big") {
        element.chunks_exact_mut(dtype.part().bytes()).for_each(<[u8]>::reverse);
    }
}

fn to_little_endian(element: &mut [u8], dtype: Dtype) {
    to_native(element, dtype, false);
}

struct Header {
    dtype: Dtype,
    big_endian: bool,
    fortran: bool,
    sizes: Vec<i64>,
}

fn parse_header(text: &str) -> Result<Header, String> {
    let bad = |what: &str| format!("the header has no {what}: {}", text.trim());
    let quoted = value_of(text, "descr").and_then(|rest| {
        let quote = rest.chars().next().filter(|c| "'\"".contains(*c))?;
        rest[1..].split_once(quote).map(|(descr, _)| descr)
    });
    let descr_text = quoted.ok_or_else(|| bad("'descr' of one plain element type"))?;
    let (big_endian, plain) = match descr_text.as_bytes() {
        [b'>', ..] => (true, descr_text.replacen('>', "<", 1)),
        [b'=', ..] => (cfg!(target_endian = "big"), descr_text.replacen('=', "<", 1)),
        _ => (false, descr_text.to_owned()),
    };
    // The byte order of a single byte, and of bytes of no type, says nothing.
    let same = |dtype: &Dtype| plain.get(1..) == Some(&descr(*dtype)[1..]);
    let dtype =
        Dtype::ALL.into_iter().find(same).filter(|_| plain.starts_with(['|', '<'])).ok_or_else(|| {
            let known = Dtype::ALL.map(|dtype| format!("{} ({dtype})", descr(dtype))).join(", ");
            format!("element type '{descr_text}' is not supported, expected one of {known}")
        })?;
    let fortran = match value_of(text, "fortran_order") {
        Some(rest) if rest.starts_with("True") => true,
        Some(rest) if rest.starts_with("False") => false,
        _ => return Err(bad("'fortran_order' of True or False")),
    };
    let shape = value_of(text, "shape").and_then(|rest| rest.strip_prefix('(')?.split_once(')'));
    let (shape, _) = shape.ok_or_else(|| bad("'shape'"))?;
    let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
    let sizes =
        sizes.map(|size| size.parse::<i64>().ok().filter(|&size| size >= 0)).collect::<Option<Vec<_>>>();
    Ok(Header { dtype, big_endian, fortran, sizes: sizes.ok_or_else(|| bad("'shape' of sizes"))? })
}

/// What follows `'key':`.
fn value_of<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let at = ["'", "\""].iter().find_map(|quote| {
        let quoted = format!("{quote}{key}{quote}");
        text.find(&quoted).map(|at| at + quoted.len())
    })?;
    text[at..].trim_start().strip_prefix(':').map(str::trim_start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Scalar;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    #[test]
    fn all_dtypes_round_trip() {
        let path = std::env::temp_dir().join(format!("terrace-npy-{}.npy", std::process::id()));
        for dtype in Dtype::ALL {
            let elements: Vec<_> =
                [1.0, 0.0, 1.0, 1.0, 0.0, 2.0].map(|v| Scalar::Complex(v, v).cast(dtype)).to_vec();
            let tensor = Tensor::from_elements(dtype, &[2, 3], &elements).unwrap();
            write_npy(&path, &tensor.view(vec![3, 2], vec![1, 3], 0).unwrap()).unwrap();
            let back = read_npy(&path).unwrap();
            assert_eq!((back.dtype(), back.sizes()), (dtype, &[3, 2][..]));
            let transposed = back.view(vec![2, 3], vec![1, 2], 0).unwrap();
            assert_eq!(transposed.to_vec(), elements, "{dtype}");
            assert_eq!(std::fs::read(&path).unwrap().len() % 64, 6 * dtype.bytes() % 64);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn ranks_0_and_1() {
        let shape_of = |sizes: &[i64]| {
            let tensor = Tensor::zeros(Dtype::F32, sizes).unwrap();
            String::from_utf8_lossy(&header(&tensor)).into_owned()
        };
        assert!(shape_of(&[]).contains("'shape': (), }"));
        assert!(shape_of(&[5]).contains("'shape': (5,), }"));
        assert!(shape_of(&[5, 2]).contains("'shape': (5, 2), }"));
    }

    #[test]
    fn big_endian_and_fortran_order() {
        let header = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2), }";
        let tensor = parse(&file(header, &[0, 1, 0, 2, 0, 3, 1, 4])).unwrap();
        assert_eq!(tensor.strides(), [1, 2]);
        assert_eq!(tensor.to_vec(), [1, 3, 2, 260].map(Scalar::Int));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |bytes: &[u8]| parse(bytes).unwrap_err();
        assert_eq!(error(b"PK"), "not a .npy file, it does not start with \\x93NUMPY");
        assert_eq!(error(b"\x93NUMPY\x01\x00\xff\x00{}"), "the header is cut off");
        let header =
            |descr, shape| format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
        assert!(
            error(&file(&header("'<u4'", "(1,)"), &[0; 4]))
                .starts_with("element type '<u4' is not supported, expected one of |b1 (bool), ")
        );
        assert!(
            error(&file(&header("[('a', '<f4')]", "(1,)"), &[]))
                .starts_with("the header has no 'descr' of one")
        );
        assert!(
            error(&file(&header("'<f4'", "(-1,)"), &[])).starts_with("the header has no 'shape' of sizes")
        );
        assert_eq!(
            error(&file(&header("'<f4'", "(3,)"), &[0; 8])),
            "shape [3] of f32 takes 12 bytes, the file has 8"
        );
        assert_eq!(error(&file(&header("'|b1'", "()"), &[7])), "a bool is 0 or 1, the file has 7");
        assert!(error(&file(&header("''", "()"), &[7])).starts_with("element type '' is not supported"));
    }
}
