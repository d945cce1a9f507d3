import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cuts } from './avoid.ts'
import { boxAround, pathOf } from './route.ts'
import { type Routes, routesOf } from './routes.ts'
import { type End, emptyScene, type Item, type ItemOf, type Scene } from './scene.ts'

const tank = (id: string, x: number, y: number, w = 40, h = 40): Item => ({ kind: 'indicator', look: 'bar', of: '0', id, x, y, w, h })
const pipe = (id: string, from: End, to: End, more: Partial<ItemOf<'pipe'>> = {}): ItemOf<'pipe'> => ({
  ...{ kind: 'pipe', id, x: 0, y: 0, w: 0, h: 0, from, to },
  ...more,
})
const at = (item: string, port: string): End => ({ item, port })
const scene = (...items: Item[]): Scene => ({ ...emptyScene(), items })
const found = (of: Scene) => {
  const items = new Map(of.items.map((item) => [item.id, item]))
  return { item: (id: string) => items.get(id), symbol: () => undefined }
}
const routes = (of: Scene, before?: Routes) => routesOf(of, found(of), before)
const sides = ['left', 'right', 'top', 'bottom'] as const
const pipesOf = (of: Scene) => of.items.filter((item) => item.kind === 'pipe')

/** Symbols on a lattice with room between them, some of them turned, and pipes between any of their ports. */
const plants = (columns: number, rows: number, pipes: number) =>
  fc
    .record({
      places: fc.uniqueArray(fc.nat(columns * rows - 1), { minLength: 2, maxLength: columns * rows }),
      shifts: fc.array(fc.tuple(fc.nat(20), fc.nat(20), fc.constantFrom(0, 0, 90)), {
        minLength: columns * rows,
        maxLength: columns * rows,
      }),
      pipes: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(3), fc.nat(3)), { maxLength: pipes }),
    })
    .map(({ places, shifts, pipes }) => {
      const items: Item[] = places.map((place, i) => {
        const [dx, dy, rotate] = shifts[i]!
        return { ...tank(`t${i}`, (place % columns) * 110 + dx, Math.floor(place / columns) * 110 + dy), rotate }
      })
      const between = pipes.flatMap(([a, b, from, to], i) =>
        a % places.length === b % places.length
          ? []
          : [pipe(`p${i}`, at(`t${a % places.length}`, sides[from]!), at(`t${b % places.length}`, sides[to]!))],
      )
      return scene(...items, ...between)
    })

describe('pipes', () => {
  it('run at right angles from port to port and through no symbol', () => {
    fc.assert(
      fc.property(plants(5, 4, 8), (plant) => {
        const all = routes(plant)
        const boxes = plant.items.filter(({ kind }) => kind !== 'pipe').map(boxAround)
        for (const one of pipesOf(plant)) {
          const { way } = all.of(one)
          expect(way.length).toBeGreaterThan(1)
          way.slice(1).forEach(([x, y], i) => {
            const [px, py] = way[i]!
            expect(Math.min(Math.abs(px - x), Math.abs(py - y))).toBeLessThan(1e-6)
            for (const box of boxes) expect(cuts([px, py], [x, y], box), JSON.stringify({ way, box })).toBe(false)
          })
        }
      }),
      { numRuns: 150 },
    )
  })

  it('after any move, those near it find another way and the others keep theirs: as if all were routed from the start', () => {
    fc.assert(
      fc.property(plants(5, 4, 8), fc.nat(), fc.integer({ min: -200, max: 200 }), (plant, which, by) => {
        const moved = plant.items[which % plant.items.length]!
        const next = { ...plant, items: plant.items.map((item) => (item === moved ? { ...item, x: item.x + by } : item)) }
        const [again, whole] = [routes(next, routes(plant)), routes(next)]
        for (const one of pipesOf(next)) expect(again.of(one)).toEqual(whole.of(one))
      }),
      { numRuns: 100 },
    )
  })

  it('go around what is put in their way, and straight again when it is gone', () => {
    const ends = [tank('a', 0, 0), tank('b', 300, 0), pipe('p', at('a', 'right'), at('b', 'left'))]
    const free = scene(...ends)
    const blocked = scene(...ends, tank('c', 150, -10, 40, 60))
    const first = routes(free)
    expect(first.of({ id: 'p' }).way).toEqual([
      [40, 20],
      [300, 20],
    ])
    const second = routes(blocked, first)
    expect(second.of({ id: 'p' }).way.length).toBe(6)
    expect(routes(free, second).of({ id: 'p' }).way).toEqual(first.of({ id: 'p' }).way)
    // What is hidden is not in the way.
    expect(routes(scene(...ends, { ...tank('c', 150, -10, 40, 60), hidden: true })).of({ id: 'p' }).way.length).toBe(2)
  })

  it('the one in front jumps over the one behind, once where two are close', () => {
    const crossing = scene(
      pipe('below', { x: 100, y: 0 }, { x: 100, y: 200 }),
      pipe('beside', { x: 112, y: 0 }, { x: 112, y: 200 }),
      pipe('over', { x: 0, y: 100 }, { x: 200, y: 100 }),
    )
    const all = routes(crossing)
    expect(all.of({ id: 'below' }).jumps).toEqual([])
    expect(all.of({ id: 'over' })).toMatchObject({ jumps: [{ piece: 1, at: 106, half: 15 }] })
    expect(pathOf(all.of({ id: 'over' }).way, 6, all.of({ id: 'over' }).jumps)).toBe('M0 100L91 100A15 12 0 0 1 121 100L200 100')
  })

  it('keep corners that people pulled, and stay at right angles when an end moves', () => {
    const bends: [number, number][] = [
      [100, 20],
      [100, 220],
    ]
    const plant = scene(tank('a', 0, 0), tank('b', 200, 200), pipe('p', at('a', 'right'), at('b', 'left'), { bends }))
    expect(routes(plant).of({ id: 'p' }).way).toEqual([[40, 20], ...bends, [200, 220]])
    const moved = { ...plant, items: plant.items.map((item) => (item.id === 'a' ? { ...item, y: 50 } : item)) }
    expect(routes(moved).of({ id: 'p' }).way).toEqual([
      [40, 70],
      [100, 70],
      [100, 220],
      [200, 220],
    ])
  })

  it('400 of them among 2,000 symbols are routed in a moment, and followed while 50 symbols are dragged', () => {
    const symbols = Array.from({ length: 2000 }, (_, i) => tank(`t${i}`, (i % 50) * 100, Math.floor(i / 50) * 100))
    const pipes = Array.from({ length: 400 }, (_, i) => {
      const from = (i * 7919) % 2000
      const to = (from + 1 + ((i * 31) % 400)) % 2000
      return pipe(`p${i}`, at(`t${from}`, sides[i % 4]!), at(`t${to}`, sides[(i * 3) % 4]!))
    })
    const plant = scene(...symbols, ...pipes)
    const time = (work: () => Routes) => {
      const begun = performance.now()
      return [work(), performance.now() - begun] as const
    }
    const [all, whole] = time(() => routes(plant))
    const dragged = { ...plant, items: plant.items.map((item, i) => (i < 50 ? { ...item, y: item.y + 8 } : item)) }
    const [, follow] = time(() => routes(dragged, all))
    if (process.env.SHOW) console.log({ whole, follow })
    expect(whole).toBeLessThan(3000)
    expect(follow).toBeLessThan(1000)
  })
})
