import { createServer } from 'node:http';

// Minimum cost of node:http: every response consists of the same bytes.

const { port, body } = JSON.parse(process.argv[2]);
const bytes = Buffer.from(body);

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.byteLength }).end(bytes);
}).listen(port, '127.0.0.1');
