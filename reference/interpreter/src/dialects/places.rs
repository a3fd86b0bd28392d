//! Operators that read and write at places which tensors of indices name.

use super::operators::Indices;
use crate::{
    machine::{Action, Frame, Op, Table},
    semantics::{
        Result,
        combine::Combine,
        copy, flat,
        places::{self, copied},
    },
};
use terrace_dialects::ir::attributes;
use terrace_tensor::{Scalar, Tensor};

pub(super) fn register(table: &mut Table) {
    table.both("gather", |op| {
        let (x, dim, index) = (op.tensor(0), op.int("dim")?, op.tensor(1));
        op.value(move |f| places::gather(f.tensor(x), dim, f.tensor(index)))
    });
    for (name, how, functional) in [
        ("scatter.src", Some(Combine::Replace), true),
        ("scatter.value", Some(Combine::Replace), false),
        ("scatter_add", Some(Combine::Sum), true),
        ("scatter.reduce", None, false),
        ("scatter.value_reduce", None, false),
        // By its attributes.
        ("scatter_reduce.two", None, true),
    ] {
        forms(table, name, functional, copied, move |op| scatter(op, how));
    }
    table.graph("index_select", |op| {
        let (x, dim, index) = (op.tensor(0), op.int("dim")?, op.tensor(1));
        op.value(move |f| places::index_select(f.tensor(x), dim, f.tensor(index)))
    });
    forms(table, "index_copy", false, copied, |op| {
        let (dim, index, source) = (op.int("dim")?, op.tensor(1), op.tensor(2));
        Ok(Box::new(move |f, x| places::index_copy_(x, dim, f.tensor(index), f.tensor(source))))
    });
    forms(table, "index_add", false, copied, |op| {
        let (dim, index, source, alpha) = (op.int("dim")?, op.tensor(1), op.tensor(2), op.optional(3));
        Ok(Box::new(move |f, x| {
            let alpha = alpha.map_or(Scalar::Int(1), |slot| f.scalar(slot));
            places::index_add_(x, dim, f.tensor(index), f.tensor(source), alpha)
        }))
    });
    forms(table, "index_fill", false, copy::clone, |op| {
        let (dim, index, value) = (op.int("dim")?, op.tensor(1), op.tensor(2));
        Ok(Box::new(move |f, x| places::index_fill_(x, dim, f.tensor(index), f.operand(value))))
    });
    forms(table, "index_put", true, copy::clone, |op| {
        let (indices, values, accumulate) = (Indices::of(op, 1)?, op.tensor(2), op.flag("accumulate"));
        Ok(Box::new(move |f, x| places::index_put_(x, &indices.get(f), f.tensor(values), accumulate)))
    });
    forms(table, "put", false, copy::clone, |op| {
        let (index, source, accumulate) = (op.tensor(1), op.tensor(2), op.flag("accumulate"));
        Ok(Box::new(move |f, x| flat::put_(x, f.tensor(index), f.tensor(source), accumulate)))
    });
    for (name, scatter) in [
        ("masked_scatter", flat::masked_scatter as fn(&Tensor, &Tensor, &Tensor) -> Result<Tensor>),
        ("masked_scatter_", flat::masked_scatter_),
    ] {
        table.graph(name, move |op| {
            let [x, mask, source] = [0, 1, 2].map(|place| op.tensor(place));
            op.value(move |f| scatter(f.tensor(x), f.tensor(mask), f.tensor(source)))
        });
    }
    table.graph("take", |op| {
        let (x, index) = (op.tensor(0), op.tensor(1));
        op.value(move |f| flat::take(f.tensor(x), f.tensor(index)))
    });
    table.graph("_unsafe_masked_index_put_accumulate", |op| {
        let (x, mask, indices, values) = (op.tensor(0), op.tensor(1), Indices::of(op, 2)?, op.tensor(3));
        op.value(move |f| {
            places::masked_index_put_accumulate(
                f.tensor(x),
                f.tensor(mask),
                &indices.get(f),
                f.tensor(values),
            )
        })
    });
}

/// What an operator does to the tensor that it writes.
type Write = Box<dyn Fn(&Frame, &Tensor) -> Result<Tensor>>;

fn scatter(op: &mut Op, how: Option<Combine>) -> std::result::Result<Write, String> {
    let (dim, index, source) = (op.int("dim")?, op.tensor(1), op.tensor(2));
    let (how, own) = match how {
        Some(how) => (how, how != Combine::Replace),
        None => {
            let name = attributes::string(op.required("reduce")?);
            let own = op.attribute("include_self").is_none_or(attributes::bool);
            let how = match name.as_str() {
                "add" => Combine::Sum,
                "multiply" => Combine::Product,
                name => Combine::of_name(name).map_err(|error| error.to_string())?,
            };
            (how, own)
        }
    };
    Ok(Box::new(move |f, x| places::scatter_(x, dim, f.tensor(index), f.operand(source), how, own)))
}

/// Adds an operator that writes its first operand, and the forms that write a copy of it.
fn forms(
    table: &mut Table,
    name: &str,
    functional: bool,
    copy: fn(&Tensor) -> Result<Tensor>,
    decode: impl Fn(&mut Op) -> std::result::Result<Write, String> + Copy + 'static,
) {
    let new = move |op: &mut Op| -> std::result::Result<Action, String> {
        let (x, write) = (op.tensor(0), decode(op)?);
        op.value(move |f| write(f, &copy(f.tensor(x))?))
    };
    match functional {
        true => table.both(name, new),
        false => table.graph(name, new),
    }
    let in_place = match name.split_once('.') {
        Some((base, overload)) => format!("{base}_.{overload}"),
        None => format!("{name}_"),
    };
    table.graph(&in_place, move |op| {
        let (x, write) = (op.tensor(0), decode(op)?);
        op.value(move |f| write(f, f.tensor(x)))
    });
}
