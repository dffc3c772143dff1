import { createServer } from 'node:http';
import { createUpstream } from './upstream.js';

// The least that anything in between can do: the whole request to one server that knows the whole answer.

const { port, wholeUrl } = JSON.parse(process.argv[2]);
const ask = createUpstream(wholeUrl);

createServer((request, response) => {
  const chunks = [];
  request
    .on('data', (chunk) => chunks.push(chunk))
    .on('end', () => {
      void reply(response, Buffer.concat(chunks).toString());
    });
}).listen(port, '127.0.0.1');

async function reply(response, body) {
  const text = await ask(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}
