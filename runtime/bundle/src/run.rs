//! Loads a bundle, checks what comes of a call, and times calls.

use crate::{Bundle, BundleError, CodeFor, EMULATED, Guarded, Place};
use std::{
    ffi::{CStr, CString, OsStr, c_void},
    fs, mem,
    os::unix::ffi::OsStrExt,
    path::Path,
    rc::Rc,
    time::Duration,
};
use terrace_call::{
    Context, Cuda, Device, DeviceError, Entries, Gpu, GpuProgram, LINK, PACKED, Packed, free_with_call,
    symbols, to_device,
};
use terrace_tensor::Value;

/// A shared library, open.
struct Library(*mut c_void);

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: opened once.
        unsafe { libc::dlclose(self.0) };
    }
}

impl Library {
    fn open(file: &Path) -> Result<Self, BundleError> {
        // A name without a slash is looked for elsewhere.
        let file = fs::canonicalize(file).map_err(|e| BundleError(format!("{}: {e}", file.display())))?;
        let name = CString::new(OsStr::as_bytes(file.as_os_str())).unwrap_or_default();
        // SAFETY: the library of a bundle: it runs nothing when it is loaded.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if library.is_null() {
            // SAFETY: there is an error.
            let why = unsafe { CStr::from_ptr(libc::dlerror()) };
            return Err(BundleError(why.to_string_lossy().into_owned()));
        }
        Ok(Self(library))
    }

    fn address(&self, name: &str) -> Result<*mut c_void, BundleError> {
        let text = CString::new(name).unwrap_or_default();
        // SAFETY: the library is open.
        let address = unsafe { libc::dlsym(self.0, text.as_ptr()) };
        if address.is_null() {
            Err(BundleError(format!("the host's side has no {name}")))
        } else {
            Ok(address)
        }
    }
}

/// How often the stand-in driver was asked for what so far; None: the driver is a real one.
pub fn counts(gpu: &Gpu) -> Option<[u64; 6]> {
    let function = gpu.extension(c"terrace_fake_cuda_counts")?;
    let mut counts = [0; 6];
    // SAFETY: the function has this type.
    unsafe { mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut [u64; 6])>(function)(&mut counts) };
    Some(counts)
}

/// The code of a bundle for a GPU.
fn code<'b>(bundle: &'b Bundle, gpu: &Gpu) -> Result<&'b CodeFor, BundleError> {
    let wanted = match counts(gpu) {
        Some(_) => EMULATED,
        None => {
            let known: Vec<&str> = bundle.codes.iter().map(|code| &*code.architecture).collect();
            gpu.newest(&known)?
        }
    };
    let found = bundle.codes.iter().find(|code| code.architecture == wanted);
    found.ok_or_else(|| BundleError("has no code for the stand-in driver: make it with --emulate".into()))
}

/// That an ELF file is not cut off: a driver is not told how long an image is. It ends with its table of
/// sections.
fn is_whole(image: &[u8]) -> bool {
    let number = |at: usize, count: usize| {
        image
            .get(at..at + count)
            .map(|bytes| bytes.iter().rev().fold(0usize, |n, byte| n << 8 | usize::from(*byte)))
    };
    let end = || number(40, 8)?.checked_add(number(58, 2)? * number(60, 2)?);
    !image.starts_with(b"\x7fELF") || end().is_some_and(|end| end <= image.len())
}

/// Loads the kernels and the host's side; `wrap` says on which device they run.
///
/// # Errors
/// A file is missing, or the driver refuses it.
pub fn open(
    (bundle, folder): (&Bundle, &Path),
    gpu: &Gpu,
    wrap: impl FnOnce(Cuda) -> Rc<dyn Device>,
) -> Result<GpuProgram, BundleError> {
    let code = code(bundle, gpu)?;
    let mut loaded = Err(BundleError("has no kernels".into()));
    for image in &code.images {
        let bytes = fs::read(folder.join(image)).map_err(|e| BundleError(format!("{image}: {e}")))?;
        if !is_whole(&bytes) {
            return Err(BundleError(format!("{image}: is cut off")));
        }
        loaded = gpu.load(&bytes).map_err(|e| BundleError(format!("{image}: {e}")));
        if loaded.is_ok() {
            break;
        }
    }
    let device = wrap(loaded?);
    let library = Library::open(&folder.join(&code.host))?;
    let known = symbols();
    let find = |name: &String| {
        let found = known.iter().find(|(known, _)| known == name).map(|(_, address)| *address);
        found.ok_or_else(|| {
            BundleError(format!("the host's side calls {name}, which this runner does not have"))
        })
    };
    let table: Vec<*const c_void> = code.functions.iter().map(find).collect::<Result<_, _>>()?;
    let link = library.address(LINK)?;
    let packed = library.address(&format!("{PACKED}{}", bundle.signature.name))?;
    // SAFETY: who wrote the bundle gave the functions these types; the library goes with the program.
    let entries = unsafe {
        mem::transmute::<*mut c_void, unsafe extern "C" fn(*const *const c_void)>(link)(table.as_ptr());
        let packed = mem::transmute::<*mut c_void, Packed>(packed);
        Entries::new(vec![(bundle.signature.clone(), packed)], free_with_call)
    };
    Ok(GpuProgram::new(entries, Box::new(library), code.kernels.clone(), device))
}

