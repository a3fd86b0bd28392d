//! The granule of a storage: the dtype in which it counts.
//!
//! ```text
//! %r = graph.view_dtype %x {dtype = i8} : tensor<4xi32> -> tensor<16xi8>     // then %r[3:] is written
//! ```
//!
//! Usually the granule is the element of the tensor that made the storage, so that its value has that dtype.
//! Here the written view has parts of elements, neither all nor one of each, so the storage counts in `i8`:
//! its value has one more dimension, and a tensor of larger elements reads several granules side by side. The
//! same holds where arguments of different dtypes share a storage. The smallest granule is known when the
//! whole function is, so the function is analyzed again, with what was found before.

use super::{
    state::{Analysis, At},
    tensors::{Granules, Layout, Origin, Source},
    transform::ElementTransform,
};
use melior::ir::{BlockRef, OperationRef};
use std::collections::HashMap;
use terrace_dialects::{internal, ir::dtype::Dtype};
use terrace_size::{Size, symbols::Symbol};

/// As a granule: of one byte any that a value may have.
fn granule(dtype: Dtype) -> Dtype {
    if dtype.bytes() == 1 { Dtype::U8 } else { dtype }
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// Walks over a function of one block. An error is an operation and what is wrong with it.
    ///
    /// `given` are symbols of sizes and numbers that the function gets, where there are some already.
    pub fn of(
        function: OperationRef<'c, 'a>,
        block: BlockRef<'c, 'a>,
        given: &[(Symbol, Source<'c, 'a>)],
    ) -> Result<Self, At<'c, 'a>> {
        let mut granules = Granules::default();
        loop {
            let mut analysis = Self::new();
            given.iter().for_each(|(symbol, source)| analysis.take(*symbol, *source));
            analysis.granules = granules.clone();
            let followed = analysis.function(function, block);
            // Each time a storage counts in smaller elements than before.
            if analysis.finer.is_empty() {
                return followed.map(|()| analysis);
            }
            granules.extend(analysis.finer);
        }
    }

    /// Has the arguments of one declared storage count in the same elements.
    pub(crate) fn shared(&mut self) {
        let mut by_storage: HashMap<&str, Vec<(usize, Dtype)>> = HashMap::new();
        for (number, argument) in self.arguments.iter().enumerate() {
            if let Some(argument) = argument.as_ref().filter(|argument| !argument.logical)
                && let Some(storage) = &argument.declared.storage
            {
                let counted = self.dtype(Origin::Argument(number)).unwrap_or(argument.dtype);
                by_storage.entry(storage).or_default().push((number, counted));
            }
        }
        for arguments in by_storage.into_values() {
            let least = arguments.iter().map(|(_, dtype)| *dtype).min_by_key(|dtype| dtype.bytes());
            for (number, dtype) in &arguments {
                if let Some(least) = least.map(granule)
                    && arguments.iter().any(|(_, other)| other != dtype)
                    && *dtype != least
                {
                    self.finer.insert(Origin::Argument(*number), least);
                }
            }
        }
    }

    /// What a layout covers of a storage, in the elements that it counts in. Where that is not known, they
    /// are to be smaller next time.
    pub(crate) fn span(
        &mut self,
        origin: Origin,
        layout: &Layout,
        transform: ElementTransform,
    ) -> Result<Layout, String> {
        let counted = self.dtype(origin).ok_or(internal!("is in a storage that is not known"))?;
        if let Some((span, _)) = transform.span(layout, counted) {
            return Ok(span);
        }
        let finer = self.finer.entry(origin).or_insert(granule(transform.dtype));
        if transform.dtype.bytes() < finer.bytes() {
            *finer = granule(transform.dtype);
        }
        // All that it may touch, until then.
        let times = (counted.bytes() / transform.dtype.bytes()) as i64;
        let (start, end) = (layout.offset / times, (layout.end() - 1) / times + 1);
        Ok(Layout { sizes: vec![end - start], strides: vec![Size::ONE], offset: start })
    }

    /// What a tensor that has all of a storage covers of it.
    pub(crate) fn whole(&self, origin: Origin, layout: &Layout, dtype: Dtype) -> Layout {
        let counted = self.granules.get(&origin).copied().unwrap_or(dtype);
        ElementTransform::stored(dtype).span(layout, counted).map_or_else(|| layout.clone(), |(span, _)| span)
    }
}
