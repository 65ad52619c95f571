import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../support/source-files.ts';
import { temporaryFolders } from '../support/temp-folder.ts';

interface KrewPlatform {
  readonly selector: { readonly matchLabels: { readonly os: string; readonly arch: string } };
  readonly uri: string;
  readonly sha256: string;
  readonly bin: string;
  readonly files: readonly { readonly from: string; readonly to: string }[];
}

interface KrewManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly version: string;
    readonly shortDescription: string;
    readonly platforms: readonly KrewPlatform[];
  };
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const template = (): KrewManifest => parse(read('deploy/krew/ipamctl.yaml')) as KrewManifest;
const { bin } = JSON.parse(read('package.json')) as { bin: Readonly<Record<string, string>> };

describe('architecture/packaging', () => {
  it('has executable entries for the program, for the plugin of kubectl and for its completion', () => {
    const names = ['ipamctl', 'kubectl-ipamctl', 'kubectl_complete-ipamctl'];
    expect(Object.keys(bin)).to.deep.equal(names);
    for (const [name, path] of Object.entries(bin)) {
      const interpreter = name === 'kubectl_complete-ipamctl' ? 'bash' : 'node';
      expect(read(path).split('\n')[0], path).to.equal(`#!/usr/bin/env ${interpreter}`);
      expect(statSync(join(ROOT, path)).mode & 0o111, path).to.equal(0o111);
    }
  });

  it('describes a plugin for krew that holds its licences and its own program', () => {
    const { apiVersion, kind, metadata, spec } = template();
    expect([apiVersion, kind, metadata.name]).to.deep.equal([
      'krew.googlecontainertools.github.com/v1alpha2',
      'Plugin',
      'ipamctl',
    ]);
    // krew cuts longer ones.
    expect(spec.shortDescription.length).to.be.lessThan(51);
    for (const { files, bin: program, selector, uri } of spec.platforms) {
      expect(files.map(({ from }) => from)).to.have.members([
        program,
        'LICENSE',
        'THIRD_PARTY_NOTICES.md',
        'LICENSE-node.txt',
      ]);
      const { os, arch } = selector.matchLabels;
      expect(uri).to.match(new RegExp(`-${os}-${arch}\\.tar\\.gz$`));
    }
    const platforms = spec.platforms.map(({ selector }) => JSON.stringify(selector));
    expect(new Set(platforms).size).to.equal(platforms.length);
  });
});

describe('scripts/fill-krew-manifest', () => {
  const writeFolder = temporaryFolders();
  const fill = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'scripts', 'fill-krew-manifest.mjs'), ...args], {
      encoding: 'utf8',
    });
  const release = (folder: string) =>
    fill(
      '--version',
      '1.2.3',
      '--base-url',
      'https://releases.example/v1.2.3/',
      '--archives',
      folder,
    );

  it('names each archive of a release with its hash, and tells which are not there', async () => {
    const content = 'an archive';
    const folder = await writeFolder({ 'ipamctl-1.2.3-linux-amd64.tar.gz': content });
    const { status, stdout, stderr } = release(folder);
    expect(status).to.equal(0);
    const { spec } = parse(stdout) as KrewManifest;
    expect(spec.version).to.equal('v1.2.3');
    expect(spec.platforms).to.have.lengthOf(1);
    expect(spec.platforms[0]).to.deep.include({
      uri: 'https://releases.example/v1.2.3/ipamctl-1.2.3-linux-amd64.tar.gz',
      sha256: createHash('sha256').update(content).digest('hex'),
      bin: 'ipamctl',
    });
    expect(stdout).to.not.include('${');
    expect(stderr.split('\n').filter(Boolean)).to.have.lengthOf(
      template().spec.platforms.length - 1,
    );
  });

  it('makes no manifest of nothing', async () => {
    expect(release(await writeFolder({}))).to.include({ status: 1, stdout: '' });
    expect(fill('--version', '1.2.3')).to.include({ status: 2, stdout: '' });
    const tagged = fill(
      '--version',
      'v1.2.3',
      '--base-url',
      'https://x.example',
      '--archives',
      '.',
    );
    expect(tagged).to.include({ status: 2, stdout: '' });
  });
});
