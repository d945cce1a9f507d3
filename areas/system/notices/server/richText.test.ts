import fc from 'fast-check'
import { expect, it } from 'vitest'
import { richTags } from '../contract.ts'
import { cleanRichText } from './richText.ts'

/** All that may ever come out: these tags, this one kind of link, and text without a bare angle bracket or quote. */
const harmless = new RegExp(
  `^(?:</?(?:${richTags.filter((t) => t !== 'a').join('|')})>|</a>|<a href="(?:#|(?:https?://|mailto:)[^\\s"'<>]*)" rel="noopener noreferrer" target="_blank">|[^<>"])*$`,
)

it('keeps paragraphs, emphasis, lists and links', () => {
  expect(cleanRichText('<div>Pump <b>3</b> stops<br/>at <em>six</em></div><ul><li>one<li>two</ul>')).toBe(
    '<p>Pump <b>3</b> stops<br>at <em>six</em></p><ul><li>one<li>two</li></li></ul>',
  )
  expect(cleanRichText('<a href="https://example.org/?a=1&amp;b=2" onclick="x()">here</a>')).toBe(
    '<a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer" target="_blank">here</a>',
  )
  expect(cleanRichText('2 < 3 & 4 > 1 &lt;b&gt;')).toBe('2 &lt; 3 &amp; 4 &gt; 1 &lt;b&gt;')
})

it.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href=\'https://x" onmouseover="alert(1)\'>x</a>',
  '<p onclick="alert(1)" style="background:url(//evil)">x</p>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<scr<script></script>ipt>alert(1)</script>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<b <script>alert(1)</script>',
  '"><script>alert(1)</script>',
  '<p title="<img src=x onerror=alert(1)>">',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
])('takes what acts out of %s', (given) => {
  const cleaned = cleanRichText(given)
  expect(cleaned).toMatch(harmless)
  expect(cleaned).not.toMatch(/<(?!\/?(?:p|b|a)\b)|javascript:|data:/)
})

it('gives nothing but what is allowed for any text, and leaves alone what it gave', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '<p>',
      '</p>',
      '<a href="',
      'https://x',
      '<!--',
      '-->',
      '<script',
      '</script>',
      '/',
      '=',
      '<li>',
      '<svg>',
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const once = cleanRichText(parts.join(''))
      return harmless.test(once) && cleanRichText(once) === once
    }),
    { numRuns: 2000 },
  )
})

it('takes no longer for what is made to take long', () => {
  for (const piece of ['<a ', '<a "', '<!--', '<script>', '<b><', "<p '"])
    expect(cleanRichText(piece.repeat(20_000 / piece.length))).toMatch(harmless)
})
