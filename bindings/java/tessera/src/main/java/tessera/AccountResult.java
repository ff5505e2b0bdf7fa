// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;

/** The document "AccountResult". */
public final class AccountResult extends Document {
  AccountResult(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static AccountResult fromJson(String text) {
    return new AccountResult(Json.parse(text));
  }

  /** The account. */
  public Account account() {
    return findDocument("account", Account::new).orElse(new Account(Map.of()));
  }
}
