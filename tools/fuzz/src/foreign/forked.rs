//! Work in a copy of this process: what ends the copy, or does not end, is the work's own.

use crate::watched::limit_memory;
use std::{
    fs::File,
    io::{Read, Write},
    os::fd::{AsRawFd, FromRawFd},
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

/// What memory a copy gets beside what the process has.
const MEMORY: u64 = 4 << 30;

/// What came of the work.
pub enum Ended {
    /// It came to an end, and said this.
    Messages(String),
    /// It ended its process: how, and what it had said on standard error.
    Crashed(String),
    /// It took too long.
    Hung,
}

/// Does something in a copy of this process, which has this thread alone, and gives what it says.
///
/// # Errors
/// The system gives no process or no pipe.
pub fn forked(time: Duration, work: impl FnOnce() -> String) -> std::io::Result<Ended> {
    let (mut words, into) = pipe()?;
    let (mut errors, error) = pipe()?;
    // SAFETY: the process has one thread; the copy ends by `_exit`, so that nothing of this one ends with it.
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(std::io::Error::last_os_error());
    }
    if child == 0 {
        // SAFETY: plain calls of the system.
        unsafe { libc::dup2(error.as_raw_fd(), 2) };
        limit_memory(MEMORY);
        let said = catch_unwind(AssertUnwindSafe(work));
        let status = match said.map(|said| (&into).write_all(said.as_bytes())) {
            Ok(Ok(())) => 0,
            _ => 101,
        };
        // SAFETY: as above.
        unsafe { libc::_exit(status) }
    }
    drop((into, error));
    let (mut said, mut told) = (vec![], vec![]);
    let ended = listen(time, &mut [(&mut words, &mut said), (&mut errors, &mut told)]);
    let mut status = 0;
    // SAFETY: the process is a child that nobody has waited for.
    unsafe {
        if !ended {
            libc::kill(child, libc::SIGKILL);
        }
        libc::waitpid(child, &mut status, 0);
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(match (ended, status) {
        (false, _) => Ended::Hung,
        (true, 0) => Ended::Messages(text(&said)),
        (true, status) => Ended::Crashed(format!("status {status}: {}", first_line(&text(&told)))),
    })
}

fn first_line(text: &str) -> &str {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()
}

fn pipe() -> std::io::Result<(File, File)> {
    let mut ends = [0; 2];
    // SAFETY: there is room for two; each is owned by one file from here on.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) < 0 {
            return Err(std::io::Error::last_os_error());
        }
        Ok((File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])))
    }
}

/// Reads until all are at their ends; false where that takes longer than the time.
fn listen(time: Duration, from: &mut [(&mut File, &mut Vec<u8>)]) -> bool {
    let start = Instant::now();
    let mut open = vec![true; from.len()];
    while open.contains(&true) {
        let left = time.saturating_sub(start.elapsed()).as_millis() as i32;
        let poll = |(own, open): (&(&mut File, &mut Vec<u8>), &bool)| libc::pollfd {
            fd: if *open { own.0.as_raw_fd() } else { -1 },
            events: libc::POLLIN,
            revents: 0,
        };
        let mut polled: Vec<libc::pollfd> = from.iter().zip(&open).map(poll).collect();
        // SAFETY: the list is as long as it says.
        if unsafe { libc::poll(polled.as_mut_ptr(), polled.len() as u64, left) } <= 0 {
            return false;
        }
        for ((own, open), polled) in from.iter_mut().zip(&mut open).zip(&polled) {
            let mut bytes = [0; 4096];
            if polled.revents != 0 {
                let count = own.0.read(&mut bytes).unwrap_or(0);
                own.1.extend(&bytes[..count]);
                *open = count > 0;
            }
        }
    }
    true
}
