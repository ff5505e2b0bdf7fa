// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.Optional;

/** The document "MigratedAccount". */
public final class MigratedAccount extends Document {
  MigratedAccount(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static MigratedAccount fromJson(String text) {
    return new MigratedAccount(Json.parse(text));
  }

  /** The user name. Present if known. */
  public Optional<String> username() {
    return findString("username");
  }

  /** The account ID. Present if known. */
  public Optional<String> homeAccountId() {
    return findString("home_account_id");
  }

  /** The host of the cloud, or the issuer. */
  public String environment() {
    return string("environment");
  }

  /** The application. */
  public String clientId() {
    return string("client_id");
  }

  /** The outcome of its import. */
  public String outcome() {
    return string("outcome");
  }

  /** The reason for not importing it. Present if it was not imported. */
  public Optional<String> reason() {
    return findString("reason");
  }

  /** The next step for the user. Present if it was not imported. */
  public Optional<String> advice() {
    return findString("advice");
  }
}
