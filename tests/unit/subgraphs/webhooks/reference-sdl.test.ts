import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { type DefinitionNode, Kind, parse, print } from 'graphql';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { readWebhooksSdl } from '../../../../subgraphs/webhooks/service/webhooks-sdl.ts';

/** Types of the reference graph that several of its subgraphs share, by their names in the SDL of the service. */
const SHARED: Readonly<Record<string, string>> = {
  WebhookPageInfo: 'PageInfo',
  WebhookUserError: 'UserError',
  WebhookErrorCode: 'ErrorCode',
  WebhookSortDirection: 'SortDirection',
};

/** Returns the signatures of all fields, arguments and values, without descriptions and directives. */
function signaturesOf(sdl: string): readonly string[] {
  const renamed = sdl.replaceAll(/\bWebhook\w+/g, (name) => SHARED[name] ?? name);
  return parse(renamed).definitions.flatMap(signaturesIn).toSorted();
}

function signaturesIn(definition: DefinitionNode): readonly string[] {
  if (definition.kind === Kind.OBJECT_TYPE_DEFINITION) {
    return (definition.fields ?? []).map(({ name, type, arguments: given = [] }) => {
      const parameters = given.map((one) => `${one.name.value}: ${print(one.type)}`).join(', ');
      return `${definition.name.value}.${name.value}(${parameters}): ${print(type)}`;
    });
  }
  if (definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) {
    return (definition.fields ?? []).map(({ name, type }) => `${definition.name.value}.${name.value}: ${print(type)}`);
  }
  if (definition.kind === Kind.ENUM_TYPE_DEFINITION) {
    return (definition.values ?? []).map(({ name }) => `${definition.name.value}.${name.value}`);
  }
  return [];
}

it('the SDL of the reference graph and that of the service have the same fields, because they share resolvers', async () => {
  const reference = readFileSync(join(packageRoot, 'schema/subgraphs/webhooks.graphql'), 'utf8');
  const service = await readWebhooksSdl({ type: 'User', key: 'id' });

  expect(signaturesOf(service).length).toBeGreaterThan(80);
  expect(signaturesOf(service)).toEqual(signaturesOf(reference));
});
