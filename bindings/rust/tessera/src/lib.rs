// SPDX-License-Identifier: MIT
//! Signs users in to the Microsoft identity platform and to any OpenID Connect provider, with one token cache that all
//! applications of a user on a machine share.
//!
//! ```no_run
//! use tessera::{Application, Configuration, Error, Host, InteractiveRequest, SilentRequest};
//!
//! # fn main() -> Result<(), Error> {
//! let configuration = Configuration { client_id: "your-client-id".into(), ..Default::default() };
//! let application = Application::new(&configuration, Host::default())?;
//! let scopes = Some(vec!["User.Read".to_owned()]);
//! let request = SilentRequest { scopes: scopes.clone(), ..Default::default() };
//! let token = match application.acquire_token_silent(&request, None) {
//!     Err(Error::SignIn(details)) => {
//!         let request = InteractiveRequest { scopes, claims: details.claims, ..Default::default() };
//!         application.acquire_token_interactive(&request, |prompt| println!("{}", prompt.url), None)?
//!     }
//!     other => other?.as_ref().clone(),
//! };
//! println!("{}", token.account.username.unwrap_or_default());
//! # Ok(())
//! # }
//! ```
//!
//! - Each remedy is a variant of [`Error`]. If the server granted fewer scopes than requested, there is no error:
//!   `declined_scopes` has the others.
//! - A blocking call takes a [`Cancellation`]. The functions whose names end in `_async` return futures for any
//!   executor. A dropped future cancels its call.
//! - `Debug` does not show tokens. A token that was copied remains in memory until it is overwritten by chance.
//! - A panic in a callback does not cross the library. That of a prompt function ends the call, and continues after it.

#![warn(missing_docs)]

mod calls;
#[rustfmt::skip]
mod documents;
mod host;
mod json;

use std::collections::HashMap;
use std::ffi::{c_void, CStr, CString};
use std::fmt;
use std::os::raw::c_char;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr::{null, null_mut};
use std::sync::{Arc, RwLock};

use tessera_sys as sys;

pub use calls::Acquisition;
pub use documents::*;
pub use host::{Exchange, Host};
pub use json::{find, get, Json, Read, Secret, Write};

/// An error of a call; the variant is the remedy. Every application must handle `SignIn`: the user must sign in. For
/// all others it is sufficient to show the message, and to try again later if `retryable` is true.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// Start an interactive flow, and pass on `claims`.
    SignIn(Box<ErrorDetails>),
    /// The network, the server or the store is unavailable: try again after `retry_after`.
    RetryLater(Box<ErrorDetails>),
    /// The request is invalid: correct it as the message describes.
    FixRequest(Box<ErrorDetails>),
    /// The configuration or the registration of the application must be corrected.
    FixConfiguration(Box<ErrorDetails>),
    /// The token store cannot be used: repair it, or choose another one.
    FixStorage(Box<ErrorDetails>),
    /// The user or the application cancelled the call, or it timed out.
    Cancelled(Box<ErrorDetails>),
    /// An internal error: report it, including the message.
    ReportBug(Box<ErrorDetails>),
}

impl Error {
    fn new(status: sys::tessera_status, response: &str) -> Self {
        let details = Box::new(ErrorDetails::read(&get::<Json>(response, "error").0));
        match status {
            sys::TESSERA_STATUS_SIGN_IN => Error::SignIn(details),
            sys::TESSERA_STATUS_RETRY_LATER => Error::RetryLater(details),
            sys::TESSERA_STATUS_FIX_REQUEST => Error::FixRequest(details),
            sys::TESSERA_STATUS_FIX_CONFIGURATION => Error::FixConfiguration(details),
            sys::TESSERA_STATUS_FIX_STORAGE => Error::FixStorage(details),
            sys::TESSERA_STATUS_CANCELLED => Error::Cancelled(details),
            _ => Error::ReportBug(details),
        }
    }

