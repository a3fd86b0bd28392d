//! Operators on each tensor of a list: the operators on one tensor, in order.

use super::{
    Resolved,
    resolver::{Resolver, tensor},
};
use melior::ir::{Value, ValueLike, operation::OperationLike};
use terrace_dialects::{builder::Builder, foreach, ops::graph};

/// All of them; in place there are no results. A number that is an element of a vector is read in front of its operation.
pub fn singles<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    let vector = foreach::numbers(r.class).map(|place| (place, r.operand(place)));
    if let Some((_, vector)) = vector {
        let open = |value: Value<'c, 'a>| tensor(value.r#type()).is_ok_and(|ty| !ty.is_static());
        // Whether a complex number is a real one, and goes with real tensors, is known when the program runs.
        let real = |value: &Value<'c, 'a>| tensor(value.r#type()).is_ok_and(|ty| !ty.dtype.is_complex());
        let all_real = |single: &foreach::Single<'c, 'a>| {
            single.flat().iter().all(|value| *value == vector || real(value))
        };
        let mixed = !real(&vector) && foreach::singles(r.op, r.class)?.iter().any(all_real);
        if mixed || r.op.operands().any(open) {
            return Err("takes numbers from a tensor when it runs, complex ones for real tensors, or of sizes that are known then only: give \
                        them as a list"
                .into());
        }
        let layout = r.layout(vector)?;
        if layout.sizes[0] > 1 && layout.strides[0] != 1 {
            return Err("Expected scalars to be contiguous.".into());
        }
    }
    let (mut results, location) = (vec![], r.location());
    for (entry, single) in foreach::singles(r.op, r.class)?.into_iter().enumerate() {
        let mut operands = single.operands;
        if let Some((place, vector)) = vector {
            let element = r.value(graph::select(location, vector, Some(0), &[], &[entry as i64]))?;
            operands[place] = vec![r.value(graph::item(location, element))?];
        }
        let mut builder = Builder::new(single.class, location);
        for values in &operands {
            builder.operands(values);
        }
        for (name, value) in foreach::attributes(r.op) {
            builder.any(&name, value);
        }
        results.extend(r.insert(builder.infer())?.results().map(Value::from));
    }
    Ok(if r.class.is_in_place() { vec![] } else { results })
}
