//! Processor time of this process: what a measurement costs whoever else runs on the machine.

use std::time::Duration;

use rustix::time::ClockId;
use rustix::time::clock_gettime;

/// Processor time that all threads of this process have used.
pub fn cpu_time() -> Duration {
    read(ClockId::ProcessCPUTime)
}

/// Processor time that the calling thread has used: what a granule costs beside others.
pub fn thread_cpu_time() -> Duration {
    read(ClockId::ThreadCPUTime)
}

fn read(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_costs_processor_time() {
        let before = cpu_time();
        let mut sum = 0_u64;
        while cpu_time() == before {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(cpu_time() > before);
    }

    #[test]
    fn the_work_of_another_thread_is_not_this_ones() {
        let before = thread_cpu_time();
        std::thread::spawn(work_costs_processor_time).join().unwrap();
        let own = thread_cpu_time() - before;
        assert!(own < Duration::from_millis(50), "{own:?}");
    }
}
