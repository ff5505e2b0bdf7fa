// SPDX-License-Identifier: MIT
// Print the user's name. usage: me CLIENT-ID AUTHORITY ADDRESS-OF-ME
import Foundation
import FoundationNetworking
import Tessera

let app = try PublicClientApplication(ApplicationConfiguration(clientID: CommandLine.arguments[1]))
let token = try await app.acquireTokenSilent(
  .init(scopes: ["User.Read"], authority: CommandLine.arguments[2]))
guard var call = URL(string: CommandLine.arguments[3]).map({ URLRequest(url: $0) }) else { exit(1) }
call.setValue(token.authorizationHeader.reveal(), forHTTPHeaderField: "Authorization")
let (data, _) = try await URLSession.shared.data(for: call)
print((try JSONSerialization.jsonObject(with: data) as? [String: Any])?["displayName"] ?? "-")
