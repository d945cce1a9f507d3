// Parses the elements of an SVG file strictly. Nothing external is loaded, and no entity is expanded.
import { SaxesParser } from 'saxes'
import { type Dropped, limits, Refusal } from './refusal.ts'

export type Node = { name: string; attributes: ReadonlyMap<string, string>; children: Node[] }
export type Drop = (what: Dropped) => void

const svgSpace = 'http://www.w3.org/2000/svg'
const linkSpace = 'http://www.w3.org/1999/xlink'

const isInside = (value: string) => /^\s*url\(\s*["']?#[^)]*\)\s*$/i.test(value)

/** Allowed attributes; those that could act or fetch are dropped. */
const readAttributes = (given: Iterable<{ uri: string; local: string; value: string }>, drop: Drop): Map<string, string> => {
  const kept = new Map<string, string>()
  for (const { uri, local, value } of given) {
    const name = local.toLowerCase()
    if (uri !== '' && uri !== linkSpace && uri !== svgSpace) {
      if (name === 'base') drop('link')
    } else if (name.startsWith('on')) drop('handler')
    else if (name === 'href') {
      if (value.startsWith('#')) kept.set('href', value)
      else drop('link')
    } else if (name === 'src' || name === 'from' || name === 'to' || name === 'values') drop('link')
    else if (/url\s*\(/i.test(value) && name !== 'style')
      drop(isInside(value) ? (name === 'fill' || name === 'stroke' ? 'paint' : 'effect') : 'reference')
    else if (uri === '') kept.set(local, value)
  }
  return kept
}

/** The root of a file, and the text of its style elements. */
export const readXml = (text: string, drop: Drop): { root: Node; css: string } => {
  if (text.length > limits.text) throw new Refusal('tooLarge')
  const parser = new SaxesParser({ xmlns: true })
  const open: Node[] = []
  let root: Node | undefined
  let [nodes, css] = [0, '']
  parser.on('error', () => {
    throw new Refusal('notXml')
  })
  parser.on('doctype', (doctype) => {
    // A plain DOCTYPE is common and never fetched; one with declarations could define entities.
    if (/[[<]|ENTITY/i.test(doctype)) throw new Refusal('entities')
  })
  parser.on('processinginstruction', () => drop('css'))
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (++nodes > limits.nodes) throw new Refusal('tooManyNodes')
    if (open.length >= limits.depth) throw new Refusal('tooDeep')
    const isOurs = uri === svgSpace || uri === ''
    const kept = readAttributes(Object.values(attributes), drop)
    // Elements of other namespaces stay in the tree under a name that nothing draws.
    const name = isOurs ? local : uri === 'http://www.w3.org/1999/xhtml' ? '#foreign' : '#metadata'
    const node: Node = { name, attributes: kept, children: [] }
    open.at(-1)?.children.push(node)
    root ??= node
    open.push(node)
  })
  parser.on('closetag', () => open.pop())
  const onText = (given: string) => {
    if (open.at(-1)?.name !== 'style') return
    css += given
    if (css.length > limits.css) throw new Refusal('tooLarge')
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.write(text).close()
  if (root?.name !== 'svg') throw new Refusal('notSvg')
  return { root, css }
}
