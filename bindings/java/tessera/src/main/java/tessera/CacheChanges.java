// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;

/** The document "CacheChanges". */
public final class CacheChanges extends Document {
  CacheChanges(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static CacheChanges fromJson(String text) {
    return new CacheChanges(Json.parse(text));
  }

  /** The number of changed entries. */
  public long stored() {
    return findNumber("stored").orElse(0);
  }

  /** The number of removed entries. */
  public long removed() {
    return findNumber("removed").orElse(0);
  }
}
