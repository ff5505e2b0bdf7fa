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
    return find("username", String.class);
  }

  /** The account ID. Present if known. */
  public Optional<String> homeAccountId() {
    return find("home_account_id", String.class);
  }

  /** The host of the cloud, or the issuer. */
  public String environment() {
    return find("environment", String.class).orElse("");
  }

  /** The application. */
  public String clientId() {
    return find("client_id", String.class).orElse("");
  }

  /** The outcome of its import. */
  public String outcome() {
    return find("outcome", String.class).orElse("");
  }

  /** The reason for not importing it. Present if it was not imported. */
  public Optional<String> reason() {
    return find("reason", String.class);
  }

  /** The next step for the user. Present if it was not imported. */
  public Optional<String> advice() {
    return find("advice", String.class);
  }
}