    /// Returns all members of the error.
    pub fn details(&self) -> &ErrorDetails {
        match self {
            Error::SignIn(details)
            | Error::RetryLater(details)
            | Error::FixRequest(details)
            | Error::FixConfiguration(details)
            | Error::FixStorage(details)
            | Error::Cancelled(details)
            | Error::ReportBug(details) => details,
        }
    }

    /// Returns the error code, such as [`codes::INTERACTION_REQUIRED`]; docs/errors.md lists all codes.
    pub fn code(&self) -> &str {
        &self.details().code
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", self.details().message, self.code())
    }
}

impl std::error::Error for Error {}

impl TokenResult {
    /// Returns the token if it covers all requested scopes, and otherwise the error
    /// [`codes::SERVER_DECLINED_SCOPES`]. For interfaces whose tokens have no list of scopes.
    pub fn require_all_scopes(self) -> Result<Self> {
        if self.declined_scopes.is_empty() {
            return Ok(self);
        }
        let mut details = ErrorDetails::read("{}");
        details.remedy = "sign_in".into();
        details.code = codes::SERVER_DECLINED_SCOPES.into();
        details.message = format!(
            "The server granted fewer scopes than requested; it declined: {}. Sign in and consent.",
            self.declined_scopes.join(" ")
        );
        details.granted_scopes = self.scopes;
        details.granted_scopes.retain(|each| !["openid", "profile", "offline_access"].contains(&each.as_str()));
        details.declined_scopes = self.declined_scopes;
        Err(Error::SignIn(Box::new(details)))
    }
}

/// The result of a call.
pub type Result<Value> = std::result::Result<Value, Error>;

/// Cancels calls from another thread. It cannot be reset.
pub struct Cancellation {
    handle: *mut sys::tessera_cancellation,
}

// The functions of the handle are safe to call from any thread.
unsafe impl Send for Cancellation {}
unsafe impl Sync for Cancellation {}

impl Cancellation {
    /// Creates a cancellation.
    pub fn new() -> Self {
        Cancellation { handle: unsafe { sys::tessera_cancellation_create() } }
    }

    /// Cancels all present and future calls with this cancellation.
    pub fn cancel(&self) {
        unsafe { sys::tessera_cancellation_cancel(self.handle) }
    }
}

impl Default for Cancellation {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Cancellation {
    fn drop(&mut self) {
        unsafe { sys::tessera_cancellation_free(self.handle) }
    }
}

fn handle_of(cancellation: Option<&Cancellation>) -> *mut sys::tessera_cancellation {
    cancellation.map_or(null_mut(), |each| each.handle)
}

/// The NUL-terminated text of a request. A NUL in a string is escaped; in a JSON text, it ends the request.
#[derive(PartialEq, Eq, Hash)]
struct Text(String);

impl Text {
    fn as_ptr(&self) -> *const c_char {
        self.0.as_ptr().cast()
    }
}

fn text_of(request: &impl Write) -> Text {
    let mut text = String::with_capacity(256);
    request.write(&mut text);
    text.push('\0');
    Text(text)
}

/// A response of the library, which frees it.
struct Response(*mut c_char);

impl Response {
    fn bytes(&self) -> &[u8] {
        if self.0.is_null() {
            return b"";
        }
        unsafe { CStr::from_ptr(self.0) }.to_bytes()
    }

    fn text(&self) -> &str {
        std::str::from_utf8(self.bytes()).unwrap_or("")
    }

