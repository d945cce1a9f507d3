// Paints a scene with its values: pure, for the browser, files and thumbnails.
import { firstLanguage, type Language } from '../languages.ts'
import { paintIndicator } from './indicator.ts'
import { isTrusted, type Look } from './look.ts'
import { paintMark } from './paintMark.ts'
import { paintAlarms, paintClock, paintInput, paintTable, paintTint, paintTrend, paintView } from './paintParts.ts'
import { drivenNumber, drivenText, paintSymbol, thin } from './paintSymbol.ts'
import { type Found, type Place, pathOf, wayOf } from './route.ts'
import type { Route } from './routes.ts'
import type { Item, ItemOf, Scene } from './scene.ts'
import { type Attributes, el, round, type Tree } from './tree.ts'

export type Brush = Found & {
  /** The colour of a token or of `#rrggbb`. */
  colour: (name: string) => string
  language: Language
  /** The way of a pipe; without it, the simple one. */
  route?: (pipe: ItemOf<'pipe'>) => Route
  /** What a picture inside is called, where it is not drawn. */
  called?: (picture: number) => string | undefined
}

type Words = string | Partial<Record<Language, string>>
export const textIn = (words: Words, language: Language): string =>
  typeof words === 'string' ? words : (words[language] ?? words.en ?? words[firstLanguage(...Object.keys(words))] ?? '')

const paintShape = (item: ItemOf<'shape'>, look: Look, brush: Brush): Tree => {
  const { w, h } = item
  const isLine = item.shape === 'line'
  const attributes: Attributes = {
    fill: isLine ? 'none' : brush.colour(drivenText(look, 'fill') ?? item.fill ?? 'none'),
    stroke: brush.colour(drivenText(look, 'stroke') ?? item.stroke ?? 'soft'),
    'stroke-width': item.width ?? 2,
    ...(item.dash ? { 'stroke-dasharray': '6 4' } : {}),
    ...thin,
  }
  if (item.shape === 'rectangle') return el('rect', { width: w, height: h, ...(item.radius ? { rx: item.radius } : {}), ...attributes })
  if (item.shape === 'ellipse') return el('ellipse', { cx: w / 2, cy: h / 2, rx: w / 2, ry: h / 2, ...attributes })
  const places =
    item.points ??
    (isLine
      ? [
          [0, 0],
          [1, 1],
        ]
      : [
          [0.5, 0],
          [1, 1],
          [0, 1],
        ])
  const d = places.map(([x, y], i) => `${i ? 'L' : 'M'}${round(x! * w)} ${round(y! * h)}`).join('')
  return el('path', { d: isLine ? d : `${d}Z`, ...attributes })
}

const aligned = (align: 'start' | 'middle' | 'end' | undefined, w: number) =>
  ({ start: { x: 0, 'text-anchor': 'start' }, middle: { x: w / 2, 'text-anchor': 'middle' }, end: { x: w, 'text-anchor': 'end' } })[
    align ?? 'start'
  ]

const paintText = (item: ItemOf<'text'>, look: Look, brush: Brush): Tree => {
  const lines = (drivenText(look, 'text') ?? textIn(item.text, brush.language)).split('\n')
  const { x, ...anchor } = aligned(item.align, item.w)
  return el(
    'text',
    {
      ...anchor,
      'font-size': item.size,
      'font-weight': item.weight ?? 400,
      fill: brush.colour(drivenText(look, 'fill') ?? item.fill ?? 'text'),
    },
    ...lines.map((line, i) =>
      el('tspan', { x, y: round(item.size * (0.8 + 1.25 * i) + Math.max(0, item.h - lines.length * item.size * 1.25) / 2) }, line),
    ),
  )
}

const paintValue = (item: ItemOf<'value'>, look: Look, brush: Brush): Tree => {
  const { x, ...anchor } = aligned(item.align, item.w)
  const label = item.label === undefined ? undefined : textIn(item.label, brush.language)
  const small = round(item.size * 0.7)
  const y = label ? round(small * 1.2 + item.size * 0.95) : round(item.h / 2 + item.size * 0.36)
  const fill = brush.colour(isTrusted(look.trust) ? (drivenText(look, 'fill') ?? 'text') : 'faint')
  const { text, unit } = look.shown ?? { text: '–', unit: item.unit ?? '' }
  return el(
    'g',
    anchor,
    look.fresh === undefined ? undefined : paintTint(item.w, item.h, look.fresh, brush.colour),
    label ? el('text', { x, y: small, 'font-size': small, fill: brush.colour('soft') }, label) : undefined,
    el(
      'text',
      { x, y, 'font-size': item.size, 'font-weight': 600, fill, ...(isTrusted(look.trust) ? {} : { 'font-style': 'italic' }) },
      text,
      unit ? el('tspan', { 'font-size': small, 'font-weight': 400, fill: brush.colour('soft') }, ` ${unit}`) : undefined,
    ),
  )
}

