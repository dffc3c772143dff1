/**
 * Values of `node:http`. An import of the module in the source reads all its exports, and since Node.js 22 the exports for WebSockets load
 * the client of `fetch`, which takes 40 ms at every start. Types are imported from `node:http`.
 */
export const { createServer, request, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http');
