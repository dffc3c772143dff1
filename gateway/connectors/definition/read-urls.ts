import type { StringValueNode } from 'graphql';
import { ConnectorRequestInvalid } from '../template/connector-request-invalid.ts';
import { parseOrigin } from '../template/parse-origin.ts';
import { parseUrlTemplate, schemeOf } from '../template/parse-url-template.ts';
import { TemplateSyntaxError } from '../template/template-syntax-error.ts';
import type { UrlTemplate } from '../template/url-template.ts';
import type { LocatedUrl } from './located-connector.ts';
import type { ReadContext } from './read-mapping.ts';

/** Reads the `baseURL` of a source. Reports an invalid one and returns undefined. */
export function readBaseUrl(text: StringValueNode, where: string, context: ReadContext): LocatedUrl | undefined {
  const scheme = schemeOf(text.value);
  if (scheme === undefined && !text.value.trimStart().startsWith('{')) {
    context.report('INVALID_URL_SCHEME', `${where} "${text.value}" must begin with http:// or https://.`, text);
    return undefined;
  }
  if (scheme !== undefined && !isHttp(scheme, text, where, context)) return undefined;
  return readUrl(text, where, 'base', context);
}

/** Reads the URL of a connector. Reports an invalid one and returns undefined. */
export function readConnectorUrl(text: StringValueNode, where: string, hasSource: boolean, context: ReadContext): LocatedUrl | undefined {
  const { report } = context;
  const scheme = schemeOf(text.value);
  if (scheme === undefined && !hasSource) {
    const message = `${where} has the relative URL "${text.value}", but no source. Write an absolute URL, or add the argument "source".`;
    report('RELATIVE_CONNECT_URL_WITHOUT_SOURCE', message, text);
    return undefined;
  }
  if (scheme !== undefined && hasSource) {
    const message = `${where} has the absolute URL "${text.value}" and a source. Remove the argument "source", or write a path.`;
    report('ABSOLUTE_CONNECT_URL_WITH_SOURCE', message, text);
    return undefined;
  }
  if (scheme !== undefined && !isHttp(scheme, text, where, context)) return undefined;
  return readUrl(text, where, 'connector', context);
}

function isHttp(scheme: string, text: StringValueNode, where: string, { report }: ReadContext): boolean {
  if (scheme === 'http' || scheme === 'https') return true;
  report('INVALID_URL_SCHEME', `${where} "${text.value}" has the scheme "${scheme}". Use http or https.`, text);
  return false;
}

function readUrl(
  text: StringValueNode,
  where: string,
  role: 'base' | 'connector',
  { version, report }: ReadContext,
): LocatedUrl | undefined {
  try {
    const url = parseUrlTemplate(text.value, version, role);
    checkOrigin(url, role);
    return { url, text };
  } catch (error) {
    if (error instanceof TemplateSyntaxError) {
      report('INVALID_URL', `${where} is not valid: ${error.message}.`, { text, offset: error.offset });
    } else if (error instanceof ConnectorRequestInvalid) {
      report('INVALID_URL', `${where} is not valid. ${error.message}`, text);
    } else throw error;
    return undefined;
  }
}

/** @throws TemplateSyntaxError for an expression in the origin of a connector's URL, ConnectorRequestInvalid for an invalid origin */
function checkOrigin({ origin }: UrlTemplate, role: 'base' | 'connector'): void {
  if (origin === undefined) return;
  const expression = origin.parts.find(({ kind }) => kind === 'expression');
  if (expression === undefined) parseOrigin(origin.text);
  else if (role === 'connector') {
    throw new TemplateSyntaxError(
      'an expression cannot be before the path, because a value could change the host. Use the baseURL of a source with $config or $env',
      expression.offset,
    );
  }
}
