import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { type LibraryGateway, startLibraryGateway } from '../fixtures/library-graph.ts';

/** IDs of the supported audits. A new or removed audit requires a decision. */
const AUDIT_IDS = `
  22EB 4655 47DE 80D8 82A3 BF61 78D5 2C94 5A70 9C48 9ABE 03D4 A5BF 423L LKJ0 LKJ1 LKJ2 LKJ3 34A2 13EE 6C00 6C01 6C02
  6C03 8161 B8B3 94B0 0220 94B1 0221 94B2 0222 4760 4761 4762 4763 2EA1 28B9 D6D5 6A70 58B0 58B1 58B2 58B3 428F 1B7A
  B6DC BCF8 B7N8 8764 3E3A 572B FDE2 7B9B 865D 556A D586 51FE 74FF 5E5B 86EE
`
  .trim()
  .split(/\s+/);

describe('GraphQL over HTTP: the audits of graphql-http', () => {
  let library: LibraryGateway;
  beforeAll(async () => {
    library = await startLibraryGateway();
  });
  afterAll(async () => {
    await library[Symbol.asyncDispose]();
  });

  const audits = serverAudits({ url: () => `${library.url}/graphql` });

  it('the installed audits are the 61 supported ones', () => {
    expect(AUDIT_IDS).toHaveLength(61);
    expect(audits.map(({ id }) => id)).toEqual(AUDIT_IDS);
  });

  it.each(audits.map((audit) => [audit.id, audit.name, audit] as const))('%s %s', async (_id, _name, audit) => {
    const result = await audit.fn();
    expect('reason' in result ? result.reason : 'passed').toBe('passed');
    expect(result.status).toBe('ok');
  });
});
