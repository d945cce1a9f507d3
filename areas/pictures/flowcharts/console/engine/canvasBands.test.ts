import { expect, it } from 'vitest'
import { CanvasView, type Due, nextBand } from './canvasBands.ts'

const [before, current] = [
  { angle: 0, offset: 0, blinkOn: true },
  { angle: 12, offset: 2, blinkOn: true },
]
const still: Due = { since: undefined, drawnAt: 900, moves: false, blinks: false, moving: before }

it('draws the band first whose values changed, then the one that waits longest, and none where nothing changed', () => {
  const [moving, changed, older] = [
    { ...still, moves: true },
    { ...still, since: 950 },
    { ...still, since: 940 },
  ]
  expect(nextBand([still, moving, changed, older], 1000, current)).toBe(older)
  expect(nextBand([still, moving, changed], 1000, current)).toBe(changed)
  expect(nextBand([still, moving], 1000, current)).toBe(moving)
  expect(nextBand([still, { ...moving, moving: current }], 1000, current)).toBeUndefined()
})

it('goes on with motion while another band changes all the time', () => {
  let [alive, turns] = [still, { ...still, moves: true }]
  let drawn = 0
  for (let now = 1000; now < 3000; now += 50) {
    alive = { ...alive, since: alive.since ?? now - 40 }
    if (nextBand([alive, turns], now, { ...current }) === turns) {
      turns = { ...turns, drawnAt: now }
      drawn++
    } else alive = { ...alive, since: undefined }
  }
  expect(drawn).toBeGreaterThanOrEqual(6)
})

it('draws what blinks only when it goes on or off', () => {
  const blinks = { ...still, blinks: true }
  expect(nextBand([blinks], 1000, current)).toBeUndefined()
  expect(nextBand([blinks], 1000, { ...current, blinkOn: false })).toBe(blinks)
})

it('knows the bands in which something lies, as the view is fitted into its box', () => {
  // A square scene in a wide box: margins left and right.
  const view = new CanvasView('0 0 100 100', { clientWidth: 400, clientHeight: 200 }, 1, 4)
  expect(view.frameOf(1)).toEqual([-50, 25, 200, 25])
  expect(view.bandsOf([10, 10, 5, 5])).toEqual([0, 0])
  expect(view.bandsOf([10, 20, 5, 10])).toEqual([0, 1])
  expect(view.bandsOf([10, -500, 5, 2000])).toEqual([0, 3])
  const bands = ([first, last]: [number, number]) => Math.max(0, last - first + 1)
  expect(bands(view.bandsOf([10, 110, 5, 5]))).toBe(0)
  expect(bands(view.bandsOf([200, 10, 5, 5]))).toBe(0)
})
