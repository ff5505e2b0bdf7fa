// SPDX-License-Identifier: MIT
// One HTTP exchange with its own libcurl handles, driven on the calling thread.

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
