//! Sessions and programs as C sees them. A program keeps its session alive, so they are destroyed in any
//! order.

use crate::{
    error::{Failure, TerraceError, answer},
    tensor::{TerraceTensor, list},
};
use melior::{ContextRef, ir::Module};
use mlir_sys::{
    MlirContext, MlirModule, MlirStringRef, mlirContextAppendDialectRegistry, mlirModuleFromOperation,
    mlirModuleGetOperation, mlirOperationClone,
};
use std::sync::Arc;
use terrace_dialects::{bridge::register_dialects, copies, register_upstream};
use terrace_lowering::pipeline;
use terrace_native::Cpu;
use terrace_session::{Fallback, Options, Program, Session, entry::Entry};
use terrace_tensor::{Scalar, Tensor, Value};

/// A session, and the context that it borrows: dropped in this order.
pub struct Own {
    session: Session<'static, 'static>,
    _context: Box<ContextRef<'static>>,
}

// SAFETY: the session asks MLIR under its own lock alone, and the box is only kept.
unsafe impl Send for Own {}
// SAFETY: as above.
unsafe impl Sync for Own {}

/// `TerraceSession`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TerraceSession(*const Own);

/// A program, and the session that it borrows: dropped in this order.
pub struct Held {
    program: Program<'static, 'static>,
    _session: Arc<Own>,
}

/// `TerraceProgram`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TerraceProgram(*mut Held);

impl TerraceProgram {
    /// # Safety
    /// The handle is live, or null.
    unsafe fn get<'a>(self) -> Result<&'a Program<'static, 'static>, Failure> {
        // SAFETY: as the caller promises.
        let held = unsafe { self.0.as_ref() }.ok_or_else(|| Failure::argument("the program is null"))?;
        Ok(&held.program)
    }
}

/// `TerraceSessionOptions`.
#[repr(C)]
pub struct TerraceSessionOptions {
    cpu: MlirStringRef,
    threads: isize,
    refuse: bool,
    without: MlirStringRef,
}

/// `TerraceValue`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TerraceValue {
    kind: u32,
    tensor: TerraceTensor,
    integer: i64,
    real: f64,
    imaginary: f64,
}

/// The numbers of `TerraceValueKind`.
const TENSOR: u32 = 0;
const BOOL: u32 = 1;
const INT: u32 = 2;
const FLOAT: u32 = 3;
const COMPLEX: u32 = 4;

impl TerraceValue {
    /// # Safety
    /// The tensor is live, or null.
    unsafe fn get(&self) -> Result<Value, Failure> {
        Ok(match self.kind {
            // SAFETY: as the caller promises.
            TENSOR => Value::Tensor(unsafe { self.tensor.get() }?.clone()),
            BOOL => Value::Scalar(Scalar::Bool(self.integer != 0)),
            INT => Value::Scalar(Scalar::Int(self.integer)),
            FLOAT => Value::Scalar(Scalar::Float(self.real)),
            COMPLEX => Value::Scalar(Scalar::Complex(self.real, self.imaginary)),
            other => return Err(Failure::argument(format!("{other} is none of TerraceValueKind"))),
        })
    }
}

impl From<Value> for TerraceValue {
    fn from(value: Value) -> Self {
        let none =
            TerraceValue { kind: TENSOR, tensor: TerraceTensor::NULL, integer: 0, real: 0.0, imaginary: 0.0 };
        match value {
            Value::Tensor(tensor) => TerraceValue { tensor: TerraceTensor::new(tensor), ..none },
            Value::Scalar(Scalar::Bool(integer)) => {
                TerraceValue { kind: BOOL, integer: integer.into(), ..none }
            }
            Value::Scalar(Scalar::Int(integer)) => TerraceValue { kind: INT, integer, ..none },
            Value::Scalar(Scalar::Float(real)) => TerraceValue { kind: FLOAT, real, ..none },
            Value::Scalar(Scalar::Complex(real, imaginary)) => {
                TerraceValue { kind: COMPLEX, real, imaginary, ..none }
            }
        }
    }
}

