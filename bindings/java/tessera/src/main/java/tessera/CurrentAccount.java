// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.Optional;

/** The document "CurrentAccount". */
public final class CurrentAccount extends Document {
  CurrentAccount(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static CurrentAccount fromJson(String text) {
    return new CurrentAccount(Json.parse(text));
  }

  /** The only account that is signed in; null if none is. */
  public Optional<Account> account() {
    return findDocument("account", Account::new);
  }

  /** The account at the last such call, in any process with this client ID; null if there was none. */
  public Optional<Account> previousAccount() {
    return findDocument("previous_account", Account::new);
  }
}
