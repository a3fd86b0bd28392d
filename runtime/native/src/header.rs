//! The C header of an object: a struct for each kind of buffer, a prototype for each entry point.
//!
//! `@name` is declared as `terrace_name`, bound to its C interface by an assembler label, so that no name of a program
//! can clash with the C library's. Buffers are passed by descriptor; those that are returned belong to the caller, who
//! frees `allocated` with `terrace_rt_free` unless it is an argument's. Where a type has `?`, any stride or offset that is
//! not negative may be passed; the others have to be those of the type.

use crate::{Error, MemRefType, Signature, ValueType};
use std::{collections::BTreeMap, fmt::Write};
use terrace_tensor::DType;

const PRELUDE: &str = "\
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {
#endif

/* The runtime, libterrace_rt.a; link with -lpthread -ldl -lm. */
void *terrace_rt_alloc(int64_t size, int64_t align);
/* A buffer that a call returned: once for each `allocated` that is no argument's. */
void terrace_rt_free(void *buffer);
/* Threads that a call uses; 0 for the default: TERRACE_THREADS, else the number of cores. */
void terrace_rt_set_threads(int64_t threads);
/* The generator of this thread: its seed, and how many operations have drawn from it, 0 for a new seed. */
void terrace_rt_set_generator(int64_t seed, int64_t drawn);
/* How many bytes storages of arguments of this thread's calls have; a negative number is for one that is none of the caller's. Without it views by
   strides (as_strided) of arguments are not tested for leaving them. */
void terrace_rt_set_storage_bytes(int64_t (*size_of)(void *caller, void *storage), void *caller);
/* How calls of this thread make storages of arguments another size, where functions do so: see runtime/rt/src/storage.rs. Memory that a storage had
   before stays until the call has come back; a null pointer is for a storage that is none of the caller's. */
void terrace_rt_set_resize(void *(*resize)(void *caller, void *storage, int64_t bytes, bool at_least), void *caller);
/* What was wrong with the inputs of the calls since the last time, or a null pointer. */
const char *terrace_rt_take_error(void);
";

const EPILOGUE: &str = "
#ifdef __cplusplus
}
#endif
#endif
";

/// The text of a header that declares `signatures`; `name` goes into its include guard and its first line.
pub fn c_header(name: &str, signatures: &[Signature]) -> Result<String, Error> {
    let mut names: BTreeMap<String, &str> = BTreeMap::new();
    let mut structs: BTreeMap<String, &MemRefType> = BTreeMap::new();
    let mut prototypes = String::new();
    for signature in signatures {
        let c_name = format!("terrace_{}", identifier(&signature.name));
        if let Some(other) = names.insert(c_name.clone(), &signature.name) {
            return Err(Error::Header(format!("@{other} and @{} are both {c_name}", signature.name)));
        }
        for ty in signature.arguments.iter().chain(&signature.results) {
            if let ValueType::MemRef(memref) = ty {
                structs.insert(struct_name(memref), memref);
            }
        }
        prototype(&mut prototypes, &c_name, signature)?;
    }
    let guard = format!("TERRACE_{}_H", identifier(name).to_uppercase());
    let mut text = format!("/* Entry points of {name}. */\n#ifndef {guard}\n#define {guard}\n\n{PRELUDE}");
    for (name, memref) in structs {
        // Headers of several objects declare the same structs.
        let guard = name.to_uppercase();
        let pointer = element(memref.dtype);
        let extents = match memref.sizes.len() {
            0 => String::new(),
            rank => format!("  int64_t sizes[{rank}];\n  int64_t strides[{rank}];\n"),
        };
        let part = part(memref.dtype);
        _ = write!(
            text,
            "\n#ifndef {guard}\n#define {guard}\n/* Offset and strides are in elements{part}. */\ntypedef struct {{\n  \
             {pointer}*allocated;\n  {pointer}*aligned;\n  int64_t offset;\n{extents}}} {name};\n#endif\n"
        );
    }
    text.push_str(&prototypes);
    text.push_str(EPILOGUE);
    Ok(text)
}

