// SPDX-License-Identifier: MIT
// The libcurl options of one exchange.

import CTesseraSystem
import TesseraEngine
import TesseraWire

/// A setter of options on one handle, which records the first option that libcurl rejects.
struct CurlOptions {
  private let functions: OpaquePointer
  private let easy: UnsafeMutableRawPointer
  private var rejectedOption: CURLoption?

  init(_ library: CurlLibrary, _ easy: UnsafeMutableRawPointer) {
    functions = library.functions
    self.easy = easy
  }

  mutating func set(_ option: CURLoption, _ value: Int) {
    recordResult(option, ctessera_curl_set_number(functions, easy, option, value))
  }

  /// Sets a string, which libcurl copies.
  mutating func set(_ option: CURLoption, _ value: String) {
    recordResult(option, ctessera_curl_set_text(functions, easy, option, value))
  }

  mutating func set(_ option: CURLoption, _ value: UnsafeRawPointer?) {
    recordResult(option, ctessera_curl_set_pointer(functions, easy, option, value))
  }

  mutating func set(_ option: CURLoption, _ receiver: ctessera_curl_receiver) {
    recordResult(option, ctessera_curl_set_receiver(functions, easy, option, receiver))
  }

  private mutating func recordResult(_ option: CURLoption, _ isDone: Bool) {
    if !isDone { rejectedOption = rejectedOption ?? option }
  }

  /// Throws if any option was rejected.
  func check() throws(TesseraError) {
    guard let rejectedOption else { return }
    throw TesseraError(
      .reportBug, .internalError, "libcurl rejected the option \(rejectedOption.rawValue).")
  }
}

extension CurlOptions {
  /// Sets the options of every exchange: no redirects, no signals, http and https only, and the proxy for the URL.
  mutating func setDefaults(_ settings: NetworkSettings, for url: String) {
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_ACCEPT_ENCODING, "")
    set(CURLOPT_USERAGENT, settings.userAgent)
    if !ctessera_curl_allow_http_only(functions, easy) { recordResult(CURLOPT_PROTOCOLS, false) }
    let isElevated = ctessera_is_elevated()
    if let proxy = settings.effectiveProxy(for: url, isElevated: isElevated) {
      set(CURLOPT_PROXY, proxy)
    }
    if let noProxy = settings.noProxy ?? (isElevated ? "" : nil) { set(CURLOPT_NOPROXY, noProxy) }
  }

  /// Sets the trusted certificates.
  ///
  /// Servers and proxies are always verified.
  mutating func setTrust(_ certificates: TrustedCertificates) {
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
    set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let file = certificates.file {
      set(CURLOPT_CAINFO, file)
      set(CURLOPT_PROXY_CAINFO, file)
    }
    if let directory = certificates.directory {
      set(CURLOPT_CAPATH, directory)
      set(CURLOPT_PROXY_CAPATH, directory)
    }
  }

  /// Sets the request.
  ///
  /// The body is not copied and must stay valid until the exchange is freed.
  mutating func setRequest(_ request: HTTPRequest, body: UnsafeBufferPointer<UInt8>) {
    set(CURLOPT_URL, request.url)
    if request.method != "GET" || !body.isEmpty {
      set(CURLOPT_POST, 1)
      recordResult(
        CURLOPT_POSTFIELDSIZE_LARGE,
        ctessera_curl_set_size(functions, easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count)))
      set(CURLOPT_POSTFIELDS, UnsafeRawPointer(body.baseAddress))
      set(CURLOPT_CUSTOMREQUEST, request.method)
    }
  }

  /// Sets the receiver of the response.
  mutating func setReader(_ reader: ResponseReader) {
    let context = UnsafeRawPointer(Unmanaged.passUnretained(reader).toOpaque())
    set(CURLOPT_HEADERDATA, context)
    set(CURLOPT_WRITEDATA, context)
    set(CURLOPT_HEADERFUNCTION) { data, size, count, context in
      CurlOptions.receive(data, size, count, context) { $0.take(header: $1) }
    }
    set(CURLOPT_WRITEFUNCTION) { data, size, count, context in
      CurlOptions.receive(data, size, count, context) { $0.take(body: $1) }
    }
  }

  /// Passes received bytes to a reader.
  ///
  /// - Returns: The number of bytes that were accepted. Zero makes libcurl abort the exchange.
  private static func receive(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?,
    _ take: (ResponseReader, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Int {
    let (length, overflow) = size.multipliedReportingOverflow(by: count)
    guard let data, let context, length > 0, !overflow else { return 0 }
    let reader = Unmanaged<ResponseReader>.fromOpaque(context).takeUnretainedValue()
    return data.withMemoryRebound(to: UInt8.self, capacity: length) { bytes in
      take(reader, UnsafeBufferPointer(start: bytes, count: length)) ? length : 0
    }
  }
}
