// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.Optional;

/** The credential of a confidential client. */
public final class ClientCredential extends Document {
  ClientCredential(Map<String, Object> members) {
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

  /** A client secret. */
  public Optional<String> secret() {
    return find("secret", String.class);
  }

  /** The path of a file with a client secret. It is read for each request. */
  public Optional<String> secretFile() {
    return find("secret_file", String.class);
  }

  /**
   * The certificate of the application in PEM, then those of its issuers. The private key may be in the same text.
   */
  public Optional<String> certificatePem() {
    return find("certificate_pem", String.class);
  }

  /** The path of such a file. A replaced file is used for the next request. */
  public Optional<String> certificateFile() {
    return find("certificate_file", String.class);
  }

  /** The private key of the certificate in PEM. */
  public Optional<String> keyPem() {
    return find("key_pem", String.class);
  }

  /** The path of such a file. */
  public Optional<String> keyFile() {
    return find("key_file", String.class);
  }

  /** The path of a PKCS #12 file with the certificate and its private key. */
  public Optional<String> pfxFile() {
    return find("pfx_file", String.class);
  }

  /** The passphrase of the private key, or of the PKCS #12 file. */
  public Optional<String> passphrase() {
    return find("passphrase", String.class);
  }

  /**
   * Whether assertions contain the certificates (<code>x5c</code>), for a registration that trusts a subject and
   * an issuer (default: <code>false</code>).
   */
  public boolean sendChain() {
    return find("send_chain", Boolean.class).orElse(false);
  }

  /** An assertion of another issuer. It expires, so a file is better. */
  public Optional<String> assertion() {
    return find("assertion", String.class);
  }

  /**
   * The path of a file with an assertion, such as the token of a Kubernetes service account. It is read for each
   * request.
   */
  public Optional<String> assertionFile() {
    return find("assertion_file", String.class);
  }

  /** Builds an object of type ClientCredential. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** A client secret. */
    public Builder secret(String value) {
      put("secret", value);
      return this;
    }

    /** The path of a file with a client secret. It is read for each request. */
    public Builder secretFile(String value) {
      put("secret_file", value);
      return this;
    }

    /**
     * The certificate of the application in PEM, then those of its issuers. The private key may be in the same
     * text.
     */
    public Builder certificatePem(String value) {
      put("certificate_pem", value);
      return this;
    }

    /** The path of such a file. A replaced file is used for the next request. */
    public Builder certificateFile(String value) {
      put("certificate_file", value);
      return this;
    }

    /** The private key of the certificate in PEM. */
    public Builder keyPem(String value) {
      put("key_pem", value);
      return this;
    }

    /** The path of such a file. */
    public Builder keyFile(String value) {
      put("key_file", value);
      return this;
    }

    /** The path of a PKCS #12 file with the certificate and its private key. */
    public Builder pfxFile(String value) {
      put("pfx_file", value);
      return this;
    }

    /** The passphrase of the private key, or of the PKCS #12 file. */
    public Builder passphrase(String value) {
      put("passphrase", value);
      return this;
    }

    /**
     * Whether assertions contain the certificates (<code>x5c</code>), for a registration that trusts a subject and
     * an issuer (default: <code>false</code>).
     */
    public Builder sendChain(boolean value) {
      put("send_chain", value);
      return this;
    }

    /** An assertion of another issuer. It expires, so a file is better. */
    public Builder assertion(String value) {
      put("assertion", value);
      return this;
    }

    /**
     * The path of a file with an assertion, such as the token of a Kubernetes service account. It is read for each
     * request.
     */
    public Builder assertionFile(String value) {
      put("assertion_file", value);
      return this;
    }

    /** Returns the object. */
    public ClientCredential build() {
      return new ClientCredential(copy());
    }
  }
}
