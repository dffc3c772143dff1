#!/usr/bin/env node
/*
 * Entry point of the command. It checks the version of Node.js before anything else is loaded. Older versions fail while they parse or link
 * the other modules, with a stack trace that does not name the reason. Therefore this file imports nothing statically, and uses only syntax
 * and functions of Node.js 10.
 */

/** Oldest supported version of Node.js: major and minor number. Equal to `engines.node` of package.json. */
const oldestMajor = 20;
const oldestMinor = 19;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(
    `Gatefold requires Node.js ${oldestMajor}.${oldestMinor} or later, but this is Node.js ${process.versions.node} (${process.execPath}).\n` +
      'Install a newer version, for example with `nvm install 22`, and run the command again.\n',
  );
  process.exitCode = 1;
} else {
  // Without a handler, a failure to load is reported by Node.js, which also sets the exit code.
  void import('./start.ts');
}
