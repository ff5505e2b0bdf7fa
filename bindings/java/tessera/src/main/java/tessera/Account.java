// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The document "Account". */
public final class Account extends Document {
  Account(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static Account fromJson(String text) {
    return new Account(Json.parse(text));
  }

  /** The ID of the account, the same in all tenants. Pass it to later calls unchanged. */
  public String homeAccountId() {
    return find("home_account_id", String.class).orElse("");
  }

  /**
   * The host of the cloud; for plain OpenID Connect the issuer without <code>https://</code>. For an authority
   * over http it includes <code>http://</code>.
   */
  public String environment() {
    return find("environment", String.class).orElse("");
  }

  /** The user name. It may change; use it only for display and search. Present if known. */
  public Optional<String> username() {
    return find("username", String.class);
  }

  /** The display name of the user. Present if known. */
  public Optional<String> name() {
    return find("name", String.class);
  }

  /** The claims of the home tenant's ID token; absent for users known only as guests. Present if requested. */
  public Map<String, Object> claims() {
    return map("claims");
  }

  /** The tenants in which the account is known, home tenant first. */
  public List<TenantProfile> tenantProfiles() {
    return list("tenant_profiles", TenantProfile::new);
  }
}
