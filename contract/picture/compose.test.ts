import { expect, it } from 'vitest'
import { compose, type Inner } from './compose.ts'
import { paintScene } from './paint.ts'
import { emptyScene, type Item, type Scene } from './scene.ts'
import { svgText } from './tree.ts'

const at = { x: 0, y: 0, w: 100, h: 50 }
const value = (id: string, of: string, more: object = {}) => ({ kind: 'value', id, of, size: 10, ...at, ...more }) as Item
const view = (id: string, picture: number, more: object = {}) => ({ kind: 'view', id, picture, ...at, ...more }) as Item
const scene = (items: Item[], more: Partial<Scene> = {}): Scene => ({ ...emptyScene(200, 100), items, ...more })
const pump = { name: 'Pump', type: 'device', value: 1 } as const
const known = (...inner: Inner[]) => ({ inner: (id: number) => inner.find((one) => one.Id === id) })
const inner = (Id: number, Scene: Scene): Inner => ({ Id, Version: 3, FlowchartName: `P${Id}`, Scene })

it('a picture inside lies in its box, with the parameters that are passed on', () => {
  const small = scene([value('v', '{Pump.Speed} + {Pump.Flow}', { x: 100, y: 50, label: 'Of {Pump}' })], { parameters: [pump] })
  const outer = scene([view('a', 7, { parameters: { Pump: '{Main}' } }), view('b', 7, { x: 100, parameters: { Pump: 9 } }), view('c', 7)], {
    parameters: [{ name: 'Main', type: 'device', value: 5 }],
  })
  const { scene: whole, inside, left } = compose(outer, { Main: 6 }, { ...known(inner(7, small)), nameOf: (_, id) => `#${id}` })
  const shown = Object.fromEntries(whole.items.map((item) => [item.id, item]))
  expect(Object.keys(shown)).toEqual(['a', 'a.v', 'b', 'b.v', 'c', 'c.v'])
  expect(shown['a.v']).toMatchObject({ x: 50, y: 25, w: 50, h: 25, size: 5, in: 'a', of: '{~1.Speed} + {~1.Flow}', label: 'Of #6' })
  expect([shown['b.v'], shown['c.v']]).toMatchObject([{ label: 'Of #9', x: 150 }, { label: 'Of #1' }])
  expect(whole.parameters?.map(({ name, value }) => [name, value])).toEqual([
    ['Main', 6],
    ...[['~1', 6] as const, ['~2', 9] as const, ['~3', 1] as const],
  ])
  expect([inside.get('a.v')?.map(({ Id }) => Id), inside.get('a'), left.size]).toEqual([[7], undefined, 0])
})

it('what contains itself, lies too deep, or is not there, stays a box', () => {
  const loop = [inner(1, scene([view('x', 2)])), inner(2, scene([view('y', 1)]))]
  expect([...compose(scene([view('a', 1)]), {}, known(...loop)).left]).toEqual(['a.x.y'])
  const deep = Array.from({ length: 6 }, (_, i) => inner(i + 1, scene([view('v', i + 2)])))
  expect([...compose(scene([view('v', 1)]), {}, known(...deep)).left]).toEqual(['v.v.v.v.v'])
  expect([...compose(scene([view('gone', 9)]), {}, known()).left]).toEqual(['gone'])
  const many = scene(Array.from({ length: 60 }, (_, i) => view(`v${i}`, 1)))
  expect(compose(many, {}, known(inner(1, scene([])))).left.size).toBe(10)
  const wordy = inner(1, scene(Array.from({ length: 200 }, (_, i) => value(`v${i}`, `1${' '.repeat(900)}`))))
  expect([...compose(scene([view('a', 1), view('b', 1)]), {}, known(wordy)).left]).toEqual(['b'])
})

it('texts, colours, addresses and what is passed on take the values of parameters, and nothing else does', () => {
  const { scene: whole } = compose(
    scene(
      [
        { kind: 'text', id: 't', ...at, size: 10, text: { en: '{Name} of {Other}', es: '{Name}' }, fill: '{Ink}' } as Item,
        value('v', '{Name}', { acts: [{ do: 'link', path: '/x?d={Name}' }] }),
        value('f', '1', { acts: [{ do: 'faceplate', device: '{Pump}', parameters: { Who: '{Name}', Plain: 'x' } }] }),
        { kind: 'text', id: 'u', ...at, size: 10, text: 'u', fill: '{Name}' } as Item,
      ],
      {
        parameters: [{ name: 'Name', type: 'text', value: 'A/"B' }, { name: 'Ink', type: 'colour', value: 'alarm' }, pump],
      },
    ),
    { Ignored: 1 },
    known(),
  )
  expect(whole.items).toMatchObject([
    { text: { en: 'A/"B of {Other}', es: 'A/"B' }, fill: 'alarm' },
    { of: '{Name}', acts: [{ path: '/x?d=A%2F%22B' }] },
    { acts: [{ device: 1, parameters: { Who: 'A/"B', Plain: 'x' } }] },
    {},
  ])
  expect(whole.items[3]).not.toHaveProperty('fill')
})

