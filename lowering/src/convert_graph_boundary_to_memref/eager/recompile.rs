//! A function of which types say too little to compile it: it is compiled when it is called, for the tensors that there are.
//!
//! Contract: the function is `graph.partial`, and calls no other. Its text becomes a constant of the module; its body hands that to the
//! runtime, with its arguments as words, and reads the results from words (`runtime/rt/src/recompile.rs`). Where nobody can
//! compile, as in an object, that is an error, and results have no elements.
//!
//! Source: what `torch.compile` does where a guard fails.

use super::{
    super::{
        types::identity,
        words::{RECOMPILED, Words},
    },
    Body, Function, open,
};
use crate::text;
use melior::ir::{BlockRef, OperationRef, Type, TypeLike, ValueLike, r#type::IntegerType};
use terrace_dialects::{
    arguments::{declared, is_partial, is_private},
    attributes as convert,
    cursor::{Cursor, V},
    descriptor,
    ir::{BlockLike, OperationLike},
    operations::{arguments, collect, erase, name_of, refuse},
    pass::Failure,
    shaped::Shaped,
    types::{DYNAMIC, TensorType, bits, bytes, is_float, part},
};
use terrace_passes::graph_outline_eager::{
    is_conjugate_transform, is_fake_use, is_of_flags, is_test, is_view, passes_no_flags,
};

/// What compiles and calls a text.
const RECOMPILE: &str = "terrace_rt_recompile";

/// Whose results, or views of them, may be seen as conjugates or negatives of what is stored.
const FLAGS: &[&str] = &[
    "graph._conj",
    "graph._neg_view",
    "graph.adjoint",
    "graph.conj",
    "graph.imag",
    "graph.mH",
    "graph.matrix_H",
];

/// The text of a function in which there is what has no code, and what is said where nobody compiles it.
pub(super) fn source<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<Option<String>, Failure> {
    let is_left = |op: OperationRef| {
        let stays = super::is_number(op) || is_view(op) || is_test(op) || is_fake_use(op) || is_of_flags(op);
        name_of(op).starts_with("graph.") && !stays
    };
    let is_passed = |number: usize| declared(function, number).is_ok_and(|own| own.passed_flags);
    let count = super::signature(function)?.input_count();
    if (0..count).any(is_passed) && collect(function, |op| name_of(op) == "graph.passed_flags").is_empty() {
        let why = "is called with conjugates or negatives, and does not ask how its arguments are seen: run graph-outline-eager first";
        return Err(refuse(function, why));
    }
    let Some(left) = collect(function, is_left).first().copied() else {
        // What was not outlined may be views that are passed on.
        passes_no_flags(function)?;
        return Ok(None);
    };
    if !is_partial(function) || !collect(function, |op| name_of(op) == "func.call").is_empty() {
        let why =
            "runs as it is written, operation by operation (graph.eager): run graph-outline-eager first";
        return Err(refuse(left, why));
    }
    // Who calls a function of an operation alone knows.
    let flags = |op: OperationRef| FLAGS.contains(&name_of(op)) || is_conjugate_transform(op);
    if is_private(function)
        && function.attribute("no_inline").is_err()
        && let Some(flag) = collect(function, flags).first()
    {
        let why = "may give conjugates or negatives to who calls a function that is compiled when it is called: put that in the place of its call";
        return Err(refuse(*flag, why));
    }
    let why = "is compiled for the usual sizes: those that are compared are equal, none is 0 or 1; for others it is compiled when it is called, \
               which takes a caller that can (terrace_rt_set_recompile)";
    Ok(Some(format!("// {} {why}\n{}", name_of(left), function)))
}

impl<'c: 'a, 'a> Body<'_, 'c, 'a> {
    /// Puts the call of the runtime in the place of a body.
    pub(super) fn recompile(&mut self, block: BlockRef<'c, 'a>, source: &str) -> Result<(), Failure> {
        let Function { op: function, inputs, results, .. } = self.function;
        let location = function.location();
        let mut next = block.first_operation();
        let mut all = vec![];
        while let Some(op) = next {
            next = op.next_in_block();
            all.push(op);
        }
        // SAFETY: what uses an operation comes behind it, and is gone before.
        all.into_iter().rev().for_each(|op| unsafe { erase(op) });
        let ty = super::signature(*function)?;
        for (i, argument) in arguments(block).enumerate() {
            argument.set_type(ty.input(i)?);
        }
        let name = format!("{}.source", convert::string(function.attribute("sym_name")?));
        text::constant(&Cursor::before(*function)?, &name, source)?;
        let (at, word): (_, Type) = (Cursor::end(block, location), IntegerType::new(self.context, 64).into());
        let mut words = Words::new(at);
        let address = at.op("llvm.ptrtoint", &[text::address(&at, &name)?], word)?;
        words.word(at.op("arith.index_cast", &[address], at.index_type())?);
        for (argument, ty) in arguments(block).zip(inputs) {
            match TensorType::<i64>::of(*ty) {
                Some(_) => words.place(argument)?,
                None => number(&at, argument)?.into_iter().for_each(|number| words.word(number)),
            }
        }
        let mut places = vec![];
        for ty in results {
            let Some(tensor) = TensorType::<i64>::of(*ty) else {
                places.push(words.room(parts(*ty))?);
                continue;
            };
            places.push(words.room(4)?);
            for size in &tensor.shape {
                words.number(if *size == DYNAMIC { 0 } else { *size })?;
            }
            words.room(tensor.rank())?;
        }
        // The list lies on the stack, and is filled behind its own operation.
        let list = words.list(&at)?;
        list.call(&at, RECOMPILE, self.services)?;
        let results = results.iter().zip(places).map(|(ty, place)| match TensorType::<i64>::of(*ty) {
            Some(tensor) => {
                let (rank, ty) = (tensor.rank(), open(self.context, *ty)?);
                let bytes = tensor.shape.iter().map(|size| if *size == DYNAMIC { 0 } else { *size });
                let element = bytes_of(&ty)?;
                let bytes = at.index(bytes.product::<i64>() * element)?;
                let row = self.services.memory(&at, RECOMPILED, &[list.address(&at, place)?, bytes])?;
                let elements = identity(self.context, &[DYNAMIC], tensor.dtype);
                let row = at.op("kernel.reinterpret", &[row], elements)?;
                let read = |number: usize| list.read(&at, place + number);
                descriptor::seen(&at, row, ty, || read(3), |d| read(4 + d), |d| read(4 + rank + d))
            }
            None => {
                let words = (0..parts(*ty)).map(|part| list.read(&at, place + part));
                from_words(&at, &words.collect::<Result<Vec<_>, _>>()?, *ty)
            }
        });
        let results = results.collect::<Result<Vec<V>, Failure>>()?;
        at.build("func.return", &results, &[], &[], vec![]).map(drop)
    }
}

fn bytes_of(memref: &Type) -> Result<i64, Failure> {
    Ok(bytes(Shaped::expect(*memref)?.element).ok_or("has elements that are no numbers")?)
}

/// The words that a number takes.
fn parts(ty: Type) -> usize {
    if part(ty).is_some() { 2 } else { 1 }
}

/// A number as words: an integer with its sign, a float as the bits of an f64, a complex number as its parts.
fn number<'c: 'a, 'a>(at: &Cursor<'c, 'a>, value: V<'c, 'a>) -> Result<Vec<V<'c, 'a>>, Failure> {
    let ty = value.r#type();
    if let Some(part) = part(ty) {
        let parts = ["complex.re", "complex.im"].map(|name| number(at, at.op(name, &[value], part)?));
        return Ok(parts.into_iter().collect::<Result<Vec<_>, _>>()?.concat());
    }
    let word: Type = IntegerType::new(at.context, 64).into();
    let wide = if is_float(ty) {
        let double = Type::float64(at.context);
        let value = if ty == double { value } else { at.op("arith.extf", &[value], double)? };
        at.op("arith.bitcast", &[value], word)?
    } else if ty.is_index() {
        return Ok(vec![value]);
    } else {
        match bits(ty) {
            Some(64) => value,
            // A truth is 1.
            Some(1) => at.op("arith.extui", &[value], word)?,
            _ => at.op("arith.extsi", &[value], word)?,
        }
    };
    Ok(vec![at.op("arith.index_cast", &[wide], at.index_type())?])
}

/// What [`number`] makes words of.
fn from_words<'c: 'a, 'a>(
    at: &Cursor<'c, 'a>,
    words: &[V<'c, 'a>],
    ty: Type<'c>,
) -> Result<V<'c, 'a>, Failure> {
    if let Some(part) = part(ty) {
        let parts = [0, 1].map(|i| from_words(at, &words[i..=i], part));
        let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
        return at.op("complex.create", &parts, ty);
    }
    if ty.is_index() {
        return Ok(words[0]);
    }
    let word = at.op("arith.index_cast", &[words[0]], IntegerType::new(at.context, 64).into())?;
    if is_float(ty) {
        let double = Type::float64(at.context);
        let value = at.op("arith.bitcast", &[word], double)?;
        return if ty == double { Ok(value) } else { at.op("arith.truncf", &[value], ty) };
    }
    if bits(ty) == Some(64) { Ok(word) } else { at.op("arith.trunci", &[word], ty) }
}
