// SPDX-License-Identifier: MIT
// Uses every public type of Tessera as a program of another package does. Prints the number of checks.

import Synchronization
import Tessera

do {
  try prepareFolder()
  try checkTokens()
  try checkAccounts()
  try checkSignOut()
  try checkInteractiveRequests()
  try checkDeviceCodes()
  try await checkSilentRequests()
  try await checkDrivenSignIns()
  try checkConfiguration()
  try checkCredentials()
  try await checkClientTokens()
  try checkAuthorities()
  try checkKnownCaches()
  try checkRedirectSchemes()
  try checkErrors()
  try checkExplanations()
  try checkMigration()
  try checkExport()
  try checkCopies()
  try checkStores()
  try checkBrokers()
  try checkSSOExtensionTokenRequests()
  try checkSSOExtensionRequests()
  try checkSSOExtensionDevice()
  try checkSSOExtensionResponses()
  try checkSSOExtensionTokens()
  try checkBrowserMessages()
  try checkIntune()
  try checkHostStore()
  try checkHostBrowser()
  try checkSystemTransport()
  try checkMetrics()
  checkBrowserAvailability()
  try checkLocalProvider()
  try checkConfidentialClient()
  checkDependencies()
  try checkLocalBrowser()
  try removeFolder()
} catch {
  fail("unexpected error \(error)", file: #fileID, line: #line)
}
print("\(checkCount.load(ordering: .relaxed)) checks passed")
