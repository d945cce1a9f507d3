import { entryOf } from '../../../../contract/prototypes.ts'
import { richAddress, richTags } from '../contract.ts'

const allowed = new Set<string>(richTags)
/** Elements that editors produce, and their replacements. */
const meant: Record<string, string> = { div: 'p', h1: 'h3', h2: 'h3', h4: 'h3' }
/** Elements whose content is not shown. */
const silent = /<(script|style|title|textarea|xmp|iframe|noembed|noframes|noscript|template|svg|math)\b[\s\S]*?(<\/\1\s*>|$)/gi
/** Attributes must not match a part of the name: otherwise a name without an end would be tried at every length. */
const piece = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][a-z0-9]*)(?![a-z0-9])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>|([^<]+|<)/gi
const entity = /&(?!(?:amp|lt|gt|quot|nbsp|#39);)/g
const escaped = (text: string) => text.replace(entity, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

/**
 * Reduces external rich text to the few elements of `richTags`. No markup of the input is passed on: the output is composed
 * of escaped text, tags written here, and checked addresses, with every element closed. It therefore needs neither a list of
 * dangerous markup nor a parser that behaves like a browser.
 */
export const cleanRichText = (given: string): string => {
  const open: string[] = []
  let out = ''
  for (const [whole, closing, name, attributes, text] of given.replace(silent, '').matchAll(piece)) {
    if (text !== undefined) out += escaped(text)
    if (!name) continue
    const lower = name.toLowerCase()
    const tag = entryOf(meant, lower) ?? lower
    if (!allowed.has(tag) || whole.startsWith('<!')) continue
    if (tag === 'br') out += '<br>'
    else if (closing) {
      if (!open.includes(tag)) continue
      for (let last: string | undefined; last !== tag; ) {
        last = open.pop()
        out += `</${last}>`
      }
    } else {
      out += tag === 'a' ? `<a href="${addressOf(attributes ?? '')}" rel="noopener noreferrer" target="_blank">` : `<${tag}>`
      open.push(tag)
    }
  }
  return (
    out +
    open
      .reverse()
      .map((tag) => `</${tag}>`)
      .join('')
  )
}

const addressOf = (attributes: string) => {
  const [, double, single] = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes) ?? []
  const address = (double ?? single ?? '').trim().replaceAll('&amp;', '&')
  return richAddress.test(address) ? escaped(address.replaceAll('&', '&amp;')) : '#'
}
