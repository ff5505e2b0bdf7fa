// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;

/** The document "BrokerSignature". */
public final class BrokerSignature extends Document {
  BrokerSignature(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static BrokerSignature fromJson(String text) {
    return new BrokerSignature(Json.parse(text));
  }

  /** The signed request. */
  public String signedHttpRequest() {
    return find("signed_http_request", String.class).orElse("");
  }
}
