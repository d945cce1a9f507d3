// The drawing of the demo plant, one object per device, identified by unit ID. Pure.

/** A value beside an object: the name of its point in the demo plant, and the key of its label. */
export type Drawn = { point: string; label: string; n?: number }
export type Kind = 'intake' | 'basin' | 'filters' | 'uv' | 'tank' | 'dosing' | 'pumps' | 'tower' | 'meter' | 'coldRoom' | 'weather'
type Place = { x: number; y: number }
export type Part = {
  /** `works.<key>` is its title. */
  key: string
  kind: Kind
  unit: number
  values: Drawn[]
  /** The point that fills its tank. */
  level?: string
  /** States of its machines, one a symbol. */
  running?: string[]
  wide: Place
  tall: Place
}

export const [boxWidth, boxHeight] = [172, 136]
const [stepX, stepY, edge] = [196, 176, 4]
const at = (column: number, row: number): Place => ({ x: edge + column * stepX, y: edge + row * stepY })
const of = (label: string, point: string, n?: number): Drawn => (n ? { label, point, n } : { label, point })

/** The main process from the river to the town, and its auxiliaries. */
export const parts: readonly Part[] = [
  {
    ...{ key: 'intake', kind: 'intake', unit: 1, wide: at(0, 0), tall: at(0, 0), running: ['Pump 1 running', 'Pump 2 running'] },
    values: [of('flow', 'Raw water flow'), of('turbidity', 'Raw water turbidity'), of('level', 'River level')],
  },
  {
    ...{ key: 'basin', kind: 'basin', unit: 2, wide: at(1, 0), tall: at(0, 1), level: 'Basin level' },
    values: [of('level', 'Basin level'), of('turbidity', 'Settled turbidity'), of('ph', 'Settled pH')],
  },
  {
    ...{ key: 'filters', kind: 'filters', unit: 3, wide: at(2, 0), tall: at(0, 2) },
    values: [1, 2, 3].map((n) => of('filter', `Filter ${n} differential pressure`, n)),
  },
  {
    ...{ key: 'uv', kind: 'uv', unit: 6, wide: at(3, 0), tall: at(0, 3), running: ['Reactor on'] },
    values: [of('intensity', 'UV intensity'), of('dose', 'UV dose'), of('power', 'Reactor power')],
  },
  {
    ...{ key: 'tank', kind: 'tank', unit: 4, wide: at(4, 0), tall: at(0, 4), level: 'Chamber A level' },
    values: [of('volume', 'Stored volume'), of('level', 'Chamber A level'), of('ph', 'Clear water pH')],
  },
  {
    ...{ key: 'pumps', kind: 'pumps', unit: 7, wide: at(5, 0), tall: at(0, 5), running: [1, 2, 3].map((n) => `Pump ${n} running`) },
    values: [of('pressure', 'Header pressure'), of('flow', 'Delivery flow')],
  },
  {
    ...{ key: 'tower', kind: 'tower', unit: 8, wide: at(5, 1), tall: at(0, 6), level: 'Tower level' },
    values: [of('level', 'Tower level'), of('pressure', 'Outlet pressure'), of('demand', 'Town demand')],
  },
  {
    ...{ key: 'dosing', kind: 'dosing', unit: 5, wide: at(4, 1), tall: at(1, 4), level: 'Hypochlorite level' },
    values: [of('chlorine', 'Free chlorine'), of('flow', 'Dosing flow'), of('level', 'Hypochlorite level')],
  },
  {
    ...{ key: 'intakePower', kind: 'meter', unit: 9, wide: at(0, 1), tall: at(1, 0) },
    values: [of('power', 'Active power'), of('powerFactor', 'Power factor')],
  },
  {
    ...{ key: 'deliveryPower', kind: 'meter', unit: 10, wide: at(3, 1), tall: at(1, 5) },
    values: [of('power', 'Active power'), of('powerFactor', 'Power factor')],
  },
  {
    ...{ key: 'weather', kind: 'weather', unit: 12, wide: at(1, 1), tall: at(1, 1) },
    values: [of('temperature', 'Air temperature'), of('wind', 'Wind speed'), of('rain', 'Rain rate')],
  },
  {
    ...{ key: 'coldRoom', kind: 'coldRoom', unit: 11, wide: at(2, 1), tall: at(1, 2), running: ['Compressor running'] },
    values: [of('temperature', 'Air temperature'), of('current', 'Compressor current')],
  },
]

/** Pipes from source to destination. The last one is a dosing line. */
const pipes = [
  ['intake', 'basin'],
  ['basin', 'filters'],
  ['filters', 'uv'],
  ['uv', 'tank'],
  ['tank', 'pumps'],
  ['pumps', 'tower'],
  ['dosing', 'tank'],
] as const

/** The shape of a pipe between two boxes beside or above each other. */
const pipe = (a: Place, b: Place) => {
  const [middleX, middleY] = [boxWidth / 2, boxHeight / 2]
  if (a.y === b.y) {
    const right = b.x > a.x
    return `M${a.x + (right ? boxWidth : 0)} ${a.y + middleY}H${b.x + (right ? 0 : boxWidth)}`
  }
  const down = b.y > a.y
  return `M${a.x + middleX} ${a.y + (down ? boxHeight : 0)}V${b.y + (down ? 0 : boxHeight)}`
}

export type Layout = 'wide' | 'tall'
const placeOf = (key: string, layout: Layout) => parts.find((p) => p.key === key)![layout]
export const pipesOf = (layout: Layout) => pipes.map(([a, b]) => pipe(placeOf(a, layout), placeOf(b, layout)))
export const sizeOf = (layout: Layout) => ({
  width: Math.max(...parts.map((p) => p[layout].x)) + boxWidth + edge,
  height: Math.max(...parts.map((p) => p[layout].y)) + boxHeight + edge,
})
