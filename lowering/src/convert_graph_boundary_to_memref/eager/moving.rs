//! Storages that become another size while a function runs that goes on with tensors of them.
//!
//! A memref tells where its memory lay when it was made. Where a function does something that may make a storage another size, or calls such, each
//! tensor that it hands to a call, asks about or returns is looked for anew first: the runtime says where its storage lies now, and frees nothing that one
//! has had before (`runtime/rt/src/moved.rs`). All other functions are as they are.

use super::{
    super::words::{MOVED, again},
    Body,
};
use melior::ir::{OperationRef, ValueLike};
use mlir_sys::mlirOperationSetOperand;
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    attributes as convert,
    cursor::{Cursor, Predicate, V},
    dtype::Dtype,
    ir::OperationLike,
    operations::{collect, name_of},
    pass::Failure,
};

/// The names of the functions in which a storage may become another size.
pub(in super::super) fn moving(functions: &[OperationRef]) -> HashSet<String> {
    let name =
        |function: &OperationRef| function.attribute("sym_name").map(convert::string).unwrap_or_default();
    let mut callers: HashMap<String, Vec<String>> = HashMap::new();
    let (mut open, mut found) = (vec![], HashSet::new());
    for function in functions {
        for call in collect(*function, |op| name_of(op) == "func.call") {
            let callee = call.attribute("callee").map(convert::symbol).unwrap_or_default();
            callers.entry(callee).or_default().push(name(function));
        }
        open.extend((!collect(*function, moves).is_empty()).then(|| name(function)));
    }
    while let Some(function) = open.pop() {
        if found.insert(function.clone()) {
            open.extend(callers.get(&function).into_iter().flatten().cloned());
        }
    }
    found
}

/// Whether the storage of a tensor may be another size after an operation.
fn moves(op: OperationRef) -> bool {
    ["graph.resize_", "graph.resize_as_", "graph.resize_storage", "graph.set_"].contains(&name_of(op))
}

impl<'c: 'a, 'a> Body<'_, 'c, 'a> {
    /// Looks anew for the tensors that an operation uses, where storages may have become another size.
    pub(super) fn look_anew(
        &mut self,
        op: OperationRef<'c, 'a>,
        dtypes: &mut HashMap<usize, Dtype>,
    ) -> Result<(), Failure> {
        if !self.moving {
            return Ok(());
        }
        let mut seen: HashMap<usize, V<'c, 'a>> = HashMap::new();
        for (number, operand) in op.operands().enumerate() {
            let key = operand.to_raw().ptr as usize;
            let Some(dtype) = dtypes.get(&key).copied() else { continue };
            let anew = match seen.get(&key) {
                Some(anew) => *anew,
                None => self.anew(&Cursor::before(op)?, operand, dtype)?,
            };
            seen.insert(key, anew);
            dtypes.insert(anew.to_raw().ptr as usize, dtype);
            self.same.insert(anew.to_raw().ptr as usize, operand);
            // SAFETY: the operation has this operand.
            unsafe { mlirOperationSetOperand(op.to_raw(), number as isize, anew.to_raw()) };
        }
        Ok(())
    }

    /// A tensor where its storage lies now.
    fn anew(&mut self, at: &Cursor<'c, 'a>, tensor: V<'c, 'a>, dtype: Dtype) -> Result<V<'c, 'a>, Failure> {
        let address = |at: &Cursor<'c, 'a>, memref| {
            at.op("memref.extract_aligned_pointer_as_index", &[memref], at.index_type())
        };
        let place = address(at, tensor)?;
        let row = self.services.memory(at, MOVED, &[place])?;
        let stays = at.compare(Predicate::Equal, address(at, row)?, place)?;
        let ty = tensor.r#type();
        let chosen = at.either(stays, &[ty], |at, way| {
            if way == 0 {
                return Ok(vec![tensor]);
            }
            Ok(vec![again(&at, row, (tensor, dtype))?])
        })?;
        Ok(chosen[0])
    }
}
