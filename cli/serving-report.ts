import { toLogEntry } from '../gateway/platform/logger.ts';
import type { ProductConfig } from './configuration.ts';
import { identityNotice } from './identity-notice.ts';
import type { RunningGateway } from './start-gateway.ts';

/**
 * Returns the lines that are printed when the gateway is ready: the URLs, and a notice about the identity of callers. They are JSON if the
 * log is, because container platforms collect both output streams of a process as one log.
 */
export function servingReport({ url, internalUrl }: Pick<RunningGateway, 'url' | 'internalUrl'>, config: ProductConfig): readonly string[] {
  const { profile, logging } = config;
  const ready = `Gatefold serves ${url}/graphql in the ${profile} profile. Health and other internal endpoints: ${internalUrl}.`;
  const notice = identityNotice(config);
  if (logging.format !== 'json') return [ready, ...notice];
  const entries = [toLogEntry({ profile, url, internalUrl }, ready)];
  const [heading, ...lines] = notice;
  if (heading !== undefined) entries.push(toLogEntry({}, `${heading} ${lines.map(inOneLine).join('; ')}`));
  return entries;
}

/** Removes the alignment of columns. */
function inOneLine(line: string): string {
  return line.trim().replaceAll(/ {2,}/g, ' ');
}
