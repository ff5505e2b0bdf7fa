// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.OptionalLong;

/** The document "DamagedEntry". */
public final class DamagedEntry extends Document {
  DamagedEntry(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static DamagedEntry fromJson(String text) {
    return new DamagedEntry(Json.parse(text));
  }

  /** The number of the entry, counted from 0. Present unless the whole cache is damaged. */
  public OptionalLong entry() {
    return findNumber("entry");
  }

  /** The kind of the damage. */
  public String code() {
    return find("code", String.class).orElse("");
  }

  /** A description. */
  public String message() {
    return find("message", String.class).orElse("");
  }
}
