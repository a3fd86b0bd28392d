//! Views of graph, the views of functional, and their scatters.

use crate::{
    machine::{Action, Frame, Integers, Op, Table},
    semantics::{Result, copy, scatter, split, views},
};
use terrace_tensor::Tensor;

/// What [`views::slice`] takes for an end that is the dimension's.
const END: i64 = i64::MAX;

pub(super) fn register(table: &mut Table) {
    shapes(table);
    parts(table);
    scatters(table);
}

/// Adds a view without attributes.
fn plain(table: &mut Table, name: &str, view: fn(&Tensor) -> Result<Tensor>) {
    table.graph(name, move |op| {
        let x = op.tensor(0);
        op.value(move |f| view(f.tensor(x)))
    });
}

fn shapes(table: &mut Table) {
    plain(table, "alias", copy::alias);
    plain(table, "detach", copy::alias);
    plain(table, "t", views::t);
    plain(table, "mT", views::mt);
    for (name, first, second) in [("transpose", "dim0", "dim1"), ("swapaxes", "axis0", "axis1")] {
        table.graph(name, move |op| {
            let (x, first, second) = (op.tensor(0), op.int(first)?, op.int(second)?);
            op.value(move |f| views::transpose(f.tensor(x), first, second))
        });
    }
    table.graph("movedim", |op| {
        let (x, source, destination) = (op.tensor(0), op.ints("source")?, op.ints("destination")?);
        op.value(move |f| views::movedim(f.tensor(x), &source, &destination))
    });
    table.both("permute", |op| {
        let (x, dims) = (op.tensor(0), op.ints("dims")?);
        op.value(move |f| views::permute(f.tensor(x), &dims))
    });
    table.both("unsqueeze", |op| {
        let (x, dim) = (op.tensor(0), op.int("dim")?);
        op.value(move |f| views::unsqueeze(f.tensor(x), dim))
    });
    table.both("squeeze", |op| {
        let (x, dims) = (op.tensor(0), op.optional_ints("dim"));
        op.value(move |f| views::squeeze(f.tensor(x), dims.as_deref()))
    });
    table.graph("view", |op| {
        let (x, sizes) = (op.tensor(0), op.dynamic_ints("size", 1)?);
        op.value(move |f| views::view(f.tensor(x), &sizes.get(f)))
    });
    // The elements of a value have an order but no strides.
    table.functional("view", |op| {
        let (x, sizes) = (op.tensor(0), op.dynamic_ints("size", 1)?);
        op.value(move |f| views::view(&copy::packed(f.tensor(x))?, &sizes.get(f)))
    });
    table.graph("view_as", |op| {
        let (x, other) = (op.tensor(0), op.tensor(1));
        op.value(move |f| views::view(f.tensor(x), f.tensor(other).sizes()))
    });
    table.graph("unflatten", |op| {
        let (x, dim, sizes) = (op.tensor(0), op.int("dim")?, op.dynamic_ints("sizes", 1)?);
        op.value(move |f| views::unflatten(f.tensor(x), dim, &sizes.get(f)))
    });
    table.both("expand", |op| {
        let (x, sizes) = (op.tensor(0), op.dynamic_ints("size", 1)?);
        op.value(move |f| views::expand(f.tensor(x), &sizes.get(f)))
    });
    table.graph("expand_as", |op| {
        let (x, other) = (op.tensor(0), op.tensor(1));
        op.value(move |f| views::expand(f.tensor(x), f.tensor(other).sizes()))
    });
    table.graph("as_strided", |op| {
        let (x, strided) = (op.tensor(0), Strided::of(op, 1)?);
        op.value(move |f| {
            let (sizes, strides, offset) = strided.get(f)?;
            views::as_strided(f.tensor(x), &sizes, &strides, offset)
        })
    });
    table.functional("as_strided", |op| {
        let (x, strided) = (op.tensor(0), Strided::of(op, 1)?);
        op.value(move |f| {
            let (sizes, strides, offset) = strided.get(f)?;
            scatter::as_strided_value(f.tensor(x), &sizes, &strides, offset)
        })
    });
}

fn parts(table: &mut Table) {
    table.both("select", |op| {
        let (x, dim, index) = (op.tensor(0), op.int_or("dim", 0), op.dynamic_ints("index", 1)?);
        op.value(move |f| views::select(f.tensor(x), dim, index.one(f)?))
    });
    table.both("slice", |op| {
        let (x, slice) = (op.tensor(0), Slice::of(op, 1)?);
        op.value(move |f| {
            let (start, end, step) = slice.get(f)?;
            views::slice(f.tensor(x), slice.dim, start, end, step)
        })
    });
    table.graph("narrow", |op| {
        let (x, dim) = (op.tensor(0), op.int("dim")?);
        let (start, length) = (op.dynamic_ints("start", 1)?, op.dynamic_ints("length", 2)?);
        op.value(move |f| views::narrow(f.tensor(x), dim, start.one(f)?, length.one(f)?))
    });
    table.both("diagonal", |op| {
        let (x, [offset, dim1, dim2]) = (op.tensor(0), diagonal(op));
        op.value(move |f| views::diagonal(f.tensor(x), offset, dim1, dim2))
    });
    table.graph("unfold", |op| {
        let (x, dim, size, step) = (op.tensor(0), op.int("dimension")?, op.int("size")?, op.int("step")?);
        op.value(move |f| views::unfold(f.tensor(x), dim, size, step))
    });
    table.graph("split", |op| {
        let (x, size, dim) = (op.tensor(0), op.int("split_size")?, op.int_or("dim", 0));
        op.values(move |f| split::split(f.tensor(x), size, dim))
    });
    table.graph("split_with_sizes", |op| {
        let (x, sizes, dim) = (op.tensor(0), op.ints("split_sizes")?, op.int_or("dim", 0));
        op.values(move |f| split::split_with_sizes(f.tensor(x), &sizes, dim))
    });
    table.graph("chunk", |op| {
        let (x, chunks, dim) = (op.tensor(0), op.int("chunks")?, op.int_or("dim", 0));
        op.values(move |f| split::chunk(f.tensor(x), chunks, dim))
    });
    table.graph("unbind", |op| {
        let (x, dim) = (op.tensor(0), op.int_or("dim", 0));
        op.values(move |f| split::unbind(f.tensor(x), dim))
    });
}

