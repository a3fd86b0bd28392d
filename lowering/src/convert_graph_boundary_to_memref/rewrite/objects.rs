//! Which tensor a result is: an argument itself, an earlier result, or one of several.
//!
//! Memory does not tell tensors apart that lie alike, so that a result says which one it is, `graph.same_as`. One that is chosen when
//! the function runs names those that it may be, `graph.same_as_one_of`: it is the first that lies where it does. Where two of them
//! may lie alike, nobody could tell, and the function is refused.

use super::{Boundary, Form, Root, View, is_choice};
use melior::ir::{
    Attribute, Identifier, Value,
    attribute::{ArrayAttribute, StringAttribute},
    operation::OperationLike,
};
use terrace_dialects::{operations::definition, types::DYNAMIC};

impl<'c, 'a> Boundary<'c, 'a> {
    /// What result `i` says of the tensor that it is.
    pub(super) fn object(
        &self,
        returned: &[Value<'c, 'a>],
        i: usize,
    ) -> Result<Option<(Identifier<'c>, Attribute<'c>)>, String> {
        let value = returned[i];
        let text = |name: &str| Attribute::from(StringAttribute::new(self.context, name));
        let fact = |name: &str, value| Ok(Some((Identifier::new(self.context, name), value)));
        let before = returned[..i].iter().position(|other| *other == value);
        if let Some(same) = self.as_argument(value).or(before.map(|j| format!("result{j}"))) {
            return fact("graph.same_as", text(&same));
        }
        let own = self.candidates(value);
        let mut may_be: Vec<(String, Vec<Value>)> = vec![];
        if own.len() > 1 {
            let arguments = own.iter().filter_map(|one| Some((self.as_argument(*one)?, vec![*one])));
            may_be.extend(arguments);
        }
        for (j, other) in returned[..i].iter().enumerate() {
            let others = self.candidates(*other);
            let meets = own.iter().any(|one| others.contains(one) && self.as_argument(*one).is_none());
            if (own.len() > 1 || others.len() > 1) && meets {
                may_be.push((format!("result{j}"), others));
            }
        }
        if may_be.is_empty() {
            return Ok(None);
        }
        for one in &own {
            let alike = |other: &&Value<'c, 'a>| *other != one && self.may_lie_alike(*one, **other);
            if may_be.iter().flat_map(|(_, others)| others).any(|other| alike(&other)) {
                return Err(format!(
                    "returns one of several tensors that may lie alike (result {i}): compiled code can't tell which; declare that their \
                     storages or layouts differ"
                ));
            }
        }
        let names: Vec<Attribute> = may_be.iter().map(|(name, _)| text(name)).collect();
        fact("graph.same_as_one_of", ArrayAttribute::new(self.context, &names).into())
    }

    /// The name of the argument that a value is.
    fn as_argument(&self, value: Value<'c, 'a>) -> Option<String> {
        match self.view(value)?.root {
            Root::Argument(k) if value == self.argument(k) => Some(format!("arg{k}")),
            _ => None,
        }
    }

    /// The tensors that a value may be.
    fn candidates(&self, value: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let mut found = vec![];
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match definition(value).filter(|op| is_choice(*op)) {
                Some(choice) => open.extend((1..3).filter_map(|i| choice.operand(i).ok())),
                None if !found.contains(&value) => found.push(value),
                None => {}
            }
        }
        found
    }

    fn may_lie_alike(&self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> bool {
        let (Some(one), Some(other)) = (self.view(one), self.view(other)) else { return true };
        let known = |view: &View| view.form == Form::Static && view.places.is_known();
        let mut sizes = one.places.sizes.iter().zip(&other.places.sizes);
        Self::share(one, other)
            && one.dtype == other.dtype
            && one.flags == other.flags
            && one.places.sizes.len() == other.places.sizes.len()
            && sizes.all(|(a, b)| a == b || *a == DYNAMIC || *b == DYNAMIC)
            && (!known(one) || !known(other) || one.places == other.places)
    }
}
