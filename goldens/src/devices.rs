//! Whether fake tensors on devices are what PyTorch's are, by records of its FakeTensorMode
//! (goldens/generate/devices.py).

use crate::{
    case::{self, Case, View},
    fake::{self, Came, Knows, Verdict},
    operators::Operators,
    program::{self, Failure, Sizes},
};
use melior::Context;
use serde_json::Value as Json;
use std::collections::HashMap;
use terrace_dialects::{analysis::fake::Fake, ir::device};
use terrace_size::{Size, symbols::Symbols};

/// A call on devices, and what PyTorch's fake tensors come to.
#[derive(Debug, Clone)]
pub struct Record {
    /// The golden case, its tensors on devices.
    pub case: Case,
    /// Whether PyTorch's fake tensors on the CPU are laid out as eager's are not, so that theirs on other
    /// devices may not be.
    pub unlike: bool,
    /// The results, or that the call is refused, in these words.
    pub outcome: Result<Vec<String>, String>,
}

/// All records, or those of cases whose names contain `filter`.
///
/// # Errors
/// A file that cannot be read, or a line that is no record of a case.
pub fn read(filter: &str) -> Result<Vec<Record>, String> {
    let file = case::folder().join("devices/records.jsonl");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let cases: HashMap<String, Case> =
        case::read(filter)?.into_iter().map(|case| (case.name.clone(), case)).collect();
    let mut records = vec![];
    for (number, line) in text.lines().enumerate() {
        let wrong = || format!("{}:{}: no record", file.display(), number + 1);
        let line: Json = serde_json::from_str(line).map_err(|_| wrong())?;
        let name = line["case"].as_str().ok_or_else(wrong)?;
        if !name.contains(filter) {
            continue;
        }
        let case = cases.get(name).ok_or_else(|| format!("{}: there is no case {name}", file.display()))?;
        for on in line["on"].as_array().ok_or_else(wrong)? {
            let (case, outcome) = placed(case, on).ok_or_else(wrong)?;
            records.push(Record { case, unlike: line["unlike"] == true, outcome });
        }
    }
    Ok(records)
}

/// The case with its tensors on devices, and what comes of it.
fn placed(case: &Case, on: &Json) -> Option<(Case, Result<Vec<String>, String>)> {
    let texts = |json: &Json| -> Option<Vec<String>> {
        json.as_array()?.iter().map(|text| Some(text.as_str()?.to_owned())).collect()
    };
    let devices = texts(&on["tensors"])?;
    let mut case = case.clone();
    case.name += &format!(" on {}", devices.join(" "));
    for (view, device) in case.tensors.iter_mut().zip(devices) {
        view.device = device;
    }
    if let Some(device) = on["device"].as_str() {
        case.name += &format!(" to {device}");
        case.calls.first_mut()?.arguments.insert("device".into(), device.into());
    }
    Some((
        case,
        match on["refused"].as_str() {
            Some(words) => Err(words.to_owned()),
            None => Ok(texts(&on["results"])?),
        },
    ))
}

/// A difference that is known.
struct Known {
    reason: &'static str,
    /// Whether it is this one, by what our fake tensors come to.
    applies: fn(&Record, &str) -> bool,
}