    /// Decodes the result of a call. A token that covers only some of the scopes has no error.
    fn result<Value: Read>(&self, status: sys::tessera_status) -> Result<Value> {
        let is_error = self.0.is_null() || find::<Json>(self.text(), "error").is_some();
        if status != sys::TESSERA_STATUS_OK && is_error {
            return Err(Error::new(status, self.text()));
        }
        Ok(Value::read(self.text()))
    }
}

impl Drop for Response {
    fn drop(&mut self) {
        unsafe { sys::tessera_string_free(self.0) }
    }
}

/// Makes a call, and decodes its result.
fn perform<Value: Read>(function: impl FnOnce(*mut *mut c_char) -> sys::tessera_status) -> Result<Value> {
    let mut response = Response(null_mut());
    let status = function(&mut response.0);
    response.result(status)
}

/// The value of a call without a result.
struct Nothing;

impl Read for Nothing {
    fn read(_: &str) -> Self {
        Nothing
    }
}

type PlainCall = unsafe extern "C" fn(
    *mut sys::tessera_application,
    *const c_char,
    *mut sys::tessera_cancellation,
    *mut *mut c_char,
) -> sys::tessera_status;

type PromptingCall = unsafe extern "C" fn(
    *mut sys::tessera_application,
    *const c_char,
    Option<sys::tessera_device_code_callback>,
    *mut c_void,
    *mut sys::tessera_cancellation,
    *mut *mut c_char,
) -> sys::tessera_status;

/// A decoded response, and its bytes.
type Decoded = (Box<[u8]>, Arc<TokenResult>);

/// The number of decoded responses after which the cache is emptied.
const CACHE_LIMIT: usize = 1000;

/// An OAuth 2.0 public client. Threads may share it.
pub struct Application {
    handle: *mut sys::tessera_application,
    // The callbacks exist until the handle is freed.
    _host: Arc<Host>,
    results: RwLock<HashMap<Text, Decoded>>,
}

// The functions of the handle are safe to call from any thread, and so are the callbacks.
unsafe impl Send for Application {}
unsafe impl Sync for Application {}

impl fmt::Debug for Application {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Application")
    }
}

impl Drop for Application {
    fn drop(&mut self) {
        unsafe { sys::tessera_application_free(self.handle) }
    }
}