/// The bytes of the storages of arguments, none of numbers.
pub fn bytes(arguments: &[Value]) -> Vec<Vec<u8>> {
    arguments.iter().map(|own| own.as_tensor().map_or(vec![], |t| t.storage().to_bytes())).collect()
}

/// Calls the program once on poisoned memory between guard zones, and compares what comes of it. Gives the
/// largest error, as a share of the largest magnitude of its value.
///
/// # Errors
/// Something is wrong with it.
pub fn check(bundle: &Bundle, folder: &Path, gpu: &Gpu) -> Result<f64, BundleError> {
    let arguments = bundle.arguments(folder)?;
    let before = bytes(&arguments);
    let mut guards = None;
    let program = open((bundle, folder), gpu, |card| {
        let guarded = Guarded::new(card);
        guards = Some(guarded.guards());
        Rc::new(guarded)
    })?;
    let there = to_device(program.device(), &arguments)?;
    let name = &bundle.signature.name;
    let results = program.run(&mut Context::new(), name, &there, &bundle.offsets)?;
    program.device().synchronize()?;
    if let Some(guards) = guards {
        guards.check_all(&**program.device())?;
    }
    let (results, arguments) = (Value::here(&results)?, Value::here(&there)?);
    let mut error = 0.0f64;
    for expected in &bundle.expected {
        let (list, number) = match expected.place {
            Place::Result(number) => (&results, number),
            Place::Argument(number) => (&arguments, number),
        };
        let value = list.get(number).ok_or_else(|| BundleError(format!("gives {} results", list.len())))?;
        error = error.max(expected.compare(value)?);
    }
    let is_written =
        |number: usize| bundle.expected.iter().any(|expected| expected.place == Place::Argument(number));
    for (number, (before, after)) in before.iter().zip(bytes(&arguments)).enumerate() {
        if !is_written(number) && *before != after {
            return Err(BundleError(format!("argument {number}: was written")));
        }
    }
    Ok(error)
}

/// How long calls take.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// The time of a call, of many in a row, the best of several tries.
    pub call: Duration,
    /// What the stand-in driver was asked for by one call whose tensors are on the device, as [`counts`]
    /// lists it.
    pub counts: Option<[u64; 6]>,
}

/// Tensors that all calls together have at least, so that no cache keeps them; copies are not more than so
/// many.
const COPIES: u64 = 64;

/// Times calls whose tensors are on the device. They take turns with copies of them, so that a call does not
/// find in the cache what the one before left there.
///
/// # Errors
/// What the device says.
pub fn time(bundle: &Bundle, folder: &Path, gpu: &Gpu) -> Result<Timing, BundleError> {
    let program = open((bundle, folder), gpu, |card| Rc::new(card))?;
    let emulated = counts(gpu).is_some();
    let beyond = 4 * gpu.cache_bytes()?;
    let copies = if emulated { 1 } else { (beyond / (bundle.work.bytes as u64).max(1) + 2).min(COPIES) };
    let arguments = bundle.arguments(folder)?;
    // Without tensors there is nothing that says that results stay there.
    let sets: Vec<Vec<Value>> =
        (0..copies).map(|_| to_device(program.device(), &arguments)).collect::<Result<_, _>>()?;
    let (mut context, name) = (Context::new(), &bundle.signature.name);
    let mut turn = 0;
    let mut call = |context: &mut Context| {
        let arguments = &sets[turn % sets.len()];
        turn += 1;
        program.run(context, name, arguments, &bundle.offsets).map(drop)
    };
    // The code is warm.
    for _ in 0..copies {
        call(&mut context)?;
    }
    let before = counts(gpu);
    call(&mut context)?;
    let asked = counts(gpu).zip(before).map(|(after, before)| std::array::from_fn(|i| after[i] - before[i]));
    let mut several = |count: u32| -> Result<Duration, BundleError> {
        let mut outcome = Ok(());
        let time = program.device().time(&mut || {
            for _ in 0..count {
                outcome = call(&mut context);
                if outcome.is_err() {
                    break;
                }
            }
            Ok::<(), DeviceError>(())
        });
        outcome?;
        Ok(time? / count)
    };
    let first = several(1)?;
    // Two hundredths of a second a try.
    let wanted = Duration::from_millis(if emulated { 1 } else { 20 });
    let count = (wanted.as_nanos() / first.as_nanos().max(1)).clamp(1, 1000) as u32;
    let mut best = first;
    for _ in 0..if emulated { 1 } else { 5 } {
        best = best.min(several(count)?);
    }
    Ok(Timing { call: best, counts: asked })
}
