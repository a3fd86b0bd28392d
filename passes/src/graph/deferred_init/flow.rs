//! How control flow passes values on.
//!
//! A *target* is a result of an operation with regions, or an argument of a block; its *sources* are the
//! values that it may be.

use super::program::{Definition, Program};
use melior::ir::OperationRef;
use terrace_dialects::{
    analysis::flow::forwarded,
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        operations::{key, name_of},
    },
};

/// How an operation stands to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// By its effects alone.
    Plain,
    If,
    For,
    While,
    Execute,
    Call,
    /// It refuses, or does nothing.
    Check,
    /// It may touch anything.
    Barrier,
    /// The end of a block.
    End,
}

impl Form {
    /// Whether its regions are followed.
    pub fn has_regions(self) -> bool {
        matches!(self, Form::If | Form::For | Form::While | Form::Execute)
    }
}

/// The form of an operation, before its effects are asked.
pub fn form(op: OperationRef) -> Form {
    match name_of(op) {
        "scf.if" => Form::If,
        "scf.for" => Form::For,
        "scf.while" => Form::While,
        "scf.execute_region" => Form::Execute,
        "func.call" => Form::Call,
        "cf.assert" | "graph.assert_distinct" | "graph.assert_storage" => Form::Check,
        "func.return" | "scf.yield" | "scf.condition" | "cf.br" | "cf.cond_br" => Form::End,
        _ => Form::Plain,
    }
}

/// The blocks that a terminator goes on with, by their addresses.
pub fn successors(end: OperationRef) -> Vec<usize> {
    end.successors().map(|block| block.to_raw().ptr as usize).collect()
}

impl<'c, 'a> Program<'c, 'a> {
    fn operand(&self, op: usize, place: usize) -> Option<V<'c, 'a>> {
        self.ops[op].op.operand(place).ok()
    }

    /// What a terminator passes to a successor.
    pub fn passed(&self, end: usize, successor: usize) -> Vec<V<'c, 'a>> {
        let op = self.ops[end].op;
        let operands: Vec<V> = op.operands().collect();
        if name_of(op) == "cf.br" {
            return operands;
        }
        // The condition is first, then what goes to the one and to the other.
        let sizes = op
            .attribute("operandSegmentSizes")
            .map(terrace_dialects::ir::attributes::i32s)
            .unwrap_or_default();
        let size = |place: usize| sizes.get(place).copied().unwrap_or_default() as usize;
        let start = 1 + if successor == 0 { 0 } else { size(1) };
        operands[start..start + size(successor + 1)].to_vec()
    }

    /// The values that a target may be.
    pub fn sources(&self, target: Definition) -> Vec<V<'c, 'a>> {
        let value = match target {
            Definition::Result { op, number } => self.ops[op].op.result_at(number).ok().map(V::from),
            Definition::Argument { block, number } => {
                self.blocks[block].block.argument(number).ok().map(V::from)
            }
        };
        let edges = value.map(forwarded).unwrap_or_default();
        let mut all: Vec<V> = edges.into_iter().filter_map(|(op, number)| op.operand(number).ok()).collect();
        let Definition::Argument { block, number } = target else { return all };
        let address = self.blocks[block].block.to_raw().ptr as usize;
        for before in &self.blocks[block].before {
            let Some(end) = self.blocks[*before].end else { continue };
            for (successor, target) in successors(self.ops[end].op).into_iter().enumerate() {
                if target == address {
                    all.extend(self.passed(end, successor).get(number).copied());
                }
            }
        }
        all
    }

    /// The targets that stand and fall with one: what goes round a loop, or through it, is a result, an
    /// operand and arguments.
    pub fn beside(&self, target: Definition) -> Vec<V<'c, 'a>> {
        let argument =
            |block: usize, number: usize| self.blocks[block].block.argument(number).ok().map(V::from);
        let result = |op: usize, number: usize| self.ops[op].op.result_at(number).ok().map(V::from);
        let found = match target {
            Definition::Result { op, number } => match self.ops[op].form {
                Form::For => argument(self.ops[op].regions[0][0], number + 1),
                Form::While => argument(self.ops[op].regions[1][0], number),
                _ => None,
            },
            Definition::Argument { block, number } => match self.blocks[block].parent {
                Some(op) if self.ops[op].form == Form::For && number > 0 => result(op, number - 1),
                Some(op) if self.ops[op].form == Form::While && self.ops[op].regions[1][0] == block => {
                    result(op, number)
                }
                _ => None,
            },
        };
        found.into_iter().filter(|value| self.definitions.contains_key(&key(*value))).collect()
    }

    /// The numbers that decide where control goes in an operation with regions, or in the blocks of the
    /// function.
    pub fn decides(&self, op: Option<usize>) -> Vec<V<'c, 'a>> {
        let mut all = vec![];
        let blocks = match op {
            None => self.own.clone(),
            Some(op) => {
                let count = match self.ops[op].form {
                    Form::If => 1,
                    Form::For => 3,
                    _ => 0,
                };
                all.extend((0..count).map(|place| self.operand(op, place)));
                self.ops[op].regions.concat()
            }
        };
        for block in blocks {
            let Some(end) = self.blocks[block].end else { continue };
            if ["scf.condition", "cf.cond_br"].contains(&name_of(self.ops[end].op)) {
                all.push(self.operand(end, 0));
            }
        }
        all.into_iter().flatten().collect()
    }
}
