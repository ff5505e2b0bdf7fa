// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;

/** The document "CopyReport". */
public final class CopyReport extends Document {
  CopyReport(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static CopyReport fromJson(String text) {
    return new CopyReport(Json.parse(text));
  }

  /** Whether nothing was stored. */
  public boolean dryRun() {
    return find("dry_run", Boolean.class).orElse(false);
  }

  /** The accounts of the other store. */
  public List<CopiedAccount> accounts() {
    return list("accounts", CopiedAccount::new);
  }

  /** The number of copied records, including those without an account. */
  public long recordCount() {
    return findNumber("record_count").orElse(0);
  }
}
