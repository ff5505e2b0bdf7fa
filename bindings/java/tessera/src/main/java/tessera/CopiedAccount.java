// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.Optional;

/** The document "CopiedAccount". */
public final class CopiedAccount extends Document {
  CopiedAccount(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static CopiedAccount fromJson(String text) {
    return new CopiedAccount(Json.parse(text));
  }

  /** The account ID. */
  public String homeAccountId() {
    return find("home_account_id", String.class).orElse("");
  }

  /** The host of the cloud, or the issuer. */
  public String environment() {
    return find("environment", String.class).orElse("");
  }

  /** The user name. Present if known. */
  public Optional<String> username() {
    return find("username", String.class);
  }

  /**
   * <code>already_here</code> if every record existed and was as new or newer. The value is <code>copied</code> or
   * <code>already_here</code>.
   */
  public String outcome() {
    return find("outcome", String.class).orElse("");
  }

  /** The number of copied records. */
  public long recordCount() {
    return findNumber("record_count").orElse(0);
  }
}
