// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The document "TokenDescription". */
public final class TokenDescription extends Document {
  TokenDescription(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static TokenDescription fromJson(String text) {
    return new TokenDescription(Json.parse(text));
  }

  /** Whether the token can be decoded. The value is <code>jwt</code> or <code>opaque</code>. */
  public String kind() {
    return find("kind", String.class).orElse("");
  }

  /** Always <code>false</code>: the signature is not verified. */
  public boolean verified() {
    return find("verified", Boolean.class).orElse(false);
  }

  /** A remark on this kind of token. */
  public String hint() {
    return find("hint", String.class).orElse("");
  }

  /** <code>aud</code>. */
  public List<String> audiences() {
    return list("audiences");
  }

  /** <code>scp</code> or <code>scope</code>. */
  public List<String> scopes() {
    return list("scopes");
  }

  /** <code>roles</code>. */
  public List<String> roles() {
    return list("roles");
  }

  /** <code>alg</code>. Present if in the token. */
  public Optional<String> algorithm() {
    return find("algorithm", String.class);
  }

  /** <code>iss</code>. Present if in the token. */
  public Optional<String> issuer() {
    return find("issuer", String.class);
  }

  /** <code>sub</code>. Present if in the token. */
  public Optional<String> subject() {
    return find("subject", String.class);
  }

  /** <code>tid</code>. Present if in the token. */
  public Optional<String> tenantId() {
    return find("tenant_id", String.class);
  }

  /** <code>azp</code>, <code>appid</code> or <code>client_id</code>. Present if in the token. */
  public Optional<String> clientId() {
    return find("client_id", String.class);
  }

  /** <code>preferred_username</code>, <code>upn</code> or <code>unique_name</code>. Present if in the token. */
  public Optional<String> username() {
    return find("username", String.class);
  }

  /** <code>iat</code>. Present if in the token. */
  public Optional<Instant> issuedOn() {
    return find("issued_on", Long.class).map(Instant::ofEpochSecond);
  }

  /** <code>nbf</code>. Present if in the token. */
  public Optional<Instant> notBeforeOn() {
    return find("not_before_on", Long.class).map(Instant::ofEpochSecond);
  }

  /** <code>exp</code>. Present if in the token. */
  public Optional<Instant> expiresOn() {
    return find("expires_on", Long.class).map(Instant::ofEpochSecond);
  }
}
