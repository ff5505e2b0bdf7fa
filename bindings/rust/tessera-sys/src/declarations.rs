// SPDX-License-Identifier: MIT
//! The declarations.
// Generated from include/tessera.h by scripts/check-documents --write.

use std::os::raw::{c_char, c_int, c_void};

pub const TESSERA_VERSION_MAJOR: i32 = 0;
pub const TESSERA_VERSION_MINOR: i32 = 1;
pub const TESSERA_VERSION_PATCH: i32 = 0;
pub const TESSERA_VERSION_NUMBER: i32 = 1000;
pub const TESSERA_ABI_VERSION: i32 = 1;
pub const TESSERA_STATUS_OK: tessera_status = 0;
pub const TESSERA_STATUS_SIGN_IN: tessera_status = 1;
pub const TESSERA_STATUS_RETRY_LATER: tessera_status = 2;
pub const TESSERA_STATUS_FIX_REQUEST: tessera_status = 3;
pub const TESSERA_STATUS_FIX_CONFIGURATION: tessera_status = 4;
pub const TESSERA_STATUS_FIX_STORAGE: tessera_status = 5;
pub const TESSERA_STATUS_CANCELLED: tessera_status = 6;
pub const TESSERA_STATUS_REPORT_BUG: tessera_status = 7;
pub const TESSERA_STORE_COMMITTED: i32 = 0;
pub const TESSERA_STORE_CONFLICT: i32 = 1;
pub const TESSERA_STORE_FAILED: i32 = 2;
pub const TESSERA_LOCK_ACQUIRED: i32 = 0;
pub const TESSERA_LOCK_BUSY: i32 = 1;
pub const TESSERA_LOCK_FAILED: i32 = 2;
pub const TESSERA_EVENT_NONE: i32 = 0;
pub const TESSERA_EVENT_RESULT: i32 = 1;
pub const TESSERA_EVENT_PROMPT: i32 = 2;

pub type tessera_status = i32;

#[repr(C)]
pub struct tessera_cancellation {
    _private: [u8; 0],
}

#[repr(C)]
pub struct tessera_application {
    _private: [u8; 0],
}

pub type tessera_log_callback = unsafe extern "C" fn(*mut c_void, i32, *const c_char);

pub type tessera_observe_callback = unsafe extern "C" fn(*mut c_void, *const c_char, i64, *const c_char);

pub type tessera_store_key_callback = unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> i32;

#[repr(C)]
pub struct tessera_exchange {
    _private: [u8; 0],
}

pub type tessera_transport_callback = unsafe extern "C" fn(*mut c_void, *const c_char, *mut tessera_exchange);

#[repr(C)]
pub struct tessera_browser_session {
    _private: [u8; 0],
}

pub type tessera_browser_text_callback = unsafe extern "C" fn(*mut c_void, *const c_char, *mut tessera_browser_session);

pub type tessera_browser_callback = unsafe extern "C" fn(*mut c_void, *mut tessera_browser_session);

#[repr(C)]
pub struct tessera_browser {
    pub size: usize,
    pub start: Option<tessera_browser_text_callback>,
    pub open: Option<tessera_browser_text_callback>,
    pub next: Option<tessera_browser_callback>,
    pub reply: Option<tessera_browser_text_callback>,
    pub close: Option<tessera_browser_callback>,
}

pub type tessera_clock_callback = unsafe extern "C" fn(*mut c_void, *mut i64, *mut u64);

#[repr(C)]
pub struct tessera_contents {
    _private: [u8; 0],
}

pub type tessera_store_read_callback = unsafe extern "C" fn(*mut c_void, *const c_char, i64, *mut tessera_contents) -> i32;

pub type tessera_store_write_callback = unsafe extern "C" fn(*mut c_void, *const c_char, *const u8, usize, u64, i64) -> i32;

pub type tessera_store_version_callback = unsafe extern "C" fn(*mut c_void, *const c_char, *mut u64) -> i32;

pub type tessera_store_lock_callback = unsafe extern "C" fn(*mut c_void, *const c_char, i64) -> i32;

pub type tessera_store_unlock_callback = unsafe extern "C" fn(*mut c_void, *const c_char);

#[repr(C)]
pub struct tessera_host_store {
    pub size: usize,
    pub read: Option<tessera_store_read_callback>,
    pub write: Option<tessera_store_write_callback>,
    pub version: Option<tessera_store_version_callback>,
    pub lock: Option<tessera_store_lock_callback>,
    pub unlock: Option<tessera_store_unlock_callback>,
}

#[repr(C)]
pub struct tessera_host {
    pub size: usize,
    pub user_data: *mut c_void,
    pub log: Option<tessera_log_callback>,
    pub store_key: Option<tessera_store_key_callback>,
    pub transport: Option<tessera_transport_callback>,
    pub browser: *const tessera_browser,
    pub clock: Option<tessera_clock_callback>,
    pub store: *const tessera_host_store,
    pub observe: Option<tessera_observe_callback>,
}

pub type tessera_device_code_callback = unsafe extern "C" fn(*mut c_void, *const c_char);

