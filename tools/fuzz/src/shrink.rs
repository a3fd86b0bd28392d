//! Smaller programs that are wrong in the same way.

use crate::program::Program;

/// Takes away steps and results, last first, as long as `is_wrong` holds.
pub fn shrink(mut program: Program, mut is_wrong: impl FnMut(&Program) -> bool) -> Program {
    loop {
        let before = program.steps.len() + program.returned.len();
        for number in (0..program.returned.len()).rev() {
            let smaller = program.without_result(number);
            if is_wrong(&smaller) {
                program = smaller;
            }
        }
        let mut number = program.steps.len();
        while number > 0 {
            number -= 1;
            let smaller = program.without_step(number);
            if is_wrong(&smaller) {
                program = smaller;
                number = number.min(program.steps.len());
            }
        }
        if program.steps.len() + program.returned.len() == before {
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
        };
        let returned = (0..5).map(|n| (format!("%v{n}"), "t".to_owned())).collect();
        let program = Program { steps: (0..5).map(step).collect(), returned, ..Program::default() };
        let smaller = shrink(program, |program| program.steps.iter().any(|step| step.text == "step 2"));
        assert_eq!(smaller.steps.len(), 3);
        assert!(smaller.returned.is_empty());
    }
}
