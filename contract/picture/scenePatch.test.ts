import { expect, it } from 'vitest'
import { emptyScene, type Item, type Scene } from './scene.ts'
import { patched, patchOf } from './scenePatch.ts'

const item = (id: number, x = 0): Item => ({ kind: 'symbol', id: `s${id}`, symbol: 'pump.pump', x, y: 0, w: 40, h: 40, name: `Pump ${id}` })
const scene = (...items: Item[]): Scene => ({ ...emptyScene(), items })
const large = scene(...Array.from({ length: 2000 }, (_, i) => item(i)))

/** The same sequence of numbers each time. */
const dice = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return seed / 2 ** 31
}

it('a patch of any change makes the scene after it of the one before, byte for byte', () => {
  const roll = dice(7)
  let before = scene(...Array.from({ length: 40 }, (_, i) => item(i)))
  let made = 40
  for (let round = 0; round < 500; round++) {
    const items = [...before.items]
    const at = Math.floor(roll() * items.length)
    const does = Math.floor(roll() * 5)
    if (does === 0) items[at] = { ...items[at]!, x: Math.floor(roll() * 900) }
    if (does === 1) items.push(item(made++))
    if (does === 2 && items.length > 5) items.splice(at, 1)
    if (does === 3) items.splice(Math.floor(roll() * items.length), 0, ...items.splice(at, 1))
    if (does === 4) items.unshift(item(made++))
    const after = { ...before, items, ...(roll() < 0.2 ? { width: 1000 + round } : {}) }
    const sent = JSON.parse(JSON.stringify(patchOf(before, after))) as ReturnType<typeof patchOf>
    expect(JSON.stringify(patched(before, sent))).toBe(JSON.stringify(after))
    before = after
  }
})

it('one moved item of 2,000 is sent alone', () => {
  const after = { ...large, items: large.items.map((one) => (one.id === 's7' ? { ...one, x: 12 } : one)) }
  expect(patchOf(large, after)).toEqual({ Items: [item(7, 12)] })
  const bytesOf = (sent: object) => JSON.stringify({ Id: 1, Stamp: 1, ...sent }).length
  expect([bytesOf({ Patch: patchOf(large, after) }) < 200, bytesOf({ Scene: after }) > 180_000]).toEqual([true, true])
  expect(patchOf(large, large)).toEqual({})
})

it('an order that leaves items out, or names them twice, is none', () => {
  const before = scene(item(1), item(2))
  for (const Order of [['s1'], ['s1', 's1'], ['s1', 's2', 's3'], []]) expect(patched(before, { Order })).toBeUndefined()
})
