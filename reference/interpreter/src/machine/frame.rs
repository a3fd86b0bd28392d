//! Frames: the values of one call of a function, each in its slot.

use crate::semantics::Operand;
use terrace_tensor::{Scalar, Tensor, Value};

/// The place of an SSA value in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot(pub usize);

/// The values of one call of a function.
pub(crate) struct Frame {
    slots: Vec<Option<Value>>,
    /// How many calls are below this one.
    pub depth: usize,
}

impl Frame {
    pub fn new(slots: usize, depth: usize) -> Frame {
        Frame { slots: vec![None; slots], depth }
    }

    /// The value in a slot.
    ///
    /// # Panics
    /// When nothing was put there, which dominance rules out.
    pub fn get(&self, slot: Slot) -> &Value {
        self.slots[slot.0].as_ref().expect("a value is used after its definition")
    }

    /// The values in some slots.
    pub fn get_all(&self, slots: &[Slot]) -> Vec<Value> {
        slots.iter().map(|&slot| self.get(slot).clone()).collect()
    }

    /// The tensor in a slot.
    ///
    /// # Panics
    /// When there is a number, which types rule out.
    pub fn tensor(&self, slot: Slot) -> &Tensor {
        self.get(slot).as_tensor().expect("the type is that of a tensor")
    }

    /// The number in a slot.
    ///
    /// # Panics
    /// When there is a tensor, which types rule out.
    pub fn scalar(&self, slot: Slot) -> Scalar {
        self.get(slot).as_scalar().expect("the type is that of a number")
    }

    /// The tensor or number in a slot, as an operand of an operator.
    pub fn operand(&self, slot: Slot) -> Operand<'_> {
        self.get(slot).into()
    }

    /// Puts a value into a slot.
    pub fn set(&mut self, slot: Slot, value: impl Into<Value>) {
        self.slots[slot.0] = Some(value.into());
    }

    /// Puts values into slots.
    pub fn set_all(&mut self, slots: &[Slot], values: &[Value]) {
        for (&slot, value) in slots.iter().zip(values) {
            self.set(slot, value.clone());
        }
    }
}
