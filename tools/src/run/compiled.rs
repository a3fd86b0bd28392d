//! Compiled programs: loaded into the process, called with tensors.

use super::recompile::Recompiler;
use std::time::{Duration, Instant};
use terrace_rt::objects::{self, terrace_rt_told_flags, terrace_rt_told_object};
use terrace_session::{Arg, Code, Cpu, Error, GpuProgram, MemRef, Session, resizing};
use terrace_tensor::{DType, Flags, Tensor, Value};

/// What a result is beside its buffer: facts that the lowering leaves on the function.
#[derive(Clone, Debug, Default)]
pub struct ResultFacts {
    /// The dtype of the tensor, where the buffer's is another: a bool is an i8 in memory.
    pub dtype: Option<DType>,
    /// Whether its elements are the conjugates, the negatives, of those in the buffer.
    pub flags: Flags,
    /// The program tells whether they are.
    pub told_flags: bool,
    /// It is the very value that it names.
    pub same_as: Option<Same>,
    /// The program tells which tensor it is.
    pub told: bool,
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
    Here(Session, Recompiler),
    Gpu(GpuProgram),
}

impl Program {
    fn run(&self, name: &str, args: &[Value]) -> Result<Vec<Value>, Error> {
        match self {
            Program::Here(session, recompiler) => recompiler.lend(|| session.run(name, args)),
            Program::Gpu(program) => program.run(name, args),
        }
    }

    /// What results are that only the last call knew.
    fn facts(&self) -> Option<Vec<ResultFacts>> {
        match self {
            Program::Here(_, recompiler) => recompiler.take_facts(),
            Program::Gpu(_) => None,
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
    /// Loads code into the process that was generated for this CPU.
    ///
    /// # Errors
    /// What the linker says.
    pub fn load(code: &Code, cpu: &Cpu, name: &str, facts: Vec<ResultFacts>) -> Result<Self, String> {
        let session = Session::load(code).map_err(|e| e.to_string())?;
        Ok(Self { program: Program::Here(session, Recompiler::new(cpu)), name: name.into(), facts })
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
        let all = self.program.facts().unwrap_or_else(|| self.facts.clone());
        let mut values: Vec<Value> = vec![];
        for (i, output) in outputs.into_iter().enumerate() {
            let facts = all.get(i).cloned().unwrap_or_default();
            let value = |same: &Same| match *same {
                Same::Argument(k) => args[k].clone(),
                Same::Result(k) => values[k].clone(),
            };
            let told = facts.told.then(|| told(i as i64, &all[..i])).flatten();
            values.push(match (facts.same_as.or(told), output, facts.dtype) {
                (Some(same), _, _) => value(&same),
                (None, Value::Tensor(t), Some(dtype)) => {
                    let told = terrace_rt_told_flags(i as i64);
                    let told = Flags { conj: told & 1 != 0, neg: told & 2 != 0 };
                    let flags = if facts.told_flags { told } else { facts.flags };
                    Value::Tensor(with_dtype(&t, dtype)?.with_flags(flags))
                }
                (None, output, _) => output,
            });
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
        let (session, recompiler) = match &self.program {
            Program::Here(session, recompiler) => (session, recompiler),
            Program::Gpu(program) => {
                return program.time(&self.name, &bytes, count).map_err(|e| e.to_string());
            }
        };
        let one = |_| {
            // A storage may lie elsewhere after each call.
            let arguments: Vec<Arg> = bytes.iter().map(argument).collect();
            let timed = || {
                let started = Instant::now();
                let outputs = recompiler.lend(|| session.call(&self.name, &arguments))?;
                let time = started.elapsed();
                drop(outputs);
                Ok(time)
            };
            resizing(&bytes, timed).map_err(|e| e.to_string())
        };
        (0..count).map(one).collect()
    }
}

/// What the call before has told of a result: the argument that it is, or one of the earlier results.
fn told(result: i64, earlier: &[ResultFacts]) -> Option<Same> {
    let object = terrace_rt_told_object(result);
    let is = |k: &usize| earlier[*k].told && terrace_rt_told_object(*k as i64) == object;
    objects::argument(object).map(Same::Argument).or_else(|| (0..earlier.len()).find(is).map(Same::Result))
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
