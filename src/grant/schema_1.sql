-- Grants, what was decided about them, and the bytes that running calls hold.
-- Texts are masked before they come here. Times: milliseconds since boot with the boot's id, and
-- seconds of the wall clock, which are for people alone.

CREATE TABLE grants (
    id               TEXT    NOT NULL PRIMARY KEY CHECK (id GLOB 'gr_????????????????'),
    requester        INTEGER NOT NULL CHECK (requester BETWEEN 0 AND 4294967295),
    reason           TEXT    NOT NULL CHECK (length(reason) > 0),
    ticket           TEXT,
    plan_digest      TEXT    NOT NULL CHECK (plan_digest GLOB 'plan_*'),
    plan             TEXT    NOT NULL CHECK (json_valid(plan)),
    bytes_max        INTEGER NOT NULL CHECK (bytes_max > 0),
    bytes_used       INTEGER NOT NULL DEFAULT 0 CHECK (bytes_used BETWEEN 0 AND bytes_max),
    lifetime_ms      INTEGER NOT NULL CHECK (lifetime_ms > 0),
    approvers_needed INTEGER NOT NULL CHECK (approvers_needed BETWEEN 1 AND 5),
    mode             TEXT    NOT NULL CHECK (mode IN ('approved', 'break-glass')),
    verdict          TEXT    NOT NULL CHECK (verdict IN ('pending', 'approved', 'denied', 'revoked')),
    requested_boot   TEXT,
    requested_ms     INTEGER NOT NULL,
    requested_wall_s INTEGER NOT NULL,
    started_boot     TEXT,
    started_ms       INTEGER CHECK (verdict <> 'approved' OR started_ms IS NOT NULL),
    started_wall_s   INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX grants_by_requester ON grants (requester, requested_wall_s);

CREATE TABLE decisions (
    grant_id TEXT    NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    actor    INTEGER NOT NULL CHECK (actor BETWEEN 0 AND 4294967295),
    decision TEXT    NOT NULL CHECK (decision IN ('approve', 'deny', 'revoke', 'review')),
    wall_s   INTEGER NOT NULL,
    PRIMARY KEY (grant_id, actor, decision)
) STRICT, WITHOUT ROWID;

-- Bytes debited from a grant before they are served. A row that stays is a call that was killed:
-- its bytes are lost, because nobody knows how many of them were served.
CREATE TABLE leases (
    id       INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    grant_id TEXT    NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    bytes    INTEGER NOT NULL CHECK (bytes > 0),
    wall_s   INTEGER NOT NULL
) STRICT;

CREATE INDEX leases_by_grant ON leases (grant_id);

-- The grant that a user's calls take when none is named.
CREATE TABLE chosen (
    actor    INTEGER NOT NULL PRIMARY KEY CHECK (actor BETWEEN 0 AND 4294967295),
    grant_id TEXT    NOT NULL REFERENCES grants (id) ON DELETE CASCADE
) STRICT;
