// Parts of a picture that are lists and charts: trend, table, alarms, clock, inputs, and a picture inside that is not drawn.
import { isTrusted, type Look, type TableRow } from './look.ts'
import { paintMark } from './paintMark.ts'
import type { ItemOf } from './scene.ts'
import { el, lineOf, round, type Tree } from './tree.ts'

type Colour = (name: string) => string
const usual = 12
const clamp = (share: number) => Math.min(1, Math.max(0, share))

/** About as wide as it is drawn: characters of Chinese and Japanese are square. */
const wide = (text: string, size: number) => [...text].reduce((sum, c) => sum + (c.codePointAt(0)! > 0x2e80 ? size : size * 0.55), 0)
/** A text that fits, with a mark where it is cut. */
export const fitted = (text: string, width: number, size: number): string => {
  if (wide(text, size) <= width) return text
  const letters = [...text]
  while (letters.length && wide(`${letters.join('')}…`, size) > width) letters.pop()
  return letters.length ? `${letters.join('')}…` : ''
}

const frame = ({ w, h }: { w: number; h: number }, colour: Colour) =>
  el('rect', { width: w, height: h, rx: 2, fill: colour('surface'), stroke: colour('line'), 'stroke-width': 1 })
const noted = (item: { w: number; h: number }, size: number, note: string, colour: Colour) =>
  el(
    'text',
    { x: round(item.w / 2), y: round(item.h / 2 + size * 0.36), 'text-anchor': 'middle', 'font-size': size, fill: colour('soft') },
    fitted(note, item.w - 8, size),
  )

/** Behind a value that changes. It is always there, so that the elements of a picture stay the same. */
export const paintTint = (w: number, h: number, isFresh: boolean, colour: Colour, y = 0) =>
  el('rect', { y: round(y), width: w, height: round(h), rx: 3, fill: isFresh ? colour('tint') : 'none' })

/** Lines differ by colour and by dashes. */
const lines = [
  ['action', undefined],
  ['text', undefined],
  ['soft', undefined],
  ['action', '6 3'],
  ['text', '6 3'],
  ['soft', '6 3'],
  ['action', '2 2'],
  ['text', '2 2'],
] as const

/** Names above, the scale to the left, the time below. */
export const paintTrend = (item: ItemOf<'trend'>, look: Look, colour: Colour): Tree[] => {
  const { w, h } = item
  const size = item.size ?? usual
  const curves = look.curves ?? []
  const axis = look.axis ?? { low: '', high: '', from: '', to: '' }
  const left = Math.min(w / 3, Math.max(wide(axis.low, size), wide(axis.high, size)) + size * 0.8)
  const [top, bottom] = [size * 1.7, h - size * 1.6]
  const [width, height] = [Math.max(0, w - left - size * 0.6), Math.max(0, bottom - top)]
  const each = curves.length ? width / curves.length : 0
  const label = (text: string, x: number, y: number, anchor: string) =>
    el('text', { x: round(x), y: round(y), 'text-anchor': anchor, 'font-size': size, fill: colour('soft') }, text)
  return [
    frame(item, colour),
    ...[0, 0.5, 1].map((share) =>
      el('path', { d: `M${round(left)} ${round(top + height * share)}h${round(width)}`, stroke: colour('line'), 'stroke-width': 1 }),
    ),
    label(axis.high, left - size * 0.4, top + size * 0.36, 'end'),
    label(axis.low, left - size * 0.4, bottom + size * 0.36, 'end'),
    label(axis.from, left, h - size * 0.4, 'start'),
    label(axis.to, left + width, h - size * 0.4, 'end'),
    ...curves.flatMap(({ name, text, unit, places, band = [] }, i) => {
      const [ink, dash] = lines[i % lines.length]!
      const now = `${text}${unit ? ` ${unit}` : ''}`
      const stroke = { stroke: colour(ink), 'stroke-width': 1.5, ...(dash ? { 'stroke-dasharray': dash } : {}) }
      const [across, down] = [(share: number) => left + clamp(share) * width, (share: number) => bottom - clamp(share) * height]
      const d = lineOf(places, across, down)
      const x = left + i * each
      const room = each - size * 2 - wide(now, size)
      return [
        el('path', { d: `M${round(x)} ${round(size)}h${round(size)}`, fill: 'none', ...stroke }),
        el(
          'text',
          { x: round(x + size * 1.4), y: round(size * 1.3), 'font-size': size, fill: colour('soft') },
          `${fitted(name, room, size)} `,
          el('tspan', { fill: colour('text'), 'font-weight': 600 }, fitted(now, each - size * 1.6, size)),
        ),
        ...(band.length
          ? [
              el(
                'g',
                { opacity: 0.2 },
                ...band.map((piece) => el('path', { d: `${lineOf(piece, across, down)}Z`, fill: colour(ink), stroke: 'none' })),
              ),
            ]
          : []),
        ...(places.length > 1 ? [el('path', { d, fill: 'none', 'stroke-linejoin': 'round', ...stroke })] : []),
      ]
    }),
    ...(look.note && !curves.some(({ places }) => places.length > 1) ? [noted(item, size, look.note, colour)] : []),
  ]
}

