//! Parallel loops: every index once, whatever the threads do.

use std::{
    ffi::c_void,
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicU32, AtomicUsize, Ordering::*},
    },
    thread,
    time::{Duration, Instant},
};
use terrace_rt::{
    context::Context,
    pool::{self, *},
};

/// The number of threads is a global: tests that depend on it, or on a free pool, take turns.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(|e| e.into_inner())
}

/// What `run` lends to its body.
fn lent<'a, T>(ctx: *mut c_void) -> &'a T {
    // SAFETY: it is of the type that the body names, and outlives the loop.
    unsafe { &*ctx.cast::<T>() }
}

extern "C" fn count(_: Option<&Context>, ctx: *mut c_void, lo: i64, hi: i64) {
    let hits = lent::<Vec<AtomicU32>>(ctx);
    hits[lo as usize..hi as usize].iter().for_each(|h| _ = h.fetch_add(1, Relaxed));
}

fn counters(n: usize) -> Vec<AtomicU32> {
    (0..n).map(|_| AtomicU32::new(0)).collect()
}

fn run<T>(body: Body, ctx: &T, n: i64, grain: i64) {
    terrace_rt_parallel_for(None, body, (ctx as *const T).cast_mut().cast(), n, grain);
}

fn all_are(hits: &[AtomicU32], times: u32) -> bool {
    hits.iter().all(|h| h.load(Relaxed) == times)
}

#[test]
fn each_index_runs_once() {
    let _turn = alone();
    for threads in [1, 2, 3, 8] {
        set_threads(threads);
        assert_eq!(pool::threads(), threads as i64);
        for n in [0, 1, 2, 3, 7, 64, 1000, 4099] {
            for grain in [-1, 0, 1, 3, 64, 5000, i64::MAX] {
                let hits = counters(n);
                run(count, &hits, n as i64, grain);
                assert!(all_are(&hits, 1), "{threads} threads, {n} iterations, grain {grain}");
            }
        }
    }
}

#[test]
fn a_negative_count_runs_nothing() {
    let hits = counters(1);
    run(count, &hits, -5, 1);
    run(count, &hits, i64::MIN, 1);
    assert!(all_are(&hits, 0));
}

#[test]
fn pieces_start_at_multiples_of_the_grain() {
    let _turn = alone();
    extern "C" fn check(_: Option<&Context>, ctx: *mut c_void, lo: i64, hi: i64) {
        let wrong = lent::<AtomicUsize>(ctx);
        if lo % 48 != 0 || (hi % 48 != 0 && hi != 10_007) {
            wrong.fetch_add(1, Relaxed);
        }
    }
    set_threads(4);
    let wrong = AtomicUsize::new(0);
    run(check, &wrong, 10_007, 48);
    assert_eq!(wrong.into_inner(), 0);
}

#[test]
fn the_largest_range_does_not_overflow() {
    let _turn = alone();
    extern "C" fn sum(_: Option<&Context>, ctx: *mut c_void, lo: i64, hi: i64) {
        assert!(lo >= 0 && hi > lo);
        lent::<std::sync::atomic::AtomicI64>(ctx).fetch_add(hi - lo, Relaxed);
    }
    set_threads(3);
    for grain in [1, i64::MAX / 2, i64::MAX - 1] {
        let total = std::sync::atomic::AtomicI64::new(0);
        run(sum, &total, i64::MAX, grain);
        assert_eq!(total.into_inner(), i64::MAX);
    }
}

#[test]
fn several_threads_take_part() {
    let _turn = alone();
    /// Waits until both threads are inside, which proves that they run at once.
    extern "C" fn meet(_: Option<&Context>, ctx: *mut c_void, _: i64, _: i64) {
        let inside = lent::<AtomicU32>(ctx);
        inside.fetch_add(1, SeqCst);
        let start = Instant::now();
        while inside.load(SeqCst) < 2 && start.elapsed() < Duration::from_secs(20) {
            thread::yield_now();
        }
    }
    set_threads(2);
    for pause in [0, 20] {
        // After the longer pause the worker is parked and has to be woken.
        thread::sleep(Duration::from_millis(pause));
        let inside = AtomicU32::new(0);
        let start = Instant::now();
        run(meet, &inside, 2, 1);
        assert!(start.elapsed() < Duration::from_secs(20), "the second thread never came");
        assert_eq!(inside.into_inner(), 2);
    }
}

#[test]
fn nested_loops_run_where_they_stand() {
    let _turn = alone();
    extern "C" fn outer(_: Option<&Context>, ctx: *mut c_void, lo: i64, hi: i64) {
        let rows = lent::<Vec<Vec<AtomicU32>>>(ctx);
        rows[lo as usize..hi as usize].iter().for_each(|row| run(count, row, row.len() as i64, 1));
    }
    set_threads(4);
    let rows: Vec<_> = (0..33).map(|_| counters(57)).collect();
    run(outer, &rows, 33, 1);
    assert!(rows.iter().all(|row| all_are(row, 1)));
}

#[test]
fn stress_from_many_threads() {
    let _turn = alone();
    set_threads(4);
    let deadline = Instant::now() + Duration::from_millis(1500);
    let loops: u64 = thread::scope(|s| {
        let callers: Vec<_> = (0..3u64)
            .map(|seed| {
                s.spawn(move || {
                    let (mut x, mut loops) = (seed * 77 + 1, 0);
                    let hits = counters(500);
                    let mut expected = 0;
                    while Instant::now() < deadline {
                        x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                        run(count, &hits, 500, 1 + (x >> 60) as i64);
                        expected += 1;
                        assert!(all_are(&hits, expected));
                        if x >> 56 & 31 == 0 {
                            set_threads(1 + (x >> 40 & 7) as usize);
                            thread::sleep(Duration::from_micros(x >> 32 & 0x3ff));
                        }
                        loops += 1;
                    }
                    loops
                })
            })
            .collect();
        callers.into_iter().map(|c| c.join().unwrap()).sum()
    });
    assert!(loops > 100, "only {loops} loops");
}

/// The time of an empty launch; `cargo test --release -p terrace-rt -- --ignored --nocapture` prints it.
#[test]
#[ignore = "a measurement"]
fn launch_time() {
    let _turn = alone();
    extern "C" fn tiny(_: Option<&Context>, _: *mut c_void, _: i64, _: i64) {}
    set_threads(2);
    for pause in [0, 2] {
        let mut times: Vec<_> = (0..2000 / (1 + 9 * pause))
            .map(|_| {
                thread::sleep(Duration::from_millis(pause));
                let start = Instant::now();
                run(tiny, &(), 8, 1);
                start.elapsed()
            })
            .collect();
        times.sort();
        println!("pause {pause} ms: min {:?} median {:?}", times[0], times[times.len() / 2]);
    }
}
