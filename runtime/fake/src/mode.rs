//! The mode: what is known of all fake tensors, and the record of what was called.

use melior::{
    Context,
    ir::{
        Block, BlockRef, Location, Module, Operation, OperationRef, Region, RegionLike, Type, Value,
        attribute::{StringAttribute, TypeAttribute},
        r#type::FunctionType,
    },
};
use mlir_sys::MlirValue;
use std::{collections::HashMap, panic::Location as Caller};
use terrace_dialects::{
    analysis::fake::{Fake, State},
    ir::{BlockLike, OperationLike, diagnostics},
};
use terrace_interpreter::EVALUATOR;
use terrace_size::{Size, symbols::Symbols};
use terrace_tensor::Tensor;

/// How the sizes of real tensors are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sizes {
    /// As the numbers that they are.
    #[default]
    Numbers,
    /// As symbols, which the numbers are hints for; 0 and 1 are numbers.
    Symbols,
}

/// What becomes of a real tensor among the operands of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnReal {
    /// It is refused.
    #[default]
    Refuse,
    /// It is taken for its fake tensor, as by [`FakeMode::fake`].
    Convert,
}

/// How a mode behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// How sizes are taken.
    pub sizes: Sizes,
    /// What becomes of real tensors.
    pub on_real: OnReal,
}

/// A fake tensor of a mode: a tensor object, equal to itself alone. An operator that changes its sizes, its
/// strides or its storage changes what the mode says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FakeTensor(pub(crate) usize);

/// A number that an operator of a mode made: an operand of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FakeNumber(pub(crate) usize);

/// What went wrong, and where: the line of the caller, or an operation of a module. The same has been emitted
/// as an MLIR diagnostic there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {message}")]
pub struct Error {
    /// Where, as MLIR prints locations.
    pub location: String,
    /// What is wrong.
    pub message: String,
}

/// What was taken for granted of sizes that are symbols.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    /// The relation, as in `s0 == s1`.
    pub text: String,
    /// Where it was needed, as MLIR prints locations.
    pub location: String,
}

/// A tensor object.
pub(crate) struct Object<'c> {
    pub fake: Fake<'c>,
    /// The value that it is in the record; None of what a function made that was followed.
    pub value: Option<MlirValue>,
}

/// A number.
pub(crate) struct Number<'c> {
    pub size: Option<Size>,
    pub ty: Type<'c>,
    /// The value that it is in the record; None of what a function made that was followed.
    pub value: Option<MlirValue>,
}

/// What is known of fake tensors, and how they came to be.
///
/// Handles belong to the mode that gave them.
pub struct FakeMode<'c> {
    pub(crate) context: &'c Context,
    pub(crate) options: Options,
    /// Calls that were refused: guards name them. Before the record, whose values they use.
    pub(crate) refused: Vec<Operation<'c>>,
    /// One function, whose arguments are the real tensors and whose operations the calls.
    pub(crate) record: Module<'c>,
    pub(crate) state: State<'c>,
    pub(crate) symbols: Symbols,
    pub(crate) objects: HashMap<usize, Object<'c>>,
    pub(crate) numbers: Vec<Number<'c>>,
    /// The real tensors that came in, in the order of the arguments; None of what was not recorded.
    pub(crate) arguments: Vec<Option<Tensor>>,
    /// The fake tensors of real ones, by their ids.
    pub(crate) memo: HashMap<u64, FakeTensor>,
}