const KNOWN: &[Known] = &[
    Known {
        reason: "FakeTensorMode's results are not eager's on the CPU either",
        applies: |record, failure| {
            let operators = [
                "_to_copy",
                "clamp",
                "index",
                "native_batch_norm_backward",
                "native_dropout",
                "native_group_norm",
                "native_group_norm_backward",
                "pixel_unshuffle",
                "softplus_backward",
                "threshold_backward",
            ];
            record.unlike && operators.contains(&operator(record)) && !failure.contains("a tensor on")
        },
    },
    Known {
        reason: "the strides of what has no elements, and of dimensions of one, which say nothing",
        applies: |_, failure| failure.ends_with("which say nothing"),
    },
    Known {
        reason: "FakeTensorMode takes a tensor without dimensions from the CPU with any operator; of eager's kernels those do that iterate",
        applies: |record, failure| is_refused(record, failure) && only_scalars_differ(&record.case),
    },
    Known {
        reason: "FakeTensorMode takes several tensors without dimensions from the CPU; eager's kernels one",
        applies: |record, failure| record.outcome.is_ok() && failure.contains("too many CPU scalars"),
    },
    Known {
        reason: "FakeTensorMode does not look where operands are that its own decomposition does not use, or that are entries of lists",
        applies: |record, failure| {
            let operators = [
                "_embedding_bag",
                "_unsafe_masked_index_put_accumulate",
                "addmm",
                "addmv",
                "bincount",
                "diff",
                "embedding_bag",
                "grouped_mm_fallback",
                "grouped_mm_fallback_backward",
                "instance_norm",
                "masked_select",
                "native_batch_norm_backward",
                "native_layer_norm_backward",
                "nll_loss2d_backward",
                "nll_loss_backward",
                "set",
            ];
            let operator = operator(record);
            is_refused(record, failure)
                && (operators.contains(&operator) || operator.starts_with("_foreach_"))
        },
    },
    Known {
        reason: "FakeTensorMode takes indices from any device; eager from the CPU or from the tensor's own",
        applies: |record, failure| {
            record.outcome.is_ok()
                && failure.contains("indices should be either on cpu or on the same device")
        },
    },
    Known {
        reason: "FakeTensorMode does not know that eager copies what is put in, takes a number out of it, or takes indices from the CPU",
        applies: |record, failure| {
            let operators = ["_unsafe_index", "as_strided_scatter", "fill", "index_fill", "select_scatter"];
            let differs = failure.starts_with("is not refused") || failure.contains("a tensor on");
            differs && operators.contains(&operator(record))
        },
    },
    Known {
        reason: "of tensors without dimensions on two devices FakeTensorMode takes the first one's; eager the one that is not the CPU",
        applies: |record, failure| {
            operator(record).starts_with("_foreach_")
                && failure.contains("expected a tensor on cpu, got one on cuda:0")
        },
    },
    Known {
        reason: "FakeTensorMode does not promote indices and offsets to one dtype",
        applies: |record, failure| {
            operator(record).ends_with("embedding_bag") && failure.contains("expected I32, got I64")
        },
    },
    Known {
        reason: "FakeTensorMode casts operands first, as eager does on the CPU alone",
        applies: |record, failure| {
            let mut dtypes = record.case.tensors.iter().map(|view| view.dtype);
            let first = dtypes.next();
            failure.contains("expected strides") && dtypes.any(|dtype| Some(dtype) != first)
        },
    },
    Known {
        reason: "FakeTensorMode makes images of few channels row-major, of which eager's kernel only computes in another way",
        applies: |record, failure| {
            operator(record).starts_with("upsample_") && failure.contains("expected strides")
        },
    },
    Known {
        reason: "how many elements are chosen is a symbol, though there are none to choose from",
        applies: |record, failure| {
            ["index", "nonzero"].contains(&operator(record)) && failure.ends_with("got None")
        },
    },
];

fn operator(record: &Record) -> &str {
    record.case.calls[0].operator()
}

/// Whether devices are why it is refused here, and PyTorch does not.
fn is_refused(record: &Record, failure: &str) -> bool {
    record.outcome.is_ok() && failure.contains("Expected all tensors to be on the same device")
}

/// Whether all tensors are on one device but some without dimensions on the CPU.
fn only_scalars_differ(case: &Case) -> bool {
    let mut others = case.tensors.iter().filter(|view| view.device != "cpu" || !view.sizes.is_empty());
    let first = others.next();
    others.all(|view| Some(&view.device) == first.map(|first| &first.device))
}

/// The reason of a difference that is known.
pub fn known(record: &Record, failure: &str) -> Option<&'static str> {
    let row = KNOWN.iter().find(|known| (known.applies)(record, failure));
    row.map(|row| row.reason).or_else(|| fake::known(&record.case, failure))
}

