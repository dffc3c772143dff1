import { describe, expect, it } from '@jest/globals';
import { createBudgets } from '../../../../gateway/budget/budgets.ts';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';
import { systemClock } from '../../../../gateway/platform/clock.ts';
import { createLogSampler } from '../../../../gateway/platform/log-sampler.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import type { Principal } from '../../../../gateway/platform/principal.ts';

const clock = { ...systemClock, monotonic: () => 0 };

function createTestBudgets() {
  const rate = { refillPerSecond: 1 };
  const { budget } = resolveGatewayConfig({
    budget: { mode: 'enforce', signedIn: { capacity: 10, ...rate }, rules: [{ name: 'kiosks', client: 'kiosk', capacity: 3, ...rate }] },
  });
  return createBudgets(budget, { redis: undefined, clock, sampler: createLogSampler({ logger: silentLogger, clock }) });
}

const user = (id: string): Principal => ({ kind: 'user', id, roles: new Set(), scopes: new Set(), claims: {} });

/** Counts the operations with a cost of one point that are granted. */
function countGranted(budgets: ReturnType<typeof createTestBudgets>, id: string, client?: string): number {
  const headers = client === undefined ? {} : { 'graphql-client-name': client };
  for (let granted = 0; granted < 100; granted += 1) {
    try {
      void budgets.of({ principal: user(id), headers }).spend({ kind: 'query' }, 1);
    } catch {
      return granted;
    }
  }
  return 100;
}

describe('a rule of budgets with a client', () => {
  it('does not let the client use the other points of its caller', () => {
    const budgets = createTestBudgets();
    expect(countGranted(budgets, '1', 'kiosk')).toBe(3);
    expect(countGranted(budgets, '1')).toBe(10);
  });

  it('gives no further points to a client that changes its name', () => {
    const budgets = createTestBudgets();
    const names = [undefined, 'kiosk', 'other', 'a', 'b', 'kiosk '];
    const granted = names.map((name) => countGranted(budgets, '1', name));
    expect(granted.reduce((sum, count) => sum + count, 0)).toBe(13);
  });

  it('gives each caller a separate budget', () => {
    const budgets = createTestBudgets();
    expect([countGranted(budgets, '1', 'kiosk'), countGranted(budgets, '2', 'kiosk')]).toEqual([3, 3]);
  });
});
