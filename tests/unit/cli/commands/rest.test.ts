import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { readPublicSchema } from '../../../../cli/schema-check/read-public-schema.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { compileRoutes, printTemplate, readRestDocuments } from '../../../../rest-facade/index.ts';
import { recordingTerminal } from '../../../support/process/recording-terminal.ts';

const CINEMA = join(packageRoot, 'tests/fixtures/cinema/schema.graphql');
const REFERENCE = join(packageRoot, 'schema/supergraph.graphql');

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-rest-'));
});
afterEach(async () => rm(directory, { recursive: true }));

async function restInit(supergraph: string) {
  const terminal = recordingTerminal();
  const exitCode = await runCommandLine(['rest', 'init', '--supergraph', supergraph, '--out', directory], terminal);
  return { exitCode, warned: terminal.warned.join('\n') };
}

async function routesOf(supergraph: string) {
  const { routes, problems } = compileRoutes(readRestDocuments(directory), await readPublicSchema(supergraph));
  return { problems, rows: routes.map(({ method, template, status }) => `${method} ${printTemplate(template)} ${status}`).sort() };
}

describe('gatefold rest init', () => {
  it('does not overwrite an existing document', async () => {
    const file = join(directory, 'films.graphql');
    await writeFile(file, '# mine');
    expect(await restInit(CINEMA)).toMatchObject({ exitCode: 1, warned: expect.stringContaining('already exists or cannot be written') });
    expect(await readFile(file, 'utf8')).toBe('# mine');
  });

  it('reports a schema without resources', async () => {
    const schema = join(directory, 'schema.graphql');
    await writeFile(schema, 'type Query { time: String }');
    expect(await restInit(schema)).toMatchObject({ exitCode: 1, warned: expect.stringContaining('no root field returns an object') });
  });

  it('writes valid documents for a graph of another domain', async () => {
    expect(await restInit(CINEMA)).toMatchObject({ exitCode: 0 });
    expect(await routesOf(CINEMA)).toEqual({
      problems: [],
      rows: [
        'DELETE /films/{id} 204',
        'GET /films 200',
        'GET /films/{id} 200',
        'GET /people 200',
        'GET /people/{id} 200',
        'PATCH /films/{id} 200',
        'POST /films 201',
      ],
    });
  });

  it('writes valid documents for the reference graph', async () => {
    expect(await restInit(REFERENCE)).toMatchObject({ exitCode: 0 });
    const { problems, rows } = await routesOf(REFERENCE);
    expect(problems).toEqual([]);
    expect(rows).toEqual(expect.arrayContaining(['GET /books 200', 'GET /books/{id} 200', 'POST /books 201', 'DELETE /orders/{id} 204']));
  });
});
