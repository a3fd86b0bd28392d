//! A fake tensor.

use super::Storages;
use crate::aten::{placement::place::Known, rules::TensorType};
use std::rc::Rc;
use terrace_size::{Size, symbols::Symbols};

/// What is known of a tensor.
#[derive(Clone, Debug)]
pub struct Fake<'c> {
    /// Layout, dtype and flags.
    pub known: Rc<Known<Size>>,
    /// The device, None for the CPU.
    pub device: Option<&'c str>,
    /// The storage that it is a view of; several, where that depends on the way that was taken.
    pub storages: Storages,
    /// The object that it is: one that changes its sizes, strides or storage stays the same object.
    pub identity: usize,
}

impl<'c> Fake<'c> {
    /// Its type.
    pub fn ty(&self) -> TensorType<'c> {
        let Known { layout, dtype, .. } = &*self.known;
        TensorType { shape: layout.sizes.clone(), dtype: *dtype, device: self.device, graph: true }
    }

    /// Sizes, strides and offset, then flags, in words.
    pub fn text(&self, symbols: &mut Symbols) -> String {
        let mut list = |sizes: &[Size]| {
            let texts: Vec<String> = sizes
                .iter()
                .map(|size| {
                    let size = symbols.simplified(*size);
                    symbols.text(size)
                })
                .collect();
            texts.join(", ")
        };
        let layout = &self.known.layout;
        let mut text = format!("[{}] strides [{}]", list(&layout.sizes), list(&layout.strides));
        let offset = list(&[layout.offset]);
        if offset != "0" {
            text.push_str(&format!(" offset {offset}"));
        }
        for (flag, name) in [(self.known.conj, " conj"), (self.known.neg, " neg")] {
            text.push_str(if flag { name } else { "" });
        }
        text
    }
}

/// What is known of a value.
#[derive(Clone, Debug)]
pub enum Thing<'c> {
    /// It is a graph tensor.
    Tensor(Fake<'c>),
    /// It is a number.
    Number(Size),
    /// It is poison, which any tensor may be: nobody looks at it.
    Anything,
    /// Nothing.
    Unknown,
}
