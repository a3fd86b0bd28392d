//! The C header of an object: a struct for each kind of buffer, a prototype for each entry point.
//!
//! `@name` is declared as `terrace_name`, bound to its entry point by an assembler label, so that no name of
//! a program can clash with the C library's. It takes the context of the call, then a pointer for what it
//! returns, then the arguments, and gives a status. Buffers are passed by descriptor; those that are returned
//! belong to the caller, who frees `allocated` with `terrace_rt_free` unless it is an argument's. Where a
//! type has `?`, any stride or offset that is not negative may be passed; the others have to be those of the
//! type.

use crate::{Error, MemRefType, Signature, ValueType};
use std::{collections::BTreeMap, fmt::Write};
use terrace_tensor::Dtype;

const PRELUDE: &str = "\
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {
#endif

#ifndef TERRACE_RT_H
#define TERRACE_RT_H
/* The runtime, libterrace_rt.a; link with -lpthread -ldl -lm. */
typedef struct terrace_rt_context terrace_rt_context;
/* What a call has beside its arguments, for one call at a time: threads that call at once have one each. */
terrace_rt_context *terrace_rt_context_create(void);
void terrace_rt_context_destroy(terrace_rt_context *context);
/* What went wrong in the last call, and where, until the next one; or a null pointer. */
const char *terrace_rt_context_error(const terrace_rt_context *context);
const char *terrace_rt_context_place(const terrace_rt_context *context);
/* Threads that calls use; 0 for the default: TERRACE_THREADS, else the number of cores. */
void terrace_rt_context_set_threads(terrace_rt_context *context, int64_t threads);
/* The generator: its seed, and how many operations have drawn from it, 0 for a new seed. */
void terrace_rt_set_generator(terrace_rt_context *context, int64_t seed, int64_t drawn);
int64_t terrace_rt_generator_seed(const terrace_rt_context *context);
int64_t terrace_rt_generator_drawn(const terrace_rt_context *context);
/* Who gives memory, for results too, in the place of the runtime; null where there is none, which is the call's error. Threads of
   the call may ask at once. */
void terrace_rt_context_set_allocator(terrace_rt_context *context, void *(*allocate)(void *caller, int64_t bytes, int64_t align),
                                      void (*free)(void *caller, void *memory), void *caller);
/* How many bytes storages of arguments have, and how they become another size where functions do so: see runtime/rt/src/storage.rs. A negative
   number, and a null pointer, are for a storage that is none of the caller's. Without the first, views by strides (as_strided) of arguments are not tested
   for leaving them; memory that a storage had before stays until the call has come back. */
void terrace_rt_context_set_storages(terrace_rt_context *context, int64_t (*size_of)(void *caller, void *storage),
                                     void *(*resize)(void *caller, void *storage, int64_t bytes, bool at_least), void *caller);
/* Memory as calls get it, and its end: of a buffer that a call returned, once for each `allocated` that is no argument's. The context may be null. */
void *terrace_rt_alloc(terrace_rt_context *context, int64_t size, int64_t align);
void terrace_rt_free(terrace_rt_context *context, void *buffer);

/* How a call went. After an error results are null, and arguments that it writes may be written or not; where a guard refuses it nothing is written. */
enum terrace_rt_status { TERRACE_RT_DONE = 0, TERRACE_RT_FAILED = 1, TERRACE_RT_REFUSED = 2 };
#endif
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
    let half = |ty: &&ValueType| matches!(ty, ValueType::Scalar(Dtype::F16 | Dtype::BF16));
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
    match &signature.results[..] {
        [] => {}
        [ValueType::Scalar(dtype)] => parameters.insert(0, format!("{}*result", element(*dtype))),
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
    parameters.insert(0, "terrace_rt_context *context".into());
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
        "\n/* {comment} */\nint32_t {c_name}({}) __asm__(\"{symbol}\");\n",
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

/// The C type of an element, ready for a name or an asterisk to follow. Halves are their bits; a complex
/// number is its real part with the imaginary one behind it.
fn element(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::Bool => "bool ",
        Dtype::U8 => "uint8_t ",
        Dtype::I8 => "int8_t ",
        Dtype::I16 => "int16_t ",
        Dtype::I32 => "int32_t ",
        Dtype::I64 => "int64_t ",
        Dtype::F16 | Dtype::BF16 => "uint16_t ",
        Dtype::F32 | Dtype::C64 => "float ",
        Dtype::F64 | Dtype::C128 => "double ",
    }
}

fn part(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::C64 | Dtype::C128 => ", an element is a real and an imaginary part",
        Dtype::F16 | Dtype::BF16 => ", an element is the bits of a half",
        _ => "",
    }
}