/** As many rows as fit; the last place says how many more there are. */
const rowsIn = <R>(rows: readonly R[], h: number, size: number) => {
  const high = size * 1.7
  const room = Math.max(1, Math.floor((h - size * 0.4) / high))
  const shown = rows.length > room ? rows.slice(0, room - 1) : rows
  return { shown, more: rows.length - shown.length, baseline: (i: number) => size * 0.2 + high * (i + 0.72), high }
}
const moreRow = (more: number, x: number, y: number, size: number, colour: Colour) =>
  more ? [el('text', { x: round(x), y: round(y), 'font-size': size, fill: colour('soft') }, `+${more}`)] : []

const paintRows = (item: ItemOf<'table'>, rows: readonly TableRow[], size: number, colour: Colour): Tree[] => {
  const { shown, more, baseline, high } = rowsIn(rows, item.h, size)
  return [
    frame(item, colour),
    ...shown.flatMap(({ name, text, unit, trust, alarm, fresh }, i) => {
      const good = isTrusted(trust)
      const value = `${text}${unit ? ` ${unit}` : ''}`
      const looks = {
        'font-size': size,
        'font-weight': 600,
        fill: colour(good ? 'text' : 'faint'),
        ...(good ? {} : { 'font-style': 'italic' }),
      }
      return [
        ...(fresh === undefined ? [] : [paintTint(item.w, high, fresh, colour, size * 0.2 + high * i)]),
        ...(i ? [el('path', { d: `M0 ${round(size * 0.2 + high * i)}H${item.w}`, stroke: colour('line'), 'stroke-width': 1 })] : []),
        el(
          'text',
          { x: round(size * 1.5), y: round(baseline(i)), 'font-size': size, fill: colour('soft') },
          fitted(name, item.w - size * 2.4 - wide(value, size), size),
        ),
        el(
          'text',
          { x: round(item.w - size * 0.5), y: round(baseline(i)), 'text-anchor': 'end', ...looks },
          fitted(value, item.w - size, size),
        ),
        ...(alarm ? [paintMark(alarm, [size * 0.35, baseline(i) - size * 0.85], size / 14, colour)] : []),
      ]
    }),
    ...moreRow(more, size * 1.5, baseline(shown.length), size, colour),
  ]
}

