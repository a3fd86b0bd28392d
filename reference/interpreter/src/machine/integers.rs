//! Lists of integers, some of them known when an operation is decoded, some of them operands.

use super::frame::{Frame, Slot};
use crate::semantics;
use terrace_size::DYNAMIC;

/// A list of integers, some of them operands.
#[derive(Debug, Clone)]
pub(crate) struct Integers(Vec<Integer>);

#[derive(Debug, Clone, Copy)]
enum Integer {
    Known(i64),
    Operand(Slot),
}

impl Integers {
    /// Static entries, with operands in place of those that are [`DYNAMIC`].
    pub fn new(entries: &[i64], operands: &[Slot]) -> Result<Integers, String> {
        let mut operands = operands.iter();
        let mismatch = || "has another number of dynamic entries than of operands for them".to_owned();
        let entry = |&entry: &i64| match entry {
            DYNAMIC => operands.next().map(|&slot| Integer::Operand(slot)).ok_or_else(mismatch),
            known => Ok(Integer::Known(known)),
        };
        let entries = entries.iter().map(entry).collect::<Result<_, _>>()?;
        if operands.next().is_some() { Err(mismatch()) } else { Ok(Integers(entries)) }
    }

    /// The integers, in a frame.
    pub fn get(&self, frame: &Frame) -> Vec<i64> {
        let entry = |entry: &Integer| match *entry {
            Integer::Known(value) => value,
            Integer::Operand(slot) => frame.scalar(slot).to_i64(),
        };
        self.0.iter().map(entry).collect()
    }

    /// The only integer, in a frame.
    pub fn one(&self, frame: &Frame) -> semantics::Result<i64> {
        self.optional(frame)?.ok_or_else(|| semantics::Error::new("a number is missing"))
    }

    /// The only integer, if there is one.
    pub fn optional(&self, frame: &Frame) -> semantics::Result<Option<i64>> {
        match self.get(frame).as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            list => Err(semantics::Error::new(format!("one number is wanted, not {}", list.len()))),
        }
    }
}
