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
    return string("kind");
  }

  /** Always <code>false</code>: the signature is not verified. */
  public boolean verified() {
    return flag("verified");
  }

  /** A remark on this kind of token. */
  public String hint() {
    return string("hint");
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
    return findString("algorithm");
  }

  /** <code>iss</code>. Present if in the token. */
  public Optional<String> issuer() {
    return findString("issuer");
  }

  /** <code>sub</code>. Present if in the token. */
  public Optional<String> subject() {
    return findString("subject");
  }

  /** <code>tid</code>. Present if in the token. */
  public Optional<String> tenantId() {
    return findString("tenant_id");
  }

  /** <code>azp</code>, <code>appid</code> or <code>client_id</code>. Present if in the token. */
  public Optional<String> clientId() {
    return findString("client_id");
  }

  /** <code>preferred_username</code>, <code>upn</code> or <code>unique_name</code>. Present if in the token. */
  public Optional<String> username() {
    return findString("username");
  }

  /** <code>iat</code>. Present if in the token. */
  public Optional<Instant> issuedOn() {
    return findTime("issued_on");
  }

  /** <code>nbf</code>. Present if in the token. */
  public Optional<Instant> notBeforeOn() {
    return findTime("not_before_on");
  }

  /** <code>exp</code>. Present if in the token. */
  public Optional<Instant> expiresOn() {
    return findTime("expires_on");
  }
}
