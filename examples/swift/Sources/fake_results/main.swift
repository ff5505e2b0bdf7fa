// SPDX-License-Identifier: MIT
// Test an application's own code with faked results: no network, no token store and no user.

import Tessera

#if canImport(Glibc)
  import FoundationEssentials
  import Glibc
#else
  import Foundation
#endif

/// The code under test: the line that an application shows about its sign-in.
func status(_ acquireToken: () throws -> TokenResult, at now: Date) -> String {
  do {
    let token = try acquireToken()
    let minutes = Int(token.expiresAt.timeIntervalSince(now) / 60)
    return "\(token.account.username ?? "someone"), for \(minutes) minutes"
  } catch let error as TesseraError where error.remedy == .signIn {
    return "signed out"
  } catch let error as TesseraError {
    return error.retryAfter.map { "offline for \($0.components.seconds) s" } ?? error.message
  } catch {
    return "\(error)"
  }
}

/// Exits with a failure unless two texts are equal.
func expect(_ found: String, _ expected: String) {
  guard found != expected else { return }
  print("expected \(expected), found \(found)")
  exit(1)
}

let now = Date(timeIntervalSince1970: 1_800_000_000)
let alice = Account(
  homeAccountID: "uid.utid", environment: "login.microsoftonline.com",
  username: "alice@contoso.com",
  tenantProfiles: [TenantProfile(tenantID: "utid", localAccountID: "uid")])
let token = TokenResult(
  accessToken: Secret("faked"), expiresAt: now.addingTimeInterval(3600), scopes: ["User.Read"],
  account: alice, authority: "https://login.microsoftonline.com/common")
expect(status({ token }, at: now), "alice@contoso.com, for 60 minutes")

let signedOut = TesseraError(.signIn, .interactionRequired, "Sign in.")
expect(status({ throw signedOut }, at: now), "signed out")

var throttled = TesseraError(.retryLater, .throttled, "Too many requests.")
throttled.retryAfter = .seconds(30)
throttled.causes = [TesseraError.Cause(.http, 429, "Too Many Requests")]
expect(status({ throw throttled }, at: now), "offline for 30 s")

var report = SignOutReport(.application)
report.accounts = [alice]
report.remaining = [SignOutReport.LeftoverToken(.browserSession)]
let prompt = DeviceCodePrompt(
  userCode: "ABCD-EFGH", verificationURI: "https://microsoft.com/devicelogin",
  message: "Enter the code.", expiresAt: now.addingTimeInterval(900))
let page = SignInPrompt(url: "https://login.example", opensBrowser: true, reason: "test")
expect("\(prompt.userCode) \(page.opensBrowser) \(report.accounts)", "ABCD-EFGH true [\(alice)]")
expect("\(CurrentAccount(account: alice).account == alice)", "true")
expect(
  CurrentAccount(account: nil).jsonDocument, #"{"account":null,"previous_account":null}"#)
print("The code works with faked results.")
