//! Operators on each tensor of a list: the types are those of the operators on one tensor.

use super::{Size, Types};
use crate::{args::Args, foreach};

/// The results of each, in order; in place none.
pub fn foreach<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut types = vec![];
    for single in foreach::of_args(args)? {
        if single.class.name == "graph.max"
            && args.tensors(0)?.iter().any(|own| own.elements() == Some(Size::ZERO))
        {
            return Err("_foreach_max cannot compute the maximum of an empty tensor; max over zero elements is undefined.".into());
        }
        let infer = single.class.infer.ok_or("has no rule")?;
        let operands = single.flat();
        let attribute = |name: &str| args.attribute(name);
        types.extend(infer(&args.other(single.class, &operands, &attribute))?);
    }
    Ok(if args.class().is_in_place() { vec![] } else { types })
}
