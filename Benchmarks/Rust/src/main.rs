// SPDX-License-Identifier: MIT
//! The Rust contestant: acquires tokens through the binding, and reads each token.

use std::env;
use std::fs;
use std::io::BufRead;
use std::time::{Duration, Instant};

use tessera::{find, Application, Configuration, Host, SilentRequest, StoreOptions};

struct Contestant {
    application: Application,
    requests: Vec<SilentRequest>,
}

impl Contestant {
    fn acquire(&self, index: usize) {
        let token = self.application.acquire_token_silent(&self.requests[index], None).expect("no token");
        assert!(!token.access_token.secret().is_empty(), "an empty token");
    }

    /// Returns the median of batches of a quarter of a millisecond, in nanoseconds per call.
    fn hit(&self, distinct: usize, seconds: f64) -> f64 {
        let (mut times, mut size, mut position) = (Vec::new(), 1u32, 0);
        let end = Instant::now() + Duration::from_secs_f64(seconds);
        while Instant::now() < end || times.is_empty() {
            let start = Instant::now();
            for _ in 0..size {
                self.acquire(position);
                position = (position + 1) % distinct;
            }
            let spent = start.elapsed();
            if spent < Duration::from_micros(250) {
                size *= 2;
            } else {
                times.push(spent.as_secs_f64() * 1e9 / f64::from(size));
            }
        }
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }

    fn warm(&self, count: usize) -> f64 {
        let start = Instant::now();
        (0..count).for_each(|index| self.acquire(index));
        start.elapsed().as_secs_f64() * 1e9
    }
}

fn main() {
    let words: Vec<String> = env::args().collect();
    let (client, authority, directory, group, requests) = match &words[..] {
        [_, client, authority, directory, group, requests] => (client, authority, directory, group, requests),
        _ => panic!("usage: contestant CLIENT AUTHORITY DIRECTORY GROUP REQUESTS"),
    };
    let store = StoreOptions { directory: Some(directory.clone()), group: Some(group.clone()), ..Default::default() };
    let configuration = Configuration {
        client_id: client.clone(),
        authority: Some(authority.clone()),
        store: Some(store),
        ..Default::default()
    };
    let text = fs::read_to_string(requests).expect("no requests");
    let contestant = Contestant {
        application: Application::new(&configuration, Host::default()).expect("no application"),
        requests: text
            .lines()
            .map(|line| line.replace(' ', ""))
            .map(|line| SilentRequest {
                home_account_id: find(&line, "home_account_id"),
                scopes: find(&line, "scopes"),
                ..Default::default()
            })
            .collect(),
    };
    println!("ready");
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("the input is UTF-8");
        let mut words = line.split(' ');
        let name = words.next().unwrap_or("");
        let mut number = || words.next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0);
        let (first, second) = (number() as usize, number());
        match name {
            "warm" => println!("{:.1}", contestant.warm(first)),
            "hit" => println!("{:.1}", contestant.hit(first, second)),
            _ => panic!("unknown command {name}"),
        }
    }
}
