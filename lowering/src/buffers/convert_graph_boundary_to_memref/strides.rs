//! Strides and offsets as values: what symbols stand for, sums of them, what is decided by them.

use super::{
    rewrite::state::{Boundary, Root, View},
    symbols::Sum,
    words::{CHECK_DISTINCT, Services, Words, refused},
};
use melior::ir::{OperationRef, Value};
use terrace_dialects::{
    internal,
    ir::{
        cursor::{Cursor, V},
        descriptor::Descriptor,
        extent::Extent,
        pass::Failure,
    },
    ops::graph,
};
use terrace_layout::overlap::{ITSELF, REPEATED};

impl<'c, 'a> Boundary<'c, 'a> {
    /// Takes the numbers that a buffer brings along for the symbols of its storage: strides, then the offset.
    pub(super) fn name_symbols(
        &mut self,
        at: OperationRef<'c, 'a>,
        buffer: Value<'c, 'a>,
        view: &View<'c, 'a>,
    ) -> Result<(), Failure> {
        let at = Cursor::before(at)?;
        let Descriptor { strides, offset, .. } = Descriptor::of(&at, buffer)?;
        self.symbols.entry(view.root).or_insert([strides, vec![offset]].concat());
        Ok(())
    }

    /// Sizes and strides of a tensor as values.
    fn geometry(
        &self,
        at: &Cursor<'c, 'a>,
        tensor: Value<'c, 'a>,
    ) -> Result<(Vec<Extent<'c, 'a>>, Vec<V<'c, 'a>>), Failure> {
        if let Some(open) = self.open_geometry(at, tensor)? {
            return Ok(open);
        }
        let View { root, places, .. } = self.view(tensor).expect("collected");
        let strides = places.strides.iter().map(|s| self.value(at, *root, s)).collect::<Result<_, _>>()?;
        Ok((Extent::numbers(&places.sizes), strides))
    }

    /// The value of a stride or an offset.
    pub(super) fn value(&self, at: &Cursor<'c, 'a>, root: Root, sum: &Sum) -> Result<V<'c, 'a>, Failure> {
        let index = at.index_type();
        let mut total = None;
        for (symbol, factor) in &sum.terms {
            let symbols = self.symbols.get(&root);
            let mut term = symbols.ok_or(internal!("a storage has no symbols"))?[*symbol];
            if *factor != 1 {
                term = at.op("arith.muli", &[term, at.index(*factor)?], index)?;
            }
            total = Some(match total {
                None => term,
                Some(sum) => at.op("arith.addi", &[sum, term], index)?,
            });
        }
        match total {
            None => at.index(sum.constant),
            Some(total) if sum.constant == 0 => Ok(total),
            Some(total) => at.op("arith.addi", &[total, at.index(sum.constant)?], index),
        }
    }

    /// Tests that no two elements of a tensor lie in one place.
    pub(super) fn assert_distinct(
        &self,
        op: graph::AssertDistinctOp<'c, 'a>,
        services: &mut Services,
    ) -> Result<(), Failure> {
        let at = Cursor::before(op.operation())?;
        let (sizes, strides) = self.geometry(&at, op.view())?;
        let mut words = Words::new(at);
        words.shape(&sizes, &strides)?;
        let found =
            words.list(&Cursor::start(self.block, at.location))?.call(&at, CHECK_DISTINCT, services)?;
        refused(&at, found, [(1, REPEATED.into()), (3, ITSELF.into())])
    }
}
