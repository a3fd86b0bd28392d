//! The blocks of a launch one after the other, on memory that is the GPU's.

use crate::{
    block::{Block, Order},
    code::{CALL, Code, SPOIL, link},
    memory::Memory,
    shadow::Shadow,
    traffic::{Counter, Traffic},
};
use std::{
    cell::{Cell, RefCell},
    mem, ptr,
    rc::Rc,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use terrace_call::{Device, DeviceError};

/// A launch that was counted.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kernel's name.
    pub kernel: String,
    /// Its blocks.
    pub blocks: u64,
    /// The threads of a block.
    pub threads: u64,
    /// What the blocks that ran asked of memory.
    pub traffic: Traffic,
}

/// Where launches are listed, and how many blocks of each run at most.
struct Counted {
    launches: Arc<Mutex<Vec<Launch>>>,
    blocks: u64,
}

/// Memory, and what runs kernels on it.
pub struct Machine {
    order: Order,
    counted: Option<Counted>,
    memory: Memory,
    shadow: RefCell<Shadow>,
    /// The first step of the next launch.
    step: Cell<u32>,
}

/// A machine with the kernels of a program.
pub struct Gpu {
    code: Box<dyn Code>,
    machine: Rc<Machine>,
}

impl Gpu {
    /// Has the threads of kernels get their turns in an order.
    ///
    /// # Errors
    /// The code is not what [`Code`] says.
    pub fn new(code: Box<dyn Code>, order: Order) -> Result<Self, DeviceError> {
        Self::on(Rc::new(Machine::new(order)), code)
    }

    fn on(machine: Rc<Machine>, code: Box<dyn Code>) -> Result<Self, DeviceError> {
        link(&*code)?;
        Ok(Self { code, machine })
    }

    /// Other kernels on the memory of this machine.
    ///
    /// # Errors
    /// As [`Gpu::new`].
    pub fn beside(&self, code: Box<dyn Code>) -> Result<Self, DeviceError> {
        Self::on(self.machine.clone(), code)
    }

    /// Runs some blocks of each launch alone, from all over it, and lists what these ask of memory. Results
    /// are not those of the kernels: what other blocks would have written stays as it was.
    ///
    /// # Errors
    /// As [`Gpu::new`].
    pub fn counting(
        code: Box<dyn Code>,
        blocks: u64,
        launches: Arc<Mutex<Vec<Launch>>>,
    ) -> Result<Self, DeviceError> {
        let mut machine = Machine::new(Order::Forward);
        machine.counted = Some(Counted { launches, blocks });
        Self::on(Rc::new(machine), code)
    }
}

impl Machine {
    /// Memory with nothing in it; the threads of a block get their turns in an order.
    pub fn new(order: Order) -> Self {
        let (memory, shadow) = (Memory::default(), RefCell::default());
        Self { order, counted: None, memory, shadow, step: Cell::new(1) }
    }

    /// What is allocated.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Runs a kernel of code that is linked; `arguments` is an array of pointers to what it takes.
    ///
    /// # Safety
    /// They are those that it takes.
    ///
    /// # Errors
    /// As [`Device::launch`].
    pub unsafe fn launch(
        &self,
        code: &dyn Code,
        kernel: &str,
        blocks: u64,
        threads: usize,
        arguments: *const *const u64,
    ) -> Result<(), DeviceError> {
        let find = |name: &str| {
            code.address(name).ok_or_else(|| DeviceError(format!("there is no kernel {kernel}")))
        };
        let (call, fill) = (find(&format!("{CALL}{kernel}"))?, find(SPOIL)?);
        // SAFETY: as `Code` says.
        let (call, fill) = unsafe {
            (
                mem::transmute::<usize, extern "C" fn(*const *const u64)>(call),
                mem::transmute::<usize, extern "C" fn()>(fill),
            )
        };
        let counter = self.counted.as_ref().map(|_| Counter::new(self.memory.addresses().into_iter()));
        let mut block = Block::new((call, arguments), threads, self.shadow.take(), counter, self.step.get());
        let mut ran = Ok(());
        for number in which(blocks, self.counted.as_ref().map_or(blocks, |counted| counted.blocks)) {
            block.begin(number, fill);
            ran = block.run(self.order);
            let is_enough = match (&mut block.counter, &self.counted) {
                (Some(counter), Some(_)) => {
                    counter.end_block();
                    counter.is_enough()
                }
                _ => false,
            };
            if ran.is_err() || is_enough {
                break;
            }
        }
        self.step.set(block.step);
        self.shadow.replace(block.shadow);
        if let (Some(counter), Some(counted)) = (block.counter, &self.counted) {
            let (kernel, traffic) = (kernel.to_owned(), counter.end());
            let mut launches = counted.launches.lock().unwrap_or_else(PoisonError::into_inner);
            launches.push(Launch { kernel, blocks, threads: threads as u64, traffic });
        }
        ran.map_err(|DeviceError(why)| DeviceError(format!("kernel {kernel}: {why}")))?;
        self.memory.check(kernel)
    }
}

/// Blocks that run one after the other before others are left out.
const TOGETHER: u64 = 8;

/// At most so many of the blocks, in order: neighbours together, from all over the grid.
fn which(blocks: u64, most: u64) -> impl Iterator<Item = u64> {
    let groups = if most < blocks { most.div_ceil(TOGETHER).max(1) } else { 1 };
    let each = most.min(blocks) / groups;
    (0..groups).flat_map(move |group| {
        let first = (blocks as u128 * u128::from(group) / u128::from(groups)) as u64;
        first..first + each
    })
}

impl Device for Gpu {
    fn allocate(&self, bytes: usize) -> Result<u64, DeviceError> {
        Ok(self.machine.memory.allocate(bytes))
    }

    fn free(&self, address: u64) -> Result<(), DeviceError> {
        self.machine.memory.free(address)
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.machine.memory.with(address, bytes.len(), |there| there.copy_from_slice(bytes))
    }

    fn fill(&self, address: u64, value: u8, bytes: usize) -> Result<(), DeviceError> {
        self.machine.memory.with(address, bytes, |there| there.fill(value))
    }

    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        self.machine.memory.with(address, bytes.len(), |there| bytes.copy_from_slice(there))
    }

    unsafe fn launch(
        &self,
        kernel: &str,
        blocks: u64,
        threads: u64,
        arguments: &[u64],
    ) -> Result<(), DeviceError> {
        let pointers: Vec<*const u64> = arguments.iter().map(ptr::from_ref).collect();
        // SAFETY: the caller's.
        unsafe { self.machine.launch(&*self.code, kernel, blocks, threads as usize, pointers.as_ptr()) }
    }

    fn synchronize(&self) -> Result<(), DeviceError> {
        Ok(())
    }

    fn time(&self, work: &mut dyn FnMut() -> Result<(), DeviceError>) -> Result<Duration, DeviceError> {
        let started = Instant::now();
        work()?;
        Ok(started.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::which;

    #[test]
    fn blocks_are_from_all_over_the_grid() {
        assert_eq!(which(3, 32).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(which(0, 32).count(), 0);
        let some: Vec<u64> = which(1000, 32).collect();
        assert_eq!((some.len(), some[0], some[7], some[8], some[31]), (32, 0, 7, 250, 757));
    }
}
