// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;

/** The document "BrokerAccountList". */
public final class BrokerAccountList extends Document {
  BrokerAccountList(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static BrokerAccountList fromJson(String text) {
    return new BrokerAccountList(Json.parse(text));
  }

  /** The accounts. */
  public List<BrokerAccount> accounts() {
    return list("accounts", BrokerAccount::new);
  }
}
