import { afterAll, afterEach } from '@jest/globals';
import { watchAnswers } from './watch-answers.ts';

// Jest loads this before each test file: an answer that is not as described fails the test that it was given in.

const watch = watchAnswers();

/** @unit milliseconds */
const PATIENCE_MS = 2_000;

/** For a test that has planted what is not as described: waits until it is told, and takes it away. @throws Error when nothing else is */
export async function expectFault(planted: RegExp): Promise<void> {
  const endsAt = Date.now() + PATIENCE_MS;
  const faults: string[] = [];
  while (faults.length === 0 && Date.now() < endsAt) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    faults.push(...(await takeFaults()));
  }
  const others = faults.filter((fault) => !planted.test(fault));
  if (faults.length === 0 || others.length > 0)
    throw new Error(`Nothing but ${planted} should be told: ${others.join('; ') || 'nothing is'}`);
}

async function takeFaults(): Promise<readonly string[]> {
  return (await watch.faults()).map(({ what, faults, text }) => `${what} is not answered as described: ${faults.join('; ')}\n${text}`);
}

async function expectNoFaults(): Promise<void> {
  const faults = await takeFaults();
  if (faults.length > 0) throw new Error(faults.slice(0, 10).join('\n\n'));
}

afterEach(expectNoFaults);
afterAll(async () => {
  watch.stop();
  await expectNoFaults();
});