/// The words of a text of C's; none where it has no address.
///
/// # Safety
/// There are so many bytes at the address.
unsafe fn words<'a>(text: MlirStringRef, what: &str) -> Result<&'a str, Failure> {
    // SAFETY: as the caller promises.
    let bytes = unsafe { list(text.data.cast::<u8>(), text.length as isize, what) }?;
    std::str::from_utf8(bytes).map_err(|_| Failure::argument(format!("{what} are no UTF-8")))
}

/// # Safety
/// The texts are there.
unsafe fn options(given: &TerraceSessionOptions) -> Result<Options<'static>, Failure> {
    // SAFETY: as the caller promises.
    let (cpu, without) =
        unsafe { (words(given.cpu, "letters of a cpu")?, words(given.without, "letters of passes")?) };
    let cpu: Cpu = match cpu {
        "" => Cpu::host(),
        name => name.parse().map_err(|why| Failure::argument(format!("cpu: {why}")))?,
    };
    cpu.runs_here().map_err(|why| Failure::argument(format!("cpu: {why}")))?;
    let without: Vec<String> =
        without.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    if let Some(other) = without.iter().find(|name| !pipeline::OPTIMIZATIONS.contains(&name.as_str())) {
        let known = pipeline::OPTIMIZATIONS.join(", ");
        return Err(Failure::argument(format!("without: `{other}` is no optimization; these are: {known}")));
    }
    let threads = usize::try_from(given.threads);
    let threads = threads.map_err(|_| Failure::argument(format!("{} threads", given.threads)))?;
    let fallback = if given.refuse { Fallback::Never } else { Fallback::Reference };
    Ok(Options { cpu, without, threads, fallback, ..Options::default() })
}

/// A session in a context.
///
/// # Safety
/// The context outlives the session, no other thread is at work in it, the texts are there, the output can be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceSessionCreate(
    context: MlirContext,
    given: TerraceSessionOptions,
    session: *mut TerraceSession,
) -> TerraceError {
    answer(|| {
        // SAFETY: as the caller promises.
        unsafe {
            copies::check().and_then(|()| copies::check_context(context)).map_err(Failure::argument)?;
            let options = options(&given)?;
            pipeline::register();
            let registry = melior::dialect::DialectRegistry::new();
            register_upstream(&registry);
            register_dialects(registry.to_raw());
            mlirContextAppendDialectRegistry(context, registry.to_raw());
            // The session's reference is one to what is in the box.
            let context = Box::new(ContextRef::from_raw(context));
            let own = Own { session: Session::new(context.to_ref(), options), _context: context };
            session.write(TerraceSession(Arc::into_raw(Arc::new(own))));
        }
        Ok(())
    })
}

/// Starts the generator anew.
///
/// # Safety
/// The handle is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceSessionSeed(session: TerraceSession, seed: u64) {
    // SAFETY: as the caller promises.
    unsafe { (*session.0).session.manual_seed(seed) }
}

/// Destroys a handle.
///
/// # Safety
/// The handle is live, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceSessionDestroy(session: TerraceSession) {
    if !session.0.is_null() {
        // SAFETY: as the caller promises, and it is an `Arc` of `terraceSessionCreate`.
        drop(unsafe { Arc::from_raw(session.0) });
    }
}

/// A program of a module.
///
/// # Safety
/// The session and the module are live, the module is of the session's context, the output can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceProgramCreate(
    session: TerraceSession,
    module: MlirModule,
    program: *mut TerraceProgram,
) -> TerraceError {
    answer(|| {
        if session.0.is_null() || module.ptr.is_null() {
            return Err(Failure::argument("the session or the module is null"));
        }
        // SAFETY: as the caller promises. The session lives as long as the program beside it.
        unsafe {
            Arc::increment_strong_count(session.0);
            let own = Arc::from_raw(session.0);
            let copy = mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(module)));
            let made = (*session.0).session.program(Module::from_raw(copy));
            program.write(TerraceProgram(Box::into_raw(Box::new(Held { program: made, _session: own }))));
        }
        Ok(())
    })
}

