import { expect, test } from 'vitest'
import { createFairQueue } from './fairQueue.ts'

type Item = { tenant: number; gateway: string; cost: number; seq: number }
const quantum = 1000

const fill = (queue: ReturnType<typeof createFairQueue<Item>>, tenant: number, gateway: string, cost: number, count: number) => {
  for (let seq = 0; seq < count; seq++) queue.push(tenant, gateway, cost, { tenant, gateway, cost, seq })
}
const costs = (items: readonly Item[], by: (item: Item) => string | number) => {
  const sums: Record<string, number> = {}
  for (const item of items) sums[by(item)] = (sums[by(item)] ?? 0) + item.cost
  return sums
}
const take = (queue: ReturnType<typeof createFairQueue<Item>>, count: number) => Array.from({ length: count }, () => queue.shift()!)

test('tenants share what is taken, however many gateways they have and however large their messages are', () => {
  const queue = createFairQueue<Item>(quantum)
  for (let g = 0; g < 40; g++) fill(queue, 1, `of 1, ${g}`, 500, 1000)
  fill(queue, 2, 'of 2', 4000, 1000)
  fill(queue, 3, 'of 3', 100, 4000)
  const sums = costs(take(queue, 4000), ({ tenant }) => tenant)
  for (const tenant of [1, 2, 3]) expect(sums[tenant]! / sums[1]!).toBeCloseTo(1, 1)
})

test('gateways of a tenant share its part, and each keeps its order', () => {
  const queue = createFairQueue<Item>(quantum)
  fill(queue, 1, 'large', 20_000, 100)
  fill(queue, 1, 'small', 50, 4000)
  fill(queue, 1, 'middle', 700, 2000)
  const taken = take(queue, 3000)
  const sums = costs(taken, ({ gateway }) => gateway)
  for (const gateway of ['large', 'small', 'middle']) expect(sums[gateway]! / sums.small!).toBeCloseTo(1, 0)
  for (const gateway of ['large', 'small', 'middle']) {
    const seqs = taken.filter((item) => item.gateway === gateway).map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, i) => i))
  }
})

test('who has little to send comes first; who always comes back just in time does not', () => {
  const queue = createFairQueue<Item>(quantum)
  fill(queue, 1, 'flood', 500, 1000)
  take(queue, 10)
  fill(queue, 1, 'little', 100, 1)
  expect(queue.shift()).toMatchObject({ gateway: 'little' })
  const sums: Record<string, number> = {}
  for (let i = 0; i < 400; i++) {
    fill(queue, 1, 'again', 500, 1)
    const { gateway, cost } = queue.shift()!
    sums[gateway] = (sums[gateway] ?? 0) + cost
  }
  expect(sums.flood! / sums.again!).toBeGreaterThan(0.8)
})

test('what turned out dearer is paid for later; nothing is left in the end, and nobody is remembered', () => {
  const queue = createFairQueue<Item>(quantum)
  fill(queue, 1, 'dense', 100, 50)
  fill(queue, 1, 'plain', 100, 500)
  const first = Array.from({ length: 60 }, () => {
    const item = queue.shift()!
    if (item.gateway === 'dense') queue.charge(1, 'dense', 900)
    return item.gateway
  })
  expect(first.filter((gateway) => gateway === 'dense').length).toBeLessThan(10)
  while (queue.shift());
  expect(queue.size()).toBe(0)
  fill(queue, 1, 'plain', 100, 2)
  expect(queue.clear()).toHaveLength(2)
  expect(queue.shift()).toBeUndefined()
})