const paintPipe = (item: ItemOf<'pipe'>, look: Look, brush: Brush): (Tree | undefined)[] => {
  const { way, jumps } = brush.route?.(item) ?? { way: wayOf(item, brush), jumps: [] }
  if (way.length < 2) return []
  const width = item.width ?? 6
  const ink = brush.colour(drivenText(look, 'stroke') ?? item.stroke ?? 'soft')
  const base = { fill: 'none', 'stroke-linejoin': 'round' } as const
  if (item.line === 'signal')
    return [el('path', { d: pathOf(way, 0, jumps), ...base, stroke: ink, 'stroke-width': 1, 'stroke-dasharray': '6 4' })]
  if (item.line === 'power') return [el('path', { d: pathOf(way, 0, jumps), ...base, stroke: ink, 'stroke-width': item.width ?? 2 })]
  const d = pathOf(way, 6, jumps)
  const flow = drivenNumber(look, 'flow')
  const inside = brush.colour(drivenText(look, 'fill') ?? item.fill ?? 'surface')
  return [
    el('path', { d, ...base, stroke: ink, 'stroke-width': width }),
    el('path', {
      d,
      ...base,
      stroke: inside,
      'stroke-width': Math.max(1, width - 3),
      ...(flow === null ? { 'stroke-dasharray': '3 3' } : {}),
    }),
    flow
      ? el('path', {
          d,
          ...base,
          stroke: brush.colour('soft'),
          'stroke-width': Math.max(1, width - 3),
          'stroke-dasharray': '8 12',
          'data-flow': flow,
        })
      : undefined,
  ]
}

const own = (item: Exclude<Item, ItemOf<'group'>>, look: Look, brush: Brush): (Tree | undefined)[] => {
  switch (item.kind) {
    case 'symbol':
      return paintSymbol(item, look, brush)
    case 'shape':
      return [paintShape(item, look, brush)]
    case 'text':
      return [paintText(item, look, brush)]
    case 'value':
      return [paintValue(item, look, brush)]
    case 'indicator':
      return paintIndicator(item, look, brush.colour)
    case 'pipe':
      return paintPipe(item, look, brush)
    case 'trend':
      return paintTrend(item, look, brush.colour)
    case 'table':
      return paintTable(item, look, brush.colour)
    case 'alarms':
      return paintAlarms(item, look, brush.colour)
    case 'clock':
      return [paintClock(item, look, brush.colour)]
    case 'input':
      return paintInput(item, look, brush.colour, textIn(item.title ?? '', brush.language))
    case 'view':
      return paintView(item, brush.called?.(item.picture) ?? look.note ?? '', brush.colour)
    case 'image':
      return [
        el('image', {
          href: imageOf(item, look).replace(/^\/?(api\/)?/, '/api/'),
          width: item.w,
          height: item.h,
          preserveAspectRatio: 'xMidYMid meet',
        }),
      ]
  }
}

/** Beside the right upper corner of what it marks. */
const paintAlarm = ({ w, kind }: Item, look: Look, { colour }: Brush): Tree | undefined =>
  look.alarm && kind !== 'alarms' ? paintMark(look.alarm, [w - 6, -12], 1.5, colour) : undefined

const file = /^\/?(api\/)?files\/\d+\/[0-9a-f]{32}\.\w{1,5}$/
/** The image that a binding chooses, or its own. */
const imageOf = (item: ItemOf<'image'>, look: Look) => {
  const other = drivenText(look, 'picture')
  return other && file.test(other) ? other : item.file
}

/** These say themselves which of their values is none. */
const unveiled = new Set<Item['kind']>(['value', 'text', 'pipe', 'trend', 'table', 'alarms', 'clock', 'view'])
/** What is old, bad or missing is veiled by a hatch, never shown as a good value. */
const paintVeil = (item: Item, look: Look, { colour }: Brush): Tree | undefined => {
  if (isTrusted(look.trust) || unveiled.has(item.kind)) return undefined
  return el('rect', {
    ...{ x: -3, y: -3, width: item.w + 6, height: item.h + 6, rx: 3, fill: 'url(#picture-hatch)', stroke: colour('faint') },
    ...{ 'stroke-width': 1, 'stroke-dasharray': '3 3', class: 'picture-veil' },
  })
}

/** The places of the line that an item moves along. */
const trackOf = (item: Item, brush: Brush): readonly Place[] => {
  const track = item.track === undefined ? undefined : brush.item(item.track)
  if (track?.kind === 'pipe') return brush.route?.(track).way ?? wayOf(track, brush)
  if (track?.kind !== 'shape') return []
  const { x, y, w, h, points = [[0, 0] as const, [1, 1] as const] } = track
  return points.map(([px, py]) => [x + px! * w, y + py! * h])
}
/** A place of a line, by its share of the length. */
const alongOf = (way: readonly Place[], share: number): Place | undefined => {
  const pieces = way.slice(1).map(([x, y], i) => ({ from: way[i]!, to: [x, y] as const, long: Math.hypot(x - way[i]![0], y - way[i]![1]) }))
  let left = Math.min(1, Math.max(0, share)) * pieces.reduce((sum, { long }) => sum + long, 0)
  for (const { from, to, long } of pieces) {
    if (left <= long && long) return [from[0] + ((to[0] - from[0]) * left) / long, from[1] + ((to[1] - from[1]) * left) / long]
    left -= long
  }
  return way.at(-1)
}