/** Values on spokes: a picture of health at one look. */
const paintRadar = (item: ItemOf<'table'>, rows: readonly TableRow[], size: number, colour: Colour): Tree[] => {
  const [x, y] = [item.w / 2, item.h / 2]
  const radius = Math.max(1, Math.min(x, y) - size * 1.6)
  const at = (i: number, share: number) => {
    const angle = (2 * Math.PI * i) / rows.length - Math.PI / 2
    return [x + radius * share * Math.cos(angle), y + radius * share * Math.sin(angle)] as const
  }
  const ring = (share: (i: number) => number) =>
    `${rows.map((_, i) => `${i ? 'L' : 'M'}${at(i, share(i)).map(round).join(' ')}`).join('')}Z`
  const known = rows.every(({ share }) => share !== null)
  return [
    ...[0.5, 1].map((share) => el('path', { d: ring(() => share), fill: 'none', stroke: colour('line'), 'stroke-width': 1 })),
    ...rows.map((_, i) =>
      el('path', { d: `M${round(x)} ${round(y)}L${at(i, 1).map(round).join(' ')}`, stroke: colour('line'), 'stroke-width': 1 }),
    ),
    el('path', {
      ...{ d: ring((i) => clamp(rows[i]!.share ?? 0)), fill: known ? colour('fluid') : 'none', stroke: colour('soft') },
      ...{ 'stroke-width': 2, 'stroke-linejoin': 'round', ...(known ? {} : { 'stroke-dasharray': '4 3' }) },
    }),
    ...rows.flatMap(({ name, limits, alarm }, i) => {
      const [tx, ty] = at(i, 1)
      const anchor = Math.abs(tx - x) < radius / 4 ? 'middle' : tx < x ? 'end' : 'start'
      const room = anchor === 'middle' ? item.w : Math.max(size * 3, anchor === 'end' ? tx : item.w - tx)
      return [
        ...limits.map((limit) => {
          const [lx, ly] = at(i, clamp(limit))
          return el('ellipse', { cx: round(lx), cy: round(ly), rx: 2, ry: 2, fill: colour('text') })
        }),
        el(
          'text',
          {
            ...{ x: round(tx), y: round(ty < y ? ty - size * 0.5 : ty + size * 1.1), 'text-anchor': anchor },
            ...{ 'font-size': size, fill: colour('soft') },
          },
          fitted(name, room, size),
        ),
        ...(alarm ? [paintMark(alarm, [tx - size * 0.4, ty - size * 0.4], size / 14, colour)] : []),
      ]
    }),
  ]
}

export const paintTable = (item: ItemOf<'table'>, look: Look, colour: Colour): Tree[] => {
  const size = item.size ?? usual
  const rows = look.rows ?? item.reads.map((name): TableRow => ({ name, text: '–', unit: '', trust: 'good', share: null, limits: [] }))
  return item.look === 'radar' ? paintRadar(item, rows, size, colour) : paintRows(item, rows, size, colour)
}

export const paintAlarms = (item: ItemOf<'alarms'>, look: Look, colour: Colour): Tree[] => {
  const size = item.size ?? usual
  const alarms = look.alarms ?? []
  if (!alarms.length) return [frame(item, colour), noted(item, size, look.note ?? '', colour)]
  const { shown, more, baseline, high } = rowsIn(alarms, item.h, size)
  return [
    frame(item, colour),
    ...shown.flatMap(({ name, device, age, mark }, i) => {
      const room = item.w - size * 2.4 - wide(age, size)
      const first = fitted(name, room, size)
      return [
        ...(i ? [el('path', { d: `M0 ${round(size * 0.2 + high * i)}H${item.w}`, stroke: colour('line'), 'stroke-width': 1 })] : []),
        paintMark(mark, [size * 0.35, baseline(i) - size * 0.85], size / 14, colour),
        el(
          'text',
          { x: round(size * 1.6), y: round(baseline(i)), 'font-size': size, 'font-weight': 600, fill: colour('text') },
          first,
          el('tspan', { 'font-weight': 400, fill: colour('soft') }, ` ${fitted(device, room - wide(first, size) - size, size)}`),
        ),
        el(
          'text',
          { x: round(item.w - size * 0.5), y: round(baseline(i)), 'text-anchor': 'end', 'font-size': size, fill: colour('soft') },
          age,
        ),
      ]
    }),
    ...moreRow(more, size * 1.6, baseline(shown.length), size, colour),
  ]
}

