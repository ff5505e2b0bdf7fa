// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;

/** The document "BrokerCookies". */
public final class BrokerCookies extends Document {
  BrokerCookies(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static BrokerCookies fromJson(String text) {
    return new BrokerCookies(Json.parse(text));
  }

  /** The cookies. */
  public List<BrokerCookie> cookies() {
    return list("cookies", BrokerCookie::new);
  }
}
