// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.Optional;

/** The document "TenantProfile". */
public final class TenantProfile extends Document {
  TenantProfile(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static TenantProfile fromJson(String text) {
    return new TenantProfile(Json.parse(text));
  }

  /** The tenant; empty for a provider without tenants. */
  public String tenantId() {
    return find("tenant_id", String.class).orElse("");
  }

  /** The ID of the user in that tenant. */
  public String localAccountId() {
    return find("local_account_id", String.class).orElse("");
  }

  /** Whether it is the user's home tenant; in other tenants the user is a guest. */
  public boolean isHomeTenant() {
    return find("is_home_tenant", Boolean.class).orElse(false);
  }

  /** The user name in that tenant, as of the last sign-in there. Present if known. */
  public Optional<String> username() {
    return find("username", String.class);
  }

  /** The claims of that tenant's ID token. Present if requested. */
  public Map<String, Object> claims() {
    return map("claims");
  }
}
