import { createServer } from 'node:http';
import express from 'express';

// Minimum cost of node:http and the cost that Express adds. Both send empty responses from one process.

const { port } = JSON.parse(process.argv[2]);

const application = express()
  .disable('x-powered-by')
  .use((_request, response) => void response.writeHead(204).end());

createServer((request, response) => {
  if (request.url === '/express') application(request, response);
  else response.writeHead(204).end();
}).listen(port, '127.0.0.1');
