// SPDX-License-Identifier: MIT
// The Swift contestant: acquires tokens through the public interface.

import CLibrary
internal import Tessera
internal import TesseraWire

/// Executes the commands listed in Benchmarks/Python/contest.py.
final class Hits {
  private let application: PublicClientApplication
  private let requests: [SilentRequest]
  private var order: [Int] = [0]
  private var position = 0
  private var bytes = 0
  private let writer: Writer
  private var written = 0

  init(_ place: MeasuredStore, requests path: String) throws {
    application = try PublicClientApplication(place.configuration)
    writer = Writer(place)
    requests = try Hits.requests(in: path)
  }

  /// Returns the requests in a file, one in each line.
  static func requests(in path: String) throws -> [SilentRequest] {
    try lines(of: path).map(request)
  }

  /// Executes commands from standard input.
  func serve() throws {
    printResult("ready")
    while let line = readLine(), line != "quit" {
      printResult(try answer(line.split(separator: " ").map(String.init)))
    }
  }

  private func answer(_ words: [String]) throws -> Double {
    let count = words.count > 1 ? Int(words[1]) ?? 1 : 1
    let stopwatch = Stopwatch(seconds: words.last.flatMap(Double.init) ?? 0.1)
    switch words.first {
    case "warm":
      let start = Stopwatch.now
      for request in requests.prefix(count) { try acquire(request) }
      return Double(Stopwatch.now - start)
    case "hit":
      shuffle(count)
      return try stopwatch.medianNanoseconds { try acquire(next()) }
    case "once":
      let start = Stopwatch.now
      try acquire(requests[count])
      return Double(Stopwatch.now - start)
    case "replaced": return try afterReplacing(requests[count])
    case "write": return Double(try writer.replace(count, of: nil, for: nil))
    case "list":
      let start = Stopwatch.now
      bytes += try application.accounts().count
      return Double(Stopwatch.now - start)
    case "miss":
      let request = SilentRequest(homeAccountID: "nobody.nowhere", scopes: requests[0].scopes)
      return stopwatch.medianNanoseconds { try? acquire(request) }
    case "miss-p99":
      let request = SilentRequest(homeAccountID: "nobody.nowhere", scopes: requests[0].scopes)
      return stopwatch.slowestNanoseconds { try? acquire(request) }
    case "first": return Stopwatch.percentile99(try times(of: requests.prefix(count)))
    case "first-median", "first-p99":
      let length = words.count > 2 ? Int(words[2]) ?? 1 : 1
      let times = try times(of: requests[count..<count + length])
      return words[0] == "first-p99" ? Stopwatch.percentile99(times) : Stopwatch.median(times)
    case "accounts":
      return try stopwatch.medianNanoseconds { bytes += try application.accounts().count }
    default: return .nan
    }
  }

  private func times(of requests: ArraySlice<SilentRequest>) throws -> [Double] {
    try requests.map { request in
      let start = Stopwatch.now
      try acquire(request)
      return Double(Stopwatch.now - start)
    }
  }

  /// Measures one call for a token that this process has just replaced, with warm processor caches.
  private func afterReplacing(_ request: SilentRequest) throws -> Double {
    written += 1
    let scope = request.scopes.first.map { $0[...] }
    _ = try writer.replace(written, of: request.homeAccountID[...], for: scope)
    let start = Stopwatch.now
    try acquire(request)
    return Double(Stopwatch.now - start)
  }

  private func acquire(_ request: SilentRequest) throws(TesseraError) {
    bytes &+= try application.acquireTokenSilent(request, cancellation: nil).scopes.count
  }

  private func next() -> SilentRequest {
    position = position + 1 == order.count ? 0 : position + 1
    return requests[order[position]]
  }

  private func shuffle(_ count: Int) {
    guard count != order.count else { return }
    order = Array(0..<count).shuffled()
    position = 0
  }

  private static func request(_ line: String) throws -> SilentRequest {
    let json = try JSONValue(parsing: line).object
    return SilentRequest(
      homeAccountID: json?["home_account_id"]?.string ?? "",
      scopes: json?["scopes"]?.array?.compactMap(\.string) ?? [])
  }

  private static func lines(of path: String) -> [String] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var lines: [String] = []
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    while getline(&line, &capacity, file) > 1 {
      if let line { lines.append(String(String(cString: line).dropLast())) }
    }
    free(line)
    return lines
  }
}