it('pipes, tracks and moves of a picture inside are scaled with it, and hidden layers stay hidden', () => {
  const small = scene(
    [
      { kind: 'pipe', id: 'p', x: 0, y: 0, w: 0, h: 0, from: { item: 's', port: 'right' }, to: { x: 100, y: 40 }, bends: [[50, 20]] },
      { kind: 'symbol', id: 's', symbol: 'pump.pump', ...at, track: 'p', bind: [{ to: 'x', of: '1', states: [{ at: 1, is: 40 }] }] },
      value('h', '1', { layer: 'l' }),
    ],
    { layers: [{ id: 'l', name: 'L', hidden: true }], background: 'sunk' },
  )
  const { items } = compose(scene([view('v', 1)]), {}, known(inner(1, small))).scene
  expect(items).toMatchObject([
    { kind: 'group', id: 'v' },
    { id: 'v.-', fill: 'sunk', w: 100, h: 50 },
    { from: { item: 'v.s', port: 'right' }, to: { x: 50, y: 20 }, bends: [[25, 10]], width: 3 },
    { track: 'v.p', width: 1, bind: [{ states: [{ is: 20 }] }] },
    { id: 'v.h', hidden: true },
  ])
  expect(items[4]).not.toHaveProperty('layer')
})

it('every part is painted alike with and without values, within its box', () => {
  const parts = [
    { kind: 'trend', id: 'trend', reads: ['#1', '#2'], span: '1h', ...at, w: 300, h: 120 },
    { kind: 'table', id: 'rows', reads: ['#1', '#2'], ...at, h: 80 },
    { kind: 'table', id: 'radar', look: 'radar', reads: ['#1', '#2', '#3'], ...at, h: 100 },
    { kind: 'alarms', id: 'alarms', ...at },
    { kind: 'clock', id: 'clock', size: 12, ...at },
    ...['button', 'switch', 'slider', 'number'].map((look) => ({ kind: 'input', look, id: look, of: '#1', title: 'On', ...at })),
    { kind: 'indicator', look: 'deviation', id: 'dev', of: '#1', target: '#2', ...at },
    { kind: 'view', id: 'view', picture: 3, ...at },
  ] as Item[]
  const brush = { item: () => undefined, symbol: () => undefined, colour: (name: string) => name, language: 'en' as const }
  const row = { name: '<b>', text: '1', unit: 'm', trust: 'bad' as const, share: 0.4, limits: [0.9] }
  const mark = { level: 3 as const, unacknowledged: true, shelved: false }
  const look = {
    ...{ share: 0.4, shown: { text: '42', unit: 'm' }, rows: [row, row, row], axis: { low: '0', high: '9', from: '10:00', to: '11:00' } },
    alarms: [1, 2, 3, 4].map(() => ({ name: 'High', device: 'Pump', age: '3m', mark })),
    curves: [
      {
        name: 'Flow',
        text: '3',
        unit: 'm',
        places: [[0, 0] as const, null, [0.5, 2] as const, [1, 1] as const],
        band: [[[0, 1] as const, [1, 1] as const, [1, 0] as const]],
      },
    ],
  }
  for (const looks of [{}, look]) {
    const text = svgText(paintScene(scene(parts), () => looks, brush))
    expect(text).not.toMatch(/NaN|undefined|<b>/)
  }
  const text = svgText(paintScene(scene(parts), () => look, brush))
  expect(text).toContain('+3')
  expect(text).toContain('picture-blinks')
})

it('moves along a line, offers no button that is off, and shows the symbol of its state', () => {
  const line = {
    kind: 'shape',
    shape: 'line',
    id: 'l',
    points: [
      [0, 0],
      [1, 0],
      [1, 1],
    ],
    x: 0,
    y: 0,
    w: 100,
    h: 100,
  } as unknown as Item
  const cart = value('c', '1', { x: 5, y: 5, w: 10, h: 10, track: 'l', acts: [{ do: 'toggle', of: '#1' }] })
  const brush = {
    item: (id: string) => (id === 'l' ? line : undefined),
    symbol: () => undefined,
    colour: (n: string) => n,
    language: 'en' as const,
  }
  const painted = (driven: object) => svgText(paintScene(scene([cart]), () => ({ driven }), brush))
  expect(painted({ along: 0.75 })).toContain('translate(95 45)')
  expect(painted({ along: null })).toContain('translate(5 5)')
  expect(painted({ enabled: 1 })).toContain('class="picture-acts"')
  for (const enabled of [0, null]) expect(painted({ enabled })).toMatch(/aria-disabled="true"(?!.*picture-acts)/)
})

it('short texts that name a long value often are filled as long as there is room', () => {
  const text = '{A}'.repeat(160)
  const wordy = scene(
    Array.from(
      { length: 180 },
      (_, i) => ({ kind: 'text', id: `t${i}`, ...at, size: 10, text: { en: text, zh: text, es: text, ja: text } }) as Item,
    ),
    { parameters: [{ name: 'A', type: 'text' }] },
  )
  const outer = scene(Array.from({ length: 50 }, (_, i) => view(`v${i}`, 1, { parameters: { A: 'x'.repeat(200) } })))
  const { items } = compose(outer, {}, known(inner(1, wordy))).scene
  const written = items.flatMap((item) =>
    item.kind === 'text' && typeof item.text === 'object' ? Object.values(item.text as Record<string, string>) : [],
  )
  expect(written[0]).toBe('x'.repeat(200 * 160))
  const longer = written.filter((one) => one.length > text.length)
  expect(longer.reduce((sum, one) => sum + one.length, 0)).toBeLessThan(1_100_000)
})

it('hundreds of boxes for one large picture cost no more than one look at it', () => {
  let looked = 0
  const watched = Object.defineProperty(value('w', '1'), 'of', {
    enumerable: true,
    get: () => {
      looked++
      return '1'
    },
  })
  const large = scene([watched, ...Array.from({ length: 9000 }, (_, i) => value(`v${i}`, '1'))])
  const many = scene(Array.from({ length: 900 }, (_, i) => view(`b${i}`, 1)))
  expect(compose(many, {}, known(inner(1, large))).left.size).toBe(899)
  expect(looked).toBeLessThan(20)
})
