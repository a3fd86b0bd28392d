//! Inputs of a program from files, and what came of it to files.
//!
//! Inputs are a JSON file of storages and of arguments that view them:
//!
//! ```json
//! {"storages": {"s0": {"dtype": "f32", "data": [1, 2, "nan", 4, 5, 6]}, "s1": {"file": "weights.npy"}},
//!  "args": [{"storage": "s0", "dtype": "f32", "sizes": [2, 3], "strides": [3, 1], "offset": 0, "flags": []},
//!           {"same_as": "args[0]"}, 1.5, 3, true, "-inf"]}
//! ```
//!
//! * A storage has its elements under `data`, or in a .npy file under `file`, whose path is relative to the
//!   JSON file's folder and whose elements are taken as they lie in it. `nan`, `inf` and `-inf` are strings;
//!   a complex number is `[re, im]`.
//! * An argument is a number or a view of a storage. `dtype` is by default the storage's and may be another
//!   one; `strides` (by default contiguous) and `offset` (by default 0) count elements of the argument's
//!   dtype. `flags` may hold "conj" and "neg". `same_as` makes it the same tensor as an earlier argument.
//!
//! Outputs have the same form: `outputs`, then `args` and `storages` as they are after the call. An output
//! that aliases an input names its storage, outputs that alias each other share one, fresh storages are named
//! `new0`, `new1`, ..., and the same tensor as an argument or as an earlier output says `same_as`. Many
//! elements go to a .npy file; a fake storage says under `fake` how many it would have.
//!
//! Whatever is wrong with a file is one [`IoError`] that says where and what would be right.

mod error;
mod json;
mod list;
mod npy;
mod read;
mod write;

pub use error::IoError;
pub use list::parse_list;
pub use npy::{read_npy, write_npy};
pub use read::{parse_inputs, read_inputs};
pub use write::{inputs_to_json, outputs_to_json, write_outputs};

use crate::{storage::Storage, value::Value};
use terrace_layout::dtype::Dtype;

/// A storage as a file names it.
#[derive(Debug, Clone)]
pub struct NamedStorage {
    /// Its name: letters, digits, `_`, `-` and `.`.
    pub name: String,
    /// The dtype its elements are listed in.
    pub dtype: Dtype,
    /// The memory.
    pub storage: Storage,
}

/// What a program is called with.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// The storages, in the order of the file.
    pub storages: Vec<NamedStorage>,
    /// The arguments.
    pub args: Vec<Value>,
}
