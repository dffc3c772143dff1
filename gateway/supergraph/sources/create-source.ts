import { ConfigurationInvalid } from '../../config/configuration-invalid.ts';
import { namedSources, type ResolvedSupergraphSection, type SupergraphSection } from '../../config/sections/supergraph.ts';
import { watchFile } from '../../platform/follow-file.ts';
import { SupergraphInvalid } from '../supergraph-invalid.ts';
import { createSubgraphsSource, type SubgraphsSourceOptions } from './subgraphs-source.ts';
import type { SupergraphListener, SupergraphSource } from './supergraph-source.ts';
import { createUplinkSource } from './uplink-source.ts';
import { createUrlSource } from './url-source.ts';

export interface SourceDependencies extends Pick<SubgraphsSourceOptions, 'headersFor'> {
  /** Addresses of subgraphs that override those of the list. */
  readonly override: Readonly<Record<string, { readonly url?: string | undefined }>>;
}

/** Checks that the section names exactly one source. @throws ConfigurationInvalid when it names no source or several */
export function requireOneSource(section: SupergraphSection): void {
  const named = namedSources(section);
  if (named.length === 1) return;
  const message = named.length === 0 ? 'no supergraph is configured' : `several supergraph sources are configured: ${named.join(', ')}`;
  const hint =
    'Set exactly one of supergraph.file (option --supergraph; "gatefold compose" writes the file), .sdl, .url, .subgraphs, or .uplink with key and graphRef.';
  throw new ConfigurationInvalid([{ path: 'supergraph', message, hint }]);
}

/** Creates the source that the section names. */
export function createSource(section: ResolvedSupergraphSection, { override, headersFor }: SourceDependencies): SupergraphSource {
  const { file, sdl, url, headers, subgraphs, uplink } = section;
  if (file !== undefined) return createFileSource(file, section);
  if (sdl !== undefined) return createTextSource(sdl);
  if (url !== undefined) return createUrlSource({ ...section, url, headers });
  if (subgraphs !== undefined) {
    const listed = Object.entries(subgraphs).map(([name, { url: address = '', files, headers: sent }]) => ({
      name,
      url: address,
      files,
      requestedAt: override[name]?.url,
      headers: sent,
    }));
    return createSubgraphsSource({ ...section, subgraphs: listed, headersFor });
  }
  const { key, graphRef, endpoints } = uplink;
  if (key !== undefined && graphRef !== undefined) return createUplinkSource({ ...section, key, graphRef, endpoints });
  throw new Error('No supergraph source is configured.');
}

function createFileSource(file: string, { pollIntervalMs, maxBytes }: ResolvedSupergraphSection): SupergraphSource {
  let watching: AsyncDisposable | undefined;
  return {
    name: `the file ${file}`,
    isLocal: true,
    start({ onSupergraph, onProblem }: SupergraphListener) {
      watching = watchFile({
        path: file,
        subject: 'The supergraph file',
        intervalMs: pollIntervalMs,
        maxBytes,
        onText: onSupergraph,
        hint: '"gatefold compose" creates one',
        onFailure: (error) => onProblem(new SupergraphInvalid(error.message, { cause: error })),
      });
    },
    async [Symbol.asyncDispose]() {
      await watching?.[Symbol.asyncDispose]();
    },
  };
}

function createTextSource(sdl: string): SupergraphSource {
  return { name: 'the configuration', isLocal: true, start: ({ onSupergraph }) => onSupergraph(sdl), async [Symbol.asyncDispose]() {} };
}
