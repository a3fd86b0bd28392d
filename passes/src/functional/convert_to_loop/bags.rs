//! Rows of a table reduced by bags, and the gradient of the table.
//!
//! Bags are counted and summed by `loop.scatter`s: the bag of an index is how many bags begin at it or
//! before, less one.

use super::{
    bounds::assert_all,
    indexing::Pick,
    reshape,
    sizes::{self, tensor, text},
    source::Source,
    tables::{ADD, Indices, int, ints, within, word},
};
use crate::emit::{Compare, Emitted, Emitter, Number, Typed};
use melior::ir::{OperationRef, Value, ValueLike};
use terrace_dialects::{
    ir::{
        OperationLike,
        cursor::{Results, V},
        dtype::Dtype,
        extent::Extent,
        pass::Failure,
    },
    loops::scatters::Meeting,
    ops::{Combiner, functional},
};

/// Bags of indices.
struct Bags<'c, 'a> {
    offsets: Indices<'c, 'a>,
    /// How many there are.
    count: Extent<'c, 'a>,
}

impl<'c, 'a> Bags<'c, 'a> {
    /// The bag of each of `all` indices, as a tensor; -1 where there is none.
    fn of_indices(&self, e: &Emitter<'c, 'a>, all: Extent<'c, 'a>) -> Emitted<'c, 'a> {
        let before = e.reduction(ints(e, &[all]), Combiner::Add, &[self.count], |e, i| {
            let begins = self.offsets.load(e, &i[1..])?;
            Ok(e.cast(e.compare(Compare::Le, begins, e.as_i64(i[0])), Dtype::I64))
        })?;
        let source = Source::of_tensor(before, 1, e);
        e.pointwise(ints(e, &[all]), |e, i| Ok(e.sub(source.load(e, i)?, int(e, 1))))
    }

    /// Offsets begin at 0, do not descend, and end within the indices.
    fn check(&self, e: &Emitter<'c, 'a>, all: Extent<'c, 'a>) -> Result<(), Failure> {
        let some = self.offsets.extents[0];
        let (one, last) = match some {
            Extent::Number(0) => return Ok(()),
            Extent::Number(some) => (Extent::Number(1), Extent::Number(some - 1)),
            Extent::Value(some) => {
                let one = e.same("arith.minui", &[some, e.index(1)]);
                (Extent::Value(one), Extent::Value(e.sub(some, one)))
            }
        };
        let first = "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0.";
        assert_all(e, &[one], first, |e, i| Ok(e.compare(Compare::Eq, self.offsets.load(e, i)?, int(e, 0))))?;
        let end = format!("offsets[-1] can not be greater than input's length({})", text(all));
        assert_all(e, &[one], &end, |e, i| {
            // By the index, so that nothing is read where there is no offset.
            let last = self.offsets.load(e, &[e.add(i[0], e.size(last))])?;
            Ok(e.compare(Compare::Le, last, word(e, all)))
        })?;
        assert_all(e, &[last], "expects offsets that do not descend", |e, i| {
            let next = self.offsets.load(e, &[e.add(i[0], e.index(1))])?;
            Ok(e.compare(Compare::Le, self.offsets.load(e, i)?, next))
        })
    }
}

/// The indices of an `_embedding_bag`, and the bags that they are of.
struct Taken<'c, 'a> {
    /// The rows that they are, checked.
    pick: Pick<'c, 'a>,
    indices: Indices<'c, 'a>,
    /// What they were made of.
    dtype: Dtype,
    /// The bag of each.
    bag: Indices<'c, 'a>,
    /// How many there are.
    all: Extent<'c, 'a>,
    /// How many bags there are.
    count: Extent<'c, 'a>,
    /// The size of a domain of them: none where there are no rows or bags when the program runs.
    domain: Extent<'c, 'a>,
    /// Whether there are no rows or no bags.
    empty: bool,
    /// The index that does not count.
    padding: i64,
}

