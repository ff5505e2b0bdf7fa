// SPDX-License-Identifier: MIT
// One exchange with libcurl: its limits, progress and end.

import CLibrary
import CTesseraSystem
import TesseraEngine
import TesseraWire

/// An HTTP request in progress.
///
/// Each exchange has its own handles, so any number of threads, and a child of fork(), can have exchanges of their own. Other
/// threads may only call ``wake()``. The creator must call ``end()``.
final class CurlExchange: @unchecked Sendable {
  let library: CurlLibrary
  let easy: UnsafeMutableRawPointer
  let multi: UnsafeMutableRawPointer
  private let detail: UnsafeMutablePointer<CChar>
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var result: CURLcode?
  private let reader = ResponseReader()
  /// Whether a response that has begun must not be lost.
  private var spendsCredential = false
  /// Whether freeing the handles never waits for the resolver (`CURLOPT_QUICK_EXIT`).
  private let freesWithoutBlocking: Bool

  /// Creates the handles.
  init(_ library: CurlLibrary) throws(TesseraError) {
    guard let easy = ctessera_curl_easy_create(library.functions) else {
      throw CurlExchange.outOfMemory
    }
    guard let multi = ctessera_curl_multi_create(library.functions) else {
      ctessera_curl_easy_free(library.functions, easy)
      throw CurlExchange.outOfMemory
    }
    self.library = library
    self.easy = easy
    self.multi = multi
    detail = .allocate(capacity: Int(CURL_ERROR_SIZE))
    detail.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    freesWithoutBlocking = ctessera_curl_set_quick_exit(library.functions, easy)
  }

  /// Sets the request.
  ///
  /// Its body must stay valid until the exchange is freed.
  func prepare(
    _ request: HTTPRequest, body: UnsafeBufferPointer<UInt8>, settings: NetworkSettings,
    certificates: TrustedCertificates, connectMilliseconds: Int
  ) throws(TesseraError) {
    spendsCredential = request.spendsCredential
    for line in try request.fieldLines() {
      guard ctessera_curl_list_append(library.functions, &fields, line) else {
        throw CurlExchange.outOfMemory
      }
    }
    var options = CurlOptions(library, easy)
    options.setDefaults(settings, for: request.url)
    options.setTrust(certificates)
    options.setRequest(request, body: body)
    options.setReader(reader)
    options.set(CURLOPT_CONNECTTIMEOUT_MS, connectMilliseconds)
    options.set(CURLOPT_HTTPHEADER, UnsafeRawPointer(fields))
    options.set(CURLOPT_ERRORBUFFER, UnsafeRawPointer(detail))
    try options.check()
    guard ctessera_curl_multi_add(library.functions, multi, easy) else {
      throw CurlExchange.outOfMemory
    }
  }

  /// Sends the request and receives the response, until the exchange is complete or its limits are reached.
  func run(within limits: ExchangeLimits) throws(TesseraError) {
    var limits = limits
    while result == nil {
      guard ctessera_curl_multi_perform(library.functions, multi) else {
        throw ctessera_exit_guard_is_closed() ? .cancelled() : CurlExchange.outOfMemory
      }
      var code = CURLE_OK
      if ctessera_curl_multi_finished(library.functions, multi, &code) {
        result = code
        return
      }
      try limits.check(
        isConnected: isConnected, mustReceive: spendsCredential && reader.hasBegun)
      let span = limits.millisecondsToNextCheck(isConnected: isConnected)
      guard ctessera_curl_multi_wait(library.functions, multi, span) >= 0 else {
        throw CurlExchange.outOfMemory
      }
    }
  }

  /// Interrupts a wait of the exchange from another thread.
  func wake() {
    ctessera_curl_multi_wake(library.functions, multi)
  }

  /// Returns the response, or throws the error of a failed exchange.
  ///
  /// - Parameter issuer: Returns the issuer of a rejected certificate, if it can be determined.
  func response(
    from host: String, certificates: TrustedCertificates, issuer: () -> String?
  ) throws(TesseraError) -> HTTPResponse {
    let code = result ?? CURLE_FAILED_INIT
    guard code != CURLE_OK else {
      return HTTPResponse(
        status: ctessera_curl_get_number(library.functions, easy, CURLINFO_RESPONSE_CODE),
        headers: reader.headers, body: reader.body)
    }
    // libcurl reports a failed connection or file without the reason, which may be a lack of descriptors.
    guard DescriptorGuard.canOpenFile else { throw .tooManyFilesForNetwork }
    var failure = CurlFailure(
      code: code, errorText: library.errorText(code), detail: String(cString: detail), host: host,
      isTooLarge: reader.isTooLarge, certificateFile: certificates.file,
      proxyStatus: ctessera_curl_get_number(library.functions, easy, CURLINFO_HTTP_CONNECTCODE))
    if failure.isUntrusted { failure.issuer = issuer() }
    throw failure.error
  }

  /// Frees the handles.
  ///
  /// Returns false without freeing them if that would wait for the resolver.
  func end() -> Bool {
    if !freesWithoutBlocking && isResolving {
      ctessera_curl_set_pointer(library.functions, easy, CURLOPT_POSTFIELDS, nil)
      return false
    }
    free()
    return true
  }

