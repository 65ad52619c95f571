// node scripts/fill-krew-manifest.mjs --version V --base-url URL --archives FOLDER [--homepage URL]: prints the krew manifest of a
// release, with the hashes of its archives in FOLDER. A platform without an archive there is left out and named on stderr.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';

const TEMPLATE = new URL('../deploy/krew/ipamctl.yaml', import.meta.url);

const { values } = parseArgs({
  options: {
    version: { type: 'string' },
    'base-url': { type: 'string' },
    archives: { type: 'string' },
    homepage: { type: 'string' },
  },
});

/** The filled manifest, and the archives that were not there. */
function fill({ version, 'base-url': baseUrl, archives, homepage = baseUrl }) {
  const manifest = parse(readFileSync(TEMPLATE, 'utf8'));
  const missing = [];
  const texts = { VERSION: version, BASE_URL: baseUrl.replace(/\/$/, ''), HOMEPAGE: homepage };
  const filled = (text) => text.replaceAll(/\$\{(\w+)\}/g, (_, name) => texts[name]);
  const { spec } = manifest;
  spec.version = filled(spec.version);
  spec.homepage = filled(spec.homepage);
  spec.platforms = spec.platforms.flatMap((platform) => {
    const uri = filled(platform.uri);
    const archive = join(archives, uri.split('/').at(-1));
    if (existsSync(archive)) return [{ ...platform, uri, sha256: hashOf(archive) }];
    missing.push(archive);
    return [];
  });
  return { manifest, missing };
}

function hashOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

const lacking = ['version', 'base-url', 'archives'].filter((name) => values[name] === undefined);
if (lacking.length > 0) {
  console.error(`give ${lacking.map((name) => `--${name}`).join(', ')}`);
  process.exitCode = 2;
} else if (!/^\d+\.\d+\.\d+/.test(values.version)) {
  console.error(`give --version as three numbers, without a v; this is ${values.version}`);
  process.exitCode = 2;
} else {
  const { manifest, missing } = fill(values);
  for (const archive of missing) console.error(`left out: there is no ${archive}`);
  if (manifest.spec.platforms.length === 0) process.exitCode = 1;
  else process.stdout.write(stringify(manifest, { aliasDuplicateObjects: false, version: '1.1' }));
}
