//! A loop in a body, written for one point or for those of a strip.

use super::Scope;
use crate::{
    emit::{Number, known},
    kernel::tile_programs::{
        cursor::{Bound, Lane},
        rounds,
    },
};
use melior::ir::OperationRef;
use terrace_dialects::{
    internal,
    ir::{
        OperationLike,
        cursor::V,
        operations::{arguments, key, name_of, refuse},
        pass::Failure,
    },
};

impl<'c: 'a, 'a, 'k> Scope<'c, 'a, 'k, '_> {
    /// Writes a loop; all lanes run as many rounds.
    pub(super) fn rounds(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let block = rounds::block(op).ok_or(internal!("a loop has no body"))?;
        let strip = self.strip.filter(|_| self.body.varies(op));
        let step = known(op.operand(2)?);
        let mut bounds = vec![];
        for i in 0..2 {
            let bound = op.operand(i)?;
            bounds.push(match (known(bound), self.lane(bound)?) {
                (Some(Number::Int(n)), _) => Bound::Number(n),
                (_, Lane::One(bound)) => Bound::Value(bound),
                (_, Lane::Tile(_)) => {
                    return Err(refuse(op, "runs more rounds at some points than at others"));
                }
            });
        }
        let Some(Number::Int(step @ 1..)) = step else {
            return Err(refuse(op, "has a step that is not known, or none above 0"));
        };
        let mut carried = vec![];
        for value in op.operands().skip(3) {
            carried.push(match strip {
                Some(strip) => self.tile(value, strip.lanes)?,
                None => self.one(value)?,
            });
        }
        // What the block needs of all lanes is written in front of it, and nothing of the block is known
        // behind it.
        self.active()?;
        let lane = |value| if strip.is_some() { Lane::Tile(value) } else { Lane::One(value) };
        let (outside, env, splats) = (self.at, self.env.clone(), self.splats.clone());
        let inner: Vec<V> = arguments(block).collect();
        let results = outside.repeat((bounds[0], bounds[1], step), &carried, |at, index, values| {
            self.at = at;
            self.env.insert(key(inner[0]), Lane::One(index));
            for (argument, value) in inner[1..].iter().zip(values) {
                self.env.insert(key(*argument), lane(*value));
            }
            let mut carried_on = vec![];
            for op in rounds::operations(block) {
                if name_of(op) != "scf.yield" {
                    self.write(op)?;
                    continue;
                }
                for value in op.operands() {
                    carried_on.push(match strip {
                        Some(strip) => self.tile(value, strip.lanes)?,
                        None => self.one(value)?,
                    });
                }
            }
            Ok(carried_on)
        });
        (self.at, self.env, self.splats) = (outside, env, splats);
        for (old, new) in op.results().zip(results?) {
            self.env.insert(key(old), lane(new));
        }
        Ok(())
    }
}
