// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.Optional;

/** The document "Revocation". */
public final class Revocation extends Document {
  Revocation(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static Revocation fromJson(String text) {
    return new Revocation(Json.parse(text));
  }

  /** The application of the refresh token. */
  public String clientId() {
    return find("client_id", String.class).orElse("");
  }

  /** Whether the provider revoked it. */
  public boolean revoked() {
    return find("revoked", Boolean.class).orElse(false);
  }

  /** The reason. Present after a failure. */
  public Optional<ErrorDetails> error() {
    return findDocument("error", ErrorDetails::new);
  }
}
