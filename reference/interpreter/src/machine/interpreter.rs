//! The interpreter: functions by name, decoded when they are first called.

use super::{decode::Decoder, frame::Frame, observer::Observer, program::Region, table::Table};
use crate::{
    error::{Error, Fault},
    semantics::copy,
    types::{Kind, Sort, constant},
};
use melior::ir::{Location, Module, RegionLike, Type, TypeLike, operation::OperationRef};
use mlir_sys::MlirOperation;
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    marker::PhantomData,
    rc::Rc,
};
use terrace_dialects::{
    aten::placement,
    ir::{
        BlockLike, OperationLike, attributes,
        operations::{self, collect},
        panics, registry,
    },
};
use terrace_tensor::{Scalar, Tensor, Value};

/// Calls may nest this deep.
const DEPTH: usize = 200;

/// Computes a custom operator from its operands.
type Callback = dyn Fn(&[Value]) -> Result<Vec<Value>, String>;

/// Runs the functions of a module.
pub struct Interpreter<'m> {
    pub(super) table: Rc<Table>,
    module: MlirOperation,
    names: HashMap<String, usize>,
    functions: Vec<MlirOperation>,
    decoded: RefCell<Vec<Option<Rc<Function>>>>,
    registered: HashMap<String, Box<Callback>>,
    globals: RefCell<HashMap<String, Tensor>>,
    pub(super) observer: Option<Rc<dyn Observer>>,
    /// Whether operations of the module change tensor objects; None where nobody has asked.
    changes_objects: Cell<Option<bool>>,
    /// The tensors that have been changed since it was called from outside, each by an operation of a name.
    pub(super) changed: RefCell<HashMap<u64, String>>,
    lifetime: PhantomData<&'m ()>,
}

/// A function that was decoded.
struct Function {
    arguments: Vec<Kind>,
    results: Vec<Kind>,
    body: Region,
    slots: usize,
}

impl<'m> Interpreter<'m> {
    /// An interpreter of the functions of a module, by the table of operations.
    pub(crate) fn over(table: Rc<Table>, module: &'m Module) -> Interpreter<'m> {
        let mut names = HashMap::new();
        let mut functions = Vec::new();
        let operations = std::iter::successors(module.body().first_operation(), |op| op.next_in_block());
        for operation in operations {
            let name = operation.name();
            if matches!(name.as_string_ref().as_str(), Ok("func.func" | "kernel.func"))
                && let Ok(symbol) = operation.attribute("sym_name")
            {
                names.insert(attributes::string(symbol), functions.len());
                functions.push(operation.to_raw());
            }
        }
        let decoded = RefCell::new(vec![None; functions.len()]);
        let module = module.as_operation().to_raw();
        Interpreter {
            table,
            module,
            names,
            functions,
            decoded,
            registered: HashMap::new(),
            globals: RefCell::default(),
            observer: None,
            changes_objects: Cell::default(),
            changed: RefCell::default(),
            lifetime: PhantomData,
        }
    }

    /// An interpreter of single operations.
    pub(crate) fn of_nothing(table: Rc<Table>) -> Interpreter<'static> {
        Interpreter {
            table,
            module: MlirOperation { ptr: std::ptr::null_mut() },
            names: HashMap::new(),
            functions: Vec::new(),
            decoded: RefCell::new(Vec::new()),
            registered: HashMap::new(),
            globals: RefCell::default(),
            observer: None,
            changes_objects: Cell::new(Some(false)),
            changed: RefCell::default(),
            lifetime: PhantomData,
        }
    }

    /// Whether operations of the module change tensor objects.
    pub(super) fn changes_objects(&self) -> bool {
        let known = self.changes_objects.get();
        let known = known.unwrap_or_else(|| {
            // SAFETY: the interpreter does not outlive the module.
            let module = unsafe { OperationRef::from_raw(self.module) };
            let changes = |op| registry::of(op).is_some_and(placement::changes_object);
            !collect(module, changes).is_empty()
        });
        self.changes_objects.set(Some(known));
        known
    }

