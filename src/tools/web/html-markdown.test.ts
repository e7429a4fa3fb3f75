import fc from 'fast-check';
import { expect, test } from 'vitest';
import { htmlToMarkdown } from './html-markdown.ts';

function markdown(html: string): string {
  return htmlToMarkdown(html, 'https://example.org/docs/page').markdown;
}

test('a page reads as Markdown', () => {
  const html = `<!doctype html><html><head><title>The
    page</title><style>p { color: red }</style><script>alert('<p>no</p>')</script></head>
    <body><nav><a href="/">Home</a></nav>
    <h1>Install</h1><p>Run   <code>npm ci</code>,<br>then <a href="../next?a=1&amp;b=2">go <b>on</b></a>.</p>
    <ul><li>one<li>two <ol><li>a</li><li>b</li></ol></li></ul>
    <pre><code>if (a &lt; b) {
  run();
}
</code></pre>
    <blockquote><p>Said &mdash; once.</p></blockquote><hr>
    <table><tr><th>name</th><th>size</th></tr><tr><td><p>a</p></td><td>1</td></tr></table>
    <img src="x.png" alt="A drawing"><a href="#top"></a><a href="javascript:x()">script</a></body></html>`;
  expect(markdown(html)).toBe(
    [
      '# The page',
      '# Install',
      'Run `npm ci`,\nthen [go on](https://example.org/next?a=1&b=2).',
      '- one\n- two\n  1. a\n  2. b',
      '```\nif (a < b) {\n  run();\n}\n```',
      '> Said — once.',
      '---',
      '| name | size |\n|---|---|\n| a | 1 |',
      '[image: A drawing] script',
    ].join('\n\n'),
  );
});

test('of a page that marks its main part only that is given', () => {
  const text = 'word '.repeat(60).trim();
  const html = `<title>T</title><header>menu</header><main><h1>M</h1><p>${text}</p></main><footer>legal</footer>`;
  expect(markdown(html)).toBe(`# T\n\n# M\n\n${text}`);
  expect(markdown('<header>menu</header><main>short</main>')).toBe('menu\n\nshort');
});

test('what a person does not see is left out', () => {
  const hidden = ['hidden', 'aria-hidden="true"', 'style="color:red; display : none"', 'style="visibility:hidden"'];
  const html = hidden.map((attribute) => `<div ${attribute}>no <p>never</p></div>`).join('');
  expect(markdown(`<p>a</p>${html}<img hidden alt="x"><p>b<!-- no --></p>`)).toBe('a\n\nb');
});

test('a title that the page repeats as its heading is given once', () => {
  expect(markdown('<title>T</title><h1>T</h1><p>x')).toBe('# T\n\nx');
});

test('code that holds a fence gets a longer one', () => {
  expect(markdown('<pre>```\nx\n```</pre>')).toBe('````\n```\nx\n```\n````');
});

test('a page deeper than any person writes is cut short, and says so', () => {
  const started = performance.now();
  const { cutShort, markdown: text } = htmlToMarkdown(`<p>first</p>${'<div>'.repeat(500_000)}last`, 'https://a.b/');
  expect({ cutShort, text }).toEqual({ cutShort: true, text: 'first' });
  expect(performance.now() - started).toBeLessThan(2000);
});

test.each<[string, string]>([
  ['nested lists', '<ul><li>a'.repeat(900)],
  ['quotes', '<blockquote>a<br>b'.repeat(900)],
  ['open tags', '<b>a<a href=x>'.repeat(400)],
  ['links', '<a href="?">x</a>'.repeat(200_000)],
  ['angle brackets', '<'.repeat(3_000_000)],
  ['ends', '</div></p></li>'.repeat(200_000)],
  ['cells', '<table><tr>'.concat('<td>x</td>'.repeat(100_000))],
])('%s without end cost no time to speak of', (_, html) => {
  const started = performance.now();
  const { markdown: text } = htmlToMarkdown(html, `https://a.b/${'x'.repeat(1000)}`);
  expect(text.length).toBeLessThan(20_000_000);
  expect(performance.now() - started).toBeLessThan(5000);
});

test('any soup of tags gives its text once, in order', () => {
  const tag = fc.constantFrom(
    'p',
    'div',
    'ul',
    'li',
    'b',
    'pre',
    'table',
    'tr',
    'td',
    'blockquote',
    'h2',
    'code',
    'a',
    'main',
  );
  const piece = fc.oneof(
    tag.map((name) => `<${name}>`),
    tag.map((name) => `</${name}>`),
    fc.nat(99).map((number) => `w${number}w`),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const words = pieces.filter((one) => one.startsWith('w'));
      expect(markdown(pieces.join(' ')).match(/w\d+w/g) ?? []).toEqual(words);
    }),
    { numRuns: 500 },
  );
});
