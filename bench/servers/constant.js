import { createServer } from 'node:http';

// The least that node:http costs: the same bytes whatever is asked for.

const { port, body } = JSON.parse(process.argv[2]);
const bytes = Buffer.from(body);

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.byteLength }).end(bytes);
}).listen(port, '127.0.0.1');
