// A picture with its parameters filled in, and with the pictures inside it. Pure: the server resolves points in what browsers draw.
import type { OwnSymbol } from './drawing.ts'
import { childrenOf } from './paint.ts'
import {
  type Action,
  deepestView,
  type End,
  type Item,
  type ItemOf,
  mostExpressionText,
  mostItems,
  mostViews,
  type Parameter,
  type Scene,
} from './scene.ts'
import { expressionsOf, withExpressions } from './sceneReferences.ts'

export type Value = string | number
export type Values = Readonly<Record<string, Value>>
/** A published picture that others show inside. */
export type Inner = { Id: number; Version: number; FlowchartName: string; Scene: Scene }
type Known = {
  inner: (picture: number) => Inner | undefined
  /** What people read of a parameter, such as the name of a device. */
  nameOf?: (parameter: Parameter, value: Value) => string
}
/** `inside`: the pictures that an item of a view lies in, the outermost first. `left`: views that could not be opened. */
export type Composed = { scene: Scene; inside: ReadonlyMap<string, readonly Inner[]>; left: ReadonlySet<string> }

const colour = /^(none|[a-z]{1,10}|#[0-9a-fA-F]{6})$/
const braced = /\{([^{}.#]{1,50})\}/g
type FilledOne = { parameter: Parameter; value: Value | undefined }
type Filled = ReadonlyMap<string, FilledOne>

const filledFrom = ({ parameters = [] }: Pick<Scene, 'parameters'>, given: Values): Filled =>
  new Map(
    parameters.map((parameter) => [
      parameter.name,
      { parameter, value: Object.hasOwn(given, parameter.name) ? given[parameter.name] : parameter.value },
    ]),
  )

/** A value that is passed on: its own, or that of the parameter it names. */
const passed = (value: Value, filled: Filled): Value | undefined => {
  const [, name] = typeof value === 'string' ? (/^\{([^{}.#]{1,50})\}$/.exec(value) ?? []) : []
  return name !== undefined && filled.has(name) ? filled.get(name)!.value : value
}
const passedAll = (given: Values = {}, filled: Filled): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const own = passed(value, filled)
      return own === undefined ? [] : [[name, own]]
    }),
  )

type Write = (text: string) => string
type Worded = string | Partial<Record<string, string>>
const wordsWith = <W extends Worded | undefined>(words: W, write: Write): W =>
  (typeof words === 'object' ? Object.fromEntries(Object.entries(words).map(([l, text]) => [l, write(text!)])) : words && write(words)) as W

/** Characters of texts and paths with values in them. A short text that names a long value often is long. */
const mostFilledText = 1_000_000

/** Texts, colours and what is passed on, with the values of parameters, as long as there is room for texts. */
const filledItem = (item: Item, filled: Filled, { nameOf = (_, value) => String(value) }: Known, room: { filled: number }): Item => {
  if (!filled.size) return item
  const put =
    (shown: (of: FilledOne) => string): Write =>
    (text) => {
      if (room.filled <= 0 || !text.includes('{')) return text
      return text.replace(braced, (found, name: string) => {
        const of = filled.get(name)
        const own = of?.value === undefined ? found : shown(of)
        room.filled -= found.length + own.length
        return room.filled < 0 ? found : own
      })
    }
  const read = put(({ parameter, value }) => nameOf(parameter, value!))
  const inPath = put(({ value }) => encodeURIComponent(String(value)))
  const next: Record<string, unknown> = { ...item }
  for (const name of ['text', 'label', 'title']) if (next[name] !== undefined) next[name] = wordsWith(next[name] as Worded, read)
  for (const name of ['fill', 'stroke']) {
    const own = next[name]
    if (typeof own !== 'string' || !own.startsWith('{')) continue
    const value = String(passed(own, filled))
    if (colour.test(value)) next[name] = value
    else delete next[name]
  }
  if (item.acts)
    next.acts = item.acts.map((act): Action => {
      const device = act.device === undefined ? undefined : passed(act.device, filled)
      const { device: _, ...rest } = act
      return {
        ...rest,
        ...(act.parameters ? { parameters: passedAll(act.parameters, filled) } : {}),
        ...(device === undefined ? {} : { device }),
        ...(act.path === undefined ? {} : { path: inPath(act.path) }),
        ...(act.title === undefined ? {} : { title: wordsWith(act.title, read) }),
      }
    })
  if (item.kind === 'alarms' && item.device !== undefined) next.device = passed(item.device, filled) ?? 0
  return next as unknown as Item
}

const widthOf = (item: Item) =>
  item.kind === 'pipe' ? (item.width ?? (item.line === 'power' ? 2 : 6)) : 'width' in item && item.width !== undefined ? item.width : 2

/** An item of a picture inside, as large and where it is in the picture around it. */
const placedIn = (item: Item, scale: number, [dx, dy]: readonly [number, number], named: (id: string) => string): Item => {
  const [x, y] = [(at: number) => dx + at * scale, (at: number) => dy + at * scale]
  const end = (of: End): End => ('item' in of ? { ...of, item: named(of.item) } : { x: x(of.x), y: y(of.y) })
  const next: Record<string, unknown> = { ...item, id: named(item.id), x: x(item.x), y: y(item.y), w: item.w * scale, h: item.h * scale }
  delete next.layer
  if ('size' in item && item.size !== undefined) next.size = item.size * scale
  if (item.kind === 'symbol' || item.kind === 'shape' || item.kind === 'pipe') next.width = widthOf(item) * scale
  if (item.kind === 'shape' && item.radius) next.radius = item.radius * scale
  if (item.kind === 'pipe') {
    Object.assign(next, { from: end(item.from), to: end(item.to) })
    if (item.bends) next.bends = item.bends.map(([bx, by]) => [x(bx!), y(by!)])
  }
  if (item.track !== undefined) next.track = named(item.track)
  if (item.bind)
    next.bind = item.bind.map((one) => {
      if (one.to !== 'x' && one.to !== 'y') return one
      const scaled = (is: Value) => (typeof is === 'number' ? is * scale : is)
      return {
        ...one,
        ...(one.ranges ? { ranges: one.ranges.map((range) => ({ ...range, is: scaled(range.is) })) } : {}),
        ...(one.states ? { states: one.states.map((state) => ({ ...state, is: scaled(state.is) })) } : {}),
        ...(one.onto ? { onto: one.onto.map((to) => to * scale) } : {}),
      }
    })
  return next as unknown as Item
}

type Room = {
  symbols: Map<string, OwnSymbol>
  items: number
  text: number
  filled: number
  views: number
  parameters: Parameter[]
  count: number
}

const expressionText = (items: readonly Item[]) =>
  items.reduce((sum, item) => sum + expressionsOf(item).reduce((own, one) => own + one.text.length, 0), 0)

class Composer {
  readonly #known: Known
  readonly #room: Room
  readonly inside = new Map<string, readonly Inner[]>()
  readonly left = new Set<string>()
  readonly #texts = new Map<number, number>()
  constructor(known: Known, room: Room) {
    this.#known = known
    this.#room = room
  }

  items(items: readonly Item[], filled: Filled, path: readonly Inner[]): Item[] {
    return items.flatMap((item) => {
      const own = filledItem(item, filled, this.#known, this.#room)
      return own.kind === 'view' ? this.#view(own, filled, path) : [own]
    })
  }

  /** Characters of a picture's expressions, counted once however often it is shown. */
  #textOf({ Id, Scene }: Inner): number {
    const counted = this.#texts.get(Id) ?? expressionText(Scene.items)
    this.#texts.set(Id, counted)
    return counted
  }

  /** Whether a picture may lie here: not in itself, not too deep, and not more than one draws and reads at once. */
  #opens(picture: number, path: readonly Inner[]): Inner | undefined {
    const inner = this.#known.inner(picture)
    if (!inner || path.length >= deepestView || path.some(({ Id }) => Id === picture)) return undefined
    const { items } = inner.Scene
    const room = this.#room
    if (room.views <= 0 || items.length + 1 > room.items) return undefined
    const text = this.#textOf(inner)
    if (text > room.text) return undefined
    room.views--
    for (const symbol of inner.Scene.symbols ?? []) if (!room.symbols.has(symbol.id)) room.symbols.set(symbol.id, symbol)
    room.items -= items.length + 1
    room.text -= text
    return inner
  }

  #view(view: ItemOf<'view'>, filled: Filled, above: readonly Inner[]): Item[] {
    const inner = this.#opens(view.picture, above)
    if (!inner) {
      this.left.add(view.id)
      return [view]
    }
    const { Scene } = inner
    const own = filledFrom(Scene, passedAll(view.parameters, filled))
    // Names of parameters are one's own in each picture.
    const names = new Map([...own].map(([name]) => [name, `~${++this.#room.count}`]))
    for (const [name, { parameter, value }] of own) {
      const { value: _, ...rest } = parameter
      this.#room.parameters.push({ ...rest, name: names.get(name)!, ...(value === undefined ? {} : { value }) })
    }
    const renamed = (text: string) =>
      text.replace(/\{\s*([^{}.]*?)\s*(\.[^{}]*)?\}/g, (_, name: string, point = '') => `{${names.get(name) ?? '~0'}${point}}`)
    const scale = Math.min(view.w / Scene.width, view.h / Scene.height)
    const at = [view.x + (view.w - Scene.width * scale) / 2, view.y + (view.h - Scene.height * scale) / 2] as const
    const named = (id: string) => `${view.id}.${id}`
    const hidden = new Set(Scene.layers?.flatMap((layer) => (layer.hidden ? [layer.id] : [])))
    const children = childrenOf(Scene)
    const ordered = (of: string | undefined): Item[] =>
      (children.get(of) ?? []).flatMap((item) => [item, ...(item.kind === 'group' ? ordered(item.id) : [])])
    const path = [...above, inner]
    const drawn = ordered(undefined).map((item): Item => {
      const next = placedIn(withExpressions(item, renamed), scale, at, named)
      const isHidden = item.layer !== undefined && hidden.has(item.layer)
      return { ...next, in: item.in === undefined ? view.id : named(item.in), ...(isHidden ? { hidden: true } : {}) }
    })
    const { kind: _, picture: _picture, parameters: _parameters, bind, rotate: _rotate, flip: _flip, ...rest } = view
    const kept = bind?.filter(({ to }) => to === 'visible' || to === 'opacity')
    const ground = Scene.background && Scene.background !== 'none' ? [groundOf(view, Scene.background, Scene, scale, at)] : []
    const inside = this.items(drawn, own, path)
    for (const { id } of inside) if (!this.inside.has(id)) this.inside.set(id, path)
    return [{ ...rest, kind: 'group', ...(kept?.length ? { bind: kept } : {}) }, ...ground, ...inside]
  }
}

const groundOf = (view: Item, fill: string, { width, height }: Scene, scale: number, [x, y]: readonly [number, number]): Item => ({
  ...{ kind: 'shape', shape: 'rectangle', id: `${view.id}.-`, in: view.id, fill, stroke: 'none', width: 0 },
  ...{ x, y, w: width * scale, h: height * scale },
})

/** The scene as it is drawn with these values: views replaced by what lies in them, under Ids such as `view.item`. */
export const compose = (scene: Scene, given: Values, known: Known): Composed => {
  const hasViews = scene.items.some(({ kind }) => kind === 'view')
  if (!hasViews && !scene.parameters?.length) return { scene, inside: new Map(), left: new Set() }
  const filled = filledFrom(scene, given)
  const text = expressionText(scene.items)
  const room: Room = {
    ...{ items: mostItems - scene.items.length, text: mostExpressionText - text, filled: mostFilledText, views: mostViews, count: 0 },
    symbols: new Map(scene.symbols?.map((symbol) => [symbol.id, symbol])),
    parameters: [...filled.values()].map(({ parameter, value }) => ({ ...parameter, ...(value === undefined ? {} : { value }) })),
  }
  const composer = new Composer(known, room)
  const items = composer.items(scene.items, filled, [])
  const symbols = room.symbols.size ? { symbols: [...room.symbols.values()] } : {}
  return { scene: { ...scene, items, parameters: room.parameters, ...symbols }, inside: composer.inside, left: composer.left }
}

/** Pictures that a scene shows inside. */
export const viewsIn = ({ items }: Pick<Scene, 'items'>): Map<number, string> =>
  new Map(items.flatMap((item) => (item.kind === 'view' ? [[item.picture, item.id] as const] : [])))
