import { type FragmentDefinitionNode, visit } from 'graphql';
import { usesOf } from '../../compile/documents/directives.ts';
import type { Fragments } from '../../compile/documents/selections.ts';
import type { LinkUse } from '../../compile/links/link.ts';
import { LINKS_MEMBER } from '../../response/shape-resource.ts';
import type { JsonSchema } from '../openapi-document.ts';
import type { Components } from './components.ts';

/** Returns the schema of an object's links. All links are optional, because they depend on the object and on the caller. */
export function linksSchema(uses: readonly LinkUse[]): JsonSchema {
  return linksOf({ self: linkSchema('GET'), ...Object.fromEntries(uses.map(({ values: { rel, method } }) => [rel, linkSchema(method)])) });
}

/** Schema of the links of a page. */
export const PAGE_LINKS: JsonSchema = linksOf(
  Object.fromEntries(['self', 'first', 'prev', 'next', 'last'].map((rel) => [rel, linkSchema('GET')])),
);

/** Adds the link `self` to a response whose document declares no links. */
export function withSelf(schema: JsonSchema, components: Components): JsonSchema {
  const self = components.refer('self', 'WithSelf', () => ({
    type: 'object',
    properties: { [LINKS_MEMBER]: linksSchema([]) },
    required: [LINKS_MEMBER],
  }));
  return { allOf: [schema, self] };
}

function linksOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: 'object',
    description: 'Links that are available in the current state of the resource and permitted for the caller.',
    properties,
  };
}

/** Returns the schema of a link. A link that uses GET has no member `method`. */
function linkSchema(method: string): JsonSchema {
  const href: JsonSchema = { type: 'string', format: 'uri-reference' };
  return method === 'GET'
    ? { type: 'object', properties: { href }, required: ['href'] }
    : { type: 'object', properties: { href, method: { type: 'string', enum: [method] } }, required: ['href', 'method'] };
}

/** Whether a fragment, or a selection inside it, has links. */
export function leadsSomewhere(fragment: FragmentDefinitionNode, fragments: Fragments, seen: ReadonlySet<string> = new Set()): boolean {
  if (usesOf(fragment, 'link').length > 0) return true;
  const path = new Set([...seen, fragment.name.value]);
  let isLeading = false;
  visit(fragment.selectionSet, {
    Field(node) {
      isLeading ||= usesOf(node, 'link').length > 0;
    },
    FragmentSpread({ name }) {
      const next = path.has(name.value) ? undefined : fragments.get(name.value);
      isLeading ||= next !== undefined && leadsSomewhere(next, fragments, path);
    },
  });
  return isLeading;
}