impl<'c, 'a> Taken<'c, 'a> {
    /// Those of an operation, into a table of so many rows; checks them and the offsets.
    fn of(
        view: &functional::InternalEmbeddingBagOp<'c, 'a>,
        rows: Extent<'c, 'a>,
        e: &Emitter<'c, 'a>,
    ) -> Result<Self, Failure> {
        let mut indices = view.indices();
        let dtype = tensor(indices)?.dtype;
        let own = sizes::extents(indices, e)?;
        let all = own.iter().try_fold(Extent::Number(1), |all, size| e.product(all, *size))?;
        if own.len() != 1 {
            indices = reshape::reshape(e, indices, &[all])?;
        }
        let offsets = Indices::of(view.offsets(), e)?;
        let count = match (view.include_last_offset().unwrap_or(false), offsets.extents[0]) {
            (true, Extent::Number(count)) => Extent::Number(count - 1),
            (true, Extent::Value(count)) => Extent::Value(e.sub(count, e.index(1))),
            (false, count) => count,
        };
        let bags = Bags { offsets, count };
        bags.check(e, all)?;
        let message = "embedding_bag: Expected idx >= 0 && idx < num_embeddings";
        let pick = Pick::new(indices, rows, false, message, e)?;
        let indices = Indices { source: Source::of(indices, e)?, extents: vec![all] };
        let bag = Indices::result(bags.of_indices(e, all)?, &[all], e);
        // Of no rows or bags there is nothing to take.
        let empty = rows.is(0) || count.is(0);
        let domain = sizes::unless_empty(&[rows, count], &[all], e)[0];
        let padding = view.padding_idx().unwrap_or(-1);
        Ok(Self { pick, indices, dtype, bag, all, count, domain, empty, padding })
    }

    /// Whether the index at a point counts.
    fn counts(&self, e: &Emitter<'c, 'a>, at: &[V<'c, 'a>]) -> Emitted<'c, 'a> {
        Ok(e.compare(Compare::Ne, self.indices.load(e, at)?, int(e, self.padding)))
    }

    /// A number for each bag: `from`, with what the indices that count bring, which is their places or 1.
    fn one_each(
        &self,
        e: &Emitter<'c, 'a>,
        from: i64,
        meeting: Meeting,
        places: bool,
    ) -> Result<Indices<'c, 'a>, Failure> {
        let mut made = e.filled(ints(e, &[self.count]), Number::Int(from))?;
        if !self.empty {
            made = e.scatter_at(meeting, made, &[self.domain], |e, i| {
                let value = if places { e.as_i64(i[0]) } else { int(e, 1) };
                let neutral = e.constant(value.r#type(), Number::Int(from));
                Ok((e.select(self.counts(e, i)?, value, neutral), vec![e.as_index(self.bag.load(e, i)?)]))
            })?;
        }
        Ok(Indices::result(made, &[self.count], e))
    }
}

/// The rows of a table that bags reduce.
struct Rows<'c, 'a> {
    table: Source<'c, 'a>,
    dtype: Dtype,
    /// How many elements each has.
    width: Extent<'c, 'a>,
    taken: Taken<'c, 'a>,
    /// The factors of the indices.
    samples: Option<Source<'c, 'a>>,
    /// The first index of each bag that counts, where the largest are asked for: a nan there stays the
    /// largest, elsewhere it is none.
    first: Option<Indices<'c, 'a>>,
}

impl<'c, 'a> Rows<'c, 'a> {
    /// The element in a column of the row that the index at a place is.
    fn element(&self, e: &Emitter<'c, 'a>, at: V<'c, 'a>, column: V<'c, 'a>) -> Emitted<'c, 'a> {
        let pick = &self.taken.pick;
        self.table.load(e, &[pick.load(e, &[at], &pick.shape)?, column])
    }

