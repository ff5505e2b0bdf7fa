// SPDX-License-Identifier: MIT
//! The driver of the Rust binding; Tests/Runtimes/run describes the commands.

use std::collections::BTreeSet;
use std::fs;
use std::future::Future;
use std::io::{BufRead, Read as _, Write as _};
use std::os::unix::io::FromRawFd;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake};
use std::thread;
use std::time::Duration;

use azure_core::credentials::TokenCredential as _;
use tessera::{
    find, get, AccountsRequest, Application, Cancellation, Configuration, DeviceCodePrompt, DeviceCodeRequest, Error,
    Host, Json, SilentRequest, StoreOptions, TokenResult, TransportResponse, Write,
};

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// The cancellation of the call that an interrupt ends.
static INTERRUPTIBLE: Mutex<Option<Arc<Cancellation>>> = Mutex::new(None);

/// The members of an object, each with a comma before it.
#[derive(Default)]
struct Line(String);

impl Line {
    fn with(mut self, name: &str, value: impl Write) -> Self {
        if !value.is_absent() {
            self.0.push_str(&format!(",\"{name}\":"));
            value.write(&mut self.0);
        }
        self
    }

    fn text(&self) -> String {
        format!("{{{}}}", self.0.get(1..).unwrap_or(""))
    }
}

fn skipped(reason: &str) -> Line {
    Line::default().with("skipped", reason.to_owned())
}

fn failed(error: &Error) -> Line {
    let status = error.details().remedy.clone();
    Line::default()
        .with("status", status)
        .with("code", error.code().to_owned())
        .with("claims", error.details().claims.clone())
}

fn described(token: &TokenResult) -> Line {
    let status = if token.declined_scopes.is_empty() { "ok" } else { "sign_in" };
    Line::default()
        .with("status", status.to_owned())
        .with("token", token.access_token.secret().to_owned())
        .with("source", token.source.clone())
        .with("username", token.account.username.clone())
        .with("declined", token.declined_scopes.clone())
}

#[derive(Default)]
struct Driver {
    application: Option<Arc<Application>>,
}

impl Driver {
    fn perform(&mut self, command: &str) -> Line {
        match get::<String>(command, "do").as_str() {
            "create" => self.create(command),
            "silent" => self.silent(command),
            "device_code" => self.device_code(command),
            "device_code_on_a_thread" => thread::scope(|scope| {
                scope.spawn(|| self.device_code(command)).join().expect("the thread has panicked")
            }),
            "asynchronous_device_code" => self.asynchronous_device_code(command),
            "accounts" => self.accounts(),
            "log" => Line::default().with("lines", LINES.lock().unwrap().clone()),
            "repeat" => self.repeat(command),
            "threads" => self.threads(command),
            "drop" => self.drop(command),
            "fork" => self.fork(command),
            "collect" => skipped("Rust has no garbage collector"),
            _ => skipped("the driver does not know this command"),
        }
    }

    fn application(&self) -> &Arc<Application> {
        self.application.as_ref().expect("no application")
    }

    fn create(&mut self, command: &str) -> Line {
        let given = get::<Json>(command, "configuration").0;
        let store = get::<Json>(&given, "store").0;
        if find::<Json>(&given, "clientid").is_some() {
            return skipped("a structure has no unknown members");
        }
        let configuration = Configuration {
            client_id: get(&given, "client_id"),
            authority: find(&given, "authority"),
            authority_type: find(&given, "authority_type"),
            cloud: find(&given, "cloud"),
            log_level: find(&given, "log_level"),
            store: Some(StoreOptions {
                directory: find(&store, "directory"),
                group: find(&store, "group"),
                key_sources: find(&store, "key_sources"),
                ..Default::default()
            }),
            ..Default::default()
        };
        let thrown: Option<String> = find(command, "throws");
        let mut host = Host {
            log: Some(Box::new(move |_, message| match &thrown {
                Some(text) => std::panic::panic_any(text.clone()),
                None => LINES.lock().unwrap().push(message.to_owned()),
            })),
            ..Default::default()
        };
        if let Some(Json(refusal)) = find(command, "transport") {
            host.transport = Some(Box::new(move |_, _| {
                if let Some(text) = find::<String>(&refusal, "throws") {
                    std::panic::panic_any(text);
                }
                TransportResponse {
                    status: find(&refusal, "status"),
                    error: find(&refusal, "error"),
                    sent: find(&refusal, "sent"),
                    ..Default::default()
                }
            }));
        }
        self.application = None;
        match Application::new(&configuration, host) {
            Ok(made) => {
                self.application = Some(Arc::new(made));
                Line::default().with("status", "ok".to_owned())
            }
            Err(error) => failed(&error),
        }
    }

