//! A function that tests what was taken for granted about sizes, and calls one of two: the boundary that was made for them,
//! which is lowered, or the function as it is written, which is interpreted only. In its place stands a run-time error.

use super::{
    rewrite::{drop_graph_attributes, is_number, number},
    types,
};
use melior::{
    Context,
    ir::{
        Block, BlockLike, BlockRef, OperationRef, Region, RegionLike, Type, Value, ValueLike,
        attribute::{FlatSymbolRefAttribute, FloatAttribute, StringAttribute, TypeAttribute},
        operation::{OperationLike, OperationMutLike, OperationRefMut},
        r#type::{FunctionType, IntegerType, MemRefType},
    },
};
use mlir_sys::mlirValueReplaceAllUsesOfWith;
use terrace_dialects::{
    arguments::{EAGER, is_eager},
    cursor::{Cursor, V},
    descriptor,
    operations::{arguments, erase, name_of},
    pass::Failure,
    shaped::{Shaped, strides_and_offset},
    types::{DYNAMIC, is_float, is_graph_tensor, part},
};

/// What compiled code says where the sizes are others.
const OTHERS: &str = "is compiled for the usual sizes: those that are compared are equal, none is 0 or 1; for these the \
                      function is another one, which is interpreted only, as yet";

/// A test of sizes and the call that it guards.
pub(super) struct Dispatch<'c, 'a> {
    function: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    choice: OperationRef<'c, 'a>,
    /// The call of the boundary.
    call: OperationRef<'c, 'a>,
    /// The call of the function as it is written.
    other: OperationRef<'c, 'a>,
}

