//! Which stage of a scan takes how much processor time.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use super::FileKind;
use crate::config::Profile;
use crate::detect::Rules;
use crate::detect::Selection;
use crate::format::Format;
use crate::format::Moments;
use crate::format::Parser;
use crate::format::Records;
use crate::mask::Carry;
use crate::mask::Layout;
use crate::mask::MaskedRecords;
use crate::mask::Masker;
use crate::mask::Renderer;
use crate::mask::block_of;
use crate::pseudonym::KEY_BYTES;
use crate::pseudonym::Key;
use crate::pseudonym::Namer;
use crate::source::GRANULE_BYTES;
use crate::source::GranuleReader;
use crate::source::HeadKey;
use crate::source::Identity;
use crate::source::Stored;
use crate::text::RawSlice;
use crate::text::RawText;
use crate::time::Timestamp;
use crate::time::Zone;
use crate::time::thread_cpu_time;

/// Granules that are looked at: enough that a share is steady to a percent.
const GRANULES: u64 = 64;

/// One stage.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// What it does.
    pub name: &'static str,
    /// Processor time.
    pub cpu: Duration,
}

/// Takes the first granules of a file through all stages, one after the other.
pub(super) fn measure(path: &Path, kind: FileKind, profile: &str) -> anyhow::Result<Vec<Stage>> {
    let profile = Profile::find(profile)?;
    let namer = Namer::new(&Key::take(&mut [7; KEY_BYTES]));
    let masker = Masker::new(Rules::load(&Selection::default())?, namer);
    let key = HeadKey::new([7; 32]);
    let identity = Identity::of(&File::open(path)?, &key)?;
    let range = (0, identity.size);
    let mut reader = GranuleReader::open(path, &identity, Stored::Plain, range, &key)?;
    let format = match kind {
        FileKind::Json => Format::Json,
        FileKind::Nginx => Format::Access,
        FileKind::Plain => Format::Syslog3164,
    };
    let now = Timestamp::from_nanoseconds(1_796_083_200_000_000_000);
    let mut parser = Parser::new(format, Moments::new(Zone::UTC, now));
    let mut records = Records::new();
    let mut worker = masker.record_masker(profile.policy());
    let mut masked = MaskedRecords::new();
    let mut renderer = Renderer::new(Layout::Ndjson, Zone::UTC);
    let mut out = Vec::new();
    let mut sink = File::options().write(true).open("/dev/null")?;
    let names = ["read", "blocks", "parse", "mask", "render", "write"];
    let mut stages = names.map(|name| Stage { name, cpu: Duration::ZERO });
    let mut last = thread_cpu_time();
    let mut spent = |stage: usize| {
        let now = thread_cpu_time();
        if let Some(stage) = stages.get_mut(stage) {
            stage.cpu += now.saturating_sub(last);
        }
        last = now;
    };
    let mut before: Option<RawText> = None;
    let mut block = RawText::from_slice(RawSlice::new(&[]));
    for number in 0..GRANULES.min(identity.size / GRANULE_BYTES.get()) {
        let memory = before.take().map(RawText::into_memory);
        let granule = reader.read(number, memory.unwrap_or_default())?;
        spent(0);
        block_of(format, before.as_ref(), &granule.text, false, &mut block);
        spent(1);
        parser.parse(block.as_slice(), &mut records);
        spent(2);
        let text = parser.text(block.as_slice());
        worker.mask(text, parser.names(), &records, &mut Carry::default(), &mut masked);
        spent(3);
        out.clear();
        renderer.all(&masked, &mut out);
        spent(4);
        sink.write_all(&out)?;
        spent(5);
        before = Some(granule.text);
    }
    Ok(stages.to_vec())
}