    /// The results of an operation on values; those that are not given are constants. None where an operand
    /// is not known, or the operation refuses its operands.
    pub(crate) fn operation_on(
        &self,
        operation: OperationRef,
        given: &[Option<Value>],
    ) -> Option<Vec<Value>> {
        let mut decoder = Decoder::new(self);
        let (action, operands, results) = decoder.alone(operation).ok()?;
        let mut constants = Vec::new();
        for ((slot, operand), given) in operands.into_iter().zip(operation.operands()).zip(given) {
            constants.push((
                slot,
                match given {
                    Some(value) => value.clone(),
                    None => self.constant(operand)?,
                },
            ));
        }
        let mut frame = Frame::new(decoder.count(), 0);
        for (slot, value) in constants {
            frame.set(slot, value);
        }
        action(self, &mut frame).ok()?;
        Some(frame.get_all(&results))
    }

    /// The value of an operation without operands.
    fn constant(&self, value: melior::ir::Value) -> Option<Value> {
        let operation = operations::definition(value)?;
        let constant = operation.operand_count() == 0
            && terrace_dialects::ir::upstream::is_memory_effect_free(operation);
        constant.then(|| self.operation_on(operation, &[]))??.pop()
    }

    /// Gives `graph.custom` operators of a name, such as `mine::scale_`, the function that computes them. It
    /// may write its arguments as far as their schema says; an error is a refusal at the operation.
    pub fn register(
        &mut self,
        name: &str,
        function: impl Fn(&[Value]) -> Result<Vec<Value>, String> + 'static,
    ) {
        self.registered.insert(name.to_owned(), Box::new(function));
    }

    /// Tells an observer what happens from the next call on. Functions are decoded anew, so that one that
    /// nobody watches has nothing of it.
    pub fn observe(&mut self, observer: Rc<dyn Observer>) {
        self.observer = Some(observer);
        self.decoded.borrow_mut().fill(None);
    }

    /// The function that was registered under a name.
    pub(crate) fn registered(&self, name: &str) -> Option<&Callback> {
        self.registered.get(name).map(Box::as_ref)
    }

    /// Calls a function. Arguments of graph tensor and memref types are written where the function writes
    /// them; those of builtin tensor types are values, and results of such types are new tensors.
    ///
    /// # Errors
    /// When there is no such function, an argument does not have its type, an operation is unknown or refuses
    /// its operands. A diagnostic has been emitted at the operation.
    pub fn call(&self, name: &str, args: Vec<Value>) -> Result<Vec<Value>, Error> {
        // An error of the interpreter itself is a diagnostic too.
        match panics::guard(|| Ok(self.call_entry(name, args))) {
            Ok(result) => result,
            Err(message) => Err(Error::emit(self.location(), message)),
        }
    }

    fn call_entry(&self, name: &str, mut args: Vec<Value>) -> Result<Vec<Value>, Error> {
        let Some(number) = self.number(name) else {
            let mut names: Vec<_> = self.names.keys().map(|name| format!("@{name}")).collect();
            names.sort();
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(Error::emit(
                self.location(),
                format!("no function is named @{name}, there is {known}"),
            ));
        };
        let operation = self.operation(number);
        if terrace_dialects::ops::kernel::FuncOp::try_from(operation).is_ok() {
            return Err(Error::at(operation, "is a kernel: it is launched, not called"));
        }
        self.changed.borrow_mut().clear();
        let function = self.function(number)?;
        if args.len() != function.arguments.len() {
            let expected = function.arguments.len();
            return Err(Error::at(operation, &format!("takes {expected} arguments, got {}", args.len())));
        }
        for (position, (arg, kind)) in args.iter_mut().zip(&function.arguments).enumerate() {
            widen(arg, kind);
            kind.check(arg)
                .map_err(|difference| Error::at(operation, &format!("argument {position}: {difference}")))?;
        }
        let mut results = self.enter(&function, &args, 0).map_err(|fault| match fault {
            Fault::Refused(message) => Error::at(operation, &message),
            Fault::Reported(error) => error,
        })?;
        for (result, kind) in results.iter_mut().zip(&function.results) {
            if let (Value::Tensor(tensor), Sort::Value) = (&*result, kind.sort) {
                let fresh = Tensor::zeros(tensor.dtype(), tensor.sizes())
                    .map_err(|error| error.into())
                    .and_then(|fresh| copy::copy_(&fresh, tensor))
                    .map_err(|error| Error::at(operation, &error.to_string()))?;
                *result = fresh.into();
            }
        }
        Ok(results)
    }