/// How many results a function has.
///
/// # Safety
/// The handle is live, the text is there, the output can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceProgramGetNumResults(
    program: TerraceProgram,
    function: MlirStringRef,
    count: *mut isize,
) -> TerraceError {
    answer(|| {
        // SAFETY: as the caller promises.
        unsafe {
            let name = words(function, "letters of a function")?;
            let found = Entry::find(program.get()?.module(), Some(name)).map_err(Failure::argument)?;
            count.write(found.function_type().result_count() as isize);
        }
        Ok(())
    })
}

/// A call, as C writes it: the program, the function and the arguments.
///
/// # Safety
/// The handles are live, the text and the arguments are there.
unsafe fn call<'a>(
    program: TerraceProgram,
    function: MlirStringRef,
    count: isize,
    arguments: *const TerraceValue,
) -> Result<(&'a Program<'static, 'static>, &'a str, Vec<Value>), Failure> {
    // SAFETY: as the caller promises.
    unsafe {
        let arguments = list(arguments, count, "arguments")?.iter().map(|value| value.get());
        Ok((program.get()?, words(function, "letters of a function")?, arguments.collect::<Result<_, _>>()?))
    }
}

/// Compiles a function for calls with such arguments.
///
/// # Safety
/// The handles are live, the text and the arguments are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceProgramCompile(
    program: TerraceProgram,
    function: MlirStringRef,
    count: isize,
    arguments: *const TerraceValue,
) -> TerraceError {
    answer(|| {
        // SAFETY: as the caller promises.
        let (program, name, arguments) = unsafe { call(program, function, count, arguments) }?;
        program.variant(name, &arguments)?;
        Ok(())
    })
}

/// Calls a function.
///
/// # Safety
/// The handles are live, the text and the arguments are there, so many results can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceProgramCall(
    program: TerraceProgram,
    function: MlirStringRef,
    count: isize,
    arguments: *const TerraceValue,
    result_count: isize,
    results: *mut TerraceValue,
) -> TerraceError {
    answer(|| {
        // SAFETY: as the caller promises.
        let (program, name, arguments) = unsafe { call(program, function, count, arguments) }?;
        let found = Entry::find(program.module(), Some(name)).map_err(Failure::argument)?;
        let own = found.function_type().result_count();
        if own as isize != result_count {
            return Err(Failure::argument(format!("@{name} has {own} results, got room for {result_count}")));
        }
        for (number, result) in program.call(name, &arguments)?.into_iter().enumerate() {
            // SAFETY: as the caller promises.
            unsafe { results.add(number).write(result.into()) };
        }
        Ok(())
    })
}

/// Calls a function, and puts its results into tensors.
///
/// # Safety
/// The handles are live, the text and the arguments are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceProgramCallInto(
    program: TerraceProgram,
    function: MlirStringRef,
    count: isize,
    arguments: *const TerraceValue,
    result_count: isize,
    into: *const TerraceTensor,
) -> TerraceError {
    answer(|| {
        // SAFETY: as the caller promises.
        let (program, name, arguments) = unsafe { call(program, function, count, arguments) }?;
        // SAFETY: as the caller promises.
        let into = unsafe {
            let given = list(into, result_count, "tensors for results")?;
            given.iter().map(|own| own.get().cloned()).collect::<Result<Vec<Tensor>, _>>()?
        };
        program.call_into(name, &arguments, &into)?;
        Ok(())
    })
}

/// Destroys a program.
///
/// # Safety
/// The handle is live, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn terraceProgramDestroy(program: TerraceProgram) {
    if !program.0.is_null() {
        // SAFETY: as the caller promises, and it was boxed in `terraceProgramCreate`.
        drop(unsafe { Box::from_raw(program.0) });
    }
}
