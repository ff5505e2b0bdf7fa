// SPDX-License-Identifier: MIT
// The driver of the Swift package; Tests/Runtimes/run describes the commands.

import Dispatch
import Synchronization
import Tessera

#if canImport(FoundationEssentials)
  import FoundationEssentials
  import Glibc
#else
  import Foundation
#endif

/// The log lines of all applications.
private let lines = Mutex<[String]>([])
/// The cancellation of the call that an interrupt ends.
private let interruptible = Mutex<Cancellation?>(nil)

/// The error of a callback.
private struct Problem: Error {
  let text: String
}

/// A transport whose requests all have the same response.
private struct RefusingTransport: HostTransport {
  let refusal: Command.Transport

  func send(_ request: TransportRequest) throws -> TransportResponse {
    if let text = refusal.throws { throw Problem(text: text) }
    guard let status = refusal.status else {
      throw TransportFailure(refusal.error ?? "", isSent: refusal.sent ?? true)
    }
    return TransportResponse(status: status)
  }
}

/// An application and the commands.
private final class Driver {
  private var application: PublicClientApplication?

  /// Performs a command.
  func perform(_ command: Command) async throws -> Outcome {
    switch command.do {
    case "create": return try create(command)
    case "silent": return await silent(command)
    case "device_code": return try deviceCode(command)
    case "device_code_on_a_thread": return try await deviceCodeOnAThread(command)
    case "asynchronous_device_code": return await asynchronousDeviceCode(command)
    case "accounts": return try accounts()
    case "log": return Outcome(lines: lines.withLock { $0 })
    case "repeat": return try await repeatCalls(command)
    case "threads": return threads(command)
    case "drop": return try await drop(command)
    case "collect": return Outcome(skipped: "Swift has no garbage collector")
    case "fork": return Outcome(skipped: "Swift does not fork without exec")
    default: return Outcome(skipped: "the driver does not know this command")
    }
  }

  private func create(_ command: Command) throws -> Outcome {
    guard let given = command.configuration else { return Outcome(status: "no configuration") }
    if given.clientid != nil { return Outcome(skipped: "a structure has no unknown members") }
    if command.throws != nil { return Outcome(skipped: "a log function does not throw") }
    if given.cloud != nil { return Outcome(skipped: "a cloud is a case of an enumeration") }
    var configuration = ApplicationConfiguration(clientID: given.clientId)
    configuration.authority = given.authority
    configuration.authorityType = AuthorityType(rawValue: given.authorityType)
    configuration.store = .sqlite(
      group: given.store.group, directory: given.store.directory,
      keySources: given.store.keySources.compactMap(KeySource.init))
    let level = given.logLevel.flatMap(TesseraLog.Level.init) ?? .information
    configuration.log = TesseraLog(level: level) { _, line in lines.withLock { $0.append(line) } }
    configuration.host.transport = command.transport.map(RefusingTransport.init)
    application = nil
    application = try PublicClientApplication(configuration)
    return Outcome(status: "ok")
  }

  private func request(_ command: Command) -> SilentRequest {
    let given = command.request
    return SilentRequest(
      homeAccountID: given?.homeAccountId ?? "", username: given?.username,
      scopes: given?.scopes ?? [], forcesRefresh: given?.forceRefresh ?? false,
      timeout: given?.timeout)
  }

  private func silent(_ command: Command) async -> Outcome {
    guard command.asynchronous == true else { return blockingSilent(command) }
    do {
      guard let application else { return Outcome(status: "no application") }
      return Outcome(try await application.acquireTokenSilent(request(command)))
    } catch {
      return Outcome(error)
    }
  }

  private func blockingSilent(_ command: Command) -> Outcome {
    do throws(TesseraError) {
      guard let application else { return Outcome(status: "no application") }
      return Outcome(try application.acquireTokenSilent(request(command), cancellation: nil))
    } catch {
      return Outcome(error)
    }
  }

  private func deviceCode(_ command: Command) throws -> Outcome {
    guard let application else { return Outcome(status: "no application") }
    return try Driver.deviceCode(command, application)
  }

