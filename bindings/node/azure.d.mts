// SPDX-License-Identifier: MIT
export * from './azure.js';
