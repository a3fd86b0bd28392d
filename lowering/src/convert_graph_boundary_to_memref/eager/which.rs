//! Numbers of tensors beside the tensors: which one a value is when the function runs.
//!
//! Each tensor has one number ([`told`]), which stands where the tensor does. What control flow hands on has its number in a cell, a word on
//! the stack: it is written where a tensor is handed on, and read where it arrives.

use super::objects::{Given, Objects};
use crate::convert_graph_boundary_to_memref::told;
use melior::ir::{OperationRef, TypeLike, Value, ValueLike, r#type::MemRefType};
use terrace_dialects::{
    cursor::{Cursor, V},
    flow,
    ir::OperationLike,
    operations::{definition, home, name_of},
    pass::Failure,
};

impl<'c: 'a, 'a> Objects<'_, 'c, 'a> {
    /// The number of the tensor that a value is.
    pub(super) fn number(&mut self, value: V<'c, 'a>) -> Result<V<'c, 'a>, Failure> {
        let value = self.origin(value);
        let key = value.to_raw().ptr as usize;
        if let Some(known) = self.numbers.get(&key) {
            return Ok(*known);
        }
        if let Some(argument) = self.argument(value) {
            let number = self.start().index(argument as i64)?;
            self.numbers.insert(key, number);
            return Ok(number);
        }
        let handed = flow::handed_on(value);
        let Some(op) = definition(value) else {
            let block = home(value).filter(|_| !handed.is_empty());
            let block =
                block.ok_or("has control flow that is no structure of scf: run graph-structure first")?;
            return self.cell(value, Cursor::start(block, self.function.op.location()), &handed);
        };
        if !handed.is_empty() {
            return self.cell(value, behind(op)?, &handed);
        }
        let place = op.results().position(|result| Value::from(result) == value).ok_or("is no result")?;
        let number = match name_of(op) {
            "arith.select" => {
                let ways = [self.number(op.operand(1)?)?, self.number(op.operand(2)?)?];
                let at = behind(op)?;
                at.op("arith.select", &[op.operand(0)?, ways[0], ways[1]], at.index_type())?
            }
            "func.call" => match self.given(op, place) {
                Some(Given::Same(same)) => self.number(same)?,
                Some(Given::Told) => {
                    let mut operands = vec![];
                    for (k, operand) in op.operands().enumerate() {
                        if operand.r#type().is_mem_ref() {
                            operands.push((k, self.number(operand)?));
                        }
                    }
                    told::told(&behind(op)?, self.services, place, &operands)?
                }
                Some(Given::New) | None => told::new(&behind(op)?, self.services)?,
            },
            _ => told::new(&behind(op)?, self.services)?,
        };
        self.numbers.insert(key, number);
        Ok(number)
    }

    /// Reads, at a place, the number of the operand that was handed on last.
    fn cell(
        &mut self,
        value: V<'c, 'a>,
        at: Cursor<'c, 'a>,
        handed: &[(OperationRef<'c, 'a>, usize)],
    ) -> Result<V<'c, 'a>, Failure> {
        let start = self.start();
        let cell = start.allocate(
            "memref.alloca",
            MemRefType::new(at.index_type(), &[1], None, None).into(),
            &[],
        )?;
        let number = at.op("memref.load", &[cell, start.index(0)?], at.index_type())?;
        // A loop hands on what it was given.
        self.numbers.insert(value.to_raw().ptr as usize, number);
        for (op, operand) in handed {
            let own = self.number(op.operand(*operand)?)?;
            Cursor::before(*op)?.build("memref.store", &[own, cell, start.index(0)?], &[], &[], vec![])?;
        }
        Ok(number)
    }

    fn start(&self) -> Cursor<'c, 'a> {
        Cursor::start(self.block, self.function.op.location())
    }
}

/// Right behind an operation.
fn behind<'c, 'a>(op: OperationRef<'c, 'a>) -> Result<Cursor<'c, 'a>, Failure> {
    Cursor::before(op.next_in_block().ok_or("stands at the end of a block")?)
}
