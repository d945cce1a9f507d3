// The scene of a picture: what lies where, what it shows, and what a click does. Data only: no HTML, no script, no style text.
import { type Static, Type } from 'typebox'
import { languages } from '../languages.ts'
import { Id } from '../resource.ts'
import { GivenColour as Colour } from './colour.ts'
import { OwnSymbol } from './drawing.ts'
import { mostOwnSymbols } from './drawingLimits.ts'

/** Version of the format that this code writes. `liftScene` reads older ones. */
export const sceneVersion = 1

export const mostItems = 10_000
export const mostSceneBytes = 4 * 1024 * 1024
/** Groups inside each other. */
export const deepestGroup = 32
export const mostPicturePoints = 2000
/** Views of a picture, those in them too, and how deep they lie in each other. */
export const [mostViews, deepestView] = [50, 4] as const
/** How long a pulse may last, ms. */
export const longestPulse = 10_000
/** Characters of all expressions of a scene together: they are parsed in one go. */
export const mostExpressionText = 300_000

const strict = { additionalProperties: false }
const Coordinate = Type.Number({ minimum: -100_000, maximum: 100_000 })
const Size = Type.Number({ minimum: 0, maximum: 100_000 })
export const ItemId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,24}$' })
const FontSize = Type.Number({ minimum: 4, maximum: 400 })
/** How far a trend looks back. */
export const spans = ['15m', '1h', '6h', '24h', '7d'] as const
export type Span = (typeof spans)[number]
export const spanMs: Readonly<Record<Span, number>> = {
  ...{ '15m': 900_000, '1h': 3_600_000, '6h': 21_600_000 },
  ...{ '24h': 86_400_000, '7d': 604_800_000 },
}
const Name = Type.String({ minLength: 1, maxLength: 50 })
/** Of a symbol, a port or a part: lower case with dots and hyphens. */
const Key = Type.String({ maxLength: 50, pattern: '^[a-z0-9.-]+$' })
/** One text for all, or one a language; English stands in for those that are missing. */
const Words = Type.Union([
  Type.String({ maxLength: 500 }),
  Type.Object(Object.fromEntries(languages.map((l) => [l, Type.Optional(Type.String({ maxLength: 500 }))])), strict),
])
/** Text of `contract/expression`. */
const Expression = Type.String({ minLength: 1, maxLength: 1000 })
const Plain = Type.Union([Type.Number({ minimum: -1e15, maximum: 1e15 }), Type.String({ maxLength: 200 })])

const of = <const T extends string>(names: readonly T[]) => Type.Unsafe<T>(Type.Union(names.map((name) => Type.Literal(name))))

/** What of an item a binding can drive. */
export const driven = [
  ...(['text', 'value', 'fill', 'stroke', 'visible', 'opacity', 'rotate', 'x', 'y', 'scale'] as const),
  /** `along`: 0 to 1 of the line that is the item's track. `picture`: another symbol, or the path of another image. */
  ...(['along', 'picture'] as const),
  /** Of symbols: level 0 to 1, running, open 0 to 1, and the direction and speed of a pipe's flow. */
  ...(['level', 'running', 'open', 'flow', 'enabled'] as const),
] as const
export type Driven = (typeof driven)[number]

/** What an expression yields becomes a property: as it is, by the first range it is below, by equal states, or in proportion. */
const Binding = Type.Object(
  {
    to: Type.Unsafe<Driven>(Type.Union(driven.map((to) => Type.Literal(to)))),
    of: Expression,
    ranges: Type.Optional(
      Type.Array(Type.Object({ below: Type.Union([Type.Number(), Type.Null()]), is: Plain }, strict), { maxItems: 20 }),
    ),
    states: Type.Optional(Type.Array(Type.Object({ at: Type.Number(), is: Plain }, strict), { maxItems: 50 })),
    /** In proportion from these two values ... */
    from: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
    /** ... onto these. */
    onto: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
  },
  strict,
)
export type Binding = Static<typeof Binding>

/** What the picture that is opened gets as its parameters; `{Pump}` passes one's own parameter on. */
const Parameters = Type.Optional(Type.Record(Type.String({ pattern: '^[^{}]{1,50}$' }), Plain, { maxProperties: 50 }))

/** What a click can do. */
export const deeds = ['open', 'faceplate', 'set', 'toggle', 'pulse', 'step', 'acknowledge', 'link'] as const
/** Those that write to a point. */
export const writing: readonly Action['do'][] = ['set', 'toggle', 'pulse', 'step']