    fn silent(&self, command: &str) -> Line {
        let given = get::<Json>(command, "request").0;
        let request = SilentRequest {
            scopes: find(&given, "scopes"),
            home_account_id: find(&given, "home_account_id"),
            username: find(&given, "username"),
            force_refresh: find(&given, "force_refresh"),
            timeout: timeout(&given),
            ..Default::default()
        };
        if get(command, "asynchronous") {
            let found = self.application().acquire_token_silent_async(&request).and_then(wait);
            let token = azure_token(Arc::clone(self.application()), &request.scopes.unwrap_or_default());
            if found.as_ref().ok().map(|each| each.access_token.secret()) != token.as_deref() {
                return Line::default().with("status", "the credential has another token".to_owned());
            }
            return found.map_or_else(|error| failed(&error), |token| described(&token));
        }
        self.application()
            .acquire_token_silent(&request, None)
            .map_or_else(|error| failed(&error), |token| described(&token))
    }

    fn device_code(&self, command: &str) -> Line {
        let given = get::<Json>(command, "request").0;
        let request =
            DeviceCodeRequest { scopes: find(&given, "scopes"), timeout: timeout(&given), ..Default::default() };
        let cancellation = Arc::new(Cancellation::new());
        if let Some(milliseconds) = find::<i64>(command, "cancel_after_milliseconds") {
            let cancellation = Arc::clone(&cancellation);
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(milliseconds.unsigned_abs()));
                cancellation.cancel();
            });
        }
        *INTERRUPTIBLE.lock().unwrap() = Some(Arc::clone(&cancellation));
        let thrown: Option<String> = find(command, "throws");
        let result = catch_unwind(AssertUnwindSafe(|| {
            self.application().acquire_token_by_device_code(
                &request,
                |prompt| match &thrown {
                    Some(text) => std::panic::panic_any(text.clone()),
                    None => respond(&Line::default().with("user_code", prompt.user_code)),
                },
                Some(&cancellation),
            )
        }));
        *INTERRUPTIBLE.lock().unwrap() = None;
        match result {
            Err(panic) => Line::default().with("thrown", panic.downcast_ref::<String>().cloned().unwrap_or_default()),
            Ok(Ok(token)) => described(&token),
            Ok(Err(error)) => failed(&error).with("interrupted", matches!(error, Error::Cancelled(_))),
        }
    }

    fn asynchronous_device_code(&self, command: &str) -> Line {
        let given = get::<Json>(command, "request").0;
        let request = DeviceCodeRequest { scopes: find(&given, "scopes"), ..Default::default() };
        let show = |prompt: DeviceCodePrompt| respond(&Line::default().with("user_code", prompt.user_code));
        let found = self.application().acquire_token_by_device_code_async(&request, show).and_then(wait);
        found.map_or_else(|error| failed(&error), |token| described(&token))
    }

    fn accounts(&self) -> Line {
        match self.application().get_accounts(&AccountsRequest::default(), None) {
            Ok(list) => {
                let names: Vec<String> = list.accounts.into_iter().filter_map(|each| each.username).collect();
                Line::default().with("status", "ok".to_owned()).with("usernames", names)
            }
            Err(error) => failed(&error),
        }
    }

    fn repeat(&self, command: &str) -> Line {
        for _ in 0..1000 {
            self.silent(command);
        }
        let before = kilobytes();
        for _ in 0..get::<i64>(command, "count") {
            self.silent(command);
        }
        self.silent(command).with("kilobytes", kilobytes() - before)
    }

    fn drop(&mut self, command: &str) -> Line {
        let (files, before) = (descriptors(), kilobytes());
        let mut line = Line::default();
        for _ in 0..get::<i64>(command, "count") {
            self.create(command);
            line = self.silent(command);
        }
        self.application = None;
        line.with("descriptors", descriptors() - files).with("kilobytes", kilobytes() - before)
    }

    fn threads(&self, command: &str) -> Line {
        let seen = Mutex::new(BTreeSet::new());
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..get::<i64>(command, "count") {
                        seen.lock().unwrap().insert(self.silent(command).text());
                    }
                });
            }
        });
        let count = i64::try_from(seen.into_inner().unwrap().len()).unwrap_or(0);
        self.silent(command).with("tokens", count)
    }

    fn fork(&self, command: &str) -> Line {
        let mut ends = [0; 2];
        let mut text = String::new();
        unsafe {
            assert_eq!(pipe(ends.as_mut_ptr()), 0);
            let child = fork();
            let (mut reader, mut writer) = (fs::File::from_raw_fd(ends[0]), fs::File::from_raw_fd(ends[1]));
            if child == 0 {
                let written = writer.write_all(self.silent(command).text().as_bytes());
                _exit(i32::from(written.is_err()));
            }
            drop(writer);
            reader.read_to_string(&mut text).expect("a pipe can be read");
            waitpid(child, std::ptr::null_mut(), 0);
        }
        if text.is_empty() {
            return Line::default().with("status", "crashed".to_owned());
        }
        Line(format!(",{}", &text[1..text.len() - 1]))
    }
}

