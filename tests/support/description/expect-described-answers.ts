import { afterAll, afterEach } from '@jest/globals';
import { type AnswerWatch, watchAnswers } from './watch-answers.ts';

let watch: AnswerWatch;

/** Sets up each test file: a response that differs from its description fails the test that received it. */
export default function expectDescribedResponses(): void {
  watch = watchAnswers();
  afterEach(expectNoFaults);
  afterAll(async () => {
    watch.stop();
    await expectNoFaults();
  });
}

/** @unit milliseconds */
const PATIENCE_MS = 2_000;

/** Waits until a deliberate violation is reported, and removes it. @throws Error when it is not reported, or when anything else is */
export async function expectFault(planted: RegExp): Promise<void> {
  const endsAt = Date.now() + PATIENCE_MS;
  const faults: string[] = [];
  while (faults.length === 0 && Date.now() < endsAt) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    faults.push(...(await takeFaults()));
  }
  const others = faults.filter((fault) => !planted.test(fault));
  if (faults.length === 0 || others.length > 0)
    throw new Error(`Expected only an error that matches ${planted}, but got: ${others.join('; ') || 'no error'}`);
}

async function takeFaults(): Promise<readonly string[]> {
  return (await watch.faults()).map(
    ({ what, faults, text }) => `the response to ${what} does not match its description: ${faults.join('; ')}\n${text}`,
  );
}

async function expectNoFaults(): Promise<void> {
  const faults = await takeFaults();
  if (faults.length > 0) throw new Error(faults.slice(0, 10).join('\n\n'));
}
