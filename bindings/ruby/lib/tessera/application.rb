# SPDX-License-Identifier: MIT
# frozen_string_literal: true

require "io/wait"

module Tessera
  # An OAuth 2.0 public client. Any number of threads and fibers may use it, and the child processes of a fork.
  #
  # The methods accept the members of their request as keywords, or a request, which is faster if it is used repeatedly:
  #
  #     application.acquire_token_silent(scopes: ["User.Read"], timeout: 10)
  #
  #     REQUEST = Tessera::SilentRequest.new(scopes: ["User.Read"])
  #     application.acquire_token_silent(REQUEST)
  #
  # Timeouts are in seconds. nil means the default.
  class Application
    # Creates an application, and yields it to a block, after which it is closed. It performs no I/O.
    #
    # @param configuration [Configuration, nil] the configuration; otherwise its members are keywords
    # @param log [#call] receives the log messages: the level (1 error to 4 detail) and the text
    # @param store_key [#call] returns the 32 bytes of the key of the store
    # @param transport [#call] sends a {TransportRequest}, and returns a {TransportResponse} or its members. It must not
    #   follow redirects
    #
    # The callbacks run on threads of their own, several at the same time, and `log` also on the threads of calls. They must
    # not call the application. An exception counts as a failure of the callback.
    def self.open(configuration = nil, **members)
      application = new(configuration, **members)
      return application unless block_given?

      begin
        yield application
      ensure
        application.close
      end
    end

    # (see .open)
    def initialize(configuration = nil, log: nil, store_key: nil, transport: nil, **members)
      Tessera.load_library
      configuration = Configuration.from(configuration, members)
      @host = Host.new(log, store_key, transport) if log || store_key || transport
      @results = {}
      number = HostThread.number
      status, response, @native = Native.create(configuration.text, number, log, store_key, transport)
      raise Error.of(status, response) if @native.nil?

      HostThread.register(number, self) if @host
    end

    # Frees the application, after the calls that do not wait for a server have ended. Calls that do continue. Calls of a
    # closed application raise an IOError. An application that is not closed is freed when it is collected.
    # @return [void]
    def close
      write_log
      @native.close
      @results = {}.freeze
      nil
    end

    # The configuration has secrets.
    def inspect = "#<#{self.class}>"

    # Returns a cached token, or refreshes it, without user interaction. If the server granted fewer scopes than requested,
    # `declined_scopes` has the others.
    # @return [TokenResult]
    def acquire_token_silent(request = nil, **members)
      request = SilentRequest.from(request, members)
      known, result = @results[request.text]
      found = started(Native::CALL_GROUP_ACQUIRE_TOKEN_SILENT, request, known)
      return result if found.equal?(known) && known

      is_cached = found.is_a?(Array)
      status, response = is_cached ? found : wait(found)
      result = Tessera.decoded(TokenResult, status, response)
      keep(request.text, response.freeze, result) if is_cached && status.zero?
      result
    end

    # Signs a user in on another device: it yields a code, and waits until the user enters it (RFC 8628).
    # @yieldparam prompt [DeviceCodePrompt]
    # @return [TokenResult]
    def acquire_token_by_device_code(request = nil, **members, &block)
      raise ArgumentError, "a block must show the device code" if block.nil?

      request = DeviceCodeRequest.from(request, members)
      waited(TokenResult, Native::CALL_GROUP_ACQUIRE_TOKEN_BY_DEVICE_CODE, request, DeviceCodePrompt, &block)
    end

    # Signs a user in with a browser. The block receives the address of the sign-in page. Without a block the program
    # cannot show an address, and the call fails at once if there is no browser.
    # @yieldparam prompt [SignInPrompt]
    # @return [TokenResult]
    def acquire_token_interactive(request = nil, **members, &block)
      members = { shows_address: false, **members } if block.nil? && request.nil?
      request = InteractiveCallRequest.from(request, members)
      waited(TokenResult, Native::CALL_GROUP_ACQUIRE_TOKEN_INTERACTIVE, request, SignInPrompt, &block)
    end

    # Begins a sign-in for a page that the application shows itself, such as that of a web server.
    # @return [SignInSession]
    def begin_sign_in(request = nil, **members)
      waited(SignInSession, Native::CALL_GROUP_BEGIN_SIGN_IN, SignInRequest.from(request, members))
    end

    # Completes a sign-in with the redirect.
    # @return [TokenResult]
    def complete_sign_in(request = nil, **members)
      waited(TokenResult, Native::CALL_GROUP_COMPLETE_SIGN_IN, RedirectResponse.from(request, members))
    end

    # Returns the accounts that are signed in to this application. It works offline.
    # @return [Array<Account>]
    def accounts(request = nil, **members)
      called(AccountList, Native::APPLICATION_GET_ACCOUNTS, AccountsRequest.from(request, members)).accounts
    end

    # Returns the account that the request identifies.
    # @return [Account]
    def account(request = nil, **members)
      called(AccountResult, Native::APPLICATION_GET_ACCOUNT, AccountsRequest.from(request, members)).account
    end

    # Returns the account of a single-account application, and the account that the previous such call returned.
    # @return [CurrentAccount]
    def current_account(request = nil, **members)
      called(CurrentAccount, Native::APPLICATION_GET_CURRENT_ACCOUNT, StoreRequest.from(request, members))
    end

    # Deletes the tokens of an account for this application from this machine.
    # @return [RemovedAccount]
    def remove_account(request = nil, **members)
      called(RemovedAccount, Native::APPLICATION_REMOVE_ACCOUNT, RemoveAccountRequest.from(request, members))
    end

    # Signs a user out, and reports which data was removed and which remains.
    # @return [SignOutReport]
    def sign_out(request = nil, **members)
      called(SignOutReport, Native::APPLICATION_SIGN_OUT, SignOutRequest.from(request, members))
    end

    # Explains the decision that {#acquire_token_silent} would make, as a dry run.
    # @return [Explanation]
    def explain(request = nil, **members)
      called(Explanation, Native::APPLICATION_EXPLAIN, ExplainRequest.from(request, members))
    end

    # Returns the location, the protection and the state of the store.
    # @return [StoreInfo]
    def store_info(request = nil, **members)
      called(StoreInfo, Native::APPLICATION_GET_STORE_INFO, StoreRequest.from(request, members))
    end

    # Rotates the key of the store.
    # @return [RotatedKey]
    def rotate_store_key(request = nil, **members)
      called(RotatedKey, Native::APPLICATION_ROTATE_STORE_KEY, RotateKeyRequest.from(request, members))
    end

    # Reads the whole store as an MSAL cache document.
    # @return [CacheText]
    def read_cache(request = nil, **members)
      called(CacheText, Native::APPLICATION_READ_CACHE, StoreRequest.from(request, members))
    end

    # Applies the changes that another library made to an MSAL cache document.
    # @return [CacheChanges]
    def write_cache(request = nil, **members)
      called(CacheChanges, Native::APPLICATION_WRITE_CACHE, CacheWriteRequest.from(request, members))
    end

    # Copies the accounts and tokens from the store of another application.
    # @return [CopyReport]
    def copy_sign_ins(from, request = nil, **members)
      request = CopyRequest.from(request, members)
      finished(CopyReport) { @native.copy(from.native, request.text) }
    end

    # Imports the sign-ins from the cache of an older library: the data, or the file that the request names.
    # @param data [String, nil] the contents of the cache
    # @return [MigrationReport]
    def migrate(request = nil, data: nil, **members)
      request = MigrationRequest.from(request, members)
      finished(MigrationReport) { @native.call_with_data(Native::APPLICATION_MIGRATE, request.text, data) }
    end

    # Exports the sign-ins for an older library.
    # @param data [String, nil] its present cache
    # @return [ExportedSignIns]
    def export_sign_ins(request = nil, data: nil, **members)
      request = ExportRequest.from(request, members)
      finished(ExportedSignIns) { @native.call_with_data(Native::APPLICATION_EXPORT_SIGN_INS, request.text, data) }
    end

    # Returns the version of the identity broker.
    # @return [BrokerVersion]
    def broker_version(request = nil, **members)
      called(BrokerVersion, Native::APPLICATION_GET_BROKER_VERSION, BrokerRequest.from(request, members))
    end

    # Returns the accounts of the identity broker.
    # @return [Array<BrokerAccount>]
    def broker_accounts(request = nil, **members)
      request = BrokerRequest.from(request, members)
      called(BrokerAccountList, Native::APPLICATION_GET_BROKER_ACCOUNTS, request).accounts
    end

    # Returns single sign-on cookies of the identity broker.
    # @return [BrokerCookies]
    def broker_sso_cookies(request = nil, **members)
      called(BrokerCookies, Native::APPLICATION_GET_BROKER_SSO_COOKIE, BrokerCookieRequest.from(request, members))
    end

    # Returns an HTTP request that the identity broker signed.
    # @return [BrokerSignature]
    def broker_signed_http_request(request = nil, **members)
      request = BrokerSigningRequest.from(request, members)
      called(BrokerSignature, Native::APPLICATION_GET_BROKER_SIGNED_HTTP_REQUEST, request)
    end

    # @api private
    def lines = @native.lines

    # @api private
    def write_log = @host&.write(self)

    # @api private
    def respond_to_job(kind, request) = @host.respond(kind, request)

    protected

    attr_reader :native

    private

    # The results are removed when there are too many.
    RESULT_LIMIT = 1000
    private_constant :RESULT_LIMIT

    def keep(text, response, result)
      @results = {} if @results.size >= RESULT_LIMIT
      @results[text] = [response, result].freeze unless @results.frozen?
    end

    # Starts a call: the call, its status and response, or `known` if that is the response.
    def started(function, request, known = nil)
      return @native.start(function, request.text, known) if @host.nil?

      HostThread.ensure_running
      @native.start(function, request.text, known).tap { write_log }
    end

    # Waits for the result of a call, which is cancelled if an exception ends the method.
    def wait(call)
      descriptor = IO.for_fd(call.descriptor, autoclose: false)
      loop do
        is_prompt, status, response = call.next
        if status.nil?
          descriptor.wait_readable
        elsif is_prompt
          yield response if block_given?
        else
          return status, response
        end
      end
    ensure
      call.close
      write_log
    end

    # Makes a call that may wait for a server or for the user.
    def waited(type, function, request, prompt = nil)
      found = started(function, request)
      found = wait(found) { |text| yield prompt.from_text(text) if block_given? } unless found.is_a?(Array)
      Tessera.decoded(type, *found)
    end

    # Makes a call that works offline, or takes little time.
    def called(type, function, request) = finished(type) { @native.call(function, request.text) }

    def finished(type)
      HostThread.ensure_running if @host
      Tessera.decoded(type, *yield)
    ensure
      write_log
    end
  end
end
