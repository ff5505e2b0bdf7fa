// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;

/** The document "RemovedAccount". */
public final class RemovedAccount extends Document {
  RemovedAccount(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static RemovedAccount fromJson(String text) {
    return new RemovedAccount(Json.parse(text));
  }

  /** Whether the account was removed. */
  public boolean removed() {
    return find("removed", Boolean.class).orElse(false);
  }
}
