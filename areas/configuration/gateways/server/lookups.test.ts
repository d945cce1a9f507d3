import { expect, test } from 'vitest'
import { lookUps } from './lookups.ts'

const start = () => {
  const clock = { now: 0 }
  const asked: (readonly number[])[] = []
  const answers: { read: (ids: readonly number[]) => Promise<void> } = { read: async () => {} }
  const find = lookUps(
    (ids) => {
      asked.push(ids)
      return answers.read(ids)
    },
    () => clock.now,
  )
  return { clock, asked, answers, find }
}

test('an id is looked up once, and again after a while', async () => {
  const { clock, asked, find } = start()
  await find('A', [1, 1, 2])
  expect(find('B', [2, 1])).toBeUndefined()
  await find('A', [2, 3])
  clock.now = 10_001
  await find('A', [1])
  expect(asked).toEqual([[1, 2], [3], [1]])
})

test('a flood of ids costs a gateway a few look-ups, and another gateway nothing', async () => {
  const { clock, asked, find } = start()
  for (let id = 1; id <= 1000; id++) await find('A', [id])
  expect(asked).toHaveLength(20)
  clock.now = 1000
  for (let id = 1001; id <= 2000; id++) await find('A', [id])
  expect(asked).toHaveLength(25)
  expect(find('B', [5000])).toBeDefined()
  expect(find('C', [0, Number.NaN, -1])).toBeUndefined()
})

test('while PostgreSQL is away nobody asks again and again', async () => {
  const { clock, asked, answers, find } = start()
  answers.read = () => Promise.reject(new Error('away'))
  await find('A', [1])
  expect(find('A', [2])).toBeUndefined()
  clock.now = 5001
  answers.read = async () => {}
  await find('A', [3])
  expect(asked).toEqual([[1], [3]])
})
