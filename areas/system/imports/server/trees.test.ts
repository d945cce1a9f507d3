// Trees come in as sheets in any order of rows; what has no place is refused by row, and nothing of the sheet stays.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page, Wrapper } from '../../../../contract/call.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { organ } from '../../../people/organs/contract.ts'
import { region } from '../../../people/regions/contract.ts'
import { dataDict } from '../../dictionaries/contract.ts'
import { inLevels } from './levels.ts'

type Row = { Id: number } & Record<string, unknown>
type Answer = Wrapper<{ Added: number; Changed: number; Unchanged: number }>
let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit?.close())

const upload = (as: string, r: Resource, file: Buffer | string, preview = 0): Promise<Answer> => {
  const head = '--sheet\r\nContent-Disposition: form-data; name="file"; filename="list"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), Buffer.from(file as string), Buffer.from('\r\n--sheet--\r\n')])
  return kit.call(as, 'POST', `${r.path}/Import?Preview=${preview}`, body, {
    'content-type': 'multipart/form-data; boundary=sheet',
  }) as Promise<Answer>
}
const rowsOf = async (r: Resource, as = 'owner') =>
  (await kit.data<Page<Row>>(as, 'GET', `${r.path}/List?PageSize=1000&OrderColumn=Id`)).Items
const output = async (as: string, r: Resource, fields: string) =>
  (await kit.request(as, 'GET', `${r.path}/Output?Format=csv&Fields=${fields}`)).rawPayload
const errors = (answer: Answer) => answer.Details?.Rows?.map((e) => [e.Row, e.Field, e.Message])
const way = (rows: Row[], name: string): string => {
  const row = rows.find((r) => r.OrganName === name)!
  return row.ParentOrganName ? `${way(rows, String(row.ParentOrganName))}/${name}` : name
}

it('a tree comes in whatever the order of its rows, and what goes out of one tenant comes into another the same', async () => {
  const text = 'OrganName,ParentOrganId\nShift,Works\nWorks,Head office\nHead office,\nLab,Works\n'
  expect((await upload('owner', organ, text, 1)).Data).toMatchObject({ Added: 4 })
  expect((await rowsOf(organ)).map((row) => row.OrganName)).not.toContain('Works')
  expect((await upload('owner', organ, text)).Data).toMatchObject({ Added: 4, Changed: 0 })
  expect(way(await rowsOf(organ), 'Shift')).toBe('Head office/Works/Shift')

  const sheet = await output('owner', organ, 'OrganName,OrganNo,ParentOrganId,Address,Status,Sort,Remark')
  expect((await upload('owner', organ, sheet)).Data).toMatchObject({ Added: 0, Changed: 0 })
  await upload('stranger', organ, sheet)
  const [ours, theirs] = [await rowsOf(organ), await rowsOf(organ, 'stranger')]
  for (const { OrganName } of ours) expect(way(theirs, String(OrganName))).toBe(way(ours, String(OrganName)))
  expect(new Set([...ours, ...theirs].map((row) => row.Id)).size).toBe(ours.length + theirs.length)
})

it('records change places in one sheet, also with each other', async () => {
  const before = await rowsOf(organ)
  expect((await upload('owner', organ, 'OrganName,ParentOrganId\nHead office,Works\nWorks,\n')).Data).toMatchObject({ Changed: 2 })
  const after = await rowsOf(organ)
  expect(way(after, 'Head office')).toBe('Works/Head office')
  expect(way(after, 'Shift')).toBe('Works/Shift')
  expect(after.map((row) => row.Id)).toEqual(before.map((row) => row.Id))
})

it('a circle, a place too deep, one that is nowhere and a row twice are named by row, and nothing stays', async () => {
  const before = await rowsOf(organ)
  const refused = async (text: string) => {
    const answer = await upload('owner', organ, `OrganName,ParentOrganId\n${text}`)
    expect(answer).toMatchObject({ StatusCode: 400, Details: { Fault: 'sheetRows' } })
    return errors(answer)!
  }
  const circle = 'Cannot be placed below itself. Choose another place.'
  expect(await refused('Fine,\nHen,Egg\nEgg,Hen\nSelf,Self\n')).toEqual([
    [3, 'ParentOrganId', circle],
    [4, 'ParentOrganId', circle],
    [5, 'ParentOrganId', circle],
  ])
  // Not in the sheet: Shift is already below Works.
  expect(await refused('Fine,\nWorks,Shift\n')).toEqual([[3, 'ParentOrganId', circle]])
  expect((await refused('Fine,\nLost,Nowhere\n')).map((e) => e.slice(0, 2))).toEqual([[3, 'ParentOrganId']])
  expect((await refused('Fine,\nLab,\nLab,Works\n')).map((e) => e.slice(0, 2))).toEqual([[4, 'OrganName']])
  const deep = Array.from({ length: 9 }, (_, i) => `Level ${i},${i ? `Level ${i - 1}` : ''}`).join('\n')
  expect((await refused(deep)).map((e) => e.slice(0, 2))).toEqual([[10, 'ParentOrganId']])
  expect(await rowsOf(organ)).toEqual(before)
})

it('each row of a tree is looked at once, also in one long chain and below many rows of one name', () => {
  const rows = (of: (i: number) => [string, string | null]) =>
    Array.from({ length: 50_000 }, (_, i) => {
      const [OrganName, ParentOrganId] = of(i)
      return { row: i + 2, values: { OrganName, ParentOrganId } }
    })
  const before = performance.now()
  expect(
    inLevels(
      rows((i) => [`O${i}`, i ? `O${i - 1}` : null]),
      organ,
    ).levels,
  ).toHaveLength(50_000)
  expect(
    inLevels(
      rows((i) => (i % 2 ? ['Below', 'Above'] : ['Above', null])),
      organ,
    ).levels.map((l) => l.length),
  ).toEqual([25_000, 25_000])
  expect(
    inLevels(
      rows((i) => [`O${i}`, `O${(i + 1) % 50_000}`]),
      organ,
    ).wrong,
  ).toHaveLength(50_000)
  // Minutes before; 0.3 s now.
  expect(performance.now() - before).toBeLessThan(10_000)
})

it('regions of one name are distinguished by their parents; top-level ones are recognised', async () => {
  const text = 'RegionName,ParentId\nNorth,\nSouth,\nOld town,North\nOld town,South\n'
  expect(await upload('owner', region, text)).toMatchObject({ Data: { Added: 4 } })
  expect((await upload('owner', region, text)).Data).toMatchObject({ Added: 0, Changed: 0, Unchanged: 4 })
})

it('values are known by their dictionary and value; what records store stays', async () => {
  const dicts = await kit.data<Page<Row>>('owner', 'GET', '/System/Dict/List?PageSize=100')
  const [a, b] = dicts.Items as [Row, Row]
  const text = (name: string) => `DictId,DataValue,DataName\n#${a.Id},seven,${name}\n#${b.Id},seven,Other\n`
  expect((await upload('owner', dataDict, text('Seven'))).Data).toMatchObject({ Added: 2 })
  expect((await upload('owner', dataDict, text('Siete'))).Data).toMatchObject({ Added: 0, Changed: 1, Unchanged: 1 })
  const held = (await rowsOf(dataDict)).filter((row) => row.DataValue === 'seven')
  expect(held.map((row) => row.DataName)).toEqual(['Siete', 'Other'])
})
