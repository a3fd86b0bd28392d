//! Truth values beside tensors through control flow: the operations of scf get more operands, arguments and results for them.

use super::{
    by_way::{ByWay, address},
    sizes::truth,
};
use melior::ir::{Identifier, OperationRef, Region, RegionLike, Type, Value, ValueLike};
use mlir_sys::*;
use terrace_dialects::{
    context,
    cursor::{Cursor, V},
    ir::{BlockLike, OperationLike},
    operations::{arguments, blocks, name_of},
    pass::Failure,
};

impl<'d, 'g, 'c: 'a, 'a> ByWay<'d, 'g, 'c, 'a> {
    /// An operation of scf hands truth values on beside its tensors.
    pub(super) fn flow(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let name = name_of(op);
        let inner = blocks(op);
        let results = self.open(op.results().map(Value::from));
        let carried = match name {
            "scf.for" | "scf.while" => {
                self.open(inner.first().into_iter().flat_map(|block| arguments(*block)))
            }
            _ => vec![],
        };
        if results.is_empty() && carried.is_empty() {
            return inner.into_iter().try_for_each(|block| self.block(block));
        }
        let at = Cursor::before(op)?;
        // What comes in stands behind the bounds of a loop that counts, whose first argument is the count.
        let (bounds, count) = if name == "scf.for" { (3, 1) } else { (0, 0) };
        let place = |value: V<'c, 'a>, values: &[V<'c, 'a>]| {
            values.iter().position(|own| *own == value).ok_or("is handed on from nowhere")
        };
        let mut operands: Vec<V> = op.operands().collect();
        let first: Vec<V> = inner.first().into_iter().flat_map(|block| arguments(*block)).collect();
        let mut slots = vec![];
        for (value, flag) in &carried {
            let slot = place(*value, &first)? - count;
            operands.push(self.truth(&at, (op.operand(bounds + slot)?, *flag))?);
            slots.push((slot, *flag));
        }
        let old: Vec<V> = op.results().map(Value::from).collect();
        let given: Vec<(usize, usize)> = results
            .iter()
            .map(|(value, flag)| Ok((place(*value, &old)?, *flag)))
            .collect::<Result<_, Failure>>()?;
        let new = self.widened(op, &operands, &vec![truth(&at); results.len()])?;
        for (k, (number, flag)) in given.iter().enumerate() {
            let (value, truth): (V, V) =
                (new.result_at(*number)?.into(), new.result_at(old.len() + k)?.into());
            self.truths.insert((address(value), *flag), truth);
        }
        for (value, flag) in carried {
            let block = inner[0];
            let truth = block.add_argument(truth(&at), at.location);
            self.truths.insert((address(value), flag), truth);
        }
        // What the second region of a loop takes is what its condition passes on, as its results are.
        if name == "scf.while" {
            for (number, flag) in &given {
                let value = inner[1].argument(*number)?.into();
                let truth = inner[1].add_argument(truth(&at), at.location);
                self.truths.insert((address(value), *flag), truth);
            }
        }
        for (region, block) in inner.iter().enumerate() {
            self.block(*block)?;
            let end = block.terminator().ok_or("has no end")?;
            let (handed, skipped) = match (name, region) {
                ("scf.while", 0) => (&given, 1),
                ("scf.for", _) | ("scf.while", _) => (&slots, 0),
                _ => (&given, 0),
            };
            let at = Cursor::before(end)?;
            let mut all: Vec<V> = end.operands().collect();
            for (number, flag) in handed {
                all.push(self.truth(&at, (end.operand(skipped + number)?, *flag))?);
            }
            let raw: Vec<MlirValue> = all.iter().map(|value| value.to_raw()).collect();
            // SAFETY: there are as many values as it says.
            unsafe { mlirOperationSetOperands(end.to_raw(), raw.len() as isize, raw.as_ptr()) };
        }
        Ok(())
    }

    /// The operation with these operands, and with more results, which has the regions; the old one is gone.
    fn widened(
        &mut self,
        op: OperationRef<'c, 'a>,
        operands: &[V<'c, 'a>],
        more: &[Type<'c>],
    ) -> Result<OperationRef<'c, 'a>, Failure> {
        let own = op.results().map(|result| result.r#type());
        let types: Vec<Type> = own.chain(more.iter().copied()).collect();
        let regions = (0..op.region_count()).map(|_| Region::new()).collect();
        let context = context::of(op.context());
        let attributes: Vec<_> = op
            .attributes()
            .map(|(name, value)| {
                let name = name.as_string_ref().as_str().unwrap_or_default().to_owned();
                (Identifier::new(context, &name), value)
            })
            .collect();
        let new = Cursor::before(op)?.build(name_of(op), operands, &types, &attributes, regions)?;
        for region in 0..op.region_count() {
            // SAFETY: both operations have this region.
            unsafe { mlirRegionTakeBody(new.region(region)?.to_raw(), op.region(region)?.to_raw()) };
        }
        let (old, results): (Vec<V>, Vec<V>) =
            (op.results().map(Value::from).collect(), new.results().map(Value::from).collect());
        self.replace(op, &old, &results)?;
        Ok(new)
    }
}
