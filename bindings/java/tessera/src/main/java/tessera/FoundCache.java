// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The document "FoundCache". */
public final class FoundCache extends Document {
  FoundCache(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static FoundCache fromJson(String text) {
    return new FoundCache(Json.parse(text));
  }

  /**
   * The name of the cache. <code>azure_cli</code>, <code>azure_identity</code>, <code>azure_identity_cae</code>,
   * <code>azure_powershell</code> and <code>azure_powershell_cae</code> are valid values of
   * <code>msal_cache</code>, which opens the selected location. Other caches are only listed.
   */
  public String name() {
    return find("name", String.class).orElse("");
  }

  /** A display name of the product that owns the cache. */
  public String owner() {
    return find("owner", String.class).orElse("");
  }

  /** A file, or an item of the keyring. The value is <code>file</code> or <code>secret_service</code>. */
  public String kind() {
    return find("kind", String.class).orElse("");
  }

  /** The cache file, or the file whose modification time signals a change of the item. */
  public String path() {
    return find("path", String.class).orElse("");
  }

  /** The name of the item's schema. Present with an item. */
  public Optional<String> schema() {
    return find("schema", String.class);
  }

  /**
   * <code>locked</code>: there may be an item, but the keyring is locked, missing or unresponsive;
   * <code>unreadable</code>: not a token cache, or encrypted by its owner; <code>unavailable</code>: it cannot be
   * opened, or other users can write it. The value is <code>missing</code>, <code>usable</code>,
   * <code>locked</code>, <code>unreadable</code> or <code>unavailable</code>.
   */
  public String state() {
    return find("state", String.class).orElse("");
  }

  /** Whether this location is the one in use. */
  public boolean selected() {
    return find("selected", Boolean.class).orElse(false);
  }

  /** The number of accounts in it. Present if it was read. */
  public OptionalLong accounts() {
    return findNumber("accounts");
  }

  /** The time of the last write. Present if known. */
  public Optional<Instant> modifiedOn() {
    return find("modified_on", Long.class).map(Instant::ofEpochSecond);
  }

  /** The reason why it cannot be read or opened, for display. Present if there is one. */
  public Optional<String> reason() {
    return find("reason", String.class);
  }
}
