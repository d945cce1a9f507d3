import { type TSchema, Type } from 'typebox'
import { expect, it } from 'vitest'
import { wrapped } from '../../contract/call.ts'
import { answerWriter } from './pieces.ts'
import { succeeded } from './wrapper.ts'

const Entry = Type.Object({ Id: Type.Integer(), Text: Type.Union([Type.String(), Type.Null()]) })
const Answer = Type.Object({ TotalCount: Type.Integer(), Items: Type.Array(Entry), Names: Type.Array(Type.String()) })
const write = (schema: TSchema, data: unknown) => answerWriter(schema)(data)

it('answers with lists say the same in pieces, and nothing that their schema does not name', async () => {
  const Items = [
    { Id: 1, Text: '"quoted"', Secret: 'no' },
    { Id: 2, Text: null },
  ]
  const text = await write(Answer, { TotalCount: 2, Items, Names: ['a'], Secret: 'no' })
  expect(JSON.parse(text!)).toEqual(
    succeeded({
      TotalCount: 2,
      Items: [
        { Id: 1, Text: '"quoted"' },
        { Id: 2, Text: null },
      ],
      Names: ['a'],
    }),
  )
  expect(Object.keys(wrapped(Answer).properties).toSorted()).toEqual([...Object.keys(JSON.parse(text!)), 'Details'].toSorted())
  expect(JSON.parse((await write(Type.Array(Entry), Items))!).Data).toHaveLength(2)
  expect(JSON.parse((await write(Type.Object({ Items: Type.Array(Entry) }), { Items: [] }))!).Data).toEqual({ Items: [] })
})

it('what is no list, or lacks one, is written as a whole', async () => {
  expect(await write(Type.Object({ Id: Type.Integer() }), { Id: 1 })).toBeUndefined()
  expect(await write(Type.Unknown(), [1])).toBeUndefined()
  expect(await write(Type.Union([Answer, Type.Null()]), null)).toBeUndefined()
  expect(await write(Answer, null)).toBeUndefined()
  expect(await write(Answer, { TotalCount: 0, Items: [] })).toBeUndefined()
})

it('other calls run while a large answer is written', async () => {
  const Items = Array.from({ length: 50_000 }, (_, Id) => ({ Id, Text: 'x'.repeat(100) }))
  let turns = 0
  const count = () => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const text = await write(Answer, { TotalCount: Items.length, Items, Names: [] })
  clearImmediate(timer)
  expect(JSON.parse(text!).Data.Items).toHaveLength(Items.length)
  expect(turns).toBeGreaterThan(2)
})
