// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;

/** The document "BrokerCookie". */
public final class BrokerCookie extends Document {
  BrokerCookie(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static BrokerCookie fromJson(String text) {
    return new BrokerCookie(Json.parse(text));
  }

  /** The name of the header field. */
  public String name() {
    return find("name", String.class).orElse("");
  }

  /** The value of the header field. */
  public String content() {
    return find("content", String.class).orElse("");
  }
}
