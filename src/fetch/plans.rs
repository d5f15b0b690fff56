//! Plans that were shown to somebody, kept so that a grant and a cursor can be used later.
//!
//! A plan names files in a state that passes: asked for again an hour later, `--since 2h` is another
//! one. So each plan that is shown, or that a cursor belongs to, is written down sealed; whoever has
//! the key opens it by its digest.

use std::fmt;
use std::fs;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use crate::id::PlanDigest;
use crate::plan::Plan;
use crate::plan::PlanError;
use crate::plan::SealError;
use crate::plan::Sealer;
use crate::private;
use crate::private::Access;
use crate::private::PrivateError;
use crate::source::HeadKey;

/// The folder in the state directory.
const FOLDER: &str = "plans";
/// What plans are sealed for.
const USAGE: &str = "plan 1";
/// Most plans that are kept; the oldest go first. A plan is needed for hours, not for weeks.
pub const PLANS_MAX: usize = 1_000;
/// Largest plan: a few thousand files.
const PLAN_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Plans of a state directory.
#[derive(Debug)]
pub struct PlanStore {
    folder: PathBuf,
}

/// A plan could not be kept or found.
#[derive(Debug)]
pub enum PlanStoreError {
    /// The folder or a file in it is not in order.
    Private(PrivateError),
    /// There is no such plan any more.
    Missing(PlanDigest),
    /// It cannot be opened with this key.
    Seal(SealError),
    /// It cannot be read, or is not the one that its name says.
    Damaged(PlanDigest),
    /// It has a form that this program does not know.
    Plan(PlanError),
    /// The system refused.
    Io(PathBuf, io::Error),
}

impl PlanStore {
    /// The store of a state directory, made on first use.
    ///
    /// # Errors
    ///
    /// [`PlanStoreError::Private`].
    pub fn open(state_dir: &Path) -> Result<PlanStore, PlanStoreError> {
        private::folder(state_dir)?;
        let folder = state_dir.join(FOLDER);
        private::folder(&folder)?;
        Ok(PlanStore { folder })
    }

    /// Keeps a plan and gives its digest.
    ///
    /// # Errors
    ///
    /// [`PlanStoreError`] when it cannot be written.
    pub fn keep(
        &self,
        plan: &Plan,
        key: &HeadKey,
        sealer: &Sealer,
    ) -> Result<PlanDigest, PlanStoreError> {
        let digest = plan.digest(key);
        let path = self.path(digest);
        if !path.exists() {
            self.make_room()?;
            let sealed = sealer.seal(USAGE, &plan.to_bytes()).map_err(PlanStoreError::Seal)?;
            private::replace(&path, &sealed)?;
        }
        Ok(digest)
    }

    /// Finds a plan by its digest.
    ///
    /// # Errors
    ///
    /// [`PlanStoreError`] when it is not there, or not what it was.
    pub fn find(
        &self,
        digest: PlanDigest,
        key: &HeadKey,
        sealer: &Sealer,
    ) -> Result<Plan, PlanStoreError> {
        let path = self.path(digest);
        let file = match private::open(&path, Access::Read) {
            Err(PrivateError::Io(_, error)) if error.kind() == io::ErrorKind::NotFound => {
                return Err(PlanStoreError::Missing(digest));
            }
            other => other?,
        };
        let mut sealed = Vec::new();
        let io = |error| PlanStoreError::Io(path.clone(), error);
        let len = file.metadata().map_err(io)?.len();
        if len > PLAN_BYTES_MAX {
            return Err(PlanStoreError::Damaged(digest));
        }
        let mut file = file.take(len);
        io::copy(&mut file, &mut sealed).map_err(io)?;
        let bytes = sealer.open(USAGE, &sealed).map_err(PlanStoreError::Seal)?;
        let plan = Plan::from_bytes(&bytes).map_err(PlanStoreError::Plan)?;
        if plan.digest(key) == digest { Ok(plan) } else { Err(PlanStoreError::Damaged(digest)) }
    }

    fn path(&self, digest: PlanDigest) -> PathBuf {
        self.folder.join(digest.to_string())
    }

    /// Removes the oldest plans where one more would be too many.
    fn make_room(&self) -> Result<(), PlanStoreError> {
        let io = |error| PlanStoreError::Io(self.folder.clone(), error);
        let mut kept = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(io)? {
            let entry = entry.map_err(io)?;
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            // One that is gone meanwhile makes room by itself.
            if let Ok(modified) = modified {
                kept.push((modified, entry.path()));
            }
        }
        kept.sort();
        let over = (kept.len() + 1).saturating_sub(PLANS_MAX);
        for (_, path) in kept.into_iter().take(over) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(PlanStoreError::Io(path, error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl From<PrivateError> for PlanStoreError {
    fn from(error: PrivateError) -> PlanStoreError {
        PlanStoreError::Private(error)
    }
}

impl fmt::Display for PlanStoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanStoreError::Private(error) => write!(f, "plans: {error}"),
            PlanStoreError::Missing(digest) => {
                write!(f, "{digest} is not kept any more: plan again with 'locklog plan'")
            }
            PlanStoreError::Seal(error) => write!(f, "the plan cannot be opened: {error}"),
            PlanStoreError::Damaged(digest) => {
                write!(f, "{digest} is damaged: plan again with 'locklog plan'")
            }
            PlanStoreError::Plan(error) => error.fmt(f),
            PlanStoreError::Io(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for PlanStoreError {}
