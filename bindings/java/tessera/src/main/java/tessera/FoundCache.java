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
    return string("name");
  }

  /** A display name of the product that owns the cache. */
  public String owner() {
    return string("owner");
  }

  /** A file, or an item of the keyring. The value is <code>file</code> or <code>secret_service</code>. */
  public String kind() {
    return string("kind");
  }

  /** The cache file, or the file whose modification time signals a change of the item. */
  public String path() {
    return string("path");
  }

  /** The name of the item's schema. Present with an item. */
  public Optional<String> schema() {
    return findString("schema");
  }

  /**
   * <code>locked</code>: there may be an item, but the keyring is locked, missing or unresponsive;
   * <code>unreadable</code>: not a token cache, or encrypted by its owner; <code>unavailable</code>: it cannot be
   * opened, or other users can write it. The value is <code>missing</code>, <code>usable</code>,
   * <code>locked</code>, <code>unreadable</code> or <code>unavailable</code>.
   */
  public String state() {
    return string("state");
  }

  /** Whether this location is the one in use. */
  public boolean selected() {
    return flag("selected");
  }

  /** The number of accounts in it. Present if it was read. */
  public OptionalLong accounts() {
    return findNumber("accounts");
  }

  /** The time of the last write. Present if known. */
  public Optional<Instant> modifiedOn() {
    return findTime("modified_on");
  }

  /** The reason why it cannot be read or opened, for display. Present if there is one. */
  public Optional<String> reason() {
    return findString("reason");
  }
}
