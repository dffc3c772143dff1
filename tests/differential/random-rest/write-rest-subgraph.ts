import { type ConstDirectiveNode, type DefinitionNode, Kind, print } from 'graphql';
import { decide } from './decisions.ts';
import { directiveOf } from './change-sdl.ts';
import type { RestConnector } from './draw-connectors.ts';
import type { SubgraphModel } from './subgraph-model.ts';
import { writeSelection } from './write-mapping.ts';

/** Name of the source of each subgraph. */
const SOURCE = 'api';

/** Directives of the federation specification that subgraphs with connectors can import. */
const IMPORTS = '["@key", "@shareable", "@provides", "@external", "@requires", "@interfaceObject", "@inaccessible", "@override"]';

/**
 * Writes the SDL of a subgraph with its connectors.
 *
 * @param origin scheme, host and port of the back end
 */
export function writeRestSubgraph({ facts, seed }: SubgraphModel, connectors: readonly RestConnector[], origin: string): string {
  const random = decide(seed, facts.name, 'version');
  const isAbstract = [...facts.types.values()].some(({ kind }) => kind !== 'object');
  const version = isAbstract ? '0.4' : random.pick(['0.3', '0.4']);
  const byElement = new Map<string, ConstDirectiveNode[]>();
  for (const connector of connectors) {
    const element = connector.field === undefined ? connector.type.name : `${connector.type.name}.${connector.field.name}`;
    byElement.set(element, [...(byElement.get(element) ?? []), directiveOf(writeConnector(connector, random.chance(0.5)))]);
  }
  const definitions = facts.document.definitions
    .filter(({ kind }) => kind !== Kind.SCHEMA_EXTENSION)
    .map((definition): DefinitionNode => {
      if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
      const type = definition.name.value;
      const fields = (definition.fields ?? []).map((field) => {
        const own = byElement.get(`${type}.${field.name.value}`) ?? [];
        return Object.assign({}, field, { directives: (field.directives ?? []).concat(own) });
      });
      return Object.assign({}, definition, { fields, directives: (definition.directives ?? []).concat(byElement.get(type) ?? []) });
    });
  const links = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.13", import: ${IMPORTS})
  @link(url: "https://specs.apollo.dev/connect/v${version}", import: ["@connect", "@source"])
  @source(name: "${SOURCE}", http: { baseURL: "${origin}/${facts.name}" })`;
  return `${links}\n\n${print({ kind: Kind.DOCUMENT, definitions })}\n`;
}

function writeConnector(connector: RestConnector, hasMessage: boolean): string {
  const { kind, path, method, inputs, envelope, value, failure, batch } = connector;
  const query = inputs.query.length === 0 ? '' : `?${inputs.query.join('&')}`;
  const http = [`${method}: ${quote(`/${[path, ...inputs.segments].join('/')}${query}`)}`];
  if (inputs.queryParams.length > 0) http.push(`queryParams: ${quote(inputs.queryParams.join(' '))}`);
  if (inputs.body.length > 0) http.push(`body: ${quote(inputs.body.join(' '))}`);
  const parts = [`source: "${SOURCE}"`, `http: { ${http.join(', ')} }`];
  if (kind === 'entity: true') parts.push('entity: true');
  if (batch !== undefined && batch.maxSize > 0) parts.push(`batch: { maxSize: ${batch.maxSize} }`);
  if (failure === 'body') parts.push(`isSuccess: ${quote('ok->eq(true)')}`);
  if (hasMessage) parts.push(`errors: { message: ${quote('problem.text')} }`);
  parts.push(`selection: ${quote(writeSelection(value, envelope))}`);
  return `@connect(${parts.join(', ')})`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
