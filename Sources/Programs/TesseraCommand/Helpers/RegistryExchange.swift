// SPDX-License-Identifier: MIT
// The exchange of an access token for the refresh token of an Azure Container Registry.

import Tessera

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An Azure Container Registry.
struct RegistryExchange {
  /// The user name with which the registry expects its refresh token.
  static let username = "00000000-0000-0000-0000-000000000000"
  /// The minimum remaining lifetime of a refresh token, in seconds, in which an image can be pulled.
  static let minimumLifetime = 300.0

  /// The entry of the registry, which alone determines the host.
  let entry: HelperEntry

  private struct Response: Decodable {
    let refreshToken: String

    enum CodingKeys: String, CodingKey {
      case refreshToken = "refresh_token"
    }
  }

  private struct Problem: Decodable {
    struct Detail: Decodable {
      let code: String?
      let message: String?
    }

    let errors: [Detail]
  }

  private struct Claims: Decodable {
    let exp: Double
  }

  /// Returns the refresh token of the registry for an access token.
  func credential(
    _ token: HelperToken, _ cancellation: Cancellation
  ) throws(TesseraError) -> IssuedCredential {
    let address: ServiceAddress
    do throws(AddressError) {
      address = try ServiceAddress(parsing: entry.url)
    } catch {
      throw TesseraError(.fixConfiguration, .invalidConfiguration, error.message)
    }
    let tenant = token.result.tenantID
    let form = ServiceForm(
      url: "\(address.origin)/oauth2/exchange",
      fields: [
        (name: "grant_type", value: "access_token"), (name: "service", value: address.authority),
      ] + (tenant.isEmpty ? [] : [(name: "tenant", value: tenant)]),
      token: (name: "access_token", value: token.text))
    let body = try form.send(cancellation) { body in
      let problem = try? JSONDecoder().decode(Problem.self, from: Data(body))
      return problem?.errors.first.map {
        [$0.code, $0.message].compactMap(\.self).joined(separator: " ")
      }
    }
    guard let response = try? JSONDecoder().decode(Response.self, from: Data(body)),
      response.refreshToken.isCredential
    else {
      throw TesseraError(
        .retryLater, .invalidResponse, "\(form.url) returned no refresh token. Try again later.")
    }
    return IssuedCredential(
      text: response.refreshToken,
      // A token without an expiry time is used once.
      expiresAt: RegistryExchange.expiry(of: response.refreshToken) ?? .now)
  }

  /// Returns the expiry time in a token; nil if it has none.
  private static func expiry(of token: String) -> Date? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    guard let data = Data(base64Encoded: text),
      let claims = try? JSONDecoder().decode(Claims.self, from: data)
    else { return nil }
    return Date(timeIntervalSince1970: claims.exp)
  }
}
