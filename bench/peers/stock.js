import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { readFileSync } from 'node:fs';

// Apollo Server with the stock gateway, mounted in Express as in its documentation.

const { port, supergraphFile } = JSON.parse(process.argv[2]);
const gateway = new ApolloGateway({ supergraphSdl: readFileSync(supergraphFile, 'utf8') });
const server = new ApolloServer({ gateway, plugins: [ApolloServerPluginLandingPageDisabled()] });
await server.start();
express().use('/graphql', express.json(), expressMiddleware(server)).listen(port, '127.0.0.1');
