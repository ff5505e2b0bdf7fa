// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.Optional;

/** The document "BrokerVisit". */
public final class BrokerVisit extends Document {
  BrokerVisit(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static BrokerVisit fromJson(String text) {
    return new BrokerVisit(Json.parse(text));
  }

  /** The name of the broker. */
  public String broker() {
    return find("broker", String.class).orElse("");
  }

  /** The outcome. The value is <code>used</code> or <code>skipped</code>. */
  public String outcome() {
    return find("outcome", String.class).orElse("");
  }

  /** The reason for skipping it. Present if skipped. */
  public Optional<String> reason() {
    return find("reason", String.class);
  }

  /** The reason as a sentence. Present if skipped. */
  public Optional<String> message() {
    return find("message", String.class);
  }
}
