/**
 * Measures the cost of rejecting documents that are designed to be expensive, from text to rejection, under the default limits. Fails when
 * a document exceeds the bounds.
 *
 * Duration: about 75 seconds
 */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gatewayConfig } from '../gateway/config/sections.ts';
import { createDocumentPreparation } from '../gateway/generation/prepare-documents.ts';
import { OperationRejected } from '../gateway/operation/operation-rejected.ts';
import { silentLogger } from '../gateway/platform/logger.ts';
import { loadSupergraph } from '../gateway/supergraph/load-supergraph.ts';
import { HOSTILE_DOCUMENTS, type HostileDocument } from './admission/hostile-documents.ts';

const ROUNDS = 40;
/** @unit milliseconds */
const MOST_TIME = { admission: 5, validation: 50, none: 50 };
/** Memory for rejecting a document at admission, from text to rejection. @unit bytes */
const MOST_MEMORY = 1_048_576;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const config = gatewayConfig.parse({});
const { id, schema } = loadSupergraph(readFileSync('schema/supergraph.graphql', 'utf8'));
const preparation = createDocumentPreparation({
  schema,
  settings: { ...config.graphql, isSchemaShown: false, limits: config.limits },
  supergraphId: id,
  logger: silentLogger,
  isKnownValid: () => false,
  take: () => ({}) as never, // No operation is executed.
});

const rows = HOSTILE_DOCUMENTS.map(measure);
console.table(rows.map(({ isWithin: _isWithin, ...row }) => row));
const beyond = rows.filter(({ isWithin }) => !isWithin).map(({ document }) => document);
if (beyond.length > 0) {
  console.error(`Documents that exceed the bounds: ${beyond.join(', ')}.`);
  process.exitCode = 1;
}

function measure({ name, text, rejectedBy }: HostileDocument) {
  const code = codeOf(text);
  const times = Array.from({ length: ROUNDS }, () => {
    const begin = performance.now();
    codeOf(text);
    return performance.now() - begin;
  }).toSorted((a, b) => a - b);
  const [median = 0, slowest = 0] = [times[ROUNDS / 2], times.at(-1)];
  const allocated = allocatedBy(() => codeOf(text));
  const isFast = median < MOST_TIME[rejectedBy ?? 'none'];
  const isSmall = rejectedBy !== 'admission' || allocated < MOST_MEMORY;
  return {
    document: name,
    bytes: text.length,
    'median ms': round(median),
    'slowest ms': round(slowest),
    KiB: Math.ceil(allocated / 1_024),
    result: code ?? 'served',
    isWithin: isFast && isSmall && isExpected(code, rejectedBy),
  };
}

function codeOf(text: string): string | undefined {
  preparation.clear();
  try {
    preparation.document(text);
    return undefined;
  } catch (error) {
    if (error instanceof OperationRejected) return error.code;
    throw error;
  }
}

function isExpected(code: string | undefined, rejectedBy: HostileDocument['rejectedBy']): boolean {
  if (rejectedBy === undefined) return code === undefined;
  return rejectedBy === 'admission' ? code !== undefined : code === 'GRAPHQL_VALIDATION_FAILED';
}

/**
 * Returns the memory allocated in one round. Uses the minimum of several rounds, because other work can allocate during a round.
 *
 * @unit bytes
 */
function allocatedBy(work: () => unknown): number {
  const rounds = Array.from({ length: 5 }, () => {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    work();
    return process.memoryUsage().heapUsed - before;
  });
  return Math.max(0, Math.min(...rounds));
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
