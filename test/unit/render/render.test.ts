import { expect } from 'chai';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { parse } from 'yaml';
import { toJson } from '../../../src/render/json.ts';
import { render } from '../../../src/render/render.ts';
import { loadTheme, PLAIN_THEME, TONES } from '../../../src/render/theme.ts';
import { toYaml } from '../../../src/render/yaml.ts';
import { parseJson } from '../../../src/support/json.ts';

const OPTIONS = { width: 80, hasColor: false };
const SEQUENCE = 1764426000123456789n;

describe('render/render', () => {
  const view = { text: (document: { a: string }) => `text ${document.a}\n\n`, html: () => '<p>' };

  it('ends in one newline in every format', async () => {
    const texts = await Promise.all(
      (['text', 'json', 'yaml', 'html'] as const).map((format) =>
        render({ a: 'b' }, view, { ...OPTIONS, format }),
      ),
    );
    expect(texts).to.deep.equal(['text b\n', '{\n  "a": "b"\n}\n', 'a: b\n', '<p>\n']);
  });

  it('shows the text where a view has no page', async () => {
    expect(await render({ a: 'b' }, { text: view.text }, { ...OPTIONS, format: 'html' })).to.equal(
      'text b\n',
    );
  });
});

describe('render/json', () => {
  it('writes integers of any size bare and leaves absent members out', () => {
    expect(toJson({ n: SEQUENCE, total: 1n << 80n, gone: undefined })).to.equal(
      '{\n  "n": 1764426000123456789,\n  "total": 1208925819614629174706176\n}',
    );
  });
});

describe('render/yaml', () => {
  it('writes integers of any size bare and leaves absent members out', async () => {
    expect(
      await toYaml({ number: SEQUENCE, total: 1n << 80n, gone: undefined, empty: [], none: {} }),
    ).to.equal(
      'number: 1764426000123456789\ntotal: 1208925819614629174706176\nempty: []\nnone: {}\n',
    );
  });

  const ambiguous = [
    'yes',
    'No',
    'on',
    'y',
    'null',
    '~',
    '',
    '1:20',
    '0o17',
    '017',
    '0x1F',
    '1e5',
    '0e12',
    '1_000',
    '.inf',
  ];
  ambiguous.push(
    '2026-11-29',
    '2026-11-29T12:00:00Z',
    '<<',
    '=',
    '-',
    '+1',
    ' x ',
    'a: b',
    '#x',
    'a\nb',
    'a\u2028b',
    '\u0085',
    '@a',
    '%a',
  );
  for (const text of ambiguous) {
    it(`keeps ${JSON.stringify(text)} a text for readers of YAML 1.1 and 1.2`, async () => {
      // Some readers merge at a key of that text even when it is quoted; no document of ours has one.
      const document = { value: text, [text === '<<' ? 'key' : text]: 1 };
      const printed = await toYaml(document);
      expect(parse(printed, { version: '1.2' })).to.deep.equal(document);
      expect(parse(printed, { version: '1.1' })).to.deep.equal(document);
      expect(load(printed)).to.deep.equal(document);
    });
  }

  it('reads back as the JSON does, whatever the texts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }), async (value) => {
        const document = JSON.parse(JSON.stringify({ value })) as unknown;
        const printed = await toYaml(document);
        for (const version of ['1.1', '1.2'] as const) {
          expect(JSON.stringify(parse(printed, { version }))).to.equal(JSON.stringify(document));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('agrees with JSON on 64-bit numbers', async () => {
    const document = { sequenceNumber: SEQUENCE };
    expect(parse(await toYaml(document), { intAsBigInt: true })).to.deep.equal(
      parseJson(toJson(document)),
    );
  });
});

describe('render/theme', () => {
  it('paints nothing without colour', async () => {
    expect(await loadTheme(false)).to.equal(PLAIN_THEME);
    expect(TONES.map((tone) => PLAIN_THEME[tone]('x'))).to.deep.equal(TONES.map(() => 'x'));
  });

  it('paints each meaning in its own way, whatever NO_COLOR says', async () => {
    const theme = await loadTheme(true);
    expect(new Set(TONES.map((tone) => theme[tone]('x'))).size).to.equal(TONES.length);
    expect(['x', 'y'].map(theme.problem)).to.deep.equal([
      '\u001b[31mx\u001b[39m',
      '\u001b[31my\u001b[39m',
    ]);
  });
});