fn scatters(table: &mut Table) {
    table.functional("select_scatter", |op| {
        let (x, src) = (op.tensor(0), op.tensor(1));
        let (dim, index) = (op.int_or("dim", 0), op.dynamic_ints("index", 2)?);
        op.value(move |f| scatter::select_scatter(f.tensor(x), f.tensor(src), dim, index.one(f)?))
    });
    table.graph("select_scatter", |op| {
        let (x, src) = (op.tensor(0), op.tensor(1));
        let (dim, index) = (op.int_or("dim", 0), op.dynamic_ints("index", 2)?);
        op.value(move |f| {
            let index = index.one(f)?;
            scatter::replaced(f.tensor(x), f.tensor(src), |copy| views::select(copy, dim, index))
        })
    });
    table.functional("slice_scatter", |op| {
        let (x, src, slice) = (op.tensor(0), op.tensor(1), Slice::of(op, 2)?);
        op.value(move |f| {
            let (start, end, step) = slice.get(f)?;
            scatter::slice_scatter(f.tensor(x), f.tensor(src), slice.dim, start, end, step)
        })
    });
    table.graph("slice_scatter", |op| {
        let (x, src, slice) = (op.tensor(0), op.tensor(1), Slice::of(op, 2)?);
        op.value(move |f| {
            let (start, end, step) = slice.get(f)?;
            let view = |copy: &_| views::slice(copy, slice.dim, start, end, step);
            scatter::replaced(f.tensor(x), f.tensor(src), view)
        })
    });
    table.functional("diagonal_scatter", |op| {
        let (x, src, [offset, dim1, dim2]) = (op.tensor(0), op.tensor(1), diagonal(op));
        op.value(move |f| scatter::diagonal_scatter(f.tensor(x), f.tensor(src), offset, dim1, dim2))
    });
    table.graph("diagonal_scatter", |op| {
        let (x, src, [offset, dim1, dim2]) = (op.tensor(0), op.tensor(1), diagonal(op));
        op.value(move |f| {
            let view = |copy: &_| views::diagonal(copy, offset, dim1, dim2);
            scatter::replaced(f.tensor(x), f.tensor(src), view)
        })
    });
    table.functional("as_strided_scatter", |op| -> std::result::Result<Action, String> {
        let (x, src, strided) = (op.tensor(0), op.tensor(1), Strided::of(op, 2)?);
        op.value(move |f| {
            let (sizes, strides, offset) = strided.get(f)?;
            scatter::as_strided_scatter(f.tensor(x), f.tensor(src), &sizes, &strides, offset)
        })
    });
    table.graph("as_strided_scatter", |op| -> std::result::Result<Action, String> {
        let (x, src, strided) = (op.tensor(0), op.tensor(1), Strided::of(op, 2)?);
        op.value(move |f| {
            let (sizes, strides, offset) = strided.get(f)?;
            let view = |copy: &_| views::as_strided(copy, &sizes, &strides, offset);
            scatter::replaced(f.tensor(x), f.tensor(src), view)
        })
    });
}

fn diagonal(op: &Op) -> [i64; 3] {
    [op.int_or("offset", 0), op.int_or("dim1", 0), op.int_or("dim2", 1)]
}

/// What a slice is made of; each part may be left out.
struct Slice {
    dim: i64,
    start: Integers,
    end: Integers,
    step: Integers,
}

impl Slice {
    /// Decodes the three lists, whose dynamic entries are operands `first` and after.
    fn of(op: &Op, first: usize) -> std::result::Result<Slice, String> {
        Ok(Slice {
            dim: op.int_or("dim", 0),
            start: op.dynamic_ints("start", first)?,
            end: op.dynamic_ints("end", first + 1)?,
            step: op.dynamic_ints("step", first + 2)?,
        })
    }

    fn get(&self, frame: &Frame) -> Result<(Option<i64>, Option<i64>, i64)> {
        let end = self.end.optional(frame)?.filter(|&end| end != END);
        Ok((self.start.optional(frame)?, end, self.step.optional(frame)?.unwrap_or(1)))
    }
}

/// What a strided view is made of; the offset may be left out.
struct Strided {
    sizes: Integers,
    strides: Integers,
    offset: Integers,
}

impl Strided {
    fn of(op: &Op, first: usize) -> std::result::Result<Strided, String> {
        Ok(Strided {
            sizes: op.dynamic_ints("size", first)?,
            strides: op.dynamic_ints("stride", first + 1)?,
            offset: op.dynamic_ints("storage_offset", first + 2)?,
        })
    }

    fn get(&self, frame: &Frame) -> Result<(Vec<i64>, Vec<i64>, Option<i64>)> {
        Ok((self.sizes.get(frame), self.strides.get(frame), self.offset.optional(frame)?))
    }
}
