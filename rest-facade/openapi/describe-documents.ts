import { compileRoutes } from '../compile/compile-routes.ts';
import { compileVersions } from '../compile/endpoint/versions.ts';
import type { RestDocument } from '../compile/documents/parse-documents.ts';
import { MappingInvalid } from '../compile/mapping-problems.ts';
import { describeRoutes, type DescriptionSettings } from './describe-routes.ts';
import type { TableDescriptionOptions } from './describe-table.ts';
import { printDescription } from './print-description.ts';

export interface DocumentDescriptionOptions extends TableDescriptionOptions {
  readonly settings: DescriptionSettings & { readonly defaultVersion: number };
}

/**
 * What documents describe of themselves, without a gateway that serves them: YAML by version. Who needs credentials is told as
 * far as the documents say it.
 *
 * @throws MappingInvalid with every mistake in the documents
 */
export function describeDocuments(documents: readonly RestDocument[], options: DocumentDescriptionOptions): ReadonlyMap<number, string> {
  const { routes, fragments, problems } = compileRoutes(documents, options.schema);
  if (problems.length > 0) throw new MappingInvalid(problems);
  const versions = compileVersions(routes, options.settings.defaultVersion);
  const source = { ...options, routes, fragments, needsCredentials: ({ needsCredentials }: (typeof routes)[number]) => needsCredentials };
  return new Map(
    versions.all.map((version) => {
      const document = describeRoutes(source, { version, isDefault: version === versions.default, basePath: '' });
      return [version, printDescription(document, 'yaml')];
    }),
  );
}
