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

use crate::{
    text_of, Application, DeviceCodePrompt, DeviceCodeRequest, InteractiveCallRequest, Read, RedirectResponse,
    Response, Result, SignInPrompt, SilentRequest, TokenResult, Write,
};

/// A token request that is in progress. Dropping it cancels the request.
#[must_use = "a dropped acquisition cancels its request"]
pub struct Acquisition {
    group: Group,
    call: i64,
    shared: Arc<Mutex<Shared>>,
    show: Option<Box<dyn FnMut(&str) + Send>>,
}

#[derive(Default)]
struct Shared {
    /// The prompts that the task has not shown yet.
    prompts: Vec<String>,
    result: Option<Result<TokenResult>>,
    is_finished: bool,
    waker: Option<Waker>,
}

impl Shared {
    fn finish(shared: &Mutex<Shared>, result: Result<TokenResult>) {
        Shared::change(shared, |shared| {
            shared.result = Some(result);
            shared.is_finished = true;
        });
    }

    /// Changes the state, and wakes the task.
    fn change(shared: &Mutex<Shared>, body: impl FnOnce(&mut Shared)) {
        let waker = {
            let mut shared = locked(shared);
            body(&mut shared);
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
        let this = self.get_mut();
        let (prompts, result) = {
            let mut shared = locked(&this.shared);
            shared.waker = Some(context.waker().clone());
            (std::mem::take(&mut shared.prompts), shared.result.take())
        };
        // Without the lock: the function belongs to the application, and may panic.
        if let Some(show) = &mut this.show {
            prompts.iter().for_each(|prompt| show(prompt));
        }
        result.map_or(Poll::Pending, Poll::Ready)
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
        if event.kind == sys::TESSERA_EVENT_PROMPT {
            let shared = unsafe { &*(event.user_data as *const Mutex<Shared>) };
            Shared::change(shared, |shared| shared.prompts.push(response.text().to_owned()));
        }
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
        self.start(sys::tessera_call_group_acquire_token_silent, request, None)
    }

    /// Signs a user in on another device. The task of the future passes the code to the prompt function.
    pub fn acquire_token_by_device_code_async(
        &self,
        request: &DeviceCodeRequest,
        prompt: impl FnMut(DeviceCodePrompt) + Send + 'static,
    ) -> Result<Acquisition> {
        self.start(sys::tessera_call_group_acquire_token_by_device_code, request, Some(showing(prompt)))
    }

    /// Signs a user in with a browser. The task of the future passes the address of the sign-in page to the prompt
    /// function.
    pub fn acquire_token_interactive_async(
        &self,
        request: &InteractiveCallRequest,
        prompt: impl FnMut(SignInPrompt) + Send + 'static,
    ) -> Result<Acquisition> {
        self.start(sys::tessera_call_group_acquire_token_interactive, request, Some(showing(prompt)))
    }

    /// Completes a sign-in with the redirect.
    pub fn complete_sign_in_async(&self, request: &RedirectResponse) -> Result<Acquisition> {
        self.start(sys::tessera_call_group_complete_sign_in, request, None)
    }

    fn start(
        &self,
        function: Start,
        request: &impl Write,
        show: Option<Box<dyn FnMut(&str) + Send>>,
    ) -> Result<Acquisition> {
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
        Ok(Acquisition { group, call, shared, show })
    }
}

/// Returns a function that decodes a prompt.
fn showing<Prompt: Read>(mut prompt: impl FnMut(Prompt) + Send + 'static) -> Box<dyn FnMut(&str) + Send> {
    Box::new(move |text| prompt(Prompt::read(text)))
}
