//! Which tensor a result is: an argument itself, an earlier result, or one of several.
//!
//! Memory does not tell tensors apart that lie alike, so that a result says which one it is, `graph.same_as`.
//! Where one is chosen when the function runs, the function returns the numbers of the tensors behind them,
//! `graph.object_of`: that of an argument is its own, and results of one number are one tensor.

use super::{
    open::is_cast,
    state::{Boundary, Root, is_choice},
};
use melior::ir::{Attribute, Identifier, OperationRef, Value, attribute::StringAttribute};
use std::collections::HashMap;
use terrace_dialects::ir::{
    BlockLike, OperationLike,
    cursor::{Cursor, V},
    operations::{definition, key},
    pass::Failure,
};

impl<'c, 'a> Boundary<'c, 'a> {
    /// What each result says of the tensor that it is.
    pub(super) fn same_as(&self, returned: &[Value<'c, 'a>]) -> Vec<Option<(Identifier<'c>, Attribute<'c>)>> {
        let mut first: HashMap<usize, usize> = HashMap::new();
        let same = |(i, value): (usize, &Value<'c, 'a>)| {
            let value = uncast(*value);
            let before = *first.entry(key(value)).or_insert(i);
            let argument = self.as_argument(value).map(|k| format!("arg{k}"));
            let same = argument.or((before < i).then(|| format!("result{before}")))?;
            let same = StringAttribute::new(self.context, &same).into();
            Some((Identifier::new(self.context, "graph.same_as"), same))
        };
        returned.iter().enumerate().map(same).collect()
    }

    /// The numbers of the tensors that are returned, where one of them is one of several that callers know;
    /// else none.
    pub(super) fn objects(
        &self,
        end: OperationRef<'c, 'a>,
        returned: &[Value<'c, 'a>],
    ) -> Result<Vec<(usize, V<'c, 'a>)>, Failure> {
        let candidates: Vec<_> = returned.iter().map(|value| self.candidates(*value)).collect();
        let is_open = |i: usize| {
            let own = &candidates[i];
            let others = || candidates.iter().enumerate().filter(|(k, _)| *k != i).flat_map(|(_, all)| all);
            let is_known =
                |one: &Value<'c, 'a>| self.as_argument(*one).is_some() || others().any(|other| other == one);
            own.len() > 1 && own.iter().any(is_known)
        };
        if !(0..returned.len()).any(is_open) {
            return Ok(vec![]);
        }
        let at = Cursor::before(end)?;
        let mut numbers = HashMap::new();
        let tensors = returned.iter().enumerate().filter(|(_, value)| self.view(**value).is_some());
        tensors.map(|(i, value)| Ok((i, self.number_of(&at, *value, &mut numbers)?))).collect()
    }

    /// The number of the tensor that a value is: an argument's is its own, and that of any other tensor comes
    /// behind them.
    fn number_of(
        &self,
        at: &Cursor<'c, 'a>,
        value: Value<'c, 'a>,
        known: &mut HashMap<usize, V<'c, 'a>>,
    ) -> Result<V<'c, 'a>, Failure> {
        let value = uncast(value);
        let key = key(value);
        if let Some(known) = known.get(&key) {
            return Ok(*known);
        }
        let number = match definition(value).filter(|op| is_choice(*op)) {
            Some(choice) => {
                let a = self.number_of(at, choice.operand(1)?, known)?;
                let b = self.number_of(at, choice.operand(2)?, known)?;
                at.op("arith.select", &[choice.operand(0)?, a, b], at.index_type())?
            }
            None => {
                let behind = self.block.argument_count() + known.len();
                at.index(self.as_argument(value).unwrap_or(behind) as i64)?
            }
        };
        known.insert(key, number);
        Ok(number)
    }

    /// The argument that a value is.
    fn as_argument(&self, value: Value<'c, 'a>) -> Option<usize> {
        let value = uncast(value);
        match self.view(value)?.root {
            Root::Argument(k) if value == self.argument(k) => Some(k),
            _ => None,
        }
    }

    /// The tensors that a value may be.
    fn candidates(&self, value: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let mut found = vec![];
        let mut open = vec![value];
        while let Some(value) = open.pop().map(uncast) {
            match definition(value).filter(|op| is_choice(*op)) {
                Some(choice) => open.extend((1..3).filter_map(|i| choice.operand(i).ok())),
                None if !found.contains(&value) => found.push(value),
                None => {}
            }
        }
        found
    }
}

/// The tensor that casts give other types.
fn uncast<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Value<'c, 'a> {
    while let Some(own) = definition(value).filter(|op| is_cast(*op)).and_then(|op| op.operand(0).ok()) {
        value = own;
    }
    value
}