/** What a click on an item does. A write names its point; the server takes range and interlock from the published version. */
const Action = Type.Object(
  {
    do: of(deeds),
    title: Type.Optional(Words),
    picture: Type.Optional(Id),
    parameters: Parameters,
    /** Of a faceplate: the Id of the device, or a parameter in braces. Without a picture, the one of its model is opened. */
    device: Type.Optional(Plain),
    /** Path inside the console. Browsers drop control characters: a tab between two slashes would lead outside. */
    path: Type.Optional(Type.String({ maxLength: 500, pattern: '^/([^/\\\\\\x00-\\x1f][^\\x00-\\x1f]*)?$' })),
    /** The point that is written, as a reference. */
    of: Type.Optional(Expression),
    value: Type.Optional(Type.Number({ minimum: -1e15, maximum: 1e15 })),
    low: Type.Optional(Type.Number()),
    high: Type.Optional(Type.Number()),
    /** Milliseconds until a pulse returns, and what it returns to: 0 unless said otherwise. */
    ms: Type.Optional(Type.Integer({ minimum: 100, maximum: longestPulse })),
    rest: Type.Optional(Type.Number({ minimum: -1e15, maximum: 1e15 })),
    /** Interlock: the write is refused unless this is true on fresh, good values. */
    when: Type.Optional(Expression),
    reason: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type Action = Static<typeof Action>

const common = {
  id: ItemId,
  name: Type.Optional(Name),
  /** The group that it lies in. */
  in: Type.Optional(ItemId),
  layer: Type.Optional(ItemId),
  x: Coordinate,
  y: Coordinate,
  w: Size,
  h: Size,
  /** Degrees, clockwise about its middle. */
  rotate: Type.Optional(Type.Number({ minimum: -360, maximum: 360 })),
  flip: Type.Optional(Type.Unsafe<'x' | 'y' | 'xy'>(Type.Union(['x', 'y', 'xy'].map((flip) => Type.Literal(flip))))),
  opacity: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  hidden: Type.Optional(Type.Boolean()),
  locked: Type.Optional(Type.Boolean()),
  bind: Type.Optional(Type.Array(Binding, { maxItems: 20 })),
  acts: Type.Optional(Type.Array(Action, { maxItems: 10 })),
  /** Points whose alarms mark the item, beside those that it shows. */
  alarms: Type.Optional(Type.Array(Expression, { maxItems: 20 })),
  /** The line, polygon or pipe that it moves along. */
  track: Type.Optional(ItemId),
}
const drawn = {
  fill: Type.Optional(Colour),
  stroke: Type.Optional(Colour),
  width: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
}
const kind = <const K extends string, P extends object>(kind: K, own: P) =>
  Type.Object({ kind: Type.Literal(kind), ...common, ...own }, strict)
/** An end of a pipe: a port of an item, or a place. */
const End = Type.Union([Type.Object({ item: ItemId, port: Key }, strict), Type.Object({ x: Coordinate, y: Coordinate }, strict)])
export type End = Static<typeof End>

export const kinds = {
  symbol: kind('symbol', { symbol: Key, letters: Type.Optional(Type.String({ maxLength: 8 })), ...drawn }),
  shape: kind('shape', {
    shape: of(['rectangle', 'ellipse', 'line', 'polygon']),
    /** Of lines and polygons: places in shares of the item's width and height. */
    points: Type.Optional(
      Type.Array(Type.Tuple([Type.Number({ minimum: 0, maximum: 1 }), Type.Number({ minimum: 0, maximum: 1 })]), { maxItems: 200 }),
    ),
    radius: Type.Optional(Type.Number({ minimum: 0, maximum: 1000 })),
    dash: Type.Optional(Type.Boolean()),
    ...drawn,
  }),
  text: kind('text', {
    text: Words,
    size: FontSize,
    weight: Type.Optional(Type.Union([Type.Literal(400), Type.Literal(600)])),
    align: Type.Optional(of(['start', 'middle', 'end'])),
    fill: Type.Optional(Colour),
  }),
  /** A number or state of a point, with its unit, quality and age. */
  value: kind('value', {
    of: Expression,
    label: Type.Optional(Words),
    size: FontSize,
    digits: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    unit: Type.Optional(Type.String({ maxLength: 20 })),
    align: Type.Optional(of(['start', 'middle', 'end'])),
  }),
  /** A bar, dial, distance from a set point or line of the last minutes of a point. */
  indicator: kind('indicator', {
    look: of(['bar', 'column', 'dial', 'deviation', 'spark']),
    of: Expression,
    /** Of a deviation: where the value should be. */
    target: Type.Optional(Expression),
    /** Of a sparkline. */
    span: Type.Optional(of(spans)),
    low: Type.Optional(Type.Number()),
    high: Type.Optional(Type.Number()),
    size: Type.Optional(FontSize),
  }),
  /** Points over time, with axes. */
  trend: kind('trend', {
    reads: Type.Array(Expression, { minItems: 1, maxItems: 8 }),
    span: of(spans),
    low: Type.Optional(Type.Number()),
    high: Type.Optional(Type.Number()),
    size: Type.Optional(FontSize),
  }),
  /** Points with their values as rows, or on the spokes of a wheel. */
  table: kind('table', {
    reads: Type.Array(Expression, { minItems: 1, maxItems: 40 }),
    look: Type.Optional(of(['rows', 'radar'])),
    size: Type.Optional(FontSize),
  }),
  /** Standing alarms: of the picture's points, or of a device. */
  alarms: kind('alarms', { device: Type.Optional(Plain), size: Type.Optional(FontSize) }),
  clock: kind('clock', {
    show: Type.Optional(of(['time', 'date', 'both'])),
    size: FontSize,
    align: Type.Optional(of(['start', 'middle', 'end'])),
    fill: Type.Optional(Colour),
  }),
  /** What people write with; a click does what its first action says. */
  input: kind('input', {
    look: of(['button', 'switch', 'slider', 'number']),
    of: Type.Optional(Expression),
    title: Type.Optional(Words),
    low: Type.Optional(Type.Number()),
    high: Type.Optional(Type.Number()),
    size: Type.Optional(FontSize),
  }),
  /** Another published picture inside. */
  view: kind('view', { picture: Id, parameters: Parameters }),
  pipe: kind('pipe', {
    from: End,
    to: End,
    /** Corners between the ends; without them the pipe finds its own way. */
    bends: Type.Optional(Type.Array(Type.Tuple([Coordinate, Coordinate]), { maxItems: 50 })),
    line: Type.Optional(of(['pipe', 'signal', 'power'])),
    ...drawn,
  }),
  group: kind('group', {}),
  image: kind('image', { file: Type.String({ maxLength: 200, pattern: '^/?(api/)?files/\\d+/[0-9a-f]{32}\\.\\w{1,5}$' }) }),
}
export type Kind = keyof typeof kinds
type Kinds = { [K in Kind]: Static<(typeof kinds)[K]> }
export type ItemOf<K extends Kind> = Kinds[K]
export type Item = Kinds[Kind]

export const parameterTypes = ['device', 'model', 'point', 'number', 'text', 'colour'] as const
/** A value that a picture is opened with, so that one picture serves many devices. */
const Parameter = Type.Object(
  {
    name: Type.String({ pattern: '^[^{}.#]{1,50}$' }),
    type: of(parameterTypes),
    /** Of a device: only devices of this model. */
    model: Type.Optional(Id),
    value: Type.Optional(Plain),
  },
  strict,
)
export type Parameter = Static<typeof Parameter>

const Layer = Type.Object({ id: ItemId, name: Name, hidden: Type.Optional(Type.Boolean()), locked: Type.Optional(Type.Boolean()) }, strict)

/** A scene without its items. Each item fits one of `kinds`. */
export const SceneFrame = Type.Object(
  {
    v: Type.Literal(sceneVersion),
    width: Type.Number({ minimum: 100, maximum: 20_000 }),
    height: Type.Number({ minimum: 100, maximum: 20_000 }),
    background: Type.Optional(Colour),
    layers: Type.Optional(Type.Array(Layer, { maxItems: 50 })),
    parameters: Type.Optional(Type.Array(Parameter, { maxItems: 50 })),
    /** The company's own symbols that it uses, as they were when it was drawn. */
    symbols: Type.Optional(Type.Array(OwnSymbol, { maxItems: mostOwnSymbols })),
  },
  strict,
)
/** Items lie from the back to the front. */
export type Scene = Static<typeof SceneFrame> & { items: Item[] }

export const emptyScene = (width = 1280, height = 720): Scene => ({ v: sceneVersion, width, height, items: [] })

/** The scene with the items that people act on, as far as their first action is offered; the others are still. */
export const actedOn = (scene: Scene, offered: (action: Action) => boolean): Scene => ({
  ...scene,
  items: scene.items.map(({ acts, ...item }) => (acts?.[0] && offered(acts[0]) ? { ...item, acts } : item)) as Item[],
})

/** Reads a scene of this version or an older one. There is no older one yet. */
export const liftScene = (scene: Scene): Scene => scene