/// Returns the token of the credential for the Azure SDK.
fn azure_token(application: Arc<Application>, scopes: &[String]) -> Option<String> {
    let credential = tessera_azure::Credential::new(application, SilentRequest::default());
    let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
    let found = wait(credential.get_token(&scopes, None)).ok()?;
    Some(found.token.secret().to_owned())
}

fn timeout(request: &str) -> Option<Duration> {
    find::<i64>(request, "timeout_milliseconds").map(|each| Duration::from_millis(each.unsigned_abs()))
}

fn kilobytes() -> i64 {
    let text = fs::read_to_string("/proc/self/statm").expect("Linux has this file");
    text.split(' ').nth(1).and_then(|pages| pages.parse::<i64>().ok()).unwrap_or(0) * 4
}

fn descriptors() -> i64 {
    i64::try_from(fs::read_dir("/proc/self/fd").expect("Linux has this folder").count()).unwrap_or(0)
}

/// A waker that unparks a thread.
struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future on this thread.
fn wait<Output>(mut future: impl Future<Output = Output> + Unpin) -> Output {
    let waker = Arc::new(Unpark(thread::current())).into();
    loop {
        match Pin::new(&mut future).poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

fn respond(line: &Line) {
    println!("{}", line.text());
}

type Signals = [u64; 16];
const SIGINT: i32 = 2;
const SIG_BLOCK: i32 = 0;

extern "C" {
    fn fork() -> i32;
    fn pipe(ends: *mut i32) -> i32;
    fn waitpid(child: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(status: i32) -> !;
    fn sigemptyset(signals: *mut Signals) -> i32;
    fn sigaddset(signals: *mut Signals, number: i32) -> i32;
    fn pthread_sigmask(how: i32, signals: *const Signals, before: *mut Signals) -> i32;
    fn sigwait(signals: *const Signals, number: *mut i32) -> i32;
}

fn main() {
    let mut signals: Signals = [0; 16];
    unsafe {
        sigemptyset(&mut signals);
        sigaddset(&mut signals, SIGINT);
        pthread_sigmask(SIG_BLOCK, &signals, std::ptr::null_mut());
    }
    thread::spawn(move || {
        let mut number = 0;
        while unsafe { sigwait(&signals, &mut number) } == 0 {
            if let Some(cancellation) = INTERRUPTIBLE.lock().unwrap().as_ref() {
                cancellation.cancel();
            }
        }
    });
    // The message of a panic that a case expects.
    std::panic::set_hook(Box::new(|_| {}));
    let mut driver = Driver::default();
    for line in std::io::stdin().lock().lines() {
        respond(&driver.perform(&line.expect("the input is UTF-8")));
    }
}
