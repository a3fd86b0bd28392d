//! Operators on each tensor of a list: the operators on one tensor, in order.

use super::{Resolved, resolver::Resolver};
use melior::ir::{Value, operation::OperationLike};
use terrace_dialects::{builder::Builder, foreach};

/// All of them; in place there are no results.
pub fn singles<'c, 'a>(r: &mut Resolver<'_, 'c, 'a>) -> Resolved<'c, 'a> {
    if foreach::numbers(r.class).is_some() {
        return Err(
            "takes numbers from a tensor when it runs, and has no form as loops yet: give them as a list"
                .into(),
        );
    }
    let mut results = vec![];
    for single in foreach::singles(r.op, r.class)? {
        let mut builder = Builder::new(single.class, r.location());
        for values in &single.operands {
            builder.operands(values);
        }
        for (name, value) in foreach::attributes(r.op) {
            builder.any(&name, value);
        }
        results.extend(r.insert(builder.infer())?.results().map(Value::from));
    }
    Ok(if r.class.is_in_place() { vec![] } else { results })
}
