//! What a storage counts in.
//!
//! A storage counts in elements of the tensor that made it, so that its value has their dtype. Where a view in a dtype of smaller elements has parts of
//! these, neither all nor one of each, or arguments of different dtypes share a storage, it counts in the smallest elements that are seen: its
//! value has one more dimension, and a tensor of larger elements reads several side by side. Which elements these are is known when the
//! whole function is: so it is followed again, with what was found before.

use super::{
    seen::Seen,
    state::{Analysis, At},
    tensors::{Cells, Layout, Origin, Source},
};
use melior::ir::{BlockRef, OperationRef};
use std::collections::HashMap;
use terrace_dialects::{internal, ir::dtype::Dtype};
use terrace_size::{Size, symbols::Symbol};

/// As cells: of one byte any that a value may have.
fn cell(dtype: Dtype) -> Dtype {
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
        let mut cells = Cells::default();
        loop {
            let mut analysis = Self::new();
            given.iter().for_each(|(symbol, source)| analysis.take(*symbol, *source));
            analysis.cells = cells.clone();
            let followed = analysis.function(function, block);
            // Each time a storage counts in smaller elements than before.
            if analysis.finer.is_empty() {
                return followed.map(|()| analysis);
            }
            cells.extend(analysis.finer);
        }
    }

    /// Has the arguments of one declared storage count in the same elements.
    pub(crate) fn shared(&mut self) {
        let mut by_storage: HashMap<&str, Vec<(usize, Dtype)>> = HashMap::new();
        for (number, argument) in self.arguments.iter().enumerate() {
            if let Some(argument) = argument.as_ref().filter(|argument| !argument.framed)
                && let Some(storage) = &argument.declared.storage
            {
                let counted = self.dtype(Origin::Argument(number)).unwrap_or(argument.dtype);
                by_storage.entry(storage).or_default().push((number, counted));
            }
        }
        for arguments in by_storage.into_values() {
            let least = arguments.iter().map(|(_, dtype)| *dtype).min_by_key(|dtype| dtype.bytes());
            for (number, dtype) in &arguments {
                if let Some(least) = least.map(cell)
                    && arguments.iter().any(|(_, other)| other != dtype)
                    && *dtype != least
                {
                    self.finer.insert(Origin::Argument(*number), least);
                }
            }
        }
    }

    /// What a layout covers of a storage, in the elements that it counts in. Where that is not known, they are to be smaller next time.
    pub(crate) fn span(&mut self, origin: Origin, layout: &Layout, seen: Seen) -> Result<Layout, String> {
        let counted = self.dtype(origin).ok_or(internal!("is in a storage that is not known"))?;
        if let Some((span, _)) = seen.span(layout, counted) {
            return Ok(span);
        }
        let finer = self.finer.entry(origin).or_insert(cell(seen.dtype));
        if seen.dtype.bytes() < finer.bytes() {
            *finer = cell(seen.dtype);
        }
        // All that it may touch, until then.
        let times = (counted.bytes() / seen.dtype.bytes()) as i64;
        let (start, end) = (layout.offset / times, (layout.end() - 1) / times + 1);
        Ok(Layout { sizes: vec![end - start], strides: vec![Size::ONE], offset: start })
    }

    /// What a tensor that has all of a storage covers of it.
    pub(crate) fn whole(&self, origin: Origin, layout: &Layout, dtype: Dtype) -> Layout {
        let counted = self.cells.get(&origin).copied().unwrap_or(dtype);
        Seen::stored(dtype).span(layout, counted).map_or_else(|| layout.clone(), |(span, _)| span)
    }
}
