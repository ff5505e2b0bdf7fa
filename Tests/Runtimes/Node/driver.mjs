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
  create({ configuration, transport, throws }) {
    host = {
      log(_, message) {
        if (throws) throw new Error(throws);
        log.push(message);
      },
    };
    if (transport)
      host.transport = async () => {
        if (transport.throws) throw new Error(transport.throws);
        return transport;
      };
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

  /** All calls use the loop. */
  asynchronous_device_code: (command) => commands.device_code(command),

  /** Signs in on a worker. The main thread, which receives the signal, cancels the call. */
  async device_code_on_a_thread(command) {
    const worker = new Worker(new URL(import.meta.url), { workerData: command });
    const interrupt = () => worker.postMessage('cancel');
    process.once('SIGINT', interrupt);
    const result = await new Promise((resolve, reject) => {
      worker.on('error', reject).on('message', (message) => (message.user_code ? respond : resolve)(message));
    });
    process.off('SIGINT', interrupt);
    await worker.terminate();
    return { ...result, interrupted: result.status === 'cancelled' };
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
    const tokens = await inWorkers(8, command);
    const result = await silent(command);
    return { ...result, tokens: tokens.add(result.token).size };
  },

  /** The collector runs during each call, and frees applications of earlier ones. */
  async collect(command) {
    const tokens = await inWorkers(4, command);
    await commands.create(command);
    const result = await silent(command);
    return { ...result, tokens: tokens.add(result.token).size };
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

/** Performs a command in workers, and returns their tokens. */
async function inWorkers(count, command) {
  const workers = Array.from({ length: count }, () => new Worker(new URL(import.meta.url), { workerData: command }));
  const results = await Promise.all(workers.map((worker) => new Promise((resolve, reject) => {
    worker.on('message', resolve).on('error', reject);
  })));
  return new Set(results.flat());
}

/** The parts of the commands in a worker. */
const work = {
  async threads(command) {
    const tokens = new Set();
    await commands.create(command);
    for (let call = 0; call < command.count; call++) tokens.add((await silent(command)).token);
    return [...tokens];
  },

  async collect(command) {
    const tokens = new Set();
    for (let count = 0; count < command.count; count++) {
      await commands.create(command);
      const call = silent(command);
      globalThis.gc();
      tokens.add((await call).token);
    }
    return [...tokens];
  },

  async device_code_on_a_thread(command) {
    const controller = new AbortController();
    parentPort.once('message', () => controller.abort());
    await commands.create(command);
    const onPrompt = (prompt) => parentPort.postMessage({ user_code: prompt.userCode });
    return described(() =>
      application.acquireTokenByDeviceCode(named(command.request), { onPrompt, signal: controller.signal }),
    );
  },
};

if (isMainThread) {
  let configuration;
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const command = JSON.parse(line);
    configuration = command.configuration ?? configuration;
    respond(await commands[command.do]({ ...command, configuration }));
  }
} else {
  parentPort.postMessage(await work[workerData.do](workerData));
}
