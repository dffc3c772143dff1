import type { ApiOperation } from '../openapi/read-operations.ts';
import type { PathSegment } from '../openapi/path-segment.ts';
import { isPlural, singular } from './english-nouns.ts';
import { camelCase, pascalCase, wordsOf } from './graphql-names.ts';

/** First segments that name no resource. */
const PREFIX = /^(?:api|rest|public|v\d+(?:\.\d+)*)$/i;

/** Names of an operation, derived from its path. */
export interface ResourceNames {
  /** Name of the last resource: `posts` for `/users/{id}/posts`. */
  readonly noun: string;
  /** Whether the last segment is a parameter, so that the path identifies one resource. */
  readonly isItem: boolean;
  /** Names of all resources of the path, the last one in the singular if the path identifies one: `userPosts`. */
  readonly path: string;
  /** Name of an object type of the last resource: `Post`. */
  readonly type: string;
}

/** Derives names from the path of an operation. */
export function nameResource({ segments }: Pick<ApiOperation, 'segments'>): ResourceNames {
  const significant = withoutPrefix(segments);
  const fixed = significant.flatMap((segment, index) => {
    if (segment.parameters.length > 0) return [];
    const isIdentified = (significant[index + 1]?.parameters.length ?? 0) > 0;
    return [isIdentified ? singular(camelCase(segment.text, 'resource')) : camelCase(segment.text, 'resource')];
  });
  const last = significant.findLast(({ parameters }) => parameters.length === 0);
  const noun = last === undefined ? 'resource' : camelCase(last.text, 'resource');
  return {
    noun,
    isItem: (significant.at(-1)?.parameters.length ?? 0) > 0,
    path: fixed.length === 0 ? 'resource' : camelCase(fixed.join(' '), 'resource'),
    type: pascalCase(singular(noun), 'Resource'),
  };
}

function withoutPrefix(segments: readonly PathSegment[]): readonly PathSegment[] {
  const start = segments.findIndex(({ text }) => !PREFIX.test(text));
  return start === -1 ? segments : segments.slice(start);
}

/** Returns the name of a query: `users`, `user`, `userPosts`, and others for the case that it is in use. */
export function queryNames(operation: ApiOperation, isList: boolean): readonly [string, ...string[]] {
  const names = nameResource(operation);
  const id = operation.operationId === undefined ? undefined : withoutReadVerb(camelCase(operation.operationId, names.path));
  const isResource = names.isItem || (isList && isPlural(names.noun));
  const fallbacks = [names.isItem ? `${names.path}ById` : isList ? `${names.path}List` : `${names.path}Resource`, names.path] as const;
  if (isResource || id === undefined) return [names.path, ...(id === undefined ? [] : [id]), ...fallbacks];
  return [id, ...fallbacks];
}

/** Removes the verb of a read: `getUserById` becomes `userById`. */
function withoutReadVerb(name: string): string {
  return name.replace(/^(?:get|list|fetch|read|retrieve)(?=[A-Z])(.)/, (_match, letter: string) => letter.toLowerCase());
}

const WRITE_VERB =
  /^(?:create|add|new|post|insert|update|replace|put|set|patch|edit|change|modify|delete|remove|destroy|cancel|archive|restore|send|start|stop|run|import|upload|place|register|login|logout|sign|approve|reject|assign|enable|disable|publish|move|copy|merge|close|open|reset|search|find|query)(?=[A-Z]|$)/;

/** Returns the name of a mutation: its `operationId` if it begins with a verb, or else a verb and the names of its path. */
export function mutationNames(operation: ApiOperation, replaces: boolean): readonly [string, ...string[]] {
  const id = operation.operationId === undefined ? '' : camelCase(operation.operationId, '');
  const derived = derivedMutation(operation, replaces);
  return WRITE_VERB.test(id) ? [id, derived] : [derived, ...(id === '' ? [] : [id])];
}

function derivedMutation(operation: ApiOperation, replaces: boolean): string {
  const { path, isItem, noun } = nameResource(operation);
  const resource = pascalCase(path, 'Resource');
  const one = pascalCase(singular(path), 'Resource');
  switch (operation.method) {
    case 'PUT':
      return `${replaces ? 'replace' : 'update'}${isItem ? one : resource}`;
    case 'PATCH':
      return `update${isItem ? one : resource}`;
    case 'DELETE':
      return `delete${isItem ? one : resource}`;
    case 'GET':
    case 'POST':
      break;
  }
  // `/orders/{id}/cancel` is an action on an order.
  if (!isItem && !isPlural(noun) && wordsOf(noun).length === 1 && operation.pathParameters.length > 0) {
    return camelCase(`${noun} ${path.slice(0, path.length - noun.length)}`, 'post');
  }
  return isItem ? `post${one}` : `create${one}`;
}
