import { join } from 'node:path';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { type ProjectConfiguration, readProjects, type TestProject } from './select-tests.ts';

/** Loads the projects of `jest.config.js`. Loading the packages of Jest is slow, so it happens only if paths are given. */
export async function loadProjects(): Promise<readonly TestProject[]> {
  const { globsToMatcher } = await import('jest-util');
  const { default: config } = (await import(join(packageRoot, 'jest.config.js'))) as {
    readonly default: { readonly projects: readonly ProjectConfiguration[] };
  };
  return readProjects(config.projects, globsToMatcher);
}
