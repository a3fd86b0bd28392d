//! An operation that is not compiled: in its place the program stops, where the function is `graph.partial`.

use super::{Body, open};
use melior::ir::{
    OperationRef, Type, ValueLike, attribute::FloatAttribute, operation::OperationLike, r#type::MemRefType,
};
use mlir_sys::mlirValueReplaceAllUsesOfWith;
use terrace_dialects::{
    arguments::is_partial,
    cursor::{Cursor, V},
    descriptor,
    operations::{erase, name_of, refuse},
    pass::Failure,
    shaped::{Shaped, strides_and_offset},
    types::{DYNAMIC, is_float, part},
};

impl<'c: 'a, 'a> Body<'_, 'c, 'a> {
    /// Puts a run-time error in the place of an operation that nothing was made of.
    pub(super) fn stop(&self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        if !is_partial(self.function.op) {
            let why =
                "runs as it is written, operation by operation (graph.eager): run graph-outline-eager first";
            return Err(refuse(op, why));
        }
        let at = Cursor::before(op)?;
        let message = format!(
            "{} is compiled for the usual sizes: those that are compared are equal, none is 0 or 1; for others it is interpreted only",
            name_of(op)
        );
        let never = at.integer(melior::ir::r#type::IntegerType::new(self.context, 1).into(), 0)?;
        self.holds(&at, never, &message)?;
        for result in op.results() {
            let value = nothing(&at, open(self.context, result.r#type())?)?;
            // SAFETY: both are of one type, and the value stands in front of the operation.
            unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), value.to_raw()) };
        }
        // SAFETY: its results are not used any more.
        unsafe { erase(op) };
        Ok(())
    }
}

/// A value of a type that nobody reads.
fn nothing<'c, 'a>(at: &Cursor<'c, 'a>, ty: Type<'c>) -> Result<V<'c, 'a>, Failure> {
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
    let parts = [open(&[offset]), open(&sizes.shape), open(&strides)];
    descriptor::reinterpret(at, memory, ty, parts)
}
