// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The document "StoreInfo". */
public final class StoreInfo extends Document {
  StoreInfo(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static StoreInfo fromJson(String text) {
    return new StoreInfo(Json.parse(text));
  }

  /**
   * The state of the store. <code>locked</code>: the key cannot be reached; <code>undecryptable</code>: the store
   * has another key. The value is <code>missing</code>, <code>empty</code>, <code>usable</code>,
   * <code>read_only</code>, <code>damaged</code>, <code>too_new</code>, <code>locked</code>,
   * <code>undecryptable</code>, <code>busy</code> or <code>unavailable</code>.
   */
  public String state() {
    return find("state", String.class).orElse("");
  }

  /**
   * The policy that the application requested. The value is <code>require_encrypted</code>,
   * <code>prefer_encrypted</code>, <code>allow_plaintext</code> or <code>memory_only</code>.
   */
  public String storagePolicy() {
    return find("storage_policy", String.class).orElse("");
  }

  /**
   * <code>encrypted</code>: the key is not on the same disk; <code>obfuscated</code>: the key is in a file; for a
   * missing store, the protection that it would get. The value is <code>encrypted</code>, <code>obfuscated</code>,
   * <code>plaintext</code> or <code>memory</code>. Present if known.
   */
  public Optional<String> protection() {
    return find("protection", String.class);
  }

  /**
   * The location of the key, or of the key that would be created. The value is <code>caller</code>,
   * <code>secret_service</code>, <code>kernel_keyring</code> or <code>key_file</code>. Present if there is one.
   */
  public Optional<String> keySource() {
    return find("key_source", String.class);
  }

  /** The locations that were tried before, without success. */
  public List<KeyAttempt> attempts() {
    return list("attempts", KeyAttempt::new);
  }

  /**
   * The database; with <code>msal_cache</code> the cache file, or the file whose modification time signals a
   * change of a keyring item. Present with a database or a file.
   */
  public Optional<String> path() {
    return find("path", String.class);
  }

  /** See store.md. Present with a database. */
  public OptionalLong layoutVersion() {
    return findNumber("layout_version");
  }

  /** The bytes in use. Present with a database or a file. */
  public OptionalLong bytes() {
    return findNumber("bytes");
  }

  /** The size of the file. Present with a database or a file; not for a keyring item. */
  public OptionalLong fileBytes() {
    return findNumber("file_bytes");
  }

  /**
   * The size at which access tokens are evicted, starting with those that expire first. Present if there is one.
   */
  public OptionalLong limitBytes() {
    return findNumber("limit_bytes");
  }

  /** The numbers of records. Present if it can be read. */
  public Optional<StoreRecords> records() {
    return findDocument("records", StoreRecords::new);
  }

  /**
   * The processes among which one at a time refreshes a token: the threads of this process; the processes of this
   * machine; those that the locks of a host application's store exclude. The value is <code>process</code>,
   * <code>machine</code> or <code>host</code>.
   */
  public String lockScope() {
    return find("lock_scope", String.class).orElse("");
  }

  /** Whether the store is a cache file of other libraries, which read and write it as well. */
  public boolean sharedWithPeers() {
    return find("shared_with_peers", Boolean.class).orElse(false);
  }

  /**
   * Whether the store is on a network file system, or would be. Its locks then apply to this machine only, and
   * every call reads the database.
   */
  public boolean networkFileSystem() {
    return find("network_file_system", Boolean.class).orElse(false);
  }

  /** The paths of quarantined databases. */
  public List<String> setAside() {
    return list("set_aside");
  }

  /**
   * The error that a call would report. A missing store that cannot be created is <code>unavailable</code>, with
   * the directory that cannot be written. Present after a problem.
   */
  public Optional<ErrorDetails> problem() {
    return findDocument("problem", ErrorDetails::new);
  }
}
