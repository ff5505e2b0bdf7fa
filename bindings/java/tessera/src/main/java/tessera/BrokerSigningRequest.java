// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A request to sign an HTTP request. */
public final class BrokerSigningRequest extends Document {
  BrokerSigningRequest(Map<String, Object> members) {
    super(members);
  }

  /** Returns a builder with the required members. */
  public static Builder builder(String homeAccountId, String httpMethod, String url) {
    return new Builder(Map.of()).homeAccountId(homeAccountId).httpMethod(httpMethod).url(url);
  }

  /** Returns a builder with the members of this object. */
  public Builder toBuilder() {
    return new Builder(members());
  }

  /** The authority of the account (default: the application's). */
  public Optional<String> authority() {
    return find("authority", String.class);
  }

  /**
   * The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a signature, 40 for
   * cookies).
   */
  public Optional<Duration> timeout() {
    return find("timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }

  /** An ID for the log of the server and of the broker (default: a new UUID). */
  public Optional<String> correlationId() {
    return find("correlation_id", String.class);
  }

  /** The account of the signing key. */
  public String homeAccountId() {
    return find("home_account_id", String.class).orElse("");
  }

  /** The method of the request, such as <code>GET</code>. */
  public String httpMethod() {
    return find("http_method", String.class).orElse("");
  }

  /** The URL of the request. Its host and path are signed in their exact spelling. */
  public String url() {
    return find("url", String.class).orElse("");
  }

  /** The nonce of the resource. */
  public Optional<String> nonce() {
    return find("nonce", String.class);
  }

  /** Further claims, as JSON text. */
  public Optional<String> clientClaims() {
    return find("client_claims", String.class);
  }

  /** The key (default: chosen by the broker). */
  public Optional<String> keyId() {
    return find("key_id", String.class);
  }

  /** Builds an object of type BrokerSigningRequest. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** The authority of the account (default: the application's). */
    public Builder authority(String value) {
      put("authority", value);
      return this;
    }

    /**
     * The deadline of the call (default: 10 seconds for the version and the accounts, 30 for a signature, 40 for
     * cookies).
     */
    public Builder timeout(Duration value) {
      put("timeout_milliseconds", value == null ? null : value.toMillis());
      return this;
    }

    /** An ID for the log of the server and of the broker (default: a new UUID). */
    public Builder correlationId(String value) {
      put("correlation_id", value);
      return this;
    }

    /** The account of the signing key. */
    public Builder homeAccountId(String value) {
      put("home_account_id", value);
      return this;
    }

    /** The method of the request, such as <code>GET</code>. */
    public Builder httpMethod(String value) {
      put("http_method", value);
      return this;
    }

    /** The URL of the request. Its host and path are signed in their exact spelling. */
    public Builder url(String value) {
      put("url", value);
      return this;
    }

    /** The nonce of the resource. */
    public Builder nonce(String value) {
      put("nonce", value);
      return this;
    }

    /** Further claims, as JSON text. */
    public Builder clientClaims(String value) {
      put("client_claims", value);
      return this;
    }

    /** The key (default: chosen by the broker). */
    public Builder keyId(String value) {
      put("key_id", value);
      return this;
    }

    /** Returns the object. */
    public BrokerSigningRequest build() {
      return new BrokerSigningRequest(copy());
    }
  }
}
