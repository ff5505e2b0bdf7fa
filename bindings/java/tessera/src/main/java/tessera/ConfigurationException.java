// SPDX-License-Identifier: MIT
package tessera;

/** The configuration or the registration of the application must be corrected. */
public final class ConfigurationException extends TesseraException {
  private static final long serialVersionUID = 1;

  ConfigurationException(ErrorDetails details) {
    super(details);
  }
}
