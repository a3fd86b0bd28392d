//! Operators against values and messages that eager PyTorch 2.15 gave on a CPU.

use terrace_interpreter::semantics::{
    Result,
    convolution::{Convolution, convolution},
    copy, creation, matmul,
    pointwise::{apply, apply_in_place, where_},
    scalar_table::{self as table, Pointwise},
    views,
};
use terrace_tensor::{Dtype, Scalar, Tensor};

/// A tensor of the given elements.
fn of<T: Into<Scalar> + Copy>(dtype: Dtype, sizes: &[i64], elements: &[T]) -> Tensor {
    Tensor::from_elements(dtype, sizes, elements).unwrap()
}

/// `0, 1, 2, ..` as f32.
fn iota(sizes: &[i64]) -> Tensor {
    let count: i64 = sizes.iter().product();
    of(Dtype::F32, sizes, &(0..count).collect::<Vec<_>>())
}

fn elements(tensor: &Tensor) -> Vec<f64> {
    tensor.to_vec().into_iter().map(Scalar::to_f64).collect()
}

#[track_caller]
fn is(result: Result<Tensor>, dtype: Dtype, sizes: &[i64], expected: &[f64]) {
    let result = result.unwrap();
    assert_eq!((result.dtype(), result.sizes()), (dtype, sizes));
    assert_eq!(elements(&result), expected);
}

#[track_caller]
fn refuses(result: Result<Tensor>, message: &str) {
    assert_eq!(result.unwrap_err().to_string(), message);
}

fn unary(row: &Pointwise, values: &[f64]) -> Vec<f64> {
    elements(&apply(row, &[(&of(Dtype::F64, &[values.len() as i64], values)).into()], &[]).unwrap())
}

const ALPHA: [Scalar; 1] = [Scalar::Int(1)];
const OVERLAP: &str = "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.";
const REPEATED: &str = "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.";

#[test]
fn transcendental_functions() {
    let x = [-2.0, -0.5, 0.0, 0.5, 3.0];
    for (row, expected) in [
        (
            &table::SIGMOID,
            [0.11920292202211755, 0.3775406687981454, 0.5, 0.6224593312018546, 0.9525741268224334],
        ),
        (
            &table::GELU,
            [-0.04550026389635842, -0.15426876936299344, 0.0, 0.34573123063700656, 2.99595030590511],
        ),
        (
            &table::GELU_TANH,
            [-0.04540230591222494, -0.15428599017485606, 0.0, 0.34571400982514394, 2.996362607918227],
        ),
        (&table::EXP, [0.1353352832366127, 0.6065306597126334, 1.0, 1.6487212707001282, 20.085536923187668]),
        (
            &table::TANH,
            [-0.9640275800758169, -0.46211715726000974, 0.0, 0.46211715726000974, 0.9950547536867305],
        ),
        (
            &table::COS,
            [-0.4161468365471424, 0.8775825618903728, 1.0, 0.8775825618903728, -0.9899924966004454],
        ),
        (&table::SIN, [-0.9092974268256817, -0.479425538604203, 0.0, 0.479425538604203, 0.1411200080598672]),
    ] {
        for (actual, expected) in unary(row, &x).into_iter().zip(expected) {
            let close = (actual - expected).abs() <= 4.0 * f64::EPSILON * expected.abs();
            assert!(close, "{}: {actual} is not {expected}", row.name);
        }
    }
    assert_eq!(unary(&table::RSQRT, &[4.0, 0.0]), [0.5, f64::INFINITY]);
    assert!(unary(&table::SQRT, &[-1.0])[0].is_nan());
    assert!(unary(&table::RELU, &[f64::NAN])[0].is_nan());
}

#[test]
fn powers() {
    let pow = |base: &Tensor, exponent: Scalar| apply(&table::POW, &[base.into(), exponent.into()], &[]);
    let ints = of(Dtype::I64, &[3], &[0, 2, -3]);
    is(pow(&ints, Scalar::Int(3)), Dtype::I64, &[3], &[0.0, 8.0, -27.0]);
    is(pow(&ints, Scalar::Float(2.0)), Dtype::F32, &[3], &[0.0, 4.0, 9.0]);
    is(pow(&of(Dtype::Bool, &[1], &[true]), Scalar::Int(2)), Dtype::I64, &[1], &[1.0]);
    refuses(pow(&ints, Scalar::Int(-1)), "Integers to negative integer powers are not allowed.");
    let roots = pow(&of(Dtype::F32, &[2], &[f64::NEG_INFINITY, 4.0]), Scalar::Float(0.5)).unwrap();
    assert!(elements(&roots)[0].is_nan() && elements(&roots)[1] == 2.0);
}

