//! NVIDIA's GPUs by their driver, `libcuda.so.1`, which is looked for when it is needed: nothing here links
//! against it.
//!
//! The functions and constants are those of the CUDA Driver API (`cuda.h`). Everything is done in the null
//! stream, in order. Memory comes from the device's pool, which keeps what is freed.

use super::{Device, DeviceError};
use std::{
    cell::RefCell,
    collections::HashMap,
    ffi::{CStr, CString, OsString, c_char, c_int, c_uint, c_void},
    ptr,
    rc::Rc,
    time::Duration,
};

/// A handle of the driver's.
type Handle = *mut c_void;

const MULTIPROCESSORS: c_int = 16;
const CACHE_BYTES: c_int = 38;
const COMPUTE_CAPABILITY_MAJOR: c_int = 75;
const COMPUTE_CAPABILITY_MINOR: c_int = 76;
const MEMPOOL_RELEASE_THRESHOLD: c_int = 4;
const JIT_ERROR_LOG_BUFFER: c_int = 5;
const JIT_ERROR_LOG_BUFFER_SIZE_BYTES: c_int = 6;

/// The library where nobody names another by `TERRACE_CUDA_DRIVER`.
const LIBRARY: &str = "libcuda.so.1";

macro_rules! functions {
    ($($field:ident = $name:literal ($($ty:ty),*);)*) => {
        /// The functions of the driver that are called; each returns 0 where it succeeds.
        struct Functions {
            $($field: unsafe extern "C" fn($($ty),*) -> c_int,)*
        }

        impl Functions {
            /// Finds them in a library.
            unsafe fn find(library: Handle) -> Result<Self, DeviceError> {
                Ok(Self {
                    $($field: {
                        // SAFETY: the library is open; the type is that of cuda.h.
                        let address = unsafe { libc::dlsym(library, concat!($name, "\0").as_ptr().cast()) };
                        if address.is_null() {
                            let why = concat!("the driver of the GPU is too old: it has no ", $name);
                            return Err(DeviceError(why.into()));
                        }
                        // SAFETY: the function is there, and cuda.h says that this is its type.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($ty),*) -> c_int>(address) }
                    },)*
                })
            }
        }
    };
}

functions! {
    init = "cuInit" (c_uint);
    error_string = "cuGetErrorString" (c_int, *mut *const c_char);
    device_get = "cuDeviceGet" (*mut c_int, c_int);
    device_name = "cuDeviceGetName" (*mut c_char, c_int, c_int);
    device_attribute = "cuDeviceGetAttribute" (*mut c_int, c_int, c_int);
    device_pool = "cuDeviceGetDefaultMemPool" (*mut Handle, c_int);
    pool_attribute = "cuMemPoolSetAttribute" (Handle, c_int, *mut c_void);
    context_retain = "cuDevicePrimaryCtxRetain" (*mut Handle, c_int);
    context_release = "cuDevicePrimaryCtxRelease_v2" (c_int);
    context_set = "cuCtxSetCurrent" (Handle);
    context_synchronize = "cuCtxSynchronize" ();
    module_load = "cuModuleLoadDataEx" (*mut Handle, *const c_void, c_uint, *mut c_int, *mut *mut c_void);
    module_unload = "cuModuleUnload" (Handle);
    module_function = "cuModuleGetFunction" (*mut Handle, Handle, *const c_char);
    allocate = "cuMemAllocAsync" (*mut u64, usize, Handle);
    free = "cuMemFreeAsync" (u64, Handle);
    to_device = "cuMemcpyHtoD_v2" (u64, *const c_void, usize);
    to_host = "cuMemcpyDtoH_v2" (*mut c_void, u64, usize);
    within = "cuMemcpyDtoDAsync_v2" (u64, u64, usize, Handle);
    fill = "cuMemsetD8Async" (u64, u8, usize, Handle);
    launch = "cuLaunchKernel" (
        Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void, *mut *mut c_void
    );
    event_create = "cuEventCreate" (*mut Handle, c_uint);
    event_record = "cuEventRecord" (Handle, Handle);
    event_synchronize = "cuEventSynchronize" (Handle);
    event_elapsed = "cuEventElapsedTime" (*mut f32, Handle, Handle);
    event_destroy = "cuEventDestroy_v2" (Handle);
}

