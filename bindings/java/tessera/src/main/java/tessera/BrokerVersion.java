// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;

/** The document "BrokerVersion". */
public final class BrokerVersion extends Document {
  BrokerVersion(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static BrokerVersion fromJson(String text) {
    return new BrokerVersion(Json.parse(text));
  }

  /** The version of the broker. */
  public String version() {
    return find("version", String.class).orElse("");
  }
}