#[test]
fn quotients() {
    let halves = |mode| {
        apply(
            table::div(mode).unwrap(),
            &[(&of(Dtype::I64, &[2], &[-1, 5])).into(), Scalar::Int(2).into()],
            &[],
        )
    };
    is(halves(None), Dtype::F32, &[2], &[-0.5, 2.5]);
    is(halves(Some("trunc")), Dtype::I64, &[2], &[0.0, 2.0]);
    is(halves(Some("floor")), Dtype::I64, &[2], &[-1.0, 2.0]);
    let x = of(Dtype::F64, &[4], &[-2.0, -0.5, 0.5, 3.0]);
    let tenths = |mode| apply(table::div(mode).unwrap(), &[(&x).into(), Scalar::Float(0.3).into()], &[]);
    is(tenths(Some("floor")), Dtype::F64, &[4], &[-7.0, -2.0, 1.0, 10.0]);
    is(tenths(Some("trunc")), Dtype::F64, &[4], &[-6.0, -1.0, 1.0, 10.0]);
    let by_zero = apply(
        table::div(Some("floor")).unwrap(),
        &[(&of(Dtype::I32, &[1], &[1])).into(), Scalar::Int(0).into()],
        &[],
    );
    refuses(by_zero, "ZeroDivisionError");
    assert!(table::div(Some("x")).is_err());
}

#[test]
fn truth_values_have_their_own_arithmetic() {
    let x = of(Dtype::Bool, &[2], &[true, false]);
    let both = |row: &Pointwise, alpha: &[Scalar]| apply(row, &[(&x).into(), (&x).into()], alpha);
    is(both(&table::ADD, &[Scalar::Bool(true)]), Dtype::Bool, &[2], &[1.0, 0.0]);
    is(both(&table::MUL, &[]), Dtype::Bool, &[2], &[1.0, 0.0]);
    refuses(apply(&table::ABS, &[(&x).into()], &[]), "\"abs_cpu\" not implemented for 'Bool'");
    refuses(apply(&table::RELU, &[(&x).into()], &[]), "Boolean inputs not supported for relu");
    is(apply(&table::BITWISE_NOT, &[(&x).into()], &[]), Dtype::Bool, &[2], &[0.0, 1.0]);
}

#[test]
fn numbers_wrap_to_the_dtype_of_the_tensor() {
    let x = of(Dtype::I8, &[2], &[1, 50]);
    let with = |row: &Pointwise, number: i64, alpha: &[Scalar]| {
        apply(row, &[(&x).into(), Scalar::Int(number).into()], alpha)
    };
    is(with(&table::ADD, 300, &ALPHA), Dtype::I8, &[2], &[45.0, 94.0]);
    is(with(&table::GT, 300, &[]), Dtype::Bool, &[2], &[0.0, 1.0]);
    is(with(&table::MUL, 3, &[]), Dtype::I8, &[2], &[3.0, -106.0]);
    let alpha = [Scalar::Float(1.5)];
    refuses(
        with(&table::ADD, 1, &alpha),
        "For integral input tensors, argument alpha must not be a floating point number.",
    );
    refuses(with(&table::ADD, 1, &[Scalar::Bool(true)]), "Boolean alpha only supported for Boolean results.");
}

#[test]
fn where_promotes_its_branches() {
    let condition = of(Dtype::Bool, &[2, 1], &[true, false]);
    let x = of(Dtype::I64, &[2], &[1, 2]);
    is(
        where_(&condition, (&x).into(), Scalar::Float(0.5).into()),
        Dtype::F32,
        &[2, 2],
        &[1.0, 2.0, 0.5, 0.5],
    );
    refuses(
        where_(&x, (&x).into(), (&x).into()),
        "where expected condition to be a boolean tensor, but got a tensor with dtype Long",
    );
}

