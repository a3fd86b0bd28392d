//! From the name of an operation to how it is decoded.

use super::{decode::Op, program::Action};
use std::{collections::HashMap, rc::Rc};

/// Makes an action of an operation, or says what is wrong with it.
pub(crate) type Decode = Rc<dyn Fn(&mut Op) -> Result<Action, String>>;

/// The operations that the interpreter knows.
#[derive(Default)]
pub(crate) struct Table {
    operations: HashMap<String, Decode>,
    /// How those of a dialect are decoded that are not among them.
    others: HashMap<String, Decode>,
}

impl Table {
    /// Adds an operation.
    pub fn add(&mut self, name: &str, decode: impl Fn(&mut Op) -> Result<Action, String> + 'static) {
        let earlier = self.operations.insert(name.to_owned(), Rc::new(decode));
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

    /// Adds all other operations of a dialect.
    pub fn add_others(
        &mut self,
        dialect: &str,
        decode: impl Fn(&mut Op) -> Result<Action, String> + 'static,
    ) {
        self.others.insert(dialect.to_owned(), Rc::new(decode));
    }

    /// How an operation of that name is decoded.
    pub fn get(&self, name: &str) -> Option<Decode> {
        let dialect = || name.split_once('.').and_then(|(dialect, _)| self.others.get(dialect));
        self.operations.get(name).or_else(dialect).cloned()
    }
}
