import type { OpenApiDocument } from './openapi-document.ts';

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g;

type Components = OpenApiDocument['components'];

/** The document without components that nothing in it leads to. */
export function keepUsed(document: OpenApiDocument): OpenApiDocument {
  const { components, ...rest } = document;
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, section = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (used.has(`${section}/${name}`)) continue;
      used.add(`${section}/${name}`);
      const parts: Readonly<Record<string, unknown>> | undefined = components[section as keyof Components];
      if (parts !== undefined && Object.hasOwn(parts, name)) follow(parts[name]);
    }
  };
  follow(rest);
  const keep = <T>(section: string, parts: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => used.has(`${section}/${name}`)));
  const { schemas, parameters, headers, responses, securitySchemes } = components;
  return {
    ...rest,
    components: {
      schemas: keep('schemas', schemas),
      parameters: keep('parameters', parameters),
      headers: keep('headers', headers),
      responses: keep('responses', responses),
      securitySchemes,
    },
  };
}
