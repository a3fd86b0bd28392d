//! What a core knows of where its arguments lie: `functional.layout` of those that are not contiguous.

use crate::graph::functionalize::{
    analysis::{state::Analysis, tensors::Origin},
    boundary::plan::Input,
    rewriting::storages::{Source, Storages},
};
use melior::ir::{Attribute, OperationRef, attribute::StridedLayoutAttribute};
use terrace_dialects::ir::{OperationLike, annotations::LAYOUT, arguments, context};
use terrace_size::{DYNAMIC, Size};

/// Declares the layouts of a core's arguments; `?` is what is known at run time only.
pub fn declare(core: OperationRef, inputs: &[Input], analysis: &Analysis, storages: &Storages) {
    let mut declared: Vec<(usize, &str, Attribute)> = vec![];
    for (number, input) in inputs.iter().enumerate() {
        let Input::Storage(storage) = input else { continue };
        let storage = &storages.list[*storage];
        let logical = matches!(storage.source, Source::Whole(i) if analysis.is_logical(Origin::Argument(i)));
        if storage.base.is_contiguous() && storage.base.offset.known().is_some() && !logical {
            continue;
        }
        let known = |n: Size| if logical { DYNAMIC } else { n.simplified().in_type() };
        let strides: Vec<i64> = storage.base.strides.iter().map(|n| known(*n)).collect();
        // Where the base begins is where the tensor that the core gets begins.
        let layout =
            StridedLayoutAttribute::new(context::of(core.context()), known(storage.base.offset), &strides);
        declared.push((number, LAYOUT, layout.into()));
    }
    arguments::set_attributes(core, &declared);
}
