import type { ConnectorDefinition } from '../definition/connector-definition.ts';
import type { SelectionNode } from '../selection/selection-node.ts';
import { variableUsesOf } from '../selection/variable-uses.ts';
import type { HeaderRule } from '../template/header-rule.ts';
import type { Template } from '../template/template.ts';
import type { UrlTemplate } from '../template/url-template.ts';
import type { InputUse } from './connector-fields.ts';

/** Lists the uses of variables in all expressions of a connector and of its source. */
export function inputUsesOf(connector: ConnectorDefinition): readonly InputUse[] {
  const { selection, isSuccess, errors } = connector;
  const nodes = [selection, isSuccess, errors?.message, errors?.extensions, ...requestExpressionsOf(connector)];
  return nodes.flatMap((node) => (node === undefined ? [] : variableUsesOf(node)));
}

/** Lists the expressions of the request of a connector. */
export function requestExpressionsOf({ http, source }: Pick<ConnectorDefinition, 'http' | 'source'>): readonly SelectionNode[] {
  const nodes = [http.body];
  for (const { path, queryParams, headers } of [http, ...(source === undefined ? [] : [source])]) {
    nodes.push(path, queryParams, ...headers.flatMap(expressionsOfHeader));
  }
  nodes.push(...expressionsOfUrl(http.url), ...(source === undefined ? [] : expressionsOfUrl(source.baseUrl)));
  return nodes.filter((node) => node !== undefined);
}

function expressionsOfHeader(rule: HeaderRule): readonly SelectionNode[] {
  return 'value' in rule ? expressionsOf(rule.value) : [];
}

function expressionsOfUrl({ origin, path, query }: UrlTemplate): readonly SelectionNode[] {
  const templates = [origin, ...path, ...query.flatMap(({ name, value }) => [name, value])];
  return templates.flatMap((template) => (template === undefined ? [] : expressionsOf(template)));
}

function expressionsOf({ parts }: Template): readonly SelectionNode[] {
  return parts.flatMap((part) => (part.kind === 'expression' ? [part.expression] : []));
}