  private func deviceCodeOnAThread(_ command: Command) async throws -> Outcome {
    guard let application else { return Outcome(status: "no application") }
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try Driver.deviceCode(command, application) })
      }
    }
  }

  private static func deviceCode(
    _ command: Command, _ application: PublicClientApplication
  ) throws -> Outcome {
    guard command.throws == nil else {
      return Outcome(skipped: "a prompt function does not throw")
    }
    var request = DeviceCodeRequest(scopes: command.request?.scopes ?? [])
    request.timeout = command.request?.timeout
    let cancellation = Cancellation()
    if let milliseconds = command.cancelAfterMilliseconds {
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
        cancellation.cancel()
      }
    }
    interruptible.withLock { $0 = cancellation }
    defer { interruptible.withLock { $0 = nil } }
    do throws(TesseraError) {
      let token = try application.acquireTokenByDeviceCode(request, cancellation: cancellation) {
        try? Outcome(userCode: $0.userCode).write()
      }
      return Outcome(token)
    } catch {
      var outcome = Outcome(error)
      if command.interrupt == true { outcome.interrupted = error.code == .cancelled }
      return outcome
    }
  }

  private func asynchronousDeviceCode(_ command: Command) async -> Outcome {
    do {
      guard let application else { return Outcome(status: "no application") }
      let request = DeviceCodeRequest(scopes: command.request?.scopes ?? [])
      let token = try await application.acquireTokenByDeviceCode(request) {
        try? Outcome(userCode: $0.userCode).write()
      }
      return Outcome(token)
    } catch {
      return Outcome(error)
    }
  }

  private func accounts() throws -> Outcome {
    let accounts = try application?.accounts() ?? []
    return Outcome(status: "ok", usernames: accounts.compactMap(\.username))
  }

  private func repeatCalls(_ command: Command) async throws -> Outcome {
    for _ in 0..<1000 { _ = await silent(command) }
    let before = try kilobytes()
    for _ in 1..<(command.count ?? 1) { _ = await silent(command) }
    var outcome = await silent(command)
    outcome.kilobytes = try kilobytes() - before
    return outcome
  }

  private func drop(_ command: Command) async throws -> Outcome {
    let (files, before) = (try descriptors(), try kilobytes())
    var outcome = Outcome()
    for _ in 0..<(command.count ?? 1) {
      _ = try create(command)
      outcome = await silent(command)
    }
    application = nil
    outcome.descriptors = try descriptors() - files
    outcome.kilobytes = try kilobytes() - before
    return outcome
  }

  private func threads(_ command: Command) -> Outcome {
    guard let application else { return Outcome(status: "no application") }
    let request = request(command)
    let tokens = Mutex<Set<String>>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<(command.count ?? 1) {
        let token = try? application.acquireTokenSilent(request, cancellation: nil).accessToken
        tokens.withLock { _ = $0.insert(token?.reveal() ?? "") }
      }
    }
    var outcome = blockingSilent(command)
    outcome.tokens = tokens.withLock(\.count)
    return outcome
  }
}

extension Outcome {
  fileprivate init(_ token: TokenResult) {
    self.init(
      status: token.declinedScopes.isEmpty ? "ok" : "sign_in", token: token.accessToken.reveal(),
      source: token.source.rawValue, username: token.account.username,
      declined: token.declinedScopes)
  }

  fileprivate init(_ error: any Error) {
    guard let error = error as? TesseraError else {
      self.init(status: "\(error)")
      return
    }
    self.init(status: error.remedy.name, code: error.code.rawValue, claims: error.claims)
  }
}

/// Returns the memory of this process.
private func kilobytes() throws -> Int {
  let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * sysconf(Int32(_SC_PAGESIZE)) / 1024
}

/// Returns the number of open files.
private func descriptors() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

signal(SIGINT, SIG_IGN)
private let interrupts = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
interrupts.setEventHandler { @Sendable in interruptible.withLock { $0?.cancel() } }
interrupts.resume()
private let driver = Driver()
while let line = readLine() {
  let command = try Command(line)
  do {
    try await driver.perform(command).write()
  } catch {
    try Outcome(error).write()
  }
}
