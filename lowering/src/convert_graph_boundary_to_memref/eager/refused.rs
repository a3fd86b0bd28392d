//! Views that are refused when the function runs: an error is recorded, and the call goes on where nothing it does reaches other memory.
//!
//! A refused view has the sizes that its type says, those that the run would say are 0, and a single element for all of them, by strides of 0: a
//! zero, for the rest of the call. So what comes after it, which was written for sizes that hold, reads and writes that or nothing.
//!
//! ```text
//! cf.assert %inside, "select(): index out of range"
//! %there = scf.if %inside -> (memref<?xf32, strided<[?], offset: ?>>) { scf.yield %x } else { scf.yield %zeros }
//! %offset = arith.select %inside, %at, %c0
//! ```

use super::{Body, place::Place};
use melior::ir::{OperationRef, ValueLike};
use mlir_sys::mlirOperationSetOperand;
use std::collections::HashMap;
use terrace_dialects::{
    cursor::{Cursor, V},
    dtype::Dtype,
    extent::Extent,
    ir::OperationLike,
    pass::Failure,
};

impl<'c: 'a, 'a> Body<'_, 'c, 'a> {
    /// Places of a view operation where it holds that they may be seen, else a place where that does no harm, in memory that the operation is a view
    /// of from now on. Of a storage that is too small for so many bytes the error is recorded here.
    pub(super) fn unless_refused(
        &mut self,
        op: OperationRef<'c, 'a>,
        (holds, bytes): (V<'c, 'a>, V<'c, 'a>),
        places: Vec<Place<'c, 'a>>,
        dtypes: &mut HashMap<usize, Dtype>,
    ) -> Result<Vec<Place<'c, 'a>>, Failure> {
        let at = Cursor::before(op)?;
        self.elsewhere(op, (holds, bytes), dtypes)?;
        let zero = at.index(0)?;
        let unless = |number: V<'c, 'a>| at.op("arith.select", &[holds, number, zero], at.index_type());
        let safe = |place: Place<'c, 'a>| {
            let size = |size: Extent<'c, 'a>| match size {
                Extent::Number(_) => Ok(size),
                Extent::Value(own) => unless(own).map(Extent::Value),
            };
            Ok(Place {
                sizes: place.sizes.into_iter().map(size).collect::<Result<_, Failure>>()?,
                strides: place.strides.into_iter().map(unless).collect::<Result<_, _>>()?,
                offset: unless(place.offset)?,
            })
        };
        places.into_iter().map(safe).collect()
    }

    /// What an operation is a view of is other memory where something does not hold: an element, or the two parts of one.
    fn elsewhere(
        &mut self,
        op: OperationRef<'c, 'a>,
        (holds, bytes): (V<'c, 'a>, V<'c, 'a>),
        dtypes: &mut HashMap<usize, Dtype>,
    ) -> Result<(), Failure> {
        let (at, source): (_, V) = (Cursor::before(op)?, op.operand(0)?);
        let key = |value: V<'c, 'a>| value.to_raw().ptr as usize;
        let dtype = *dtypes.get(&key(source)).ok_or("is of a tensor that is not known")?;
        let room = at.index(2 * dtype.bytes() as i64)?;
        let there = self.services.elsewhere(&at, (source, dtype), holds, [bytes, room])?;
        dtypes.insert(key(there), dtype);
        self.same.insert(key(there), source);
        // SAFETY: the operation has this operand.
        unsafe { mlirOperationSetOperand(op.to_raw(), 0, there.to_raw()) };
        Ok(())
    }
}
