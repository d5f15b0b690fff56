//! Places where a test can kill the process.
//!
//! # Promise
//! A build without debug assertions has none: no point is ever due there, and nothing can arm one.
//!
//! # Not here
//! Which variable arms a point (`config`).

#[cfg(debug_assertions)]
use std::sync::atomic::AtomicU64;
#[cfg(debug_assertions)]
use std::sync::atomic::Ordering;

#[cfg(debug_assertions)]
static ARMED: std::sync::OnceLock<(String, AtomicU64)> = std::sync::OnceLock::new();

/// Arms a point for this process: `name`, or `name:3` for the third time it is passed.
#[cfg(debug_assertions)]
pub fn arm(text: &str) {
    let (name, times) = match text.rsplit_once(':') {
        Some((name, times)) => (name, times.parse().unwrap_or(1)),
        None => (text, 1),
    };
    // The first one counts.
    ARMED.get_or_init(|| (name.to_owned(), AtomicU64::new(times)));
}

/// Passes a point; true when the process is to be killed there now.
#[cfg(debug_assertions)]
pub fn is_due(name: &str) -> bool {
    let armed = ARMED.get().filter(|(armed, _)| armed == name);
    armed.is_some_and(|(_, times)| times.fetch_sub(1, Ordering::Relaxed) == 1)
}

/// Never: this build cannot be armed.
#[cfg(not(debug_assertions))]
pub fn is_due(_name: &str) -> bool {
    false
}

/// Passes a point, and kills this process there if that is due.
pub fn point(name: &str) {
    if is_due(name) {
        kill();
    }
}

/// Kills this process, as `kill -9` would.
pub fn kill() {
    let this = rustix::process::getpid();
    if rustix::process::kill_process(this, rustix::process::Signal::KILL).is_err() {
        std::process::abort();
    }
}