/// Propagates fake tensors through the program of a case, of sizes that are numbers or symbols with hints,
/// and compares.
///
/// # Errors
/// The first difference, in words.
pub(crate) fn check(
    context: &Context,
    operators: &Operators,
    record: &Record,
    knows: Knows,
    said: impl Fn() -> String,
) -> Result<Verdict, String> {
    let sizes = if knows == Knows::Numbers { Sizes::Static } else { Sizes::Dynamic };
    let ran = match program::module(context, operators, &record.case, sizes) {
        Ok(module) => {
            let mut symbols = Symbols::new();
            let ran = symbols.enter(|| fake::propagate(&module, &record.case, knows));
            match ran {
                Ok((state, arguments, results)) => {
                    let numbers = fake::numbers(&state, &record.case);
                    let value = |size: Size| symbols.value(size, &numbers);
                    compare(record, &arguments, &results, &value)
                }
                Err(message) => Err(format!("refused: {message}")),
            }
        }
        Err(Failure::Case(message)) => return Err(message),
        // There is no such program where types must say more of sizes.
        Err(Failure::Refused) if knows != Knows::Numbers => return Ok(Verdict::Refused(said())),
        Err(Failure::Refused) => Err(format!("refused: {}", said())),
    };
    match (&record.outcome, ran) {
        (Err(_), Err(message)) if message.starts_with("refused: ") => Ok(Verdict::Same),
        (_, ran) => ran.map(|()| Verdict::Same),
    }
}

/// What a size is for the sizes of the case.
type Value<'a> = &'a dyn Fn(Size) -> Option<i64>;

fn compare(record: &Record, arguments: &[Fake], results: &[Came], value: Value) -> Result<(), String> {
    let expected = match &record.outcome {
        Ok(expected) => expected,
        Err(words) => return Err(format!("is not refused; PyTorch says: {words}")),
    };
    if expected.len() != results.len() {
        return Err(format!("expected {} results, got {}", expected.len(), results.len()));
    }
    for (number, (text, fake)) in expected.iter().zip(results).enumerate() {
        let wrong = |what: String| format!("result {number}: {what}");
        // A number is on no device.
        let Came::Tensor(fake) = fake else { continue };
        let same = arguments.iter().position(|argument| argument.identity == fake.identity);
        if let Some(number) = text.strip_prefix('%') {
            if same.is_none_or(|same| number != same.to_string()) {
                return Err(wrong(format!("expected {text} itself, got another tensor")));
            }
            continue;
        }
        let (device, text) = text.split_once(' ').ok_or("no result")?;
        let actual = device::name(fake.device);
        if device::named(device)? != fake.device {
            return Err(wrong(format!("expected a tensor on {device}, got one on {actual}")));
        }
        // A size that depends on elements: there is nothing to compare.
        let Some(view) = case::view(&format!("@0 {text}")) else { continue };
        layout(&view, fake, value).map_err(wrong)?;
    }
    Ok(())
}

fn layout(view: &View, fake: &Fake, value: Value) -> Result<(), String> {
    let known = &fake.known;
    let numbers = |sizes: &[Size]| sizes.iter().map(|size| value(*size)).collect::<Option<Vec<i64>>>();
    let dtype = |dtype: &dyn std::fmt::Debug| format!("{dtype:?}").to_uppercase();
    if dtype(&view.dtype) != dtype(&known.dtype) {
        return Err(format!("expected {:?}, got {:?}", view.dtype, known.dtype));
    }
    for (what, expected, actual) in [
        ("sizes", &view.sizes, &known.layout.sizes[..]),
        ("strides", &view.strides, &known.layout.strides[..]),
        ("offset", &vec![view.offset], &[known.layout.offset][..]),
    ] {
        let actual = numbers(actual);
        if actual.as_ref() == Some(expected) {
            continue;
        }
        let says = |dim: usize| actual.as_ref().is_some_and(|actual| actual[dim] != expected[dim]);
        let mut dims = 0..view.sizes.len();
        let nothing = view.sizes.contains(&0) || dims.all(|dim| view.sizes[dim] == 1 || !says(dim));
        let of = if what == "strides" && nothing { ", which say nothing" } else { "" };
        return Err(format!("expected {what} {expected:?}, got {actual:?}{of}"));
    }
    let flags = (view.flags.conj, view.flags.neg);
    if flags != (known.conj, known.neg) {
        return Err(format!("expected conj and neg {flags:?}, got {:?}", (known.conj, known.neg)));
    }
    Ok(())
}
