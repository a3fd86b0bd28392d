//! Library operations and the generator's state: calls of the runtime.
//!
//! What a library function is given travels in one struct of words, as its file in the runtime says: for a
//! buffer its dtype, its rank and its descriptor, for a number its bits.

use super::launch::{address, call, cast, entry, whole};
use melior::{
    dialect::llvm::{self, AllocaOptions, LoadStoreOptions, r#type as llvm_type},
    ir::{
        OperationRef, Type, ValueLike,
        attribute::{FlatSymbolRefAttribute, IntegerAttribute, TypeAttribute},
        r#type::IntegerType,
    },
};
use std::collections::BTreeSet;
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::{Cursor, V},
        dtype::{Category, Dtype, ElementType},
        operations::{name_of, refuse},
        pass::Failure,
        rewrite::{erase, replace_uses},
        shaped::Shaped,
    },
    loops::library::is_library,
    ops::{graph, loop_},
};

/// What a function is given.
enum Word<'c, 'a> {
    Buffer(V<'c, 'a>),
    Float(V<'c, 'a>),
    Number(i64),
}

/// A function of the runtime, and what it is given.
struct Call<'c, 'a> {
    name: &'static str,
    words: Vec<Word<'c, 'a>>,
}

impl<'c, 'a> Call<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        use Word::*;
        let buffers = |input, inits: Vec<V<'c, 'a>>| [input].into_iter().chain(inits).map(Buffer);
        if let Ok(sort) = loop_::SortOp::try_from(op) {
            let rest = [sort.dim(), sort.descending().is_some().into()].map(Number);
            let words = buffers(sort.input(), sort.inits()).chain(rest).collect();
            return Some(Self { name: "terrace_rt_sort", words });
        }
        if let Ok(histogram) = loop_::HistogramOp::try_from(op) {
            let rest = [histogram.low(), histogram.high()].map(Float);
            let words = buffers(histogram.input(), histogram.inits()).chain(rest).collect();
            return Some(Self { name: "terrace_rt_histogram", words });
        }
        let fft = loop_::FftOp::try_from(op).ok()?;
        let dims = fft.dims();
        let rest = [dims.len() as i64].into_iter().chain(dims);
        let rest = rest.chain([fft.inverse().is_some().into(), fft.normalization()]);
        let words = buffers(fft.input(), fft.inits()).chain(rest.map(Number)).collect();
        Some(Self { name: "terrace_rt_fft", words })
    }
}

/// Whether an operation becomes a call here.
pub(super) fn is_call(op: OperationRef) -> bool {
    is_library(op) || matches!(name_of(op), "graph.generator_state" | "graph.set_generator_state")
}

/// The number that the runtime has for a dtype: its kind and its bytes.
fn code(dtype: Dtype) -> i64 {
    let kind = match (dtype.category(), dtype) {
        (_, Dtype::BF16) => 2,
        (Category::Bool | Category::Integer, _) => 0,
        (Category::Float, _) => 1,
        (Category::Complex, _) => 3,
    };
    kind << 8 | dtype.bytes() as i64
}

/// The functions of the runtime that a module calls.
#[derive(Default)]
pub(super) struct Called(BTreeSet<&'static str>);

impl Called {
    /// Turns an operation into calls.
    pub fn lower<'c: 'a, 'a>(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let at = Cursor::before(op)?;
        if graph::GeneratorStateOp::try_from(op).is_ok() {
            for (name, result) in [SEED, DRAWN].into_iter().zip(op.results()) {
                self.0.insert(name);
                let word: Type = IntegerType::new(at.context, 64).into();
                let callee = at.named("callee", FlatSymbolRefAttribute::new(at.context, name));
                let value = at.with("func.call", &[], word, &[callee])?;
                replace_uses(result, value);
            }
        } else if let Ok(set) = graph::SetGeneratorStateOp::try_from(op) {
            self.0.insert(SET);
            call(&at, SET, &[set.seed(), set.drawn()])?;
        } else {
            let library = Call::of(op).ok_or(internal!("calls no function of the runtime"))?;
            self.0.insert(library.name);
            let words = write(&at, op, &library.words)?;
            call(&at, library.name, &[words])?;
        }
        erase(op);
        Ok(())
    }

    /// Declares what is called; `declared` says what the module has.
    pub fn declare(&self, module: &Cursor, declared: impl Fn(&str) -> bool) -> Result<(), Failure> {
        let word: Type = IntegerType::new(module.context, 64).into();
        for name in self.0.iter().filter(|name| !declared(name)) {
            match *name {
                SEED | DRAWN => module.declare(name, &[], &[word], &[]).map(drop)?,
                SET => module.declare(name, &[word, word], &[], &[]).map(drop)?,
                _ => module.declare(name, &[llvm_type::pointer(module.context, 0)], &[], &[]).map(drop)?,
            }
        }
        Ok(())
    }
}

const SEED: &str = "terrace_rt_generator_seed";
const DRAWN: &str = "terrace_rt_generator_drawn";
const SET: &str = "terrace_rt_set_generator";

/// The struct of words, on the stack of the function: where it is.
fn write<'c: 'a, 'a>(
    at: &Cursor<'c, 'a>,
    op: OperationRef<'c, 'a>,
    words: &[Word<'c, 'a>],
) -> Result<V<'c, 'a>, Failure> {
    let word: Type = IntegerType::new(at.context, 64).into();
    let number = |value: i64| at.constant(word, IntegerAttribute::new(word, value).into());
    let (mut values, mut types): (Vec<V>, Vec<Type>) = (vec![], vec![]);
    let mut push = |value: V<'c, 'a>, ty: Type<'c>| {
        values.push(value);
        types.push(ty);
    };
    for given in words {
        match given {
            Word::Number(value) => push(number(*value)?, word),
            Word::Float(value) => push(at.op("arith.bitcast", &[*value], word)?, word),
            Word::Buffer(value) => {
                let buffer = Shaped::of(value.r#type()).filter(|shaped| shaped.buffer);
                let Some((buffer, dtype)) = buffer.and_then(|b| Some((b.clone(), Dtype::of(b.element)?)))
                else {
                    let why = format!(
                        "is on {}, not on a memref of numbers: run one-shot-bufferize first",
                        value.r#type()
                    );
                    return Err(refuse(op, &why));
                };
                push(number(code(dtype))?, word);
                push(number(buffer.rank() as i64)?, word);
                push(*value, whole(at, value.r#type()));
            }
        }
    }
    let pointer = llvm_type::pointer(at.context, 0);
    let fields = llvm_type::r#struct(at.context, &types, false);
    let start = entry(op, at.location)?;
    let one = start.constant(word, IntegerAttribute::new(word, 1).into())?;
    let options = AllocaOptions::new().elem_type(Some(TypeAttribute::new(fields)));
    let slot =
        start.insert(llvm::alloca(at.context, one, pointer, at.location, options)).result_at(0)?.into();
    for (i, (value, ty)) in values.into_iter().zip(&types).enumerate() {
        let (value, address) = (cast(at, value, *ty)?, address(at, slot, fields, i)?);
        at.insert(llvm::store(at.context, value, address, at.location, LoadStoreOptions::new()));
    }
    Ok(slot)
}
