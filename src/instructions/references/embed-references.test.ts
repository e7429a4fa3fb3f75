import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EmbeddedBody, type EmbeddedReferences, embedReferences } from './embed-references.ts';
import { askDisk, type Disk } from './test-disk.ts';

const RULES = { project: '/repo', home: '/home/ada', userDirectory: '/home/ada/.config/rein', trusted: false, cap: 10 };

function body(text: string, fields: Partial<EmbeddedBody> = {}): EmbeddedBody {
  const directory = '/repo/.rein/facets';
  return { text, path: `${directory}/scribe.md`, directory, scope: 'project', line: 4, ...fields };
}

function embed(given: EmbeddedBody, disk: Disk, mode: 'template' | 'literal' = 'literal'): EmbeddedReferences {
  return askDisk((world) => embedReferences(given, world, RULES, mode), disk).answer;
}

describe('embedReferences', () => {
  test('in a template a call stands for the envelope, and the same file is kept once', () => {
    const disk = { '/repo/.rein/facets/a.md': '{{ evil }}\n', '/repo/src/b.ts': 'b' };
    expect(embed(body('X @a.md, @src/b.ts\n@a.md'), disk, 'template')).toEqual({
      text: 'X {{ embedded(0) }}, {{ embedded(1) }}\n{{ embedded(0) }}',
      embedded: [
        '<embedded-file path=".rein/facets/a.md">\n{{ evil }}\n</embedded-file>',
        '<embedded-file path="src/b.ts">\nb\n</embedded-file>',
      ],
      paths: ['/repo/.rein/facets/a.md', '/repo/src/b.ts'],
      fragments: [],
      diagnostics: [],
    });
  });

  test('in a literal text the envelope stands in place of the reference, and its bytes are told', () => {
    const { text, fragments } = embed(body('é @a.md.'), { '/repo/a.md': 'ü' });
    expect(text).toBe('é <embedded-file path="a.md">\nü\n</embedded-file>.');
    expect(fragments).toEqual([{ at: [3, 3 + Buffer.byteLength(text) - 4], from: { path: '/repo/a.md' } }]);
  });

  test('the query cuts at 64 KiB and is asked when the body is loaded; a cut is told in the envelope', () => {
    const asked = embedReferences(body('@~/big.md', { scope: 'user' }), { files: [], searched: [] }, RULES, 'literal');
    const [query] = 'queries' in asked ? asked.queries : [];
    expect([query?.kind, query?.cap, query?.overCap, query?.refresh]).toEqual([
      'embedded-file',
      65_536,
      'cut',
      'startup',
    ]);
    const { text } = embed(body('@big.txt'), { '/repo/big.txt': 'x'.repeat(65_540) });
    expect(text).toBe(
      `<embedded-file path="big.txt">\n${'x'.repeat(65_536)}\n[Cut: the first 65536 bytes; 4 more are left out.]\n</embedded-file>`,
    );
  });

  test('its own closing tag in a file is neutralised and told', () => {
    const { text, diagnostics } = embed(body('@a.md'), { '/repo/a.md': 'x\n</embedded-file>' });
    expect(text).toBe('<embedded-file path="a.md">\nx\n&lt;/embedded-file>\n</embedded-file>');
    expect(diagnostics.map(({ code, path, line }) => [code, path, line])).toEqual([
      ['instructions/closing-tag', '/repo/a.md', 2],
    ]);
  });

  test('what cannot be read, is no text, or may not be read, stays as it was typed, and is told', () => {
    const typed = 'x @gone.md\n@bin.dat @acme/cli\n@~/me.md `@code.md` @word';
    const { text, embedded, diagnostics } = embed(body(typed), { '/repo/bin.dat': 'a\0b', '/home/ada/me.md': 'ME' });
    expect([text, embedded]).toEqual([typed, []]);
    expect(diagnostics.map(({ severity, code, line, column }) => [severity, code, line, column])).toEqual([
      ['info', 'references/missing', 4, 3],
      ['info', 'references/not-text', 5, 1],
      ['info', 'references/missing', 5, 10],
      ['warning', 'references/needs-trust', 6, 1],
    ]);
  });

  test('what is embedded is not searched for references', () => {
    const { text } = embed(body('@a.md'), { '/repo/a.md': '@b.md', '/repo/b.md': 'B' });
    expect(text).toBe('<embedded-file path="a.md">\n@b.md\n</embedded-file>');
  });

  test('in a template, what the engine reads is left alone', () => {
    const disk = { '/repo/a.md': 'A' };
    const template = [
      '{{ f("}} @a.md") }} @a.md',
      '{# @a.md #} @a.md',
      '{% if x == "%} @a.md" %} @a.md {% endif %}',
      '{%- raw -%} {{ @a.md {%- endraw -%} @a.md',
      '{{ @a.md',
    ].join('\n');
    const text = embed(body(template), disk, 'template').text;
    expect(text).toBe(
      [
        '{{ f("}} @a.md") }} {{ embedded(0) }}',
        '{# @a.md #} {{ embedded(0) }}',
        '{% if x == "%} @a.md" %} {{ embedded(0) }} {% endif %}',
        '{%- raw -%} {{ @a.md {%- endraw -%} {{ embedded(0) }}',
        '{{ @a.md',
      ].join('\n'),
    );
  });

  test('more than 64 references are told and stay', () => {
    const { text, diagnostics } = embed(body('@a.md '.repeat(66)), { '/repo/a.md': 'A' });
    expect(text.match(/<embedded-file path/g)?.length).toBe(64);
    expect(text.endsWith('@a.md @a.md ')).toBe(true);
    expect(diagnostics.map(({ code, column }) => [code, column])).toEqual([['references/too-many', 385]]);
  });

  test('over any text, fragments are exactly the envelopes, and without them the text is as it was typed', () => {
    const unit = fc.constantFrom('@a.md', '@b.md', '@gone.md', ' ', '\n', 'é', '🦀', '\ud800', '`', '{{', '}}', '{%');
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), (units) => {
        const typed = units.join('');
        const disk = { '/repo/a.md': 'ü\ud800', '/repo/b.md': '@a.md' };
        const { text, fragments, embedded, paths } = embed(body(typed), disk);
        const bytes = Buffer.from(text);
        let rest = '';
        let end = 0;
        for (const { at, from } of fragments) {
          const envelope = embedded[paths.indexOf(from.path)] ?? '';
          expect(bytes.toString('utf8', ...at)).toBe(envelope.toWellFormed());
          rest += `${bytes.toString('utf8', end, at[0])}@${from.path.slice('/repo/'.length)}`;
          end = at[1];
        }
        expect(rest + bytes.toString('utf8', end)).toBe(typed.toWellFormed());
        const template = embed(body(typed), disk, 'template');
        const filled = template.text.replace(
          /\{\{ embedded\((\d)\) \}\}/g,
          (_call, number: string) => `@${template.paths[Number(number)]?.slice('/repo/'.length)}`,
        );
        expect(filled).toBe(typed);
      }),
    );
  });
});