const placeOf = (item: Item, look: Look, brush: Brush): string | undefined => {
  if (item.kind === 'pipe') return undefined
  const along = drivenNumber(look, 'along')
  const at = along === undefined || along === null ? undefined : alongOf(trackOf(item, brush), along)
  const [left, top] = at ? [at[0] - item.w / 2, at[1] - item.h / 2] : [item.x, item.y]
  const [x, y] = [left + (drivenNumber(look, 'x') ?? 0), top + (drivenNumber(look, 'y') ?? 0)]
  const turn = (item.rotate ?? 0) + (drivenNumber(look, 'rotate') ?? 0)
  const scale = drivenNumber(look, 'scale') ?? 1
  const [scaleX, scaleY] = [(item.flip?.includes('x') ? -1 : 1) * scale, (item.flip?.includes('y') ? -1 : 1) * scale]
  const [middleX, middleY] = [item.w / 2, item.h / 2]
  const about = turn || scaleX !== 1 || scaleY !== 1
  const steps = about
    ? `translate(${round(x + middleX)} ${round(y + middleY)}) rotate(${round(turn)}) scale(${scaleX} ${scaleY}) translate(${round(-middleX)} ${round(-middleY)})`
    : `translate(${round(x)} ${round(y)})`
  return steps
}

/** What those hear who do not see the item. */
const calledBy = (item: Item, { language }: Brush) => {
  const words = item.kind === 'text' ? item.text : item.kind === 'value' ? item.label : item.kind === 'input' ? item.title : undefined
  return item.name ?? (words === undefined ? item.id : textIn(words, language))
}

/** One item with what it shows now; of a group, what is inside. */
export const paintItem = (item: Item, look: Look, brush: Brush, inside: readonly Tree[] = []): Tree => {
  const isHidden = item.hidden || look.driven?.visible === 0 || look.driven?.visible === null
  const opacity = drivenNumber(look, 'opacity') ?? item.opacity
  const isOff = look.driven?.enabled === 0 || look.driven?.enabled === null
  const acting = isOff ? { role: 'button', 'aria-disabled': 'true' } : { class: 'picture-acts', tabindex: 0, role: 'button' }
  const attributes: Attributes = {
    'data-item': item.id,
    // Groups do not move what lies in them: each item knows its own place.
    transform: item.kind === 'group' ? undefined : placeOf(item, look, brush),
    ...(isHidden ? { display: 'none' } : {}),
    ...(opacity === undefined || opacity === 1 ? {} : { opacity }),
    ...(item.acts?.length ? { ...acting, 'aria-label': calledBy(item, brush) } : {}),
  }
  const title = look.title ? el('title', {}, look.title) : undefined
  if (item.kind === 'group') return el('g', attributes, ...inside)
  return el('g', attributes, title, ...own(item, look, brush), paintVeil(item, look, brush), paintAlarm(item, look, brush))
}

const hatch = (colour: string) =>
  el(
    'defs',
    {},
    el(
      'pattern',
      { id: 'picture-hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      el('path', { d: 'M0 0V6', stroke: colour, 'stroke-width': 1.5, opacity: 0.5 }),
    ),
  )

/** The items that lie in each group, from the back to the front: layer by layer, what lies on none behind all. Undefined: in no group. */
export const childrenOf = ({ items, layers = [] }: Pick<Scene, 'items' | 'layers'>): ReadonlyMap<string | undefined, readonly Item[]> => {
  const groups = new Set(items.filter(({ kind }) => kind === 'group').map(({ id }) => id))
  const place = new Map(layers.map(({ id }, i) => [id, i + 1]))
  const placeOf = ({ layer }: Item) => (layer === undefined ? 0 : (place.get(layer) ?? 0))
  const ordered = layers.length ? items.toSorted((a, b) => placeOf(a) - placeOf(b)) : items
  return Map.groupBy(ordered, (item) => (item.in !== undefined && groups.has(item.in) ? item.in : undefined))
}

/** A whole scene as an `svg` element. */
export const paintScene = (scene: Scene, lookOf: (item: Item) => Look, brush: Brush): Tree => {
  const hidden = new Set(scene.layers?.flatMap(({ id, hidden }) => (hidden ? [id] : [])))
  const children = childrenOf(scene)
  const paint = (of: string | undefined): Tree[] =>
    (children.get(of) ?? []).flatMap((item) =>
      item.layer !== undefined && hidden.has(item.layer)
        ? []
        : [paintItem(item, lookOf(item), brush, item.kind === 'group' ? paint(item.id) : [])],
    )
  return el(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${scene.width} ${scene.height}`, 'font-family': 'system-ui, sans-serif' },
    hatch(brush.colour('faint')),
    scene.background && scene.background !== 'none'
      ? el('rect', { width: scene.width, height: scene.height, fill: brush.colour(scene.background) })
      : undefined,
    ...paint(undefined),
  )
}
