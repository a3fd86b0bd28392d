//! Chains reach the elements of their targets, on random layouts and on those that have names.

use super::{Step::*, *};
use crate::Random;

/// Runs steps on an array of places.
fn run(steps: &[Step], base: &Layout) -> (Vec<i64>, Vec<i64>) {
    let (mut sizes, mut data) = (base.sizes.clone(), base.places());
    for step in steps {
        let places = step.apply(&Layout::contiguous(&sizes)).expect("a packed tensor has every view");
        data = places.places().into_iter().map(|p| data[p as usize]).collect();
        sizes = places.sizes;
    }
    (sizes, data)
}

fn shuffled(r: &mut Random, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, r.below(i as i64 + 1) as usize);
    }
    order
}

/// A base: packed in some order, with gaps in some.
fn base(r: &mut Random) -> Layout {
    let rank = r.below(5) as usize;
    let order = shuffled(r, rank);
    let sizes: Vec<i64> = (0..rank).map(|_| r.between(1, 5)).collect();
    let (mut strides, mut next) = (vec![0; rank], 1);
    let gaps = r.below(3) == 0;
    for d in order {
        strides[d] = next * if gaps { r.between(1, 3) } else { 1 };
        next = strides[d] * sizes[d];
    }
    Layout { sizes, strides, offset: r.below(7) }
}

fn view(r: &mut Random, l: &Layout) -> Layout {
    let rank = l.rank();
    let dim = r.below(rank as i64) as usize;
    match r.below(9) {
        0 => l.permute(&shuffled(r, rank)),
        1 if rank > 0 => l.select(dim, r.below(l.sizes[dim])),
        2 | 3 if rank > 0 => {
            let (start, step) = (r.below(l.sizes[dim]), r.between(1, 2));
            l.slice(dim, start, r.between(1, (l.sizes[dim] - start - 1) / step + 1), step)
        }
        4 => l.unsqueeze(r.below(rank as i64 + 1) as usize),
        5 => l.squeeze(&(0..rank).collect::<Vec<_>>()),
        6 if rank > 1 && l.sizes.iter().all(|n| *n > 1) => l.diagonal(r.between(-1, 1), 0, 1),
        7 => {
            let n = l.numel();
            let a = r.between(1, 4);
            let b = r.between(1, 3);
            let shape = if n % (a * b) == 0 { vec![a, n / a / b, b] } else { vec![n] };
            l.view(&shape).unwrap_or_else(|| l.clone())
        }
        8 if rank > 0 && l.sizes[dim] == 1 => {
            let mut sizes = l.sizes.clone();
            sizes[dim] = 3;
            l.expand(&sizes)
        }
        _ => l.clone(),
    }
}

#[test]
fn steps_reach_the_elements_of_the_target() {
    let mut r = Random(7);
    let (mut named, mut strided, mut none) = (0, 0, 0);
    for _ in 0..60_000 {
        let base = base(&mut r);
        let mut target = base.clone();
        for _ in 0..r.below(6) {
            target = view(&mut r, &target);
        }
        if target.is_empty() {
            continue;
        }
        let Some(steps) = recognize(&base, &target) else {
            none += 1;
            continue;
        };
        let (sizes, data) = run(&steps, &base);
        assert_eq!((sizes, data), (target.sizes.clone(), target.places()), "{base:?} {target:?} {steps:?}");
        if steps.iter().any(|s| matches!(s, AsStrided(_))) { strided += 1 } else { named += 1 }
    }
    // Views of views have a name, but for a few (slices whose reshape crosses them).
    assert!(strided * 50 < named && none * 50 < named, "{named} {strided} {none}");
}

#[test]
fn any_triple_over_packed_places_is_recognized() {
    let mut r = Random(11);
    for _ in 0..60_000 {
        let base = Layout { offset: 0, ..base(&mut r) };
        let rank = r.below(4) as usize;
        let target = Layout {
            sizes: (0..rank).map(|_| r.between(1, 4)).collect(),
            strides: (0..rank).map(|_| r.below(7)).collect(),
            offset: r.below(9),
        };
        let within = target.places().iter().all(|p| base.places().contains(p));
        match recognize(&base, &target) {
            Some(steps) => {
                let (sizes, data) = run(&steps, &base);
                assert_eq!(
                    (sizes, data),
                    (target.sizes.clone(), target.places()),
                    "{base:?} {target:?} {steps:?}"
                );
            }
            None => assert!(!base.is_dense() || !within, "{base:?} {target:?}"),
        }
    }
}

#[test]
fn common_views_have_their_names() {
    let x = Layout::contiguous(&[4, 6]);
    let is = |target: Layout, steps: &[Step]| assert_eq!(recognize(&x, &target).unwrap(), steps);
    is(x.permute(&[1, 0]), &[Permute(vec![1, 0])]);
    is(x.select(1, 2), &[Select { dim: 1, index: 2 }]);
    is(x.slice(0, 1, 2, 2), &[Slice { dim: 0, start: 1, length: 2, step: 2 }]);
    is(x.slice(0, 1, 1, 1), &[Slice { dim: 0, start: 1, length: 1, step: 1 }]);
    is(x.view(&[2, 12]).unwrap(), &[View(vec![2, 12])]);
    is(x.unsqueeze(1), &[Unsqueeze(1)]);
    is(x.diagonal(1, 0, 1), &[Diagonal { offset: 1, dim1: 0, dim2: 1 }]);
    is(x.unsqueeze(0).expand(&[3, 4, 6]), &[Unsqueeze(0), Expand(vec![3, 4, 6])]);
    is(
        x.select(0, 1).view(&[2, 3]).unwrap(),
        &[View(vec![8, 3]), Slice { dim: 0, start: 2, length: 2, step: 1 }],
    );
    is(
        x.slice(0, 1, 3, 1).permute(&[1, 0]).select(0, 2),
        &[Select { dim: 1, index: 2 }, Slice { dim: 0, start: 1, length: 3, step: 1 }],
    );
    let y = Layout::contiguous(&[7]).slice(0, 1, 6, 1);
    assert_eq!(
        recognize(&Layout::contiguous(&[7]), &y.view(&[2, 3]).unwrap()).unwrap(),
        [Slice { dim: 0, start: 1, length: 6, step: 1 }, View(vec![2, 3])]
    );
}

/// Of sizes that are expressions the chain has expressions, and what it takes for granted is guards.
#[test]
fn layouts_of_expressions_are_recognized() {
    use terrace_size::{Size, symbols::Symbols};
    let mut symbols = Symbols::new();
    let rows = symbols.symbol(None, 2).1;
    symbols.enter(|| {
        let (one, two, eight) = (Size::ONE, Size::from(2), Size::from(8));
        let base = Layout::contiguous(&[rows, eight]);
        let is = |target: &Layout<Size>, expected: &[Step<Size>]| {
            let steps = recognize(&base, target).expect("it is a view");
            assert_eq!(format!("{steps:?}"), format!("{expected:?}"));
        };
        is(&base, &[]);
        let columns = Slice { dim: 1, start: Size::from(3), length: two, step: one };
        is(&base.slice(1, Size::from(3), two, one), &[columns]);
        is(&base.select(0, one), &[Select { dim: 0, index: one }]);
        is(&base.permute(&[1, 0]), &[Permute(vec![1, 0])]);
        is(&base.view(&[rows * 8]).expect("it is packed"), &[View(vec![rows * 8])]);
    });
    assert!(symbols.guards().len() < 8, "{}", symbols.guards().len());
}