  /// Frees an exchange for which ``end()`` returned false, if its resolver has finished.
  ///
  /// Returns whether it was freed.
  func freeIfResolved() -> Bool {
    guard ctessera_curl_multi_wait(library.functions, multi, 0) > 0 else { return false }
    free()
    return true
  }

  private func free() {
    ctessera_curl_multi_free(library.functions, multi, easy)
    ctessera_curl_easy_free(library.functions, easy)
    ctessera_curl_list_free(library.functions, fields)
    detail.deallocate()
  }
}

extension CurlExchange {
  private static let outOfMemory = TesseraError(
    .retryLater, .networkFailed,
    "The request could not be created: out of memory or file descriptors.")

  /// Whether the connection is established, including the handshake.
  private var isConnected: Bool {
    ctessera_curl_get_time(library.functions, easy, CURLINFO_PRETRANSFER_TIME_T) > 0
  }

  /// Whether the server may have received part of the request.
  var isSent: Bool {
    isConnected || ctessera_curl_get_number(library.functions, easy, CURLINFO_REQUEST_SIZE) > 0
  }

  private var isResolving: Bool {
    result == nil
      && ctessera_curl_get_time(library.functions, easy, CURLINFO_NAMELOOKUP_TIME_T) == 0
  }
}

extension HTTPRequest {
  /// Returns the header fields as lines for libcurl.
  fileprivate func fieldLines() throws(TesseraError) -> [String] {
    // Suppress the fields that libcurl would add: `Expect: 100-continue`, and a content type for each body.
    var lines = ["Expect:"]
    if headers["Content-Type"] == nil { lines.append("Content-Type:") }
    for header in headers {
      let isClean = (header.name + header.value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      guard isClean, !header.name.isEmpty, !header.name.contains(":") else {
        throw TesseraError(
          .fixRequest, .invalidMember, "A header field contains invalid characters.")
      }
      lines.append(header.value.isEmpty ? header.name + ";" : "\(header.name): \(header.value)")
    }
    return lines
  }
}

extension CurlExchange {
  /// The timeout of the handshake, in milliseconds.
  ///
  /// Without a result, the error contains no issuer.
  private static let issuerMilliseconds: Int64 = 5_000

  /// Returns the issuer of the last certificate of a server; nil if it cannot be determined.
  ///
  /// The handshake accepts any certificate of the server, because libcurl does not report those of a failed handshake. No
  /// HTTP request is sent to the server (`CURLOPT_CONNECT_ONLY`). A proxy receives the CONNECT request, and its certificate
  /// is verified.
  func issuer(
    of url: String, _ settings: NetworkSettings, _ certificates: TrustedCertificates,
    within limits: CallLimits, _ time: any TimeSource
  ) -> String? {
    let short = limits.atMost(milliseconds: CurlExchange.issuerMilliseconds, time)
    let exchangeLimits = ExchangeLimits(short, host: "", settings: settings, time: time)
    var options = CurlOptions(library, easy)
    options.setDefaults(settings, for: url)
    options.setTrust(certificates)
    options.set(CURLOPT_URL, url)
    options.set(CURLOPT_SSL_VERIFYPEER, 0)
    options.set(CURLOPT_SSL_VERIFYHOST, 0)
    options.set(CURLOPT_CONNECT_ONLY, 1)
    options.set(CURLOPT_CERTINFO, 1)
    options.set(CURLOPT_CONNECTTIMEOUT_MS, exchangeLimits.connectMilliseconds)
    guard (try? options.check()) != nil,
      ctessera_curl_multi_add(library.functions, multi, easy),
      (try? run(within: exchangeLimits)) != nil,
      let name = ctessera_curl_issuer(library.functions, easy)
    else { return nil }
    return String(cString: name).plain(atMost: 300).nonBlank
  }
}

/// The time limits of an exchange that starts at their creation.
struct ExchangeLimits {
  /// The maximum duration of one wait, in nanoseconds.
  ///
  /// After the machine slept, the deadline is checked within this time.
  private static let maximumWaitNanoseconds: UInt64 = 1_000_000_000

  private let call: CallLimits
  private let time: any TimeSource
  private let host: String
  private let settings: NetworkSettings
  private let connectBy: UInt64
  private let endBy: UInt64
  /// The time until which the rest of a response may be received; `nil` before the limits are reached.
  private var receiveBy: UInt64?

  /// Creates limits from those of a call and the timeouts of the settings.
  init(_ call: CallLimits, host: String, settings: NetworkSettings, time: any TimeSource) {
    self.call = call
    self.time = time
    self.host = host
    self.settings = settings
    let now = time.monotonicNanoseconds
    connectBy = now.adding(UInt64(settings.connectTimeoutMilliseconds) &* 1_000_000)
    endBy = now.adding(UInt64(settings.totalTimeoutMilliseconds) &* 1_000_000)
  }