#[test]
fn in_place_results_are_cast_to_self() {
    let x = iota(&[3]);
    is(apply_in_place(&table::GE, &x, &[Scalar::Int(1).into()], &[]), Dtype::F32, &[3], &[0.0, 1.0, 1.0]);
    let ints = of(Dtype::I64, &[3], &[1, 2, 3]);
    refuses(
        apply_in_place(&table::ADD, &ints, &[(&x).into()], &ALPHA),
        "result type Float can't be cast to the desired output type Long",
    );
    refuses(
        apply_in_place(&table::ADD, &x, &[(&iota(&[2, 3])).into()], &ALPHA),
        "output with shape [3] doesn't match the broadcast shape [2, 3]",
    );
    let same = apply_in_place(&table::MUL, &x, &[(&x).into()], &[]).unwrap();
    assert!(same.is_same(&x));
}

#[test]
fn overlap_that_eager_refuses() {
    let add = |x: &Tensor, y: &Tensor| apply_in_place(&table::ADD, x, &[y.into()], &ALPHA);
    let slice = |x: &Tensor, start, end| views::slice(x, 0, Some(start), Some(end), 1).unwrap();
    let row = iota(&[4]);
    refuses(add(&slice(&row, 1, 4), &slice(&row, 0, 3)), OVERLAP);
    refuses(copy::copy_(&slice(&row, 1, 4), &slice(&row, 0, 3)), OVERLAP);
    let square = iota(&[2, 2]);
    refuses(add(&square, &views::t(&square).unwrap()), OVERLAP);
    refuses(add(&square, &views::select(&square, 0, 0).unwrap()), OVERLAP);
    refuses(add(&views::view(&square, &[4]).unwrap(), &views::view(&square, &[1, 4]).unwrap()), OVERLAP);
    let expanded = views::expand(&iota(&[3]), &[2, 3]).unwrap();
    refuses(add(&expanded, &expanded), REPEATED);
    refuses(copy::copy_(&expanded, &iota(&[2, 3])), REPEATED);
    // The same view copied to itself is no write at all.
    assert!(copy::copy_(&expanded, &copy::alias(&expanded).unwrap()).is_ok());
    is(copy::fill_(&expanded, Scalar::Int(1).into()), Dtype::F32, &[2, 3], &[1.0; 6]);
    is(add(&slice(&row, 0, 2), &slice(&row, 2, 4)), Dtype::F32, &[2], &[2.0, 4.0]);
}

#[test]
fn overlap_that_eager_leaves_to_chance() {
    let message = |number| {
        format!("result depends on the order of evaluation: operand {number} overlaps the written-to tensor")
    };
    let x = iota(&[2, 3]);
    let columns = |start, end| views::slice(&x, 1, Some(start), Some(end), 1).unwrap();
    let add = |x: &Tensor, y: &Tensor| apply_in_place(&table::ADD, x, &[y.into()], &ALPHA);
    refuses(add(&columns(1, 3), &columns(0, 2)), &message(1));
    refuses(copy::copy_(&columns(1, 3), &columns(0, 2)), &message(1));
    let windows = views::unfold(&iota(&[3]), 0, 2, 1).unwrap();
    refuses(
        apply_in_place(&table::NEG, &windows, &[], &[]),
        "result depends on the order of evaluation: elements of the written-to tensor overlap",
    );
    // Interleaved columns are disjoint, and the same view through another chain is the same view.
    let every = |start| views::slice(&x, 1, Some(start), None, 2).unwrap();
    assert!(
        add(&views::narrow(&every(0), 1, 0, 1).unwrap(), &views::narrow(&every(1), 1, 0, 1).unwrap()).is_ok()
    );
    assert!(add(&columns(0, 2), &columns(0, 2)).is_ok());
    assert!(add(&views::t(&columns(0, 2)).unwrap(), &views::t(&columns(0, 2)).unwrap()).is_ok());
}

