// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The document "ErrorCause". */
public final class ErrorCause extends Document {
  ErrorCause(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static ErrorCause fromJson(String text) {
    return new ErrorCause(Json.parse(text));
  }

  /** The source of the error. */
  public String domain() {
    return find("domain", String.class).orElse("");
  }

  /** The number of the error there. Present if it has one. */
  public OptionalLong number() {
    return findNumber("number");
  }

  /** The name of the error there. Present if it has one. */
  public Optional<String> code() {
    return find("code", String.class);
  }

  /** A description. Present if there is one. */
  public Optional<String> message() {
    return find("message", String.class);
  }
}
