// SPDX-License-Identifier: MIT
//! Futures. One thread of the process waits for the calls of all applications.

use std::ffi::c_void;
use std::future::Future;
use std::os::raw::{c_int, c_short, c_ulong};
use std::pin::Pin;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tessera_sys as sys;

use crate::{text_of, Application, RedirectResponse, Response, Result, SilentRequest, TokenResult, Write};

/// A token request that is in progress. Dropping it cancels the request.
#[must_use = "a dropped acquisition cancels its request"]
pub struct Acquisition {
    group: Group,
    call: i64,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    result: Option<Result<TokenResult>>,
    is_finished: bool,
    waker: Option<Waker>,
}

impl Shared {
    fn finish(shared: &Mutex<Shared>, result: Result<TokenResult>) {
        let waker = {
            let mut shared = locked(shared);
            shared.result = Some(result);
            shared.is_finished = true;
            shared.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

fn locked<Value>(mutex: &Mutex<Value>) -> MutexGuard<'_, Value> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Future for Acquisition {
    type Output = Result<TokenResult>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut shared = locked(&self.shared);
        match shared.result.take() {
            Some(result) => Poll::Ready(result),
            None => {
                shared.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for Acquisition {
    fn drop(&mut self) {
        if self.call != 0 && !locked(&self.shared).is_finished {
            unsafe { sys::tessera_call_group_cancel(self.group.0, self.call) }
        }
    }
}

/// The group of all calls, which is never freed.
#[derive(Clone, Copy)]
struct Group(*mut sys::tessera_call_group);

// The functions of the handle are safe to call from any thread.
unsafe impl Send for Group {}
unsafe impl Sync for Group {}

static GROUP: Mutex<Option<Group>> = Mutex::new(None);

impl Group {
    /// Returns the group, and starts its thread at the first use.
    fn open() -> Result<Group> {
        let mut opened = locked(&GROUP);
        if let Some(group) = *opened {
            return Ok(group);
        }
        let mut handle = null_mut();
        crate::perform::<crate::Nothing>(|response| unsafe { sys::tessera_call_group_create(&mut handle, response) })?;
        let group = Group(handle);
        std::thread::spawn(move || group.run());
        *opened = Some(group);
        Ok(group)
    }

    fn run(self) {
        let descriptor = unsafe { sys::tessera_call_group_descriptor(self.0) };
        loop {
            let mut watched = PollDescriptor { descriptor, events: POLLIN, returned: 0 };
            unsafe { poll(&mut watched, 1, -1) };
            while self.dispatch() {}
        }
    }

    /// Passes one event to its call. Returns whether there was one.
    fn dispatch(self) -> bool {
        let mut event = sys::tessera_event {
            size: std::mem::size_of::<sys::tessera_event>(),
            call: 0,
            kind: 0,
            status: 0,
            user_data: null_mut(),
            response: null_mut(),
        };
        unsafe { sys::tessera_call_group_next_event(self.0, 0, &mut event) };
        let response = Response(event.response);
        if event.kind == sys::TESSERA_EVENT_RESULT {
            let shared = unsafe { Arc::from_raw(event.user_data as *const Mutex<Shared>) };
            Shared::finish(&shared, response.result(event.status));
        }
        event.kind != sys::TESSERA_EVENT_NONE
    }
}

const POLLIN: c_short = 1;

#[repr(C)]
struct PollDescriptor {
    descriptor: c_int,
    events: c_short,
    returned: c_short,
}

extern "C" {
    fn poll(descriptors: *mut PollDescriptor, count: c_ulong, timeout: c_int) -> c_int;
}

type Start = unsafe extern "C" fn(
    *mut sys::tessera_call_group,
    *mut sys::tessera_application,
    *const std::os::raw::c_char,
    *mut c_void,
    *mut i64,
    *mut *mut std::os::raw::c_char,
) -> sys::tessera_status;

impl Application {
    /// Returns a cached token, or refreshes it, without user interaction.
    pub fn acquire_token_silent_async(&self, request: &SilentRequest) -> Result<Acquisition> {
        self.start(sys::tessera_call_group_acquire_token_silent, request)
    }

    /// Completes a sign-in with the redirect.
    pub fn complete_sign_in_async(&self, request: &RedirectResponse) -> Result<Acquisition> {
        self.start(sys::tessera_call_group_complete_sign_in, request)
    }

    fn start(&self, function: Start, request: &impl Write) -> Result<Acquisition> {
        let group = Group::open()?;
        let text = text_of(request);
        let shared = Arc::new(Mutex::new(Shared::default()));
        let user_data = Arc::into_raw(Arc::clone(&shared));
        let (mut call, mut response) = (0, Response(null_mut()));
        let status = unsafe {
            let user_data = user_data as *mut c_void;
            function(group.0, self.handle, text.as_ptr(), user_data, &mut call, &mut response.0)
        };
        if call == 0 {
            // There is no event.
            drop(unsafe { Arc::from_raw(user_data) });
            Shared::finish(&shared, Ok(response.result(status)?));
        }
        Ok(Acquisition { group, call, shared })
    }
}
