import { isTrusted, type Look } from './look.ts'
import type { ItemOf } from './scene.ts'
import { el, lineOf, round, type Tree } from './tree.ts'

type Colour = (name: string) => string
const clamp = (share: number) => Math.min(1, Math.max(0, share))

/** Bars with the limits as lines: how far a value is from them shows before it is read. */
const bar = ({ w, h, look: kind }: ItemOf<'indicator'>, look: Look, colour: Colour): Tree[] => {
  const share = look.share === null || look.share === undefined ? undefined : clamp(look.share)
  const across = kind === 'bar'
  const length = across ? w : h
  const filled = share === undefined ? 0 : round(length * share)
  return [
    el('rect', { width: w, height: h, fill: colour('sunk'), stroke: colour('soft'), 'stroke-width': 1 }),
    el('rect', { ...(across ? { width: filled, height: h } : { y: round(h - filled), width: w, height: filled }), fill: colour('faint') }),
    ...(look.limits ?? []).map((limit) => {
      const at = round(length * clamp(limit))
      return el('path', { d: across ? `M${at} -2V${h + 2}` : `M-2 ${round(h - at)}H${w + 2}`, stroke: colour('text'), 'stroke-width': 2 })
    }),
  ]
}

/** A bar from where the value should be to where it is. */
const deviation = ({ w, h }: ItemOf<'indicator'>, look: Look, colour: Colour): Tree[] => {
  const share = look.share === null || look.share === undefined ? 0.5 : clamp(look.share)
  const [from, to] = [Math.min(0.5, share) * w, Math.max(0.5, share) * w]
  return [
    el('rect', { width: w, height: h, fill: colour('sunk'), stroke: colour('soft'), 'stroke-width': 1 }),
    el('rect', { x: round(from), width: round(to - from), height: h, fill: colour('faint') }),
    el('path', { d: `M${round(w / 2)} -3V${h + 3}`, stroke: colour('text'), 'stroke-width': 2 }),
  ]
}

/** Three quarters of a circle, open below. */
const dial = ({ w, h }: ItemOf<'indicator'>, look: Look, colour: Colour): Tree[] => {
  const radius = Math.min(w, h) / 2 - 4
  const [x, y] = [w / 2, h / 2]
  const at = (share: number, of = radius) => {
    const angle = ((135 + 270 * clamp(share)) * Math.PI) / 180
    return `${round(x + of * Math.cos(angle))} ${round(y + of * Math.sin(angle))}`
  }
  const arc = (share: number) => `M${at(0)}A${round(radius)} ${round(radius)} 0 ${share > 2 / 3 ? 1 : 0} 1 ${at(share)}`
  const ring = { fill: 'none', 'stroke-width': 6 }
  const share = look.share
  return [
    el('path', { d: arc(1), stroke: colour('line'), ...ring }),
    ...(share === null || share === undefined ? [] : [el('path', { d: arc(clamp(share)), stroke: colour('faint'), ...ring })]),
    ...(look.limits ?? []).map((limit) =>
      el('path', { d: `M${at(limit, radius - 6)}L${at(limit, radius + 5)}`, stroke: colour('text'), 'stroke-width': 2 }),
    ),
  ]
}

const spark = ({ w, h }: ItemOf<'indicator'>, look: Look, colour: Colour): Tree[] => [
  el('path', { d: `M0 ${h}H${w}`, stroke: colour('line'), 'stroke-width': 1 }),
  el('path', {
    ...{ fill: 'none', stroke: colour('soft'), 'stroke-width': 1.5, 'stroke-linejoin': 'round' },
    d:
      lineOf(
        look.trace ?? [],
        (x) => x * w,
        (y) => (1 - y) * h,
      ) || 'M0 0',
  }),
]

/** An indicator: what it fills, its limits and, on a dial, its value. */
export const paintIndicator = (item: ItemOf<'indicator'>, look: Look, colour: Colour): Tree[] => {
  if (item.look === 'spark') return spark(item, look, colour)
  if (item.look === 'deviation') return deviation(item, look, colour)
  if (item.look !== 'dial') return bar(item, look, colour)
  const { text, unit } = look.shown ?? { text: '–', unit: '' }
  const size = item.size ?? Math.max(8, Math.min(item.w, item.h) / 5)
  const middle = { x: item.w / 2, 'text-anchor': 'middle' }
  return [
    ...dial(item, look, colour),
    el(
      'text',
      {
        ...middle,
        y: round(item.h / 2 + size * 0.36),
        'font-size': size,
        'font-weight': 600,
        fill: colour(isTrusted(look.trust) ? 'text' : 'faint'),
      },
      text,
    ),
    el('text', { ...middle, y: round(item.h / 2 + size * 1.5), 'font-size': round(size * 0.6), fill: colour('soft') }, unit),
  ]
}
