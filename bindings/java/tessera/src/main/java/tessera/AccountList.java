// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;

/** The document "AccountList". */
public final class AccountList extends Document {
  AccountList(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static AccountList fromJson(String text) {
    return new AccountList(Json.parse(text));
  }

  /** The accounts. */
  public List<Account> accounts() {
    return list("accounts", Account::new);
  }
}
