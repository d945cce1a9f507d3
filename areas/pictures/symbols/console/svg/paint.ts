// Colours and lines of SVG, as far as our drawing format supports them.
import type { Drop, Node } from './xml.ts'

/** `none`, `#rrggbb`, or undefined: the theme's colour. */
export type Style = { fill: string; stroke: string; isShown: boolean }
export const usual: Style = { fill: '#000000', stroke: 'none', isShown: true }

const named: Readonly<Record<string, string>> = {
  ...{ black: '#000000', white: '#ffffff', gray: '#808080', grey: '#808080', silver: '#c0c0c0', red: '#ff0000', maroon: '#800000' },
  ...{ yellow: '#ffff00', olive: '#808000', lime: '#00ff00', green: '#008000', aqua: '#00ffff', cyan: '#00ffff', teal: '#008080' },
  ...{ blue: '#0000ff', navy: '#000080', fuchsia: '#ff00ff', magenta: '#ff00ff', purple: '#800080', orange: '#ffa500' },
  ...{ brown: '#a52a2a', pink: '#ffc0cb', gold: '#ffd700', lightgray: '#d3d3d3', lightgrey: '#d3d3d3', darkgray: '#a9a9a9' },
  ...{ darkgrey: '#a9a9a9', dimgray: '#696969', dimgrey: '#696969', steelblue: '#4682b4' },
}
const hex = (n: number) =>
  Math.round(Math.min(255, Math.max(0, n)))
    .toString(16)
    .padStart(2, '0')

/** `none` or `#rrggbb`; undefined if the colour is unknown. */
const colourOf = (given: string): string | undefined => {
  const text = given.trim().toLowerCase().slice(0, 60)
  if (text === 'none' || text === 'transparent') return 'none'
  if (text === 'currentcolor') return '#000000'
  if (/^#[0-9a-f]{3,4}$/.test(text)) return `#${[...text.slice(1, 4)].map((c) => c + c).join('')}`
  if (/^#([0-9a-f]{6}|[0-9a-f]{8})$/.test(text)) return text.slice(0, 7)
  const rgb = /^rgba?\(\s*([\d.]+)(%?)[\s,]+([\d.]+)(%?)[\s,]+([\d.]+)(%?)/.exec(text)
  if (rgb) return `#${[1, 3, 5].map((i) => hex(Number(rgb[i]) * (rgb[i + 1] ? 2.55 : 1))).join('')}`
  return Object.hasOwn(named, text) ? named[text] : undefined
}

type Declarations = ReadonlyMap<string, string>
const understood = ['fill', 'stroke', 'display', 'visibility', 'opacity', 'fill-opacity', 'stroke-opacity']
/** Unsupported style properties. */
const lost = ['opacity', 'fill-opacity', 'stroke-opacity', 'stroke-dasharray', 'fill-rule', 'mix-blend-mode']

const declarationsIn = (text: string, drop: Drop): Map<string, string> => {
  const found = new Map<string, string>()
  for (const one of text.slice(0, 10_000).split(';')) {
    const colon = one.indexOf(':')
    if (colon < 0) continue
    const [name, value] = [one.slice(0, colon).trim().toLowerCase(), one.slice(colon + 1).trim()]
    if (/url\s*\(/i.test(value))
      drop(/url\s*\(\s*["']?#/i.test(value) ? (name === 'fill' || name === 'stroke' ? 'paint' : 'effect') : 'reference')
    else if (understood.includes(name) || lost.includes(name)) found.set(name, value.replace(/\s*!important$/i, ''))
  }
  return found
}

/** Rules for single classes. All other rules, and everything that CSS could fetch, are dropped. */
export const readCss = (css: string, drop: Drop): ReadonlyMap<string, Declarations> => {
  const rules = new Map<string, Declarations>()
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/@[^;{}]*(;|$)/g, () => {
    drop('css')
    return ''
  })
  for (const rule of plain.split('}')) {
    const brace = rule.indexOf('{')
    if (brace < 0) {
      if (rule.trim()) drop('css')
      continue
    }
    const declared = declarationsIn(rule.slice(brace + 1), drop)
    for (const selector of rule.slice(0, brace).split(',')) {
      const name = /^\s*\.([\w-]{1,100})\s*$/.exec(selector)?.[1]
      if (name) rules.set(name, new Map([...(rules.get(name) ?? []), ...declared]))
      else drop('css')
    }
  }
  return rules
}

/** The style of an element whose parent has the style `above`. */
export const styleOf = ({ attributes }: Node, above: Style, rules: ReadonlyMap<string, Declarations>, drop: Drop): Style => {
  const classes = (attributes.get('class') ?? '').slice(0, 1000).split(/\s+/)
  const declared = new Map<string, string>([
    ...[...understood, ...lost].flatMap((name) => {
      const value = attributes.get(name)
      return value === undefined ? [] : [[name, value] as const]
    }),
    ...classes.flatMap((name) => [...(rules.get(name) ?? [])]),
    ...declarationsIn(attributes.get('style') ?? '', drop),
  ])
  const paint = (name: 'fill' | 'stroke') => {
    const given = declared.get(name)
    if (given === undefined || given === 'inherit') return above[name]
    const colour = colourOf(given)
    if (colour === undefined) drop('colour')
    return colour ?? '#000000'
  }
  const isUsual = (name: string) => ['1', 'none', 'nonzero', 'normal', 'inherit'].includes(declared.get(name) ?? '1')
  if (!lost.every(isUsual)) drop('style')
  const isHidden =
    declared.get('display') === 'none' || declared.get('visibility') === 'hidden' || Number(declared.get('opacity') ?? 1) === 0
  return { fill: paint('fill'), stroke: paint('stroke'), isShown: above.isShown && !isHidden }
}
