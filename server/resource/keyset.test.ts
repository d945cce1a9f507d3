import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Kit, startKit } from '../../main/testing/kit.ts'

type Page = { Items: { Id: number; Longitude: number | null }[]; TotalMore: boolean; NextCursor?: string; PrevCursor?: string }
let kit: Kit
beforeAll(async () => {
  kit = await startKit()
  // Ties, rows without a value, and moments that differ below the second.
  await kit.db.rows(sql`
    insert into project ("EnterpriseId", "ProjectName", "Longitude", "UpdateTime")
    select ${kit.enterprises.ours}, 'P' || n, case when n % 3 = 0 then null else (n % 5)::numeric / 7 end, timestamptz '2026-03-29 01:59:59.5+00' + (n / 2) * interval '1 microsecond'
    from generate_series(1, 95) n`)
})
afterAll(() => kit?.close())

const list = (query: string) => kit.data<Page>('owner', 'GET', `/Project/Project/List?${query}`)
const ids = (page: Page) => page.Items.map((row) => row.Id)

describe.each(['Longitude', 'UpdateTime', 'ProjectName', 'Id'])('pages by key, ordered by %s', (column) => {
  it.each(['asc', 'desc'])('%s: forwards and backwards are the list as it is whole', async (way) => {
    const query = `OrderColumn=${column}&OrderType=${way}`
    const whole = ids(await list(`${query}&PageSize=1000`))
    expect(whole).toHaveLength(95)
    const pages = [await list(`${query}&PageSize=20`)]
    expect(pages[0]!.PrevCursor).toBeUndefined()
    for (let at = pages[0]!; at.NextCursor; at = pages.at(-1)!) pages.push(await list(`${query}&PageSize=20&Cursor=${at.NextCursor}`))
    expect(pages.flatMap(ids)).toEqual(whole)
    let back = pages.at(-1)!
    for (let i = pages.length - 2; i >= 0; i--) {
      back = await list(`${query}&PageSize=20&Cursor=${encodeURIComponent(back.PrevCursor!)}`)
      expect(ids(back)).toEqual(ids(pages[i]!))
      expect(back.NextCursor).toBeDefined()
    }
  })
})

it('rows added or removed during paging neither repeat nor hide others', async () => {
  const first = await list('OrderColumn=ProjectName&PageSize=10')
  const rest = ids(await list('OrderColumn=ProjectName&PageSize=1000')).slice(10)
  await kit.data('owner', 'POST', '/Project/Project', { ProjectName: 'A first one' })
  await kit.data('owner', 'DELETE', '/Project/Project', { Id: first.Items[0]!.Id })
  expect(ids(await list(`OrderColumn=ProjectName&PageSize=1000&Cursor=${first.NextCursor}`))).toEqual(rest)
})

it('a cursor of another order, or of nobody, is refused; so is one whose value is none of the field', async () => {
  const { NextCursor } = await list('OrderColumn=Longitude&PageSize=10')
  const forged = (label: string, value: unknown) => `>${Buffer.from(JSON.stringify([label, value, 1])).toString('base64url')}`
  const cursors = [
    'x',
    '>',
    '>e30',
    `>${'A'.repeat(3000)}`,
    forged('UpdateTime', 'soon'),
    forged('UpdateTime', "'; drop table project; --"),
  ]
  for (const [order, cursor] of [['ProjectName', NextCursor!], ...cursors.map((c) => ['UpdateTime', c] as const)])
    expect(
      await kit.call('owner', 'GET', `/Project/Project/List?OrderColumn=${order}&Cursor=${encodeURIComponent(cursor!)}`),
    ).toMatchObject({ Succeeded: false, StatusCode: 400 })
})

it('a cursor opens nothing of another tenant', async () => {
  const { NextCursor } = await list('PageSize=10')
  const page = await kit.data<Page>('stranger', 'GET', `/Project/Project/List?Cursor=${encodeURIComponent(NextCursor!)}`)
  expect(page.Items).toEqual([])
})

it('an order by the title of another record has no cursor, and pages by number', async () => {
  const page = await list('OrderColumn=ProjectName&PageIndex=2&PageSize=10')
  expect(page.PrevCursor).toBeDefined()
  const commands = await kit.data<Page>('owner', 'GET', '/Project/Gateway/List?OrderColumn=ProjectName&PageSize=1')
  expect(commands.NextCursor).toBeUndefined()
})

it('nothing is ordered by a structured field: the cursor would hold what an area shows in part', async () => {
  const answer = await kit.call('owner', 'GET', '/Maintenance/MtnEquipment/List?OrderColumn=Files')
  expect(answer).toMatchObject({ Succeeded: false, Data: null, Details: { Fault: 'unknownFilter' } })
})
