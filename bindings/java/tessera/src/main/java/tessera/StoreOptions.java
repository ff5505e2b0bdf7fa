// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The options of the token store. */
public final class StoreOptions extends Document {
  StoreOptions(Map<String, Object> members) {
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

  /**
   * The kind of the store: shared with other applications that use Tessera, shared with all MSAL libraries, in
   * memory until the application object is freed, or the store of a host application, which only C programs can
   * pass. The value is <code>sqlite</code>, <code>msal_file</code>, <code>memory</code> or <code>host</code>
   * (default: <code>sqlite</code>; <code>msal_file</code> with <code>msal_cache</code>; <code>host</code> with
   * <code>host-&#62;store</code>).
   */
  public Optional<String> kind() {
    return find("kind", String.class);
  }

  /**
   * The name of the store. Applications of the same user with the same group share one store. It has 1 to 64
   * letters, digits, <code>.</code>, <code>_</code> and <code>-</code>. It must not start with <code>.</code> or
   * contain <code>.damaged-</code>, which marks quarantined databases. With <code>host</code>, it is the name of
   * the partition (default: <code>default</code>).
   */
  public Optional<String> group() {
    return find("group", String.class);
  }

  /**
   * The absolute path of the store's directory. It is created when a record is first stored (default:
   * <code>$XDG_DATA_HOME/tessera</code>, or else <code>$HOME/.local/share/tessera</code>).
   */
  public Optional<String> directory() {
    return find("directory", String.class);
  }

  /**
   * The required protection of the store; see protection.md. The value is <code>require_encrypted</code>,
   * <code>prefer_encrypted</code>, <code>allow_plaintext</code> or <code>memory_only</code> (default:
   * <code>prefer_encrypted</code>).
   */
  public Optional<String> policy() {
    return find("policy", String.class);
  }

  /**
   * The locations to try for the key of a new store, in order; <code>caller</code> only with <code>key</code>.
   * With <code>key</code>: the locations whose stores are trusted in addition; none if the member is absent. Each
   * is <code>caller</code>, <code>secret_service</code>, <code>kernel_keyring</code> or <code>key_file</code>
   * (default: <code>["secret_service", "key_file"]</code>).
   */
  public List<String> keySources() {
    return list("key_sources");
  }

  /**
   * The key of the store, if the application manages it. The callback <code>host-&#62;store_key</code> provides it
   * without a copy as text in memory.
   */
  public Optional<String> key() {
    return find("key", String.class);
  }

  /**
   * The store size in MiB (2^20 bytes) at which access tokens are evicted, starting with those that expire first.
   * Refresh tokens are never evicted (default: no limit).
   */
  public OptionalLong limitMegabytes() {
    return findNumber("limit_megabytes");
  }

  /**
   * The cache of MSAL for Python, .NET, Go, Java or Node to use as the store: <code>azure_cli</code>,
   * <code>azure_identity</code>, <code>azure_identity_cae</code>, <code>azure_powershell</code>,
   * <code>azure_powershell_cae</code>, or an absolute path; see store.md. <code>group</code>,
   * <code>directory</code> and the key options do not apply to it. A cache file is unencrypted, so
   * <code>require_encrypted</code> rejects it; a cache that its owner keeps in the keyring is accepted.
   */
  public Optional<String> msalCache() {
    return find("msal_cache", String.class);
  }

  /** Builds an object of type StoreOptions. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /**
     * The kind of the store: shared with other applications that use Tessera, shared with all MSAL libraries, in
     * memory until the application object is freed, or the store of a host application, which only C programs can
     * pass. The value is <code>sqlite</code>, <code>msal_file</code>, <code>memory</code> or <code>host</code>
     * (default: <code>sqlite</code>; <code>msal_file</code> with <code>msal_cache</code>; <code>host</code> with
     * <code>host-&#62;store</code>).
     */
    public Builder kind(String value) {
      put("kind", value);
      return this;
    }

    /**
     * The name of the store. Applications of the same user with the same group share one store. It has 1 to 64
     * letters, digits, <code>.</code>, <code>_</code> and <code>-</code>. It must not start with <code>.</code> or
     * contain <code>.damaged-</code>, which marks quarantined databases. With <code>host</code>, it is the name of
     * the partition (default: <code>default</code>).
     */
    public Builder group(String value) {
      put("group", value);
      return this;
    }

    /**
     * The absolute path of the store's directory. It is created when a record is first stored (default:
     * <code>$XDG_DATA_HOME/tessera</code>, or else <code>$HOME/.local/share/tessera</code>).
     */
    public Builder directory(String value) {
      put("directory", value);
      return this;
    }

    /**
     * The required protection of the store; see protection.md. The value is <code>require_encrypted</code>,
     * <code>prefer_encrypted</code>, <code>allow_plaintext</code> or <code>memory_only</code> (default:
     * <code>prefer_encrypted</code>).
     */
    public Builder policy(String value) {
      put("policy", value);
      return this;
    }

    /**
     * The locations to try for the key of a new store, in order; <code>caller</code> only with <code>key</code>.
     * With <code>key</code>: the locations whose stores are trusted in addition; none if the member is absent.
     * Each is <code>caller</code>, <code>secret_service</code>, <code>kernel_keyring</code> or
     * <code>key_file</code> (default: <code>["secret_service", "key_file"]</code>).
     */
    public Builder keySources(List<String> value) {
      put("key_sources", value);
      return this;
    }

    /**
     * The locations to try for the key of a new store, in order; <code>caller</code> only with <code>key</code>.
     * With <code>key</code>: the locations whose stores are trusted in addition; none if the member is absent.
     * Each is <code>caller</code>, <code>secret_service</code>, <code>kernel_keyring</code> or
     * <code>key_file</code> (default: <code>["secret_service", "key_file"]</code>).
     */
    public Builder keySources(String... values) {
      return keySources(List.of(values));
    }

    /**
     * The key of the store, if the application manages it. The callback <code>host-&#62;store_key</code> provides
     * it without a copy as text in memory.
     */
    public Builder key(String value) {
      put("key", value);
      return this;
    }

    /**
     * The store size in MiB (2^20 bytes) at which access tokens are evicted, starting with those that expire
     * first. Refresh tokens are never evicted (default: no limit).
     */
    public Builder limitMegabytes(long value) {
      put("limit_megabytes", value);
      return this;
    }

    /**
     * The cache of MSAL for Python, .NET, Go, Java or Node to use as the store: <code>azure_cli</code>,
     * <code>azure_identity</code>, <code>azure_identity_cae</code>, <code>azure_powershell</code>,
     * <code>azure_powershell_cae</code>, or an absolute path; see store.md. <code>group</code>,
     * <code>directory</code> and the key options do not apply to it. A cache file is unencrypted, so
     * <code>require_encrypted</code> rejects it; a cache that its owner keeps in the keyring is accepted.
     */
    public Builder msalCache(String value) {
      put("msal_cache", value);
      return this;
    }

    /** Returns the object. */
    public StoreOptions build() {
      return new StoreOptions(copy());
    }
  }
}