    /// The sums, or the largest elements, of the bags.
    fn reduced(&self, e: &Emitter<'c, 'a>, result: Typed<'c, 'a>) -> Emitted<'c, 'a> {
        let (start, meeting) = match self.first {
            Some(_) => (f64::NEG_INFINITY, Meeting::Combined(Combiner::Max)),
            None => (0.0, ADD),
        };
        let made = e.filled(result, Number::Float(start))?;
        if self.taken.empty {
            return Ok(made);
        }
        e.scatter_at(meeting, made, &[self.taken.domain, self.width], |e, i| {
            let mut own = self.element(e, i[0], i[1])?;
            if let Some(samples) = &self.samples {
                own = e.mul(own, samples.load(e, &i[..1])?);
            }
            let at = e.as_index(self.taken.bag.load(e, &i[..1])?);
            let neutral = e.constant(e.number_type(self.dtype), Number::Float(start));
            let mut taken = self.taken.counts(e, &i[..1])?;
            if let Some(first) = &self.first {
                let is_first = e.compare(Compare::Eq, first.load(e, &[at])?, e.as_i64(i[0]));
                let ordered = e.compare(Compare::Eq, own, own);
                taken = e.and(taken, e.same("arith.ori", &[is_first, ordered]));
            }
            Ok((e.select(taken, own, neutral), vec![at, i[1]]))
        })
    }

    /// What is reduced with bags of nothing as 0, and sums divided by how many they are of.
    fn finished(
        &self,
        e: &Emitter<'c, 'a>,
        result: Typed<'c, 'a>,
        reduced: &Source<'c, 'a>,
        sizes_of: &Indices<'c, 'a>,
    ) -> Emitted<'c, 'a> {
        e.pointwise(result, |e, i| {
            let (own, size) = (reduced.load(e, i)?, sizes_of.load(e, &i[..1])?);
            let some = e.compare(Compare::Gt, size, int(e, 0));
            if self.first.is_some() {
                return Ok(e.select(some, own, e.like(own, 0.0)));
            }
            Ok(e.select(some, e.div(own, e.cast(size, self.dtype)), own))
        })
    }

    /// The rows that the largest elements are of, where these are asked for and there are any.
    fn largest(
        &self,
        e: &Emitter<'c, 'a>,
        reduced: &Source<'c, 'a>,
    ) -> Result<Option<Indices<'c, 'a>>, Failure> {
        let Taken { indices, bag, all, count, domain, .. } = &self.taken;
        let (Some(first), false) = (&self.first, self.taken.empty) else { return Ok(None) };
        // The first index at which the largest element stands.
        let none = e.filled(ints(e, &[*count, self.width]), Number::Int(i64::MAX))?;
        let found =
            e.scatter_at(Meeting::Combined(Combiner::Min), none, &[*domain, self.width], |e, i| {
                let (own, at) = (self.element(e, i[0], i[1])?, e.as_index(bag.load(e, &i[..1])?));
                let here = e.as_i64(i[0]);
                let is_first = e.compare(Compare::Eq, first.load(e, &[at])?, here);
                let first_nan = e.and(is_first, e.compare(Compare::Ne, own, own));
                let stands = e.compare(Compare::Eq, own, reduced.load(e, &[at, i[1]])?);
                let stands = e.and(self.taken.counts(e, &i[..1])?, e.same("arith.ori", &[stands, first_nan]));
                Ok((e.select(stands, here, int(e, i64::MAX)), vec![at, i[1]]))
            })?;
        let found = Source::of_tensor(found, 2, e);
        let rows = e.pointwise(ints(e, &[*count, self.width]), |e, i| {
            let at = found.load(e, i)?;
            let some = e.compare(Compare::Ne, at, int(e, i64::MAX));
            let at = within(e, at, *all);
            let row = match all {
                Extent::Number(0) => int(e, 0),
                Extent::Number(_) => indices.load(e, &[at])?,
                // Of no indices nothing is read.
                Extent::Value(_) => indices.load_where(e, some, at, self.taken.dtype)?,
            };
            Ok(e.select(some, row, int(e, 0)))
        })?;
        Ok(Some(Indices::result(rows, &[*count, self.width], e)))
    }
}

/// `_embedding_bag`: rows summed, averaged or the largest of them by bags; then the bag of each index, how
/// many each bag has, and where its largest elements came from. `mode` is 0 for sums, 1 for means, 2 for the
/// largest.
pub fn embedding_bag<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::InternalEmbeddingBagOp::try_from(op).map_err(|_| "is no _embedding_bag")?;
    let mode = view.mode().unwrap_or(0);
    let (dtype, result) = (tensor(view.weight())?.dtype, sizes::typed(Value::from(op.result_at(0)?), e)?);
    let table_sizes = sizes::extents(view.weight(), e)?;
    let taken = Taken::of(&view, table_sizes[0], e)?;
    let sizes_of = taken.one_each(e, 0, ADD, false)?;
    let samples = view.per_sample_weights().map(|samples| Source::of(samples, e)).transpose()?;
    let table = Source::of(view.weight(), e)?;
    let first = match mode {
        2 => Some(taken.one_each(e, i64::MAX, Meeting::Combined(Combiner::Min), true)?),
        _ => None,
    };
    let rows = Rows { table, dtype, width: table_sizes[1], taken, samples, first };
    let made = rows.reduced(e, result.clone())?;
    let reduced = Source::of_tensor(made, 2, e);
    let output = match mode {
        0 => made,
        _ => rows.finished(e, result, &reduced, &sizes_of)?,
    };
    // A sum does not count, and what eager makes in one go does not tell bags either.
    let list = |number: usize, source: Option<&Indices<'c, 'a>>| -> Emitted<'c, 'a> {
        let result = Value::from(op.result_at(number)?);
        let (made, dtype) = (sizes::typed(result, e)?, tensor(result)?.dtype);
        match source.filter(|_| !made.extents.contains(&Extent::Number(0))) {
            Some(source) => e.pointwise(made, |e, i| Ok(e.cast(source.load(e, i)?, dtype))),
            None => e.filled(made, Number::Int(0)),
        }
    };
    let sizes_of = Some(sizes_of).filter(|_| mode != 0);
    let largest = rows.largest(e, &reduced)?;
    let (of, counted) = (list(1, Some(&rows.taken.bag))?, list(2, sizes_of.as_ref())?);
    // But for the largest elements it is the same once more.
    let last = if mode == 2 { list(3, largest.as_ref())? } else { counted };
    Ok(vec![output, of, counted, last])
}

