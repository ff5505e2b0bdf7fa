// SPDX-License-Identifier: MIT
// An application that makes calls on command.

import CLibrary
internal import Synchronization
internal import Tessera
internal import TesseraWire

/// An application that makes calls on command.
final class Worker: Sendable {
  private let application: PublicClientApplication

  init(_ configuration: String) throws {
    application = try PublicClientApplication(Worker.configuration(configuration))
  }

  /// Runs a command.
  func perform(_ verb: String, _ count: Int, _ text: String) throws {
    let request = try Worker.request(text)
    switch verb {
    case "ask":
      var left = count
      repeat {
        printLine(call(request).line)
        left -= 1
      } while left != 0
    case "read": read(count, request)
    case "threads": callInThreads(count, request)
    case "list": for _ in 0..<count { printLine(list().line) }
    default: break
    }
  }

  private func read(_ count: Int, _ request: SilentRequest) {
    var reading = Reading()
    var left = count
    repeat {
      reading.note(call(request))
      left -= 1
    } while count == 0 ? !hasNextCommand() : left > 0
    reading.finish()
  }

  /// Makes calls from a number of threads, which all exist before the first call.
  private func callInThreads(_ count: Int, _ request: SilentRequest) {
    let calls = Calls(self, request, count)
    var threads: [pthread_t] = []
    for _ in 0..<count {
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<Calls>.fromOpaque(context).takeRetainedValue().run() }
          return nil
        }, Unmanaged.passRetained(calls).toOpaque())
      threads.append(thread)
    }
    for thread in threads { pthread_join(thread, nil) }
    for answer in calls.callResults { printLine(answer.line) }
  }

  fileprivate func call(_ request: SilentRequest) -> CallResult {
    let start = Moment.now
    do throws(TesseraError) {
      let result = try application.acquireTokenSilent(request, cancellation: nil)
      let end = Moment.now
      let kind = result.source == .cache ? "cached" : "fetched"
      let words = [result.isPersisted ? kind : "unkept", result.accessToken.reveal()]
      let text = (words + result.warnings.prefix(1)).joined(separator: " ")
      return CallResult(start: start, end: end, text: text)
    } catch {
      return CallResult(
        start: start, end: Moment.now, text: "refused \(error.code.rawValue) \(error.message)")
    }
  }

  private func list() -> CallResult {
    let start = Moment.now
    do throws(TesseraError) {
      _ = try application.accounts()
      return CallResult(start: start, end: Moment.now, text: "listed")
    } catch {
      return CallResult(
        start: start, end: Moment.now, text: "refused \(error.code.rawValue) \(error.message)")
    }
  }

  private static func configuration(_ text: String) throws -> ApplicationConfiguration {
    let json = try JSONValue(parsing: text).object
    var configuration = ApplicationConfiguration(clientID: json?["client_id"]?.string ?? "")
    if let authority = json?["authority"]?.string { configuration.authority = authority }
    configuration.authorityType = json?["authority_type"]?.string
      .flatMap(AuthorityType.init(rawValue:))
    let cache = (json?["msal_cache"]?.string).flatMap(MSALCache.init(_:))
    configuration.store =
      cache.map { .msalFile($0) } ?? .sqlite(directory: json?["store_directory"]?.string)
    return configuration
  }

  private static func request(_ text: String) throws -> SilentRequest {
    let json = try JSONValue(parsing: text).object
    var request = SilentRequest(
      homeAccountID: json?["home_account_id"]?.string ?? "",
      scopes: json?["scopes"]?.array?.compactMap(\.string) ?? [])
    request.authority = json?["authority"]?.string
    request.forcesRefresh = json?["force_refresh"]?.bool ?? false
    request.timeout = (json?["timeout_milliseconds"]?.integer).map { .milliseconds($0) }
    return request
  }
}

/// Calls that begin at the same time.
private final class Calls: Sendable {
  private let worker: Worker
  private let request: SilentRequest
  private let missing: Mutex<Int>
  private let collected = Mutex<[CallResult]>([])

  init(_ worker: Worker, _ request: SilentRequest, _ count: Int) {
    self.worker = worker
    self.request = request
    missing = Mutex(count)
  }

  /// The results.
  var callResults: [CallResult] { collected.withLock { $0 } }

  /// Makes one of the calls when all threads exist.
  func run() {
    missing.withLock { $0 -= 1 }
    while missing.withLock({ $0 > 0 }) { sched_yield() }
    let answer = worker.call(request)
    collected.withLock { $0.append(answer) }
  }
}
