import { join } from 'node:path';
import { type DirectiveDefinitionNode, Kind, parse, print, type TypeDefinitionNode } from 'graphql';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { REST_DIRECTIVES_SDL } from '../../../rest-facade/compile/documents/directives.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { GENERATED, table } from './markdown.ts';

/** Generates `docs/reference/rest-directives.md` from the definitions of the REST directives. */
export function generateRestDirectivesPage(root: string = packageRoot): GeneratedFile {
  const { definitions } = parse(REST_DIRECTIVES_SDL, { noLocation: true });
  const directives = definitions.filter((definition) => definition.kind === Kind.DIRECTIVE_DEFINITION);
  const types = definitions.filter((definition) => definition.kind !== Kind.DIRECTIVE_DEFINITION) as readonly TypeDefinitionNode[];
  const text = [
    GENERATED,
    '',
    '# REST directives',
    '',
    'Directives of the operation documents that define REST resources. The gateway removes them before it executes',
    'an operation. The guide [REST resources](../guides/rest-resources.md) shows them in use.',
    '',
    ...directives.map(({ name }) => `- [\`@${name.value}\`](#${name.value.toLowerCase()})`),
    '- [Types of arguments](#types-of-arguments)',
    ...directives.flatMap(directiveSection),
    '',
    '## Types of arguments',
    ...types.flatMap((type) => [
      '',
      `### ${type.name.value}`,
      '',
      describe(type),
      '',
      '```graphql schema',
      withoutDescriptions(type),
      '```',
    ]),
  ];
  return { path: join(root, 'docs/reference/rest-directives.md'), text: `${text.join('\n')}\n` };
}

function directiveSection(directive: DirectiveDefinitionNode): readonly string[] {
  const rows = (directive.arguments ?? []).map((argument) => [
    `\`${argument.name.value}\``,
    `\`${print(argument.type)}\``,
    argument.defaultValue === undefined ? '' : `\`${print(argument.defaultValue)}\``,
    describe(argument),
  ]);
  const locations = directive.locations.map(({ value }) => `\`${value}\``).join(', ');
  return [
    '',
    `## @${directive.name.value}`,
    '',
    describe(directive),
    '',
    `Locations: ${locations}${directive.repeatable ? '; repeatable' : ''}.`,
    ...(rows.length === 0 ? [] : ['', table(['argument', 'type', 'default', 'meaning'], rows)]),
  ];
}

const describe = ({ description }: { readonly description?: { readonly value: string } }) => description?.value.trim() ?? '';

function withoutDescriptions({ description: _shownAsText, ...type }: TypeDefinitionNode): string {
  return print(type);
}
