import { createServer } from 'node:http';
import express from 'express';

// The least that node:http costs, and what Express adds to it: both send nothing, by one process.

const { port } = JSON.parse(process.argv[2]);

const application = express()
  .disable('x-powered-by')
  .use((_request, response) => void response.writeHead(204).end());

createServer((request, response) => {
  if (request.url === '/express') application(request, response);
  else response.writeHead(204).end();
}).listen(port, '127.0.0.1');
