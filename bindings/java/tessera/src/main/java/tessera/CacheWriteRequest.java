// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The changes of a cache document. */
public final class CacheWriteRequest extends Document {
  CacheWriteRequest(Map<String, Object> members) {
    super(members);
  }

  /** Returns a builder with the required members. */
  public static Builder builder(String before, String after) {
    return new Builder(Map.of()).before(before).after(after);
  }

  /** Returns a builder with the members of this object. */
  public Builder toBuilder() {
    return new Builder(members());
  }

  /** The original document; empty for none. */
  public String before() {
    return find("before", String.class).orElse("");
  }

  /** The changed document. Entries that are the same in both documents may be omitted from both. */
  public String after() {
    return find("after", String.class).orElse("");
  }

  /** The maximum time to wait for the store (default: as in AccountsRequest). */
  public Optional<Duration> timeout() {
    return find("timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }

  /** Builds an object of type CacheWriteRequest. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** The original document; empty for none. */
    public Builder before(String value) {
      put("before", value);
      return this;
    }

    /** The changed document. Entries that are the same in both documents may be omitted from both. */
    public Builder after(String value) {
      put("after", value);
      return this;
    }

    /** The maximum time to wait for the store (default: as in AccountsRequest). */
    public Builder timeout(Duration value) {
      put("timeout_milliseconds", value == null ? null : value.toMillis());
      return this;
    }

    /** Returns the object. */
    public CacheWriteRequest build() {
      return new CacheWriteRequest(copy());
    }
  }
}
