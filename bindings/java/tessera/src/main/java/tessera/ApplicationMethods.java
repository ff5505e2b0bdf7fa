// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and include/tessera.h by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** The methods of an application that only pass on a request. */
abstract class ApplicationMethods {
  ApplicationMethods() {}

  abstract <R> R perform(Functions.RequestFunction function, Document request, Function<Map<String, Object>, R> make);

  abstract <R> R perform(
      Functions.DataFunction function, Document request, byte[] data, Function<Map<String, Object>, R> make);

  abstract <R> CompletableFuture<R> start(
      Functions.StartFunction function, Document request, Function<Map<String, Object>, R> make, Executor executor);

  abstract Executor executor();

  /** Lists the accounts that are signed in to this application. It works offline. */
  public AccountList getAccounts(AccountsRequest request) {
    return perform(Functions::tessera_application_get_accounts, request, AccountList::new);
  }

  /** Lists the accounts that are signed in to this application. It works offline. */
  public AccountList getAccounts() {
    return getAccounts(AccountsRequest.builder().build());
  }

  /** Returns the account that the request identifies. */
  public AccountResult getAccount(AccountsRequest request) {
    return perform(Functions::tessera_application_get_account, request, AccountResult::new);
  }

  /** Returns the account of a single-account application, and the account that the previous such call returned. */
  public CurrentAccount getCurrentAccount(StoreRequest request) {
    return perform(Functions::tessera_application_get_current_account, request, CurrentAccount::new);
  }

  /** Returns the account of a single-account application, and the account that the previous such call returned. */
  public CurrentAccount getCurrentAccount() {
    return getCurrentAccount(StoreRequest.builder().build());
  }

  /** Deletes the tokens of an account for this application from this machine. */
  public RemovedAccount removeAccount(RemoveAccountRequest request) {
    return perform(Functions::tessera_application_remove_account, request, RemovedAccount::new);
  }

  /** Signs a user out, and reports which data was removed and which remains. */
  public SignOutReport signOut(SignOutRequest request) {
    return perform(Functions::tessera_application_sign_out, request, SignOutReport::new);
  }

  /** Explains the decision about a silent request, as a dry run. */
  public Explanation explain(ExplainRequest request) {
    return perform(Functions::tessera_application_explain, request, Explanation::new);
  }

  /** Begins a sign-in for a page that the application shows itself. */
  public SignInSession beginSignIn(SignInRequest request) {
    return Calls.await(
        executor -> start(Functions::tessera_call_group_begin_sign_in, request, SignInSession::new, executor));
  }

  /** Starts {@link #beginSignIn}. */
  public CompletableFuture<SignInSession> beginSignInAsync(SignInRequest request) {
    return start(Functions::tessera_call_group_begin_sign_in, request, SignInSession::new, executor());
  }

  /** Completes a sign-in with the redirect. */
  public TokenResult completeSignIn(RedirectResponse request) {
    return Calls.await(
        executor -> start(Functions::tessera_call_group_complete_sign_in, request, TokenResult::new, executor));
  }

  /** Starts {@link #completeSignIn}. */
  public CompletableFuture<TokenResult> completeSignInAsync(RedirectResponse request) {
    return start(Functions::tessera_call_group_complete_sign_in, request, TokenResult::new, executor());
  }

  /** Returns the location, the protection and the state of the store. */
  public StoreInfo getStoreInfo(StoreRequest request) {
    return perform(Functions::tessera_application_get_store_info, request, StoreInfo::new);
  }

  /** Returns the location, the protection and the state of the store. */
  public StoreInfo getStoreInfo() {
    return getStoreInfo(StoreRequest.builder().build());
  }

  /** Rotates the key of the store. */
  public RotatedKey rotateStoreKey(RotateKeyRequest request) {
    return perform(Functions::tessera_application_rotate_store_key, request, RotatedKey::new);
  }

  /** Rotates the key of the store. */
  public RotatedKey rotateStoreKey() {
    return rotateStoreKey(RotateKeyRequest.builder().build());
  }

  /** Reads the whole store as an MSAL cache document. */
  public CacheText readCache(StoreRequest request) {
    return perform(Functions::tessera_application_read_cache, request, CacheText::new);
  }

  /** Reads the whole store as an MSAL cache document. */
  public CacheText readCache() {
    return readCache(StoreRequest.builder().build());
  }

  /** Applies the changes that another library made to an MSAL cache document. */
  public CacheChanges writeCache(CacheWriteRequest request) {
    return perform(Functions::tessera_application_write_cache, request, CacheChanges::new);
  }

  /** Imports the sign-ins from the cache of an older library: the data, or the file that the request names. */
  public MigrationReport migrate(MigrationRequest request, byte[] data) {
    return perform(Functions::tessera_application_migrate, request, data, MigrationReport::new);
  }

  /** Exports the sign-ins for an older library. The data is its present cache. */
  public ExportedSignIns exportSignIns(ExportRequest request, byte[] data) {
    return perform(Functions::tessera_application_export_sign_ins, request, data, ExportedSignIns::new);
  }

  /** Returns the version of the identity broker. */
  public BrokerVersion getBrokerVersion(BrokerRequest request) {
    return perform(Functions::tessera_application_get_broker_version, request, BrokerVersion::new);
  }

  /** Returns the version of the identity broker. */
  public BrokerVersion getBrokerVersion() {
    return getBrokerVersion(BrokerRequest.builder().build());
  }

  /** Lists the accounts of the identity broker. */
  public BrokerAccountList getBrokerAccounts(BrokerRequest request) {
    return perform(Functions::tessera_application_get_broker_accounts, request, BrokerAccountList::new);
  }

  /** Lists the accounts of the identity broker. */
  public BrokerAccountList getBrokerAccounts() {
    return getBrokerAccounts(BrokerRequest.builder().build());
  }

  /** Returns single sign-on cookies of the identity broker. */
  public BrokerCookies getBrokerSsoCookie(BrokerCookieRequest request) {
    return perform(Functions::tessera_application_get_broker_sso_cookie, request, BrokerCookies::new);
  }

  /** Returns an HTTP request that the identity broker signed. */
  public BrokerSignature getBrokerSignedHttpRequest(BrokerSigningRequest request) {
    return perform(Functions::tessera_application_get_broker_signed_http_request, request, BrokerSignature::new);
  }
}
