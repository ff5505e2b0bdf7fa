// SPDX-License-Identifier: MIT
// The request of an exec plugin of Kubernetes (client.authentication.k8s.io).

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The request in the variable `KUBERNETES_EXEC_INFO`.
struct ExecCredentialRequest {
  /// The version of the request, which the response has, too.
  let apiVersion: String
  /// The server of the cluster.
  let server: ServiceAddress

  private static let versions = ["v1", "v1beta1"].map { "client.authentication.k8s.io/\($0)" }

  /// The document, without the members that the helper does not need.
  private struct Document: Decodable {
    struct Specification: Decodable {
      struct Cluster: Decodable {
        let server: String?
      }

      let cluster: Cluster?
    }

    let kind: String
    let apiVersion: String
    let spec: Specification?
  }

  /// Parses the value of the variable.
  init(parsing text: String?) throws(AddressError) {
    guard let text, let document = try? JSONDecoder().decode(Document.self, from: Data(text.utf8)),
      document.kind == "ExecCredential"
    else {
      throw AddressError(
        "KUBERNETES_EXEC_INFO is missing or invalid. Run this helper from a kubeconfig file.")
    }
    guard ExecCredentialRequest.versions.contains(document.apiVersion) else {
      throw AddressError(
        "The apiVersion \(document.apiVersion) is unknown. Use client.authentication.k8s.io/v1.")
    }
    guard let server = document.spec?.cluster?.server else {
      throw AddressError(
        "The request has no server. Set provideClusterInfo to true in the kubeconfig file.")
    }
    apiVersion = document.apiVersion
    self.server = try ServiceAddress(parsing: server)
  }
}
