use super::*;

/// Digests of 200 lines, warm and cold: text, planted. A change here voids recorded runs.
const RECORDED: &[(&str, [&str; 4])] = &[
    (
        "nginx",
        [
            "4d09b4a72ddde79106ae8d54606eb3d976db4c412056b0d4af54df2120898dca",
            "cc874f5304f6f8e34fb9e0e4378f2b49110ee26818050af0c5ae30ab5667f67c",
            "ce839d421f212ee0019b4ba637d74a66acfead1e4fc3c0064a336559c1affbcb",
            "4b9768c30b8a8c8a7310816391e7badc3e9bcff2149fcab325fabca590ce6b0d",
        ],
    ),
    (
        "json",
        [
            "150de6d52d8424ae93544d96646b22ee60a9ce9d9af566e8ccdd90e3ade9edfa",
            "d9a53e68405b53f1052d1a1503f5776e59695859c946ae323daf7ab32a6fa2c3",
            "481808ea51c85fc37ff6d395128ce3cee656651bccd714c01bd29efee5183f83",
            "7b5d1faa8be1a25eee906d58b3cc0aea995ca49f27315abc7268ffe0be859be9",
        ],
    ),
    (
        "syslog",
        [
            "cdc8005f3af1def0111bf67d32362fd112caf7574cade4c7e4d62b3d9d5d2ca4",
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
            "cdc8005f3af1def0111bf67d32362fd112caf7574cade4c7e4d62b3d9d5d2ca4",
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
        ],
    ),
    (
        "dense",
        [
            "143abf5210ea192aeda4aa47a05a1ff8da3a5ed575656820789f6749b3b4dcba",
            "7380f64e71fe157c1a9e345021623066b663006bea70c201d5ac35d968c199f0",
            "fa4703d2639a5578362be6127325c115bead739732205c673dc1670d41b5c805",
            "bf2caf54e54f4abb66d8d220984bee0660e9e3f6dd8f6bcbd8d98c641a4b7a0a",
        ],
    ),
    (
        "encoded",
        [
            "7f23a73dde4d8fcc42390e9765a2b258659c47e9a605027fed958d9573dddba9",
            "c186e631d0e97825d563e3ed8c20a23aac8597992c7da668690f98b4d613ef0c",
            "57f7d3137e5b57b8009f1c0f3ca786763ef86415d8cb8ae38a580431287c407e",
            "e8a72c0ed7573ec706b697acbb8c2138ededda010cde667a3d4ac7fda0139a26",
        ],
    ),
    (
        "worst-digits",
        [
            "e6fa190fa76ad8d488a52c0175a4f1c459dc3871c99a9fbb708024ce837df231",
            "a1b7426267eba5f2963dfd46cdef629d8a92327443e1d1b66e41e82e0bce859f",
            "446749ae4a3fa06dbada6d177b7781c2005bb3f5d72b072dc12d0e0308bc0858",
            "4a3c74c13db9d431a13ac049fb08fd69d716c233a95067a50a6a1ac274d34cd7",
        ],
    ),
    (
        "worst-mail",
        [
            "4fedc69c05a69d375fc7e990883621185dd0c9528537cdc16d249066a22210ec",
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
            "4fedc69c05a69d375fc7e990883621185dd0c9528537cdc16d249066a22210ec",
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
        ],
    ),
    (
        "worst-percent",
        [
            "c237dabde6027ac36fdb66c01e70bc77125ac6fed4b6987236a1b8398de49dea",
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
            "c237dabde6027ac36fdb66c01e70bc77125ac6fed4b6987236a1b8398de49dea",
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
        ],
    ),
    (
        "worst-hex",
        [
            "5294187335d437a894e90e957464c68f6e51e00f8212544ee936e363e75d6a9b",
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
            "5294187335d437a894e90e957464c68f6e51e00f8212544ee936e363e75d6a9b",
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
        ],
    ),
    (
        "worst-keys",
        [
            "9dbb98de3c978c29b373fed46feab212848f168acdfaf99f08c5802209ca5043",
            "5984c32427ae4341450e3e00ee38b45adbdf7aa1665eda6e6f6e39e979491b8a",
            "0c44b5333bd944b3827ede06b3c62c800aafa9d898e1c76e884127babf3be392",
            "669d794750bf9e661fcbf55e480a4c00106bd5b892e45155b4a03d55e0b2c4fb",
        ],
    ),
];

#[test]
fn digests_are_the_recorded_ones() {
    let mut wrong = Vec::new();
    for definition in S4 {
        let warm = generate(definition, 200, Mode::Warm, SEED);
        let cold = generate(definition, 200, Mode::Cold, SEED);
        let digests =
            [warm.text_digest(), warm.planted_digest(), cold.text_digest(), cold.planted_digest()];
        let recorded = RECORDED.iter().find(|(name, _)| *name == definition.name);
        if !recorded.is_some_and(|(_, recorded)| digests.iter().eq(recorded.iter())) {
            wrong.push(format!("(\"{}\", {digests:#?}),", definition.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn averages_are_those_of_the_table() {
    for definition in S4 {
        for mode in [Mode::Warm, Mode::Cold] {
            let corpus = generate(definition, 2_000, mode, SEED);
            let average = corpus.text.len() as f64 / 2_000.0;
            let wanted = definition.line_bytes as f64;
            assert!(
                (average / wanted - 1.0).abs() <= 0.03,
                "{}: {average} bytes a line, wanted {wanted}",
                definition.name
            );
            let planted = corpus.planted.len() as u64;
            assert_eq!(planted, definition.published_tenths * 200, "{}", definition.name);
        }
    }
}

#[test]
fn planted_spans_lie_in_their_lines() {
    for definition in S4 {
        let corpus = generate(definition, 50, Mode::Cold, SEED);
        let ends: Vec<usize> = memchr::memchr_iter(b'\n', &corpus.text).collect();
        let mut last = 0;
        for planted in &corpus.planted {
            let start = planted.line.checked_sub(1).map_or(0, |line| ends[line] + 1);
            assert!(planted.span.start >= start && planted.span.end <= ends[planted.line]);
            assert!(planted.span.start >= last && !planted.span.is_empty());
            last = planted.span.end;
        }
    }
}

#[test]
fn cold_corpora_have_distinct_values() {
    for definition in S4 {
        let corpus = generate(definition, 500, Mode::Cold, SEED);
        let mut seen = std::collections::HashSet::new();
        for planted in &corpus.planted {
            assert!(seen.insert(&corpus.text[planted.span.start..planted.span.end]));
        }
    }
}
