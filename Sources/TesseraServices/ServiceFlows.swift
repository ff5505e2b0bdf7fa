// SPDX-License-Identifier: MIT
// The flows of confidential clients, for the engine.

package import TesseraEngine

/// The flows of confidential clients.
package struct ServiceFlows: ClientAuthentications {
  /// Creates the flows.
  package init() {}

  package func authenticator(
    _ credential: ClientCredential, _ configuration: ApplicationConfiguration,
    _ dependencies: Dependencies
  ) -> any ClientAuthenticator {
    CredentialAuthenticator(credential, configuration, dependencies)
  }
}
