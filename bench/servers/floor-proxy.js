import { createServer } from 'node:http';
import { createUpstream } from './upstream.js';

// Minimum cost of an intermediary: passes the whole request to one server that returns the whole response.

const { port, wholeUrl } = JSON.parse(process.argv[2]);
const request = createUpstream(wholeUrl);

createServer((request, response) => {
  const chunks = [];
  request
    .on('data', (chunk) => chunks.push(chunk))
    .on('end', () => {
      void httpResponse(response, Buffer.concat(chunks).toString());
    });
}).listen(port, '127.0.0.1');

async function httpResponse(response, body) {
  const text = await request(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}