export const paintClock = (item: ItemOf<'clock'>, look: Look, colour: Colour): Tree => {
  const at = { start: 0, middle: item.w / 2, end: item.w }[item.align ?? 'start']
  return el(
    'text',
    {
      ...{ x: round(at), y: round(item.h / 2 + item.size * 0.36), 'text-anchor': item.align ?? 'start' },
      ...{ 'font-size': item.size, fill: colour(item.fill ?? 'text') },
    },
    look.shown?.text ?? '00:00:00',
  )
}

/** What one writes with. What it would change is hollow while nobody knows it. */
export const paintInput = (item: ItemOf<'input'>, look: Look, colour: Colour, title: string): Tree[] => {
  const { w, h } = item
  const size = item.size ?? Math.max(8, Math.min(h * 0.45, 16))
  const isOff = look.driven?.enabled === 0 || look.driven?.enabled === null
  const edge = { stroke: colour(isOff ? 'line' : 'soft'), 'stroke-width': 1.5 }
  const ink = colour(isOff ? 'faint' : 'text')
  const text = (words: string, x: number, anchor: string, fill = ink) =>
    el(
      'text',
      { x: round(x), y: round(h / 2 + size * 0.36), 'text-anchor': anchor, 'font-size': size, fill },
      fitted(words, anchor === 'middle' ? w - size : w * 0.7, size),
    )
  const value = look.shown ? `${look.shown.text}${look.shown.unit ? ` ${look.shown.unit}` : ''}` : '–'
  switch (item.look) {
    case 'button':
      return [el('rect', { width: w, height: h, rx: 4, fill: colour('sunk'), ...edge }), text(title || value, w / 2, 'middle')]
    case 'switch': {
      const [high, wideness] = [Math.min(h, 28), Math.min(w, Math.min(h, 28) * 1.8)]
      const top = (h - high) / 2
      const is = look.share === null || look.share === undefined ? undefined : look.share > 0
      const dash = is === undefined ? { 'stroke-dasharray': '4 3' } : {}
      const middle = is === undefined ? wideness / 2 : is ? wideness - high / 2 : high / 2
      return [
        el('rect', {
          y: round(top),
          width: round(wideness),
          height: high,
          rx: high / 2,
          fill: colour(is ? 'soft' : 'surface'),
          ...edge,
          ...dash,
        }),
        el('ellipse', { cx: round(middle), cy: round(h / 2), rx: high / 2 - 4, ry: high / 2 - 4, fill: colour(is ? 'surface' : 'soft') }),
        ...(title ? [text(title, wideness + size * 0.6, 'start')] : []),
      ]
    }
    case 'slider': {
      const share = look.share === null || look.share === undefined ? undefined : clamp(look.share)
      return [
        el('path', { d: `M0 ${round(h / 2)}H${w}`, stroke: colour('line'), 'stroke-width': 4, 'stroke-linecap': 'round' }),
        ...(share === undefined
          ? []
          : [
              el('path', {
                d: `M0 ${round(h / 2)}H${round(w * share)}`,
                stroke: colour('soft'),
                'stroke-width': 4,
                'stroke-linecap': 'round',
              }),
              el('ellipse', { cx: round(w * share), cy: round(h / 2), rx: 8, ry: 8, fill: colour('surface'), ...edge }),
            ]),
      ]
    }
    case 'number':
      return [
        el('rect', { width: w, height: h, rx: 3, fill: colour('surface'), ...edge }),
        ...(title ? [text(title, size * 0.5, 'start', colour('soft'))] : []),
        text(value, w - size * 0.5, 'end'),
      ]
  }
}

/** A picture inside that is not drawn: in the editor, or for who does not see it. */
export const paintView = ({ w, h }: ItemOf<'view'>, called: string, colour: Colour): Tree[] => [
  el('rect', { width: w, height: h, fill: 'none', stroke: colour('soft'), 'stroke-width': 1.5, 'stroke-dasharray': '8 4' }),
  noted({ w, h }, Math.max(8, Math.min(16, h / 4)), called, colour),
]