    /// The memory of a `memref.global`, which is made with its first value when it is first asked for.
    pub(super) fn global(&self, name: &str, kind: &Kind) -> Result<Tensor, String> {
        if let Some(known) = self.globals.borrow().get(name) {
            return Ok(known.clone());
        }
        let sizes: Vec<i64> = kind.sizes.clone();
        let memory = Tensor::zeros(kind.dtype, &sizes).map_err(|error| error.to_string())?;
        // SAFETY: the interpreter does not outlive the module.
        let module = unsafe { OperationRef::from_raw(self.module) };
        let is_it = |op: OperationRef| {
            op.attribute("sym_name").is_ok_and(|symbol| attributes::string(symbol) == name)
                && operations::name_of(op) == "memref.global"
        };
        let found = collect(module, is_it).into_iter().next();
        let found = found.ok_or_else(|| format!("names @{name}, which is no memref.global"))?;
        // Without a value nothing may be read before it is written.
        if let Ok(value) = found.attribute("initial_value")
            && let Ok(Value::Tensor(first)) = constant(value, &kind.as_value())
        {
            copy::copy_(&memory, &first).map_err(|error| error.to_string())?;
        }
        self.globals.borrow_mut().insert(name.to_owned(), memory.clone());
        Ok(memory)
    }

    /// The number of a function by its name.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// Calls a function by its number, from a frame of the given depth.
    pub(crate) fn invoke(&self, number: usize, args: &[Value], depth: usize) -> Result<Vec<Value>, Fault> {
        if depth >= DEPTH {
            return Err(format!("calls nest more than {DEPTH} deep").into());
        }
        let function = self.function(number).map_err(Fault::Reported)?;
        self.enter(&function, args, depth + 1)
    }

    fn enter(&self, function: &Function, args: &[Value], depth: usize) -> Result<Vec<Value>, Fault> {
        function.body.run(self, &mut Frame::new(function.slots, depth), args)
    }

    fn function(&self, number: usize) -> Result<Rc<Function>, Error> {
        if let Some(function) = &self.decoded.borrow()[number] {
            return Ok(function.clone());
        }
        let function = Rc::new(self.decode(self.operation(number))?);
        self.decoded.borrow_mut()[number] = Some(function.clone());
        Ok(function)
    }

    fn decode(&self, operation: OperationRef) -> Result<Function, Error> {
        let refuse = |message: String| Error::at(operation, &message);
        let ty = operation.attribute("function_type").map_err(|error| refuse(error.to_string()))?;
        let ty = attributes::ty(ty);
        let kinds = |types: Vec<Type>| types.into_iter().map(Kind::of).collect::<Result<Vec<_>, _>>();
        let (arguments, results) = signature(ty);
        let (arguments, results) = (kinds(arguments).map_err(refuse)?, kinds(results).map_err(refuse)?);
        let region = operation.region(0).map_err(|error| refuse(error.to_string()))?;
        if region.first_block().is_none() {
            return Err(refuse("is declared but not defined, so it cannot be called".to_owned()));
        }
        let mut decoder = Decoder::new(self);
        let body = decoder.region(region)?;
        Ok(Function { arguments, results, body, slots: decoder.count() })
    }

    fn operation(&self, number: usize) -> OperationRef<'m, 'm> {
        // SAFETY: the module is borrowed for as long as the interpreter lives.
        unsafe { OperationRef::from_raw(self.functions[number]) }
    }

    fn location(&self) -> Location<'m> {
        // SAFETY: as above.
        unsafe { OperationRef::<'m, 'm>::from_raw(self.module) }.location()
    }
}

/// The types of arguments and results.
fn signature<'c>(ty: Type<'c>) -> (Vec<Type<'c>>, Vec<Type<'c>>) {
    use mlir_sys::*;
    let raw = ty.to_raw();
    // SAFETY: the type of a function is a function type.
    unsafe {
        let inputs = 0..mlirFunctionTypeGetNumInputs(raw);
        let results = 0..mlirFunctionTypeGetNumResults(raw);
        (
            inputs.map(|i| Type::from_raw(mlirFunctionTypeGetInput(raw, i))).collect(),
            results.map(|i| Type::from_raw(mlirFunctionTypeGetResult(raw, i))).collect(),
        )
    }
}

/// An integer that is wanted as a float is one, where nothing is lost.
fn widen(arg: &mut Value, kind: &Kind) {
    if let (Value::Scalar(Scalar::Int(value)), Sort::Number, true) = (&*arg, kind.sort, kind.dtype.is_float())
    {
        let float = Scalar::Int(*value).cast(kind.dtype);
        if float.to_i64() == *value {
            *arg = float.into();
        }
    }
}
