//! A function that was compiled for the calls of one pattern.

use crate::{
    Error, Session,
    lower::{Compiled, Machine},
    signature::{Argument, Pattern},
};
use std::time::{Duration, Instant};
use terrace_dialects::ir::refusal::INTERNAL;
use terrace_native::{Arg, Context as CallContext, MemRef, Offset, resizing};
use terrace_tensor::{Dtype, Flags, Scalar, Tensor, Value};

/// What a result is beside its buffer: facts that the lowering leaves on the function.
#[derive(Clone, Debug, Default)]
pub struct ReturnedMetadata {
    /// The dtype of the tensor, where the buffer's is another: a bool is an i8 in memory.
    pub dtype: Option<Dtype>,
    /// Whether its elements are the conjugates, the negatives, of those in the buffer.
    pub flags: Flags,
    /// It is the very value that it names.
    pub same_as: Option<Same>,
    /// It is no result of the program, but the number of the tensor that this result is: an argument's is its
    /// own, and results of one number are one tensor.
    pub object_of: Option<usize>,
}

/// The value that a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// Argument i.
    Argument(usize),
    /// Result i, an earlier one.
    Result(usize),
}

/// Code of one function, for the calls of one pattern.
pub struct Variant {
    compiled: Compiled,
    entry: String,
    pattern: Pattern,
    /// Of each argument: what is alone on its storage is given from its elements on.
    offsets: Vec<Offset>,
    threads: usize,
    compile_time: Duration,
}

impl Variant {
    pub(crate) fn new(
        compiled: Compiled,
        entry: &str,
        pattern: Pattern,
        (threads, compile_time): (usize, Duration),
    ) -> Self {
        let offsets = offsets(&pattern);
        Self { compiled, entry: entry.into(), pattern, offsets, threads, compile_time }
    }

    /// What calls it is for.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// How long it took to compile.
    pub fn compile_time(&self) -> Duration {
        self.compile_time
    }

    /// How many bytes of code it has.
    pub fn code_bytes(&self) -> usize {
        match &self.compiled.machine {
            Machine::Here(loaded) => loaded.bytes(),
            Machine::Gpu(_) => 0,
        }
    }

    /// Calls it; tensors among the arguments are written in place. The arguments are of its pattern.
    ///
    /// # Errors
    /// The program reported an error.
    pub(crate) fn call(&self, session: &Session, arguments: &[Value]) -> Result<Vec<Value>, Error> {
        let mut generator = self.compiled.asks.generator.then(|| session.generator());
        let mut context = CallContext::new();
        context.set_threads(self.threads);
        if let Some(state) = &generator {
            context.set_generator(**state);
        }
        let outputs = match &self.compiled.machine {
            Machine::Here(loaded) => {
                let run = || loaded.run(&context, &self.entry, arguments, &self.offsets);
                if self.compiled.asks.storages { resizing(&context, arguments, run) } else { run() }
            }
            Machine::Gpu(program) => {
                let program = program.get().ok_or_else(elsewhere)?;
                program.run(&mut context, &self.entry, arguments, &self.offsets)
            }
        };
        if let Some(state) = &mut generator {
            **state = context.generator();
        }
        drop(generator);
        let outputs = outputs?;
        let metadata = &self.compiled.metadata;
        // Numbers of tensors, where the program knows only then which a result is.
        let is_object = metadata.iter().any(|metadata| metadata.object_of.is_some());
        let mut objects = vec![None; if is_object { outputs.len() } else { 0 }];
        for (metadata, output) in metadata.iter().zip(&outputs) {
            if let (Some(result), Value::Scalar(Scalar::Int(number))) = (metadata.object_of, output) {
                objects[result] = Some(*number);
            }
        }
        let mut values: Vec<Value> = Vec::with_capacity(outputs.len());
        for (i, output) in outputs.into_iter().enumerate() {
            let metadata = metadata.get(i).cloned().unwrap_or_default();
            if metadata.object_of.is_some() {
                continue;
            }
            let number = objects.get(i).copied().flatten();
            let argument = number.and_then(|number| arguments.get(usize::try_from(number).ok()?)).cloned();
            let earlier = || number.and_then(|_| objects[..i].iter().position(|other| *other == number));
            let value = match (metadata.same_as, output, metadata.dtype) {
                (Some(Same::Argument(k)), ..) => arguments[k].clone(),
                (Some(Same::Result(k)), ..) => values[k].clone(),
                (None, Value::Tensor(tensor), Some(dtype)) => match argument {
                    Some(argument) => argument,
                    None => match earlier() {
                        Some(k) => values[k].clone(),
                        None => Value::Tensor(with_dtype(tensor, dtype)?.with_flags(metadata.flags)),
                    },
                },
                (None, output, _) => output,
            };
            values.push(value);
        }
        Ok(values)
    }

    /// Calls it so many times and says how long each took, on a device by its own clock and without the way
    /// there and back; results are dropped.
    ///
    /// # Errors
    /// As [`Variant::call`].
    pub fn time(&self, arguments: &[Value], count: usize) -> Result<Vec<Duration>, Error> {
        let loaded = match &self.compiled.machine {
            Machine::Here(loaded) => loaded,
            Machine::Gpu(program) => {
                let program = program.get().ok_or_else(elsewhere)?;
                return Ok(program.time(
                    &mut CallContext::new(),
                    &self.entry,
                    arguments,
                    &self.offsets,
                    count,
                )?);
            }
        };
        let context = CallContext::new();
        context.set_threads(self.threads);
        let one = |_| {
            // A storage may lie elsewhere after each call.
            let given: Vec<Arg> = arguments.iter().zip(&self.offsets).map(argument).collect();
            let timed = || {
                let started = Instant::now();
                let outputs = loaded.call(&context, &self.entry, &given)?;
                let time = started.elapsed();
                drop(outputs);
                Ok(time)
            };
            Ok(resizing(&context, arguments, timed)?)
        };
        (0..count).map(one).collect()
    }
}

/// Of each argument of a pattern how its offset reaches the code.
pub(crate) fn offsets(pattern: &Pattern) -> Vec<Offset> {
    let offset = |argument: &Argument| match argument {
        Argument::Tensor { offset: None, .. } => Offset::Rebased,
        _ => Offset::Passed,
    };
    pattern.signature_of.0.iter().map(offset).collect()
}

/// What a call by another thread than that of a device is.
fn elsewhere() -> Error {
    Error::Device("a program whose kernels run on a device is called by the thread that compiled it".into())
}

/// A tensor over the same storage with elements of another dtype of the same size.
fn with_dtype(t: Tensor, dtype: Dtype) -> Result<Tensor, Error> {
    if t.dtype() == dtype {
        return Ok(t);
    }
    let storage = t.storage().clone();
    Tensor::new(storage, dtype, t.sizes().to_vec(), t.strides().to_vec(), t.offset())
        .map_err(|e| Error::Bug(format!("{INTERNAL}: {e}; please report it")))
}

fn argument<'v>((value, offset): (&'v Value, &Offset)) -> Arg<'v> {
    match value {
        Value::Scalar(s) => Arg::Scalar(*s),
        // SAFETY: the tensor was checked against its storage when it was made, and lives as long as the
        // argument.
        Value::Tensor(t) => Arg::MemRef(unsafe {
            let base = t.storage().as_ptr();
            let memref = MemRef::from_raw(t.dtype(), base, t.offset(), t.sizes(), t.strides());
            if *offset == Offset::Rebased { memref.rebased() } else { memref }
        }),
    }
}
