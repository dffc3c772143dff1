import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chooseProgram, type Programs, readHead, readPrograms } from '../../../../cli/tooling/programs.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';

let programs: Programs;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatefold-programs-'));
  await writeFile(
    join(folder, 'rate.ts'),
    '/**\n * Measures rates,\n * all of them.\n *\n * Duration: about 2 minutes\n *\n * RATES (5).\n */\n',
  );
  await writeFile(join(folder, 'age.ts'), '/**\n * Measures ages.\n *\n * Duration: a second\n */\n');
  await writeFile(join(folder, 'note.md'), '');
  programs = { kind: 'proof', script: 'prove', folder, shortcuts: { fast: ['rate', '--quick'] } };
});
afterEach(async () => rm(programs.folder, { recursive: true }));

describe('programs of a folder', () => {
  it.each([
    ['without a comment', "import 'a';\n/** Measures. Duration: 1 s */", { purpose: '', duration: '' }],
    ['without a purpose', '/**\n * Duration: 1 s\n */', { purpose: '', duration: '1 s' }],
    ['without a duration', '/**\n * Measures rates.\n */', { purpose: 'Measures rates.', duration: '' }],
  ])('an empty value is read from a head comment %s', (_what, source, expected) => {
    expect(readHead(source)).toEqual(expected);
  });

  it('rejects an unknown name and lists the existing ones', () => {
    expect(chooseProgram(programs, ['nope'])).toEqual({
      text: 'Unknown proof "nope". `npm run prove <name>` accepts one of: age, fast, rate.',
      exitCode: 2,
    });
  });

  it.each(['../rate', '--quick', ''])('rejects %p as a name', (name) => {
    expect(chooseProgram(programs, [name])).toMatchObject({ exitCode: 2 });
  });

  it('lists all programs with duration and purpose without a name', () => {
    const choice = chooseProgram(programs, []);
    expect(choice).toMatchObject({ exitCode: 0 });
    expect('text' in choice && choice.text.split('\n')).toEqual([
      'npm run prove <name> runs a proof:',
      '',
      'age (a second)',
      '  Measures ages.',
      '',
      'rate (about 2 minutes)',
      '  Measures rates, all of them.',
      '',
      'fast',
      '  Runs rate --quick.',
    ]);
  });

  it('runs the file of a name or a shortcut with all arguments', () => {
    expect(chooseProgram(programs, ['age', '7'])).toEqual({ file: join(programs.folder, 'age.ts'), args: ['7'] });
    expect(chooseProgram(programs, ['fast', '--rounds', '1'])).toEqual({
      file: join(programs.folder, 'rate.ts'),
      args: ['--quick', '--rounds', '1'],
    });
  });
});

describe.each(['tests/proofs', 'bench'])('the programs of %s', (folder) => {
  it('have a purpose and a duration in their head comment', () => {
    const found = readPrograms(join(packageRoot, folder));
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter(({ purpose, duration }) => purpose.length < 20 || !/^\D*\d+ (second|minute)s?/.test(duration))).toEqual([]);
  });
});
