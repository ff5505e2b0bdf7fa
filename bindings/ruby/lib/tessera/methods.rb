# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# Generated from docs/documents.toml and include/tessera.h by scripts/check-documents --write.

module Tessera
  class Application
    # Lists the accounts that are signed in to this application. It works offline.
    # @return [Array<Account>]
    def accounts(request = nil, **members)
      request = AccountsRequest.from(request, members)
      called(AccountList, Native::CALL_GET_ACCOUNTS, request).accounts
    end

    # Returns the account that the request identifies.
    # @return [Account]
    def account(request = nil, **members)
      request = AccountsRequest.from(request, members)
      called(AccountResult, Native::CALL_GET_ACCOUNT, request).account
    end

    # Returns the account of a single-account application, and the account that the previous such
    # call returned.
    # @return [CurrentAccount]
    def current_account(request = nil, **members)
      request = StoreRequest.from(request, members)
      called(CurrentAccount, Native::CALL_GET_CURRENT_ACCOUNT, request)
    end

    # Deletes the tokens of an account for this application from this machine.
    # @return [RemovedAccount]
    def remove_account(request = nil, **members)
      request = RemoveAccountRequest.from(request, members)
      called(RemovedAccount, Native::CALL_REMOVE_ACCOUNT, request)
    end

    # Signs a user out, and reports which data was removed and which remains.
    # @return [SignOutReport]
    def sign_out(request = nil, **members)
      request = SignOutRequest.from(request, members)
      called(SignOutReport, Native::CALL_SIGN_OUT, request)
    end

    # Explains the decision about a silent request, as a dry run.
    # @return [Explanation]
    def explain(request = nil, **members)
      request = ExplainRequest.from(request, members)
      called(Explanation, Native::CALL_EXPLAIN, request)
    end

    # Begins a sign-in for a page that the application shows itself.
    # @return [SignInSession]
    def begin_sign_in(request = nil, **members)
      request = SignInRequest.from(request, members)
      waited(SignInSession, Native::START_BEGIN_SIGN_IN, request)
    end

    # Completes a sign-in with the redirect.
    # @return [TokenResult]
    def complete_sign_in(request = nil, **members)
      request = RedirectResponse.from(request, members)
      waited(TokenResult, Native::START_COMPLETE_SIGN_IN, request)
    end

    # Returns the location, the protection and the state of the store.
    # @return [StoreInfo]
    def store_info(request = nil, **members)
      request = StoreRequest.from(request, members)
      called(StoreInfo, Native::CALL_GET_STORE_INFO, request)
    end

    # Rotates the key of the store.
    # @return [RotatedKey]
    def rotate_store_key(request = nil, **members)
      request = RotateKeyRequest.from(request, members)
      called(RotatedKey, Native::CALL_ROTATE_STORE_KEY, request)
    end

    # Reads the whole store as an MSAL cache document.
    # @return [CacheText]
    def read_cache(request = nil, **members)
      request = StoreRequest.from(request, members)
      called(CacheText, Native::CALL_READ_CACHE, request)
    end

    # Applies the changes that another library made to an MSAL cache document.
    # @return [CacheChanges]
    def write_cache(request = nil, **members)
      request = CacheWriteRequest.from(request, members)
      called(CacheChanges, Native::CALL_WRITE_CACHE, request)
    end

    # Copies the accounts and tokens from the store of another application.
    # @return [CopyReport]
    def copy_sign_ins(from, request = nil, **members)
      request = CopyRequest.from(request, members)
      called(CopyReport, Native::CALL_COPY_SIGN_INS, request, nil, from.native)
    end

    # Imports the sign-ins from the cache of an older library: the data, or the file that the
    # request names.
    # @param data [String, nil] the contents of the cache
    # @return [MigrationReport]
    def migrate(request = nil, data: nil, **members)
      request = MigrationRequest.from(request, members)
      called(MigrationReport, Native::CALL_MIGRATE, request, data)
    end

    # Exports the sign-ins for an older library. The data is its present cache.
    # @param data [String, nil] the contents of the cache
    # @return [ExportedSignIns]
    def export_sign_ins(request = nil, data: nil, **members)
      request = ExportRequest.from(request, members)
      called(ExportedSignIns, Native::CALL_EXPORT_SIGN_INS, request, data)
    end

    # Returns the version of the identity broker.
    # @return [BrokerVersion]
    def broker_version(request = nil, **members)
      request = BrokerRequest.from(request, members)
      called(BrokerVersion, Native::CALL_GET_BROKER_VERSION, request)
    end

    # Lists the accounts of the identity broker.
    # @return [Array<BrokerAccount>]
    def broker_accounts(request = nil, **members)
      request = BrokerRequest.from(request, members)
      called(BrokerAccountList, Native::CALL_GET_BROKER_ACCOUNTS, request).accounts
    end

    # Returns single sign-on cookies of the identity broker.
    # @return [BrokerCookies]
    def broker_sso_cookies(request = nil, **members)
      request = BrokerCookieRequest.from(request, members)
      called(BrokerCookies, Native::CALL_GET_BROKER_SSO_COOKIE, request)
    end

    # Returns an HTTP request that the identity broker signed.
    # @return [BrokerSignature]
    def broker_signed_http_request(request = nil, **members)
      request = BrokerSigningRequest.from(request, members)
      called(BrokerSignature, Native::CALL_GET_BROKER_SIGNED_HTTP_REQUEST, request)
    end
  end
end
