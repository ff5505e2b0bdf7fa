// SPDX-License-Identifier: MIT
// The clouds of the Microsoft identity platform.

/// A cloud of the Microsoft identity platform.
public enum EntraCloud: String, Sendable, CaseIterable {
  /// The public cloud.
  case worldwide = "public"
  /// Azure operated by 21Vianet.
  case china
  /// Azure Germany, which was closed in 2021.
  case germany
  /// Azure for the government of the United States.
  case usGovernment = "us_government"
  /// The sovereign cloud Bleu in France.
  case france
  /// The sovereign cloud Delos in Germany.
  case delos
  /// The cloud of the government of Singapore.
  case singaporeGovernment = "gov_sg"

  var host: String {
    switch self {
    case .worldwide: CloudTable.trustedHost
    case .china: "login.chinacloudapi.cn"
    case .germany: "login.microsoftonline.de"
    case .usGovernment: "login.microsoftonline.us"
    case .france: "login.sovcloud-identity.fr"
    case .delos: "login.sovcloud-identity.de"
    case .singaporeGovernment: "login.sovcloud-identity.sg"
    }
  }
}