#[test]
fn copies_convert_and_broadcast() {
    let x = of(Dtype::I32, &[2, 2], &[0, 0, 0, 0]);
    is(copy::copy_(&x, &of(Dtype::F32, &[2], &[1.9, -1.9])), Dtype::I32, &[2, 2], &[1.0, -1.0, 1.0, -1.0]);
    refuses(
        copy::copy_(&x, &iota(&[3])),
        "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1",
    );
    refuses(
        copy::copy_(&views::select(&x, 0, 0).unwrap(), &iota(&[3, 2])),
        "output with shape [2] doesn't match the broadcast shape [3, 2]",
    );
    let column = views::slice(&iota(&[6, 4]), 1, Some(0), None, 2).unwrap();
    assert_eq!(copy::clone(&views::t(&column).unwrap()).unwrap().strides(), [1, 2]);
}

#[test]
fn fills_stay_in_range() {
    let x = |dtype| Tensor::zeros(dtype, &[1]).unwrap();
    let fill = |dtype, value: Scalar| copy::fill_(&x(dtype), value.into());
    is(fill(Dtype::I64, Scalar::Float(2.7)), Dtype::I64, &[1], &[2.0]);
    is(fill(Dtype::U8, Scalar::Int(-1)), Dtype::U8, &[1], &[255.0]);
    is(fill(Dtype::I8, Scalar::Float(127.5)), Dtype::I8, &[1], &[127.0]);
    is(fill(Dtype::F32, Scalar::Float(f64::INFINITY)), Dtype::F32, &[1], &[f64::INFINITY]);
    // Half precision takes any f32.
    is(fill(Dtype::F16, Scalar::Float(1e6)), Dtype::F16, &[1], &[f64::INFINITY]);
    for (dtype, value, name) in [
        (Dtype::I8, Scalar::Int(300), "int8_t"),
        (Dtype::I32, Scalar::Float(1e20), "int"),
        (Dtype::I64, Scalar::Float(9.3e18), "int64_t"),
        (Dtype::I64, Scalar::Float(f64::NAN), "int64_t"),
        (Dtype::F32, Scalar::Float(1e300), "float"),
        (Dtype::U8, Scalar::Int(-256), "uint8_t"),
        (Dtype::U8, Scalar::Float(-0.5), "uint8_t"),
    ] {
        refuses(fill(dtype, value), &format!("value cannot be converted to type {name} without overflow"));
    }
    refuses(
        copy::fill_(&x(Dtype::F32), (&iota(&[1])).into()),
        "fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions.",
    );
}

#[test]
fn ranges() {
    let arange = |start: f64, end: f64, step: f64, dtype| {
        creation::arange(start.into(), end.into(), step.into(), dtype)
    };
    is(
        creation::arange(Scalar::Int(5), Scalar::Int(0), Scalar::Int(-2), None),
        Dtype::I64,
        &[3],
        &[5.0, 3.0, 1.0],
    );
    is(arange(0.0, 1.5, 0.5, None), Dtype::F32, &[3], &[0.0, 0.5, 1.0]);
    is(arange(-0.5, 3.2, 0.5, Some(Dtype::I64)), Dtype::I64, &[8], &[0.0; 8]);
    is(arange(3.5, 0.2, -1.5, Some(Dtype::I64)), Dtype::I64, &[3], &[3.0, 2.0, 1.0]);
    is(arange(5.0, 5.0, 1.0, None), Dtype::F32, &[0], &[]);
    refuses(
        creation::full(&[2, -1], Scalar::Int(0), Dtype::F32),
        "Trying to create tensor with negative dimension -1: [2, -1]",
    );
}

