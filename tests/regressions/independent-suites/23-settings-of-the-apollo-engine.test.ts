import { describe, expect, it } from '@jest/globals';
import { SETTING_SUPPORT, fits, supportOf } from '../../../cli/apollo-engine/setting-support.ts';
import { findUnsupported } from '../../../cli/apollo-engine/unsupported-settings.ts';
import { type ProductConfig, productSchema } from '../../../cli/configuration.ts';
import type { GatewayConfigInput } from '../../../gateway/config/sections.ts';
import { type Setting, compileSettings } from '../../../gateway/config/settings.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import type { CostRules } from '../../../gateway/supergraph/read-cost-rules.ts';
import { apolloConfig, composedOf } from '../../fixtures/apollo-engine.ts';

const SDL = composedOf({ books: { sdl: 'type Query { title: String }' } });
const LOADED = loadSupergraph(SDL);

/** Lists the path of each setting on the configuration page, with names of records as `name`. */
function pathsOf(setting: Setting, path: string): readonly string[] {
  if (setting.kind === 'value') return [path];
  if (setting.kind === 'record') return pathsOf(setting.value, `${path}.name`);
  return [...setting.keys].flatMap(([key, below]) => pathsOf(below, path === '' ? key : `${path}.${key}`));
}

const ALL = pathsOf(compileSettings(productSchema), '');
const OVERRIDE = 'subgraphs.override.name.';
/** Settings for all subgraphs, and those of one subgraph, by the kind that they share. */
const KINDS = ALL.map((path) => ({ path, kind: path.startsWith(OVERRIDE) ? `subgraphs.${path.slice(OVERRIDE.length)}` : path }));

/** Returns a configuration with one value replaced, regardless of its type: only the path is checked. */
function withValue(path: string, value: unknown): ProductConfig {
  const config = structuredClone(apolloConfig({ config: { supergraph: { sdl: SDL } }, rest: {} })) as unknown as Record<string, unknown>;
  const keys = path.split('.');
  let position = config;
  for (const key of keys.slice(0, -1)) position = (position[key] ??= {}) as Record<string, unknown>;
  position[keys.at(-1) ?? ''] = value;
  return config as unknown as ProductConfig;
}

describe('point 23: settings with the engine "apollo"', () => {
  it('has a decision about each setting on the configuration page', () => {
    expect(ALL.length).toBeGreaterThan(200);
    expect(KINDS.flatMap(({ path, kind }) => (SETTING_SUPPORT.some(([pattern]) => fits(pattern, kind)) ? [] : [path]))).toEqual([]);
  });

  it('decides only about settings that are on the configuration page', () => {
    const used = new Set(KINDS.map(({ kind }) => SETTING_SUPPORT.find(([pattern]) => fits(pattern, kind))?.[0]));
    expect(SETTING_SUPPORT.map(([pattern]) => pattern).filter((pattern) => !used.has(pattern))).toEqual([]);
  });

  it('reports an error for a setting without a decision', () => {
    expect(() => supportOf('brandNew.setting')).toThrow('brandNew.setting');
  });

  it('rejects nothing in the defaults without budgets and cost', () => {
    expect(findUnsupported(apolloConfig({ config: { supergraph: { sdl: SDL } }, rest: {} }), LOADED)).toEqual([]);
  });

  describe.each(KINDS.map(({ path, kind }) => [path, supportOf(kind)] as const))('%s', (path, support) => {
    const changed = 'a value that is not a default';

    if (support.kind === 'absent') {
      it('is rejected by name with the remedy, unless its value has no effect', () => {
        expect(findUnsupported(withValue(path, changed), LOADED)).toEqual([
          `${path} is not supported, because ${support.because}. Remove the setting.`,
        ]);
        for (const off of support.off) expect(findUnsupported(withValue(path, off), LOADED)).toEqual([]);
      });
    } else if (support.kind === 'of-subscriptions') {
      it('is rejected by name unless subscriptions are omitted', () => {
        const config = withValue(path, changed);
        expect(findUnsupported(config, LOADED)).toEqual([
          expect.stringMatching(`^${path} is not supported, .*engine.subscriptions to omit`),
        ]);
        expect(findUnsupported({ ...config, engine: { ...config.engine, subscriptions: 'omit' } }, LOADED)).toEqual([]);
      });
    } else if (support.kind === 'followed' && path !== 'profile') {
      it('is applied', () => {
        expect(findUnsupported(withValue(path, changed), LOADED)).toEqual([]);
      });
    }
  });

  it.each<readonly [string, GatewayConfigInput, string]>([
    ['enforced budgets', { budget: { mode: 'enforce' } }, 'Set budget.mode to off'],
    ['measured budgets', { budget: { mode: 'measure' } }, 'Budgets of callers are not measured. Set budget.mode to off.'],
    ['an enforced operation cost', { limits: { modes: { cost: 'enforce' } } }, 'Set limits.modes.cost to measure'],
    ['an enforced page size', { limits: { modes: { pageSize: 'enforce' } } }, 'Set limits.modes.pageSize to measure'],
  ])('rejects %s and states the remedy', (_what, config, advice) => {
    expect(findUnsupported(apolloConfig({ config: { ...config, supergraph: { sdl: SDL } } }), LOADED)).toEqual([
      expect.stringContaining(advice),
    ]);
  });

  it('names each missing protection once with production defaults', () => {
    const config = apolloConfig({
      config: { supergraph: { sdl: SDL }, budget: {}, limits: { modes: { cost: undefined, pageSize: undefined } } },
    });
    const findMissing = (costRules: Partial<CostRules>) =>
      findUnsupported(config, { ...LOADED, costRules: { ...LOADED.costRules, ...costRules } });
    expect(findMissing({})).toEqual([expect.stringContaining('budget.mode'), expect.stringContaining('limits.modes.pageSize')]);
    expect(findMissing({ weights: new Map([['Query.some', 1]]) })).toEqual([
      expect.stringContaining('budget.mode'),
      expect.stringContaining('limits.modes.cost'),
      expect.stringContaining('limits.modes.pageSize'),
    ]);
  });

  it.each([
    ['url', { url: 'https://example.com/supergraph' }],
    ['subgraphs', { subgraphs: { books: { url: 'http://127.0.0.1:1' } } }],
    ['uplink', { uplink: { key: 'service:x:y', graphRef: 'x@current' } }],
  ])('rejects the supergraph source %s and states the remedy', (name, supergraph) => {
    expect(findUnsupported(apolloConfig({ config: { supergraph } }), LOADED)).toEqual([
      expect.stringMatching(`^supergraph\\.${name} is not supported\\. .*gatefold compose`),
    ]);
  });
});
