// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The response to a request that the host application sends. */
public final class TransportResponse extends Document {
  TransportResponse(Map<String, Object> members) {
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

  /** The HTTP status. Pass every response, whatever its status. */
  public OptionalLong status() {
    return findNumber("status");
  }

  /**
   * The header fields, each as <code>Name: value</code>. <code>Date</code>, <code>Location</code> and <code>Retry-
   * After</code> are used, among others.
   */
  public List<String> headers() {
    return list("headers");
  }

  /** The body, in UTF-8. */
  public Optional<String> body() {
    return find("body", String.class);
  }

  /**
   * Instead of <code>status</code>: the reason why there is no response, for the message of
   * <code>network_failed</code>.
   */
  public Optional<String> error() {
    return find("error", String.class);
  }

  /**
   * With <code>error</code>: whether the server may have received a part of the request. With <code>false</code>,
   * a refresh token in it counts as unused (default: <code>true</code>).
   */
  public boolean sent() {
    return find("sent", Boolean.class).orElse(false);
  }

  /** Builds an object of type TransportResponse. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** The HTTP status. Pass every response, whatever its status. */
    public Builder status(long value) {
      put("status", value);
      return this;
    }

    /**
     * The header fields, each as <code>Name: value</code>. <code>Date</code>, <code>Location</code> and
     * <code>Retry-After</code> are used, among others.
     */
    public Builder headers(List<String> value) {
      put("headers", value);
      return this;
    }

    /**
     * The header fields, each as <code>Name: value</code>. <code>Date</code>, <code>Location</code> and
     * <code>Retry-After</code> are used, among others.
     */
    public Builder headers(String... values) {
      return headers(List.of(values));
    }

    /** The body, in UTF-8. */
    public Builder body(String value) {
      put("body", value);
      return this;
    }

    /**
     * Instead of <code>status</code>: the reason why there is no response, for the message of
     * <code>network_failed</code>.
     */
    public Builder error(String value) {
      put("error", value);
      return this;
    }

    /**
     * With <code>error</code>: whether the server may have received a part of the request. With
     * <code>false</code>, a refresh token in it counts as unused (default: <code>true</code>).
     */
    public Builder sent(boolean value) {
      put("sent", value);
      return this;
    }

    /** Returns the object. */
    public TransportResponse build() {
      return new TransportResponse(copy());
    }
  }
}
