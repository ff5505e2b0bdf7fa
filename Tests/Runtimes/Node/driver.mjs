// SPDX-License-Identifier: MIT
// The driver of the Node.js binding; Tests/Runtimes/run describes the commands.

import { readFileSync, readdirSync } from 'node:fs';
import readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

import { Application, TesseraError } from 'tessera-identity';
import { TesseraCredential } from 'tessera-identity/azure';

const log = [];
let application;
let host;

/** Returns a JSON document with the names of the binding. */
function named(document) {
  if (document === null || typeof document !== 'object' || Array.isArray(document)) return document;
  const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [camel(name), named(value)]));
}

/** Makes a call, and returns the members of its result. */
async function described(call) {
  try {
    const result = await call();
    if (!result?.accessToken) return { status: 'ok' };
    return {
      status: result.declinedScopes ? 'sign_in' : 'ok', token: result.accessToken, source: result.source,
      username: result.account.username, declined: result.declinedScopes ?? [],
    };
  } catch (error) {
    if (error instanceof TesseraError) return { status: error.remedy, code: error.code, claims: error.claims };
    if (error.name === 'AbortError') return { status: 'cancelled', code: 'cancelled' };
    return { thrown: error.message };
  }
}

const silent = ({ request }) => described(() => application.acquireTokenSilent(named(request)));

const resident = () => {
  globalThis.gc();
  return Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[1]) * 4;
};
const descriptors = () => readdirSync('/proc/self/fd').length;

const commands = {
  create({ configuration, transport }) {
    host = { log: (_, message) => log.push(message) };
    if (transport) host.transport = async () => transport;
    return described(() => {
      application = new Application(named(configuration), host);
    });
  },

  /** An asynchronous command makes many calls at once, and one by the credential. */
  async silent(command) {
    const result = await silent(command);
    if (!command.asynchronous) return result;
    const { scopes } = command.request;
    await Promise.all(Array.from({ length: 200 }, () => silent({ request: { scopes } })));
    const found = await new TesseraCredential(application).getToken(scopes);
    for (const each of [found, await application.acquireTokenSilent({ scopes })])
      if (`${inspect(each)}${JSON.stringify(each)}`.includes(found.token)) return { status: 'the token is shown' };
    const { homeAccountId } = (await application.acquireTokenSilent({ scopes })).account;
    const request = { scopes: [...scopes], homeAccountId };
    let last;
    for (let call = 0; call < 1000; call++) {
      const token = await application.acquireTokenSilent(request);
      if (token === last) break;
      last = token;
    }
    if (last !== await application.acquireTokenSilent(request)) return { status: 'a repeated result is new' };
    request.homeAccountId = 'nobody';
    const error = await described(() => application.acquireTokenSilent(request));
    if (error.status === 'ok') return { status: 'a changed request has the result of another one' };
    const isSame = found.token === result.token && found.expiresOnTimestamp > Date.now();
    return isSame ? result : { status: 'the credential has another token' };
  },

  async device_code(command) {
    const controller = new AbortController();
    const interrupt = () => controller.abort(new Error('interrupted'));
    process.once('SIGINT', interrupt);
    if (command.cancel_after_milliseconds) setTimeout(() => controller.abort(), command.cancel_after_milliseconds);
    const onPrompt = (prompt) => {
      if (command.throws) throw new Error(command.throws);
      respond({ user_code: prompt.userCode });
    };
    const result = await described(() =>
      application.acquireTokenByDeviceCode(named(command.request), { onPrompt, signal: controller.signal }),
    );
    process.off('SIGINT', interrupt);
    return command.interrupt ? { ...result, interrupted: result.thrown === 'interrupted' } : result;
  },

  async accounts() {
    const { accounts } = await application.getAccounts();
    return { status: 'ok', usernames: accounts.map((each) => each.username) };
  },

  log: () => ({ status: 'ok', lines: log }),

  async repeat(command) {
    let result, before;
    // The first round has the peak of the memory, which the collector keeps.
    for (let round = 0; round < 2; round++) {
      before = resident();
      for (let call = 0; call < command.count; call++) result = await silent(command);
    }
    return { ...result, kilobytes: resident() - before };
  },

  /** Each worker has an application, because workers share no objects. */
  async threads(command) {
    const workers = Array.from({ length: 8 }, () => new Worker(new URL(import.meta.url), { workerData: command }));
    const results = await Promise.all(workers.map((worker) => new Promise((resolve, reject) => {
      worker.on('message', resolve).on('error', reject);
    })));
    const result = await silent(command);
    return { ...result, tokens: new Set([...results.flat(), result.token]).size };
  },

  async drop(command) {
    let result, files, before;
    // The first round has the peak of the memory, which the allocator keeps.
    for (let round = 0; round < 2; round++) {
      [files, before] = [descriptors(), resident()];
      for (let count = 0; count < command.count; count++) {
        await commands.create(command);
        result = await silent(command);
      }
      application = undefined;
      for (let wait = 0; wait < 100 && descriptors() > files; wait++) {
        globalThis.gc();
        await sleep(20);
      }
    }
    return { ...result, descriptors: descriptors() - files, kilobytes: resident() - before };
  },

  fork: () => ({ skipped: 'Node.js does not fork without exec' }),
};

function respond(document) {
  process.stdout.write(`${JSON.stringify(document)}\n`);
}

if (isMainThread) {
  let configuration;
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const command = JSON.parse(line);
    configuration = command.configuration ?? configuration;
    respond(await commands[command.do]({ ...command, configuration }));
  }
} else {
  const tokens = new Set();
  await commands.create(workerData);
  for (let call = 0; call < workerData.count; call++) tokens.add((await silent(workerData)).token);
  parentPort.postMessage([...tokens]);
}
