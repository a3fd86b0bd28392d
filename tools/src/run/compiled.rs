//! Compiled programs: loaded into the process, called with tensors.

use std::time::{Duration, Instant};
use terrace_session::{Arg, Code, Error, GpuProgram, MemRef, Session};
use terrace_tensor::{DType, Flags, Tensor, Value};

/// What a result is beside its buffer: facts that the lowering leaves on the function.
#[derive(Clone, Debug, Default)]
pub struct ResultFacts {
    /// The dtype of the tensor, where the buffer's is another: a bool is an i8 in memory.
    pub dtype: Option<DType>,
    /// Whether its elements are the conjugates, the negatives, of those in the buffer.
    pub flags: Flags,
    /// It is the very value that it names.
    pub same_as: Option<Same>,
    /// It is the first of these that lies where it does, if one does.
    pub same_as_one_of: Vec<Same>,
}

/// The value that a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// Argument i.
    Argument(usize),
    /// Result i, an earlier one.
    Result(usize),
}

/// What runs it.
enum Program {
    Here(Session),
    Gpu(GpuProgram),
}

impl Program {
    fn run(&self, name: &str, args: &[Value]) -> Result<Vec<Value>, Error> {
        match self {
            Program::Here(session) => session.run(name, args),
            Program::Gpu(program) => program.run(name, args),
        }
    }
}

/// An entry point that can be called.
pub struct Compiled {
    program: Program,
    name: String,
    facts: Vec<ResultFacts>,
}

impl Compiled {
    /// Loads generated code into the process.
    ///
    /// # Errors
    /// What the linker says.
    pub fn load(code: &Code, name: &str, facts: Vec<ResultFacts>) -> Result<Self, String> {
        let session = Session::load(code).map_err(|e| e.to_string())?;
        Ok(Self { program: Program::Here(session), name: name.into(), facts })
    }

    /// An entry point of a program with its kernels on a device.
    pub fn on_device(program: GpuProgram, name: &str, facts: Vec<ResultFacts>) -> Self {
        Self { program: Program::Gpu(program), name: name.into(), facts }
    }

    /// Calls the entry point; tensors among the arguments are written in place.
    ///
    /// # Errors
    /// An argument does not fit, or the program reported an error.
    pub fn call(&self, args: &[Value]) -> Result<Vec<Value>, String> {
        let bytes: Vec<Value> = args.iter().map(in_memory).collect::<Result<_, _>>()?;
        let outputs = self.program.run(&self.name, &bytes).map_err(|e| e.to_string())?;
        let mut values: Vec<Value> = vec![];
        for (i, output) in outputs.into_iter().enumerate() {
            let facts = self.facts.get(i).cloned().unwrap_or_default();
            let value = |same: &Same| match *same {
                Same::Argument(k) => args[k].clone(),
                Same::Result(k) => values[k].clone(),
            };
            let made = match (&facts.same_as, output, facts.dtype) {
                (Some(same), _, _) => value(same),
                (None, Value::Tensor(t), Some(dtype)) => {
                    Value::Tensor(with_dtype(&t, dtype)?.with_flags(facts.flags))
                }
                (None, output, _) => output,
            };
            let known = facts.same_as_one_of.iter().map(value).find(|known| lie_alike(known, &made));
            values.push(known.unwrap_or(made));
        }
        Ok(values)
    }

    /// Calls the entry point so many times and says how long each took, on a device by its own clock and without the way
    /// there and back; results are dropped.
    ///
    /// # Errors
    /// As [`Compiled::call`].
    pub fn time(&self, args: &[Value], count: usize) -> Result<Vec<Duration>, String> {
        let bytes: Vec<Value> = args.iter().map(in_memory).collect::<Result<_, _>>()?;
        let session = match &self.program {
            Program::Here(session) => session,
            Program::Gpu(program) => {
                return program.time(&self.name, &bytes, count).map_err(|e| e.to_string());
            }
        };
        let arguments: Vec<Arg> = bytes.iter().map(argument).collect();
        let one = |_| {
            let started = Instant::now();
            let outputs = session.call(&self.name, &arguments).map_err(|e| e.to_string())?;
            let time = started.elapsed();
            drop(outputs);
            Ok(time)
        };
        (0..count).map(one).collect()
    }
}

/// Whether two tensors are the same elements of one storage. Compiled code does not keep the strides of dimensions of one index.
fn lie_alike(a: &Value, b: &Value) -> bool {
    let strides = |t: &Tensor| -> Vec<i64> {
        let dims = t.sizes().iter().zip(t.strides());
        dims.map(|(size, stride)| if *size > 1 { *stride } else { 0 }).collect()
    };
    let place = |t: &Tensor| (t.dtype(), t.sizes().to_vec(), strides(t), t.offset());
    let tensors = a.as_tensor().zip(b.as_tensor());
    tensors.is_some_and(|(a, b)| a.storage().is_same(b.storage()) && place(a) == place(b))
}

/// A tensor over the same storage with elements of another dtype of the same size.
fn with_dtype(t: &Tensor, dtype: DType) -> Result<Tensor, String> {
    let storage = t.storage().clone();
    Tensor::new(storage, dtype, t.sizes().to_vec(), t.strides().to_vec(), t.offset())
        .map_err(|e| e.to_string())
}

/// A value as compiled code takes it: a bool is a byte.
fn in_memory(value: &Value) -> Result<Value, String> {
    match value {
        Value::Tensor(t) if t.dtype() == DType::Bool => with_dtype(t, DType::I8).map(Value::Tensor),
        other => Ok(other.clone()),
    }
}

fn argument(value: &Value) -> Arg<'_> {
    match value {
        Value::Scalar(s) => Arg::Scalar(*s),
        // SAFETY: the tensor was checked against its storage when it was made, and lives as long as the argument.
        Value::Tensor(t) => Arg::MemRef(unsafe {
            let base = t.storage().as_ptr();
            MemRef::from_raw(t.dtype(), base, t.offset(), t.sizes().to_vec(), t.strides().to_vec())
        }),
    }
}
