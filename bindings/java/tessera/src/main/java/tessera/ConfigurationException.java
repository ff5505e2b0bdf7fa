// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

/** The configuration or the registration of the application must be corrected. */
public final class ConfigurationException extends TesseraException {
  private static final long serialVersionUID = 1;

  ConfigurationException(ErrorDetails details) {
    super(details);
  }
}
