//! Operators on each tensor of a list: the types are those of the operators on one tensor.

use super::{Size, Types};
use crate::{args::Args, foreach};

/// The results of each, in order; in place none.
pub fn foreach<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let mut types = vec![];
    for single in foreach::of_args(args)? {
        let operands = single.flat();
        let attribute = |name: &str| args.attribute(name);
        let one = args.other(single.class, &operands, &attribute);
        if single.class.name == "graph.max" && one.tensor(0)?.elements() == Some(Size::ZERO) {
            return Err("_foreach_max cannot compute the maximum of an empty tensor; max over zero elements is undefined.".into());
        }
        types.extend(single.class.results(&one)?);
    }
    Ok(if args.class().is_in_place() { vec![] } else { types })
}
