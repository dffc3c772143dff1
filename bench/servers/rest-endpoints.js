import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import express from 'express';

// One process that serves the same graph by four endpoints. POST /graphql serves GraphQL. REST is served on node:http below /bare, in an
// Express application below /application, and through the Express router on all other paths. The server of this project mounts the router
// in the same way.

const { port, gatefold, config, documents } = JSON.parse(process.argv[2]);
const load = (file) => import(pathToFileURL(join(gatefold, 'dist', file)).href);
const [{ createGateway }, { createRestFacade, toExpress }] = await Promise.all([load('gateway/index.js'), load('rest-facade/index.js')]);

const gateway = await createGateway({ ...config, server: { port, internalPort: 0 } });
gateway.mount(createRestFacade({ gateway, documents, mounts: ['/bare'] }), ['/bare']);
const inApplication = createRestFacade({ gateway, documents, mounts: ['/application'] });
// Checkouts without the property `exposesCorrelationId` ignore it.
const reporting = ({ exposesCorrelationId }, handler) => Object.assign(handler, { exposesCorrelationId });
gateway.mount(reporting(inApplication, express().disable('x-powered-by').use(toExpress(inApplication))), ['/application']);
const facade = createRestFacade({ gateway, documents, mounts: [''] });
const router = express.Router().use(toExpress(facade));
gateway.mount(reporting(facade, (request, response) => void router(request, response, () => response.destroy())));
await gateway.listen();
