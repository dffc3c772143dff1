/**
 * Copies the files of Swagger UI that the documentation page uses to `dist/swagger-ui`, with their licenses. The package itself depends on
 * a package that reports installations to a third party, so it must not be a dependency of the published package.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './run-command.js';

const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'favicon-32x32.png', 'NOTICE', 'LICENSE'];

const source = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const target = join(root, 'dist/swagger-ui');
mkdirSync(target, { recursive: true });
for (const file of FILES) copyFileSync(join(source, file), join(target, file));