fn prototype(text: &mut String, c_name: &str, signature: &Signature) -> Result<(), Error> {
    let half = |ty: &&ValueType| matches!(ty, ValueType::Scalar(DType::F16 | DType::Bf16));
    let complex = |ty: &&ValueType| matches!(ty, ValueType::Scalar(dtype) if dtype.is_complex());
    if signature.arguments.iter().chain(&signature.results).any(|ty| complex(&ty)) {
        return Err(Error::Header(format!(
            "@{} has a complex number by value, which C and LLVM pass in different ways; pass a buffer of one",
            signature.name
        )));
    }
    if signature.arguments.iter().chain(&signature.results).any(|ty| half(&ty)) {
        return Err(Error::Header(format!(
            "@{} has a scalar of half precision, which C has no portable type for; pass f32",
            signature.name
        )));
    }
    let mut parameters: Vec<_> = signature
        .arguments
        .iter()
        .enumerate()
        .map(|(i, ty)| match ty {
            ValueType::Scalar(dtype) => format!("{}a{i}", element(*dtype)),
            ValueType::MemRef(memref) => format!("{} *a{i}", struct_name(memref)),
        })
        .collect();
    let mut result = "void ".to_owned();
    match &signature.results[..] {
        [] => {}
        [ValueType::Scalar(dtype)] => result = element(*dtype).to_owned(),
        [ValueType::MemRef(memref)] => parameters.insert(0, format!("{} *result", struct_name(memref))),
        many => {
            _ = write!(text, "\ntypedef struct {{\n");
            for (i, ty) in many.iter().enumerate() {
                _ = match ty {
                    ValueType::Scalar(dtype) => writeln!(text, "  {}r{i};", element(*dtype)),
                    ValueType::MemRef(memref) => writeln!(text, "  {} r{i};", struct_name(memref)),
                };
            }
            _ = writeln!(text, "}} {c_name}_results;");
            parameters.insert(0, format!("{c_name}_results *results"));
        }
    }
    if parameters.is_empty() {
        parameters.push("void".into());
    }
    let symbol = signature.symbol();
    if symbol.contains(['"', '\\', '\n', '\0']) {
        return Err(Error::Header(format!("the name {:?} cannot be an assembler label", signature.name)));
    }
    // A name may hold what would end the comment.
    let mut comment = signature.to_string().replace("*/", "* /");
    if signature.arguments.iter().any(ValueType::has_unknown) {
        comment.push_str(
            "\n   `?` is any number that is not negative: sizes, strides and offset in the struct say which.",
        );
    }
    _ = write!(
        text,
        "\n/* {comment} */\n{result}{c_name}({}) __asm__(\"{symbol}\");\n",
        parameters.join(", ")
    );
    Ok(())
}

/// A name with nothing in it that C forbids.
fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn struct_name(memref: &MemRefType) -> String {
    format!("terrace_memref_{}d_{}", memref.sizes.len(), memref.dtype)
}

/// The C type of an element, ready for a name or an asterisk to follow. Halves are their bits; a complex number is its
/// real part with the imaginary one behind it.
fn element(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool ",
        DType::U8 => "uint8_t ",
        DType::I8 => "int8_t ",
        DType::I16 => "int16_t ",
        DType::I32 => "int32_t ",
        DType::I64 => "int64_t ",
        DType::F16 | DType::Bf16 => "uint16_t ",
        DType::F32 | DType::C64 => "float ",
        DType::F64 | DType::C128 => "double ",
    }
}

fn part(dtype: DType) -> &'static str {
    match dtype {
        DType::C64 | DType::C128 => ", an element is a real and an imaginary part",
        DType::F16 | DType::Bf16 => ", an element is the bits of a half",
        _ => "",
    }
}
