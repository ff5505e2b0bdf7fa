// SPDX-License-Identifier: MIT
//! The callbacks of the host application.

use std::ffi::{c_void, CStr};
use std::os::raw::c_char;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null;
use std::sync::Arc;

use tessera_sys as sys;

use crate::json::Read;
use crate::{text_of, TransportRequest, TransportResponse};

type Log = Box<dyn Fn(i32, &str) + Send + Sync>;
type StoreKey = Box<dyn Fn() -> Option<[u8; 32]> + Send + Sync>;
type Transport = Box<dyn Fn(&TransportRequest, &Exchange) -> TransportResponse + Send + Sync>;

/// The callbacks of the host application; None has the default behaviour. They must not call the application. A panic
/// counts as a failure of the callback.
#[derive(Default)]
pub struct Host {
    /// Receives the log messages: the level (1 error to 4 detail) and the text.
    pub log: Option<Log>,
    /// Returns the key of the store.
    pub store_key: Option<StoreKey>,
    /// Sends an HTTP request and returns the response, or an `error`; docs/host.md describes the rules.
    pub transport: Option<Transport>,
}

/// One HTTP request that the host application sends.
pub struct Exchange {
    handle: *const sys::tessera_exchange,
}

impl Exchange {
    /// Whether to abort the request. Call it at least every 100 ms while waiting.
    pub fn is_cancelled(&self) -> bool {
        unsafe { sys::tessera_exchange_is_cancelled(self.handle) != 0 }
    }
}

impl Host {
    /// Returns the callbacks for the C interface, with the address of this object.
    pub(crate) fn callbacks(self: &Arc<Self>) -> sys::tessera_host {
        sys::tessera_host {
            size: std::mem::size_of::<sys::tessera_host>(),
            user_data: Arc::as_ptr(self) as *mut c_void,
            log: self.log.is_some().then(|| write_log as sys::tessera_log_callback),
            store_key: self.store_key.is_some().then(|| provide_key as sys::tessera_store_key_callback),
            transport: self.transport.is_some().then(|| send as sys::tessera_transport_callback),
            browser: null(),
            clock: None,
            store: null(),
            observe: None,
        }
    }
}

/// Keeps the host until a callback returns: tessera_application_free() waits for a callback only for some seconds.
unsafe fn kept(user_data: *mut c_void) -> Arc<Host> {
    let host = user_data as *const Host;
    Arc::increment_strong_count(host);
    Arc::from_raw(host)
}

unsafe extern "C" fn write_log(user_data: *mut c_void, level: i32, message: *const c_char) {
    let (host, message) = (kept(user_data), CStr::from_ptr(message).to_string_lossy());
    let _ = catch_unwind(AssertUnwindSafe(|| host.log.as_ref().map(|log| log(level, &message))));
}

unsafe extern "C" fn provide_key(user_data: *mut c_void, key: *mut u8, size: usize) -> i32 {
    let host = kept(user_data);
    match catch_unwind(AssertUnwindSafe(|| host.store_key.as_ref().and_then(|provide| provide()))) {
        Ok(Some(found)) if found.len() == size => {
            std::ptr::copy_nonoverlapping(found.as_ptr(), key, size);
            0
        }
        _ => 1,
    }
}

unsafe extern "C" fn send(user_data: *mut c_void, request: *const c_char, handle: *mut sys::tessera_exchange) {
    let host = kept(user_data);
    let request = TransportRequest::read(CStr::from_ptr(request).to_str().unwrap_or(""));
    let sent =
        catch_unwind(AssertUnwindSafe(|| host.transport.as_ref().map(|send| send(&request, &Exchange { handle }))));
    if let Ok(Some(response)) = sent {
        sys::tessera_exchange_respond(handle, text_of(&response).as_ptr());
    }
}
