//! Medians and spreads of a handful of samples.

/// The middle sample, or the mean of the two middle ones; 0 without samples.
pub fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let at = |index: usize| sorted.get(index).copied().unwrap_or(0.0);
    if sorted.len() % 2 == 1 {
        at(middle)
    } else {
        f64::midpoint(at(middle.wrapping_sub(1)), at(middle))
    }
}

/// The mean; 0 without samples.
pub fn mean(samples: &[f64]) -> f64 {
    if samples.is_empty() { 0.0 } else { samples.iter().sum::<f64>() / samples.len() as f64 }
}

/// Standard deviation over mean, in percent; 0 with fewer than two samples.
pub fn variation_percent(samples: &[f64]) -> f64 {
    let mean = mean(samples);
    if samples.len() < 2 || mean == 0.0 {
        return 0.0;
    }
    let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
    (squares / (samples.len() - 1) as f64).sqrt() / mean * 100.0
}

/// Million bytes a second of `bytes` in `nanoseconds`.
pub fn mb_s(bytes: u64, nanoseconds: f64) -> f64 {
    if nanoseconds > 0.0 { bytes as f64 * 1_000.0 / nanoseconds } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_samples() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&[]), 0.0);
        assert_eq!(mean(&[1.0, 2.0]), 1.5);
        assert!((variation_percent(&[9.0, 10.0, 11.0]) - 10.0).abs() < 1e-9);
        assert_eq!(variation_percent(&[5.0]), 0.0);
        assert_eq!(mb_s(1_000_000, 1e9), 1.0);
    }
}
