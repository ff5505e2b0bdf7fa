// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;

/** The document "MigrationReport". */
public final class MigrationReport extends Document {
  MigrationReport(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static MigrationReport fromJson(String text) {
    return new MigrationReport(Json.parse(text));
  }

  /** The format of the cache. */
  public String format() {
    return find("format", String.class).orElse("");
  }

  /** Whether nothing was stored. */
  public boolean dryRun() {
    return find("dry_run", Boolean.class).orElse(false);
  }

  /** The accounts of the cache; see coming-from-adal.md. */
  public List<MigratedAccount> accounts() {
    return list("accounts", MigratedAccount::new);
  }

  /**
   * The number of records of the unified schema that were imported from this cache or already existed; in a dry
   * run, the number that would be imported or already exists. Their accounts are in <code>accounts</code>.
   */
  public long recordCount() {
    return findNumber("record_count").orElse(0);
  }

  /**
   * The numbers of entries that were left unchanged in the old cache, by kind: <code>wipe_marker</code>,
   * <code>primary_refresh_token</code>, <code>intune</code>, <code>device_registration</code>,
   * <code>service_principal</code>, <code>unknown</code>.
   */
  public Map<String, Long> preserved() {
    return map("preserved");
  }

  /** The entries that could not be read, at most 100; see coming-from-adal.md. */
  public List<DamagedEntry> damaged() {
    return list("damaged", DamagedEntry::new);
  }

  /** The number of further damaged entries. */
  public long furtherDamaged() {
    return findNumber("further_damaged").orElse(0);
  }
}
