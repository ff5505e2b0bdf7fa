// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;

/** The document "RotatedKey". */
public final class RotatedKey extends Document {
  RotatedKey(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static RotatedKey fromJson(String text) {
    return new RotatedKey(Json.parse(text));
  }

  /** Whether the key was replaced. */
  public boolean rotated() {
    return find("rotated", Boolean.class).orElse(false);
  }
}
