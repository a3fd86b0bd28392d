//! Inputs of a function, as it declares them: numbers that look random, on storages that arguments share in
//! some way.

use crate::random::Random;
use melior::ir::Type;
use terrace_dialects::ir::{
    arguments::{self, Declared, Layout},
    types::TensorType,
};
use terrace_session::entry::Entry;
use terrace_size::DYNAMIC;
use terrace_tensor::{
    Dtype, Scalar, Storage, Tensor, Value,
    io::{Inputs, NamedStorage},
};

/// Arguments that may share storages are put together in every way up to so many of them, and in pairs
/// beyond.
const TOGETHER: usize = 4;

/// Which arguments share a storage: for each argument its number; numbers have one of their own that nobody
/// looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Vec<usize>);

fn declared(entry: Entry, argument: usize) -> Result<Declared, String> {
    arguments::declared(entry.operation(), argument)
}

fn tensor_type<'c>(entry: Entry<'c, '_>, argument: usize) -> Option<TensorType<'c>> {
    let ty = entry.function_type().input(argument).ok()?;
    TensorType::of(ty)
}

impl Pattern {
    /// Every way in which the arguments of a function may share storages, none of them first.
    ///
    /// # Errors
    /// What is wrong with its declarations.
    pub fn all(entry: Entry) -> Result<Vec<Pattern>, String> {
        let count = entry.function_type().input_count();
        // Arguments of one name are one thing; a thing with a name shares nothing with another one that has
        // one.
        let (mut things, mut of): (Vec<Option<String>>, Vec<usize>) = (vec![], vec![]);
        let mut shares = vec![];
        for argument in 0..count {
            let name = declared(entry, argument)?.storage;
            let known = things.iter().position(|thing| thing.is_some() && *thing == name);
            of.push(known.unwrap_or(things.len()));
            if known.is_none() {
                things.push(name);
                shares.push(tensor_type(entry, argument).is_some_and(|ty| ty.graph));
            }
        }
        let free: Vec<usize> = (0..things.len()).filter(|thing| shares[*thing]).collect();
        let apart: Vec<usize> = (0..things.len()).collect();
        let mut ways = vec![apart.clone()];
        let may = |way: &[usize], a: usize, b: usize| {
            things[a].is_none()
                || (0..things.len()).all(|other| way[other] != way[b] || things[other].is_none())
        };
        if free.len() <= TOGETHER {
            for (at, thing) in free.iter().enumerate() {
                for way in ways.clone() {
                    for other in &free[..at] {
                        let mut joined = way.clone();
                        joined[*thing] = way[*other];
                        if may(&way, *thing, *other) && !ways.contains(&joined) {
                            ways.push(joined);
                        }
                    }
                }
            }
        } else {
            for (at, thing) in free.iter().enumerate() {
                for other in free[..at].iter().filter(|other| may(&apart, *thing, **other)) {
                    let mut joined = apart.clone();
                    joined[*thing] = *other;
                    ways.push(joined);
                }
            }
        }
        Ok(ways.into_iter().map(|way| Pattern(of.iter().map(|thing| way[*thing]).collect())).collect())
    }
}

/// An argument.
#[derive(Clone, Debug)]
enum Argument {
    Number(Scalar),
    Tensor {
        storage: usize,
        dtype: Dtype,
        sizes: Vec<i64>,
        strides: Vec<i64>,
        offset: i64,
    },
    /// The same tensor as an earlier argument.
    Same(usize),
}

/// Inputs that were drawn.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The elements of each storage, of the dtype of the first argument on it.
    storages: Vec<(Dtype, Vec<Scalar>)>,
    arguments: Vec<Argument>,
}

fn number(dtype: Dtype, random: &mut Random) -> Scalar {
    let quarter = |random: &mut Random| random.between(-8, 8) as f64 / 4.0;
    match dtype {
        Dtype::Bool => Scalar::Bool(random.percent(50)),
        dtype if dtype.is_complex() => {
            let (re, im) = (quarter(random), quarter(random));
            Scalar::Complex(re, im)
        }
        dtype if dtype.is_float() => Scalar::Float(quarter(random)),
        _ => Scalar::Int(random.between(0, 2)),
    }
}

/// Sizes, strides and offset that an argument may have.
fn layout(ty: &TensorType, declared: &Layout, random: &mut Random) -> (Vec<i64>, Vec<i64>, i64) {
    let sizes: Vec<i64> =
        ty.shape.iter().map(|size| if *size == DYNAMIC { random.between(1, 4) } else { *size }).collect();
    let packed = terrace_tensor::layout::contiguous_strides(&sizes);
    match declared {
        Layout::Contiguous => (sizes, packed, 0),
        Layout::Strided { strides, offset } => {
            let step = random.between(1, 2);
            let known = |(own, packed): (&i64, &i64)| if *own == DYNAMIC { packed * step } else { *own };
            let strides = strides.iter().zip(&packed).map(known).collect();
            let offset = if *offset == DYNAMIC { random.between(0, 2) } else { *offset };
            (sizes, strides, offset)
        }
        Layout::Any => {
            let offset = random.between(0, 2);
            let mut strides = packed;
            match random.between(0, 2) {
                0 => {}
                1 => strides.iter_mut().for_each(|stride| *stride *= 2),
                _ => {
                    // Column-major.
                    let reversed: Vec<i64> = sizes.iter().rev().copied().collect();
                    strides =
                        terrace_tensor::layout::contiguous_strides(&reversed).into_iter().rev().collect();
                }
            }
            (sizes, strides, offset)
        }
    }
}

