import type { PageBinding } from '../../compile/bindings/paging.ts';
import { LINKS_MEMBER } from '../../response/shape-resource.ts';
import type { JsonSchema } from '../openapi-document.ts';
import type { Components } from './components.ts';
import { PAGE_LINKS } from './links-schema.ts';

/** Items of a page, with the base name of their page schemas. */
export interface PageItems {
  readonly name: string;
  readonly schema: JsonSchema;
  /** Whether the page has links to other pages. @defaultValue false */
  readonly hasLinks?: boolean;
}

const COUNT: JsonSchema = { type: 'integer', minimum: 0 };

/** Members of a page object. */
interface PageFacts {
  readonly description: string;
  readonly suffix: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  /** Members that are present only if their value is known. */
  readonly optional: Readonly<Record<string, JsonSchema>>;
}

const NUMBERED: PageFacts = {
  description: 'A page that is selected by its number.',
  suffix: 'Page',
  properties: { page: { type: 'integer', minimum: 1 }, pageSize: { type: 'integer', minimum: 1 } },
  optional: {
    totalPages: COUNT,
    totalElements: COUNT,
    hasNext: { type: 'boolean', description: 'Replaces the totals if the items were not counted.' },
  },
};

const BY_CURSOR: PageFacts = {
  description: 'A page that is selected by a cursor.',
  suffix: 'CursorPage',
  properties: {
    pageSize: { type: 'integer', minimum: 1 },
    nextCursor: { type: ['string', 'null'], description: 'Value of `after` for the next page. Null on the last page.' },
    hasNext: { type: 'boolean' },
  },
  optional: { totalElements: COUNT },
};

/** Returns the kinds of pages that a route supports. */
export function pageKinds({ offset, cursor }: PageBinding): readonly PageFacts[] {
  return [...(offset === undefined && cursor !== undefined ? [] : [NUMBERED]), ...(cursor === undefined ? [] : [BY_CURSOR])];
}

/** Returns the schema of the page object. */
export function pageSchema(binding: PageBinding, { name, schema, hasLinks = false }: PageItems, components: Components): JsonSchema {
  const links = hasLinks ? { [LINKS_MEMBER]: components.refer('page links', 'PageLinks', () => PAGE_LINKS) } : {};
  return oneOf(
    pageKinds(binding).map(({ description, suffix, properties, optional }) =>
      components.refer(`${suffix} ${hasLinks} ${JSON.stringify(schema)}`, `${name}${suffix}${hasLinks ? 'WithLinks' : ''}`, () => ({
        type: 'object',
        description,
        properties: { data: { type: 'array', items: schema }, ...properties, ...optional, ...links },
        required: ['data', ...Object.keys({ ...properties, ...links })],
      })),
    ),
  );
}

/** Combines schemas with `oneOf`, or returns the only schema. */
export function oneOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? only : { oneOf: schemas };
}