pub type tessera_sign_in_callback = unsafe extern "C" fn(*mut c_void, *const c_char);

#[repr(C)]
pub struct tessera_call_group {
    _private: [u8; 0],
}

#[repr(C)]
pub struct tessera_event {
    pub size: usize,
    pub call: i64,
    pub kind: i32,
    pub status: tessera_status,
    pub user_data: *mut c_void,
    pub response: *mut c_char,
}

extern "C" {
    pub fn tessera_status_name(status: tessera_status) -> *const c_char;
    pub fn tessera_version() -> *const c_char;
    pub fn tessera_version_number() -> i32;
    pub fn tessera_abi_version() -> i32;
    pub fn tessera_library_features(response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_string_free(string: *mut c_char);
    pub fn tessera_document_get_string(document: *const c_char, path: *const c_char) -> *mut c_char;
    pub fn tessera_document_get_integer(document: *const c_char, path: *const c_char, fallback: i64) -> i64;
    pub fn tessera_string_quote(text: *const c_char) -> *mut c_char;
    pub fn tessera_cancellation_create() -> *mut tessera_cancellation;
    pub fn tessera_cancellation_cancel(cancellation: *mut tessera_cancellation);
    pub fn tessera_cancellation_free(cancellation: *mut tessera_cancellation);
    pub fn tessera_exchange_respond(exchange: *mut tessera_exchange, response: *const c_char);
    pub fn tessera_exchange_is_cancelled(exchange: *const tessera_exchange) -> i32;
    pub fn tessera_browser_session_respond(session: *mut tessera_browser_session, response: *const c_char);
    pub fn tessera_browser_session_is_cancelled(session: *const tessera_browser_session) -> i32;
    pub fn tessera_contents_set(contents: *mut tessera_contents, bytes: *const u8, size: usize, version: u64);
    pub fn tessera_application_create(configuration: *const c_char, host: *const tessera_host, application: *mut *mut tessera_application, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_free(application: *mut tessera_application);
    pub fn tessera_application_metrics(application: *mut tessera_application, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_get_accounts(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_get_account(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_get_current_account(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_remove_account(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_sign_out(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_acquire_token_silent(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_get_access_token(application: *mut tessera_application, scope: *const c_char, username: *const c_char, timeout_milliseconds: i64, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_explain(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_token_describe(token: *const c_char, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_acquire_token_by_device_code(application: *mut tessera_application, request: *const c_char, prompt: Option<tessera_device_code_callback>, user_data: *mut c_void, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_acquire_token_interactive(application: *mut tessera_application, request: *const c_char, prompt: Option<tessera_sign_in_callback>, user_data: *mut c_void, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_begin_sign_in(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_complete_sign_in(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_library_hand_over_url(url: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_call_group_create(calls: *mut *mut tessera_call_group, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_call_group_descriptor(calls: *mut tessera_call_group) -> c_int;
    pub fn tessera_call_group_acquire_token_silent(calls: *mut tessera_call_group, application: *mut tessera_application, request: *const c_char, user_data: *mut c_void, call: *mut i64, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_call_group_acquire_token_by_device_code(calls: *mut tessera_call_group, application: *mut tessera_application, request: *const c_char, user_data: *mut c_void, call: *mut i64, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_call_group_acquire_token_interactive(calls: *mut tessera_call_group, application: *mut tessera_application, request: *const c_char, user_data: *mut c_void, call: *mut i64, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_call_group_begin_sign_in(calls: *mut tessera_call_group, application: *mut tessera_application, request: *const c_char, user_data: *mut c_void, call: *mut i64, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_call_group_complete_sign_in(calls: *mut tessera_call_group, application: *mut tessera_application, request: *const c_char, user_data: *mut c_void, call: *mut i64, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_call_group_next_event(calls: *mut tessera_call_group, timeout_milliseconds: i64, event: *mut tessera_event) -> tessera_status;
    pub fn tessera_call_group_cancel(calls: *mut tessera_call_group, call: i64);
    pub fn tessera_call_group_free(calls: *mut tessera_call_group);
    pub fn tessera_application_get_store_info(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_rotate_store_key(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_read_cache(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_write_cache(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_copy_sign_ins(application: *mut tessera_application, from: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_migrate(application: *mut tessera_application, request: *const c_char, data: *const c_void, size: usize, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_export_sign_ins(application: *mut tessera_application, request: *const c_char, data: *const c_void, size: usize, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_library_known_caches(request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_get_broker_version(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_get_broker_accounts(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_get_broker_sso_cookie(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_get_broker_signed_http_request(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_sso_extension_request(request: *const c_char, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_sso_extension_response(request: *const c_char, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_store_sso_extension_response(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_application_acquire_token_for_client(application: *mut tessera_application, request: *const c_char, cancellation: *mut tessera_cancellation, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_call_group_acquire_token_for_client(calls: *mut tessera_call_group, application: *mut tessera_application, request: *const c_char, user_data: *mut c_void, call: *mut i64, response: *mut *mut c_char) -> tessera_status;
}
