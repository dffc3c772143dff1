import { afterAll, afterEach } from '@jest/globals';
import { type ResponseWatch, watchResponses } from './watch-responses.ts';

let watch: ResponseWatch;

/** Sets up each test file: a response that differs from its description fails the test that received it. */
export default function expectDescribedResponses(): void {
  watch = watchResponses();
  afterEach(expectNoIssues);
  afterAll(async () => {
    watch.stop();
    await expectNoIssues();
  });
}

/** @unit milliseconds */
const PATIENCE_MS = 2_000;

/** Waits until a deliberate violation is reported, and removes it. @throws Error when it is not reported, or when anything else is */
export async function expectIssue(planted: RegExp): Promise<void> {
  const endsAt = Date.now() + PATIENCE_MS;
  const issues: string[] = [];
  while (issues.length === 0 && Date.now() < endsAt) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    issues.push(...(await takeIssues()));
  }
  const others = issues.filter((issue) => !planted.test(issue));
  if (issues.length === 0 || others.length > 0)
    throw new Error(`Expected only an error that matches ${planted}, but got: ${others.join('; ') || 'no error'}`);
}

async function takeIssues(): Promise<readonly string[]> {
  return (await watch.issues()).map(
    ({ what, issues, text }) => `the response to ${what} does not match its description: ${issues.join('; ')}\n${text}`,
  );
}

async function expectNoIssues(): Promise<void> {
  const issues = await takeIssues();
  if (issues.length > 0) throw new Error(issues.slice(0, 10).join('\n\n'));
}