/// What the gradient of a table of bags is made of.
struct Gradient<'c, 'a> {
    grad: V<'c, 'a>,
    indices: V<'c, 'a>,
    /// The bag of each index.
    of: V<'c, 'a>,
    sizes: V<'c, 'a>,
    largest: V<'c, 'a>,
    samples: Option<V<'c, 'a>>,
    rows: i64,
    by_frequency: bool,
    mode: i64,
    padding: i64,
}

/// That of an operation, and of the bags of its indices: two operations have the same arguments.
macro_rules! gradient {
    ($view:ident, $of:expr) => {
        Gradient {
            grad: $view.grad(),
            indices: $view.indices(),
            of: $of,
            sizes: $view.bag_size(),
            largest: $view.maximum_indices(),
            samples: $view.per_sample_weights(),
            rows: $view.num_weights(),
            by_frequency: $view.scale_grad_by_freq(),
            mode: $view.mode(),
            padding: $view.padding_idx().unwrap_or(-1),
        }
    };
}

impl<'c, 'a> Gradient<'c, 'a> {
    fn write(&self, op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
        let (own, rows, dtype) =
            (sizes::extents(self.grad, e)?, Extent::Number(self.rows), tensor(self.grad)?.dtype);
        let (bags, width) = (own[0], own[1]);
        let zeros = e.filled(sizes::typed(Value::from(op.result_at(0)?), e)?, Number::Int(0))?;
        if bags.is(0) || rows.is(0) {
            return Ok(vec![zeros]);
        }
        let (grads, sizes_of) = (Source::of(self.grad, e)?, Indices::of(self.sizes, e)?);
        if self.mode == 2 {
            let largest = Indices::of(self.largest, e)?;
            let message = format!("expects rows from 0 to {}", self.rows - 1);
            assert_all(e, &own, &message, |e, i| {
                let none = e.compare(Compare::Le, sizes_of.load(e, &i[..1])?, int(e, 0));
                Ok(e.same("arith.ori", &[e.inside(largest.load(e, i)?, word(e, rows)), none]))
            })?;
            let sums = e.scatter_at(ADD, zeros, &own, |e, i| {
                let (grad, row) = (grads.load(e, i)?, largest.load(e, i)?);
                let some = e.compare(Compare::Gt, sizes_of.load(e, &i[..1])?, int(e, 0));
                let value = e.select(some, grad, e.like(grad, 0.0));
                Ok((value, vec![within(e, row, rows), i[1]]))
            })?;
            return Ok(vec![sums]);
        }
        let (indices, of) = (Indices::of(self.indices, e)?, Indices::of(self.of, e)?);
        let samples = self.samples.map(|samples| Source::of(samples, e)).transpose()?;
        let counts = if self.by_frequency { Some(indices.counts(e, rows)?) } else { None };
        let skips = |e: &Emitter<'c, 'a>, row: V<'c, 'a>| e.compare(Compare::Eq, row, int(e, self.padding));
        let inside = |of: &Indices<'c, 'a>, count: Extent<'c, 'a>, what: &str| {
            let last = count.number().map_or("?".to_owned(), |count| (count - 1).to_string());
            assert_all(e, &indices.extents, &format!("expects {what} from 0 to {last}"), |e, i| {
                let inside = e.inside(of.load(e, i)?, word(e, count));
                Ok(e.same("arith.ori", &[inside, skips(e, indices.load(e, i)?)]))
            })
        };
        inside(&indices, rows, "rows")?;
        inside(&of, bags, "bags")?;
        let taken = sizes::unless_empty(&[bags], &indices.extents, e)[0];
        let sums = e.scatter_at(ADD, zeros, &[taken, width], |e, i| {
            let at = &i[..1];
            let index = indices.load(e, at)?;
            let row = within(e, index, rows);
            let bag = within(e, of.load(e, at)?, bags);
            let mut scale = match &samples {
                Some(samples) => samples.load(e, at)?,
                None => e.constant(e.number_type(dtype), Number::Int(1)),
            };
            if let Some(counts) = &counts {
                scale = e.div(scale, e.cast(counts.load(e, &[row])?, dtype));
            }
            if self.mode == 1 {
                scale = e.div(scale, e.cast(sizes_of.load(e, &[bag])?, dtype));
            }
            let own = e.mul(grads.load(e, &[bag, i[1]])?, scale);
            Ok((e.select(skips(e, index), e.like(own, 0.0), own), vec![row, i[1]]))
        })?;
        Ok(vec![sums])
    }
}

