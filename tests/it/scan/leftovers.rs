//! All that a scan leaves behind holds no value.
