//! From the name of an operation to how it is decoded.

use super::{decode::Op, program::Action};
use std::{collections::HashMap, rc::Rc};

/// Makes an action of an operation, or says what is wrong with it.
pub(crate) type Decode = Rc<dyn Fn(&mut Op) -> Result<Action, String>>;

/// The operations that the interpreter knows.
#[derive(Default)]
pub(crate) struct Table(HashMap<String, Decode>);

impl Table {
    /// Adds an operation.
    pub fn add(&mut self, name: &str, decode: impl Fn(&mut Op) -> Result<Action, String> + 'static) {
        let earlier = self.0.insert(name.to_owned(), Rc::new(decode));
        assert!(earlier.is_none(), "{name} is there already");
    }

    /// Adds an operator of the graph dialect.
    pub fn graph(&mut self, name: &str, decode: impl Fn(&mut Op) -> Result<Action, String> + 'static) {
        self.add(&format!("graph.{name}"), decode);
    }

    /// Adds an operator of the functional dialect.
    pub fn functional(&mut self, name: &str, decode: impl Fn(&mut Op) -> Result<Action, String> + 'static) {
        self.add(&format!("functional.{name}"), decode);
    }

    /// Adds an operator that both dialects have: a value is a tensor whose storage nothing writes.
    pub fn both(&mut self, name: &str, decode: impl Fn(&mut Op) -> Result<Action, String> + Copy + 'static) {
        self.graph(name, decode);
        self.functional(name, decode);
    }

    /// How an operation of that name is decoded.
    pub fn get(&self, name: &str) -> Option<Decode> {
        self.0.get(name).cloned()
    }
}