/// `_embedding_bag_dense_backward`.
pub fn embedding_bag_dense_backward<'c, 'a>(
    op: OperationRef<'c, 'a>,
    e: &Emitter<'c, 'a>,
) -> Results<'c, 'a> {
    let view = functional::InternalEmbeddingBagDenseBackwardOp::try_from(op)
        .map_err(|_| "is no _embedding_bag_dense_backward")?;
    gradient!(view, view.offset2bag()).write(op, e)
}

/// `_embedding_bag_backward`: the same; a sum does not tell which bag an index is of.
pub fn embedding_bag_backward<'c, 'a>(op: OperationRef<'c, 'a>, e: &Emitter<'c, 'a>) -> Results<'c, 'a> {
    let view = functional::InternalEmbeddingBagBackwardOp::try_from(op)
        .map_err(|_| "is no _embedding_bag_backward")?;
    let (all, told) = (sizes::extents(view.indices(), e)?[0], sizes::extents(view.offset2bag(), e)?[0]);
    let mut of = view.offset2bag();
    let by_offsets = |count: Extent<'c, 'a>| -> Emitted<'c, 'a> {
        Bags { offsets: Indices::of(view.offsets(), e)?, count }.of_indices(e, all)
    };
    let count = sizes::extents(view.offsets(), e)?[0];
    if told.is(0) && !all.is(0) {
        of = by_offsets(count)?;
    } else if let Extent::Value(told) = told {
        // Which it is, is known at run time.
        let (given, index) = (Indices::of(of, e)?, tensor(of)?.dtype);
        let some = e.compare(Compare::Gt, told, e.index(0));
        let count = Extent::Value(e.select(some, e.index(0), e.size(count)));
        let found = Indices::result(by_offsets(count)?, &[all], e);
        of = e.pointwise(ints(e, &[all]), |e, i| {
            Ok(e.select(some, given.load_where(e, some, i[0], index)?, found.load(e, i)?))
        })?;
    }
    gradient!(view, of).write(op, e)
}
