// Runs the stock in a separate process, so that a test can stop one process without stopping both. Responds to every request with the text
// of the first argument, after the number of milliseconds in the second, prints its port, and reports each request as soon as it arrives.
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
