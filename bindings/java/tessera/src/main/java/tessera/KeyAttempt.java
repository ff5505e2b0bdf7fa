// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;

/** The document "KeyAttempt". */
public final class KeyAttempt extends Document {
  KeyAttempt(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static KeyAttempt fromJson(String text) {
    return new KeyAttempt(Json.parse(text));
  }

  /**
   * The location. The value is <code>caller</code>, <code>secret_service</code>, <code>kernel_keyring</code> or
   * <code>key_file</code>.
   */
  public String source() {
    return find("source", String.class).orElse("");
  }

  /**
   * The kind of the problem. The value is <code>library_missing</code>, <code>no_bus</code>,
   * <code>no_service</code>, <code>no_collection</code>, <code>locked</code>, <code>timeout</code>,
   * <code>blocked</code>, <code>full</code>, <code>unsafe</code>, <code>key_missing</code>,
   * <code>other_key</code>, <code>policy</code> or <code>failed</code>.
   */
  public String problem() {
    return find("problem", String.class).orElse("");
  }

  /** The details for a developer. */
  public String reason() {
    return find("reason", String.class).orElse("");
  }
}