impl Draw {
    /// Inputs whose arguments share storages in a way.
    ///
    /// # Errors
    /// An argument of a type that the interpreter has no values for.
    pub fn new(entry: Entry, pattern: &Pattern, random: &mut Random) -> Result<Draw, String> {
        let mut arguments: Vec<Argument> = vec![];
        // For each storage that the pattern names the bytes that are needed, and the first dtype.
        let mut needed: Vec<(usize, usize, Dtype)> = vec![];
        let signature = entry.function_type();
        for argument in 0..signature.input_count() {
            let ty: Type = signature.input(argument).map_err(|e| e.to_string())?;
            let Some(own) = TensorType::of(ty) else {
                let kind = terrace_interpreter::dtype_of(ty).ok_or_else(|| {
                    format!("argument {argument} is of type {ty}, of which there are no values to draw")
                })?;
                let value =
                    if kind == Dtype::I64 { Scalar::Int(random.between(0, 3)) } else { number(kind, random) };
                arguments.push(Argument::Number(value));
                continue;
            };
            let dtype = own.dtype;
            let declared = if own.graph { declared(entry, argument)?.layout } else { Layout::Contiguous };
            let (sizes, strides, offset) = layout(&own, &declared, random);
            let end = if sizes.contains(&0) {
                0
            } else {
                offset + 1 + sizes.iter().zip(&strides).map(|(size, stride)| (size - 1) * stride).sum::<i64>()
            };
            let bytes = end as usize * dtype.bytes();
            let name = pattern.0[argument];
            let storage = match needed.iter().position(|(own, _, _)| *own == name) {
                Some(known) => {
                    needed[known].1 = needed[known].1.max(bytes);
                    known
                }
                None => {
                    needed.push((name, bytes, dtype));
                    needed.len() - 1
                }
            };
            let new = Argument::Tensor { storage, dtype, sizes, strides, offset };
            let same = arguments.iter().position(|other| format!("{other:?}") == format!("{new:?}"));
            arguments.push(match same.filter(|_| random.percent(50)) {
                Some(same) => Argument::Same(same),
                None => new,
            });
        }
        let fill = |(_, bytes, dtype): (usize, usize, Dtype)| {
            let count = bytes.div_ceil(dtype.bytes()) + 1;
            (dtype, (0..count).map(|_| number(dtype, random)).collect())
        };
        Ok(Draw { storages: needed.into_iter().map(fill).collect(), arguments })
    }

    /// The inputs, on storages of their own.
    ///
    /// # Panics
    /// Never: storages were drawn to hold their arguments.
    pub fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::default();
        for (number, (dtype, elements)) in self.storages.iter().enumerate() {
            // Room for what counts in larger elements.
            let bytes = (elements.len() * dtype.bytes()).next_multiple_of(16);
            let storage = Storage::zeroed(bytes).expect("inputs are small");
            for (at, element) in elements.iter().enumerate() {
                storage.write(*dtype, at * dtype.bytes(), *element);
            }
            inputs.storages.push(NamedStorage { name: format!("s{number}"), dtype: *dtype, storage });
        }
        for argument in &self.arguments {
            let value: Value = match argument {
                Argument::Number(value) => (*value).into(),
                Argument::Same(other) => inputs.args[*other].clone(),
                Argument::Tensor { storage, dtype, sizes, strides, offset } => {
                    let storage = inputs.storages[*storage].storage.clone();
                    Tensor::new(storage, *dtype, sizes.clone(), strides.clone(), *offset)
                        .expect("an argument fits its storage")
                        .into()
                }
            };
            inputs.args.push(value);
        }
        inputs
    }

    /// Inputs that still differ, with as many plain numbers as possible.
    pub fn plainer(mut self, differs: impl Fn(&Draw) -> bool) -> Draw {
        let zero = |dtype: Dtype| Scalar::Int(0).cast(dtype);
        for storage in 0..self.storages.len() {
            for plain in [0, 1] {
                let mut other = self.clone();
                let (dtype, elements) = &mut other.storages[storage];
                elements.iter_mut().for_each(|element| *element = Scalar::Int(plain).cast(*dtype));
                if differs(&other) {
                    self = other;
                    break;
                }
            }
            for at in 0..self.storages[storage].1.len() {
                let mut other = self.clone();
                other.storages[storage].1[at] = zero(self.storages[storage].0);
                if differs(&other) {
                    self = other;
                }
            }
        }
        for at in 0..self.arguments.len() {
            if let Argument::Number(value) = self.arguments[at] {
                let mut other = self.clone();
                other.arguments[at] = Argument::Number(match value {
                    Scalar::Bool(_) => Scalar::Bool(false),
                    Scalar::Int(_) => Scalar::Int(0),
                    _ => Scalar::Float(0.0),
                });
                if differs(&other) {
                    self = other;
                }
            }
        }
        self
    }
}
