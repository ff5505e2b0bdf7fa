// SPDX-License-Identifier: MIT
//! The declarations of the C interface of Tessera, as in `include/tessera.h`, which documents them. Use the crate
//! `tessera` instead.

#![allow(non_camel_case_types)]

use std::os::raw::{c_char, c_int, c_void};

pub const TESSERA_ABI_VERSION: i32 = 1;

pub const TESSERA_STATUS_OK: tessera_status = 0;
pub const TESSERA_STATUS_SIGN_IN: tessera_status = 1;
pub const TESSERA_STATUS_RETRY_LATER: tessera_status = 2;
pub const TESSERA_STATUS_FIX_REQUEST: tessera_status = 3;
pub const TESSERA_STATUS_FIX_CONFIGURATION: tessera_status = 4;
pub const TESSERA_STATUS_FIX_STORAGE: tessera_status = 5;
pub const TESSERA_STATUS_CANCELLED: tessera_status = 6;
pub const TESSERA_STATUS_REPORT_BUG: tessera_status = 7;

pub const TESSERA_EVENT_NONE: i32 = 0;
pub const TESSERA_EVENT_RESULT: i32 = 1;
pub const TESSERA_EVENT_PROMPT: i32 = 2;

pub type tessera_status = i32;

macro_rules! opaque {
    ($($name:ident)*) => {
        $(#[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        })*
    };
}

opaque! { tessera_application tessera_cancellation tessera_call_group tessera_exchange tessera_browser tessera_host_store }

pub type tessera_log_callback = unsafe extern "C" fn(*mut c_void, i32, *const c_char);
pub type tessera_store_key_callback = unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> i32;
pub type tessera_transport_callback = unsafe extern "C" fn(*mut c_void, *const c_char, *mut tessera_exchange);
pub type tessera_clock_callback = unsafe extern "C" fn(*mut c_void, *mut i64, *mut u64);
pub type tessera_prompt_callback = unsafe extern "C" fn(*mut c_void, *const c_char);

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

macro_rules! calls {
    ($($name:ident)*) => {
        extern "C" {
            $(pub fn $name(
                application: *mut tessera_application,
                request: *const c_char,
                cancellation: *mut tessera_cancellation,
                response: *mut *mut c_char,
            ) -> tessera_status;)*
        }
    };
}

calls! {
    tessera_application_get_accounts
    tessera_application_get_account
    tessera_application_get_current_account
    tessera_application_remove_account
    tessera_application_sign_out
    tessera_application_acquire_token_silent
    tessera_application_explain
    tessera_application_begin_sign_in
    tessera_application_complete_sign_in
    tessera_application_get_store_info
    tessera_application_rotate_store_key
    tessera_application_read_cache
    tessera_application_write_cache
    tessera_application_get_broker_version
    tessera_application_get_broker_accounts
    tessera_application_get_broker_sso_cookie
    tessera_application_get_broker_signed_http_request
}

macro_rules! starts {
    ($($name:ident)*) => {
        extern "C" {
            $(pub fn $name(
                calls: *mut tessera_call_group,
                application: *mut tessera_application,
                request: *const c_char,
                user_data: *mut c_void,
                call: *mut i64,
                response: *mut *mut c_char,
            ) -> tessera_status;)*
        }
    };
}

starts! {
    tessera_call_group_acquire_token_silent
    tessera_call_group_acquire_token_by_device_code
    tessera_call_group_acquire_token_interactive
    tessera_call_group_begin_sign_in
    tessera_call_group_complete_sign_in
}

macro_rules! prompting {
    ($($name:ident)*) => {
        extern "C" {
            $(pub fn $name(
                application: *mut tessera_application,
                request: *const c_char,
                prompt: Option<tessera_prompt_callback>,
                user_data: *mut c_void,
                cancellation: *mut tessera_cancellation,
                response: *mut *mut c_char,
            ) -> tessera_status;)*
        }
    };
}

prompting! {
    tessera_application_acquire_token_by_device_code
    tessera_application_acquire_token_interactive
}

macro_rules! with_data {
    ($($name:ident)*) => {
        extern "C" {
            $(pub fn $name(
                application: *mut tessera_application,
                request: *const c_char,
                data: *const c_void,
                size: usize,
                cancellation: *mut tessera_cancellation,
                response: *mut *mut c_char,
            ) -> tessera_status;)*
        }
    };
}

with_data! {
    tessera_application_migrate
    tessera_application_export_sign_ins
}

extern "C" {
    pub fn tessera_status_name(status: tessera_status) -> *const c_char;
    pub fn tessera_version() -> *const c_char;
    pub fn tessera_version_number() -> i32;
    pub fn tessera_abi_version() -> i32;
    pub fn tessera_library_features(response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_library_known_caches(
        request: *const c_char,
        cancellation: *mut tessera_cancellation,
        response: *mut *mut c_char,
    ) -> tessera_status;
    pub fn tessera_library_hand_over_url(
        url: *const c_char,
        cancellation: *mut tessera_cancellation,
        response: *mut *mut c_char,
    ) -> tessera_status;
    pub fn tessera_token_describe(token: *const c_char, response: *mut *mut c_char) -> tessera_status;
    pub fn tessera_string_free(string: *mut c_char);
    pub fn tessera_cancellation_create() -> *mut tessera_cancellation;
    pub fn tessera_cancellation_cancel(cancellation: *mut tessera_cancellation);
    pub fn tessera_cancellation_free(cancellation: *mut tessera_cancellation);
    pub fn tessera_exchange_respond(exchange: *mut tessera_exchange, response: *const c_char);
    pub fn tessera_exchange_is_cancelled(exchange: *const tessera_exchange) -> i32;
    pub fn tessera_application_create(
        configuration: *const c_char,
        host: *const tessera_host,
        application: *mut *mut tessera_application,
        response: *mut *mut c_char,
    ) -> tessera_status;
    pub fn tessera_application_free(application: *mut tessera_application);
    pub fn tessera_application_copy_sign_ins(
        application: *mut tessera_application,
        from: *mut tessera_application,
        request: *const c_char,
        cancellation: *mut tessera_cancellation,
        response: *mut *mut c_char,
    ) -> tessera_status;
    pub fn tessera_call_group_create(calls: *mut *mut tessera_call_group, response: *mut *mut c_char)
        -> tessera_status;
    pub fn tessera_call_group_descriptor(calls: *mut tessera_call_group) -> c_int;
    pub fn tessera_call_group_next_event(
        calls: *mut tessera_call_group,
        timeout_milliseconds: i64,
        event: *mut tessera_event,
    ) -> tessera_status;
    pub fn tessera_call_group_cancel(calls: *mut tessera_call_group, call: i64);
    pub fn tessera_call_group_free(calls: *mut tessera_call_group);
}
