//! Places where a test can kill the process.
//!
//! # Promise
//! A build without debug assertions has none: [`point`] does nothing there, and nothing can arm it.
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

/// Kills this process, as `kill -9` would, if the point is armed and this is its time.
#[cfg(debug_assertions)]
pub fn point(name: &str) {
    let Some((_, times)) = ARMED.get().filter(|(armed, _)| armed == name) else { return };
    if times.fetch_sub(1, Ordering::Relaxed) == 1 {
        let this = rustix::process::getpid();
        if rustix::process::kill_process(this, rustix::process::Signal::KILL).is_err() {
            std::process::abort();
        }
    }
}

/// Nothing: this build cannot be armed.
#[cfg(not(debug_assertions))]
pub fn point(_name: &str) {}
