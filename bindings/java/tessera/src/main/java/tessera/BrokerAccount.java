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
    return string("home_account_id");
  }

  /** The object ID in a tenant. Present if known. */
  public Optional<String> localAccountId() {
    return findString("local_account_id");
  }

  /** That tenant. Present if known. */
  public Optional<String> tenantId() {
    return findString("tenant_id");
  }

  /** The host of the cloud. Present if known. */
  public Optional<String> environment() {
    return findString("environment");
  }

  /** The user name. Present if known. */
  public Optional<String> username() {
    return findString("username");
  }

  /** The display name. Present if known. */
  public Optional<String> name() {
    return findString("name");
  }

  /** The given name. Present if known. */
  public Optional<String> givenName() {
    return findString("given_name");
  }

  /** The family name. Present if known. */
  public Optional<String> familyName() {
    return findString("family_name");
  }
}
