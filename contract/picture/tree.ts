// A drawing as a tree of SVG elements: text for files, elements for the browser.

export type Attributes = Readonly<Record<string, string | number | undefined>>
export type Tree = { tag: string; attributes: Attributes; children: readonly (Tree | string)[] }

export const el = (tag: string, attributes: Attributes = {}, ...children: readonly (Tree | string | undefined)[]): Tree => ({
  tag,
  attributes,
  children: children.filter((child) => child !== undefined),
})

/** At most three decimals: shorter files, and equal pictures for equal scenes. */
export const round = (n: number) => Math.round(n * 1000) / 1000

/** Path data through places, with gaps. */
export const lineOf = (
  places: readonly (readonly [number, number] | null)[],
  x: (of: number) => number,
  y: (of: number) => number,
): string =>
  places.map((place, i) => (place ? `${i && places[i - 1] ? 'L' : 'M'}${round(x(place[0]))} ${round(y(place[1]))}` : '')).join('')

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (c) => escapes[c]!)

/** XML of a tree. */
export const svgText = ({ tag, attributes, children }: Tree): string => {
  const given = Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escaped(String(value))}"`]))
  const inside = children.map((child) => (typeof child === 'string' ? escaped(child) : svgText(child))).join('')
  return `<${tag}${given.join('')}>${inside}</${tag}>`
}
