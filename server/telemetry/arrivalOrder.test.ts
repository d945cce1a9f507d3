import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createArrivalOrder } from './arrivalOrder.ts'

const opened = () => {
  let last = 0
  const order = createArrivalOrder({
    reserve: (amount) => {
      const first = last + 1
      last += amount
      return first
    },
    top: () => last,
  })
  const delivered: number[] = []
  const store = (first: number, readings = 1) => order.stored(first, readings, () => delivered.push(first))
  return { order, delivered, store }
}

describe('the order of arrival', () => {
  it('delivers what is stored first only after what has lower numbers', () => {
    const { order, delivered, store } = opened()
    const [a, b, c] = [order.reserve(10), order.reserve(5), order.reserve(1)]
    expect([a, b, c]).toEqual([1, 11, 16])
    store(c!)
    store(b!, 5)
    expect([delivered, order.reached(), order.waiting()]).toEqual([[], 0, 6])
    store(a!, 10)
    expect([delivered, order.reached(), order.waiting()]).toEqual([[1, 11, 16], 16, 0])
  })

  it('goes on past numbers that are given up, and takes nothing under them any more', () => {
    const { order, delivered, store } = opened()
    const [a, b] = [order.reserve(2), order.reserve(2)]
    expect(store(b!)).toBe(true)
    order.giveUp(a!)
    expect([delivered, order.reached()]).toEqual([[3], 4])
    expect([store(a!), store(b!), store(99)]).toEqual([false, false, false])
  })

  it('whoever has reached a number has heard everything below it that is ever delivered', () => {
    const step = fc.record({ kind: fc.constantFrom('reserve', 'store', 'giveUp'), amount: fc.integer({ min: 1, max: 9 }), at: fc.nat(20) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { order, delivered, store } = opened()
        const open: number[] = []
        const reached: { number: number; heard: number }[] = []
        for (const { kind, amount, at } of steps) {
          if (kind === 'reserve') open.push(order.reserve(amount))
          else if (open.length) {
            const [first] = open.splice(at % open.length, 1)
            if (kind === 'store') expect(store(first!, amount)).toBe(true)
            else order.giveUp(first!)
          }
          reached.push({ number: order.reached(), heard: delivered.length })
        }
        expect(delivered).toEqual(delivered.toSorted((a, b) => a - b))
        for (const { number, heard } of reached) expect(delivered.slice(heard).every((first) => first > number)).toBe(true)
        if (!open.length) expect(order.waiting()).toBe(0)
      }),
    )
  })
})