#[test]
fn products() {
    let x = iota(&[2, 3]);
    let t = views::t(&x).unwrap();
    is(matmul::mm(&x, &t), Dtype::F32, &[2, 2], &[5.0, 14.0, 14.0, 50.0]);
    is(
        matmul::mm(
            &Tensor::zeros(Dtype::F32, &[2, 0]).unwrap(),
            &Tensor::zeros(Dtype::F32, &[0, 2]).unwrap(),
        ),
        Dtype::F32,
        &[2, 2],
        &[0.0; 4],
    );
    let ones = of(Dtype::F32, &[2], &[1, 1]);
    is(
        matmul::addmm(&ones, &x, &t, Scalar::Float(0.5), Scalar::Int(2)),
        Dtype::F32,
        &[2, 2],
        &[10.5, 28.5, 28.5, 100.5],
    );
    let nan = of(Dtype::F32, &[], &[f64::NAN]);
    is(
        matmul::addmm(&nan, &x, &t, Scalar::Int(0), Scalar::Int(1)),
        Dtype::F32,
        &[2, 2],
        &[5.0, 14.0, 14.0, 50.0],
    );
    is(matmul::linear(&iota(&[2, 1, 3]), &x, Some(&ones)), Dtype::F32, &[2, 1, 2], &[6.0, 15.0, 15.0, 51.0]);
    is(matmul::linear(&iota(&[3]), &iota(&[3]), None), Dtype::F32, &[], &[5.0]);
    let batches = iota(&[2, 2, 1]);
    is(
        matmul::bmm(&batches, &views::mt(&batches).unwrap()),
        Dtype::F32,
        &[2, 2, 2],
        &[0.0, 0.0, 0.0, 1.0, 4.0, 6.0, 6.0, 9.0],
    );
}

/// `(0, 1, 2, ..) % modulus - 1 - (modulus > 3)`.
fn pattern(sizes: &[i64], modulus: i64) -> Tensor {
    let count: i64 = sizes.iter().product();
    let shift = 1 + i64::from(modulus > 3);
    of(Dtype::F32, sizes, &(0..count).map(|i| i % modulus - shift).collect::<Vec<_>>())
}

#[test]
fn convolutions() {
    let x = of(Dtype::F32, &[1, 4, 2, 3], &(0..24).map(|i| i - 7).collect::<Vec<i64>>());
    let bias = of(Dtype::F32, &[4], &[1, 0, -1, 2]);
    let grouped = Convolution {
        stride: &[1, 2],
        padding: &[0, 1],
        dilation: &[1],
        transposed: false,
        output_padding: &[0],
        groups: 2,
    };
    is(
        convolution(&x, &pattern(&[4, 2, 1, 3], 5), Some(&bias), grouped),
        Dtype::F32,
        &[1, 4, 2, 2],
        &[6.0, 20.0, 3.0, 20.0, -4.0, 4.0, -10.0, 1.0, 5.0, -31.0, 11.0, -37.0, 12.0, 10.0, 15.0, 16.0],
    );
    let transposed = Convolution {
        stride: &[2, 1],
        padding: &[1, 0],
        dilation: &[1, 2],
        transposed: true,
        output_padding: &[1, 0],
        groups: 2,
    };
    let expected: Vec<f64> = [
        -9, -6, -15, -12, 3, 12, 9, 6, 3, 4, 3, 4, 3, 4, 0, 3, -6, -12, -6, 3, 0, -21, -24, -32, -6, 4, 12,
        13, 14, 15, 52, 39, 30, -12, -12, -30, -33, -44, -9, 4, 15, 16,
    ]
    .map(f64::from)
    .to_vec();
    is(convolution(&x, &pattern(&[4, 1, 2, 3], 5), None, transposed), Dtype::F32, &[1, 2, 3, 7], &expected);
    let plain = Convolution {
        stride: &[1],
        padding: &[0],
        dilation: &[1],
        transposed: false,
        output_padding: &[0],
        groups: 1,
    };
    is(
        convolution(&iota(&[1, 1, 2, 2, 4]), &pattern(&[1, 1, 2, 2, 2], 3), None, plain),
        Dtype::F32,
        &[1, 1, 1, 1, 3],
        &[-4.0, -5.0, -6.0],
    );
}

#[test]
fn bounds_follow_the_path() {
    let integers = iota(&[2, 3]);
    let product = matmul::mm(&integers, &views::t(&integers).unwrap()).unwrap();
    assert!(product.offsets().all(|at| product.bound(at) == 0.0));
    let x = apply(&table::EXP, &[(&integers).into()], &[]).unwrap();
    let view = views::t(&x).unwrap();
    let sum = apply(&table::SUB, &[(&view).into(), (&copy::clone(&view).unwrap()).into()], &ALPHA).unwrap();
    for at in sum.offsets() {
        assert_eq!(sum.read(at), Scalar::Float(0.0));
        let expected = 2.0 * view.bound(at);
        assert!((sum.bound(at) - expected).abs() < 1e-6 * expected);
    }
}