impl<'c: 'a, 'a> Dispatch<'c, 'a> {
    /// Reads a function, beside others that are found by their names; None where it is none of these.
    pub fn of(
        function: OperationRef<'c, 'a>,
        named: &impl Fn(&str) -> Option<OperationRef<'c, 'a>>,
    ) -> Option<Self> {
        let block = function.region(0).ok()?.first_block()?;
        if !is_eager(function) || block.next_in_region().is_some() {
            return None;
        }
        let all: Vec<_> = std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect();
        let mut choices = all.iter().filter(|op| name_of(**op) == "scf.if");
        let (choice, None) = (*choices.next()?, choices.next()) else { return None };
        let tests = |op: &OperationRef| {
            *op == choice
                || is_number(*op)
                || name_of(*op).starts_with("arith.")
                || name_of(*op) == "func.return"
        };
        let call = |region: usize| {
            let block = choice.region(region).ok()?.first_block()?;
            block.first_operation().filter(|op| name_of(*op) == "func.call")
        };
        let (call, other) = (call(0)?, call(1)?);
        let own = Self { function, block, choice, call, other };
        // Ways of a function that runs as it is written are calls, too: of operations.
        let calls = |name: Option<&str>| name.and_then(named);
        let (boundary, general) = (calls(own.boundary())?, calls(own.general())?);
        let is_written = is_eager(general) && Self::of(general, named).is_none();
        (all.iter().all(tests) && !is_eager(boundary) && is_written).then_some(own)
    }

    /// Whether it is this function.
    pub fn is(&self, function: OperationRef) -> bool {
        self.function == function
    }

    /// The name of the boundary.
    pub fn boundary(&self) -> Option<&'c str> {
        callee(self.call)
    }

    /// The name of the function as it is written.
    pub fn general(&self) -> Option<&'c str> {
        callee(self.other)
    }

    /// Rewrites the function; `boundary` is lowered.
    pub fn lower(self, boundary: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let context = terrace_dialects::context::of(self.function.context());
        let signature = types::signature(boundary)?;
        for (i, operand) in self.call.operands().enumerate() {
            if is_graph_tensor(operand.r#type()) {
                operand.set_type(signature.input(i)?);
            }
        }
        let mut next = self.block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            if is_number(op) {
                let number = number(op, op.operand(0)?)?;
                // SAFETY: the number stands in front of the operation, which nobody looks at any more.
                unsafe {
                    mlirValueReplaceAllUsesOfWith(Value::from(op.result(0)?).to_raw(), number.to_raw());
                    erase(op);
                }
            }
        }
        let results: Vec<Type> =
            (0..signature.result_count()).map(|i| signature.result(i)).collect::<Result<_, _>>()?;
        let regions = (0..2).map(|_| {
            let region = Region::new();
            region.append_block(Block::new(&[]));
            region
        });
        let at = Cursor::before(self.choice)?;
        let new = at.build("scf.if", &[self.choice.operand(0)?], &results, &[], regions.collect())?;
        let branch = |i: usize| -> Result<Cursor<'c, 'a>, Failure> {
            Ok(Cursor::end(new.region(i)?.first_block().ok_or("a branch has no body")?, at.location))
        };
        let then = branch(0)?;
        let callee = then.named("callee", self.call.attribute("callee")?);
        let operands: Vec<V> = self.call.operands().collect();
        let called = then.build("func.call", &operands, &results, &[callee], vec![])?;
        let values: Vec<V> = called.results().map(Into::into).collect();
        then.build("scf.yield", &values, &[], &[], vec![])?;
        let otherwise = branch(1)?;
        let holds = otherwise.integer(IntegerType::new(context, 1).into(), 0)?;
        let message = otherwise.named("msg", StringAttribute::new(context, OTHERS));
        otherwise.build("cf.assert", &[holds], &[], &[message], vec![])?;
        let values = results.iter().map(|ty| nothing(&otherwise, *ty)).collect::<Result<Vec<_>, _>>()?;
        otherwise.build("scf.yield", &values, &[], &[], vec![])?;
        for (old, new) in self.choice.results().zip(new.results()) {
            // SAFETY: both are of one place.
            unsafe { mlirValueReplaceAllUsesOfWith(old.to_raw(), new.to_raw()) };
        }
        // SAFETY: nobody uses its results any more.
        unsafe { erase(self.choice) };
        self.finish(boundary, context)
    }

    /// Says what the function takes and gives.
    fn finish(&self, boundary: OperationRef<'c, 'a>, context: &'c Context) -> Result<(), Failure> {
        let end = self.block.terminator().ok_or("has no return")?;
        let inputs: Vec<Type> = arguments(self.block).map(|argument| argument.r#type()).collect();
        let results: Vec<Type> = end.operands().map(|value| value.r#type()).collect();
        let ty = TypeAttribute::new(FunctionType::new(context, &inputs, &results).into());
        // SAFETY: nobody holds on to the attributes that are replaced.
        let mut function = unsafe { OperationRefMut::from_raw(self.function.to_raw()) };
        function.set_attribute("function_type", ty.into());
        if let Ok(facts) = boundary.attribute("res_attrs") {
            function.set_attribute("res_attrs", facts);
        }
        let _ = function.remove_attribute(EAGER);
        drop_graph_attributes(function, context);
        Ok(())
    }
}

fn callee<'c>(call: OperationRef<'c, '_>) -> Option<&'c str> {
    Some(FlatSymbolRefAttribute::try_from(call.attribute("callee").ok()?).ok()?.value())
}

/// A value of a type that nobody reads.
fn nothing<'c, 'a>(at: &Cursor<'c, 'a>, ty: Type<'c>) -> Result<V<'c, 'a>, Failure> {
    if let Some(tensor) = Shaped::of(ty).filter(|shaped| !shaped.buffer) {
        let zero = at.index(0)?;
        let open = tensor.shape.iter().filter(|size| **size == DYNAMIC).map(|_| zero).collect::<Vec<_>>();
        return at.op("tensor.empty", &open, ty);
    }
    if let Some(part) = part(ty) {
        let zero = nothing(at, part)?;
        return at.op("complex.create", &[zero, zero], ty);
    }
    let Some((strides, offset)) = strides_and_offset(ty) else {
        return if is_float(ty) {
            at.constant(ty, FloatAttribute::new(at.context, ty, 0.0).into())
        } else {
            at.integer(ty, 0)
        };
    };
    let sizes = Shaped::expect(ty)?;
    let zero = at.index(0)?;
    let open = |numbers: &[i64]| vec![zero; numbers.iter().filter(|number| **number == DYNAMIC).count()];
    let own = MemRefType::contiguous(sizes.element, &sizes.shape, None).into();
    let memory = at.allocate("memref.alloc", own, &open(&sizes.shape))?;
    if own == ty {
        return Ok(memory);
    }
    let parts = [open(&[offset]), open(&sizes.shape), open(&strides)];
    descriptor::reinterpret(at, memory, ty, parts)
}
