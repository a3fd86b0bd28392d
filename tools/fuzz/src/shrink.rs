//! Smaller programs that are wrong in the same way.

use crate::program::Program;

/// Takes away steps and results, last first, and control flow around steps, as long as `is_wrong` holds.
pub fn shrink(mut program: Program, mut is_wrong: impl FnMut(&Program) -> bool) -> Program {
    loop {
        let before = program.count() + program.returned.len();
        for number in (0..program.returned.len()).rev() {
            let smaller = program.without_result(number);
            if is_wrong(&smaller) {
                program = smaller;
            }
        }
        let mut number = program.count();
        while number > 0 {
            number -= 1;
            let smaller = [
                Some(program.without_step(number)),
                program.unfolded(number, 0),
                program.unfolded(number, 1),
            ];
            if let Some(smaller) = smaller.into_iter().flatten().find(&mut is_wrong) {
                program = smaller;
                number = number.min(program.count());
            }
        }
        if program.count() + program.returned.len() == before {
            return program;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Step;

    #[test]
    fn what_does_not_matter_goes() {
        let step = |n: usize| Step {
            text: format!("step {n}"),
            operands: if n == 0 { vec![] } else { vec![format!("%v{}", n - 1)] },
            results: vec![format!("%v{n}")],
            flow: None,
        };
        let returned = (0..5).map(|n| (format!("%v{n}"), "t".to_owned())).collect();
        let program = Program { steps: (0..5).map(step).collect(), returned, ..Program::default() };
        let smaller = shrink(program, |program| program.steps.iter().any(|step| step.text == "step 2"));
        assert_eq!(smaller.steps.len(), 3);
        assert!(smaller.returned.is_empty());
    }
}
