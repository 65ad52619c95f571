import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type MetricsOutput, openMetrics } from '../../../src/cli/metrics-server.ts';
import type { CollectorMetrics } from '../../../src/operations/gc/collector-memory.ts';
import { failureOf, temporaryFolders } from '../../support/temp-folder.ts';

const METRICS: CollectorMetrics = [
  {
    name: 'ipam_blocks',
    help: 'Blocks.',
    type: 'gauge',
    labelNames: ['ippool', 'node'],
    samples: [{ labels: { ippool: 'main', node: 'node-a' }, value: 3 }],
  },
  {
    name: 'ipam_allocations_gc_reclamations',
    help: 'Released.',
    type: 'counter',
    labelNames: ['ippool', 'node'],
    samples: [{ labels: { ippool: 'main', node: 'node-a' }, value: 2 }],
  },
];

const TEXT = [
  '# HELP ipam_blocks Blocks.',
  '# TYPE ipam_blocks gauge',
  'ipam_blocks{ippool="main",node="node-a"} 3',
  '',
  '# HELP ipam_allocations_gc_reclamations Released.',
  '# TYPE ipam_allocations_gc_reclamations counter',
  'ipam_allocations_gc_reclamations{ippool="main",node="node-a"} 2',
  '',
].join('\n');

describe('cli/metrics-server', () => {
  const writeFolder = temporaryFolders();
  let opened: MetricsOutput | undefined;
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });

  it('opens nothing when nothing is asked for', async () => {
    expect(await openMetrics({})).to.equal(undefined);
  });

  it('writes a file that others may read', async () => {
    const file = join(await writeFolder({}), 'ipam.prom');
    opened = await openMetrics({ file });
    await opened?.publish(METRICS);
    expect(readFileSync(file, 'utf8')).to.equal(TEXT);
    expect(statSync(file).mode & 0o777).to.equal(0o644);
    await opened?.publish([]);
    expect(readFileSync(file, 'utf8').trim()).to.equal('');
  });

  for (const [listen, url] of [
    ['0', /^http:\/\/127\.0\.0\.1:\d+\/metrics$/],
    ['localhost:0', /^http:\/\/127\.0\.0\.1:/],
    ['127.0.0.2:0', /^http:\/\/127\.0\.0\.2:/],
  ] as const) {
    it(`serves the last metrics at ${listen}`, async () => {
      opened = await openMetrics({ listen });
      expect(opened?.url).to.match(url);
      const address = opened?.url ?? '';
      await opened?.publish(METRICS);
      const response = await fetch(address);
      expect(await response.text()).to.equal(TEXT);
      expect(response.headers.get('content-type')).to.contain('version=0.0.4');
      expect((await fetch(new URL('/', address))).status).to.equal(404);
    });
  }

  for (const listen of [
    '0.0.0.0:9100',
    '[::]:9100',
    '192.0.2.1:9100',
    'example.com:9100',
    'x',
    '127.0.0.1',
    '70000',
  ]) {
    it(`refuses ${listen}`, async () => {
      expect(await failureOf(openMetrics({ listen }))).to.include({ code: 'USAGE' });
    });
  }

  it('refuses a port that is in use', async () => {
    opened = await openMetrics({ listen: '0' });
    const { port } = new URL(opened?.url ?? '');
    expect(await failureOf(openMetrics({ listen: port }))).to.include({ code: 'USAGE' });
  });
});
