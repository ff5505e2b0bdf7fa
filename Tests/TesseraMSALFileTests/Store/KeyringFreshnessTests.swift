// SPDX-License-Identifier: MIT
// Freshness of keyring items, and the errors of an unusable keyring.

import Foundation
import TesseraEngine
import TesseraTesting
import TestSupport
import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct KeyringFreshnessTests {
  private let bench: KeyringBench
  private let clock = VirtualClock()

  init() throws {
    bench = try KeyringBench()
  }

  @Test func `an item is read once, and again after its file is touched`() throws {
    let (item, signal) = try bench.item(.azureIdentity)
    let store = bench.store(.azureIdentity, time: clock)
    try bench.commit("old", to: store)
    let looks = bench.keyring.looks
    for _ in 0..<3 { #expect(try bench.secrets(store) == ["old"]) }
    #expect(bench.keyring.looks == looks)
    try bench.commit("new", to: bench.store(.azureIdentity, time: clock))
    #expect(bench.keyring[item]?.text.contains("new") == true)
    #expect(try bench.secrets(store) == ["new"])
    #expect(access(signal, F_OK) == 0)
  }

  @Test func `a write by a killed writer without a touch is noticed within three seconds`() throws {
    let (item, _) = try bench.item(.azureIdentity)
    let store = bench.store(.azureIdentity, time: clock)
    try bench.commit("old", to: store)
    let text = try #require(bench.keyring[item]?.text)
    bench.keyring.put(text.replacingOccurrences(of: "old", with: "new"), item)
    #expect(try bench.secrets(store) == ["old"])
    // A writer starts from the stored contents.
    try bench.commit("other", owner: "other", to: store)
    #expect(try bench.secrets(store) == ["new"])
    bench.keyring.put(text, item)
    clock.advance(seconds: 3)
    #expect(try bench.secrets(store) == ["old"])
  }

  @Test func `an item with several signal files is read each time`() throws {
    let (item, _) = try bench.item(.azurePowerShell)
    let store = bench.store(.azurePowerShell, time: clock)
    try bench.commit("old", to: store)
    try bench.commit("new", to: bench.store(.azurePowerShellCAE, time: clock))
    #expect(try bench.secrets(store) == ["new"])
    #expect(bench.keyring[item] != nil)
  }

  @Test(arguments: [KeyAttempt.Problem.locked, .timeout, .noBus, .noService, .failed])
  func `an unusable keyring is key_unavailable, and nothing is written to a file`(
    _ problem: KeyAttempt.Problem
  ) throws {
    let (item, signal) = try bench.item(.azureIdentity)
    try bench.commit("secret", to: bench.store(.azureIdentity))
    let before = bench.keyring[item]?.text
    bench.keyring.failure = .refused(problem, "so it is")
    let store = bench.store(.azureIdentity)
    for error in [bench.readError(store), bench.commitError(store), bench.proveError(store)] {
      #expect(error?.remedy == .fixStorage && error?.code == .keyUnavailable)
      #expect(error?.message.contains("so it is") == true)
    }
    let info = store.info(.requireEncrypted, within: .none)
    #expect(info.state == .locked && info.keySource == .secretService)
    #expect(try bench.files(beside: signal) == ["msal.cache.nocae"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: signal)).isEmpty)
    bench.keyring.failure = nil
    #expect(bench.keyring[item]?.text == before)
    #expect(try bench.secrets(store) == ["secret"])
  }

  @Test func `a cancelled call is reported as cancelled, not as a keyring failure`() throws {
    try bench.commit("secret", to: bench.store(.azureIdentity))
    bench.keyring.failure = .ended(TesseraError(.cancelled, .cancelled, "stop"))
    #expect(bench.readError(bench.store(.azureIdentity))?.code == .cancelled)
  }

  @Test func `info reports encryption and the path of the signal file`() throws {
    let (_, signal) = try bench.item(.azureIdentity)
    let store = bench.store(.azureIdentity, policy: .requireEncrypted)
    try bench.commit("secret", to: store)
    let info = store.info(.requireEncrypted, within: .none)
    #expect(info.state == .usable && info.protection == .encrypted)
    #expect(info.keySource == .secretService && info.path == signal && info.fileBytes == nil)
    #expect(info.records?.refreshTokens == 1)
  }

  @Test func `the mode of a file without contents is not checked`() throws {
    let (_, signal) = try bench.item(.azureIdentity)
    let store = bench.store(.azureIdentity)
    try bench.commit("old", to: store)
    #expect(chmod(signal, 0o664) == 0)
    try bench.commit("new", to: store)
    #expect(try bench.secrets(bench.store(.azureIdentity)) == ["new"])
  }

  @Test func `checkWritable stores nothing`() throws {
    let (item, signal) = try bench.item(.azureIdentity)
    try bench.store(.azureIdentity).checkWritable(within: .none)
    #expect(bench.keyring[item] == nil)
    #expect(try bench.files(beside: signal).isEmpty)
  }
}
