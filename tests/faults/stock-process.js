// The stock in a process of its own, so that a test can stop it, or itself, without stopping both. Answers every request with
// the text of its first argument, after as many milliseconds as the second says, prints its port,
// and tells of each request as soon as it is there.
import { createServer } from 'node:http';

const [text = '', delayMs = '0'] = process.argv.slice(2);

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    process.send?.('asked');
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(text), Number(delayMs));
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.on('disconnect', () => process.exit());
