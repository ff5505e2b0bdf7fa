// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.Optional;

/** The document "BrokerAccount". */
public final class BrokerAccount extends Document {
  BrokerAccount(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static BrokerAccount fromJson(String text) {
    return new BrokerAccount(Json.parse(text));
  }

  /** The stable ID of the account, for silent requests. */
  public String homeAccountId() {
    return find("home_account_id", String.class).orElse("");
  }

  /** The object ID in a tenant. Present if known. */
  public Optional<String> localAccountId() {
    return find("local_account_id", String.class);
  }

  /** That tenant. Present if known. */
  public Optional<String> tenantId() {
    return find("tenant_id", String.class);
  }

  /** The host of the cloud. Present if known. */
  public Optional<String> environment() {
    return find("environment", String.class);
  }

  /** The user name. Present if known. */
  public Optional<String> username() {
    return find("username", String.class);
  }

  /** The display name. Present if known. */
  public Optional<String> name() {
    return find("name", String.class);
  }

  /** The given name. Present if known. */
  public Optional<String> givenName() {
    return find("given_name", String.class);
  }

  /** The family name. Present if known. */
  public Optional<String> familyName() {
    return find("family_name", String.class);
  }
}