macro_rules! methods {
    ($($(#[$about:meta])* $method:ident($request:ty) -> $value:ty = $function:ident;)*) => {
        $($(#[$about])*
        pub fn $method(&self, request: &$request, cancellation: Option<&Cancellation>) -> Result<$value> {
            self.call(sys::$function, request, cancellation)
        })*
    };
}

impl Application {
    /// Creates an application. Performs no I/O.
    pub fn new(configuration: &Configuration, host: Host) -> Result<Self> {
        let host = Arc::new(host);
        let callbacks = host.callbacks();
        let text = text_of(configuration);
        let mut handle = null_mut();
        perform::<Nothing>(|response| unsafe {
            sys::tessera_application_create(text.as_ptr(), &callbacks, &mut handle, response)
        })?;
        Ok(Application { handle, _host: host, results: RwLock::default() })
    }

    /// Returns a cached token, or refreshes it, without user interaction. Equal results are shared.
    pub fn acquire_token_silent(
        &self,
        request: &SilentRequest,
        cancellation: Option<&Cancellation>,
    ) -> Result<Arc<TokenResult>> {
        let text = text_of(request);
        let mut response = Response(null_mut());
        let status = unsafe {
            sys::tessera_application_acquire_token_silent(
                self.handle,
                text.as_ptr(),
                handle_of(cancellation),
                &mut response.0,
            )
        };
        if let Some((bytes, result)) = self.results.read().ok().as_ref().and_then(|results| results.get(&text)) {
            if status == sys::TESSERA_STATUS_OK && **bytes == *response.bytes() {
                return Ok(Arc::clone(result));
            }
        }
        let result: Arc<TokenResult> = Arc::new(response.result(status)?);
        if let (sys::TESSERA_STATUS_OK, "cache", Ok(mut results)) =
            (status, result.source.as_str(), self.results.write())
        {
            if results.len() >= CACHE_LIMIT {
                results.clear();
            }
            results.insert(text, (response.bytes().into(), Arc::clone(&result)));
        }
        Ok(result)
    }

    /// Signs a user in on another device: shows a code, and waits until the user enters it (RFC 8628).
    pub fn acquire_token_by_device_code(
        &self,
        request: &DeviceCodeRequest,
        prompt: impl FnMut(DeviceCodePrompt),
        cancellation: Option<&Cancellation>,
    ) -> Result<TokenResult> {
        self.prompting(sys::tessera_application_acquire_token_by_device_code, request, prompt, cancellation)
    }

    /// Signs a user in with a browser. The prompt function receives the address of the sign-in page.
    pub fn acquire_token_interactive(
        &self,
        request: &InteractiveRequest,
        prompt: impl FnMut(SignInPrompt),
        cancellation: Option<&Cancellation>,
    ) -> Result<TokenResult> {
        self.prompting(sys::tessera_application_acquire_token_interactive, request, prompt, cancellation)
    }

    methods! {
        /// Lists the accounts that are signed in to this application. Works offline.
        get_accounts(AccountsRequest) -> AccountList = tessera_application_get_accounts;
        /// Returns the account that the request identifies.
        get_account(AccountsRequest) -> AccountResult = tessera_application_get_account;
        /// Returns the account of a single-account application, and that of the previous such call.
        get_current_account(StoreRequest) -> CurrentAccount = tessera_application_get_current_account;
        /// Deletes the tokens of an account for this application from this machine.
        remove_account(RemoveAccountRequest) -> RemovedAccount = tessera_application_remove_account;
        /// Signs a user out, and reports which data was removed and which remains.
        sign_out(SignOutRequest) -> SignOutReport = tessera_application_sign_out;
        /// Explains the decision that `acquire_token_silent` would make, as a dry run.
        explain(ExplainRequest) -> Explanation = tessera_application_explain;
        /// Begins a sign-in for a page that the application shows itself.
        begin_sign_in(SignInRequest) -> SignInSession = tessera_application_begin_sign_in;
        /// Completes a sign-in with the redirect.
        complete_sign_in(RedirectResponse) -> TokenResult = tessera_application_complete_sign_in;
        /// Returns the location, the protection and the state of the store.
        get_store_info(StoreRequest) -> StoreInfo = tessera_application_get_store_info;
        /// Rotates the key of the store.
        rotate_store_key(RotateKeyRequest) -> RotatedKey = tessera_application_rotate_store_key;
        /// Reads the whole store as an MSAL cache document.
        read_cache(StoreRequest) -> CacheText = tessera_application_read_cache;
        /// Applies the changes that another library made to an MSAL cache document.
        write_cache(CacheWriteRequest) -> CacheChanges = tessera_application_write_cache;
        /// Returns the version of the identity broker.
        get_broker_version(BrokerRequest) -> BrokerVersion = tessera_application_get_broker_version;
        /// Lists the accounts of the identity broker.
        get_broker_accounts(BrokerRequest) -> BrokerAccountList = tessera_application_get_broker_accounts;
        /// Returns a single sign-on cookie of the identity broker.
        get_broker_sso_cookie(BrokerCookieRequest) -> BrokerCookies = tessera_application_get_broker_sso_cookie;
        /// Returns an HTTP request that the identity broker signed.
        get_broker_signed_http_request(BrokerSigningRequest) -> BrokerSignature =
            tessera_application_get_broker_signed_http_request;
    }

    /// Copies the accounts and tokens from the store of another application.
    pub fn copy_sign_ins(
        &self,
        from: &Application,
        request: &CopyRequest,
        cancellation: Option<&Cancellation>,
    ) -> Result<CopyReport> {
        let (text, by) = (text_of(request), handle_of(cancellation));
        perform(|response| unsafe {
            sys::tessera_application_copy_sign_ins(self.handle, from.handle, text.as_ptr(), by, response)
        })
    }

    /// Imports the sign-ins from the cache of an older library: the data, or the file that the request names.
    pub fn migrate(
        &self,
        request: &MigrationRequest,
        data: Option<&[u8]>,
        cancellation: Option<&Cancellation>,
    ) -> Result<MigrationReport> {
        let (text, by, (bytes, size)) = (text_of(request), handle_of(cancellation), parts(data));
        perform(|response| unsafe {
            sys::tessera_application_migrate(self.handle, text.as_ptr(), bytes, size, by, response)
        })
    }

    /// Exports the sign-ins for an older library; the data is its present cache.
    pub fn export_sign_ins(
        &self,
        request: &ExportRequest,
        data: Option<&[u8]>,
        cancellation: Option<&Cancellation>,
    ) -> Result<ExportedSignIns> {
        let (text, by, (bytes, size)) = (text_of(request), handle_of(cancellation), parts(data));
        perform(|response| unsafe {
            sys::tessera_application_export_sign_ins(self.handle, text.as_ptr(), bytes, size, by, response)
        })
    }

    fn call<Value: Read>(
        &self,
        function: PlainCall,
        request: &impl Write,
        cancellation: Option<&Cancellation>,
    ) -> Result<Value> {
        let (text, by) = (text_of(request), handle_of(cancellation));
        perform(|response| unsafe { function(self.handle, text.as_ptr(), by, response) })
    }

    fn prompting<Prompt: Read, Show: FnMut(Prompt)>(
        &self,
        function: PromptingCall,
        request: &impl Write,
        prompt: Show,
        cancellation: Option<&Cancellation>,
    ) -> Result<TokenResult> {
        struct State<Show> {
            show: Show,
            cancellation: *mut sys::tessera_cancellation,
            panic: Option<Box<dyn std::any::Any + Send>>,
        }

        unsafe extern "C" fn receive<Prompt: Read, Show: FnMut(Prompt)>(user_data: *mut c_void, text: *const c_char) {
            let state = &mut *user_data.cast::<State<Show>>();
            let prompt = Prompt::read(CStr::from_ptr(text).to_str().unwrap_or(""));
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (state.show)(prompt))) {
                state.panic = Some(panic);
                sys::tessera_cancellation_cancel(state.cancellation);
            }
        }

        let own = Cancellation::new();
        let by = cancellation.unwrap_or(&own).handle;
        let mut state = State { show: prompt, cancellation: by, panic: None };
        let (text, user_data) = (text_of(request), (&mut state as *mut State<Show>).cast());
        let result = perform(|response| unsafe {
            function(self.handle, text.as_ptr(), Some(receive::<Prompt, Show>), user_data, by, response)
        });
        match state.panic {
            Some(panic) => resume_unwind(panic),
            None => result,
        }
    }
}

fn parts(data: Option<&[u8]>) -> (*const c_void, usize) {
    data.map_or((null(), 0), |data| (data.as_ptr().cast(), data.len()))
}

/// Whether the loaded library has the binary interface of this crate. If not, install the library of its version.
pub fn is_compatible() -> bool {
    unsafe { sys::tessera_abi_version() == sys::TESSERA_ABI_VERSION }
}

/// Returns the features of the loaded library.
pub fn library_features() -> Result<LibraryFeatures> {
    perform(|response| unsafe { sys::tessera_library_features(response) })
}

/// Decodes a token without validation, for display and debugging.
pub fn describe_token(token: &str) -> Result<TokenDescription> {
    let text = CString::new(token).unwrap_or_default();
    perform(|response| unsafe { sys::tessera_token_describe(text.as_ptr(), response) })
}

/// Lists the caches of Microsoft's tools on this machine.
pub fn known_caches(request: &StoreRequest, cancellation: Option<&Cancellation>) -> Result<KnownCaches> {
    let (text, by) = (text_of(request), handle_of(cancellation));
    perform(|response| unsafe { sys::tessera_library_known_caches(text.as_ptr(), by, response) })
}

/// Delivers a redirect URL that this program was opened with to the pending sign-in of the same user.
pub fn hand_over_url(url: &str, cancellation: Option<&Cancellation>) -> Result<()> {
    let (text, by) = (CString::new(url).unwrap_or_default(), handle_of(cancellation));
    perform::<Nothing>(|response| unsafe { sys::tessera_library_hand_over_url(text.as_ptr(), by, response) })?;
    Ok(())
}