  /// The connection timeout for libcurl, in milliseconds, which libcurl divides among the addresses of a host.
  ///
  /// One second is added so that ``check(isConnected:)`` throws first. Before version 7.87, libcurl could exceed its own timeout
  /// while its resolver was running.
  var connectMilliseconds: Int {
    Int(millisecondsToNextCheck(isConnected: false, longest: .max)) &+ 1_000
  }

  /// Throws if the exchange must end now.
  ///
  /// - Parameter mustReceive: Whether the response has begun and must not be lost. It then has more time.
  mutating func check(isConnected: Bool, mustReceive: Bool) throws(TesseraError) {
    do throws(TesseraError) {
      try check(isConnected: isConnected)
    } catch {
      guard mustReceive else { throw error }
      let now = time.monotonicNanoseconds
      let end = receiveBy ?? now.adding(UInt64(CallLimits.responseMilliseconds) &* 1_000_000)
      guard now < end else { throw error }
      receiveBy = end
    }
  }

  private func check(isConnected: Bool) throws(TesseraError) {
    try call.check(time)
    let now = time.monotonicNanoseconds
    if now >= endBy {
      throw TesseraError(
        .retryLater, .networkFailed,
        "\(host) did not respond within \(settings.totalTimeoutMilliseconds) ms.")
    }
    if !isConnected && now >= connectBy {
      throw TesseraError(
        .retryLater, .networkFailed,
        "No connection to \(host) within \(settings.connectTimeoutMilliseconds) ms.")
    }
  }

  /// The time until the next limit, in whole milliseconds, rounded up.
  func millisecondsToNextCheck(
    isConnected: Bool, longest: UInt64 = ExchangeLimits.maximumWaitNanoseconds
  ) -> Int32 {
    let now = time.monotonicNanoseconds
    let end = isConnected ? endBy : min(connectBy, endBy)
    var left = min(end > now ? end - now : 0, call.nanosecondsLeft(time) ?? .max, longest)
    if let receiveBy { left = min(receiveBy > now ? receiveBy - now : 0, longest) }
    return Int32(clamping: left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1))
  }
}

/// The receiver of a response from libcurl.
final class ResponseReader {
  /// The maximum number of header fields and of their bytes, about twenty times what servers send.
  private static let headerLimit = (fields: 200, bytes: 1 << 16)

  private(set) var headers: [HTTPHeader] = []
  private(set) var body: [UInt8] = []
  /// Whether the response exceeded a limit.
  private(set) var isTooLarge = false
  /// Whether the final response has begun.
  ///
  /// An interim response (1xx) does not count.
  private(set) var hasBegun = false
  private var headerBytes = 0

  /// Receives a header line.
  ///
  /// Returns false if a limit is exceeded.
  func take(header line: UnsafeBufferPointer<UInt8>) -> Bool {
    headerBytes = headerBytes.addingReportingOverflow(line.count).partialValue
    isTooLarge =
      headerBytes > ResponseReader.headerLimit.bytes
      || headers.count >= ResponseReader.headerLimit.fields
    guard !isTooLarge else { return false }
    // A status line starts a new header. Fields before it belong to an interim response (RFC 9110 section 15.2).
    if line.starts(with: "HTTP/".utf8) {
      headers = []
      let status = line.drop { $0 != UInt8(ascii: " ") }.dropFirst()
      hasBegun = status.first != UInt8(ascii: "1")
      return true
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let value = line[(colon + 1)...].drop(while: ResponseReader.isSpace)
    let end = value.lastIndex { !ResponseReader.isSpace($0) }.map { $0 + 1 } ?? value.startIndex
    headers.append(
      HTTPHeader(
        String(decoding: line[..<colon], as: UTF8.self),
        String(decoding: value[..<end], as: UTF8.self)))
    return true
  }

  /// Receives a piece of the decompressed body.
  ///
  /// Returns false if the limit is exceeded.
  func take(body piece: UnsafeBufferPointer<UInt8>) -> Bool {
    isTooLarge = piece.count > HTTPResponse.bodyLimit - body.count
    guard !isTooLarge else { return false }
    body.append(contentsOf: piece)
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }
}

/// Exchanges that ended during name resolution and are freed later.
///
/// Before version 7.87, freeing a libcurl handle waits for its resolver, with an unresponsive DNS server for many seconds. Such
/// an exchange is kept, and freed by a later call when its resolver has finished.
final class AbandonedExchanges: Sendable {
  private struct Entry {
    let exchange: CurlExchange
    let process: Int32
  }

  private let entries = SpinLock<[Entry]>([])

  /// Frees an exchange, or keeps it for ``freeFinished()`` if freeing it would block.
  func end(_ exchange: CurlExchange) {
    guard !exchange.end() else { return }
    entries.withLock { $0.append(Entry(exchange: exchange, process: getpid())) }
  }

  /// Frees the exchanges that can be freed without blocking.
  ///
  /// A child of fork() does not free those of its parent: libcurl would wait for resolver threads that do not exist in the child.
  func freeFinished() {
    entries.withLock { entries in
      entries.removeAll { $0.process == getpid() && $0.exchange.freeIfResolved() }
    }
  }
}
