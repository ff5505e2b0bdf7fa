// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.Optional;

/** The document "BrokerRemoval". */
public final class BrokerRemoval extends Document {
  BrokerRemoval(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static BrokerRemoval fromJson(String text) {
    return new BrokerRemoval(Json.parse(text));
  }

  /** The number of removed accounts. */
  public long removed() {
    return findNumber("removed").orElse(0);
  }

  /** The reason. Present after a failure. */
  public Optional<ErrorDetails> error() {
    return findDocument("error", ErrorDetails::new);
  }
}