impl<'c> FakeMode<'c> {
    /// A mode without tensors. The context has the graph, func and arith dialects.
    pub fn new(context: &'c Context, options: Options) -> FakeMode<'c> {
        terrace_dialects::init();
        let location = Location::unknown(context);
        let region = Region::new();
        region.append_block(Block::new(&[]));
        let name = StringAttribute::new(context, "main");
        let ty = TypeAttribute::new(FunctionType::new(context, &[], &[]).into());
        let function = melior::dialect::func::func(context, name, ty, region, &[], location);
        let record = Module::new(location);
        record.body().append_operation(function);
        let mut state = State::default();
        state.evaluate_with(EVALUATOR);
        FakeMode {
            context,
            options,
            refused: Vec::new(),
            record,
            state,
            symbols: Symbols::new(),
            objects: HashMap::new(),
            numbers: Vec::new(),
            arguments: Vec::new(),
            memo: HashMap::new(),
        }
    }

    /// The function of the record.
    pub(crate) fn function(&self) -> OperationRef<'c, '_> {
        self.record.body().first_operation().expect("the record has its function")
    }

    /// The block of the record.
    pub(crate) fn block(&self) -> BlockRef<'c, '_> {
        self.function().region(0).ok().and_then(|region| region.first_block()).expect("it has a block")
    }

    /// What is known of a tensor now. Its sizes, strides and offset may be expressions ([`FakeMode::text`]).
    ///
    /// # Panics
    /// Where another mode made it.
    pub fn get(&self, tensor: FakeTensor) -> &Fake<'c> {
        &self.object(tensor).fake
    }

    pub(crate) fn object(&self, tensor: FakeTensor) -> &Object<'c> {
        self.objects.get(&tensor.0).expect("a fake tensor belongs to the mode that made it")
    }

    /// Dtype, sizes, strides, offset where it is not 0, flags, and the device where it is not the CPU:
    /// `f32[3, 2] strides [1, 3]`.
    pub fn describe(&mut self, tensor: FakeTensor) -> String {
        let fake = self.get(tensor).clone();
        let text = fake.text(&mut self.symbols);
        let device = fake.device.map(|device| format!(" on {device}")).unwrap_or_default();
        format!("{}{text}{device}", format!("{:?}", fake.known.dtype).to_lowercase())
    }

    /// A size, a stride or an offset in words: a number, or an expression over `s0`, `s1`, ...
    pub fn text(&mut self, size: Size) -> String {
        let size = self.symbols.simplified(size);
        self.symbols.text(size)
    }

    /// A size, a stride or an offset as it is for the real tensors that came in; None where it depends on
    /// elements.
    pub fn hint(&self, size: Size) -> Option<i64> {
        size.known().or_else(|| self.symbols.hint(size))
    }

    /// A number that an operator made; None where nothing is known of it.
    pub fn number(&self, number: FakeNumber) -> Option<Size> {
        self.numbers[number.0].size
    }

    /// Whether both are certainly views of one storage.
    pub fn is_alias(&self, a: FakeTensor, b: FakeTensor) -> bool {
        let (a, b) = (&self.get(a).storages, &self.get(b).storages);
        a.len() == 1 && a == b
    }

    /// What was taken for granted so far, in order.
    pub fn guards(&mut self) -> Vec<Guard> {
        let guards = self.symbols.guards().to_vec();
        let guard = |guard| {
            let text = self.symbols.guard_text(&guard);
            // SAFETY: operations of the record and of modules that were followed outlive the mode.
            let op = unsafe {
                OperationRef::<'c, 'c>::from_raw(mlir_sys::MlirOperation { ptr: guard.by as *mut _ })
            };
            Guard { text, location: place(op.location()) }
        };
        guards.into_iter().map(guard).collect()
    }

    /// The line that called.
    pub(crate) fn caller(&self, caller: &Caller) -> Location<'c> {
        Location::new(self.context, caller.file(), caller.line() as usize, caller.column() as usize)
    }

    pub(crate) fn value<'a>(&self, raw: MlirValue) -> Value<'c, 'a> {
        // SAFETY: values of the record live as long as the mode, and none is given out.
        unsafe { Value::from_raw(raw) }
    }
}

/// A location without its `loc( )`.
pub(crate) fn place(location: Location) -> String {
    let text = location.to_string();
    let inner = text.strip_prefix("loc(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(&text);
    inner.replace('"', "")
}

impl Error {
    /// Emits a diagnostic.
    pub(crate) fn at(location: Location, message: impl Into<String>) -> Error {
        let message = message.into();
        diagnostics::emit(location, &message);
        Error { location: place(location), message }
    }
}
