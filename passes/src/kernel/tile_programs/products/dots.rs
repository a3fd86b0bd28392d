//! Sums of few rows, with the lanes along what is summed over:
//!
//! ```text
//! %t = scf.for %k step L iter_args(%acc = 0) { %acc + %a[i : rows, k : L] * %b[j : columns, k : L] }
//! kernel.reduce add %t along 2
//! ```
//!
//! Both factors are read as they lie, the right one once for all rows that a tile has: to pack it would take
//! longer than the sums do. A tile's products are all pairs of its rows and columns.

use super::{Factor, Product};
use crate::kernel::tile_programs::{
    cursor::{Cursor, Env, tile_type},
    matrix::Size,
    nest::bound,
    strips::{Part, Strip, Tail, strips},
};
use melior::ir::{ValueLike, attribute::FloatAttribute};
use terrace_dialects::{
    ir::{OperationLike, cursor::V, pass::Failure, shaped::Shaped},
    ops::{Combiner, kernel},
};

impl<'c: 'a, 'a, 'n> Product<'c, 'a, 'n> {
    /// The sums of one register tile, of so many lanes each.
    pub(super) fn dots(
        &self,
        at: Cursor<'c, 'a, '_>,
        env: &Env<'c, 'a>,
        [rows, columns]: [Strip<'c, 'a>; 2],
        lanes: i64,
    ) -> Result<V<'c, 'a>, Failure> {
        let element = self.matmul.element;
        let shape = [rows.lanes, columns.lanes, lanes];
        let start = at.constant_tile(&shape, FloatAttribute::new(at.context, element, 0.0).into())?;
        let inner = Part::whole(bound(self.matmul.extents[self.matmul.k()], env)?);
        let pairs = self.matmul.pairs;
        let total = strips(
            at,
            inner,
            if pairs { 2 * lanes } else { lanes },
            Tail::Masked,
            &[start],
            &mut |at, inner, sums| {
                let mut factors = vec![];
                for (factor, own, dims) in [(&self.lhs, rows, [0, 2]), (&self.rhs, columns, [1, 2])] {
                    let Factor::Matrix(matrix, _) = factor else {
                        return Err("has a factor for 'dots' that is no matrix".into());
                    };
                    let valid = [own.valid, inner.valid];
                    let size = Size { rows: own.lanes, columns: inner.lanes, valid };
                    let mut tile = matrix.load(at, env, [own.base, inner.base], size)?;
                    let narrow = Shaped::expect(tile.r#type())?.element;
                    if narrow != element && !pairs {
                        let wide = tile_type(&[own.lanes, inner.lanes], element);
                        tile = at.op("arith.extf", &[tile], wide)?;
                    }
                    let shape = [rows.lanes, columns.lanes, inner.lanes];
                    let repeated = tile_type(&shape, Shaped::expect(tile.r#type())?.element);
                    let repeated = kernel::broadcast(at.location, &[repeated], tile, &dims);
                    factors.push(at.append(repeated)?.result_at(0)?.into());
                }
                let [left, right] = factors[..] else {
                    return Err("multiplies other than two factors".into());
                };
                if pairs {
                    let sums = kernel::add_pairs(at.location, left, right, sums[0]);
                    return Ok(vec![at.append(sums)?.result_at(0)?.into()]);
                }
                let product = at.op("arith.mulf", &[left, right], tile_type(&shape, element))?;
                Ok(vec![at.add_product(sums[0], product)?])
            },
        )?;
        let sums = kernel::reduce(at.location, Combiner::Add, total[0], Some(2));
        Ok(at.append(sums)?.result_at(0)?.into())
    }
}
