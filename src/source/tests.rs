//! Inputs of every packing, whole and broken.

use std::io::Write;

use super::*;

/// An input that holds these bytes.
fn source(bytes: &[u8]) -> FileSource {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    std::io::Seek::rewind(&mut file).unwrap();
    FileSource::new("sample.log".to_owned(), file)
}

/// Everything before the end or the error, and the error.
fn drain(mut source: FileSource) -> (Vec<u8>, Option<ReadError>) {
    let mut all = Vec::new();
    loop {
        match source.read() {
            Ok(Some(chunk)) => {
                assert!(chunk.len() <= CHUNK_BYTES_MAX.as_len());
                all.extend_from_slice(chunk.expose());
            }
            Ok(None) => return (all, None),
            Err(error) => {
                assert!(source.read().unwrap().is_none(), "nothing comes after an error");
                return (all, Some(error));
            }
        }
    }
}

/// Bytes that do not pack well: several chunks whatever the packing.
fn sample(len: u32) -> Vec<u8> {
    (0..len).map(|at| (at.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0]).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn plain_bytes_come_as_they_are() {
    for len in [0, 1, 2, 3, 4, 5, 1_000_000] {
        let bytes = sample(len);
        let (all, error) = drain(source(&bytes));
        assert!(error.is_none());
        assert_eq!(all, bytes);
    }
    for start in [&b"\x1f"[..], b"(", b"\x28\xb5\x2f"] {
        assert_eq!(drain(source(start)).0, start, "the start of a magic is text too");
    }
}

#[test]
fn packed_inputs_of_many_parts_come_whole() {
    let (one, two) = (sample(600_000), b"last line\n".to_vec());
    let whole = [&one[..], &two].concat();
    let zstd = |bytes: &[u8]| zstd::stream::encode_all(bytes, 3).unwrap();
    for packed in [[gzip(&one), gzip(&two)].concat(), [zstd(&one), zstd(&two)].concat()] {
        let (all, error) = drain(source(&packed));
        assert!(error.is_none(), "{error:?}");
        assert_eq!(all, whole);
    }
}

#[test]
fn a_truncated_input_gives_what_it_has_and_an_error_at_its_end() {
    let bytes = sample(600_000);
    for packed in [gzip(&bytes), zstd::stream::encode_all(&bytes[..], 3).unwrap()] {
        let cut = packed.len() / 2;
        let (all, error) = drain(source(&packed[..cut]));
        let error = error.unwrap();
        assert!(matches!(error.problem, ReadProblem::Truncated), "{error}");
        assert_eq!(error.offset, cut as u64);
        assert!(all.len() > 100_000 && bytes.starts_with(&all), "{} bytes", all.len());
        assert_eq!(
            error.to_string(),
            format!(
                "cannot read sample.log from byte {cut} on: the packed data ends in the middle"
            )
        );
    }
}

#[test]
fn a_damaged_input_is_an_error() {
    let mut packed = gzip(&sample(600_000));
    let middle = packed.len() / 2;
    for byte in &mut packed[middle..middle + 64] {
        *byte = !*byte;
    }
    let error = drain(source(&packed)).1.unwrap();
    assert!(matches!(error.problem, ReadProblem::Corrupt), "{error}");
}

#[test]
fn a_zstd_window_above_the_limit_is_refused() {
    for (window_log, refused) in [(ZSTD_WINDOW_LOG_MAX, false), (ZSTD_WINDOW_LOG_MAX + 1, true)] {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(window_log).unwrap();
        encoder.write_all(&sample(100_000)).unwrap();
        let (all, error) = drain(source(&encoder.finish().unwrap()));
        match error {
            None => assert!(!refused && all.len() == 100_000),
            Some(error) => {
                assert!(refused && matches!(error.problem, ReadProblem::WindowTooLarge));
                assert!(error.to_string().contains("larger than 8 MiB"), "{error}");
            }
        }
    }
}

#[test]
fn a_pipe_tells_whether_it_would_wait() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let file = File::from(std::os::fd::OwnedFd::from(reader));
    let mut source = FileSource::new("pipe".to_owned(), file);
    assert!(source.would_block());
    writer.write_all(b"a").unwrap();
    assert!(!source.would_block());
    assert_eq!(source.read().unwrap().unwrap().expose(), b"a");
    assert!(source.would_block());
    drop(writer);
    assert!(!source.would_block());
    assert!(source.read().unwrap().is_none());
}

#[test]
fn a_missing_file_and_a_folder_are_named() {
    let error = FileSource::open(Path::new("no/such.log")).unwrap_err();
    assert!(error.to_string().starts_with("cannot open no/such.log: "), "{error}");
    let error = FileSource::open(Path::new("src")).unwrap().read().unwrap_err();
    assert!(error.to_string().starts_with("cannot read src from byte 0 on: "), "{error}");
}
