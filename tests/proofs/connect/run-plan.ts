import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, posix } from 'node:path';
import { parse } from 'graphql';
import { parse as parseYaml } from 'yaml';
import { isRecord } from '../../../gateway/subgraph-client/read-response.ts';
import type { Checkout } from './checkout.ts';
import { compareWithDebugging, compareWithSnapshots } from './compare-requests.ts';
import { compareResponses, type Differences, idKeysOf } from './compare-responses.ts';
import { type CorpusGateway, openCorpusGateway } from './corpus-gateway.ts';
import { type CapturedRequest, type FakeBackEnd, startFakeBackEnd } from './fake-back-end.ts';
import { debuggedRequests, type HttpSnapshot, readSnapshots, respondFrom } from './http-snapshots.ts';

/** Folder from which the configurations of plans name files. */
const ROOT = 'apollo-router';

/** An action of a plan, as its file contains it. */
interface PlanAction {
  readonly type: string;
  readonly schema_path?: string;
  readonly configuration_path?: string;
  readonly subgraphs?: Readonly<Record<string, { readonly snapshot?: { readonly path: string } }>>;
  readonly request?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected_response?: unknown;
  readonly expected_headers?: Readonly<Record<string, string>>;
}

/** Result of one action. */
export interface ActionResult extends Differences {
  readonly action: string;
  /** Reason why the action was not executed. */
  readonly notExecuted?: string;
}

/** Results of a plan. */
export interface PlanResult {
  readonly actions: readonly ActionResult[];
  /** Number of requests that back ends received. */
  readonly requests: number;
}

/** Runs the actions of a plan with a gateway and with back ends that send the recorded responses. */
export async function runPlan(checkout: Checkout, folder: string): Promise<PlanResult> {
  const { actions } = JSON.parse(checkout.read(`${folder}/plan.json`)) as { readonly actions: readonly PlanAction[] };
  await using run = new PlanRun(checkout, folder, actions);
  const results: ActionResult[] = [];
  for (const action of actions) {
    try {
      results.push({ action: action.type, ...(await run.execute(action)) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      results.push({ action: action.type, unexplained: [message], explained: [] });
    }
  }
  return { actions: results, requests: run.requests };
}

class PlanRun implements AsyncDisposable {
  readonly #checkout: Checkout;
  readonly #folder: string;
  readonly #clientHeaders: readonly string[];
  readonly #files = mkdtempSync(join(tmpdir(), 'gatefold-plan-'));
  readonly #backEnds: FakeBackEnd[] = [];
  readonly #received: CapturedRequest[] = [];
  #snapshots: readonly HttpSnapshot[] = [];
  #gateway: CorpusGateway | undefined;

  constructor(checkout: Checkout, folder: string, actions: readonly PlanAction[]) {
    this.#checkout = checkout;
    this.#folder = folder;
    this.#clientHeaders = actions.flatMap(({ headers }) => Object.keys(headers ?? {}));
  }

  get requests(): number {
    return this.#received.length;
  }

  async execute(action: PlanAction): Promise<Omit<ActionResult, 'action'>> {
    switch (action.type) {
      case 'Start':
        return this.#start(action);
      case 'Request':
        return this.#request(action);
      case 'Stop':
        return this.#stop();
      default:
        // No plan with connectors has another action. If one does, it counts as different until it is executed here.
        return { notExecuted: 'the action is unknown', unexplained: [`the action ${action.type} is unknown`], explained: [] };
    }
  }

  async #start({ schema_path: schema = '', configuration_path: path = '', subgraphs = {} }: PlanAction): Promise<Differences> {
    const configuration: unknown = parseYaml(this.#read(path));
    const urls = await Promise.all(
      Object.entries(subgraphs).map(async ([name, { snapshot }]) => {
        if (snapshot === undefined) throw new Error(`The back end ${name} has no snapshots.`);
        return [name, await this.#startBackEnd(readSnapshots(this.#read(snapshot.path)))] as const;
      }),
    );
    this.#gateway = await openCorpusGateway({
      sdl: this.#read(schema),
      configuration: withUrls(configuration, urls),
      clientHeaders: this.#clientHeaders,
      fileOf: (file) => this.#copy(file),
    });
    return { unexplained: [], explained: this.#gateway.ignored.map((reason) => `configuration without an equivalent: ${reason}`) };
  }

  async #request({ request, headers = {}, expected_response: expected, expected_headers: wanted = {} }: PlanAction): Promise<Differences> {
    if (this.#gateway === undefined) throw new Error('No gateway was started.');
    const before = this.#received.length;
    const response = await this.#gateway.send(request, headers);
    const { unexplained, explained } = compareResponses(expected, response.payloads, this.#idKeys(this.#gateway, request));
    const differentHeaders = Object.entries(wanted).flatMap(([name, value]) =>
      response.headers[name.toLowerCase()] === value ? [] : [`expected the response header ${name}: ${value}`],
    );
    const requests = debuggedRequests(expected) === undefined ? undefined : compareWithDebugging(this.#received.slice(before), expected);
    return {
      unexplained: [...unexplained, ...differentHeaders, ...(requests?.unexplained ?? [])],
      explained: [...explained, ...(requests?.explained ?? [])],
    };
  }

  #idKeys({ schema }: CorpusGateway, request: unknown): ReadonlySet<string> {
    const query = isRecord(request) ? request['query'] : undefined;
    return typeof query === 'string' ? idKeysOf(schema, parse(query)) : new Set();
  }

  /** Stops the gateway, after which no more requests can arrive. */
  async #stop(): Promise<Differences> {
    await this.#gateway?.[Symbol.asyncDispose]();
    this.#gateway = undefined;
    return compareWithSnapshots(this.#received, this.#snapshots);
  }

  async #startBackEnd(snapshots: readonly HttpSnapshot[]): Promise<string> {
    this.#snapshots = [...this.#snapshots, ...snapshots];
    const backEnd = await startFakeBackEnd((request) => {
      this.#received.push(request);
      return respondFrom(snapshots, request);
    });
    this.#backEnds.push(backEnd);
    return `${backEnd.url}/`;
  }

  #read(path: string): string {
    return this.#checkout.read(posix.join(this.#folder, path));
  }

  /** Copies a file of the checkout, which can be a git directory, to a file that the gateway can read. */
  #copy(path: string): string {
    const copy = join(this.#files, basename(path));
    writeFileSync(copy, this.#checkout.read(posix.join(ROOT, path)));
    return copy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gateway?.[Symbol.asyncDispose]();
    for (const backEnd of this.#backEnds) await backEnd[Symbol.asyncDispose]();
    rmSync(this.#files, { recursive: true });
  }
}

/** Adds the URLs of back ends to a configuration, as the test program of the corpus does: all plans name their subgraph `connectors`. */
function withUrls(configuration: unknown, urls: readonly (readonly [string, string])[]): unknown {
  const router = isRecord(configuration) ? configuration : {};
  const connectors = isRecord(router['connectors']) ? router['connectors'] : {};
  const sources = Object.fromEntries(urls.map(([name, url]) => [`connectors.${name}`, { override_url: url }]));
  const known = isRecord(connectors['sources']) ? connectors['sources'] : {};
  return { ...router, connectors: { ...connectors, sources: { ...known, ...sources } } };
}