/// A GPU that the driver has, in a context of this process.
struct Driver {
    library: Handle,
    functions: Functions,
    device: c_int,
    capability: (c_int, c_int),
}

impl Drop for Driver {
    fn drop(&mut self) {
        // SAFETY: it was retained once. The library stays: the driver does not like to be closed.
        unsafe { (self.functions.context_release)(self.device) };
    }
}

impl Driver {
    fn open() -> Result<Self, DeviceError> {
        let name = std::env::var_os("TERRACE_CUDA_DRIVER").unwrap_or_else(|| OsString::from(LIBRARY));
        let text = CString::new(name.as_encoded_bytes()).unwrap_or_default();
        // SAFETY: a library that is meant to be loaded by name; nothing else is asked of it.
        let library = unsafe { libc::dlopen(text.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if library.is_null() {
            return Err(DeviceError(format!(
                "no GPU: the driver's library {} is not on this machine (TERRACE_CUDA_DRIVER names another file)",
                name.display()
            )));
        }
        // SAFETY: the library is open, and stays.
        let functions = unsafe { Functions::find(library)? };
        let mut driver = Self { library, functions, device: 0, capability: (0, 0) };
        let (mut device, mut major, mut minor) = (0, 0, 0);
        let (mut context, mut pool) = (ptr::null_mut(), ptr::null_mut());
        let f = &driver.functions;
        // SAFETY: each function is called with what cuda.h declares; the context is current for what follows.
        unsafe {
            driver.check("no GPU", (f.init)(0))?;
            driver.check("no GPU", (f.device_get)(&mut device, 0))?;
            driver.check(
                "the GPU has no architecture",
                (f.device_attribute)(&mut major, COMPUTE_CAPABILITY_MAJOR, device),
            )?;
            driver.check(
                "the GPU has no architecture",
                (f.device_attribute)(&mut minor, COMPUTE_CAPABILITY_MINOR, device),
            )?;
            driver.check("the GPU has no context", (f.context_retain)(&mut context, device))?;
            driver.check("the GPU has no context", (f.context_set)(context))?;
            // What is freed stays in the pool.
            driver.check("the GPU has no memory pool", (f.device_pool)(&mut pool, device))?;
            let mut all = u64::MAX;
            let set = (f.pool_attribute)(pool, MEMPOOL_RELEASE_THRESHOLD, (&raw mut all).cast());
            driver.check("the GPU has no memory pool", set)?;
        }
        (driver.device, driver.capability) = (device, (major, minor));
        Ok(driver)
    }

    fn check(&self, what: &str, status: c_int) -> Result<(), DeviceError> {
        if status == 0 {
            return Ok(());
        }
        let mut text = ptr::null();
        // SAFETY: the driver's texts are static.
        let text = unsafe {
            (self.functions.error_string)(status, &mut text);
            if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy() }
        };
        Err(DeviceError(format!("{what}: {text} (CUDA error {status})")))
    }
}

/// A GPU of NVIDIA's, with the kernels of a program or with none.
pub struct Cuda {
    driver: Rc<Driver>,
    module: Option<Handle>,
    /// The kernels that were launched, by their names.
    functions: RefCell<HashMap<String, Handle>>,
}

/// A GPU, before it has kernels; several programs may have theirs on one.
#[derive(Clone)]
pub struct Gpu(Rc<Driver>);

impl Cuda {
    /// Finds the driver, and the first GPU that it has.
    ///
    /// # Errors
    /// There is none; one line says why.
    pub fn open() -> Result<Gpu, DeviceError> {
        Ok(Gpu(Rc::new(Driver::open()?)))
    }
}

impl Gpu {
    /// The newest of some architectures, such as `sm_90`, that the GPU runs.
    ///
    /// # Errors
    /// It is older than all of them.
    pub fn newest<'n>(&self, architectures: &[&'n str]) -> Result<&'n str, DeviceError> {
        let (major, minor) = self.0.capability;
        let own = 10 * major + minor;
        let number = |name: &str| name.strip_prefix("sm_").and_then(|n| n.parse::<c_int>().ok());
        let runs = |name: &&&str| number(name).is_some_and(|n| n <= own);
        let newest = architectures.iter().filter(runs).max_by_key(|name| number(name));
        newest.copied().ok_or_else(|| {
            DeviceError(format!("the GPU is an sm_{own}: there is code for {}", architectures.join(", ")))
        })
    }

    /// What the driver calls it.
    pub fn name(&self) -> String {
        let mut name = [0; 256];
        // SAFETY: there is room for so many bytes, the last one zero.
        let text = unsafe {
            (self.0.functions.device_name)(name.as_mut_ptr(), name.len() as c_int - 1, self.0.device);
            CStr::from_ptr(name.as_ptr())
        };
        text.to_string_lossy().into_owned()
    }

    fn attribute(&self, attribute: c_int) -> Result<u64, DeviceError> {
        let mut value = 0;
        // SAFETY: room for a number.
        let status = unsafe { (self.0.functions.device_attribute)(&mut value, attribute, self.0.device) };
        self.0.check("the GPU does not say what it is", status)?;
        Ok(u64::try_from(value).unwrap_or(0))
    }

    /// How many multiprocessors it has.
    ///
    /// # Errors
    /// The driver does not say.
    pub fn multiprocessors(&self) -> Result<u64, DeviceError> {
        self.attribute(MULTIPROCESSORS)
    }

    /// The bytes of its second-level cache.
    ///
    /// # Errors
    /// The driver does not say.
    pub fn cache_bytes(&self) -> Result<u64, DeviceError> {
        self.attribute(CACHE_BYTES)
    }

    /// A function that the driver's library has beside those of every driver.
    pub fn extension(&self, name: &CStr) -> Option<*mut c_void> {
        // SAFETY: the library stays.
        let address = unsafe { libc::dlsym(self.0.library, name.as_ptr()) };
        (!address.is_null()).then_some(address)
    }

    /// The GPU with kernels: PTX, which the driver compiles, or an image of machine code.
    ///
    /// # Errors
    /// What the driver says of it.
    pub fn load(&self, image: &[u8]) -> Result<Cuda, DeviceError> {
        // A text is to end in a zero byte; an image says itself how long it is.
        let image = [image, &[0]].concat();
        let mut log = vec![0u8; 1 << 14];
        let mut options = [JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        let mut values = [log.as_mut_ptr().cast(), log.len() as *mut c_void];
        let mut module = ptr::null_mut();
        // SAFETY: two options with a value each; the text ends in a zero byte.
        let status = unsafe {
            (self.0.functions.module_load)(
                &mut module,
                image.as_ptr().cast(),
                2,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        self.0.check("cannot load the kernels", status).map_err(|DeviceError(what)| {
            let log =
                String::from_utf8_lossy(log.split(|byte| *byte == 0).next().unwrap_or_default()).into_owned();
            DeviceError(if log.is_empty() { what } else { format!("{what}\n{}", log.trim_end()) })
        })?;
        Ok(self.with(Some(module)))
    }

    /// The GPU for tensors that programs share.
    pub fn without_kernels(&self) -> Cuda {
        self.with(None)
    }

    fn with(&self, module: Option<Handle>) -> Cuda {
        Cuda { driver: self.0.clone(), module, functions: RefCell::default() }
    }
}

impl Cuda {
    /// Copies bytes within the device, as the driver does it.
    ///
    /// # Errors
    /// There is no such memory.
    pub fn copy(&self, to: u64, from: u64, bytes: usize) -> Result<(), DeviceError> {
        // SAFETY: the driver checks the addresses.
        let status = unsafe { (self.driver.functions.within)(to, from, bytes, ptr::null_mut()) };
        self.driver.check("cannot copy within the GPU", status)
    }

    fn function(&self, kernel: &str) -> Result<Handle, DeviceError> {
        if let Some(known) = self.functions.borrow().get(kernel) {
            return Ok(*known);
        }
        let module = self.module.ok_or_else(|| DeviceError(format!("there is no kernel {kernel}")))?;
        let name = CString::new(kernel).map_err(|_| DeviceError("a kernel's name has a zero byte".into()))?;
        let mut function = ptr::null_mut();
        // SAFETY: the module is loaded, the name ends in a zero byte.
        let found = unsafe { (self.driver.functions.module_function)(&mut function, module, name.as_ptr()) };
        self.driver.check(&format!("cannot find kernel {kernel}"), found)?;
        self.functions.borrow_mut().insert(kernel.to_owned(), function);
        Ok(function)
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        if let Some(module) = self.module {
            // SAFETY: loaded once, and nobody launches its kernels any more.
            unsafe { (self.driver.functions.module_unload)(module) };
        }
    }
}

impl Device for Cuda {
    fn allocate(&self, bytes: usize) -> Result<u64, DeviceError> {
        let mut address = 0;
        // SAFETY: the null stream.
        let status = unsafe { (self.driver.functions.allocate)(&mut address, bytes, ptr::null_mut()) };
        self.driver.check(&format!("no memory on the GPU for {bytes} bytes"), status)?;
        Ok(address)
    }

    fn free(&self, address: u64) -> Result<(), DeviceError> {
        // SAFETY: it came from `allocate`; what still uses it was asked for before.
        self.driver
            .check("cannot free memory", unsafe { (self.driver.functions.free)(address, ptr::null_mut()) })
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: the driver checks the address.
        let status =
            unsafe { (self.driver.functions.to_device)(address, bytes.as_ptr().cast(), bytes.len()) };
        self.driver.check("cannot write to the GPU", status)
    }

    fn fill(&self, address: u64, value: u8, bytes: usize) -> Result<(), DeviceError> {
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the driver checks the address.
        let status = unsafe { (self.driver.functions.fill)(address, value, bytes, ptr::null_mut()) };
        self.driver.check("cannot fill memory of the GPU", status)
    }

    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: the driver checks the address.
        let status =
            unsafe { (self.driver.functions.to_host)(bytes.as_mut_ptr().cast(), address, bytes.len()) };
        self.driver.check("cannot read from the GPU", status)
    }

    unsafe fn launch(
        &self,
        kernel: &str,
        blocks: u64,
        threads: u64,
        arguments: &[u64],
    ) -> Result<(), DeviceError> {
        let function = self.function(kernel)?;
        let mut pointers: Vec<*mut c_void> =
            arguments.iter().map(|word| ptr::from_ref(word).cast_mut().cast()).collect();
        let (blocks, threads) = match (u32::try_from(blocks), u32::try_from(threads)) {
            (Ok(blocks), Ok(threads)) if blocks < 1 << 31 => (blocks, threads),
            _ => return Err(DeviceError(format!("{blocks} blocks are too many for kernel {kernel}"))),
        };
        // SAFETY: the caller's; parameters are read before the function returns.
        unsafe {
            let none = ptr::null_mut();
            let status = (self.driver.functions.launch)(
                function,
                blocks,
                1,
                1,
                threads,
                1,
                1,
                0,
                none,
                pointers.as_mut_ptr(),
                ptr::null_mut(),
            );
            self.driver.check(&format!("cannot launch kernel {kernel}"), status)
        }
    }

    fn synchronize(&self) -> Result<(), DeviceError> {
        // SAFETY: the context is current.
        self.driver.check("a kernel failed", unsafe { (self.driver.functions.context_synchronize)() })
    }

    fn time(&self, work: &mut dyn FnMut() -> Result<(), DeviceError>) -> Result<Duration, DeviceError> {
        let f = &self.driver.functions;
        let (mut start, mut end, mut milliseconds) = (ptr::null_mut(), ptr::null_mut(), 0.0);
        // SAFETY: events of the null stream, destroyed once.
        unsafe {
            self.driver.check("no clock on the GPU", (f.event_create)(&mut start, 0))?;
            self.driver.check("no clock on the GPU", (f.event_create)(&mut end, 0))?;
            let mut timed = || {
                self.driver.check("no clock on the GPU", (f.event_record)(start, ptr::null_mut()))?;
                work()?;
                self.driver.check("no clock on the GPU", (f.event_record)(end, ptr::null_mut()))?;
                self.driver.check("a kernel failed", (f.event_synchronize)(end))?;
                self.driver.check("no clock on the GPU", (f.event_elapsed)(&mut milliseconds, start, end))
            };
            let outcome = timed();
            (f.event_destroy)(start);
            (f.event_destroy)(end);
            outcome?;
        }
        Ok(Duration::from_secs_f64(f64::from(milliseconds) / 1e3))
    }
}
