// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A request to import an older cache. */
public final class MigrationRequest extends Document {
  MigrationRequest(Map<String, Object> members) {
    super(members);
  }

  /** Returns a builder. */
  public static Builder builder() {
    return new Builder(Map.of());
  }

  /** Returns a builder with the members of this object. */
  public Builder toBuilder() {
    return new Builder(members());
  }

  /** The cache file of an older library; a regular file of at most 256 MB. */
  public Optional<String> path() {
    return find("path", String.class);
  }

  /**
   * Instead of <code>path</code>, a known location: <code>accessTokens.json</code> of the Azure CLI before 2.30,
   * at <code>AZURE_ACCESS_TOKEN_FILE</code>, or else in <code>AZURE_CONFIG_DIR</code> or <code>~/.azure</code>.
   * The value is <code>azure_cli</code>.
   */
  public Optional<String> place() {
    return find("place", String.class);
  }

  /**
   * The format of the cache; see coming-from-adal.md. The value is <code>adal_apple_item</code>,
   * <code>adal_macos</code>, <code>apple_keychain</code>, <code>msal_macos</code>, <code>adal_dotnet</code>,
   * <code>msal_dotnet</code>, <code>adal_python</code>, <code>azure_cli</code> or <code>adal_node</code> (default:
   * detected).
   */
  public Optional<String> format() {
    return find("format", String.class);
  }

  /** Whether only to report, without storing anything (default: <code>false</code>). */
  public boolean dryRun() {
    return find("dry_run", Boolean.class).orElse(false);
  }

  /** The timeout of the whole call (default: as in AccountsRequest). */
  public Optional<Duration> timeout() {
    return find("timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }

  /** Builds an object of type MigrationRequest. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** The cache file of an older library; a regular file of at most 256 MB. */
    public Builder path(String value) {
      put("path", value);
      return this;
    }

    /**
     * Instead of <code>path</code>, a known location: <code>accessTokens.json</code> of the Azure CLI before 2.30,
     * at <code>AZURE_ACCESS_TOKEN_FILE</code>, or else in <code>AZURE_CONFIG_DIR</code> or <code>~/.azure</code>.
     * The value is <code>azure_cli</code>.
     */
    public Builder place(String value) {
      put("place", value);
      return this;
    }

    /**
     * The format of the cache; see coming-from-adal.md. The value is <code>adal_apple_item</code>,
     * <code>adal_macos</code>, <code>apple_keychain</code>, <code>msal_macos</code>, <code>adal_dotnet</code>,
     * <code>msal_dotnet</code>, <code>adal_python</code>, <code>azure_cli</code> or <code>adal_node</code>
     * (default: detected).
     */
    public Builder format(String value) {
      put("format", value);
      return this;
    }

    /** Whether only to report, without storing anything (default: <code>false</code>). */
    public Builder dryRun(boolean value) {
      put("dry_run", value);
      return this;
    }

    /** The timeout of the whole call (default: as in AccountsRequest). */
    public Builder timeout(Duration value) {
      put("timeout_milliseconds", value == null ? null : value.toMillis());
      return this;
    }

    /** Returns the object. */
    public MigrationRequest build() {
      return new MigrationRequest(copy());
    }
  }
}
