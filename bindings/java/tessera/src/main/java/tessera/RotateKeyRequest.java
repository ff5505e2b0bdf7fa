// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A request to replace the key of the store. */
public final class RotateKeyRequest extends Document {
  RotateKeyRequest(Map<String, Object> members) {
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
   * The new key. It is rejected as <code>invalid_member</code> if the configuration has no <code>store.key</code>,
   * or if it equals the old key. Without it, a store that was not encrypted with <code>store.key</code> is re-
   * encrypted with it (default: if the application manages the present key of the store).
   */
  public Optional<String> newStoreKey() {
    return find("new_store_key", String.class);
  }

  /**
   * The maximum time to wait for the store; after an error nothing is changed (default: as in AccountsRequest, for
   * the whole call).
   */
  public Optional<Duration> timeout() {
    return find("timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }

  /** Builds an object of type RotateKeyRequest. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /**
     * The new key. It is rejected as <code>invalid_member</code> if the configuration has no
     * <code>store.key</code>, or if it equals the old key. Without it, a store that was not encrypted with
     * <code>store.key</code> is re-encrypted with it (default: if the application manages the present key of the
     * store).
     */
    public Builder newStoreKey(String value) {
      put("new_store_key", value);
      return this;
    }

    /**
     * The maximum time to wait for the store; after an error nothing is changed (default: as in AccountsRequest,
     * for the whole call).
     */
    public Builder timeout(Duration value) {
      put("timeout_milliseconds", value == null ? null : value.toMillis());
      return this;
    }

    /** Returns the object. */
    public RotateKeyRequest build() {
      return new RotateKeyRequest(copy());
    }
  }
}
